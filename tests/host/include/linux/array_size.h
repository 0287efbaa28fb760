/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_ARRAY_SIZE_H
#define HOST_LINUX_ARRAY_SIZE_H
#include <linux/compiler.h>
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]) + __must_be_array(a))
#endif
