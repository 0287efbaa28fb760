/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_IRQFLAGS_H
#define HOST_LINUX_IRQFLAGS_H
#include <linux/preempt.h>
#define local_irq_disable()	preempt_disable()
#define local_irq_enable()	preempt_enable()
#define local_irq_save(f)	do { (f) = 0; preempt_disable(); } while (0)
#define local_irq_restore(f)	do { (void)(f); preempt_enable(); } while (0)
#define irqs_disabled()		(host_atomic_depth() > 0)
#endif
