/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls whose struct lies on the caller's stack */
#ifndef HOST_CALL_H
#define HOST_CALL_H

#include <linux/string.h>
#include "bench.h"

/* the struct goes through user memory of exactly its size, so reads behind it fault */
static inline long call_sized(struct file *f, unsigned int cmd, void *arg, size_t size)
{
	void *user = host_user_alloc(size);
	long ret;

	memcpy(user, arg, size);
	ret = host_ioctl(f, cmd, user);
	memcpy(arg, user, size);
	host_user_free(user);
	return ret;
}

#define CALL(f, name, arg) ({						\
	(arg)->size = sizeof(*(arg));					\
	call_sized(f, KECAT_IOC_##name, arg, sizeof(*(arg))); })

#endif
