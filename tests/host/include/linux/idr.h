/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_IDR_H
#define HOST_LINUX_IDR_H
#include <linux/err.h>
#include <linux/gfp.h>
/* identifiers 0..63 are as many as a test needs */
struct ida {
	u64 used;
};
#define IDA_INIT(n)	{ 0 }
#define DEFINE_IDA(n)	struct ida n = IDA_INIT(n)
static inline void ida_init(struct ida *i) { i->used = 0; }
static inline int ida_alloc_range(struct ida *i, unsigned int min,
				  unsigned int max, gfp_t gfp)
{
	for (; min <= max && min < 64; min++) {
		if (i->used & (1ULL << min))
			continue;
		i->used |= 1ULL << min;
		return (int)min;
	}
	return -ENOSPC;
}
#define ida_alloc(i, g)		ida_alloc_range(i, 0, 63, g)
#define ida_alloc_max(i, m, g)	ida_alloc_range(i, 0, m, g)
#define ida_alloc_min(i, m, g)	ida_alloc_range(i, m, 63, g)
static inline void ida_free(struct ida *i, unsigned int n) { i->used &= ~(1ULL << n); }
static inline void ida_destroy(struct ida *i) { i->used = 0; }
static inline bool ida_is_empty(const struct ida *i) { return !i->used; }
#endif
