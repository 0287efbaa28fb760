/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a NAPI context keeps frames that it has not handed on. */
#ifndef KECAT_COMPAT_NAPI_H
#define KECAT_COMPAT_NAPI_H

#include <linux/list.h>
#include <linux/netdevice.h>
#include <linux/version.h>

/* 6.15 put GRO into a struct of its own */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define kecat_napi_gro(n)	(n)
#else
#define kecat_napi_gro(n)	(&(n)->gro)
#endif

/* all frames that @n has for the stack go to @to; only the one that polls may */
static inline void kecat_napi_take_frames(struct napi_struct *n,
					  struct list_head *to)
{
	list_splice_init(&kecat_napi_gro(n)->rx_list, to);
	kecat_napi_gro(n)->rx_count = 0;
}

#endif
