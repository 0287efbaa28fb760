/* SPDX-License-Identifier: GPL-2.0-only */
/* Making configuration blobs */
#ifndef KECAT_KUNIT_BLOB_H
#define KECAT_KUNIT_BLOB_H

#include <kunit/test.h>
#include <linux/string.h>
#include "../../kmod/config.h"

#define BLOB_MAX	16384

struct blob {
	struct kunit *test;
	u32 len;
	u8 b[BLOB_MAX] __aligned(8);
};

static inline struct blob *blob_new(struct kunit *test)
{
	struct blob *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, b);
	b->test = test;
	return b;
}

static inline void blob_add(struct blob *b, u16 type, const void *data, u32 len)
{
	struct kecat_cfg_tlv *t = (void *)(b->b + b->len);

	KUNIT_ASSERT_LE(b->test, b->len + sizeof(*t) + len + 8, (size_t)BLOB_MAX);
	t->type = type;
	t->len = len;
	memcpy(t + 1, data, len);
	b->len += sizeof(*t) + ALIGN(len, 8);
}

static inline void blob_bus(struct blob *b, u64 cycle_ns)
{
	struct kecat_cfg_bus e = { .cycle_ns = cycle_ns };

	blob_add(b, KECAT_CFG_BUS, &e, sizeof(e));
}

static inline void blob_slave(struct blob *b, u32 position, u16 group, u32 flags)
{
	struct kecat_cfg_slave e = {
		.position = position, .group = group, .flags = flags,
	};

	blob_add(b, KECAT_CFG_SLAVE, &e, sizeof(e));
}

static inline void blob_sm(struct blob *b, u8 index, u8 dir, u16 len)
{
	struct kecat_cfg_sm e = { .index = index, .dir = dir, .len = len };

	blob_add(b, KECAT_CFG_SM, &e, sizeof(e));
}

static inline void blob_pdo(struct blob *b, u16 index)
{
	struct kecat_cfg_pdo e = { .index = index };

	blob_add(b, KECAT_CFG_PDO, &e, sizeof(e));
}

static inline void blob_entry(struct blob *b, u16 index, u8 subindex, u8 bits)
{
	struct kecat_cfg_entry e = {
		.index = index, .subindex = subindex, .bits = bits,
	};

	blob_add(b, KECAT_CFG_ENTRY, &e, sizeof(e));
}

#endif
