/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_MATH64_H
#define HOST_LINUX_MATH64_H
#include <linux/types.h>
#include <linux/math.h>
static inline u64 div_u64(u64 a, u32 b) { return a / b; }
static inline s64 div_s64(s64 a, s32 b) { return a / b; }
static inline u64 div64_u64(u64 a, u64 b) { return a / b; }
static inline s64 div64_s64(s64 a, s64 b) { return a / b; }
#define div64_ul(a, b)	div64_u64(a, b)
#define div64_long(a, b) div64_s64(a, b)
static inline u64 div_u64_rem(u64 a, u32 b, u32 *r) { *r = a % b; return a / b; }
static inline s64 div_s64_rem(s64 a, s32 b, s32 *r) { *r = a % b; return a / b; }
static inline u64 div64_u64_rem(u64 a, u64 b, u64 *r) { *r = a % b; return a / b; }
static inline u64 mul_u32_u32(u32 a, u32 b) { return (u64)a * b; }
static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	return (u64)((unsigned __int128)a * b / c);
}
static inline u64 mul_u64_u32_shr(u64 a, u32 b, unsigned int s)
{
	return (u64)((unsigned __int128)a * b >> s);
}
static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int s)
{
	return (u64)((unsigned __int128)a * b >> s);
}
static inline u64 mul_u64_u32_div(u64 a, u32 b, u32 c)
{
	return (u64)((unsigned __int128)a * b / c);
}
#define do_div(n, base) \
	({ u32 __r = (n) % (u32)(base); (n) /= (u32)(base); __r; })
static inline u64 roundup_u64(u64 x, u32 y) { return (x + y - 1) / y * y; }
#endif
