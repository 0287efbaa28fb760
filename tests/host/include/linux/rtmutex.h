/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_RTMUTEX_H
#define HOST_LINUX_RTMUTEX_H

#include <linux/mutex.h>
#include <linux/sched.h>

/*
 * Priorities are not inherited here: a thread that is ready runs.  The cyclic
 * thread may take this one where it says so.
 */
struct rt_mutex {
	struct mutex mutex;
};

void host_might_sleep(const char *file, int line);
void host_exempt_begin(void);
void host_exempt_end(void);

#define rt_mutex_init(m)	mutex_init(&(m)->mutex)

static inline int host_rt_mutex_lock(struct rt_mutex *m, unsigned int how,
				     const char *file, int line)
{
	int err;

	host_might_sleep(file, line);
	host_exempt_begin();
	err = host_mutex_lock(&m->mutex, how, false, file, line);
	host_exempt_end();
	return err;
}

#define rt_mutex_lock(m)	((void)host_rt_mutex_lock(m, 0, __FILE__, __LINE__))
#define rt_mutex_lock_interruptible(m) \
	host_rt_mutex_lock(m, 1, __FILE__, __LINE__)
#define rt_mutex_unlock(m)	mutex_unlock(&(m)->mutex)

#endif
