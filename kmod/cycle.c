// SPDX-License-Identifier: GPL-2.0-only
/*
 * One cycle, whoever runs it: see tick.c, where the contract of the cyclic
 * context stands.
 */
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/swait.h>
#include "bus.h"
#include "cycle_int.h"
#include "image.h"
#include "plan.h"
#include "trace.h"

/* acyclic frames in what a cycle leaves */
#define ACYCLIC_FRAMES		2
/* .. and what is kept free before the tick */
#define GUARD_NS		(2 * NSEC_PER_USEC)
/* the same bad news at most this often */
#define EVENT_NS		(100 * NSEC_PER_MSEC)

/* ---- receiving ---- */

/**
 * kecat_cycle_rx - a frame from the port
 * @c:     cyclic thread
 * @at:    which port
 * @frame: the frame
 * @len:   its length, any
 */
void kecat_cycle_rx(struct kecat_cycle *c, u32 at, const u8 *frame,
		    unsigned int len)
{
	struct kecat_flight_slot *s;
	int body;
	u32 tag;

	body = kecat_frame_check(frame, len, c->m->mac, &tag);
	s = body < 0 ? NULL : kecat_flight_find(&c->flight, tag);
	if (unlikely(c->record))
		kecat_record_frame(c, at, KECAT_RECORD_RECEIVED,
				   s ? s->kind : KECAT_RECORD_FOREIGN,
				   s ? tag : 0, frame, len, ktime_get_ns());
	if (!s) {
		c->m->count.frames_foreign++;
		return;
	}
	if (s->kind == KECAT_FLIGHT_CYCLIC) {
		kecat_exchange_answer(c, s, at, frame, KECAT_FRAME_START + body);
	} else if (s->kind == KECAT_FLIGHT_ACYCLIC) {
		kecat_xfer_answer(c, s, at, frame, KECAT_FRAME_START + body);
	} else {
		c->m->count.frames_received++;
		kecat_side_back(c, s, at);
		kecat_flight_land(&c->flight, s);
	}
}

static void give_up(struct kecat_cycle *c, struct kecat_flight_slot *s, u64 now)
{
	struct kecat_master *m = c->m;
	bool cyclic = s->kind == KECAT_FLIGHT_CYCLIC;

	kecat_side_lost(c, s);
	trace_kecat_frame(m->index, s->tag, s->kind, KECAT_TRACE_LOST, 0);
	/* no news of a port whose frames do not come back anyway */
	if (s->awaited)
		m->count.frames_lost++;
	if (s->awaited && now - c->lost_event_ns >= EVENT_NS) {
		c->lost_event_ns = now;
		kecat_event(m, KECAT_EV_FRAME_LOST, KECAT_ALL, s->tag, cyclic,
			    s->side, 0);
	}
	if (s->kind == KECAT_FLIGHT_ACYCLIC)
		kecat_xfer_lost(c, s);
	kecat_flight_land(&c->flight, s);
}

void kecat_cycle_give_up_overdue(struct kecat_cycle *c)
{
	u64 now = ktime_get_ns();
	struct kecat_flight_slot *s;

	while ((s = kecat_flight_overdue(&c->flight, now, c->lost_ns)))
		give_up(c, s, now);
}

/* nothing will come back any more */
void kecat_cycle_give_up_all(struct kecat_cycle *c)
{
	u64 now = ktime_get_ns();

	while (c->flight.oldest != c->flight.next)
		give_up(c, kecat_flight_at(&c->flight, c->flight.oldest), now);
}

/* in line: it is what a cycle spends its time with */
static __always_inline void poll(struct kecat_cycle *c, const u32 *out, u64 deadline)
{
	do {
		kecat_side_poll(c);
		if (!*out)
			return;
		cpu_relax();
	} while (ktime_get_ns() < deadline);
}

/**
 * kecat_cycle_poll - take frames until none is waited for
 * @c:        cyclic thread
 * @out:      number of frames that are waited for
 * @deadline: .. but not longer than this
 */
void kecat_cycle_poll(struct kecat_cycle *c, const u32 *out, u64 deadline)
{
	poll(c, out, deadline);
}

/* ---- one cycle ---- */

/*
 * One after the other: swake_up_all() may not be called in an interrupt.  Who
 * waits again meanwhile is at the end of the queue, and knows this cycle.
 */
