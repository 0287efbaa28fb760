/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stand-in for the kernel header.  One OS thread runs all coroutines and they
 * switch only where the runtime lets them, so barriers only have to hold the
 * compiler back.
 */
#ifndef HOST_LINUX_COMPILER_H
#define HOST_LINUX_COMPILER_H

#include <linux/compiler_attributes.h>

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define barrier()	__asm__ __volatile__("" : : : "memory")
#define barrier_data(p)	__asm__ __volatile__("" : : "r"(p) : "memory")
#define unreachable()	__builtin_unreachable()
#define OPTIMIZER_HIDE_VAR(v)	__asm__ ("" : "=r" (v) : "0" (v))

#define __user
#define __kernel
#define __iomem
#define __rcu
#define __percpu
#define __force
#define __nocast
#define __bitwise
#define __safe
#define __private
#define __acquires(x)
#define __releases(x)
#define __must_hold(x)
#define __acquire(x)	(void)0
#define __release(x)	(void)0
#define __cond_lock(x, c) (c)

#define __READ_ONCE(x)	(*(const volatile __typeof__(x) *)&(x))
#define __WRITE_ONCE(x, v) \
	do { *(volatile __typeof__(x) *)&(x) = (v); } while (0)
/* with HOST_RACY another thread may get ahead right before each access */
#ifdef HOST_RACY
void host_point(void);
#define READ_ONCE(x)	({ host_point(); __READ_ONCE(x); })
#define WRITE_ONCE(x, v) \
	do { host_point(); __WRITE_ONCE(x, v); } while (0)
#else
#define READ_ONCE(x)	__READ_ONCE(x)
#define WRITE_ONCE(x, v)	__WRITE_ONCE(x, v)
#endif
#define data_race(x)	(x)
#define ACCESS_PRIVATE(p, m) ((p)->m)

#define __UNIQUE_ID(p)	__host_paste(__host_paste(__uid_, p), __COUNTER__)
#define __host_paste(a, b)	__host_paste_(a, b)
#define __host_paste_(a, b)	a##b
#define __same_type(a, b) __builtin_types_compatible_p(typeof(a), typeof(b))
#define __must_be_array(a) \
	(0 * sizeof(struct { int e:(__same_type((a), &(a)[0]) ? -1 : 1); }))

#include <asm/barrier.h>

#endif
