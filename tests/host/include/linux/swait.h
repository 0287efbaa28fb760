/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_SWAIT_H
#define HOST_LINUX_SWAIT_H

#include <linux/list.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

struct swait_queue_head {
	raw_spinlock_t lock;
	struct list_head task_list;
};

struct swait_queue {
	struct task_struct *task;
	struct list_head task_list;
};

#define __SWAIT_QUEUE_HEAD_INITIALIZER(n) {				\
	.lock = __RAW_SPIN_LOCK_UNLOCKED((n).lock),			\
	.task_list = LIST_HEAD_INIT((n).task_list) }
#define DECLARE_SWAIT_QUEUE_HEAD(n) \
	struct swait_queue_head n = __SWAIT_QUEUE_HEAD_INITIALIZER(n)
#define DECLARE_SWAITQUEUE(n)						\
	struct swait_queue n = { .task = current,			\
		.task_list = LIST_HEAD_INIT((n).task_list) }
#define init_swait_queue_head(q) do {					\
	raw_spin_lock_init(&(q)->lock);					\
	INIT_LIST_HEAD(&(q)->task_list);				\
} while (0)

int swait_active(const struct swait_queue_head *q);
#define swq_has_sleeper(q)	swait_active(q)
void swake_up_one(struct swait_queue_head *q);
void swake_up_all(struct swait_queue_head *q);
void swake_up_locked(struct swait_queue_head *q, int flags);
void prepare_to_swait_exclusive(struct swait_queue_head *q,
				struct swait_queue *w, int state);
long prepare_to_swait_event(struct swait_queue_head *q, struct swait_queue *w,
			    int state);
void finish_swait(struct swait_queue_head *q, struct swait_queue *w);

#define ___swait_event(q, cond, state, ret, cmd) ({			\
	DECLARE_SWAITQUEUE(__w);					\
	long __r = (ret);						\
	for (;;) {							\
		long __i = prepare_to_swait_event(&(q), &__w, state);	\
		if (cond)						\
			break;						\
		if (((state) & (TASK_INTERRUPTIBLE | TASK_WAKEKILL)) && __i) { \
			__r = __i;					\
			break;						\
		}							\
		cmd;							\
	}								\
	finish_swait(&(q), &__w);					\
	__r; })
#define swait_event_exclusive(q, c) \
	do { if (c) break; \
	     (void)___swait_event(q, c, TASK_UNINTERRUPTIBLE, 0, schedule()); } while (0)
#define swait_event_idle_exclusive(q, c) \
	do { if (c) break; \
	     (void)___swait_event(q, c, TASK_IDLE, 0, schedule()); } while (0)
#define swait_event_interruptible_exclusive(q, c) ({			\
	long __ret = 0;							\
	if (!(c))							\
		__ret = ___swait_event(q, c, TASK_INTERRUPTIBLE, 0, schedule()); \
	(int)__ret; })
#define __swait_to(q, c, t, state) ({					\
	long __ret = (t);						\
	if (!({ bool __c0 = (c); if (__c0 && !__ret) __ret = 1; __c0 || !__ret; })) \
		__ret = ___swait_event(q, ___wait_cond_timeout(c), state, t, \
				       __r = schedule_timeout(__r));	\
	__ret; })
#define swait_event_timeout_exclusive(q, c, t) \
	__swait_to(q, c, t, TASK_UNINTERRUPTIBLE)
#define swait_event_interruptible_timeout_exclusive(q, c, t) \
	__swait_to(q, c, t, TASK_INTERRUPTIBLE)
#define swait_event_idle_timeout_exclusive(q, c, t) \
	__swait_to(q, c, t, TASK_IDLE)

#endif
