// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/mbx.c kmod/coe.c
// sources: tests/host/unit/fake_slave.c tests/host/unit/fake_sdo.c tests/host/unit/rt.c
#include <linux/errno.h>
#include <string.h>
#include "coe.h"
#include "fake_slave.h"
#include "rt.h"
#include "tap.h"

#define BIG	KECAT_MAX_SDO

static struct fake fake, *f = &fake;
static u8 data[BIG + 16], back[BIG + 16];

static void begin(u16 out_size, u16 in_size)
{
	fake_init(f, out_size, in_size);
	CHECK_EQ(kecat_mbx_start(&f->s, FAKE_OUT, out_size, FAKE_IN, in_size), 0);
}

static void fill(u32 len)
{
	u32 i;

	f->seed = len;
	for (i = 0; i < len; i++)
		data[i] = fake_rnd(f, 256);
}

static void check_up(u32 len)
{
	u32 got, abort;

	memset(back, 0xee, sizeof(back));
	CHECK_EQ(kecat_coe_upload(&f->s, 0x3000, 0, 0, back, BIG, &got, &abort,
				  0), 0);
	CHECK_EQ(abort, 0);
	CHECK_EQ(got, len);
	CHECK(!memcmp(back, data, len));
	CHECK_EQ(back[len], 0xee);
}

static void check_down(u32 len)
{
	struct fake_object *o = fake_find(f, 0x3000, 0, false);
	u32 abort, writes = o->writes;

	CHECK_EQ(kecat_coe_download(&f->s, 0x3000, 0, 0, data, len, &abort, 0),
		 0);
	CHECK_EQ(abort, 0);
	CHECK_EQ(o->writes, writes + 1);
	CHECK_EQ(o->len, len);
	CHECK(!memcmp(o->data, data, len));
}

static void check_both_ways(u16 out_size, u16 in_size, u32 len)
{
	begin(out_size, in_size);
	fake_object(f, 0x3000, 0, NULL, 0, BIG);
	fill(len);
	check_down(len);
	check_up(len);
	f->segments = true;
	if (len)
		check_up(len);
	fake_settle(f);
	CHECK_EQ(f->aborts, 0);
	fake_exit(f);
}

TEST(sizes, "objects of 0 to 300 bytes go both ways, whatever the mailbox")
{
	static const u16 boxes[] = { 16, 17, 23, 24, 64, 128, 256 };
	unsigned int i;
	u32 len;

	for (i = 0; i < ARRAY_SIZE(boxes); i++)
		for (len = 0; len <= 300; len += 1 + len / 40)
			check_both_ways(boxes[i], boxes[ARRAY_SIZE(boxes) - 1 - i],
					len);
}

TEST(big, "the largest object goes both ways")
{
	check_both_ways(1024, 1024, BIG);
	check_both_ways(128, 1486, BIG);
	check_both_ways(1486, 128, BIG - 1);
}

TEST(too_big, "nothing larger than the largest object is begun")
{
	u32 got, abort;

	begin(128, 128);
	CHECK_EQ(kecat_coe_download(&f->s, 0x3000, 0, 0, data, BIG + 1, &abort,
				    0), -EINVAL);
	CHECK_EQ(f->requests, 0);
	fake_object(f, 0x3000, 0, NULL, BIG + 8, BIG + 8);
	CHECK_EQ(kecat_coe_upload(&f->s, 0x3000, 0, 0, back, BIG + 16, &got,
				  &abort, 0), -ENOSPC);
	CHECK_EQ(got, BIG + 8);
	fake_settle(f);
	CHECK_EQ(f->aborts, 1);
	fake_exit(f);
}

