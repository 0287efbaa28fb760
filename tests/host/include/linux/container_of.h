/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_CONTAINER_OF_H
#define HOST_LINUX_CONTAINER_OF_H
#include <linux/stddef.h>
#define container_of(ptr, type, member) ({				\
	const __typeof__(((type *)0)->member) *__mp = (ptr);		\
	(type *)((char *)__mp - offsetof(type, member)); })
#define container_of_const container_of
#endif
