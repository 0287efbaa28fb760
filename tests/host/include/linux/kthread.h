/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_KTHREAD_H
#define HOST_LINUX_KTHREAD_H

#include <linux/err.h>
#include <linux/sched.h>

__printf(3, 4)
struct task_struct *kthread_create(int (*fn)(void *data), void *data,
				   const char *fmt, ...);
#define kthread_create_on_node(fn, d, node, ...) \
	kthread_create(fn, d, __VA_ARGS__)
struct task_struct *kthread_create_on_cpu(int (*fn)(void *data), void *data,
					  unsigned int cpu, const char *fmt);
#define kthread_run(fn, d, ...) ({					\
	struct task_struct *__t = kthread_create(fn, d, __VA_ARGS__);	\
	if (!IS_ERR(__t))						\
		wake_up_process(__t);					\
	__t; })
void kthread_bind(struct task_struct *t, unsigned int cpu);
#define kthread_bind_mask(t, m)	((void)(t))
int kthread_stop(struct task_struct *t);
int kthread_stop_put(struct task_struct *t);
bool kthread_should_stop(void);
bool kthread_should_park(void);
void kthread_parkme(void);
int kthread_park(struct task_struct *t);
void kthread_unpark(struct task_struct *t);
__noreturn void kthread_exit(long code);
#define kthread_freezable_should_stop(p) kthread_should_stop()
#define set_freezable()	((void)0)
#define try_to_freeze()	0

#endif
