/* SPDX-License-Identifier: GPL-2.0-only */
/* What loops that wait for a slave have in common */
#ifndef KECAT_WAIT_H
#define KECAT_WAIT_H

#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

/* A worker is asked to stop, or the process that called is being killed. */
static inline bool kecat_interrupted(void)
{
	if (current->flags & PF_KTHREAD)
		return kthread_should_stop();
	return fatal_signal_pending(current);
}

/**
 * struct kecat_pause - waits that grow: none, none, @min_us, doubling to @max_us
 *
 * The first looks cost one exchange each and no sleep, as most devices answer
 * within one or two.
 */
struct kecat_pause {
	unsigned int min_us;
	unsigned int max_us;
	unsigned int looks;
	unsigned int us;
};

static inline void kecat_pause(struct kecat_pause *p)
{
	if (p->looks++ < 2)
		return;
	p->us = clamp(2 * p->us, p->min_us, p->max_us);
	usleep_range(p->us, p->us + p->us / 4);
}

#endif
