// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cyclic thread.  Its contract:
 *
 * - it alone calls the cyclic half of struct kecat_nic_ops, through the gate;
 * - while cyclic exchange is on it takes no lock that can sleep, allocates
 *   nothing, prints nothing, reads no device register, and copies nothing from
 *   or to a process: bad news becomes a counter, an event, a trace point;
 * - each cycle ends: every loop is bounded by frames, by the deadline, or by
 *   the table of frames on the wire;
 * - it sends at the tick and never twice in a cycle; a cycle that was missed
 *   is counted, not made up for.
 *
 * While idle it sends whatever waits, frame after frame, and sleeps when
 * nothing does.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/isolation.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <uapi/linux/sched/types.h>
#include "bus.h"
#include "compat/compat.h"
#include "cycle.h"
#include "cycle_int.h"
#include "image.h"
#include "plan.h"
#include "trace.h"
#include "wait.h"

int kecat_cpu = -1;
module_param_named(cpu, kecat_cpu, int, 0444);
MODULE_PARM_DESC(cpu, "CPU of the cyclic threads (default -1: any)");

int kecat_rt_prio = 80;
module_param_named(rt_prio, kecat_rt_prio, int, 0444);
MODULE_PARM_DESC(rt_prio, "SCHED_FIFO priority of the cyclic threads, 1..99 (default 80)");

/* an acyclic frame that is not back by then is sent again */
#define IDLE_LOST_NS		(50 * NSEC_PER_MSEC)
/*
 * Idle: look for answers without sleeping this long, then this often.  While
 * several wait it is the shorter time: those that share the CPU get to run, and
 * what they have to say goes by one frame, not by one each.
 */
#define IDLE_SPIN_NS		(200 * NSEC_PER_USEC)
#define IDLE_SHARE_NS		(20 * NSEC_PER_USEC)
#define IDLE_NAP_NS		(100 * NSEC_PER_USEC)
#define IDLE_FRAMES		8
/* acyclic frames in what a cycle leaves, and the time kept free before the tick */
#define ACYCLIC_FRAMES		2
/*
 * Also a cycle that spins all the time, or is too long, sleeps so often, for half
 * of what is left before the tick: whoever waits until each CPU has done some work
 * for him (RCU, whatever flushes per-CPU work) would wait for ever.
 */
#define SHARE_NS		(10 * NSEC_PER_MSEC)
/* longest wait of an application */
#define WAIT_MAX_NS		(3600ULL * NSEC_PER_SEC)
/* so often are the outputs of a lost application sent before the slaves leave */
#define LOSS_CYCLES		3
/* the same bad news at most this often */
#define EVENT_NS		(100 * NSEC_PER_MSEC)

/* ---- time ---- */

static enum hrtimer_restart timer_fired(struct hrtimer *timer)
{
	struct kecat_cycle *c = container_of(timer, struct kecat_cycle, timer);

	WRITE_ONCE(c->fired, true);
	wake_up_process(c->task);
	return HRTIMER_NORESTART;
}

