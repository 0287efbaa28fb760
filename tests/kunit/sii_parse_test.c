// SPDX-License-Identifier: GPL-2.0-only
#include <linux/prandom.h>
#include "../../kmod/sii_parse.h"
#include "suites.h"

#define ROOM	32

/* header of a device with mailbox, categories: strings, general, SM, TXPDO */
static const u8 tail[] = {
	10, 0, 6, 0, 2, 5, 'N', 'a', 'm', 'e', '\n', 3, 'O', 'r', 'd', 0,
	30, 0, 8, 0, 0, 0, 2, 1, 0, 0x23, 0, 0, 0, 0, 0, 2, 100, 0, 0, 0,
	41, 0, 8, 0, 0x00, 0x10, 0x80, 0x00, 0x26, 0, 1, 1,
		     0x00, 0x11, 0x00, 0x00, 0x20, 0, 1, 4,
	50, 0, 12, 0, 0x00, 0x1a, 2, 1, 0, 0, 0, 0,
		      0x00, 0x60, 1, 2, 1, 1, 0, 0,
		      0x00, 0x00, 0, 0, 0, 7, 0, 0,
	0xff, 0xff,
};

#define IMAGE_LEN	(KECAT_SII_HEADER + sizeof(tail))

static void make(u8 *image)
{
	memset(image, 0, KECAT_SII_HEADER);
	image[0x10] = 0x02;
	image[0x14] = 0x52;
	image[0x30 + 1] = 0x10;
	image[0x32] = 128;
	image[14] = kecat_sii_crc(image, 14);
	memcpy(image + KECAT_SII_HEADER, tail, sizeof(tail));
}

static void good(struct kunit *test)
{
	struct kecat_sii_info *info = kunit_kzalloc(test, sizeof(*info), GFP_KERNEL);
	struct kecat_pdo_entry *e = kunit_kcalloc(test, ROOM, sizeof(*e), GFP_KERNEL);
	u8 image[IMAGE_LEN];
	bool done;

	KUNIT_ASSERT_NOT_NULL(test, info);
	KUNIT_ASSERT_NOT_NULL(test, e);
	make(image);
	kecat_sii_parse(image, sizeof(image), info, e, ROOM);
	KUNIT_EXPECT_EQ(test, info->faults, 0);
	KUNIT_EXPECT_EQ(test, info->vendor, 2);
	KUNIT_EXPECT_EQ(test, info->product, 0x52);
	KUNIT_EXPECT_EQ(test, info->mbx_out, 0x1000);
	KUNIT_EXPECT_EQ(test, info->mbx_out_size, 128);
	KUNIT_EXPECT_STREQ(test, info->name, "Name?");
	KUNIT_EXPECT_STREQ(test, info->order, "Ord");
	KUNIT_EXPECT_EQ(test, info->coe_details, 0x23);
	KUNIT_EXPECT_EQ(test, info->ebus_ma, 100);
	KUNIT_EXPECT_EQ(test, info->nsms, 2);
	KUNIT_EXPECT_EQ(test, info->sm[1].len, 0);
	KUNIT_EXPECT_EQ(test, info->sm[1].enable, 1);
	KUNIT_EXPECT_EQ(test, info->nentries, 2);
	KUNIT_EXPECT_EQ(test, e[0].index, 0x6000);
	KUNIT_EXPECT_STREQ(test, e[0].name, "Ord");
	KUNIT_EXPECT_EQ(test, e[1].bits, 7);
	KUNIT_EXPECT_EQ(test, kecat_sii_extent(image, sizeof(image), &done),
			sizeof(image));
	KUNIT_EXPECT_TRUE(test, done);
}

static void not_loaded(struct kunit *test)
{
	struct kecat_sii_info *info = kunit_kzalloc(test, sizeof(*info), GFP_KERNEL);
	u8 image[KECAT_SII_HEADER + 64];

	KUNIT_ASSERT_NOT_NULL(test, info);
	memset(image, 0xff, sizeof(image));
	kecat_sii_parse(image, sizeof(image), info, NULL, 0);
	KUNIT_EXPECT_EQ(test, info->faults, KECAT_SII_EMPTY);
	KUNIT_EXPECT_EQ(test, info->mbx_out_size, 0);
}

static void check_any(struct kunit *test, const u8 *image, size_t len)
{
	struct kecat_pdo_entry e[4];
	struct kecat_sii_info *info = kunit_kzalloc(test, sizeof(*info), GFP_KERNEL);
	u8 *copy = kunit_kmalloc(test, len, GFP_KERNEL);
	size_t extent;
	bool done;

	KUNIT_ASSERT_NOT_NULL(test, info);
	KUNIT_ASSERT_NOT_NULL(test, copy);
	memcpy(copy, image, len);
	kecat_sii_parse(copy, len, info, e, ARRAY_SIZE(e));
	KUNIT_EXPECT_LE(test, info->nentries, (u32)ARRAY_SIZE(e));
	KUNIT_EXPECT_LE(test, info->nsms, KECAT_SII_MAX_SMS);
	KUNIT_EXPECT_LT(test, strnlen(info->name, sizeof(info->name)), sizeof(info->name));
	extent = kecat_sii_extent(copy, len, &done);
	KUNIT_EXPECT_TRUE(test, done ? extent <= len : extent + 4 > len);
	kunit_kfree(test, copy);
	kunit_kfree(test, info);
}

static void truncated(struct kunit *test)
{
	u8 image[IMAGE_LEN];
	size_t len;

	make(image);
	for (len = 0; len <= sizeof(image); len++)
		check_any(test, image, len);
}

static void mutated(struct kunit *test)
{
	struct rnd_state rnd;
	u8 image[IMAGE_LEN];
	int i, k;

	prandom_seed_state(&rnd, 1);
	for (i = 0; i < 2000; i++) {
		make(image);
		for (k = 0; k < 4; k++) {
			u32 r = prandom_u32_state(&rnd);

			image[(r >> 8) % sizeof(image)] = r;
		}
		check_any(test, image, sizeof(image));
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(good),
	KUNIT_CASE(not_loaded),
	KUNIT_CASE(truncated),
	KUNIT_CASE(mutated),
	{}
};

struct kunit_suite kecat_sii_parse_suite = {
	.name = "kecat_sii_parse",
	.test_cases = cases,
};
