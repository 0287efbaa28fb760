/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine that the kernel code runs on in these tests: coroutines as
 * threads, virtual time, memory that is counted, and rules that are checked.
 *
 * Time model: as many CPUs as there are threads.  Code takes no time of itself;
 * a polling loop, a clock read and a delay do.  Whatever is due earlier runs
 * first.  Of things due at the same instant the seed decides, and a thread may
 * be held up for a moment wherever it takes or leaves a lock or wakes somebody.
 */
#ifndef HOST_H
#define HOST_H

#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/types.h>
#include "libc.h"

/**
 * struct host_params - of a run
 * @relax_ns:   one turn of a polling loop
 * @clock_ns:   one look at the clock
 * @wake_ns:    longest time from wake-up to running, ordinary threads
 * @rt_wake_ns: .. the cyclic thread
 * @hold_chance: of 256 places where a thread may be held up, so many
 * @limit_ns:   virtual time after which a run is a failure
 * @long_interrupts: time passes for others while a hard timer's callback polls;
 *              without it, all of the machine stands still
 */
struct host_params {
	u64 relax_ns;
	u64 clock_ns;
	u64 wake_ns;
	u64 rt_wake_ns;
	u32 hold_chance;
	u64 limit_ns;
	bool long_interrupts;
};

extern struct host_params host_params;
extern bool host_failed;
extern int host_verbose;	/* 1: what the kernel prints */
extern int host_quiet;		/* 1: a failure is expected, say nothing */

/* random numbers of the run, all from one seed */
void host_seed(u64 seed);
u64 host_rand(void);
u64 host_rand_below(u64 n);
bool host_chance(u32 per_million);

/*
 * One run: @fn in a user process, until it returns.  Fails the run when
 * threads, timers or memory are left.
 */
void host_run(u64 seed, void (*fn)(void *arg), void *arg);
u64 host_now(void);
struct task_struct *host_spawn(const char *name, int (*fn)(void *arg),
			       void *arg);
int host_join(struct task_struct *t);
void host_signal(struct task_struct *t, bool fatal);
void host_sleep(u64 ns);	/* of a user process */

/* a message, and the run has failed; the second ends it at once */
void host_fail(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void host_fatal(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4))) __attribute__((noreturn));
void host_dump_tasks(void);

/* code that stands for hardware, not for the kernel: no rules, no faults */
void host_exempt_begin(void);
void host_exempt_end(void);

/* memory */
struct host_mem_stats {
	u64 allocs;		/* so far */
	u64 live;		/* now */
	u64 live_bytes;
	u64 refused;
};

void host_mem_stats(struct host_mem_stats *s);
/* refuse the @nth allocation from now on (1 = the next), and @every after it */
void host_mem_refuse(u64 nth, u64 every);
u64 host_mem_mark(void);
int host_mem_leaks(u64 mark);	/* reports and counts what is younger than @mark */

/* user memory: the only memory that copy_from_user() and friends accept */
void *host_user_alloc(size_t n);
void host_user_free(void *p);

/* files; -errno like the kernel's answers, -EINTR for a restart */
struct file *host_open(unsigned int minor, unsigned int flags);	/* or ERR_PTR */
long host_ioctl(struct file *f, unsigned int cmd, void *arg);
ssize_t host_read(struct file *f, void *to, size_t n);
unsigned int host_poll(struct file *f);
int host_poll_wait(struct file *f, unsigned int events, u64 timeout_ns);
void *host_mmap(struct file *f, size_t n, unsigned long prot,
		unsigned long flags, unsigned long pgoff);	/* or ERR_PTR */
void host_munmap(void *p);
int host_close(struct file *f);

/* sched.c, for the rest of the runtime */
void host_sched_init(u64 seed);
void host_point(void);
void host_spend(u64 ns);
struct task_struct *host_task_new(const char *name, int (*fn)(void *), void *arg);
void host_hold_check(void);	/* no lock may be held here */
struct lockdep_map;
void host_lock_order(struct lockdep_map *map);	/* as if it were taken here */
void host_work_drain(void);
bool host_mem_refused(size_t n);
int host_try_wake(struct task_struct *t, unsigned int state);
void host_enter(enum host_ctx ctx);
void host_leave(enum host_ctx was);
bool host_exempt(void);
/* @fn as a hard interrupt on a CPU of its own, from now on */
void host_interrupt(int (*fn)(void *arg), void *arg);

#endif
