/* SPDX-License-Identifier: GPL-2.0-only */
#include <linux/sched.h>
#define HK_TYPE_DOMAIN 0
#define housekeeping_cpumask(t)	cpu_possible_mask
