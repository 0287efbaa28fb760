// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/mbx.c kmod/coe.c kmod/pdo.c
// sources: tests/host/unit/fake_slave.c tests/host/unit/fake_sdo.c tests/host/unit/rt.c
#include <linux/errno.h>
#include <string.h>
#include "fake_slave.h"
#include "pdo.h"
#include "rt.h"
#include "tap.h"

#define ROOM	64

static struct fake fake, *f = &fake;
static struct kecat_pdo_entry e[ROOM];
static u32 n;

/* what was written, in order: index << 8 | subindex */
static u32 journal[64];
static int written;

static void note_writes(struct fake *f, u8 type, const u8 *d, u16 len)
{
	u16 index = d[3] | d[4] << 8;
	struct fake_object *count;

	if (d[2] >> 5 == 1) {
		CHECK(written < ARRAY_SIZE(journal));
		journal[written++] = index << 8 | d[5];
		/* as devices do: elements can be changed while there are none */
		count = fake_find(f, index, 0, false);
		if (d[5] && count && count->data[0]) {
			fake_say(f, EC_MBX_COE, (u8[]){ 0, 0x20, 0x80, d[3],
				 d[4], d[5], 0x22, 0, 0, 0x08 }, 10);
			return;
		}
	}
	fake_sdo_server(f, type, d, len);
}

static void begin(void)
{
	fake_init(f, 128, 128);
	CHECK_EQ(kecat_mbx_start(&f->s, FAKE_OUT, 128, FAKE_IN, 128), 0);
	f->app = note_writes;
	written = 0;
	n = 0;
}

static void number(u16 index, u8 subindex, u32 value, u32 bytes)
{
	u8 b[4] = { value, value >> 8, value >> 16, value >> 24 };

	fake_object(f, index, subindex, b, bytes, 4);
}

static void assignment(u8 sm, const u16 *pdos, u8 count)
{
	u8 i;

	number(0x1c10 + sm, 0, count, 1);
	for (i = 0; i < count; i++)
		number(0x1c10 + sm, i + 1, pdos[i], 2);
}

static void mapping(u16 pdo, const u32 *entries, u8 count)
{
	u8 i;

	number(pdo, 0, count, 1);
	for (i = 0; i < count; i++)
		number(pdo, i + 1, entries[i], 4);
}

static void sii_sm(u8 i, u8 control, u8 type)
{
	f->s.sii.sm[i].control = control;
	f->s.sii.sm[i].type = type;
	if (f->s.sii.nsms <= i)
		f->s.sii.nsms = i + 1;
}

static void usual_sii(void)
{
	sii_sm(0, 0x26, 1);
	sii_sm(1, 0x22, 2);
	sii_sm(2, 0x64, 3);
	sii_sm(3, 0x20, 4);
}

static const u16 rx[] = { 0x1600, 0x1601 }, tx[] = { 0x1a00 };
static const u32 rx0[] = { 0x70000120, 0x00000008 }, rx1[] = { 0x70100210 };
static const u32 tx0[] = { 0x60000101, 0x60000201, 0x00000006 };

static void usual_objects(void)
{
	assignment(2, rx, 2);
	assignment(3, tx, 1);
	mapping(0x1600, rx0, 2);
	mapping(0x1601, rx1, 1);
	mapping(0x1a00, tx0, 3);
}

static void check_usual(void)
{
	CHECK_EQ(kecat_pdo_read(&f->s, e, ROOM, &n), 0);
	CHECK_EQ(n, 6);
	CHECK_EQ(e[0].sm, 2);
	CHECK_EQ(e[0].dir, KECAT_DIR_OUT);
	CHECK_EQ(e[0].pdo, 0x1600);
	CHECK_EQ(e[0].index, 0x7000);
	CHECK_EQ(e[0].subindex, 1);
	CHECK_EQ(e[0].bits, 32);
	CHECK_EQ(e[1].index, 0);
	CHECK_EQ(e[1].bits, 8);
	CHECK_EQ(e[2].pdo, 0x1601);
	CHECK_EQ(e[2].subindex, 2);
	CHECK_EQ(e[3].sm, 3);
	CHECK_EQ(e[3].dir, KECAT_DIR_IN);
	CHECK_EQ(e[3].pdo, 0x1a00);
	CHECK_EQ(e[5].index, 0);
	CHECK_EQ(e[5].bits, 6);
}

TEST(read, "assignment and mapping are read with SM and direction")
{
	begin();
	usual_sii();
	usual_objects();
	check_usual();
	fake_exit(f);
}

TEST(names, "entries that the SII lists as well get its names")
{
	struct kecat_pdo_entry sii[] = {
		{ .pdo = 0x1a00, .index = 0x6000, .subindex = 1, .name = "In 1" },
		{ .pdo = 0x1600, .index = 0, .subindex = 0, .name = "Gap" },
		{ .pdo = 0x1601, .index = 0x7010, .subindex = 2, .name = "Out" },
		{ .pdo = 0x1a01, .index = 0x6000, .subindex = 2, .name = "Other" },
	};

	begin();
	usual_sii();
	usual_objects();
	f->s.pdos = sii;
	f->s.npdos = ARRAY_SIZE(sii);
	check_usual();
	CHECK_STR(e[0].name, "");
	CHECK_STR(e[1].name, "");
	CHECK_STR(e[2].name, "Out");
	CHECK_STR(e[3].name, "In 1");
	CHECK_STR(e[4].name, "");
	fake_exit(f);
}

