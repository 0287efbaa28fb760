// SPDX-License-Identifier: GPL-2.0-only
/* Wait queues, simple wait queues, completions. */
#include <linux/completion.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/swait.h>
#include <linux/wait.h>
#include "host.h"

/* ---- wait queues ---- */

int default_wake_function(struct wait_queue_entry *e, unsigned int mode,
			  int flags, void *key)
{
	return host_try_wake(e->private, mode);
}

int autoremove_wake_function(struct wait_queue_entry *e, unsigned int mode,
			     int flags, void *key)
{
	int woken = default_wake_function(e, mode, flags, key);

	if (woken)
		list_del_init(&e->entry);
	return woken;
}

void init_wait_entry(struct wait_queue_entry *e, int flags)
{
	e->flags = flags;
	e->private = current;
	e->func = autoremove_wake_function;
	INIT_LIST_HEAD(&e->entry);
}

void add_wait_queue(struct wait_queue_head *q, struct wait_queue_entry *e)
{
	spin_lock(&q->lock);
	list_add(&e->entry, &q->head);
	spin_unlock(&q->lock);
}

void remove_wait_queue(struct wait_queue_head *q, struct wait_queue_entry *e)
{
	spin_lock(&q->lock);
	list_del_init(&e->entry);
	spin_unlock(&q->lock);
}

long prepare_to_wait_event(struct wait_queue_head *q,
			   struct wait_queue_entry *e, int state)
{
	long ret = 0;

	spin_lock(&q->lock);
	if (signal_pending_state(state, current)) {
		list_del_init(&e->entry);
		ret = -ERESTARTSYS;
	} else {
		if (list_empty(&e->entry)) {
			if (e->flags & WQ_FLAG_EXCLUSIVE)
				list_add_tail(&e->entry, &q->head);
			else
				list_add(&e->entry, &q->head);
		}
		set_current_state(state);
	}
	spin_unlock(&q->lock);
	return ret;
}

void prepare_to_wait(struct wait_queue_head *q, struct wait_queue_entry *e,
		     int state)
{
	host_wait_allowed(__FILE__, __LINE__);
	spin_lock(&q->lock);
	if (list_empty(&e->entry))
		list_add(&e->entry, &q->head);
	set_current_state(state);
	spin_unlock(&q->lock);
}

bool prepare_to_wait_exclusive(struct wait_queue_head *q,
			       struct wait_queue_entry *e, int state)
{
	bool was_empty;

	spin_lock(&q->lock);
	e->flags |= WQ_FLAG_EXCLUSIVE;
	was_empty = list_empty(&q->head);
	if (list_empty(&e->entry))
		list_add_tail(&e->entry, &q->head);
	set_current_state(state);
	spin_unlock(&q->lock);
	return was_empty;
}

void finish_wait(struct wait_queue_head *q, struct wait_queue_entry *e)
{
	__set_current_state(TASK_RUNNING);
	if (list_empty(&e->entry))
		return;
	spin_lock(&q->lock);
	list_del_init(&e->entry);
	spin_unlock(&q->lock);
}

int waitqueue_active(struct wait_queue_head *q)
{
	return !list_empty(&q->head);
}

int host_wake(struct wait_queue_head *q, unsigned int mode, int nr, void *key)
{
	struct wait_queue_entry *e, *next;
	int woken = 0;

	spin_lock(&q->lock);
	list_for_each_entry_safe(e, next, &q->head, entry) {
		unsigned int flags = e->flags;

		if (!e->func(e, mode, 0, key))
			continue;
		woken++;
		if ((flags & WQ_FLAG_EXCLUSIVE) && !--nr)
			break;
	}
	spin_unlock(&q->lock);
	return woken;
}

void poll_wait(struct file *f, wait_queue_head_t *q, poll_table *p)
{
	if (!p || !q)
		return;
	if (p->n == ARRAY_SIZE(p->q))
		host_fatal(__FILE__, __LINE__, "too many poll queues");
	p->q[p->n++] = q;
}

/* ---- simple wait queues: raw lock, for the cyclic thread ---- */

