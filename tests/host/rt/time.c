// SPDX-License-Identifier: GPL-2.0-only
/* Timers, sleeping, and what runs from them. */
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/sched.h>
#include <linux/timer.h>
#include "host.h"

/* ---- sleeping ---- */

struct sleeper {
	struct host_node node;
	struct task_struct *task;
	bool fired;
};

static void sleeper_fired(struct host_node *n)
{
	struct sleeper *s = container_of(n, struct sleeper, node);

	s->fired = true;
	host_try_wake(s->task, ~0u);
}

/* in the state that the caller has set; true when @when had come */
static bool sleep_until(u64 when)
{
	struct sleeper s = {
		.node = { .fn = sleeper_fired, .ctx = HOST_HARD },
		.task = current,
	};

	host_node_add(&s.node, when);
	schedule();
	host_node_del(&s.node);
	return s.fired;
}

static u64 tick_time(unsigned long expires)
{
	long ticks = (long)(expires - INITIAL_JIFFIES);

	return ticks < 0 ? 0 : (u64)ticks * TICK_NSEC;
}

long schedule_timeout(long timeout)
{
	unsigned long expires = host_jiffies() + timeout;
	long left;

	if (timeout == MAX_SCHEDULE_TIMEOUT) {
		schedule();
		return timeout;
	}
	if (timeout < 0) {
		WARN_ON(1);
		__set_current_state(TASK_RUNNING);
		return 0;
	}
	sleep_until(tick_time(expires));
	left = (long)(expires - host_jiffies());
	return left < 0 ? 0 : left;
}

#define IN_STATE(name, state)						\
long schedule_timeout_##name(long timeout)				\
{									\
	host_might_sleep(__FILE__, __LINE__);				\
	__set_current_state(state);					\
	return schedule_timeout(timeout);				\
}

IN_STATE(interruptible, TASK_INTERRUPTIBLE)
IN_STATE(uninterruptible, TASK_UNINTERRUPTIBLE)
IN_STATE(killable, TASK_KILLABLE)
IN_STATE(idle, TASK_IDLE)

static void sleep_through(u64 until)
{
	do {
		__set_current_state(TASK_UNINTERRUPTIBLE);
	} while (!sleep_until(until));
}

void host_sleep_ns(u64 min, u64 max, const char *file, int line)
{
	host_might_sleep(file, line);
	if (current->cyclic && !host_exempt())
		host_fail(file, line, "the cyclic thread sleeps by the clock");
	sleep_through(host_now() + min + host_rand_below(max - min + 1));
}

void host_sleep(u64 ns)
{
	sleep_through(host_now() + ns);
}

unsigned long msleep_interruptible(unsigned int ms)
{
	unsigned long left = msecs_to_jiffies(ms) + 1;

	while (left && !signal_pending(current))
		left = schedule_timeout_interruptible(left);
	return jiffies_to_msecs(left);
}

int schedule_hrtimeout(ktime_t *expires, enum hrtimer_mode mode)
{
	u64 when;

	if (!expires) {
		schedule();
		return -EINTR;
	}
	when = *expires < 0 ? 0 : *expires;
	if (mode & HRTIMER_MODE_REL)
		when += host_now();
	if (when <= host_now()) {
		__set_current_state(TASK_RUNNING);
		return 0;
	}
	return sleep_until(when) ? 0 : -EINTR;
}

/* the sleep of wait_event_hrtimeout(): -ETIME when @left is used up */
int host_hrtimeout(s64 *left)
{
	u64 from = host_now();

	if (*left == KTIME_MAX) {
		schedule();
		return 0;
	}
	sleep_until(from + (*left < 0 ? 0 : *left));
	*left -= (s64)(host_now() - from);
	return *left <= 0 ? -ETIME : 0;
}

/* ---- hrtimer ---- */

static int hrtimer_run(void *arg)
{
	struct hrtimer *t = arg;
	enum hrtimer_restart again = t->function(t);

	t->running = false;
	if (again == HRTIMER_RESTART && !t->node.pos)
		host_node_add(&t->node, t->expires);
	return 0;
}

