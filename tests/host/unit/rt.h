/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a blocking function needs of a kernel when it is called on its own: a
 * clock that moves when somebody sleeps, locks that may not be taken twice,
 * memory that is counted.
 */
#ifndef UNIT_RT_H
#define UNIT_RT_H

#include <linux/types.h>

void rt_reset(void);
void rt_advance(u64 ns);
u64 rt_now(void);
/* allocations not yet freed */
int rt_allocated(void);
/* the n-th allocation from now on fails, 0 = none */
void rt_fail_alloc(int n);
/* the calling task is killed at that time, 0 = never */
void rt_kill_at(u64 ns);

#endif
