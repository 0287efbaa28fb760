// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include "master.h"
#include "mon.h"

/*
 * A wait queue may not be woken from the cyclic thread: on PREEMPT_RT its lock
 * sleeps.  irq_work takes the wake-up out of there.
 */
static void wake_readers(struct irq_work *work)
{
	struct kecat_events *e = container_of(work, struct kecat_events, wake);

	wake_up_all(&e->wait);
}

void kecat_events_init(struct kecat_events *e)
{
	raw_spin_lock_init(&e->lock);
	init_waitqueue_head(&e->wait);
	init_irq_work(&e->wake, wake_readers);
	e->seq = 0;
}

void kecat_events_exit(struct kecat_events *e)
{
	irq_work_sync(&e->wake);
}

/**
 * kecat_event - record that something happened
 * @m:        master
 * @type:     KECAT_EV_*
 * @position: slave, group, or KECAT_ALL
 * @arg0:     see KECAT_EV_*
 * @arg1:     ..
 * @arg2:     ..
 * @arg3:     ..
 *
 * The oldest record is overwritten when nobody reads.
 * Context: any, real-time safe: the lock is raw and held for one copy.
 */
void kecat_event(struct kecat_master *m, u32 type, u32 position, u32 arg0,
		 u32 arg1, u32 arg2, u32 arg3)
{
	struct kecat_events *e = &m->events;
	struct kecat_event ev = {
		.time_ns = ktime_get_ns(),
		.cycle = READ_ONCE(m->active) ? READ_ONCE(m->count.cycles) : 0,
		.type = type, .position = position,
		.arg0 = arg0, .arg1 = arg1, .arg2 = arg2, .arg3 = arg3,
	};
	unsigned long flags;

	raw_spin_lock_irqsave(&e->lock, flags);
	ev.seq = e->seq + 1;
	e->ring[ev.seq % KECAT_EVENT_RING] = ev;
	WRITE_ONCE(e->seq, ev.seq);
	raw_spin_unlock_irqrestore(&e->lock, flags);
	irq_work_queue(&e->wake);
}

int kecat_events_get(struct kecat_events *e, u64 *seq, struct kecat_event *to,
		     int max, u64 *lost)
{
	unsigned long flags;
	int n = 0;

	while (n < max) {
		bool got = false;

		/* one at a time, so that the lock is never held long */
		raw_spin_lock_irqsave(&e->lock, flags);
		if (*seq > e->seq)
			*seq = e->seq;
		if (e->seq - *seq > KECAT_EVENT_RING) {
			*lost += e->seq - *seq - KECAT_EVENT_RING;
			*seq = e->seq - KECAT_EVENT_RING;
		}
		if (*seq < e->seq) {
			*seq += 1;
			to[n] = e->ring[*seq % KECAT_EVENT_RING];
			got = true;
		}
		raw_spin_unlock_irqrestore(&e->lock, flags);
		if (!got)
			break;
		n++;
	}
	return n;
}

/* see KECAT_HIST_BUCKETS */
unsigned int kecat_hist_bucket(u64 ns)
{
	unsigned int octave;

	if (ns < 102400)
		return (u32)ns / 100;
	if (ns >= 1ULL << 31)
		return KECAT_HIST_BUCKETS - 1;
	octave = fls((u32)ns) - 1;
	return 1024 + (octave - 16) * 128 + (((u32)ns >> (octave - 7)) & 127);
}

void kecat_hist_add(struct kecat_phase_hist *h, u64 ns, u64 cycle)
{
	h->count++;
	h->sum_ns += ns;
	if (ns < h->min_ns)
		h->min_ns = ns;
	if (ns > h->max_ns) {
		h->max_ns = ns;
		h->max_cycle = cycle;
	}
	h->bucket[kecat_hist_bucket(ns)]++;
}

void kecat_hist_reset(struct kecat_phase_hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min_ns = U64_MAX;
}
