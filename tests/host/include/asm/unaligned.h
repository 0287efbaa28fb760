/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_ASM_UNALIGNED_H
#define HOST_ASM_UNALIGNED_H
#include <asm/byteorder.h>
#define get_unaligned(p) ({						\
	const struct { typeof(*(p)) v; } __packed *__g = (const void *)(p); \
	__g->v; })
#define put_unaligned(val, p) do {					\
	struct { typeof(*(p)) v; } __packed *__g = (void *)(p);		\
	__g->v = (val); } while (0)
#define HOST_UNALIGNED(order, n)					\
static inline u##n get_unaligned_##order##n(const void *p)		\
{									\
	return order##n##_to_cpu(get_unaligned((const __##order##n *)p)); \
}									\
static inline void put_unaligned_##order##n(u##n v, void *p)		\
{									\
	put_unaligned(cpu_to_##order##n(v), (__##order##n *)p);		\
}
HOST_UNALIGNED(le, 16)
HOST_UNALIGNED(le, 32)
HOST_UNALIGNED(le, 64)
HOST_UNALIGNED(be, 16)
HOST_UNALIGNED(be, 32)
HOST_UNALIGNED(be, 64)
#undef HOST_UNALIGNED
static inline u32 get_unaligned_le24(const void *p)
{
	const u8 *b = p;

	return b[0] | b[1] << 8 | b[2] << 16;
}
#endif
