/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BUILD_BUG_H
#define HOST_LINUX_BUILD_BUG_H

#include <linux/compiler.h>

#ifdef static_assert
#undef static_assert
#endif
#define static_assert(expr, ...) __static_assert(expr, ##__VA_ARGS__, #expr)
#define __static_assert(expr, msg, ...) _Static_assert(expr, msg)
#define BUILD_BUG_ON_ZERO(e)	((int)(sizeof(struct { int:(-!!(e)); })))
#define BUILD_BUG_ON_MSG(c, msg) _Static_assert(!(c), msg)
#define BUILD_BUG_ON(c)		BUILD_BUG_ON_MSG(c, #c)
#define BUILD_BUG()		BUILD_BUG_ON(1)
#define BUILD_BUG_ON_NOT_POWER_OF_2(n) \
	BUILD_BUG_ON((n) == 0 || (((n) & ((n) - 1)) != 0))

#endif
