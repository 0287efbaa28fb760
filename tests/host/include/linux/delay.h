/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_DELAY_H
#define HOST_LINUX_DELAY_H
#include <linux/types.h>
void host_sleep_ns(u64 min, u64 max, const char *file, int line);
void host_delay_ns(u64 ns);
#define msleep(ms)	host_sleep_ns((ms) * 1000000ULL, (ms) * 1000000ULL + 4000000, __FILE__, __LINE__)
#define ssleep(s)	msleep((s) * 1000)
#define usleep_range(a, b) host_sleep_ns((a) * 1000ULL, (b) * 1000ULL, __FILE__, __LINE__)
#define fsleep(us)	usleep_range(us, (us) * 2ULL)
unsigned long msleep_interruptible(unsigned int ms);
#define ndelay(ns)	host_delay_ns(ns)
#define udelay(us)	host_delay_ns((us) * 1000ULL)
#define mdelay(ms)	host_delay_ns((ms) * 1000000ULL)
#endif
