/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BSEARCH_H
#define HOST_LINUX_BSEARCH_H
#include <linux/types.h>
#ifdef HOST_FREESTANDING
void *bsearch(const void *key, const void *base, size_t n, size_t size,
	      int (*cmp)(const void *a, const void *b));
#endif
#endif