static void hrtimer_fired(struct host_node *n)
{
	struct hrtimer *t = container_of(n, struct hrtimer, node);

	t->running = true;
	if (t->is_hard && host_params.long_interrupts)
		host_interrupt(hrtimer_run, t);
	else
		hrtimer_run(t);
}

void hrtimer_setup(struct hrtimer *t, enum hrtimer_restart (*fn)(struct hrtimer *),
		   int clock, enum hrtimer_mode mode)
{
	*t = (struct hrtimer) {
		.function = fn, .is_hard = mode & HRTIMER_MODE_HARD,
		.magic = HOST_HRTIMER_MAGIC,
	};
	t->node.fn = hrtimer_fired;
	t->node.ctx = t->is_hard ? HOST_HARD : HOST_SOFT;
}

void hrtimer_start(struct hrtimer *t, ktime_t when, enum hrtimer_mode mode)
{
	if (WARN_ON(t->magic != HOST_HRTIMER_MAGIC || !t->function))
		return;
	WARN_ON(t->is_hard != !!(mode & HRTIMER_MODE_HARD));
	if (mode & HRTIMER_MODE_REL)
		when += host_now();
	t->expires = when;
	host_node_add(&t->node, when < 0 ? 0 : when);
}

int hrtimer_try_to_cancel(struct hrtimer *t)
{
	WARN_ON(t->magic != HOST_HRTIMER_MAGIC);
	return t->running ? -1 : host_node_del(&t->node);
}

int hrtimer_cancel(struct hrtimer *t)
{
	while (t->running && host_params.long_interrupts)
		cpu_relax();
	WARN_ON(t->running);
	return hrtimer_try_to_cancel(t) > 0;
}

u64 hrtimer_forward(struct hrtimer *t, ktime_t now, ktime_t interval)
{
	u64 n;

	if (now < t->expires)
		return 0;
	n = (u64)(now - t->expires) / interval + 1;
	t->expires += n * interval;
	return n;
}

static enum hrtimer_restart sleeper_wake(struct hrtimer *t)
{
	struct hrtimer_sleeper *s = container_of(t, struct hrtimer_sleeper, timer);
	struct task_struct *task = s->task;

	s->task = NULL;
	if (task)
		wake_up_process(task);
	return HRTIMER_NORESTART;
}

void hrtimer_setup_sleeper_on_stack(struct hrtimer_sleeper *s, int clock,
				    enum hrtimer_mode mode)
{
	hrtimer_setup(&s->timer, sleeper_wake, clock, mode);
	s->task = current;
}

/* ---- timer wheel ---- */

static void timer_fired(struct host_node *n)
{
	struct timer_list *t = container_of(n, struct timer_list, node);

	t->function(t);
}

void timer_setup(struct timer_list *t, void (*fn)(struct timer_list *),
		 unsigned int flags)
{
	*t = (struct timer_list) { .function = fn };
	t->node.fn = timer_fired;
	t->node.ctx = HOST_SOFT;
}

int mod_timer(struct timer_list *t, unsigned long expires)
{
	int was = timer_pending(t);

	t->expires = expires;
	host_node_add(&t->node, tick_time(expires));
	return was;
}

int timer_delete(struct timer_list *t)
{
	return host_node_del(&t->node);
}

/* ---- irq_work ---- */

static void irq_work_fired(struct host_node *n)
{
	struct irq_work *w = container_of(n, struct irq_work, node);

	w->func(w);
}

bool irq_work_queue(struct irq_work *w)
{
	if (WARN_ON(w->magic != HOST_IRQ_WORK_MAGIC) || w->node.pos)
		return false;
	w->node.fn = irq_work_fired;
	w->node.ctx = w->hard ? HOST_HARD : HOST_SOFT;
	host_node_add(&w->node, host_now() +
		      (w->hard ? 0 : host_rand_below(1 + host_params.wake_ns)));
	return true;
}

void irq_work_sync(struct irq_work *w)
{
	host_might_sleep(__FILE__, __LINE__);
	while (w->node.pos)
		schedule_timeout_uninterruptible(1);
}
