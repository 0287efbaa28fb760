// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/sii_parse.c
#include <string.h>
#include "sii_parse.h"
#include "tap.h"

/* ---- images made here ---- */

struct image {
	u8 b[8192];
	size_t len;
};

static void put16(struct image *m, size_t at, u16 v)
{
	m->b[at] = v;
	m->b[at + 1] = v >> 8;
}

static void put32(struct image *m, size_t at, u32 v)
{
	put16(m, at, v);
	put16(m, at + 2, v >> 16);
}

static void header(struct image *m)
{
	memset(m, 0, sizeof(*m));
	put16(m, 0, 0x0c08);
	put16(m, 8, 0x1234);
	put32(m, 0x10, 0xaabb);
	put32(m, 0x14, 0x11223344);
	put32(m, 0x18, 0x00120000);
	put32(m, 0x1c, 77);
	put16(m, 0x28, 0x1800);
	put16(m, 0x2a, 256);
	put16(m, 0x2c, 0x1c00);
	put16(m, 0x2e, 257);
	put16(m, 0x30, 0x1000);
	put16(m, 0x32, 128);
	put16(m, 0x34, 0x1080);
	put16(m, 0x36, 130);
	put16(m, 0x38, 0x000c);
	put16(m, 0x7c, 15);
	put16(m, 0x7e, 1);
	m->b[14] = kecat_sii_crc(m->b, 14);
	m->len = KECAT_SII_HEADER;
}

static void category(struct image *m, u16 type, const void *data, size_t bytes)
{
	put16(m, m->len, type);
	put16(m, m->len + 2, bytes / 2);
	if (data)
		memcpy(m->b + m->len + 4, data, bytes);
	m->len += 4 + bytes;
}

static void end_mark(struct image *m)
{
	put16(m, m->len, 0xffff);
	m->len += 2;
}

static const u8 strings[] =
	"\x05\x05" "Group" "\x06" "OR-123" "\x0b" "Dev\x01" "ce\xfc\nNam" "\x02" "E1"
	"\x04" "PdoN";
static const u8 general[32] = {
	1, 0, 2, 3, 0, 0x2d, 1, 2, 0, 0, 0, 0x02, 0x84, 0xff,
};
static const u8 sms[] = {
	0x00, 0x10, 0x80, 0x00, 0x26, 0, 1, 1,
	0x80, 0x10, 0x80, 0x00, 0x22, 0, 1, 2,
	0x00, 0x11, 0x00, 0x00, 0x64, 0, 1, 3,
	0x00, 0x14, 0x04, 0x00, 0x20, 0, 0, 4,
};
static const u8 txpdo[] = {
	0x00, 0x1a, 3, 3, 0, 5, 0, 0,
	0x00, 0x60, 1, 4, 1, 1, 0, 0,
	0x00, 0x00, 0, 0, 0, 7, 0, 0,
	0x10, 0x60, 2, 0, 6, 16, 0, 0,
};
static const u8 rxpdo[] = {
	0x00, 0x16, 1, 2, 0, 0, 0, 0,
	0x00, 0x70, 1, 0, 7, 32, 0, 0,
	0x01, 0x16, 1, 0xff, 0, 0, 0, 0,	/* not assigned */
	0x00, 0x70, 2, 0, 7, 32, 0, 0,
	0x02, 0x16, 0, 2, 0, 5, 0, 0,		/* without entries */
};

static void good_image(struct image *m)
{
	static const u8 fmmus[] = { 1, 2, 3, 0xff };
	u8 str[sizeof(strings) & ~1ul] = { 0 };

	memcpy(str, strings, sizeof(strings) - 1);
	header(m);
	category(m, 1, "vendor's", 8);
	category(m, 40, fmmus, sizeof(fmmus));
	category(m, 41, sms, sizeof(sms));
	category(m, 50, txpdo, sizeof(txpdo));
	category(m, 51, rxpdo, sizeof(rxpdo));
	category(m, 30, general, sizeof(general));
	category(m, 0x0800, NULL, 20);
	category(m, 60, NULL, 24);
	category(m, 10, str, sizeof(str));
	end_mark(m);
}

/* ---- what must hold for any image ---- */

static bool printable(const char *s, size_t room)
{
	size_t i;

	for (i = 0; i < room && s[i]; i++)
		if (s[i] < 0x20 || s[i] > 0x7e)
			return false;
	return i < room;
}

