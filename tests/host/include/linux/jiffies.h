/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_JIFFIES_H
#define HOST_LINUX_JIFFIES_H

#include <linux/ktime.h>

#define HZ		250
#define TICK_NSEC	(NSEC_PER_SEC / HZ)
/* wraps 32 bits five minutes after the start, as in the kernel */
#define INITIAL_JIFFIES	((unsigned long)(unsigned int)(-300 * HZ))
#define MAX_JIFFY_OFFSET ((LONG_MAX >> 1) - 1)

unsigned long host_jiffies(void);
#define jiffies		host_jiffies()
#define get_jiffies_64() ((u64)host_jiffies())
#define time_after(a, b)	((long)((b) - (a)) < 0)
#define time_before(a, b)	time_after(b, a)
#define time_after_eq(a, b)	((long)((a) - (b)) >= 0)
#define time_before_eq(a, b)	time_after_eq(b, a)
#define time_is_before_jiffies(a)	time_after(jiffies, a)
#define time_is_after_jiffies(a)	time_before(jiffies, a)
#define time_is_before_eq_jiffies(a)	time_after_eq(jiffies, a)
#define time_is_after_eq_jiffies(a)	time_before_eq(jiffies, a)

static inline unsigned long msecs_to_jiffies(unsigned int ms)
{
	return (int)ms < 0 ? MAX_JIFFY_OFFSET :
		((u64)ms * HZ + MSEC_PER_SEC - 1) / MSEC_PER_SEC;
}

static inline unsigned long usecs_to_jiffies(unsigned int us)
{
	return ((u64)us * HZ + USEC_PER_SEC - 1) / USEC_PER_SEC;
}

static inline unsigned long nsecs_to_jiffies(u64 ns) { return ns / TICK_NSEC; }
static inline unsigned int jiffies_to_msecs(unsigned long j) { return j * 1000 / HZ; }
static inline unsigned int jiffies_to_usecs(unsigned long j) { return j * 1000000 / HZ; }
static inline u64 jiffies_to_nsecs(unsigned long j) { return j * TICK_NSEC; }
#define secs_to_jiffies(s)	((unsigned long)(s) * HZ)

#endif
