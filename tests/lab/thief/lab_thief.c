// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thief that can be recognised: a hard timer interrupt that keeps the CPU for
 * some time, again and again.
 */
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include "compat/compat.h"

static unsigned int burn_us = 200;
module_param(burn_us, uint, 0444);
MODULE_PARM_DESC(burn_us, "how long");

static unsigned int period_us = 10130;
module_param(period_us, uint, 0444);
MODULE_PARM_DESC(period_us, "how often");

static struct hrtimer timer;

static enum hrtimer_restart lab_thief_burn(struct hrtimer *t)
{
	u64 until = ktime_get_ns() + burn_us * NSEC_PER_USEC;

	while (ktime_get_ns() < until)
		cpu_relax();
	hrtimer_forward_now(t, ns_to_ktime((u64)period_us * NSEC_PER_USEC));
	return HRTIMER_RESTART;
}

static int __init thief_init(void)
{
	hrtimer_setup(&timer, lab_thief_burn, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&timer, ns_to_ktime((u64)period_us * NSEC_PER_USEC), HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}
module_init(thief_init);

static void __exit thief_exit(void)
{
	hrtimer_cancel(&timer);
}
module_exit(thief_exit);

MODULE_DESCRIPTION("takes the CPU away for some time");
MODULE_LICENSE("GPL");