static void check_any(const u8 *image, size_t len, u32 max)
{
	struct kecat_pdo_entry *e = max ? malloc(max * sizeof(*e)) : NULL;
	struct kecat_sii_info info;
	size_t extent;
	bool done;
	u32 i;

	kecat_sii_parse(image, len, &info, e, max);
	CHECK(info.nentries <= (e ? max : KECAT_SII_MAX_ENTRIES));
	CHECK(info.nsms <= KECAT_SII_MAX_SMS);
	CHECK(info.nfmmus <= KECAT_SII_MAX_FMMUS);
	CHECK(printable(info.name, sizeof(info.name)));
	CHECK(printable(info.order, sizeof(info.order)));
	CHECK(printable(info.group, sizeof(info.group)));
	for (i = 0; e && i < info.nentries; i++) {
		CHECK(printable(e[i].name, sizeof(e[i].name)));
		CHECK(e[i].sm != 0xff);
		CHECK(e[i].dir == KECAT_DIR_IN || e[i].dir == KECAT_DIR_OUT);
	}
	extent = kecat_sii_extent(image, len, &done);
	/* a reader that goes on has to get further */
	CHECK(done ? extent <= len : extent + 4 > len);
	free(e);
}

/* at the end of an allocation of exactly that size, so that ASan sees more */
static void check_length(const u8 *image, size_t len, u32 max)
{
	u8 *copy = malloc(len);

	memcpy(copy, image, len);
	check_any(copy, len, max);
	free(copy);
}

static u64 seed = 1;

static u32 rnd(u32 below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % below;
}

static void check_truncated(const u8 *image, size_t len)
{
	size_t n;

	for (n = 0; n <= len; n += n < 4096 ? 1 : 1 + rnd(512))
		check_length(image, n, n % 7 ? 64 : 0);
}

static void check_mutated(const u8 *image, size_t len, int times)
{
	size_t cut = len < 2048 ? len : 2048;
	u8 copy[2048];
	int i, k;

	for (i = 0; i < times; i++) {
		memcpy(copy, image, cut);
		for (k = 1 + rnd(8); k; k--)
			copy[rnd(cut)] = rnd(3) ? rnd(256) : rnd(2) * 0xff;
		check_length(copy, rnd(4) ? cut : rnd(cut + 1), rnd(40));
	}
}

/* ---- cases ---- */

TEST(crc, "CRC is the one of ETG.1000.6: poly 7, start 0xff")
{
	static const u8 nine[] = "123456789";

	/* known value of this CRC-8 over the usual check string */
	CHECK_EQ(kecat_sii_crc(nine, 9), 0xfb);
	CHECK_EQ(kecat_sii_crc(nine, 0), 0xff);
}

TEST(header, "header fields are read")
{
	static struct image m;
	struct kecat_sii_info i;

	header(&m);
	end_mark(&m);
	kecat_sii_parse(m.b, m.len, &i, NULL, 0);
	CHECK_EQ(i.faults, 0);
	CHECK_EQ(i.pdi_control, 0x0c08);
	CHECK_EQ(i.alias, 0x1234);
	CHECK_EQ(i.vendor, 0xaabb);
	CHECK_EQ(i.product, 0x11223344);
	CHECK_EQ(i.revision, 0x00120000);
	CHECK_EQ(i.serial, 77);
	CHECK_EQ(i.boot_out, 0x1800);
	CHECK_EQ(i.boot_out_size, 256);
	CHECK_EQ(i.boot_in, 0x1c00);
	CHECK_EQ(i.boot_in_size, 257);
	CHECK_EQ(i.mbx_out, 0x1000);
	CHECK_EQ(i.mbx_out_size, 128);
	CHECK_EQ(i.mbx_in, 0x1080);
	CHECK_EQ(i.mbx_in_size, 130);
	CHECK_EQ(i.mbx_protocols, 0x0c);
	CHECK_EQ(i.bytes, 2048);
}

