// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who runs a cycle, and when: the cyclic thread, the timer's hard interrupt, or
 * the application in a call.  The contract of this context, whoever it is:
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
 * One at a time: the thread has everything in struct kecat_cycle, lends it to
 * the interrupt (kecat_cycle.lent), or shares it with the application's calls
 * (kecat_cycle.turn).  That lock can sleep: a call finds it taken only while the
 * thread stands in for an application that let cycles go by, or another call is
 * in there.
 *
 * While idle the thread sends whatever waits, frame after frame, and sleeps when
 * nothing does.
 */
#include <linux/errno.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "bus.h"
#include "cycle.h"
#include "cycle_int.h"

/*
 * Idle: look for answers without sleeping this long, then this often.  While
 * several wait it is the shorter time: those that share the CPU get to run, and
 * what they have to say goes by one frame, not by one each.
 */
#define IDLE_SPIN_NS		(200 * NSEC_PER_USEC)
#define IDLE_SHARE_NS		(20 * NSEC_PER_USEC)
#define IDLE_NAP_NS		(100 * NSEC_PER_USEC)
#define IDLE_FRAMES		8
/*
 * Also a cycle that spins all the time, or is too long, sleeps so often, for half
 * of what is left before the tick: whoever waits until each CPU has done some work
 * for him (RCU, whatever flushes per-CPU work) would wait for ever.
 */
#define SHARE_NS		(10 * NSEC_PER_MSEC)
/*
 * One part in so many of each cycle is left to others, for the same reason, where
 * the interrupt runs it or the thread stands in
 */
#define SHARE_PARTS		16
/* cycles without a call after which the thread stands in */
#define CALL_CYCLES		3

/* ---- time ---- */

/* the control side waits for the thread; kecat_cycle_follow() does what it wants */
static bool asked(const struct kecat_cycle *c)
{
	return !READ_ONCE(c->want_active) || READ_ONCE(c->app_request) >= 0 ||
	       READ_ONCE(c->second) != c->side[1].nic;
}

