/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_WAIT_H
#define HOST_LINUX_WAIT_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

struct wait_queue_entry;
typedef int (*wait_queue_func_t)(struct wait_queue_entry *e, unsigned int mode,
				 int flags, void *key);
typedef struct wait_queue_entry {
	unsigned int flags;
	void *private;
	wait_queue_func_t func;
	struct list_head entry;
} wait_queue_entry_t;

#define WQ_FLAG_EXCLUSIVE	0x01

typedef struct wait_queue_head {
	spinlock_t lock;
	struct list_head head;
} wait_queue_head_t;

#define __WAIT_QUEUE_HEAD_INITIALIZER(n) {				\
	.lock = __SPIN_LOCK_UNLOCKED((n).lock),				\
	.head = LIST_HEAD_INIT((n).head) }
#define DECLARE_WAIT_QUEUE_HEAD(n) \
	struct wait_queue_head n = __WAIT_QUEUE_HEAD_INITIALIZER(n)
#define DECLARE_WAIT_QUEUE_HEAD_ONSTACK	DECLARE_WAIT_QUEUE_HEAD
#define init_waitqueue_head(q) do {					\
	spin_lock_init(&(q)->lock);					\
	INIT_LIST_HEAD(&(q)->head);					\
} while (0)

int default_wake_function(struct wait_queue_entry *e, unsigned int mode,
			  int flags, void *key);
int autoremove_wake_function(struct wait_queue_entry *e, unsigned int mode,
			     int flags, void *key);
void init_wait_entry(struct wait_queue_entry *e, int flags);
#define DEFINE_WAIT_FUNC(n, f)						\
	struct wait_queue_entry n = { .private = current, .func = f,	\
		.entry = LIST_HEAD_INIT((n).entry) }
#define DEFINE_WAIT(n)		DEFINE_WAIT_FUNC(n, autoremove_wake_function)
#define DECLARE_WAITQUEUE(n, t)						\
	struct wait_queue_entry n = { .private = (t),			\
		.func = default_wake_function,				\
		.entry = LIST_HEAD_INIT((n).entry) }

void add_wait_queue(struct wait_queue_head *q, struct wait_queue_entry *e);
void remove_wait_queue(struct wait_queue_head *q, struct wait_queue_entry *e);
void prepare_to_wait(struct wait_queue_head *q, struct wait_queue_entry *e,
		     int state);
bool prepare_to_wait_exclusive(struct wait_queue_head *q,
			       struct wait_queue_entry *e, int state);
long prepare_to_wait_event(struct wait_queue_head *q,
			   struct wait_queue_entry *e, int state);
void finish_wait(struct wait_queue_head *q, struct wait_queue_entry *e);
int waitqueue_active(struct wait_queue_head *q);
#define wq_has_sleeper(q)	waitqueue_active(q)
int host_wake(struct wait_queue_head *q, unsigned int mode, int nr, void *key);

#define wake_up(q)			((void)host_wake(q, TASK_NORMAL, 1, NULL))
#define wake_up_nr(q, n)		((void)host_wake(q, TASK_NORMAL, n, NULL))
#define wake_up_all(q)			((void)host_wake(q, TASK_NORMAL, 0, NULL))
#define wake_up_interruptible(q)	((void)host_wake(q, TASK_INTERRUPTIBLE, 1, NULL))
#define wake_up_interruptible_all(q)	((void)host_wake(q, TASK_INTERRUPTIBLE, 0, NULL))
#define wake_up_interruptible_sync(q)	wake_up_interruptible(q)
#define wake_up_interruptible_poll(q, m) wake_up_interruptible_all(q)
#define wake_up_poll(q, m)		wake_up_all(q)
#define wake_up_pollfree(q)		wake_up_all(q)

void host_wait_allowed(const char *file, int line);