TEST(room, "an object longer than the caller's room says how long, and is ended")
{
	u32 got, abort;

	begin(128, 128);
	fill(200);
	fake_object(f, 0x3000, 0, data, 200, 200);
	fake_object(f, 0x3001, 0, data, 4, 4);
	memset(back, 0xee, sizeof(back));
	CHECK_EQ(kecat_coe_upload(&f->s, 0x3000, 0, 0, back, 199, &got, &abort,
				  0), -ENOSPC);
	CHECK_EQ(got, 200);
	CHECK_EQ(back[0], 0xee);
	fake_settle(f);
	CHECK_EQ(f->aborts, 1);
	CHECK_EQ(f->abort_code, 0x05040005);
	CHECK_EQ(kecat_coe_upload(&f->s, 0x3001, 0, 0, back, 3, &got, &abort,
				  0), -ENOSPC);
	CHECK_EQ(got, 4);
	/* nothing was under way: nothing to abort */
	fake_settle(f);
	CHECK_EQ(f->aborts, 1);
	check_up(200);
	fake_exit(f);
}

TEST(abort, "the slave's abort code is handed on")
{
	u32 got, abort;

	begin(128, 128);
	CHECK_EQ(kecat_coe_upload(&f->s, 0x3000, 0, 0, back, 4, &got, &abort,
				  0), -EREMOTEIO);
	CHECK_EQ(abort, 0x06020000);
	fake_object(f, 0x3000, 0, data, 4, 4);
	f->objects[0].fixed = true;
	CHECK_EQ(kecat_coe_download(&f->s, 0x3000, 0, 0, data, 4, &abort, 0),
		 -EREMOTEIO);
	CHECK_EQ(abort, 0x06010002);
	f->objects[0].fixed = false;
	CHECK_EQ(kecat_coe_download(&f->s, 0x3000, 0, 0, data, 200, &abort, 0),
		 -EREMOTEIO);
	CHECK_EQ(abort, 0x06070012);
	fake_settle(f);
	CHECK_EQ(f->aborts, 0);
	fake_exit(f);
}

TEST(complete, "complete access: subindex 0 or 1, and only if the device has it")
{
	static const u8 wire[] = { 3, 0, 1, 2, 3 };
	u32 got, abort;

	begin(128, 128);
	fake_object(f, 0x1c00, 0, wire, sizeof(wire), 8);
	f->objects[0].complete = true;
	f->s.sii.mbx_protocols = 0x04;
	CHECK_EQ(kecat_coe_upload(&f->s, 0x1c00, 0, KECAT_SDO_COMPLETE, back, 8,
				  &got, &abort, 0), -EOPNOTSUPP);
	f->s.sii.coe_details = 0x20;
	CHECK_EQ(kecat_coe_upload(&f->s, 0x1c00, 2, KECAT_SDO_COMPLETE, back, 8,
				  &got, &abort, 0), -EINVAL);
	CHECK_EQ(kecat_coe_upload(&f->s, 0x1c00, 0, 0x80, back, 8, &got, &abort,
				  0), -EINVAL);
	CHECK_EQ(f->requests, 0);
	CHECK_EQ(kecat_coe_upload(&f->s, 0x1c00, 0, KECAT_SDO_COMPLETE, back, 8,
				  &got, &abort, 0), 0);
	CHECK_EQ(got, sizeof(wire));
	CHECK(!memcmp(back, wire, sizeof(wire)));
	CHECK_EQ(kecat_coe_download(&f->s, 0x1c00, 0, KECAT_SDO_COMPLETE, wire,
				    4, &abort, 0), 0);
	CHECK_EQ(f->objects[0].len, 4);
	/* an image of the SII that knows nothing forbids nothing */
	f->s.sii.mbx_protocols = 0;
	f->s.sii.coe_details = 0;
	CHECK_EQ(kecat_coe_upload(&f->s, 0x1c00, 0, KECAT_SDO_COMPLETE, back, 8,
				  &got, &abort, 0), 0);
	fake_exit(f);
}

TEST(no_coe, "a device without CoE is not asked")
{
	u32 got, abort;

	begin(128, 128);
	f->s.sii.mbx_protocols = 0x02;
	CHECK_EQ(kecat_coe_upload(&f->s, 0x1000, 0, 0, back, 4, &got, &abort,
				  0), -EOPNOTSUPP);
	CHECK_EQ(f->requests, 0);
	fake_exit(f);
}

/* ---- answers that are wrong ---- */

static const u8 *script[8];
static u16 script_len[8];
static int scripted, at;