int swait_active(const struct swait_queue_head *q)
{
	return !list_empty(&q->task_list);
}

static bool swake_first(struct swait_queue_head *q)
{
	struct swait_queue *w;

	w = list_first_entry_or_null(&q->task_list, struct swait_queue, task_list);
	if (!w)
		return false;
	host_try_wake(w->task, TASK_NORMAL);
	list_del_init(&w->task_list);
	return true;
}

void swake_up_locked(struct swait_queue_head *q, int flags)
{
	swake_first(q);
}

void swake_up_one(struct swait_queue_head *q)
{
	raw_spin_lock(&q->lock);
	swake_first(q);
	raw_spin_unlock(&q->lock);
}

/* only those that wait now: one that waits again meanwhile waits for the next */
void swake_up_all(struct swait_queue_head *q)
{
	/* the kernel's drops the raw lock between two of them */
	if (host_context() == HOST_HARD)
		host_fail(__FILE__, __LINE__, "swake_up_all() in a hard interrupt");
	raw_spin_lock(&q->lock);
	while (swake_first(q))
		;
	raw_spin_unlock(&q->lock);
}

static void swait_add(struct swait_queue_head *q, struct swait_queue *w)
{
	w->task = current;
	if (list_empty(&w->task_list))
		list_add_tail(&w->task_list, &q->task_list);
}

void prepare_to_swait_exclusive(struct swait_queue_head *q,
				struct swait_queue *w, int state)
{
	raw_spin_lock(&q->lock);
	swait_add(q, w);
	set_current_state(state);
	raw_spin_unlock(&q->lock);
}

long prepare_to_swait_event(struct swait_queue_head *q, struct swait_queue *w,
			    int state)
{
	long ret = 0;

	raw_spin_lock(&q->lock);
	if (signal_pending_state(state, current)) {
		list_del_init(&w->task_list);
		ret = -ERESTARTSYS;
	} else {
		swait_add(q, w);
		set_current_state(state);
	}
	raw_spin_unlock(&q->lock);
	return ret;
}

void finish_swait(struct swait_queue_head *q, struct swait_queue *w)
{
	__set_current_state(TASK_RUNNING);
	if (list_empty(&w->task_list))
		return;
	raw_spin_lock(&q->lock);
	list_del_init(&w->task_list);
	raw_spin_unlock(&q->lock);
}

/* ---- completions ---- */

#define DONE_ALL	(UINT_MAX / 2)

void complete(struct completion *c)
{
	raw_spin_lock(&c->wait.lock);
	if (c->done != DONE_ALL)
		c->done++;
	swake_up_locked(&c->wait, 0);
	raw_spin_unlock(&c->wait.lock);
	host_point();
}

void complete_all(struct completion *c)
{
	raw_spin_lock(&c->wait.lock);
	c->done = DONE_ALL;
	while (swake_first(&c->wait))
		;
	raw_spin_unlock(&c->wait.lock);
	host_point();
}

/* > 0: done, so many jiffies left; 0: time is up; -ERESTARTSYS */
long host_wait_completion(struct completion *c, unsigned int state,
			  long timeout, const char *file, int line)
{
	DECLARE_SWAITQUEUE(w);
	long ret = timeout;

	host_might_sleep(file, line);
	if (current->cyclic && !host_exempt())
		host_fail(file, line, "the cyclic thread waits for a completion");
	current->waits_in = file;
	current->waits_line = line;
	for (;;) {
		ret = prepare_to_swait_event(&c->wait, &w, state) ?: timeout;
		if (c->done || ret < 0 || !timeout)
			break;
		timeout = schedule_timeout(timeout);
	}
	finish_swait(&c->wait, &w);
	current->waits_in = NULL;
	if (!c->done)
		return ret;
	if (c->done != DONE_ALL)
		c->done--;
	return timeout ? timeout : 1;
}

bool try_wait_for_completion(struct completion *c)
{
	if (!c->done)
		return false;
	if (c->done != DONE_ALL)
		c->done--;
	return true;
}

bool completion_done(struct completion *c)
{
	return c->done;
}