#define ___wait_event(q, cond, state, excl, ret, cmd) ({		\
	struct wait_queue_entry __e;					\
	long __r = (ret);						\
	host_wait_allowed(__FILE__, __LINE__);				\
	init_wait_entry(&__e, (excl) ? WQ_FLAG_EXCLUSIVE : 0);		\
	for (;;) {							\
		long __i = prepare_to_wait_event(&(q), &__e, state);	\
		if (cond)						\
			break;						\
		if (((state) & (TASK_INTERRUPTIBLE | TASK_WAKEKILL)) && __i) { \
			__r = __i;					\
			break;						\
		}							\
		cmd;							\
	}								\
	finish_wait(&(q), &__e);					\
	__r; })

#define ___wait_cond_timeout(cond) ({					\
	bool __c = (cond);						\
	if (__c && !__r)						\
		__r = 1;						\
	__c || !__r; })

#define wait_event(q, c) \
	do { might_sleep(); if (c) break; \
	     (void)___wait_event(q, c, TASK_UNINTERRUPTIBLE, 0, 0, schedule()); } while (0)
#define wait_event_cmd(q, c, a, b) \
	do { if (c) break; \
	     (void)___wait_event(q, c, TASK_UNINTERRUPTIBLE, 0, 0, a; schedule(); b); } while (0)
#define __wait_event_ret(q, c, state, excl) ({				\
	long __ret = 0;							\
	might_sleep();							\
	if (!(c))							\
		__ret = ___wait_event(q, c, state, excl, 0, schedule()); \
	(int)__ret; })
#define wait_event_interruptible(q, c)	__wait_event_ret(q, c, TASK_INTERRUPTIBLE, 0)
#define wait_event_killable(q, c)	__wait_event_ret(q, c, TASK_KILLABLE, 0)
#define wait_event_interruptible_exclusive(q, c) \
	__wait_event_ret(q, c, TASK_INTERRUPTIBLE, 1)
#define wait_event_idle(q, c) \
	do { might_sleep(); if (c) break; \
	     (void)___wait_event(q, c, TASK_IDLE, 0, 0, schedule()); } while (0)
#define __wait_event_to(q, c, t, state) ({				\
	long __ret = (t);						\
	might_sleep();							\
	if (!({ bool __c0 = (c); if (__c0 && !__ret) __ret = 1; __c0 || !__ret; })) \
		__ret = ___wait_event(q, ___wait_cond_timeout(c), state, 0, t, \
				      __r = schedule_timeout(__r));	\
	__ret; })
#define wait_event_timeout(q, c, t)	__wait_event_to(q, c, t, TASK_UNINTERRUPTIBLE)
#define wait_event_idle_timeout(q, c, t) __wait_event_to(q, c, t, TASK_IDLE)
#define wait_event_interruptible_timeout(q, c, t) \
	__wait_event_to(q, c, t, TASK_INTERRUPTIBLE)
#define wait_event_killable_timeout(q, c, t) \
	__wait_event_to(q, c, t, TASK_KILLABLE)

/* as the kernel's: 0, -ETIME, -ERESTARTSYS */
int host_hrtimeout(s64 *left);
#define __wait_event_hrtimeout(q, c, t, state) ({			\
	s64 __left = (t);						\
	int __hret = 0;							\
	might_sleep();							\
	if (!(c)) {							\
		struct wait_queue_entry __he;				\
		host_wait_allowed(__FILE__, __LINE__);			\
		init_wait_entry(&__he, 0);				\
		for (;;) {						\
			long __hi = prepare_to_wait_event(&(q), &__he, state); \
			if (c)						\
				break;					\
			if (((state) & TASK_INTERRUPTIBLE) && __hi) {	\
				__hret = __hi;				\
				break;					\
			}						\
			if (__hret)					\
				break;					\
			__hret = host_hrtimeout(&__left);		\
			if (__hret && (c)) {				\
				__hret = 0;				\
				break;					\
			}						\
		}							\
		finish_wait(&(q), &__he);				\
	}								\
	__hret; })
#define wait_event_hrtimeout(q, c, t) \
	__wait_event_hrtimeout(q, c, t, TASK_UNINTERRUPTIBLE)
#define wait_event_interruptible_hrtimeout(q, c, t) \
	__wait_event_hrtimeout(q, c, t, TASK_INTERRUPTIBLE)

#endif
