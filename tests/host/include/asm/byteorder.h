/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_ASM_BYTEORDER_H
#define HOST_ASM_BYTEORDER_H
#include <linux/types.h>
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "host tests run on little-endian machines"
#endif
#define __LITTLE_ENDIAN 1234
#define __swab16(x)	__builtin_bswap16(x)
#define __swab32(x)	__builtin_bswap32(x)
#define __swab64(x)	__builtin_bswap64(x)
#define swab16		__swab16
#define swab32		__swab32
#define swab64		__swab64
#define cpu_to_le16(x)	((__le16)(u16)(x))
#define cpu_to_le32(x)	((__le32)(u32)(x))
#define cpu_to_le64(x)	((__le64)(u64)(x))
#define le16_to_cpu(x)	((u16)(__le16)(x))
#define le32_to_cpu(x)	((u32)(__le32)(x))
#define le64_to_cpu(x)	((u64)(__le64)(x))
#define cpu_to_be16(x)	((__be16)__swab16(x))
#define cpu_to_be32(x)	((__be32)__swab32(x))
#define cpu_to_be64(x)	((__be64)__swab64(x))
#define be16_to_cpu(x)	__swab16((u16)(x))
#define be32_to_cpu(x)	__swab32((u32)(x))
#define be64_to_cpu(x)	__swab64((u64)(x))
#define __constant_cpu_to_be16	cpu_to_be16
#define le16_to_cpup(p)	le16_to_cpu(*(p))
#define le32_to_cpup(p)	le32_to_cpu(*(p))
#define le64_to_cpup(p)	le64_to_cpu(*(p))
#ifdef HOST_FREESTANDING
#define htons(x)	cpu_to_be16(x)
#define ntohs(x)	be16_to_cpu(x)
#define htonl(x)	cpu_to_be32(x)
#define ntohl(x)	be32_to_cpu(x)
#endif
static inline void le16_add_cpu(__le16 *p, u16 v) { *p = cpu_to_le16(le16_to_cpu(*p) + v); }
static inline void le32_add_cpu(__le32 *p, u32 v) { *p = cpu_to_le32(le32_to_cpu(*p) + v); }
#endif
