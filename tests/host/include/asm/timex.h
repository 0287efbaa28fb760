/* SPDX-License-Identifier: GPL-2.0-only */
#include <linux/ktime.h>
#define get_cycles()	((u64)ktime_get())