static void wake_waiters(struct kecat_cycle *c)
{
	u32 i;

	for (i = 0; i < KECAT_WAITERS_MAX && swait_active(&c->sw); i++)
		swake_up_one(&c->sw);
}

static void wake_app(struct kecat_cycle *c)
{
	/* pairs with the load in kecat_cycle_published() */
	smp_store_release(&c->published, c->m->count.cycles);
	/*
	 * Number first, then who waits for it; a waiter announces itself
	 * first, then looks at the number (both with full barriers).
	 */
	smp_mb();
	if (atomic_read(&c->waiters))
		wake_waiters(c);
	/* the barrier above is the one that waitqueue_active() asks for */
	if (waitqueue_active(&c->pollq))
		irq_work_queue(&c->poll_work);
}

/*
 * Sends what waits, up to so many frames that are out at a time, if they are off
 * the wire before the next cycle's come, behind @ahead_ns of others.
 */
static void send_acyclic(struct kecat_cycle *c, u32 frames, u64 ahead_ns)
{
	u64 now = ktime_get_ns() + ahead_ns, until;

	kecat_xfer_drain(c);
	if (!c->use) {
		kecat_xfer_fail_all(c, -ENETDOWN);
		return;
	}
	until = c->tick + c->bus->cycle_ns - GUARD_NS;
	if (c->acyclic_out < frames)
		kecat_xfer_send(c, frames - c->acyclic_out,
				until > now ? until - now : 0);
	kecat_side_kick(c);
}

static void acyclic(struct kecat_cycle *c, u64 deadline)
{
	bool late = ktime_get_ns() >= deadline;

	/*
	 * When no frame comes back there is never time left, but without a
	 * single transaction nobody would find out why.  A late one's answer
	 * is taken in a later cycle.
	 */
	send_acyclic(c, late ? 1 : ACYCLIC_FRAMES, 0);
	/*
	 * Nobody waits with interrupts off, nor in the application's time: what
	 * comes is taken in the next cycle.
	 */
	if (c->acyclic_out && !late && c->tick_by == KECAT_TICK_THREAD)
		kecat_cycle_poll(c, &c->acyclic_out, deadline);
}

static void send(struct kecat_cycle *c)
{
	struct kecat_stamps *t = &c->stamps;

	kecat_side_enter(c);
	t->at[0] = c->tick;
	t->at[1] = ktime_get_ns();
	c->m->count.cycles++;
	c->lay = kecat_plan_take(c->plan);
	c->cyclic_out = 0;
	c->cyclic_use = c->use;
	kecat_exchange_send(c, t->at[1]);
	t->whole = c->cyclic_out;
	kecat_side_kick(c);
	t->at[2] = ktime_get_ns();
	/* before it can have this cycle's inputs; judged when there is time */
	kecat_image_app_times(c->img, &t->app);
	c->in_window = true;
}

/* before others get the CPU */
static void end_sending(struct kecat_cycle *c)
{
	u64 ahead_ns = 0;
	u32 i;

	for (i = 0; i < c->lay->nframes; i++)
		ahead_ns += kecat_wire_ns(c->lay->frame[i].send_len);
	/* they travel behind the cyclic frames, and come back with them */
	if (c->inside)
		send_acyclic(c, ACYCLIC_FRAMES, ahead_ns);
	kecat_side_leave(c);
}

/* everything that has come meanwhile; how long it took nobody knows */
static void begin_receiving(struct kecat_cycle *c)
{
	c->stamps.whole = false;
	kecat_side_enter(c);
	kecat_side_take(c);
}

static void receive(struct kecat_cycle *c)
{
	u64 deadline = c->tick + c->bus->deadline_ns;
	struct kecat_stamps *t = &c->stamps;

	if (unlikely(c->rx_sleep))
		begin_receiving(c);
	else if (c->inside)
		/* also without a frame of this cycle: late ones may be there */
		poll(c, &c->cyclic_out, deadline);
	c->in_window = false;
	t->at[3] = ktime_get_ns();
	t->whole = t->whole && !c->cyclic_out;
	c->received_ns = t->at[3];
	kecat_exchange_publish(c);
	wake_app(c);
	t->at[4] = ktime_get_ns();
	if (c->inside) {
		if (!c->rx_sleep)
			acyclic(c, deadline);
		kecat_side_leave(c);
	}
	kecat_cycle_give_up_overdue(c);
	kecat_exchange_snapshot(c);
	t->at[5] = ktime_get_ns();
	kecat_account_cycle(c, t);
	if (unlikely(c->record))
		kecat_record_cycle(c, t);
	trace_kecat_cycle(c->m->index, c->m->count.cycles, t->at, c->groups_valid);
}

