/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place where the simulator knows whether it is kernel code or a
 * user-space program: types, memory, 64-bit division, unaligned access.
 */
#ifndef KECAT_SIM_OS_H
#define KECAT_SIM_OS_H

#ifdef __KERNEL__

#include <linux/types.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

static inline void *sim_zalloc(size_t size)
{
	return kvzalloc(size, GFP_KERNEL);
}

static inline void sim_free(const void *p)
{
	kvfree(p);
}

#else

/* as in the kernel: a function of a table need not use all it is given */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define BIT(n)		(1UL << (n))

static inline u64 div64_u64(u64 a, u64 b)
{
	return a / b;
}

static inline s64 div64_s64(s64 a, s64 b)
{
	return a / b;
}

static inline void *sim_zalloc(size_t size)
{
	return calloc(1, size ? size : 1);
}

static inline void sim_free(const void *p)
{
	free((void *)(uintptr_t)p);
}

#endif

static inline u16 sim_get16(const u8 *p)
{
	return (u16)(p[0] | p[1] << 8);
}

static inline u32 sim_get32(const u8 *p)
{
	return sim_get16(p) | (u32)sim_get16(p + 2) << 16;
}

static inline u64 sim_get64(const u8 *p)
{
	return sim_get32(p) | (u64)sim_get32(p + 4) << 32;
}

static inline void sim_put16(u8 *p, u16 v)
{
	p[0] = v & 0xff;
	p[1] = v >> 8;
}

static inline void sim_put32(u8 *p, u32 v)
{
	sim_put16(p, (u16)v);
	sim_put16(p + 2, (u16)(v >> 16));
}

static inline void sim_put64(u8 *p, u64 v)
{
	sim_put32(p, (u32)v);
	sim_put32(p + 4, (u32)(v >> 32));
}

static inline u32 sim_min(u32 a, u32 b)
{
	return a < b ? a : b;
}

#endif
