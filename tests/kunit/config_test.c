// SPDX-License-Identifier: GPL-2.0-only
#include <linux/prandom.h>
#include "../../kmod/config.h"
#include "blob.h"
#include "suites.h"

/* two slaves, 17 bits out and 9 bits in of the first, 4 bytes in of the second */
static struct blob *good(struct kunit *test)
{
	struct blob *b = blob_new(test);

	blob_bus(b, 1000000);
	blob_slave(b, 1, 0, KECAT_CFGS_ASSIGN | KECAT_CFGS_MAPPING);
	blob_sm(b, 2, KECAT_DIR_OUT, 0);
	blob_pdo(b, 0x1600);
	blob_entry(b, 0x7000, 1, 16);
	blob_pdo(b, 0x1601);
	blob_entry(b, 0x7010, 1, 1);
	blob_sm(b, 3, KECAT_DIR_IN, 0);
	blob_pdo(b, 0x1a00);
	blob_entry(b, 0x6000, 1, 8);
	blob_entry(b, 0, 0, 1);
	blob_slave(b, 2, 0, 0);
	blob_sm(b, 0, KECAT_DIR_IN, 4);
	return b;
}

static int parse(struct blob *b, u32 len, struct kecat_cfg_error *err)
{
	struct kecat_cfg *cfg = NULL;
	u8 *copy = kunit_kmalloc(b->test, len, GFP_KERNEL);
	int ret;

	KUNIT_ASSERT_NOT_NULL(b->test, copy);
	memcpy(copy, b->b, len);
	memset(err, 0, sizeof(*err));
	ret = kecat_config_parse(copy, len, &cfg, err);
	if (!ret)
		kecat_config_free(cfg);
	kunit_kfree(b->test, copy);
	return ret;
}

static void layout(struct kunit *test)
{
	struct blob *b = good(test);
	struct kecat_cfg_error err;
	struct kecat_cfg *cfg;

	KUNIT_ASSERT_EQ_MSG(test, kecat_config_parse(b->b, b->len, &cfg, &err), 0,
			    "%s", err.message);
	KUNIT_EXPECT_EQ(test, cfg->slaves, 2);
	KUNIT_EXPECT_EQ(test, cfg->npdos, 3);
	KUNIT_EXPECT_EQ(test, cfg->nentries, 4);
	KUNIT_EXPECT_EQ(test, cfg->groups, 1);
	KUNIT_EXPECT_EQ(test, cfg->out_len, 3);
	KUNIT_EXPECT_EQ(test, cfg->in_len, 6);
	KUNIT_EXPECT_EQ(test, cfg->slave[0].sm[0].bits, 17);
	KUNIT_EXPECT_EQ(test, cfg->slave[0].sm[0].len, 3);
	KUNIT_EXPECT_EQ(test, cfg->slave[0].in_len, 2);
	KUNIT_EXPECT_EQ(test, cfg->slave[1].in_offset, 2);
	KUNIT_EXPECT_EQ(test, cfg->slave[1].in_len, 4);
	KUNIT_EXPECT_EQ(test, cfg->bus.deadline_ns, 750000);
	kecat_config_free(cfg);
}

static void truncated(struct kunit *test)
{
	struct blob *b = good(test);
	struct kecat_cfg_error err;
	u32 len;

	/* whole elements may be missing at the end, part of one may not */
	for (len = 0; len < b->len; len++) {
		int ret = parse(b, len, &err);

		if (!ret) {
			KUNIT_EXPECT_EQ(test, len % 8, 0);
			continue;
		}
		KUNIT_EXPECT_EQ(test, ret, -EINVAL);
		KUNIT_EXPECT_NE(test, err.message[0], 0);
		KUNIT_EXPECT_LE(test, err.offset, len);
	}
}

static void mutated(struct kunit *test)
{
	struct blob *b = good(test);
	struct kecat_cfg_error err;
	struct rnd_state rnd;
	int i, ret, refused = 0;

	prandom_seed_state(&rnd, 1);
	for (i = 0; i < 2000; i++) {
		u32 r = prandom_u32_state(&rnd);
		u32 at = (r >> 8) % b->len;
		u8 old = b->b[at];

		b->b[at] ^= r | 1;
		ret = parse(b, b->len, &err);
		b->b[at] = old;
		if (!ret)
			continue;
		refused++;
		KUNIT_EXPECT_EQ(test, ret, -EINVAL);
		KUNIT_EXPECT_NE(test, err.message[0], 0);
		KUNIT_EXPECT_LT(test, err.offset, b->len);
	}
	/* lengths, flags and padding are most of it */
	KUNIT_EXPECT_GT(test, refused, 500);
	KUNIT_EXPECT_EQ(test, parse(b, b->len, &err), 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(layout),
	KUNIT_CASE(truncated),
	KUNIT_CASE(mutated),
	{}
};

struct kunit_suite kecat_config_suite = {
	.name = "kecat_config",
	.test_cases = cases,
};