/* .. a telegram, from the CoE header on, for each request */
static void reader(struct fake *f, u8 type, const u8 *d, u16 len)
{
	if (d[2] >> 5 == 4) {
		f->aborts++;
		f->abort_code = d[6] | d[7] << 8 | d[8] << 16 | (u32)d[9] << 24;
	} else if (at < scripted) {
		fake_say(f, EC_MBX_COE, script[at], script_len[at]);
		at++;
	}
}

static void say(const void *telegram, u16 len)
{
	script[scripted] = telegram;
	script_len[scripted++] = len;
}

static void begin_script(void)
{
	begin(128, 128);
	f->app = reader;
	scripted = 0;
	at = 0;
}

/* what the upload of 0x3000:00 into 64 bytes returns, and aborts */
static int hostile_upload(unsigned int aborts)
{
	u32 got, abort;
	int ret;

	memset(back, 0xee, sizeof(back));
	ret = kecat_coe_upload(&f->s, 0x3000, 0, 0, back, 64, &got, &abort, 50);
	fake_settle(f);
	CHECK_EQ(f->aborts, aborts);
	CHECK_EQ(back[64], 0xee);
	fake_exit(f);
	return ret;
}

#define SAY(...) do {							\
	static const u8 __t[] = { __VA_ARGS__ };			\
	say(__t, sizeof(__t));						\
} while (0)

TEST(short_answers, "answers too short for what they say are refused")
{
	u8 full[10] = { 0, 0x30, 0x43, 0x00, 0x30, 0, 1, 2, 3, 4 };
	u16 len;

	for (len = 0; len < 10; len++) {
		begin_script();
		say(full, len);
		CHECK_EQ(hostile_upload(0), -EPROTO);
	}
	begin_script();
	say(full, 10);
	CHECK_EQ(hostile_upload(0), 0);
}

TEST(wrong_command, "an answer to another service for our object is refused")
{
	begin_script();
	SAY(0, 0x30, 0x60, 0x00, 0x30, 0, 0, 0, 0, 0);
	CHECK_EQ(hostile_upload(0), -EPROTO);
}

TEST(other_service, "what is no SDO answer is passed over")
{
	begin_script();
	SAY(0, 0x80, 0x43, 0x00, 0x30, 0, 0, 0, 0, 0);
	CHECK_EQ(hostile_upload(0), -ETIMEDOUT);
}

TEST(normal_long, "more bytes than announced are not copied")
{
	begin_script();
	SAY(0, 0x30, 0x41, 0x00, 0x30, 0, 2, 0, 0, 0, 9, 8, 7, 6, 5, 4, 3, 2);
	CHECK_EQ(hostile_upload(0), 0);
	CHECK_EQ(back[1], 8);
	CHECK_EQ(back[2], 0xee);
}

TEST(huge_size, "an announced size beyond all bounds is refused")
{
	begin_script();
	SAY(0, 0x30, 0x41, 0x00, 0x30, 0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3);
	CHECK_EQ(hostile_upload(1), -ENOSPC);
}

#define ANNOUNCE_20 SAY(0, 0x30, 0x41, 0x00, 0x30, 0, 20, 0, 0, 0)
#define ONE_TO_TEN 1, 2, 3, 4, 5, 6, 7, 8, 9, 10

TEST(segment_over, "a segment beyond the announced size ends in an abort")
{
	begin_script();
	ANNOUNCE_20;
	SAY(0, 0x30, 0x00, ONE_TO_TEN);
	SAY(0, 0x30, 0x10, ONE_TO_TEN, 11);
	CHECK_EQ(hostile_upload(1), -EPROTO);
	CHECK_EQ(f->abort_code, 0x06070010);
}

TEST(segment_toggle, "a segment with the wrong toggle ends in an abort")
{
	begin_script();
	ANNOUNCE_20;
	SAY(0, 0x30, 0x00, ONE_TO_TEN);
	SAY(0, 0x30, 0x00, ONE_TO_TEN, 1);
	CHECK_EQ(hostile_upload(1), -EPROTO);
	CHECK_EQ(f->abort_code, 0x05030000);
}

