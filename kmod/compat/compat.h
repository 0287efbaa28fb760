/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place that knows kernel versions.  Code is written for the newest
 * kernel; what older ones lack is filled in here.
 */
#ifndef KECAT_COMPAT_H
#define KECAT_COMPAT_H

#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/sched/isolation.h>
#include <linux/version.h>

/* 6.13 replaced hrtimer_init() and the assignment of the function */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* 6.3 introduced it, and some 6.1 have it too, without the groups' partitions */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define kecat_cpu_is_isolated(cpu)	(!housekeeping_cpu(cpu, HK_TYPE_DOMAIN))
#else
#define kecat_cpu_is_isolated(cpu)	cpu_is_isolated(cpu)
#endif

/* 6.4 dropped the owner argument */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define kecat_class_create(name)	class_create(THIS_MODULE, name)
#else
#define kecat_class_create(name)	class_create(name)
#endif

#endif
