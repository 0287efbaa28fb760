/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_EXPORT_H
#define HOST_LINUX_EXPORT_H
#include <linux/build_bug.h>
#define EXPORT_SYMBOL(s)	static_assert(1)
#define EXPORT_SYMBOL_GPL(s)	static_assert(1)
#define EXPORT_SYMBOL_NS_GPL(s, n) static_assert(1)
#define EXPORT_TRACEPOINT_SYMBOL_GPL(s) static_assert(1)
#endif
