/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_WORKQUEUE_H
#define HOST_LINUX_WORKQUEUE_H
#include <linux/list.h>
#include <linux/timer.h>
#include <linux/err.h>
struct work_struct;
struct workqueue_struct;
typedef void (*work_func_t)(struct work_struct *w);
struct work_struct {
	struct list_head entry;
	work_func_t func;
	struct workqueue_struct *wq;	/* queued on */
	bool pending;
	void *worker;			/* running in */
};
struct delayed_work {
	struct work_struct work;
	struct timer_list timer;
	struct workqueue_struct *wq;
};
#define INIT_WORK(w, f) \
	do { *(w) = (struct work_struct){ .func = (f) }; \
	     INIT_LIST_HEAD(&(w)->entry); } while (0)
#define INIT_WORK_ONSTACK INIT_WORK
#define destroy_work_on_stack(w) ((void)(w))
void host_delayed_timer(struct timer_list *t);
#define INIT_DELAYED_WORK(d, f) \
	do { INIT_WORK(&(d)->work, f); \
	     timer_setup(&(d)->timer, host_delayed_timer, 0); } while (0)
#define DECLARE_WORK(n, f) \
	struct work_struct n = { .entry = LIST_HEAD_INIT((n).entry), .func = (f) }
#define to_delayed_work(w)	container_of(w, struct delayed_work, work)
#define WQ_UNBOUND	0x02
#define WQ_FREEZABLE	0x04
#define WQ_MEM_RECLAIM	0x08
#define WQ_HIGHPRI	0x10
#define WQ_SYSFS	0x40
#define WQ_PERCPU	0x100
extern struct workqueue_struct *host_system_wq;
#define system_wq		host_system_wq
#define system_percpu_wq	host_system_wq
#define system_unbound_wq	host_system_wq
#define system_dfl_wq		host_system_wq
#define system_long_wq		host_system_wq
#define system_highpri_wq	host_system_wq
__printf(1, 4)
struct workqueue_struct *alloc_workqueue(const char *fmt, unsigned int flags,
					 int max_active, ...);
#define alloc_ordered_workqueue(fmt, flags, ...) \
	alloc_workqueue(fmt, flags, 1, ##__VA_ARGS__)
#define create_singlethread_workqueue(n) alloc_workqueue("%s", 0, 1, n)
void destroy_workqueue(struct workqueue_struct *wq);
bool queue_work(struct workqueue_struct *wq, struct work_struct *w);
#define queue_work_on(cpu, wq, w)	queue_work(wq, w)
#define schedule_work(w)	queue_work(host_system_wq, w)
bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *d,
			unsigned long delay);
#define schedule_delayed_work(d, j) queue_delayed_work(host_system_wq, d, j)
bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *d,
		      unsigned long delay);
bool flush_work(struct work_struct *w);
bool flush_delayed_work(struct delayed_work *d);
void flush_workqueue(struct workqueue_struct *wq);
#define drain_workqueue(wq)	flush_workqueue(wq)
bool cancel_work_sync(struct work_struct *w);
bool cancel_work(struct work_struct *w);
bool cancel_delayed_work_sync(struct delayed_work *d);
bool cancel_delayed_work(struct delayed_work *d);
#define work_pending(w)		((w)->pending)
#define delayed_work_pending(d)	((d)->work.pending || timer_pending(&(d)->timer))
#endif
