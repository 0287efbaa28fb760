/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BITOPS_H
#define HOST_LINUX_BITOPS_H

#include <linux/types.h>
#include <linux/bits.h>

static inline void __set_bit(long n, volatile unsigned long *p)
{
	p[BIT_WORD(n)] |= BIT_MASK(n);
}

static inline void __clear_bit(long n, volatile unsigned long *p)
{
	p[BIT_WORD(n)] &= ~BIT_MASK(n);
}

static inline void __change_bit(long n, volatile unsigned long *p)
{
	p[BIT_WORD(n)] ^= BIT_MASK(n);
}

static inline bool test_bit(long n, const volatile unsigned long *p)
{
	return p[BIT_WORD(n)] >> (n % BITS_PER_LONG) & 1;
}

static inline bool __test_and_set_bit(long n, volatile unsigned long *p)
{
	bool old = test_bit(n, p);

	__set_bit(n, p);
	return old;
}

static inline bool __test_and_clear_bit(long n, volatile unsigned long *p)
{
	bool old = test_bit(n, p);

	__clear_bit(n, p);
	return old;
}

#define set_bit			__set_bit
#define clear_bit		__clear_bit
#define change_bit		__change_bit
#define test_and_set_bit	__test_and_set_bit
#define test_and_clear_bit	__test_and_clear_bit
#define test_and_set_bit_lock	__test_and_set_bit
#define clear_bit_unlock	__clear_bit
#define test_bit_acquire	test_bit
#define assign_bit(n, p, v)	((v) ? __set_bit(n, p) : __clear_bit(n, p))
#define __assign_bit		assign_bit

static inline int fls(unsigned int x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static inline unsigned int fls_long(unsigned long x) { return fls64(x); }
static inline unsigned long __fls(unsigned long x) { return fls64(x) - 1; }
static inline unsigned long __ffs(unsigned long x) { return __builtin_ctzl(x); }
static inline unsigned long ffz(unsigned long x) { return __builtin_ctzl(~x); }
/* glibc's string.h declares a function of that name */
#ifdef HOST_FREESTANDING
static inline int ffs(int x) { return __builtin_ffs(x); }
#endif
static inline unsigned int hweight8(u8 x) { return __builtin_popcount(x); }
static inline unsigned int hweight16(u16 x) { return __builtin_popcount(x); }
static inline unsigned int hweight32(u32 x) { return __builtin_popcount(x); }
static inline unsigned int hweight64(u64 x) { return __builtin_popcountll(x); }
#define hweight_long(x)	hweight64(x)
static inline u32 rol32(u32 x, unsigned int s) { return x << s | x >> (-s & 31); }
static inline u32 ror32(u32 x, unsigned int s) { return x >> s | x << (-s & 31); }
static inline u64 rol64(u64 x, unsigned int s) { return x << s | x >> (-s & 63); }
static inline s32 sign_extend32(u32 v, int i)
{
	return (s32)(v << (31 - i)) >> (31 - i);
}

static inline s64 sign_extend64(u64 v, int i)
{
	return (s64)(v << (63 - i)) >> (63 - i);
}

#include <linux/find.h>

#endif