/**
 * kecat_cycle_step - a cycle, or a half of it
 * @c:    cyclic thread, active, with its tick set
 * @what: KECAT_STEP_SEND, KECAT_STEP_RECEIVE or both
 *
 * With kecat_cycle.rx_sleep the caller sleeps between the halves.
 */
void kecat_cycle_step(struct kecat_cycle *c, u32 what)
{
	if (what & KECAT_STEP_SEND)
		send(c);
	if (what == KECAT_STEP_SEND)
		end_sending(c);
	if (what & KECAT_STEP_RECEIVE)
		receive(c);
}

/* ---- switching ---- */

static void begin_active(struct kecat_cycle *c)
{
	struct kecat_master *m = c->m;

	c->bus = &m->cfg->bus;
	c->plan = m->plan;
	c->img = m->image;
	c->lost_ns = c->bus->lost_ns;
	c->tick = ktime_get_ns();
	c->rx_sleep = c->bus->flags & KECAT_BUS_RX_SLEEP;
	WRITE_ONCE(c->tick_by, c->bus->flags & KECAT_BUS_TICK_IRQ ?
		   KECAT_TICK_INTERRUPT : c->bus->flags & KECAT_BUS_TICK_APP ?
		   KECAT_TICK_APP : KECAT_TICK_THREAD);
	WRITE_ONCE(c->spin_ns, c->bus->spin_ns);
	c->stood_in = true;
	WRITE_ONCE(c->published, 0);
	m->count.cycles = 0;
	WRITE_ONCE(c->app_missing, false);
	kecat_account_begin(c);
	kecat_exchange_reset(c);
	kecat_record_begin(c, m->record);
	c->active = true;
}

static void end_active(struct kecat_cycle *c)
{
	struct kecat_snap_request *r = xchg(&c->snap, NULL);

	c->active = false;
	WRITE_ONCE(c->tick_by, KECAT_TICK_THREAD);
	kecat_record_end(c);
	if (r)
		complete(&r->done);
	kecat_image_release(c->img);
	c->plan = NULL;
	c->lay = NULL;
	c->img = NULL;
	c->bus = NULL;
	c->lost_ns = KECAT_IDLE_LOST_NS;
	swake_up_all(&c->sw);
	irq_work_queue(&c->poll_work);
}

/**
 * kecat_cycle_switch - exchange begins or ends as the control side wants it
 * @c: cyclic thread
 *
 * Context: the thread itself, with kecat_cycle.turn.
 */
void kecat_cycle_switch(struct kecat_cycle *c)
{
	if (READ_ONCE(c->want_active))
		begin_active(c);
	else
		end_active(c);
	complete(&c->switched);
}

/**
 * kecat_cycle_follow - do what the control side asks for between two cycles
 * @c: cyclic thread
 */
void kecat_cycle_follow(struct kecat_cycle *c)
{
	struct kecat_nic *second = READ_ONCE(c->second);
	int app = READ_ONCE(c->app_request);
	struct kecat_phase_hist *hist;

	if (second != c->side[1].nic) {
		c->side[1] = (struct kecat_side) { .nic = second };
		complete(&c->second_set);
	}
	if (app >= 0) {
		c->app = app;
		WRITE_ONCE(c->app_request, -1);
	}
	/* pairs with kecat_cycle_reset_hist(): cleared first, then handed over */
	hist = smp_load_acquire(&c->hist_request);
	if (hist) {
		WRITE_ONCE(c->m->hist, hist);
		/* nothing is counted in the other one any more */
		smp_store_release(&c->hist_request, NULL);
	}
	/* pairs with kecat_cycle_set_record() */
	if (smp_load_acquire(&c->record_asked)) {
		kecat_record_begin(c, c->record_next);
		/* the other ring is not written to any more */
		smp_store_release(&c->record_asked, false);
	}
}