TEST(categories, "categories are read in any order, unknown ones skipped")
{
	static struct image m;
	struct kecat_pdo_entry e[16];
	struct kecat_sii_info i;

	good_image(&m);
	kecat_sii_parse(m.b, m.len, &i, e, 16);
	CHECK_EQ(i.faults, 0);
	CHECK_STR(i.group, "Group");
	CHECK_STR(i.order, "OR-123");
	CHECK_STR(i.name, "Dev?ce??Nam");
	CHECK_EQ(i.coe_details, 0x2d);
	CHECK_EQ(i.foe_details, 1);
	CHECK_EQ(i.eoe_details, 2);
	CHECK_EQ(i.flags, 2);
	CHECK_EQ(i.ebus_ma, -124);
	CHECK_EQ(i.nfmmus, 4);
	CHECK_EQ(i.fmmu[2], 3);
	CHECK(i.has_dc);
	CHECK_EQ(i.nsms, 4);
	CHECK_EQ(i.sm[2].start, 0x1100);
	CHECK_EQ(i.sm[2].len, 0);
	CHECK_EQ(i.sm[2].enable, 1);
	CHECK_EQ(i.sm[2].type, 3);
	CHECK_EQ(i.sm[3].control, 0x20);
	CHECK_EQ(i.sm[3].enable, 0);
	CHECK_EQ(i.nentries, 5);
}

TEST(pdos, "entries keep SM, direction, gaps and names; unassigned PDOs stay out")
{
	static struct image m;
	struct kecat_pdo_entry e[16];
	struct kecat_sii_info i;

	good_image(&m);
	kecat_sii_parse(m.b, m.len, &i, e, 16);
	CHECK_EQ(i.nentries, 5);
	CHECK_EQ(e[0].pdo, 0x1a00);
	CHECK_EQ(e[0].sm, 3);
	CHECK_EQ(e[0].dir, KECAT_DIR_IN);
	CHECK_EQ(e[0].index, 0x6000);
	CHECK_EQ(e[0].subindex, 1);
	CHECK_EQ(e[0].bits, 1);
	CHECK_STR(e[0].name, "E1");
	CHECK_EQ(e[1].index, 0);
	CHECK_EQ(e[1].bits, 7);
	CHECK_STR(e[1].name, "");
	CHECK_EQ(e[2].index, 0x6010);
	CHECK_EQ(e[2].bits, 16);
	CHECK_EQ(e[3].pdo, 0x1600);
	CHECK_EQ(e[3].dir, KECAT_DIR_OUT);
	CHECK_EQ(e[3].sm, 2);
	CHECK_EQ(e[4].pdo, 0x1602);
	CHECK_EQ(e[4].bits, 0);
	CHECK_STR(e[4].name, "PdoN");
}

TEST(room, "no more entries than there is room for, and it is said")
{
	static struct image m;
	struct kecat_pdo_entry e[3];
	struct kecat_sii_info i;

	good_image(&m);
	kecat_sii_parse(m.b, m.len, &i, e, 2);
	CHECK_EQ(i.nentries, 2);
	CHECK_EQ(i.faults, KECAT_SII_TOO_MANY);
	kecat_sii_parse(m.b, m.len, &i, NULL, 0);
	CHECK_EQ(i.nentries, 5);
	CHECK_EQ(i.faults, 0);
}

TEST(big_pdo, "a PDO with 255 entries is whole")
{
	static struct kecat_pdo_entry e[300];
	static struct image m;
	struct kecat_sii_info i;
	static u8 pdo[8 + 255 * 8];
	int k;

	pdo[0] = 0x00;
	pdo[1] = 0x1a;
	pdo[2] = 255;
	pdo[3] = 3;
	for (k = 0; k < 255; k++) {
		pdo[8 + 8 * k] = k;
		pdo[8 + 8 * k + 1] = 0x60;
		pdo[8 + 8 * k + 5] = 8;
	}
	header(&m);
	category(&m, 50, pdo, sizeof(pdo));
	end_mark(&m);
	kecat_sii_parse(m.b, m.len, &i, e, 300);
	CHECK_EQ(i.faults, 0);
	CHECK_EQ(i.nentries, 255);
	CHECK_EQ(e[254].index, 0x60fe);
}

TEST(empty, "an EEPROM that is not loaded is said to be, and gives no sizes")
{
	struct kecat_sii_info i;
	u8 b[2048];

	memset(b, 0xff, sizeof(b));
	kecat_sii_parse(b, sizeof(b), &i, NULL, 0);
	CHECK_EQ(i.faults, KECAT_SII_EMPTY);
	CHECK_EQ(i.mbx_out_size, 0);
	CHECK_EQ(i.vendor, 0);
	memset(b, 0, sizeof(b));
	kecat_sii_parse(b, sizeof(b), &i, NULL, 0);
	CHECK_EQ(i.faults, KECAT_SII_EMPTY);
	kecat_sii_parse(b, 0, &i, NULL, 0);
	CHECK_EQ(i.faults, KECAT_SII_EMPTY | KECAT_SII_SHORT);
}