TEST(wrong_1c00, "sync manager types come from the SII, whatever 0x1c00 says")
{
	static const u8 wrong[] = { 1, 1, 1, 1 };
	int i;

	begin();
	usual_sii();
	usual_objects();
	number(0x1c00, 0, 4, 1);
	for (i = 0; i < 4; i++)
		number(0x1c00, i + 1, wrong[i], 1);
	check_usual();
	fake_exit(f);
}

TEST(no_sii, "without SMs in the SII 0x1c00 says, without that SM2 and SM3 are")
{
	int i;

	begin();
	usual_objects();
	check_usual();
	number(0x1c00, 0, 4, 1);
	for (i = 0; i < 4; i++)
		number(0x1c00, i + 1, i + 1, 1);
	check_usual();
	fake_exit(f);
}

TEST(old_sii, "an SM without a type is told by its control byte")
{
	begin();
	usual_sii();
	usual_objects();
	f->s.sii.sm[2].type = 0;
	f->s.sii.sm[3].type = 0;
	check_usual();
	fake_exit(f);
}

TEST(empty, "no PDO, PDO 0x0000 and a PDO without entries are legal")
{
	static const u16 zero[] = { 0 }, bare[] = { 0x1a00 };

	begin();
	usual_sii();
	assignment(2, NULL, 0);
	assignment(3, zero, 1);
	CHECK_EQ(kecat_pdo_read(&f->s, e, ROOM, &n), 0);
	CHECK_EQ(n, 0);
	fake_exit(f);

	begin();
	usual_sii();
	assignment(3, bare, 1);
	mapping(0x1a00, NULL, 0);
	CHECK_EQ(kecat_pdo_read(&f->s, e, ROOM, &n), 0);
	CHECK_EQ(n, 1);
	CHECK_EQ(e[0].pdo, 0x1a00);
	CHECK_EQ(e[0].bits, 0);
	fake_exit(f);
}

TEST(no_objects, "a device without assignment objects is told from one without PDOs")
{
	begin();
	usual_sii();
	CHECK_EQ(kecat_pdo_read(&f->s, e, ROOM, &n), -ENOENT);
	fake_exit(f);
}

TEST(refused_mapping, "a PDO whose mapping is refused is named all the same")
{
	begin();
	usual_sii();
	usual_objects();
	fake_find(f, 0x1600, 0, false)->refuse = 0x08000000;
	CHECK_EQ(kecat_pdo_read(&f->s, e, ROOM, &n), 0);
	CHECK_EQ(e[0].pdo, 0x1600);
	CHECK_EQ(e[0].bits, 0);
	CHECK_EQ(e[1].pdo, 0x1601);
	CHECK_EQ(e[1].bits, 16);
	fake_exit(f);
}

TEST(liar, "counts of 255 with nothing behind them cost what there is room for")
{
	static u32 nothing[255];
	static u16 many[255];
	unsigned int i;

	begin();
	usual_sii();
	for (i = 0; i < 255; i++)
		many[i] = 0x1a00;
	assignment(3, many, 254);
	mapping(0x1a00, nothing, 254);
	CHECK_EQ(kecat_pdo_read(&f->s, e, ROOM, &n), -ENOSPC);
	CHECK(n <= ROOM);
	CHECK(f->requests < 3 * ROOM);
	fake_exit(f);
}

TEST(timeout, "a slave that falls silent is an error")
{
	begin();
	usual_sii();
	usual_objects();
	f->gone = true;
	CHECK_EQ(kecat_pdo_read(&f->s, e, ROOM, &n), -ENXIO);
	CHECK_EQ(n, 0);
	fake_exit(f);
}

/* ---- writing ---- */

static struct kecat_cfg_entry entries[] = {
	{ .index = 0x7000, .subindex = 1, .bits = 32 },
	{ .index = 0, .bits = 8 },
	{ .index = 0x7010, .subindex = 2, .bits = 16 },
	{ .index = 0x6000, .subindex = 1, .bits = 1 },
};
static struct kecat_pcfg pdos[] = {
	{ .index = 0x1600, .entries = 2, .first_entry = 0 },
	{ .index = 0x1601, .entries = 1, .first_entry = 2 },
	{ .index = 0x1a00, .entries = 1, .first_entry = 3 },
};
static struct kecat_scfg scfg;
static struct kecat_cfg cfg = { .pdos = pdos, .entries = entries };
static u32 detail, abort_code;

static int write_all(u32 flags)
{
	memset(&scfg, 0, sizeof(scfg));
	scfg.c.flags = flags;
	scfg.sms = 2;
	scfg.sm[0].c.index = 2;
	scfg.sm[0].pdos = 2;
	scfg.sm[1].c.index = 3;
	scfg.sm[1].first_pdo = 2;
	scfg.sm[1].pdos = 1;
	return kecat_pdo_write(&f->s, &cfg, &scfg, &detail, &abort_code);
}

