// SPDX-License-Identifier: GPL-2.0-only
#include <linux/if_ether.h>
#include "../../kmod/frame.h"
#include "suites.h"

#define ROOM	256	/* all frames here are shorter */

static const u8 mac[ETH_ALEN] = { 0x00, 0x1b, 0x21, 0x01, 0x02, 0x03 };

static unsigned int build(u8 *buf, u32 tag)
{
	struct kecat_frame_builder b;
	u8 *data;

	kecat_frame_begin(&b, buf, mac, tag);
	data = kecat_frame_add(&b, EC_BRD, 1, 0, 0x130, 2);
	memset(data, 0, 2);
	data = kecat_frame_add(&b, EC_FPWR, 2, 0x1001, 0x120, 2);
	memset(data, 0x5a, 2);
	return kecat_frame_end(&b);
}

static void bytes(struct kunit *test)
{
	static const u8 want[] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00, 0x1b, 0x21, 0x01,
		0x02, 0x03, 0x88, 0xa4, 0x2c, 0x10,
		/* NOP on 0x0900 with the tag */
		0x00, 0x00, 0x00, 0x00, 0x00, 0x09, 0x04, 0x80, 0x00, 0x00,
		0x78, 0x56, 0x34, 0x12, 0x00, 0x00,
		/* BRD of the AL status */
		0x07, 0x01, 0x00, 0x00, 0x30, 0x01, 0x02, 0x80, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00,
		/* FPWR of the AL control, the last one */
		0x05, 0x02, 0x01, 0x10, 0x20, 0x01, 0x02, 0x00, 0x00, 0x00,
		0x5a, 0x5a, 0x00, 0x00,
	};
	u8 buf[ROOM];

	memset(buf, 0xcc, sizeof(buf));
	KUNIT_EXPECT_EQ(test, build(buf, 0x12345678), (unsigned int)sizeof(want));
	KUNIT_EXPECT_EQ(test, memcmp(buf, want, sizeof(want)), 0);
	KUNIT_EXPECT_EQ(test, buf[sizeof(want)], 0xcc);
}

static void minimum(struct kunit *test)
{
	struct kecat_frame_builder b;
	u8 buf[ROOM];
	unsigned int i;

	memset(buf, 0xcc, sizeof(buf));
	kecat_frame_begin(&b, buf, mac, 1);
	KUNIT_EXPECT_EQ(test, kecat_frame_end(&b), (unsigned int)KECAT_FRAME_MIN);
	for (i = KECAT_FRAME_BODY; i < KECAT_FRAME_MIN; i++)
		KUNIT_EXPECT_EQ(test, buf[i], 0);
	KUNIT_EXPECT_EQ(test, buf[KECAT_FRAME_MIN], 0xcc);
}

static void accepted(struct kunit *test)
{
	u8 buf[ROOM];
	unsigned int len = build(buf, 0xdeadbeef);
	u32 tag = 0;

	KUNIT_EXPECT_EQ(test, kecat_frame_check(buf, len, mac, &tag), 0x2c);
	KUNIT_EXPECT_EQ(test, tag, 0xdeadbeef);
	/* as the first controller sends it on */
	buf[6] |= EC_SRC_RETURNED;
	tag = 0;
	KUNIT_EXPECT_EQ(test, kecat_frame_check(buf, len, mac, &tag), 0x2c);
	KUNIT_EXPECT_EQ(test, tag, 0xdeadbeef);
}

/* allocated to measure, so that KASAN sees a read behind the frame */
static void short_frames(struct kunit *test)
{
	u8 buf[ROOM];
	unsigned int len, full = build(buf, 7);
	u32 tag;
	u8 *copy;

	for (len = 0; len < full; len++) {
		copy = kunit_kmalloc(test, len, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, copy);
		memcpy(copy, buf, len);
		KUNIT_EXPECT_EQ(test, kecat_frame_check(copy, len, mac, &tag),
				-EBADMSG);
		kunit_kfree(test, copy);
	}
}

