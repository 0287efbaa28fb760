/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_FIND_H
#define HOST_LINUX_FIND_H
#include <linux/bitops.h>

static inline unsigned long host_find(const unsigned long *p, unsigned long n,
				      unsigned long from, unsigned long flip)
{
	while (from < n) {
		unsigned long w = (p[BIT_WORD(from)] ^ flip) &
				  (~0UL << (from % BITS_PER_LONG));

		from = from / BITS_PER_LONG * BITS_PER_LONG;
		if (w)
			return from + __ffs(w) < n ? from + __ffs(w) : n;
		from += BITS_PER_LONG;
	}
	return n;
}

#define find_next_bit(p, n, o)		host_find(p, n, o, 0)
#define find_next_zero_bit(p, n, o)	host_find(p, n, o, ~0UL)
#define find_first_bit(p, n)		host_find(p, n, 0, 0)
#define find_first_zero_bit(p, n)	host_find(p, n, 0, ~0UL)
#define for_each_set_bit(b, p, n) \
	for ((b) = find_first_bit(p, n); (b) < (n); \
	     (b) = find_next_bit(p, n, (b) + 1))
#define for_each_clear_bit(b, p, n) \
	for ((b) = find_first_zero_bit(p, n); (b) < (n); \
	     (b) = find_next_zero_bit(p, n, (b) + 1))
#endif
