/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BITMAP_H
#define HOST_LINUX_BITMAP_H
#include <linux/bitops.h>
#include <linux/string.h>
#include <linux/slab.h>

static inline void bitmap_zero(unsigned long *p, unsigned int n)
{
	memset(p, 0, BITS_TO_LONGS(n) * sizeof(long));
}

static inline void bitmap_set(unsigned long *p, unsigned int s, unsigned int n)
{
	while (n--)
		__set_bit(s++, p);
}

static inline void bitmap_clear(unsigned long *p, unsigned int s, unsigned int n)
{
	while (n--)
		__clear_bit(s++, p);
}

static inline void bitmap_fill(unsigned long *p, unsigned int n)
{
	bitmap_set(p, 0, n);
}

static inline void bitmap_copy(unsigned long *d, const unsigned long *s,
			       unsigned int n)
{
	memcpy(d, s, BITS_TO_LONGS(n) * sizeof(long));
}

static inline unsigned int bitmap_weight(const unsigned long *p, unsigned int n)
{
	unsigned int b, w = 0;

	for_each_set_bit(b, p, n)
		w++;
	return w;
}

static inline bool bitmap_empty(const unsigned long *p, unsigned int n)
{
	return find_first_bit(p, n) >= n;
}

static inline bool bitmap_full(const unsigned long *p, unsigned int n)
{
	return find_first_zero_bit(p, n) >= n;
}

static inline unsigned long *bitmap_zalloc(unsigned int n, gfp_t gfp)
{
	return kcalloc(BITS_TO_LONGS(n), sizeof(long), gfp);
}

static inline void bitmap_free(const unsigned long *p)
{
	kfree(p);
}
#endif
