/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_MATH_H
#define HOST_LINUX_MATH_H
#include <linux/types.h>
#define __round_mask(x, y)	((__typeof__(x))((y) - 1))
#define round_up(x, y)		((((x) - 1) | __round_mask(x, y)) + 1)
#define round_down(x, y)	((x) & ~__round_mask(x, y))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define DIV_ROUND_UP_ULL(n, d)	DIV_ROUND_UP((unsigned long long)(n), (d))
#define DIV_ROUND_DOWN_ULL(n, d) ((unsigned long long)(n) / (d))
#define DIV_ROUND_CLOSEST(x, d)	(((x) + ((d) / 2)) / (d))
#define DIV_ROUND_CLOSEST_ULL(x, d) DIV_ROUND_CLOSEST((u64)(x), d)
#define roundup(x, y)		((((x) + ((y) - 1)) / (y)) * (y))
#define rounddown(x, y)		((x) - ((x) % (y)))
#define mult_frac(x, n, d)	((x) / (d) * (n) + (x) % (d) * (n) / (d))
#define abs_diff(a, b)		((a) > (b) ? (a) - (b) : (b) - (a))
/* glibc's stdlib.h declares a function of that name */
#ifdef HOST_FREESTANDING
#define abs(x)	({ typeof(x) __v = (x); __v < 0 ? -__v : __v; })
#endif
#endif