static void sleep_until(struct kecat_cycle *c, u64 when)
{
	c->fired = false;
	hrtimer_start(&c->timer, ns_to_ktime(when), HRTIMER_MODE_ABS_PINNED_HARD);
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (READ_ONCE(c->fired) || kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	hrtimer_cancel(&c->timer);
}

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

static void give_up_overdue(struct kecat_cycle *c)
{
	u64 now = ktime_get_ns();
	struct kecat_flight_slot *s;

	while ((s = kecat_flight_overdue(&c->flight, now, c->lost_ns)))
		give_up(c, s, now);
}

/* nothing will come back any more */
static void give_up_all(struct kecat_cycle *c)
{
	u64 now = ktime_get_ns();

	while (c->flight.oldest != c->flight.next)
		give_up(c, kecat_flight_at(&c->flight, c->flight.oldest), now);
}

static void poll_until(struct kecat_cycle *c, const u32 *out, u64 deadline)
{
	do {
		kecat_side_poll(c);
		if (!*out)
			return;
		cpu_relax();
	} while (ktime_get_ns() < deadline);
}

/* ---- idle ---- */

static void idle_exchange(struct kecat_cycle *c)
{
	u64 spin = atomic_read(&c->users) > 1 ? IDLE_SHARE_NS : IDLE_SPIN_NS;

	kecat_side_enter(c);
	if (!c->inside)
		return;
	if (!c->use)
		kecat_xfer_fail_all(c, -ENETDOWN);
	kecat_xfer_send(c, IDLE_FRAMES - c->acyclic_out);
	kecat_side_kick(c);
	poll_until(c, &c->acyclic_out, ktime_get_ns() + spin);
	kecat_side_leave(c);
	give_up_overdue(c);
}

static void idle_round(struct kecat_cycle *c)
{
	kecat_xfer_drain(c);
	if (!kecat_xfer_pending(c) && !c->acyclic_out) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (llist_empty(&c->incoming) && !READ_ONCE(c->want_active) &&
		    READ_ONCE(c->second) == c->side[1].nic && !kthread_should_stop())
			schedule();
		__set_current_state(TASK_RUNNING);
		return;
	}
	idle_exchange(c);
	/* slow answers, a closed gate, a full ring: others get the CPU */
	if (c->acyclic_out || kecat_side_shut(c) || !list_empty(&c->queue))
		sleep_until(c, ktime_get_ns() + IDLE_NAP_NS);
}

/* ---- one cycle ---- */

/* leaves so much of the time before the tick for spinning */
static void sleep_before_tick(struct kecat_cycle *c, u64 now)
{
	u64 until = c->tick - c->bus->spin_ns;

	if (now >= until && now < c->tick && now - c->slept_ns >= SHARE_NS)
		until = now + (c->tick - now) / 2;
	if (now >= until)
		return;
	sleep_until(c, until);
	c->slept_ns = until;
}

/* c->tick becomes the next tick; returns when it has come */
static void await_tick(struct kecat_cycle *c)
{
	u64 cycle = c->bus->cycle_ns, now;

	c->tick += cycle;
	now = ktime_get_ns();
	if (now >= c->tick + cycle) {
		u64 behind = now - c->tick;
		u64 missed = div64_u64(behind, cycle);

		c->m->count.overruns += missed;
		c->tick += missed * cycle;
		kecat_event(c->m, KECAT_EV_OVERRUN, KECAT_ALL,
			    min_t(u64, behind, U32_MAX), 0, 0, 0);
		if (now - c->slept_ns < SHARE_NS)
			return;
		/* cycles that are too long, one after the other: one more is missed */
		c->m->count.overruns++;
		c->tick += cycle;
	}
	sleep_before_tick(c, now);
	while (ktime_get_ns() < c->tick && !kthread_should_stop())
		cpu_relax();
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
		swake_up_all(&c->sw);
	/* the barrier above is the one that waitqueue_active() asks for */
	if (waitqueue_active(&c->pollq))
		irq_work_queue(&c->poll_work);
}

static void acyclic(struct kecat_cycle *c, u64 deadline)
{
	bool late = ktime_get_ns() >= deadline;
	u32 frames = late ? 1 : ACYCLIC_FRAMES;

	kecat_xfer_drain(c);
	if (!c->use) {
		kecat_xfer_fail_all(c, -ENETDOWN);
		return;
	}
	/*
	 * When no frame comes back there is never time left, but without a
	 * single transaction nobody would find out why.  A late one's answer
	 * is taken in a later cycle.
	 */
	if (c->acyclic_out < frames)
		kecat_xfer_send(c, frames - c->acyclic_out);
	kecat_side_kick(c);
	if (c->acyclic_out && !late)
		poll_until(c, &c->acyclic_out, deadline);
}

