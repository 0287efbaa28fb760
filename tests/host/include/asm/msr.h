/* SPDX-License-Identifier: GPL-2.0-only */
#include <linux/ktime.h>
#define rdtsc()		((u64)ktime_get())
#define rdtsc_ordered()	((u64)ktime_get())
