/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_MINMAX_H
#define HOST_LINUX_MINMAX_H

#include <linux/compiler.h>
#include <linux/build_bug.h>

#define __cmp(op, x, y) ({						\
	__auto_type __x = (x);						\
	__auto_type __y = (y);						\
	__x op __y ? __x : __y; })
#define __cmp_c(op, x, y)	((x) op (y) ? (x) : (y))
#define min(x, y)	__cmp(<, x, y)
#define max(x, y)	__cmp(>, x, y)
#define min3(x, y, z)	min((typeof(x))min(x, y), z)
#define max3(x, y, z)	max((typeof(x))max(x, y), z)
#define min_t(t, x, y)	__cmp(<, (t)(x), (t)(y))
#define max_t(t, x, y)	__cmp(>, (t)(x), (t)(y))
#define umin(x, y)	__cmp(<, (x) + 0ULL, (y) + 0ULL)
#define umax(x, y)	__cmp(>, (x) + 0ULL, (y) + 0ULL)
#define min_not_zero(x, y) ({						\
	typeof(x) __a = (x);						\
	typeof(y) __b = (y);						\
	__a == 0 ? __b : ((__b == 0) ? __a : min(__a, __b)); })
#define clamp(v, lo, hi)	min((typeof(v))max(v, lo), hi)
#define clamp_t(t, v, lo, hi)	min_t(t, max_t(t, v, lo), hi)
#define clamp_val(v, lo, hi)	clamp_t(typeof(v), v, lo, hi)
#define MIN(a, b)	__cmp_c(<, a, b)
#define MAX(a, b)	__cmp_c(>, a, b)
#define swap(a, b) \
	do { typeof(a) __t = (a); (a) = (b); (b) = __t; } while (0)

#endif
