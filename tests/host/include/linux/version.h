/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_VERSION_H
#define HOST_LINUX_VERSION_H
#define KERNEL_VERSION(a, b, c)	(((a) << 16) + ((b) << 8) + (c))
#define LINUX_VERSION_CODE	KERNEL_VERSION(7, 0, 0)
#define UTS_RELEASE		"host"
#endif
