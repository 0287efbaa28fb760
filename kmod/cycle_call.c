// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cyclic thread as others see it: made and ended, told to begin and to
 * stop, waited for, asked for a copy.
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
#include <uapi/linux/sched/types.h>
#include "compat/compat.h"
#include "cycle.h"
#include "cycle_int.h"
#include "wait.h"

int kecat_cpu = -1;
module_param_named(cpu, kecat_cpu, int, 0444);
MODULE_PARM_DESC(cpu, "CPU of the cyclic threads (default -1: any)");

int kecat_rt_prio = 80;
module_param_named(rt_prio, kecat_rt_prio, int, 0444);
MODULE_PARM_DESC(rt_prio, "SCHED_FIFO priority of the cyclic threads, 1..99 (default 80)");

/* longest wait of an application */
#define WAIT_MAX_NS		(3600ULL * NSEC_PER_SEC)
/* so often are the outputs of a lost application sent before the slaves leave */
#define LOSS_CYCLES		3

/* ---- made and ended ---- */

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
	c->lost_ns = KECAT_IDLE_LOST_NS;
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
	rt_mutex_init(&c->turn);
	hrtimer_setup(&c->timer, kecat_tick_fired, CLOCK_MONOTONIC,
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

	task = kthread_create(kecat_tick_thread, c, "kecat%d", m->index);
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

/* ---- control side ---- */

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
	wake_up_process(c->task);
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