static void foreign(struct kunit *test)
{
	/* offset and what it is changed by */
	static const u8 change[][2] = {
		{ 6, 0x04 }, { 7, 0x01 }, { 11, 0x01 },		/* source */
		{ 12, 0x01 }, { 13, 0x01 },			/* EtherType */
		{ 15, 0x50 },					/* type */
		{ 16, 0x01 },					/* NOP */
		{ 18, 0x01 }, { 20, 0x01 }, { 22, 0x01 },	/* its header */
	};
	u8 buf[ROOM];
	unsigned int i, len = build(buf, 7);
	u32 tag;

	for (i = 0; i < ARRAY_SIZE(change); i++) {
		buf[change[i][0]] ^= change[i][1];
		KUNIT_EXPECT_EQ_MSG(test, kecat_frame_check(buf, len, mac, &tag),
				    -EBADMSG, "byte %u", change[i][0]);
		buf[change[i][0]] ^= change[i][1];
	}
	KUNIT_EXPECT_GT(test, kecat_frame_check(buf, len, mac, &tag), 0);
}

static void answers(struct kunit *test)
{
	struct ec_dgram_hdr h = {
		.cmd = EC_FPRD, .idx = 9, .adp = cpu_to_le16(0x1001),
		.ado = cpu_to_le16(0x130), .len = cpu_to_le16(2 | EC_DGRAM_MORE),
	};

	KUNIT_EXPECT_TRUE(test, kecat_dgram_answers(&h, EC_FPRD, 9, 0x1001, 0x130, 2, EC_DGRAM_MORE));
	KUNIT_EXPECT_FALSE(test, kecat_dgram_answers(&h, EC_FPWR, 9, 0x1001, 0x130, 2, EC_DGRAM_MORE));
	KUNIT_EXPECT_FALSE(test, kecat_dgram_answers(&h, EC_FPRD, 8, 0x1001, 0x130, 2, EC_DGRAM_MORE));
	KUNIT_EXPECT_FALSE(test, kecat_dgram_answers(&h, EC_FPRD, 9, 0x1002, 0x130, 2, EC_DGRAM_MORE));
	KUNIT_EXPECT_FALSE(test, kecat_dgram_answers(&h, EC_FPRD, 9, 0x1001, 0x131, 2, EC_DGRAM_MORE));
	KUNIT_EXPECT_FALSE(test, kecat_dgram_answers(&h, EC_FPRD, 9, 0x1001, 0x130, 4, EC_DGRAM_MORE));
	KUNIT_EXPECT_FALSE(test, kecat_dgram_answers(&h, EC_FPRD, 9, 0x1001, 0x130, 2, 0));
	h.len |= cpu_to_le16(EC_DGRAM_CIRC);
	KUNIT_EXPECT_FALSE(test, kecat_dgram_answers(&h, EC_FPRD, 9, 0x1001, 0x130, 2, EC_DGRAM_MORE));
	KUNIT_EXPECT_TRUE(test, kecat_dgram_answers(&h, EC_FPRD, 9, 0x1001, 0x130, 2,
						    EC_DGRAM_MORE | EC_DGRAM_CIRC));
}

/* every slave counts these up, so the address that comes back is another */
static void moving_address(struct kunit *test)
{
	static const u8 moves[] = { EC_APRD, EC_APWR, EC_APRW, EC_BRD, EC_BWR, EC_BRW, EC_ARMW };
	static const u8 stays[] = { EC_NOP, EC_FPRD, EC_FPWR, EC_FPRW, EC_LRD, EC_LWR, EC_LRW,
				    EC_FRMW };
	struct ec_dgram_hdr h = { .adp = cpu_to_le16(3), .len = cpu_to_le16(1) };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(moves); i++) {
		h.cmd = moves[i];
		KUNIT_EXPECT_TRUE(test, kecat_dgram_answers(&h, moves[i], 0, 0, 0, 1, 0));
	}
	for (i = 0; i < ARRAY_SIZE(stays); i++) {
		h.cmd = stays[i];
		KUNIT_EXPECT_FALSE(test, kecat_dgram_answers(&h, stays[i], 0, 0, 0, 1, 0));
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(bytes),
	KUNIT_CASE(minimum),
	KUNIT_CASE(accepted),
	KUNIT_CASE(short_frames),
	KUNIT_CASE(foreign),
	KUNIT_CASE(answers),
	KUNIT_CASE(moving_address),
	{}
};

struct kunit_suite kecat_frame_suite = {
	.name = "kecat_frame",
	.test_cases = cases,
};