TEST(almost_empty, "a category walk over zeros ends")
{
	struct kecat_sii_info i;
	static u8 b[131070];
	size_t extent;
	bool done;

	b[0x10] = 1;
	kecat_sii_parse(b, sizeof(b), &i, NULL, 0);
	CHECK_EQ(i.faults, KECAT_SII_CRC | KECAT_SII_TOO_MANY);
	CHECK_EQ(i.vendor, 1);
	extent = kecat_sii_extent(b, sizeof(b), &done);
	CHECK(done);
	CHECK(extent < 1024);
}

TEST(faults, "each fault is reported and the rest is kept")
{
	static struct image m;
	struct kecat_sii_info i;

	good_image(&m);
	m.b[14] ^= 1;
	kecat_sii_parse(m.b, m.len, &i, NULL, 0);
	CHECK_EQ(i.faults, KECAT_SII_CRC);
	CHECK_STR(i.order, "OR-123");

	good_image(&m);
	kecat_sii_parse(m.b, m.len - 2, &i, NULL, 0);
	CHECK_EQ(i.faults, KECAT_SII_NO_END);
	CHECK_EQ(i.nentries, 5);

	header(&m);
	category(&m, 41, sms, sizeof(sms));
	put16(&m, KECAT_SII_HEADER + 2, 0x7fff);
	kecat_sii_parse(m.b, m.len, &i, NULL, 0);
	CHECK_EQ(i.faults, KECAT_SII_OVERRUN | KECAT_SII_NO_END);
	CHECK_EQ(i.nsms, 4);

	header(&m);
	category(&m, 30, general, sizeof(general));
	end_mark(&m);
	kecat_sii_parse(m.b, m.len, &i, NULL, 0);
	CHECK_EQ(i.faults, KECAT_SII_STRING);
	CHECK_EQ(i.ebus_ma, -124);

	header(&m);
	kecat_sii_parse(m.b, 64, &i, NULL, 0);
	CHECK_EQ(i.faults, KECAT_SII_SHORT);
	CHECK_EQ(i.vendor, 0xaabb);
}

TEST(half_entry, "half an entry at the end of an image is none")
{
	static struct image m;
	struct kecat_pdo_entry e[4];
	struct kecat_sii_info i;

	header(&m);
	category(&m, 50, txpdo, sizeof(txpdo));
	kecat_sii_parse(m.b, m.len, &i, e, 4);
	CHECK_EQ(i.nentries, 3);
	kecat_sii_parse(m.b, m.len - 2, &i, e, 4);
	CHECK_EQ(i.nentries, 2);
	CHECK_EQ(i.faults, KECAT_SII_OVERRUN | KECAT_SII_NO_END |
		 KECAT_SII_STRING);
}

TEST(extent, "a reader that follows the extent gets the image and no more")
{
	static struct image m;
	size_t have = 0, want = 0, steps = 0;
	bool done = false;

	good_image(&m);
	while (!done) {
		want = kecat_sii_extent(m.b, have, &done);
		if (!done) {
			CHECK(want + 4 > have);
			have = want + 4;
			CHECK(have <= m.len + 2);
		}
		CHECK(++steps < 20);
	}
	CHECK_EQ(want, m.len);
}

TEST(truncated, "no read outside at any length of an image")
{
	static struct image m;

	good_image(&m);
	check_truncated(m.b, m.len);
}

TEST(mutated, "no read outside in 200000 mutations of an image")
{
	static struct image m;

	good_image(&m);
	seed = 42;
	check_mutated(m.b, m.len, 200000);
}

/* ---- images of real devices, where they are ---- */

#define DATA	TOP "/../shared/data/"

static size_t load(const char *name, u8 **image)
{
	char path[512];
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), DATA "sii/%s", name);
	f = fopen(path, "rb");
	if (!f)
		tap_fail(__FILE__, __LINE__, "no %s", path);
	*image = malloc(KECAT_SII_MAX);
	len = fread(*image, 1, KECAT_SII_MAX, f);
	fclose(f);
	return len;
}

static FILE *summary(void)
{
	FILE *f = fopen(DATA "text/sii_expected_summary.txt", "r");

	if (!f)
		tap_skip("no data of real devices here");
	return f;
}

/* number of words of a category as the summary lists it, 0 = not there */
static unsigned int listed(const char *line, const char *cat)
{
	char key[16];
	const char *p;

	snprintf(key, sizeof(key), "%s:", cat);
	for (p = strstr(line, key); p; p = strstr(p + 1, key))
		if (p[-1] == '[' || p[-1] == ' ')
			return atoi(p + strlen(key));
	return 0;
}

