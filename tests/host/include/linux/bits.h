/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BITS_H
#define HOST_LINUX_BITS_H

#include <linux/const.h>

#define BITS_PER_BYTE		8
#define BITS_PER_LONG		64
#define BITS_PER_LONG_LONG	64
#define BITS_PER_TYPE(t)	(sizeof(t) * BITS_PER_BYTE)
#define BIT(n)			(UL(1) << (n))
#define BIT_ULL(n)		(ULL(1) << (n))
#define BIT_MASK(n)		(UL(1) << ((n) % BITS_PER_LONG))
#define BIT_WORD(n)		((n) / BITS_PER_LONG)
#define BITS_TO_LONGS(n)	(((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define GENMASK(h, l) \
	(((~UL(0)) << (l)) & (~UL(0) >> (BITS_PER_LONG - 1 - (h))))
#define GENMASK_ULL(h, l) \
	(((~ULL(0)) << (l)) & (~ULL(0) >> (64 - 1 - (h))))
#define BIT_U8(n)	((u8)BIT(n))
#define BIT_U16(n)	((u16)BIT(n))
#define BIT_U32(n)	((u32)BIT(n))
#define BIT_U64(n)	((u64)BIT_ULL(n))

#endif