TEST(segment_empty, "segments without data do not go on for ever")
{
	begin_script();
	ANNOUNCE_20;
	SAY(0, 0x30, 0x00);
	CHECK_EQ(hostile_upload(1), -EPROTO);
	begin_script();
	ANNOUNCE_20;
	SAY(0, 0x30, 0x0e, 0, 0, 0, 0, 0, 0, 0);
	CHECK_EQ(hostile_upload(1), -EPROTO);
}

TEST(segment_short, "a last segment that comes early gives what there is")
{
	begin_script();
	ANNOUNCE_20;
	SAY(0, 0x30, 0x01, ONE_TO_TEN);
	CHECK_EQ(hostile_upload(0), 0);
	CHECK_EQ(back[9], 10);
	CHECK_EQ(back[10], 0xee);
}

TEST(segment_silence, "silence in the middle ends in an abort")
{
	begin_script();
	ANNOUNCE_20;
	CHECK_EQ(hostile_upload(1), -ETIMEDOUT);
	CHECK_EQ(f->abort_code, 0x05040000);
}

TEST(segment_abort, "an abort in the middle is handed on, and not answered")
{
	u32 got, abort;

	begin_script();
	ANNOUNCE_20;
	SAY(0, 0x20, 0x80, 0x00, 0x30, 0, 0x21, 0, 0, 0x08);
	CHECK_EQ(kecat_coe_upload(&f->s, 0x3000, 0, 0, back, 64, &got, &abort,
				  50), -EREMOTEIO);
	CHECK_EQ(abort, 0x08000021);
	fake_settle(f);
	CHECK_EQ(f->aborts, 0);
	fake_exit(f);
}

TEST(download_toggle, "a download acknowledged with the wrong toggle is aborted")
{
	u32 abort;

	begin_script();
	SAY(0, 0x30, 0x60, 0x00, 0x30, 0, 0, 0, 0, 0);
	SAY(0, 0x30, 0x30, 0, 0, 0, 0, 0, 0, 0);
	CHECK_EQ(kecat_coe_download(&f->s, 0x3000, 0, 0, data, 300, &abort, 50),
		 -EPROTO);
	fake_settle(f);
	CHECK_EQ(f->aborts, 1);
	fake_exit(f);
}

TEST(after_trouble, "after an abort the next transfer is clean")
{
	begin(128, 128);
	f->app = reader;
	scripted = 0;
	at = 0;
	ANNOUNCE_20;
	SAY(0, 0x30, 0x10, ONE_TO_TEN);
	fill(40);
	fake_object(f, 0x3000, 0, data, 40, 64);
	CHECK_EQ(kecat_coe_upload(&f->s, 0x3000, 0, 0, back, 64,
				  &(u32){ 0 }, &(u32){ 0 }, 50), -EPROTO);
	f->app = fake_sdo_server;
	check_up(40);
	check_down(40);
	fake_exit(f);
}

/* 0x1c00 and 0x1c12 of a LAN9252, as captured: complete access */
TEST(captured, "captured answers to complete access are read")
{
	u32 got, abort;

	begin_script();
	SAY(0, 0x30, 0x51, 0x00, 0x1c, 0, 6, 0, 0, 0, 4, 0, 1, 2, 3, 4);
	SAY(0, 0x30, 0x53, 0x12, 0x1c, 0, 1, 0, 1, 0x16);
	CHECK_EQ(kecat_coe_upload(&f->s, 0x1c00, 0, KECAT_SDO_COMPLETE, back, 64,
				  &got, &abort, 0), 0);
	CHECK_EQ(got, 6);
	CHECK(!memcmp(back, "\x04\x00\x01\x02\x03\x04", 6));
	CHECK_EQ(kecat_coe_upload(&f->s, 0x1c12, 0, KECAT_SDO_COMPLETE, back, 64,
				  &got, &abort, 0), 0);
	CHECK_EQ(got, 4);
	CHECK(!memcmp(back, "\x01\x00\x01\x16", 4));
	fake_exit(f);
}