static void check_device(const char *line)
{
	unsigned int size, ven, prod, rev, ser, alias, bo, bos, bi, bis, mo,
		     mos, mi, mis, proto, sizew, end;
	struct kecat_sii_info i;
	char name[128], crc[32];
	size_t len, extent;
	const char *p;
	u8 *image;
	bool done;

	CHECK_EQ(sscanf(line, "%127s size=%u ven=%x prod=%x rev=%x ser=%x "
			"crc=%31s alias=%x boot_rx=%x/%u boot_tx=%x/%u "
			"mbx=%x/%u %x/%u proto=%x sizew=%x", name, &size, &ven,
			&prod, &rev, &ser, crc, &alias, &bo, &bos, &bi, &bis,
			&mo, &mos, &mi, &mis, &proto, &sizew), 18);
	tap_note("%s", name);
	len = load(name, &image);
	CHECK_EQ(len, size);
	kecat_sii_parse(image, len, &i, NULL, 0);
	CHECK_EQ(i.vendor, ven);
	CHECK_EQ(i.product, prod);
	CHECK_EQ(i.revision, rev);
	CHECK_EQ(i.serial, ser);
	CHECK_EQ(!(i.faults & KECAT_SII_CRC), !strcmp(crc, "ok"));
	CHECK_EQ(i.alias, alias);
	CHECK_EQ(i.boot_out, bo);
	CHECK_EQ(i.boot_out_size, bos);
	CHECK_EQ(i.boot_in, bi);
	CHECK_EQ(i.boot_in_size, bis);
	CHECK_EQ(i.mbx_out, mo);
	CHECK_EQ(i.mbx_out_size, mos);
	CHECK_EQ(i.mbx_in, mi);
	CHECK_EQ(i.mbx_in_size, mis);
	CHECK_EQ(i.mbx_protocols, proto);
	CHECK_EQ(i.bytes, (sizew + 1) * 128);
	CHECK_EQ(i.nfmmus, 2 * listed(line, "FMMU"));
	CHECK_EQ(i.nsms, listed(line, "SM") / 4);
	CHECK_EQ(i.has_dc, listed(line, "DC") > 0);
	CHECK_EQ(i.name[0] != 0, listed(line, "GEN") > 0);
	extent = kecat_sii_extent(image, len, &done);
	p = strstr(line, "end@");
	if (p) {
		CHECK_EQ(sscanf(p, "end@%x", &end), 1);
		CHECK(done);
		CHECK_EQ(extent, end + 2);
		CHECK_EQ(i.faults & ~KECAT_SII_STRING, 0);
	} else if (strstr(line, "no end")) {
		/* the decoder of the summary wants 4 bytes of an end mark */
		CHECK_EQ(extent, len);
		CHECK_EQ(done, image[len - 2] == 0xff && image[len - 1] == 0xff);
		CHECK_EQ(!done, !!(i.faults & KECAT_SII_NO_END));
	} else {
		CHECK(i.faults & KECAT_SII_TOO_MANY);
	}
	check_truncated(image, len);
	check_mutated(image, len, 20000);
	free(image);
}

TEST(devices, "images of real devices read as an independent decoder has them")
{
	FILE *f = summary();
	char line[1024];
	int n = 0;

	seed = 7;
	while (fgets(line, sizeof(line), f)) {
		check_device(line);
		n++;
	}
	fclose(f);
	CHECK(n >= 12);
}

TEST(el2004, "EL2004: four outputs of one bit, by name")
{
	struct kecat_pdo_entry e[16];
	struct kecat_sii_info i;
	u8 *image;
	size_t len;
	u32 k;

	fclose(summary());
	len = load("ethercrab__el2004-eeprom-dump.bin", &image);
	kecat_sii_parse(image, len, &i, e, 16);
	free(image);
	CHECK_STR(i.order, "EL2004");
	CHECK_EQ(i.nentries, 4);
	for (k = 0; k < 4; k++) {
		CHECK_EQ(e[k].dir, KECAT_DIR_OUT);
		CHECK_EQ(e[k].sm, 0);
		CHECK_EQ(e[k].pdo, 0x1600 + k);
		CHECK_EQ(e[k].index, 0x7000 + 0x10 * k);
		CHECK_EQ(e[k].subindex, 1);
		CHECK_EQ(e[k].bits, 1);
		CHECK_STR(e[k].name, "Output");
	}
}
