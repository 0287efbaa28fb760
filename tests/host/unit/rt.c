// SPDX-License-Identifier: GPL-2.0-only
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "rt.h"
#include "tap.h"

static struct task_struct task;
struct task_struct *host_current = &task;
static u64 now, kill_at;
static int allocated, fail_at;

static void tick(u64 ns)
{
	now += ns;
	task.fatal = kill_at && now >= kill_at;
}

void rt_reset(void)
{
	now = 1000000000;
	kill_at = 0;
	fail_at = 0;
	allocated = 0;
	tick(0);
}

void rt_advance(u64 ns)
{
	tick(ns);
}

u64 rt_now(void)
{
	return now;
}

int rt_allocated(void)
{
	return allocated;
}

void rt_fail_alloc(int n)
{
	fail_at = n;
}

void rt_kill_at(u64 ns)
{
	kill_at = ns;
}

ktime_t ktime_get(void)
{
	return now;
}

void host_sleep_ns(u64 min, u64 max, const char *file, int line)
{
	if (!min || min > max)
		tap_fail(file, line, "sleep of %llu..%llu ns", min, max);
	tick(min);
}

bool kthread_should_stop(void)
{
	return task.should_stop;
}

void host_mutex_init(struct mutex *m, const char *name, struct lock_class_key *key)
{
	m->owner = NULL;
	m->magic = HOST_MUTEX_MAGIC;
}

int host_mutex_lock(struct mutex *m, unsigned int state, bool nested,
		    const char *file, int line)
{
	if (m->magic != HOST_MUTEX_MAGIC || m->owner)
		tap_fail(file, line, "lock is not free, or no lock");
	if (state && task.fatal)
		return -EINTR;
	m->owner = &task;
	return 0;
}

int mutex_trylock(struct mutex *m)
{
	if (m->owner)
		return 0;
	m->owner = &task;
	return 1;
}

void mutex_unlock(struct mutex *m)
{
	if (m->owner != &task)
		tap_fail(__FILE__, __LINE__, "unlock of a free lock");
	m->owner = NULL;
}

void mutex_destroy(struct mutex *m)
{
	if (m->owner)
		tap_fail(__FILE__, __LINE__, "destroyed while held");
	m->magic = 0;
}

void *host_alloc(size_t size, gfp_t gfp, enum host_mem kind, const char *file,
		 int line)
{
	void *p;

	if (fail_at && !--fail_at)
		return NULL;
	p = gfp & __GFP_ZERO ? calloc(1, size) : malloc(size);
	if (p)
		allocated++;
	return p;
}

void host_free(const void *p, enum host_mem kind)
{
	if (p)
		allocated--;
	free((void *)p);
}
