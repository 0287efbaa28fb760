/* SPDX-License-Identifier: GPL-2.0-only */
#include <linux/sched.h>
#define HK_TYPE_DOMAIN 0
/* CPU n of the four is isolated if bit n is set */
extern unsigned long host_isolated_cpus;
#define cpu_is_isolated(c)	(host_isolated_cpus >> (c) & 1)
#define housekeeping_cpumask(t)	cpu_possible_mask
