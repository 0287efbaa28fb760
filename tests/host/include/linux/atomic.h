/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_ATOMIC_H
#define HOST_LINUX_ATOMIC_H

#include <linux/types.h>
#include <linux/cmpxchg.h>

#define ATOMIC_INIT(i)		{ (i) }
#define ATOMIC64_INIT(i)	{ (i) }

#define HOST_ATOMIC(name, type, val)					\
static inline val name##_read(const type *v)				\
{									\
	return __READ_ONCE(v->counter);					\
}									\
static inline val name##_read_acquire(const type *v)			\
{									\
	return __READ_ONCE(v->counter);					\
}									\
static inline void name##_set(type *v, val i)				\
{									\
	__WRITE_ONCE(v->counter, i);					\
}									\
static inline void name##_set_release(type *v, val i)			\
{									\
	__WRITE_ONCE(v->counter, i);					\
}									\
static inline val name##_add_return(val i, type *v)			\
{									\
	val n = (val)(v->counter + i);					\
									\
	__WRITE_ONCE(v->counter, n);					\
	return n;							\
}									\
static inline val name##_fetch_add(val i, type *v)			\
{									\
	return name##_add_return(i, v) - i;				\
}									\
static inline val name##_fetch_or(val i, type *v)			\
{									\
	val o = v->counter;						\
									\
	__WRITE_ONCE(v->counter, o | i);					\
	return o;							\
}									\
static inline val name##_fetch_and(val i, type *v)			\
{									\
	val o = v->counter;						\
									\
	__WRITE_ONCE(v->counter, o & i);					\
	return o;							\
}									\
static inline val name##_fetch_andnot(val i, type *v)			\
{									\
	return name##_fetch_and(~i, v);					\
}									\
static inline void name##_or(val i, type *v) { name##_fetch_or(i, v); }	\
static inline void name##_and(val i, type *v) { name##_fetch_and(i, v); } \
static inline void name##_andnot(val i, type *v) { name##_fetch_and(~i, v); } \
static inline val name##_sub_return(val i, type *v)			\
{									\
	return name##_add_return(-i, v);				\
}									\
static inline void name##_add(val i, type *v) { name##_add_return(i, v); } \
static inline void name##_sub(val i, type *v) { name##_add_return(-i, v); } \
static inline void name##_inc(type *v) { name##_add_return(1, v); }	\
static inline void name##_dec(type *v) { name##_add_return(-1, v); }	\
static inline val name##_inc_return(type *v)				\
{									\
	return name##_add_return(1, v);					\
}									\
static inline val name##_dec_return(type *v)				\
{									\
	return name##_add_return(-1, v);				\
}									\
static inline val name##_fetch_inc(type *v) { return name##_fetch_add(1, v); } \
static inline bool name##_dec_and_test(type *v)				\
{									\
	return name##_add_return(-1, v) == 0;				\
}									\
static inline bool name##_inc_and_test(type *v)				\
{									\
	return name##_add_return(1, v) == 0;				\
}									\
static inline bool name##_sub_and_test(val i, type *v)			\
{									\
	return name##_add_return(-i, v) == 0;				\
}									\
static inline bool name##_add_unless(type *v, val a, val u)		\
{									\
	if (v->counter == u)						\
		return false;						\
	name##_add_return(a, v);					\
	return true;							\
}									\
static inline bool name##_inc_not_zero(type *v)				\
{									\
	return name##_add_unless(v, 1, 0);				\
}									\
static inline val name##_xchg(type *v, val n) { return xchg(&v->counter, n); } \
static inline val name##_cmpxchg(type *v, val o, val n)			\
{									\
	return cmpxchg(&v->counter, o, n);				\
}									\
static inline bool name##_try_cmpxchg(type *v, val *o, val n)		\
{									\
	return try_cmpxchg(&v->counter, o, n);				\
}

HOST_ATOMIC(atomic, atomic_t, int)
HOST_ATOMIC(atomic64, atomic64_t, s64)
#undef HOST_ATOMIC

typedef atomic64_t atomic_long_t;
#define ATOMIC_LONG_INIT	ATOMIC64_INIT
#define atomic_long_read	atomic64_read
#define atomic_long_set		atomic64_set
#define atomic_long_inc		atomic64_inc
#define atomic_long_dec		atomic64_dec
#define atomic_long_add		atomic64_add
#define atomic_long_inc_return	atomic64_inc_return
#define atomic_long_xchg	atomic64_xchg

#endif
