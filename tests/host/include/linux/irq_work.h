/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_IRQ_WORK_H
#define HOST_LINUX_IRQ_WORK_H
#include <linux/types.h>
#include <host/node.h>
/* runs in a thread on PREEMPT_RT unless it was declared hard */
struct irq_work {
	struct host_node node;
	void (*func)(struct irq_work *w);
	bool hard;
	u32 magic;
};
#define HOST_IRQ_WORK_MAGIC	0x69727177
#define HOST_IRQ_WORK(f, h) \
	(struct irq_work){ .func = (f), .hard = (h), .magic = HOST_IRQ_WORK_MAGIC }
#define IRQ_WORK_INIT(f)	HOST_IRQ_WORK(f, false)
#define IRQ_WORK_INIT_HARD(f)	HOST_IRQ_WORK(f, true)
#define IRQ_WORK_INIT_LAZY(f)	HOST_IRQ_WORK(f, false)
#define DEFINE_IRQ_WORK(n, f) \
	struct irq_work n = { .func = (f), .magic = HOST_IRQ_WORK_MAGIC }
#define init_irq_work(w, f)	((void)(*(w) = IRQ_WORK_INIT(f)))
bool irq_work_queue(struct irq_work *w);
#define irq_work_queue_on(w, cpu)	irq_work_queue(w)
void irq_work_sync(struct irq_work *w);
#define irq_work_is_pending(w)	((w)->node.pos != 0)
#define irq_work_is_busy(w)	((w)->node.pos != 0)
#endif
