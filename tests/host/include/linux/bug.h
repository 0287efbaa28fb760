/* SPDX-License-Identifier: GPL-2.0-only */
/* A WARN fails the running test; a BUG ends it. */
#ifndef HOST_LINUX_BUG_H
#define HOST_LINUX_BUG_H

#include <linux/types.h>
#include <linux/build_bug.h>
#include <linux/printk.h>

void host_warn(const char *file, int line, const char *what);
__noreturn void host_bug(const char *file, int line, const char *what);

#define WARN_ON(c) ({							\
	bool __c = !!(c);						\
	if (unlikely(__c))						\
		host_warn(__FILE__, __LINE__, "WARN_ON(" #c ")");	\
	unlikely(__c); })
#define WARN(c, fmt, ...) ({						\
	bool __c = !!(c);						\
	if (unlikely(__c)) {						\
		host_printk(3, fmt, ##__VA_ARGS__);			\
		host_warn(__FILE__, __LINE__, "WARN(" #c ")");		\
	}								\
	unlikely(__c); })
#define WARN_ON_ONCE(c)		WARN_ON(c)
#define WARN_ONCE(c, ...)	WARN(c, ##__VA_ARGS__)
#define BUG()			host_bug(__FILE__, __LINE__, "BUG()")
#define BUG_ON(c) \
	do { if (unlikely(c)) host_bug(__FILE__, __LINE__, "BUG_ON(" #c ")"); } while (0)

#endif
