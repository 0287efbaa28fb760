/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_SCHED_H
#define HOST_LINUX_SCHED_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/processor.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <host/node.h>

#define TASK_RUNNING		0x00
#define TASK_INTERRUPTIBLE	0x01
#define TASK_UNINTERRUPTIBLE	0x02
#define TASK_WAKEKILL		0x100
#define TASK_NOLOAD		0x400
#define TASK_DEAD		0x80
#define TASK_KILLABLE		(TASK_WAKEKILL | TASK_UNINTERRUPTIBLE)
#define TASK_IDLE		(TASK_UNINTERRUPTIBLE | TASK_NOLOAD)
#define TASK_NORMAL		(TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE)
#define TASK_COMM_LEN		16
#define MAX_SCHEDULE_TIMEOUT	LONG_MAX

#define SCHED_NORMAL	0
#define SCHED_FIFO	1
#define SCHED_RR	2

#define PF_EXITING	0x4
#define PF_KTHREAD	0x00200000
#define PF_NO_SETAFFINITY 0x04000000

#define HOST_HELD_MAX	16

struct host_held {
	struct lockdep_map *map;
	int how;	/* 1 exclusive, 2 shared */
};

struct mm_struct;

/**
 * struct task_struct - a coroutine
 * @__state: TASK_*
 * @node:    in the run queue or among the sleepers
 * @cyclic:  SCHED_FIFO was asked for: the strict rules of the cyclic thread
 *           hold (rt/lock.c)
 * @exempt:  > 0: the code that runs is not under test
 * @atomic:  preempt_disable() and raw spinlocks
 * @spins:   spinlocks that sleep on PREEMPT_RT
 */
struct task_struct {
	unsigned int __state;
	unsigned int flags;
	char comm[TASK_COMM_LEN];
	pid_t pid, tgid;
	int policy, rt_priority, prio, static_prio;
	int nr_cpus_allowed;
	const struct cpumask *cpus_ptr;
	struct cpumask cpus_mask;
	refcount_t usage;
	struct mm_struct *mm;

	struct host_node node;
	struct list_head all;
	void *stack;
	size_t stack_size;
	void *sp;
	void *fiber, *fiber_bottom;
	size_t fiber_size;
	int (*fn)(void *data);
	void *data;
	int result;
	bool started, dead, should_stop, should_park, parked;
	bool signal, fatal;
	bool cyclic, user;
	bool timed_out;
	int exempt;
	int ctx;			/* enum host_ctx, while another one runs */
	bool interrupt;			/* stands for one that takes its time */
	int atomic, spins;
	int nheld;
	struct host_held held[HOST_HELD_MAX];
	struct list_head joiners, joining;	/* who waits for its end */
	u64 switches;
	const char *waits_in;		/* file and line of a lock it waits for */
	int waits_line;
};

extern struct task_struct *host_current;
#define current		host_current

void host_set_state(unsigned int state);
#define set_current_state(s)	host_set_state(s)
#define __set_current_state(s)	host_set_state(s)
#define get_current_state()	__READ_ONCE(current->__state)
#define task_is_running(t)	(__READ_ONCE((t)->__state) == TASK_RUNNING)

void schedule(void);
long schedule_timeout(long timeout);
long schedule_timeout_interruptible(long timeout);
long schedule_timeout_uninterruptible(long timeout);
long schedule_timeout_killable(long timeout);
long schedule_timeout_idle(long timeout);
void yield(void);
int wake_up_process(struct task_struct *t);
int wake_up_state(struct task_struct *t, unsigned int state);
int host_cond_resched(void);
#define cond_resched()	host_cond_resched()
#define need_resched()	0
#define task_pid_nr(t)	((t)->pid)
#define task_tgid_nr(t)	((t)->tgid)
#define task_tgid_vnr(t) ((t)->tgid)
#define task_pid_vnr(t)	((t)->pid)
#define get_task_comm(b, t) ({ memcpy(b, (t)->comm, sizeof((t)->comm)); b; })
#define set_user_nice(t, n)	((void)(t))
static inline int set_cpus_allowed_ptr(struct task_struct *t, const struct cpumask *m)
{
	t->cpus_mask = *m;
	t->cpus_ptr = &t->cpus_mask;
	return 0;
}
#define task_cpu(t)	0
#define rt_task(t)	((t)->policy != SCHED_NORMAL)

static inline int signal_pending(const struct task_struct *t)
{
	return t->signal || t->fatal;
}

static inline int fatal_signal_pending(const struct task_struct *t)
{
	return t->fatal;
}

static inline int signal_pending_state(unsigned int state,
				       const struct task_struct *t)
{
	if (!(state & (TASK_INTERRUPTIBLE | TASK_WAKEKILL)))
		return 0;
	return (state & TASK_INTERRUPTIBLE) ? signal_pending(t) : t->fatal;
}

struct sched_param {
	int sched_priority;
};

#include <uapi/linux/sched/types.h>

int sched_setattr_nocheck(struct task_struct *t, const struct sched_attr *a);
int sched_setscheduler_nocheck(struct task_struct *t, int policy,
			       const struct sched_param *p);
void sched_set_fifo(struct task_struct *t);
void sched_set_fifo_low(struct task_struct *t);
void sched_set_normal(struct task_struct *t, int nice);

struct task_struct *get_task_struct(struct task_struct *t);
void put_task_struct(struct task_struct *t);
u64 local_clock(void);
u64 sched_clock(void);

#endif
