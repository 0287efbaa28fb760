/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_KTIME_H
#define HOST_LINUX_KTIME_H

#include <linux/bug.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/types.h>

typedef s64 ktime_t;

#define KTIME_MAX	((s64)~((u64)1 << 63))
#define KTIME_SEC_MAX	(KTIME_MAX / NSEC_PER_SEC)
#define ktime_add(a, b)		((a) + (b))
#define ktime_sub(a, b)		((a) - (b))
#define ktime_add_ns(k, n)	((k) + (s64)(n))
#define ktime_sub_ns(k, n)	((k) - (s64)(n))
#define ktime_add_us(k, n)	((k) + (s64)(n) * 1000)
#define ktime_add_ms(k, n)	((k) + (s64)(n) * 1000000)
#define ktime_sub_us(k, n)	((k) - (s64)(n) * 1000)
#define ktime_compare(a, b)	((a) < (b) ? -1 : (a) > (b))
#define ktime_after(a, b)	((a) > (b))
#define ktime_before(a, b)	((a) < (b))
#define ktime_to_ns(k)		((s64)(k))
#define ktime_to_us(k)		((k) / 1000)
#define ktime_to_ms(k)		((k) / 1000000)
#define ktime_us_delta(a, b)	ktime_to_us((a) - (b))
#define ktime_ms_delta(a, b)	ktime_to_ms((a) - (b))
#define ktime_set(s, n)		((ktime_t)(s) * NSEC_PER_SEC + (n))
#define ns_to_ktime(n)		((ktime_t)(n))
#define us_to_ktime(n)		((ktime_t)(n) * 1000)
#define ms_to_ktime(n)		((ktime_t)(n) * 1000000)
#define ktime_divns(k, d)	((k) / (d))

ktime_t ktime_get(void);
#define ktime_get_ns()		((u64)ktime_get())
#define ktime_get_raw()		ktime_get()
#define ktime_get_raw_ns()	((u64)ktime_get())
#define ktime_get_mono_fast_ns() ((u64)ktime_get())
#define ktime_get_raw_fast_ns()	((u64)ktime_get())
#define ktime_get_boottime()	ktime_get()
#define ktime_get_boottime_ns()	((u64)ktime_get())
#define ktime_get_coarse()	ktime_get()
#define ktime_get_real()	(ktime_get() + HOST_REAL_OFFSET)
#define ktime_get_real_ns()	((u64)ktime_get_real())
#define ktime_get_seconds()	(ktime_get() / NSEC_PER_SEC)
#define ktime_get_real_seconds() (ktime_get_real() / NSEC_PER_SEC)
#define ktime_get_clocktai()	(ktime_get_real() + 37 * NSEC_PER_SEC)
#define HOST_REAL_OFFSET	1700000000000000000LL

#endif