/* @heed: or until something is asked */
static void sleep_until(struct kecat_cycle *c, u64 when, bool heed)
{
	c->fired = false;
	hrtimer_start(&c->timer, ns_to_ktime(when), HRTIMER_MODE_ABS_PINNED_HARD);
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (READ_ONCE(c->fired) || (heed && asked(c)) || kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	hrtimer_cancel(&c->timer);
}

/* the tick was missed by whole cycles; true: it was */
static bool skip_missed(struct kecat_cycle *c, u64 now)
{
	u64 cycle = c->bus->cycle_ns, behind, missed;

	if (now < c->tick + cycle)
		return false;
	behind = now - c->tick;
	missed = div64_u64(behind, cycle);
	c->m->count.overruns += missed;
	c->tick += missed * cycle;
	kecat_event(c->m, KECAT_EV_OVERRUN, KECAT_ALL,
		    min_t(u64, behind, U32_MAX), 0, 0, 0);
	return true;
}

static void spin_until(u64 when)
{
	while (ktime_get_ns() < when)
		cpu_relax();
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
	kecat_xfer_send(c, IDLE_FRAMES - c->acyclic_out, U64_MAX);
	kecat_side_kick(c);
	kecat_cycle_poll(c, &c->acyclic_out, ktime_get_ns() + spin);
	kecat_side_leave(c);
	kecat_cycle_give_up_overdue(c);
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
		sleep_until(c, ktime_get_ns() + IDLE_NAP_NS, false);
}

/* ---- by the thread ---- */

/* leaves so much of the time before the tick for spinning */
static void sleep_before_tick(struct kecat_cycle *c, u64 now)
{
	u64 until = c->tick - c->bus->spin_ns;

	if (now >= until && now < c->tick && now - c->slept_ns >= SHARE_NS)
		until = now + (c->tick - now) / 2;
	if (now >= until)
		return;
	sleep_until(c, until, false);
	c->slept_ns = until;
}

/* c->tick becomes the next tick; returns when it has come */
static void await_tick(struct kecat_cycle *c)
{
	u64 cycle = c->bus->cycle_ns, now;

	c->tick += cycle;
	now = ktime_get_ns();
	if (skip_missed(c, now)) {
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

/* others have the CPU until the deadline, if there is time */
static void sleep_to_receive(struct kecat_cycle *c)
{
	u64 until = c->tick + c->bus->deadline_ns;

	if (ktime_get_ns() >= until)
		return;
	sleep_until(c, until, false);
	c->slept_ns = until;
}

static void thread_cycle(struct kecat_cycle *c)
{
	await_tick(c);
	if (!c->rx_sleep) {
		kecat_cycle_step(c, KECAT_STEP_SEND | KECAT_STEP_RECEIVE);
		return;
	}
	kecat_cycle_step(c, KECAT_STEP_SEND);
	sleep_to_receive(c);
	kecat_cycle_step(c, KECAT_STEP_RECEIVE);
}

/* ---- by the timer's hard interrupt ---- */

/*
 * c->tick becomes the next one.  An interrupt that ended when it has to begin
 * again would keep everybody else off this CPU for ever.
 */
static u64 next_interrupt(struct kecat_cycle *c)
{
	u64 cycle = c->bus->cycle_ns, now = ktime_get_ns(), missed, soonest;
	u64 share = cycle / SHARE_PARTS;

	soonest = now + c->bus->spin_ns + (c->shared_ns < share ? share - c->shared_ns : 0);
	c->shared_ns = 0;
	c->tick += cycle;
	if (c->tick < soonest) {
		missed = div64_u64(soonest - c->tick, cycle) + 1;
		c->m->count.overruns += missed;
		kecat_event(c->m, KECAT_EV_OVERRUN, KECAT_ALL, now < c->tick ? 0 :
			    min_t(u64, now - c->tick, U32_MAX), 0, 0, 0);
		c->tick += missed * cycle;
	}
	return c->tick - c->bus->spin_ns;
}

/* others have the CPU until the deadline */
static u64 receive_interrupt(struct kecat_cycle *c)
{
	u64 until = c->tick + c->bus->deadline_ns, now = ktime_get_ns();

	c->shared_ns = until > now ? until - now : 0;
	return until;
}

/* false: the thread has the exchange again, and may be using it */
static bool interrupt_sends(struct kecat_cycle *c)
{
	kecat_cycle_follow(c);
	if (!READ_ONCE(c->want_active)) {
		/* pairs with lend(); the timer is waited for before the task goes */
		smp_store_release(&c->lent, false);
		wake_up_process(c->task);
		return false;
	}
	skip_missed(c, ktime_get_ns());
	spin_until(c->tick);
	kecat_cycle_step(c, c->rx_sleep ? KECAT_STEP_SEND :
			 KECAT_STEP_SEND | KECAT_STEP_RECEIVE);
	return true;
}

static enum hrtimer_restart interrupt_cycle(struct kecat_cycle *c)
{
	u64 next;

	if (c->sent) {
		c->sent = false;
		kecat_cycle_step(c, KECAT_STEP_RECEIVE);
		next = next_interrupt(c);
	} else {
		if (!interrupt_sends(c))
			return HRTIMER_NORESTART;
		c->sent = c->rx_sleep;
		next = c->sent ? receive_interrupt(c) : next_interrupt(c);
	}
	hrtimer_set_expires(&c->timer, ns_to_ktime(next));
	return HRTIMER_RESTART;
}

/**
 * kecat_tick_fired - the timer of the cyclic thread
 * @timer: in &struct kecat_cycle
 *
 * Context: hard interrupt, also on PREEMPT_RT.
 */
enum hrtimer_restart kecat_tick_fired(struct hrtimer *timer)
{
	struct kecat_cycle *c = container_of(timer, struct kecat_cycle, timer);

	if (READ_ONCE(c->lent))
		return interrupt_cycle(c);
	WRITE_ONCE(c->fired, true);
	wake_up_process(c->task);
	return HRTIMER_NORESTART;
}

/* the interrupt has everything until exchange ends */
static void lend(struct kecat_cycle *c)
{
	c->sent = false;
	c->shared_ns = 0;
	c->tick = ktime_get_ns() + c->bus->cycle_ns;
	WRITE_ONCE(c->lent, true);
	hrtimer_start(&c->timer, ns_to_ktime(c->tick - c->bus->spin_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		/* pairs with interrupt_sends() */
		if (!smp_load_acquire(&c->lent))
			break;
		if (kthread_should_stop())
			WRITE_ONCE(c->want_active, false);
		schedule();
	}
	__set_current_state(TASK_RUNNING);
}

/* ---- by the application ---- */

/*
 * When the thread looks whether it has to stand in.  An application that is in time
 * is between two calls then, so that nobody waits for the other.
 */
static u64 call_is_due(const struct kecat_cycle *c)
{
	u64 cycle = c->bus->cycle_ns;

	if (c->stood_in)
		return c->tick + cycle;
	return c->tick + CALL_CYCLES * cycle - (cycle - c->bus->deadline_ns) / 2;
}

/* not shorter, whoever wakes the task: the thread is woken for each transaction */
static void sleep_in_call(u64 when)
{
	ktime_t until = ns_to_ktime(when);

	while (ktime_get_ns() < when) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule_hrtimeout_range(&until, 0, HRTIMER_MODE_ABS);
	}
}

static void call_cycle(struct kecat_cycle *c, u64 tick)
{
	c->tick = tick;
	skip_missed(c, ktime_get_ns());
	if (!c->rx_sleep) {
		kecat_cycle_step(c, KECAT_STEP_SEND | KECAT_STEP_RECEIVE);
		return;
	}
	kecat_cycle_step(c, KECAT_STEP_SEND);
	sleep_in_call(c->tick + c->bus->deadline_ns);
	kecat_cycle_step(c, KECAT_STEP_RECEIVE);
}

/*
 * The application gives the tick, and gets a cycle when it does not: slaves would
 * run into their watchdogs, and nobody's transactions would go.  Its outputs count
 * as missed in that.
 */
static void stand_in(struct kecat_cycle *c)
{
	u64 until = 0, now;

	rt_mutex_lock(&c->turn);
	/* whose outputs are sent has changed: no call comes any more, so at once */
	if (READ_ONCE(c->app_request) >= 0)
		c->stood_in = true;
	kecat_cycle_follow(c);
	now = ktime_get_ns();
	if (!READ_ONCE(c->want_active)) {
		kecat_cycle_switch(c);
	} else {
		if (now >= call_is_due(c)) {
			c->stood_in = true;
			call_cycle(c, now);
		}
		/* others have to run beside cycles that are too long */
		until = max(call_is_due(c), ktime_get_ns() +
			    c->bus->cycle_ns / SHARE_PARTS);
	}
	rt_mutex_unlock(&c->turn);
	if (until)
		sleep_until(c, until, true);
}

/* until shortly before @at, then to the very moment */
static int await_call(struct kecat_cycle *c, u64 at)
{
	u64 now = ktime_get_ns(), spin = READ_ONCE(c->spin_ns);
	ktime_t until = ns_to_ktime(at - min(spin, at));

	if (at > now && at - now > KECAT_CFG_MAX_CYCLE_NS)
		return -EINVAL;
	while (ktime_get_ns() < (u64)ktime_to_ns(until)) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (signal_pending(current)) {
			__set_current_state(TASK_RUNNING);
			return -EINTR;
		}
		schedule_hrtimeout_range(&until, 0, HRTIMER_MODE_ABS);
	}
	while (ktime_get_ns() < at) {
		if (signal_pending(current))
			return -EINTR;
		cpu_relax();
	}
	return 0;
}

/**
 * kecat_cycle_exchange - one cycle in the caller's own time
 * @m:     master whose configuration has KECAT_BUS_TICK_APP
 * @at_ns: CLOCK_MONOTONIC at which it begins, 0 = now
 * @cycle: out: its number
 *
 * Context: may sleep: until @at_ns, and while the cyclic thread stands in.
 * Return: 0, -ENOTCONN, -EOPNOTSUPP, -EINVAL (@at_ns too far ahead), -EINTR
 * (nothing was sent).
 */
int kecat_cycle_exchange(struct kecat_master *m, u64 at_ns, u64 *cycle)
{
	struct kecat_cycle *c = m->cycle;
	int err;

	if (!READ_ONCE(m->active))
		return -ENOTCONN;
	if (READ_ONCE(c->tick_by) != KECAT_TICK_APP)
		return -EOPNOTSUPP;
	err = at_ns ? await_call(c, at_ns) : 0;
	if (err)
		return err;
	if (rt_mutex_lock_interruptible(&c->turn))
		return -EINTR;
	err = -ENOTCONN;
	if (c->active && c->tick_by == KECAT_TICK_APP && READ_ONCE(c->want_active)) {
		kecat_cycle_follow(c);
		/*
		 * Now also for who had to wait for the stand-in's cycle, and has
		 * no time to catch up, and for who asks for what has been.
		 */
		if (c->stood_in || at_ns <= c->tick)
			at_ns = ktime_get_ns();
		c->stood_in = false;
		call_cycle(c, at_ns);
		*cycle = c->m->count.cycles;
		err = 0;
	}
	rt_mutex_unlock(&c->turn);
	return err;
}

/* ---- the thread ---- */

static void follow_control(struct kecat_cycle *c)
{
	kecat_cycle_follow(c);
	if (READ_ONCE(c->want_active) == c->active)
		return;
	rt_mutex_lock(&c->turn);
	kecat_cycle_switch(c);
	rt_mutex_unlock(&c->turn);
}

static void one_round(struct kecat_cycle *c)
{
	if (c->active && c->tick_by == KECAT_TICK_APP) {
		stand_in(c);
		return;
	}
	follow_control(c);
	if (!c->active)
		idle_round(c);
	else if (c->tick_by == KECAT_TICK_INTERRUPT)
		lend(c);
	else if (c->tick_by == KECAT_TICK_THREAD)
		thread_cycle(c);
}

/* nobody gets in any more; whoever is in gets an answer */
static void end_thread(struct kecat_cycle *c)
{
	smp_store_release(&c->dead, true);
	do {
		kecat_xfer_drain(c);
		kecat_xfer_fail_all(c, -ESHUTDOWN);
		kecat_cycle_give_up_all(c);
		if (atomic_read(&c->users))
			schedule_timeout_uninterruptible(1);
	} while (atomic_read(&c->users));
}

int kecat_tick_thread(void *arg)
{
	struct kecat_cycle *c = arg;

	while (!kthread_should_stop())
		one_round(c);
	if (c->active) {
		WRITE_ONCE(c->want_active, false);
		rt_mutex_lock(&c->turn);
		kecat_cycle_switch(c);
		rt_mutex_unlock(&c->turn);
	}
	end_thread(c);
	return 0;
}