static void one_cycle(struct kecat_cycle *c)
{
	u64 deadline = c->tick + c->bus->deadline_ns;
	struct kecat_counters *n = &c->m->count;
	struct kecat_stamps t;

	kecat_side_enter(c);
	t.at[0] = c->tick;
	t.at[1] = ktime_get_ns();
	n->cycles++;
	c->lay = kecat_plan_take(c->plan);
	c->cyclic_out = 0;
	c->cyclic_use = c->use;
	c->in_window = true;
	kecat_exchange_send(c, t.at[1]);
	t.whole = c->cyclic_out;
	kecat_side_kick(c);
	t.at[2] = ktime_get_ns();
	/* before it can have this cycle's inputs; judged when there is time */
	kecat_image_app_times(c->img, &t.app);
	/* also without a frame of this cycle: late ones may be there */
	if (c->inside)
		poll_until(c, &c->cyclic_out, deadline);
	c->in_window = false;
	t.at[3] = ktime_get_ns();
	t.whole = t.whole && !c->cyclic_out;
	c->received_ns = t.at[3];
	kecat_exchange_publish(c);
	wake_app(c);
	t.at[4] = ktime_get_ns();
	if (c->inside) {
		acyclic(c, deadline);
		kecat_side_leave(c);
	}
	give_up_overdue(c);
	kecat_exchange_snapshot(c);
	t.at[5] = ktime_get_ns();
	kecat_account_cycle(c, &t);
	if (unlikely(c->record))
		kecat_record_cycle(c, t.at);
	trace_kecat_cycle(c->m->index, n->cycles, t.at, c->groups_valid);
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
	kecat_record_end(c);
	if (r)
		complete(&r->done);
	kecat_image_release(c->img);
	c->plan = NULL;
	c->lay = NULL;
	c->img = NULL;
	c->bus = NULL;
	c->lost_ns = IDLE_LOST_NS;
	swake_up_all(&c->sw);
	irq_work_queue(&c->poll_work);
}

static void follow_control(struct kecat_cycle *c)
{
	int app = READ_ONCE(c->app_request);
	struct kecat_phase_hist *hist;
	bool want = READ_ONCE(c->want_active);
	struct kecat_nic *second = READ_ONCE(c->second);

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
	if (want == c->active)
		return;
	if (want)
		begin_active(c);
	else
		end_active(c);
	complete(&c->switched);
}

static int cycle_thread(void *arg)
{
	struct kecat_cycle *c = arg;

	while (!kthread_should_stop()) {
		follow_control(c);
		if (!c->active) {
			idle_round(c);
			continue;
		}
		await_tick(c);
		one_cycle(c);
	}
	/* nobody gets in any more; whoever is in gets an answer */
	smp_store_release(&c->dead, true);
	do {
		kecat_xfer_drain(c);
		kecat_xfer_fail_all(c, -ESHUTDOWN);
		give_up_all(c);
		if (atomic_read(&c->users))
			schedule_timeout_uninterruptible(1);
	} while (atomic_read(&c->users));
	if (c->active)
		end_active(c);
	return 0;
}

/* ---- control side ---- */

static void wake_pollers(struct irq_work *work)
{
	struct kecat_cycle *c = container_of(work, struct kecat_cycle, poll_work);

	wake_up_all(&c->pollq);
}

static int set_priority(struct task_struct *task)
{
	const struct sched_attr attr = {
		.size = sizeof(attr),
		.sched_policy = SCHED_FIFO,
		.sched_priority = clamp(kecat_rt_prio, 1, 99),
	};

	return sched_setattr_nocheck(task, &attr);
}

