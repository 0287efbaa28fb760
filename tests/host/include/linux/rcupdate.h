/* SPDX-License-Identifier: GPL-2.0-only */
/* Coroutines do not switch inside a read section: they would have to sleep. */
#ifndef HOST_LINUX_RCUPDATE_H
#define HOST_LINUX_RCUPDATE_H
#include <linux/preempt.h>
#include <linux/slab.h>
#define rcu_read_lock()		preempt_disable()
#define rcu_read_unlock()	preempt_enable()
#define rcu_dereference(p)	__READ_ONCE(p)
#define rcu_dereference_protected(p, c) (p)
#define rcu_dereference_check(p, c) (p)
#define rcu_dereference_raw(p)	(p)
#define rcu_access_pointer(p)	__READ_ONCE(p)
#define rcu_assign_pointer(p, v) smp_store_release(&(p), v)
#define rcu_replace_pointer(p, v, c) ({ typeof(p) __o = (p); (p) = (v); __o; })
#define RCU_INIT_POINTER(p, v)	((void)((p) = (v)))
void synchronize_rcu(void);
#define synchronize_rcu_expedited() synchronize_rcu()
#define kfree_rcu(p, m)		do { synchronize_rcu(); kfree(p); } while (0)
#define rcu_barrier()		((void)0)
#endif
