/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_OVERFLOW_H
#define HOST_LINUX_OVERFLOW_H
#include <linux/limits.h>
#include <linux/types.h>
#define check_add_overflow(a, b, d)	__builtin_add_overflow(a, b, d)
#define check_sub_overflow(a, b, d)	__builtin_sub_overflow(a, b, d)
#define check_mul_overflow(a, b, d)	__builtin_mul_overflow(a, b, d)
static inline size_t size_mul(size_t a, size_t b)
{
	size_t n;

	return __builtin_mul_overflow(a, b, &n) ? SIZE_MAX : n;
}
static inline size_t size_add(size_t a, size_t b)
{
	size_t n;

	return __builtin_add_overflow(a, b, &n) ? SIZE_MAX : n;
}
#define array_size(a, b)	size_mul(a, b)
#define array3_size(a, b, c)	size_mul(size_mul(a, b), c)
#define flex_array_size(p, m, n) size_mul(n, sizeof(*(p)->m))
#define struct_size(p, m, n) \
	size_add(sizeof(*(p)), size_mul(n, sizeof(*(p)->m)))
#define struct_size_t(t, m, n)	struct_size((t *)NULL, m, n)
#endif
