/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_CMPXCHG_H
#define HOST_LINUX_CMPXCHG_H
#define xchg(p, v) \
	({ __auto_type __p = (p); typeof(*__p) __o = *__p; \
	   *(volatile typeof(__o) *)__p = (v); __o; })
#define cmpxchg(p, o, n) ({						\
	__auto_type __p = (p); typeof(*__p) __old = (o), __cur = *__p;	\
	if (__cur == __old)						\
		*(volatile typeof(__cur) *)__p = (n);			\
	__cur; })
#define try_cmpxchg(p, op, n) ({					\
	__auto_type __tp = (p); typeof(*__tp) *__to = (op);		\
	typeof(*__tp) __was = *__to;					\
	typeof(*__tp) __got = cmpxchg(__tp, __was, n);			\
	*__to = __got;							\
	__got == __was; })
#define xchg_relaxed	xchg
#define xchg_acquire	xchg
#define xchg_release	xchg
#define cmpxchg_relaxed	cmpxchg
#define cmpxchg_acquire	cmpxchg
#define cmpxchg_release	cmpxchg
#define cmpxchg64	cmpxchg
#define try_cmpxchg_relaxed	try_cmpxchg
#define try_cmpxchg_acquire	try_cmpxchg
#define try_cmpxchg_release	try_cmpxchg
#endif
