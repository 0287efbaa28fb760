// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/sii.c kmod/sii_parse.c tests/host/unit/rt.c
#include <linux/errno.h>
#include <linux/slab.h>
#include <string.h>
#include "master.h"
#include "rt.h"
#include "sii.h"
#include "slave.h"
#include "tap.h"
#include "xfer.h"

/* the EEPROM side of a controller */
static struct {
	struct kecat_slave s;
	struct kecat_master m;
	u8 image[8192];
	size_t size;		/* addresses wrap */
	bool wide;		/* 8 bytes a read */
	bool gone, stuck;
	u16 status;		/* error bits that stay */
	int nacks;		/* reads that are not acknowledged */
	u64 read_ns;
	u8 owner;
	u64 busy_until;
	u16 errors;
	u32 address;
	unsigned int reads, returned;
} chip;

static void begin(size_t size, bool wide)
{
	rt_reset();
	memset(&chip, 0, sizeof(chip));
	chip.s.master = &chip.m;
	chip.s.station = 0x1002;
	chip.size = size;
	chip.wide = wide;
	chip.read_ns = 300000;
	chip.owner = 1;
}

static void finish(void)
{
	/* whatever happened, the application has its EEPROM again */
	CHECK_EQ(chip.owner, 1);
	CHECK_EQ(rt_allocated(), 0);
}

static void put16(size_t at, u16 v)
{
	chip.image[at] = v;
	chip.image[at + 1] = v >> 8;
}

static int command(u16 cmd, u32 address)
{
	if (chip.owner)
		return -ENXIO;
	CHECK(rt_now() >= chip.busy_until);
	chip.errors = 0;
	if (!cmd)
		return 0;
	CHECK_EQ(cmd, EC_SII_READ);
	chip.address = address;
	chip.busy_until = rt_now() + chip.read_ns;
	chip.reads++;
	if (chip.nacks) {
		chip.nacks--;
		chip.errors = EC_SII_ERR_ACK;
	}
	return 0;
}

int kecat_fpwr(struct kecat_master *m, u16 station, u16 reg, const void *buf,
	       u16 len)
{
	const u8 *b = buf;

	CHECK(m == &chip.m);
	CHECK_EQ(station, 0x1002);
	rt_advance(30000);
	if (chip.gone)
		return -ENXIO;
	if (reg == EC_REG_SII_CONFIG) {
		CHECK_EQ(len, 1);
		CHECK(b[0] <= 2);
		chip.owner = b[0] == 1;
		chip.returned += b[0] == 1;
		return 0;
	}
	CHECK_EQ(reg, EC_REG_SII_CONTROL);
	CHECK_EQ(len, 6);
	return command(b[0] | b[1] << 8,
		       b[2] | b[3] << 8 | b[4] << 16 | (u32)b[5] << 24);
}

int kecat_fprd(struct kecat_master *m, u16 station, u16 reg, void *buf, u16 len)
{
	u16 status = chip.status | (chip.wide ? EC_SII_READ8 : 0);
	u8 *b = buf;
	u16 i;

	rt_advance(30000);
	if (chip.gone)
		return -ENXIO;
	CHECK_EQ(reg, EC_REG_SII_CONTROL);
	/* four data bytes: there is nothing at 0x050c */
	if (!chip.wide && len > 10)
		return -ENXIO;
	memset(b, 0xcc, len);
	if (chip.stuck || rt_now() < chip.busy_until)
		status |= EC_SII_BUSY;
	else
		status |= chip.errors;
	b[0] = status;
	b[1] = status >> 8;
	if (status & (EC_SII_BUSY | EC_SII_ERR_ACK))
		return 0;
	for (i = 6; i < len && i < (chip.wide ? 14 : 10); i++)
		b[i] = chip.image[(2 * (size_t)chip.address + i - 6) % chip.size];
	return 0;
}

/* a valid image of @bytes with one category that fills it */
static void good_image(size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		chip.image[i] = i * 7;
	put16(0x7c, 15);
	put16(0x80, 0x0900);
	put16(0x82, (bytes - 0x84 - 2) / 2);
	put16(bytes - 2, 0xffff);
}

TEST(read, "words are read from any place, 4 or 8 bytes at a time")
{
	u8 b[64];
	u32 word, words;
	int wide;

	for (wide = 0; wide < 2; wide++) {
		begin(2048, wide);
		good_image(2048);
		for (word = 0; word < 12; word++) {
			for (words = 0; words < 20; words++) {
				memset(b, 0xee, sizeof(b));
				CHECK_EQ(kecat_sii_read(&chip.s, word, words, b),
					 0);
				CHECK(!memcmp(b, chip.image + 2 * word,
					      2 * words));
				CHECK_EQ(b[2 * words], 0xee);
			}
		}
		finish();
	}
}

TEST(width, "a controller with 8 bytes a read needs half the reads")
{
	u8 b[128];

	begin(2048, true);
	CHECK_EQ(kecat_sii_read(&chip.s, 0, 64, b), 0);
	CHECK_EQ(chip.reads, 16);
	begin(2048, false);
	CHECK_EQ(kecat_sii_read(&chip.s, 0, 64, b), 0);
	CHECK_EQ(chip.reads, 32);
}

