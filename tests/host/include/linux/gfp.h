/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_GFP_H
#define HOST_LINUX_GFP_H
#include <linux/types.h>
#include <asm/page.h>
#define __GFP_ZERO		0x001u
#define __GFP_NOWARN		0x002u
#define __GFP_NORETRY		0x004u
#define __GFP_ACCOUNT		0x008u
#define __GFP_NOFAIL		0x010u
#define __GFP_RECLAIM		0x100u	/* may sleep */
#define __GFP_RETRY_MAYFAIL	0x020u
#define __GFP_COMP		0x040u
#define GFP_KERNEL		__GFP_RECLAIM
#define GFP_KERNEL_ACCOUNT	(GFP_KERNEL | __GFP_ACCOUNT)
#define GFP_USER		GFP_KERNEL
#define GFP_NOIO		GFP_KERNEL
#define GFP_NOWAIT		0u
#define GFP_ATOMIC		0x200u
#define GFP_DMA32		0u
#define gfpflags_allow_blocking(f) (!!((f) & __GFP_RECLAIM))
unsigned long __get_free_pages(gfp_t gfp, unsigned int order);
void free_pages(unsigned long addr, unsigned int order);
#define __get_free_page(gfp)	__get_free_pages(gfp, 0)
#define get_zeroed_page(gfp)	__get_free_pages((gfp) | __GFP_ZERO, 0)
#define free_page(a)		free_pages(a, 0)
#endif