static void init_cycle(struct kecat_cycle *c, struct kecat_master *m)
{
	c->m = m;
	c->side[0].nic = m->nic;
	c->front = U16_MAX;
	c->lost_ns = IDLE_LOST_NS;
	c->app_request = -1;
	init_llist_head(&c->incoming);
	INIT_LIST_HEAD(&c->queue);
	atomic_set(&c->users, 0);
	atomic_set(&c->waiters, 0);
	init_swait_queue_head(&c->sw);
	init_waitqueue_head(&c->pollq);
	init_irq_work(&c->poll_work, wake_pollers);
	init_completion(&c->switched);
	init_completion(&c->second_set);
	hrtimer_setup(&c->timer, timer_fired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * kecat_cycle_create - memory of the cyclic thread, as long as the master lives
 * @m: master
 */
int kecat_cycle_create(struct kecat_master *m)
{
	struct kecat_cycle *c = kvzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	init_cycle(c, m);
	m->cycle = c;
	return 0;
}

void kecat_cycle_destroy(struct kecat_master *m)
{
	if (m->cycle)
		irq_work_sync(&m->cycle->poll_work);
	kvfree(m->cycle);
	m->cycle = NULL;
}

/**
 * kecat_cycle_start - start the thread, idle
 * @m: master with a started port
 *
 * Context: may sleep.
 */
int kecat_cycle_start(struct kecat_master *m)
{
	struct kecat_cycle *c = m->cycle;
	struct task_struct *task;
	int err;

	task = kthread_create(cycle_thread, c, "kecat%d", m->index);
	if (IS_ERR(task))
		return PTR_ERR(task);
	if (kecat_cpu >= 0 && kecat_cpu < nr_cpu_ids && cpu_online(kecat_cpu))
		kthread_bind(task, kecat_cpu);
	err = set_priority(task);
	if (err) {
		kthread_stop(task);
		return err;
	}
	get_task_struct(task);
	c->task = task;
	wake_up_process(task);
	return 0;
}

/**
 * kecat_cycle_stop - end the thread; every transaction is answered
 * @m: master
 *
 * Context: may sleep.
 */
void kecat_cycle_stop(struct kecat_master *m)
{
	struct kecat_cycle *c = m->cycle;

	if (!c->task)
		return;
	kthread_stop(c->task);
	hrtimer_cancel(&c->timer);
	put_task_struct(c->task);
	c->task = NULL;
}

static void switch_to(struct kecat_master *m, bool active)
{
	struct kecat_cycle *c = m->cycle;

	reinit_completion(&c->switched);
	WRITE_ONCE(c->want_active, active);
	wake_up_process(c->task);
	wait_for_completion(&c->switched);
}

/**
 * kecat_cycle_exposed_cpu - where can others take the thread's time?
 * @m: master
 *
 * Return: a CPU that the thread may run on and that is not isolated, or -1.
 */
int kecat_cycle_exposed_cpu(struct kecat_master *m)
{
	int cpu;

	for_each_cpu(cpu, m->cycle->task->cpus_ptr)
		if (!kecat_cpu_is_isolated(cpu))
			return cpu;
	return -1;
}

void kecat_cycle_activate(struct kecat_master *m)
{
	switch_to(m, true);
}

void kecat_cycle_deactivate(struct kecat_master *m)
{
	switch_to(m, false);
}

/**
 * kecat_cycle_reset_hist - count all phases from zero, from one cycle on
 * @m: master; the caller holds config_lock
 *
 * The thread only changes over to a cleared set: clearing one takes longer than
 * a cycle may.
 *
 * Context: may sleep, for a cycle.
 */
void kecat_cycle_reset_hist(struct kecat_master *m)
{
	struct kecat_pause pause = { .min_us = 50, .max_us = 5000 };
	struct kecat_phase_hist *old = m->hist, *cleared = m->hist_spare;
	struct kecat_cycle *c = m->cycle;
	int i;

	for (i = 0; i < KECAT_LAT_COUNT; i++)
		kecat_hist_reset(&cleared[i]);
	if (m->active) {
		/* pairs with follow_control(), both */
		smp_store_release(&c->hist_request, cleared);
		while (smp_load_acquire(&c->hist_request))
			kecat_pause(&pause);
	} else {
		WRITE_ONCE(m->hist, cleared);
	}
	m->hist_spare = old;
}

void kecat_cycle_set_record(struct kecat_master *m, struct kecat_record *r)
{
	struct kecat_pause pause = { .min_us = 50, .max_us = 5000 };
	struct kecat_cycle *c = m->cycle;

	c->record_next = r;
	/* pairs with follow_control(), both */
	smp_store_release(&c->record_asked, true);
	while (smp_load_acquire(&c->record_asked))
		kecat_pause(&pause);
}

u64 kecat_cycle_published(struct kecat_master *m)
{
	/* pairs with the store in wake_app() */
	return smp_load_acquire(&m->cycle->published);
}

/**
 * kecat_cycle_app_lost - the owner is gone: whose outputs are sent from now on
 * @m:        active master
 * @reaction: KECAT_LOSS_*
 *
 * Returns when they have been sent: the slaves leave the exchange next, and
 * must not be left with what the owner wrote last.
 *
 * Context: may sleep, for some cycles.
 */
void kecat_cycle_app_lost(struct kecat_master *m, u32 reaction)
{
	struct kecat_pause pause = { .min_us = 50, .max_us = 5000 };
	struct kecat_cycle *c = m->cycle;
	u64 until;

	WRITE_ONCE(c->app_request, reaction == KECAT_LOSS_HOLD ?
		   KECAT_APP_HOLD : KECAT_APP_ZERO);
	while (READ_ONCE(c->app_request) >= 0)
		kecat_pause(&pause);
	until = kecat_cycle_published(m) + LOSS_CYCLES;
	while (kecat_cycle_published(m) < until)
		kecat_pause(&pause);
}

bool kecat_cycle_app_missing(struct kecat_master *m)
{
	return READ_ONCE(m->cycle->app_missing);
}

wait_queue_head_t *kecat_cycle_waitqueue(struct kecat_master *m)
{
	return &m->cycle->pollq;
}

static bool can_return(struct kecat_master *m, u64 cycle)
{
	return kecat_cycle_published(m) > cycle || !READ_ONCE(m->active);
}

/**
 * kecat_cycle_wait - until a cycle later than *@cycle was published
 * @m:          master
 * @cycle:      in: last seen; out: newest
 * @timeout_ns: 0 = do not wait
 *
 * Context: may sleep, on a raw lock only.
 * Return: see &struct kecat_wait; -EUSERS when too many wait.
 */
int kecat_cycle_wait(struct kecat_master *m, u64 *cycle, u64 timeout_ns)
{
	struct kecat_cycle *c = m->cycle;
	ktime_t until = ktime_add_ns(ktime_get(), min(timeout_ns, WAIT_MAX_NS));
	DECLARE_SWAITQUEUE(wait);
	int err = 0;

	if (!READ_ONCE(m->active))
		return -ENOTCONN;
	if (!can_return(m, *cycle)) {
		if (!timeout_ns)
			return -EAGAIN;
		if (atomic_inc_return(&c->waiters) > KECAT_WAITERS_MAX) {
			atomic_dec(&c->waiters);
			return -EUSERS;
		}
		for (;;) {
			prepare_to_swait_exclusive(&c->sw, &wait, TASK_INTERRUPTIBLE);
			if (can_return(m, *cycle))
				break;
			if (signal_pending(current)) {
				err = -EINTR;
				break;
			}
			if (!schedule_hrtimeout_range(&until, 0, HRTIMER_MODE_ABS)) {
				err = can_return(m, *cycle) ? 0 : -ETIMEDOUT;
				break;
			}
		}
		finish_swait(&c->sw, &wait);
		atomic_dec(&c->waiters);
	}
	if (!err && !READ_ONCE(m->active))
		return -ENOTCONN;
	*cycle = kecat_cycle_published(m);
	return err;
}

/**
 * kecat_cycle_snapshot - a consistent copy of both images
 * @m:   master
 * @s:   filled in
 * @in:  room for the input image, or NULL
 * @out: room for the output image, or NULL
 *
 * Context: may sleep; caller holds config_lock, so that the image stays.
 */
int kecat_cycle_snapshot(struct kecat_master *m, struct kecat_snapshot *s,
			 u8 *in, u8 *out)
{
	struct kecat_snap_request r = {
		.s = s, .in = in, .out = out, .err = -ENOTCONN,
	};
	struct kecat_cycle *c = m->cycle;

	if (!READ_ONCE(m->active))
		return -ENOTCONN;
	init_completion(&r.done);
	if (cmpxchg(&c->snap, NULL, &r))
		return -EBUSY;
	if (!wait_for_completion_timeout(&r.done, HZ * 2)) {
		if (xchg(&c->snap, NULL) == &r)
			return -ETIMEDOUT;
		/* taken at the last moment */
		wait_for_completion(&r.done);
	}
	return r.err;
}