TEST(range, "nothing is read behind the largest EEPROM")
{
	u8 b[2];

	begin(2048, true);
	CHECK_EQ(kecat_sii_read(&chip.s, KECAT_SII_MAX / 2, 1, b), -EINVAL);
	CHECK_EQ(kecat_sii_read(&chip.s, 1, U32_MAX, b), -EINVAL);
	CHECK_EQ(kecat_sii_read(&chip.s, U32_MAX, 2, b), -EINVAL);
	CHECK_EQ(chip.reads, 0);
	finish();
}

TEST(nack, "a read that is not acknowledged is repeated, a few times")
{
	u8 b[16];

	begin(2048, true);
	good_image(2048);
	chip.nacks = 3;
	CHECK_EQ(kecat_sii_read(&chip.s, 8, 8, b), 0);
	CHECK(!memcmp(b, chip.image + 16, 16));
	finish();
	begin(2048, true);
	chip.nacks = 1000;
	CHECK_EQ(kecat_sii_read(&chip.s, 8, 8, b), -EIO);
	CHECK(chip.reads < 20);
	finish();
}

TEST(checksum, "checksum and loading errors alone do not stop a read")
{
	u8 b[16];

	begin(2048, true);
	good_image(2048);
	chip.status = EC_SII_ERR_CHECKSUM | EC_SII_ERR_LOADING;
	CHECK_EQ(kecat_sii_read(&chip.s, 8, 8, b), 0);
	CHECK(!memcmp(b, chip.image + 16, 16));
	finish();
}

TEST(old_error, "an error left by somebody before is acknowledged")
{
	u8 b[16];

	begin(2048, true);
	good_image(2048);
	chip.errors = EC_SII_ERR_ACK;
	CHECK_EQ(kecat_sii_read(&chip.s, 8, 8, b), 0);
	CHECK_EQ(chip.reads, 2);
	finish();
}

TEST(busy, "an interface that stays busy is given up in bounded time")
{
	u8 b[16];
	u64 t;

	begin(2048, true);
	chip.stuck = true;
	t = rt_now();
	CHECK_EQ(kecat_sii_read(&chip.s, 8, 8, b), -EBUSY);
	CHECK(rt_now() - t < 2000000000);
	finish();
}

TEST(gone, "a slave that is gone is an error at once")
{
	u8 b[16], *image;
	size_t len;

	begin(2048, true);
	chip.gone = true;
	CHECK_EQ(kecat_sii_read(&chip.s, 8, 8, b), -ENXIO);
	CHECK_EQ(kecat_sii_fetch(&chip.s, &image, &len), -ENXIO);
	CHECK(!image);
	finish();
}

TEST(killed, "a killed caller comes back and the EEPROM is given back")
{
	u8 *image;
	size_t len;

	begin(2048, true);
	good_image(2048);
	rt_kill_at(rt_now() + 3000000);
	CHECK_EQ(kecat_sii_fetch(&chip.s, &image, &len), -EINTR);
	CHECK(!image);
	finish();
}

TEST(fetch, "an image is fetched as far as its categories go")
{
	static const size_t sizes[] = { 0x86, 0x88, 0x100, 0x23a, 1024, 1026, 2048 };
	unsigned int i, wide;
	u8 *image;
	size_t len;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		for (wide = 0; wide < 2; wide++) {
			begin(4096, wide);
			memset(chip.image, 0xff, sizeof(chip.image));
			good_image(sizes[i]);
			CHECK_EQ(kecat_sii_fetch(&chip.s, &image, &len), 0);
			CHECK_EQ(len, sizes[i]);
			CHECK(!memcmp(image, chip.image, len));
			kvfree(image);
			/* no more than the read that the end is in */
			CHECK(chip.reads <= (len + 20) / (wide ? 8 : 4));
			finish();
		}
	}
}

TEST(not_loaded, "an EEPROM that is not loaded costs its header")
{
	u8 *image;
	size_t len;
	int fill;

	for (fill = 0; fill < 2; fill++) {
		begin(2048, true);
		memset(chip.image, fill ? 0xff : 0, sizeof(chip.image));
		CHECK_EQ(kecat_sii_fetch(&chip.s, &image, &len), 0);
		CHECK_EQ(len, KECAT_SII_HEADER);
		CHECK_EQ(chip.reads, KECAT_SII_HEADER / 8);
		kvfree(image);
		finish();
	}
}

TEST(no_end, "without an end mark the size word ends it")
{
	u8 *image;
	size_t len;

	/* the only category is longer than the EEPROM, which is said to be 8 KiB */
	begin(8192, true);
	good_image(2048);
	put16(0x7c, 63);
	put16(0x82, 0xffff);
	CHECK_EQ(kecat_sii_fetch(&chip.s, &image, &len), 0);
	CHECK_EQ(len, 8192);
	kvfree(image);
	finish();
}

TEST(small_word, "a size word that is too small does not cut an image")
{
	u8 *image;
	size_t len;

	begin(8192, true);
	good_image(2048);
	put16(0x7c, 0);
	CHECK_EQ(kecat_sii_fetch(&chip.s, &image, &len), 0);
	CHECK_EQ(len, 2048);
	kvfree(image);
	finish();
}

TEST(no_memory, "no memory is an error, not a crash")
{
	u8 *image;
	size_t len;
	int i;

	for (i = 1; i < 5; i++) {
		begin(8192, true);
		good_image(2048);
		rt_fail_alloc(i);
		/* without room to look at the size word the least is read */
		if (kecat_sii_fetch(&chip.s, &image, &len))
			CHECK(!image && !len);
		else
			CHECK_EQ(len, 2048);
		kvfree(image);
		finish();
	}
}
