/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_RANDOM_H
#define HOST_LINUX_RANDOM_H
#include <linux/types.h>
u32 get_random_u32(void);
u64 get_random_u64(void);
u32 get_random_u32_below(u32 n);
void get_random_bytes(void *p, size_t n);
static inline u32 prandom_u32_max(u32 n) { return get_random_u32_below(n); }
#endif