static void room_for_all(void)
{
	static const u16 other[] = { 0x1610, 0x1611 }, tother[] = { 0x1a10 };
	static const u32 some[] = { 0x20000008, 0x20010008 };

	assignment(2, other, 2);
	assignment(3, tother, 1);
	mapping(0x1600, some, 2);
	mapping(0x1601, some, 2);
	mapping(0x1a00, some, 2);
}

static void check_journal(const u32 *expected, int count)
{
	int i;

	CHECK_EQ(written, count);
	for (i = 0; i < count; i++)
		CHECK_EQ(journal[i], expected[i]);
}

TEST(write_assignment, "an assignment is emptied, filled, and counted last")
{
	static const u32 order[] = {
		0x1c1200, 0x1c1201, 0x1c1202, 0x1c1200,
		0x1c1300, 0x1c1301, 0x1c1300,
	};

	begin();
	room_for_all();
	CHECK_EQ(write_all(KECAT_CFGS_ASSIGN), 0);
	check_journal(order, ARRAY_SIZE(order));
	CHECK_EQ(fake_find(f, 0x1c12, 0, false)->data[0], 2);
	CHECK_EQ(fake_find(f, 0x1c12, 2, false)->data[0], 0x01);
	CHECK_EQ(fake_find(f, 0x1c13, 0, false)->data[0], 1);
	fake_exit(f);
}

TEST(write_mapping, "PDOs are mapped while they are not assigned")
{
	static const u32 order[] = {
		0x1c1200,
		0x160000, 0x160001, 0x160002, 0x160000,
		0x160100, 0x160101, 0x160100,
		0x1c1201, 0x1c1202, 0x1c1200,
		0x1c1300,
		0x1a0000, 0x1a0001, 0x1a0000,
		0x1c1301, 0x1c1300,
	};

	begin();
	room_for_all();
	CHECK_EQ(write_all(KECAT_CFGS_ASSIGN | KECAT_CFGS_MAPPING), 0);
	check_journal(order, ARRAY_SIZE(order));
	CHECK(!memcmp(fake_find(f, 0x1600, 1, false)->data, "\x20\x01\x00\x70", 4));
	CHECK(!memcmp(fake_find(f, 0x1600, 2, false)->data, "\x08\x00\x00\x00", 4));
	CHECK_EQ(fake_find(f, 0x1601, 0, false)->data[0], 1);
	fake_exit(f);
}

TEST(write_nothing, "without the flags nothing is written")
{
	begin();
	CHECK_EQ(write_all(0), 0);
	CHECK_EQ(written, 0);
	fake_exit(f);
}

TEST(refused_entry, "the entry that was refused is named, with the abort code")
{
	begin();
	room_for_all();
	fake_find(f, 0x1600, 2, false)->refuse = 0x06040041;
	CHECK_EQ(write_all(KECAT_CFGS_ASSIGN | KECAT_CFGS_MAPPING), -EREMOTEIO);
	CHECK_EQ(detail, 0x16000002);
	CHECK_EQ(abort_code, 0x06040041);
	fake_exit(f);

	begin();
	room_for_all();
	fake_find(f, 0x1c13, 1, false)->refuse = 0x06070010;
	CHECK_EQ(write_all(KECAT_CFGS_ASSIGN), -EREMOTEIO);
	CHECK_EQ(detail, 0x1c130001);
	CHECK_EQ(abort_code, 0x06070010);
	fake_exit(f);
}

TEST(fixed, "what is fixed and as wanted is no failure; fixed and other is one")
{
	int i;

	begin();
	usual_objects();
	for (i = 0; i < f->nobjects; i++)
		if (f->objects[i].index == 0x1c12)
			f->objects[i].fixed = true;
	CHECK_EQ(write_all(KECAT_CFGS_ASSIGN), 0);
	CHECK_EQ(abort_code, 0);
	fake_exit(f);

	begin();
	room_for_all();
	for (i = 0; i < f->nobjects; i++)
		f->objects[i].fixed = true;
	CHECK_EQ(write_all(KECAT_CFGS_ASSIGN), -EREMOTEIO);
	CHECK_EQ(detail, 0x1c120000);
	CHECK_EQ(abort_code, 0x06010002);
	fake_exit(f);
}

TEST(write_empty, "an empty assignment is written as empty")
{
	static const u32 order[] = { 0x1c1200 };

	begin();
	room_for_all();
	memset(&scfg, 0, sizeof(scfg));
	scfg.c.flags = KECAT_CFGS_ASSIGN | KECAT_CFGS_MAPPING;
	scfg.sms = 1;
	scfg.sm[0].c.index = 2;
	CHECK_EQ(kecat_pdo_write(&f->s, &cfg, &scfg, &detail, &abort_code), 0);
	check_journal(order, 1);
	CHECK_EQ(fake_find(f, 0x1c12, 0, false)->data[0], 0);
	fake_exit(f);
}
