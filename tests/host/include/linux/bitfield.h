/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BITFIELD_H
#define HOST_LINUX_BITFIELD_H
#include <linux/bits.h>
#define __bf_shf(m)	(__builtin_ffsll(m) - 1)
#define FIELD_GET(m, v)	((typeof(m))(((v) & (m)) >> __bf_shf(m)))
#define FIELD_PREP(m, v) ((typeof(m))(((typeof(m))(v) << __bf_shf(m)) & (m)))
#define FIELD_MAX(m)	((typeof(m))((m) >> __bf_shf(m)))
#define FIELD_FIT(m, v)	(!((((typeof(m))(v)) << __bf_shf(m)) & ~(m)))
#endif
