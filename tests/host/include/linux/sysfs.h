/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_SYSFS_H
#define HOST_LINUX_SYSFS_H
#include <linux/types.h>
struct attribute {
	const char *name;
	umode_t mode;
};
struct attribute_group {
	const char *name;
	struct attribute **attrs;
};
__printf(2, 3) int sysfs_emit(char *buf, const char *fmt, ...);
#endif
