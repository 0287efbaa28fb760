/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_PREEMPT_H
#define HOST_LINUX_PREEMPT_H
#include <linux/types.h>
void preempt_disable(void);
void preempt_enable(void);
int host_atomic_depth(void);	/* of the running context, interrupts included */
enum host_ctx { HOST_TASK, HOST_SOFT, HOST_HARD };
enum host_ctx host_context(void);
#define preempt_count()	host_atomic_depth()
#define in_task()	(host_context() == HOST_TASK)
#define in_hardirq()	(host_context() == HOST_HARD)
#define in_irq()	in_hardirq()
#define in_interrupt()	(host_context() != HOST_TASK)
#define in_softirq()	(host_context() == HOST_SOFT)
#define in_nmi()	0
#define in_atomic()	(host_atomic_depth() > 0)
#define migrate_disable()	((void)0)
#define migrate_enable()	((void)0)
#define preempt_enable_no_resched() preempt_enable()
#define local_bh_disable()	((void)0)
#define local_bh_enable()	((void)0)
#endif
