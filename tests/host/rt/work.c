// SPDX-License-Identifier: GPL-2.0-only
/* Workqueues: threads that are made when there is work for them. */
#include <linux/kthread.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "host.h"

struct workqueue_struct {
	char name[24];
	int max_active;
	struct list_head pending;
	struct list_head workers;
	int nworkers;
};

struct worker {
	struct list_head entry;
	struct workqueue_struct *wq;
	struct task_struct *task;
	struct work_struct *work;	/* address only: it may be gone */
};

static struct workqueue_struct system_queue = {
	.name = "events", .max_active = 16,
	.pending = LIST_HEAD_INIT(system_queue.pending),
	.workers = LIST_HEAD_INIT(system_queue.workers),
};
struct workqueue_struct *host_system_wq = &system_queue;

static int worker_thread(void *arg)
{
	struct worker *me = arg;
	struct workqueue_struct *wq = me->wq;

	for (;;) {
		struct work_struct *w;

		set_current_state(TASK_INTERRUPTIBLE);
		w = list_first_entry_or_null(&wq->pending, struct work_struct, entry);
		if (!w) {
			if (kthread_should_stop())
				break;
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		list_del_init(&w->entry);
		w->pending = false;
		w->worker = me;
		me->work = w;
		w->func(w);
		host_hold_check();
		me->work = NULL;
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static void worker_new(struct workqueue_struct *wq)
{
	struct worker *me = calloc(1, sizeof(*me));

	if (!me)
		abort();
	me->wq = wq;
	me->task = host_task_new(wq->name, worker_thread, me);
	me->task->flags = PF_KTHREAD;
	list_add(&me->entry, &wq->workers);
	wq->nworkers++;
	wake_up_process(me->task);
}

bool queue_work(struct workqueue_struct *wq, struct work_struct *w)
{
	struct worker *me;

	if (w->pending)
		return false;
	w->pending = true;
	w->wq = wq;
	list_add_tail(&w->entry, &wq->pending);
	list_for_each_entry(me, &wq->workers, entry)
		if (!me->work) {
			wake_up_process(me->task);
			return true;
		}
	if (wq->nworkers < wq->max_active)
		worker_new(wq);
	return true;
}

void host_delayed_timer(struct timer_list *t)
{
	struct delayed_work *d = container_of(t, struct delayed_work, timer);

	queue_work(d->wq, &d->work);
}

bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *d,
			unsigned long delay)
{
	if (delayed_work_pending(d))
		return false;
	d->wq = wq;
	if (!delay)
		return queue_work(wq, &d->work);
	mod_timer(&d->timer, jiffies + delay);
	return true;
}

bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *d,
		      unsigned long delay)
{
	bool was = cancel_delayed_work(d);

	queue_delayed_work(wq, d, delay);
	return was;
}

static bool running(const struct work_struct *w)
{
	struct worker *me;

	if (!w->wq)
		return false;
	list_for_each_entry(me, &w->wq->workers, entry)
		if (me->work == w && me->task != current)
			return true;
	return false;
}

static void settle(struct work_struct *w)
{
	host_might_sleep(__FILE__, __LINE__);
	while (w->pending || running(w))
		schedule_timeout_uninterruptible(1);
}

bool flush_work(struct work_struct *w)
{
	bool was = w->pending || running(w);

	settle(w);
	return was;
}

bool flush_delayed_work(struct delayed_work *d)
{
	if (timer_delete(&d->timer))
		queue_work(d->wq, &d->work);
	return flush_work(&d->work);
}

bool cancel_work(struct work_struct *w)
{
	if (!w->pending)
		return false;
	list_del_init(&w->entry);
	w->pending = false;
	return true;
}

bool cancel_work_sync(struct work_struct *w)
{
	bool was = cancel_work(w);

	settle(w);
	return was;
}

bool cancel_delayed_work(struct delayed_work *d)
{
	return timer_delete(&d->timer) | cancel_work(&d->work);
}

bool cancel_delayed_work_sync(struct delayed_work *d)
{
	bool was = cancel_delayed_work(d);

	settle(&d->work);
	return was;
}

struct workqueue_struct *alloc_workqueue(const char *fmt, unsigned int flags,
					 int max_active, ...)
{
	struct workqueue_struct *wq;
	va_list ap;

	wq = kzalloc(sizeof(*wq), GFP_KERNEL);
	if (!wq)
		return NULL;
	va_start(ap, max_active);
	vsnprintf(wq->name, sizeof(wq->name), fmt, ap);
	va_end(ap);
	wq->max_active = max_active ? max_active : 16;
	INIT_LIST_HEAD(&wq->pending);
	INIT_LIST_HEAD(&wq->workers);
	return wq;
}

static void stop_workers(struct workqueue_struct *wq)
{
	struct worker *me, *next;

	list_for_each_entry_safe(me, next, &wq->workers, entry) {
		kthread_stop(me->task);
		list_del(&me->entry);
		free(me);
		wq->nworkers--;
	}
}

void flush_workqueue(struct workqueue_struct *wq)
{
	struct worker *me;
	bool busy;

	do {
		busy = !list_empty(&wq->pending);
		list_for_each_entry(me, &wq->workers, entry)
			busy |= me->work != NULL;
		if (busy)
			schedule_timeout_uninterruptible(1);
	} while (busy);
}

void destroy_workqueue(struct workqueue_struct *wq)
{
	flush_workqueue(wq);
	stop_workers(wq);
	kfree(wq);
}

void host_work_drain(void)
{
	flush_workqueue(host_system_wq);
	stop_workers(host_system_wq);
}
