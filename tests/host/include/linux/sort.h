/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_SORT_H
#define HOST_LINUX_SORT_H
#include <linux/types.h>
void sort(void *base, size_t n, size_t size,
	  int (*cmp)(const void *a, const void *b),
	  void (*swap)(void *a, void *b, int size));
#endif
