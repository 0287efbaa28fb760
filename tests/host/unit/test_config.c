// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/config.c tests/host/unit/rt.c
#include <errno.h>
#include <string.h>
#include "cfgblob.h"
#include "config.h"
#include "rt.h"
#include "tap.h"

/* ---- a configuration that uses everything, and where its elements are ---- */

struct fixture {
	struct blob b;
	size_t bus;
	size_t s0, out, rx, rx_e0, rx_gap, rx_e1, in, tx0, tx0_e, tx1, tx1_e;
	size_t sdo, sdo_ca;
	size_t s1, s1_out, s1_pdo, s1_in;
	size_t s2;
};

static void build_drive(struct fixture *f)
{
	struct blob *b = &f->b;

	f->s0 = PUT_SLAVE(b, .position = 0, .group = 1, .vendor = 2,
			  .product = 0x1234, .revision = 7,
			  .flags = KECAT_CFGS_ASSIGN | KECAT_CFGS_MAPPING |
				   KECAT_CFGS_REVISION | KECAT_CFGS_WATCHDOG |
				   KECAT_CFGS_DC,
			  .mbx_out = 0x1000, .mbx_out_size = 128,
			  .mbx_in = 0x1080, .mbx_in_size = 128,
			  .wd_divider = 2498, .wd_pd = 1000,
			  .dc_activate = 0x0300, .dc_shift_ns = -5000,
			  .name = "drive");
	f->out = PUT_SM(b, .index = 2, .dir = KECAT_DIR_OUT,
			.flags = KECAT_SM_WATCHDOG_ON, .start = 0x1100,
			.len = 3, .control = 0x64);
	f->rx = put_pdo(b, 0x1600);
	f->rx_e0 = put_entry(b, 0x7000, 1, 16);
	f->rx_gap = put_entry(b, 0, 0, 4);
	f->rx_e1 = put_entry(b, 0x7000, 2, 1);
	f->in = PUT_SM(b, .index = 3, .dir = KECAT_DIR_IN, .control = 0x20);
	f->tx0 = put_pdo(b, 0x1a00);
	f->tx0_e = put_entry(b, 0x6000, 1, 32);
	f->tx1 = put_pdo(b, 0x1a01);
	f->tx1_e = put_entry(b, 0x6010, 1, 8);
	f->sdo = put_sdo(b, (struct kecat_cfg_sdo){ .index = 0x8000,
			 .subindex = 9, .len = 2 });
	f->sdo_ca = put_sdo(b, (struct kecat_cfg_sdo){ .index = 0x8001,
			    .subindex = 1, .flags = KECAT_SDO_COMPLETE,
			    .transition = KECAT_TR_SO, .len = 5 });
}

static void build(struct fixture *f)
{
	struct blob *b = &f->b;

	memset(f, 0, sizeof(*f));
	f->bus = PUT_BUS(b, .cycle_ns = 1000000, .spin_ns = 20000,
			 .app_miss = 10, .on_app_loss = KECAT_LOSS_HOLD);
	build_drive(f);
	f->s1 = PUT_SLAVE(b, .position = 1, .name = "digital");
	f->s1_out = PUT_SM(b, .index = 0, .dir = KECAT_DIR_OUT, .start = 0xf00);
	f->s1_pdo = put_pdo(b, 0x0018);
	put_entry(b, 0x7000, 1, 1);
	put_entry(b, 0x7010, 1, 1);
	f->s1_in = PUT_SM(b, .index = 1, .dir = KECAT_DIR_IN, .len = 6);
	f->s2 = PUT_SLAVE(b, .position = 3, .alias = 77,
			  .flags = KECAT_CFGS_ALIAS | KECAT_CFGS_OPTIONAL);
}

static int parse(const struct blob *b, struct kecat_cfg **cfg,
		 struct kecat_cfg_error *e)
{
	/* exactly as long as the blob: one byte more read is found */
	void *copy = malloc(b->len);
	int ret;

	memcpy(copy, b->b, b->len);
	*cfg = NULL;
	memset(e, 0x5a, sizeof(*e));
	ret = kecat_config_parse(copy, b->len, cfg, e);
	/* and no pointer into it remains */
	memset(copy, 0xee, b->len);
	free(copy);
	return ret;
}

static void check_accepted(struct blob *b)
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	int ret = parse(b, &cfg, &e);

	if (ret)
		tap_note("%s", e.message);
	CHECK_EQ(ret, 0);
	kecat_config_free(cfg);
	CHECK_EQ(rt_allocated(), 0);
}

static void check_refused(struct blob *b, size_t at, u32 slave, u32 type,
			  const char *part)
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	int ret = parse(b, &cfg, &e);

	kecat_config_free(cfg);
	CHECK_EQ(ret, -EINVAL);
	CHECK(!cfg);
	CHECK(memchr(e.message, 0, sizeof(e.message)));
	if (!strstr(e.message, part))
		tap_fail(__FILE__, __LINE__, "\"%s\" does not say \"%s\"",
			 e.message, part);
	CHECK_EQ(e.offset, at);
	CHECK_EQ(e.slave, slave);
	CHECK_EQ(e.type, type);
	CHECK_EQ(rt_allocated(), 0);
}

/*
 * One rejected input: the fixture, which is fine, after one change.  @where is
 * the element that is to blame, @part what the message has to contain.
 */
#define REFUSED(id, text, where, slave_, type_, part, ...)		\
TEST(refuse_##id, "refused: " text)					\
{									\
	struct fixture f;						\
									\
	build(&f);							\
	check_accepted(&f.b);						\
	__VA_ARGS__							\
	check_refused(&f.b, f.where, slave_, type_, part);		\
	blob_free(&f.b);						\
}

/* the fields of the fixture's elements */
#define BUS	PAYLOAD(&f.b, f.bus, kecat_cfg_bus)
#define SLAVE	PAYLOAD(&f.b, f.s0, kecat_cfg_slave)
#define SLAVE1	PAYLOAD(&f.b, f.s1, kecat_cfg_slave)
#define SLAVE2	PAYLOAD(&f.b, f.s2, kecat_cfg_slave)
#define SM(at)	PAYLOAD(&f.b, f.at, kecat_cfg_sm)
#define PDO(at)	PAYLOAD(&f.b, f.at, kecat_cfg_pdo)
#define ENTRY(at) PAYLOAD(&f.b, f.at, kecat_cfg_entry)
#define SDO(at)	PAYLOAD(&f.b, f.at, kecat_cfg_sdo)

#define REFUSED_BUS(id, text, part, ...)				\
	REFUSED(id, text, bus, KECAT_ALL, KECAT_CFG_BUS, part, __VA_ARGS__)
#define REFUSED_SLAVE(id, text, part, ...)				\
	REFUSED(id, text, s0, 0, KECAT_CFG_SLAVE, part, __VA_ARGS__)
#define REFUSED_SM(id, text, part, ...)					\
	REFUSED(id, text, out, 0, KECAT_CFG_SM, part, __VA_ARGS__)

/* ---- framing ---- */

REFUSED(type_0, "element type 0", sdo, 0, 0, "type is 0, allowed are 1 to 6",
	HEADER(&f.b, f.sdo)->type = 0;)
REFUSED(type_7, "unknown element type", sdo, 0, 7, "type is 7, allowed are 1 to 6",
	HEADER(&f.b, f.sdo)->type = 7;)
REFUSED(type_max, "element type 65535", s1, 0, 65535, "type is 65535",
	HEADER(&f.b, f.s1)->type = 65535;)
REFUSED(tlv_flags, "element flags", s1, 1, KECAT_CFG_SLAVE, "flags are 0x8",
	HEADER(&f.b, f.s1)->flags = 8;)
REFUSED(short_payload, "element shorter than its struct", s1_in, 1, KECAT_CFG_SM,
	"SM element of 15 bytes, has to be 16", HEADER(&f.b, f.s1_in)->len = 15;)
REFUSED(long_payload, "element longer than its struct", tx1_e, 0, KECAT_CFG_ENTRY,
	"entry element of 24 bytes, has to be 8", HEADER(&f.b, f.tx1_e)->len = 24;)
REFUSED(huge_payload, "element longer than the blob", s2, 2, KECAT_CFG_SLAVE,
	"slave element of 4294967295 bytes, but only",
	HEADER(&f.b, f.s2)->len = 0xffffffff;)
REFUSED(cut_payload, "blob that ends inside an element", s2, 2, KECAT_CFG_SLAVE,
	"bytes, but only 96 are left", f.b.len -= 8;)
REFUSED(cut_padding, "blob that ends inside the padding", s2, 2, KECAT_CFG_SLAVE,
	"bytes, but only 103 are left", f.b.len -= 1;)
REFUSED(padding, "padding that is not 0", sdo, 0, KECAT_CFG_SDO, "padding: byte 5 is 0x01",
	f.b.b[f.sdo_ca - 1] = 1;)
REFUSED(no_bus, "first element is no bus", bus, KECAT_ALL, KECAT_CFG_PDO,
	"the first and only the first is the bus",
	HEADER(&f.b, f.bus)->type = KECAT_CFG_PDO;)

TEST(refuse_cut_header, "refused: blob that ends inside a header")
{
	struct fixture f;
	size_t at;

	build(&f);
	at = f.b.len;
	blob_add(&f.b, KECAT_CFG_SM, NULL, 0, 16);
	f.b.len = at + 7;
	check_refused(&f.b, at, 2, 0, "7 bytes are left");
	blob_free(&f.b);
}

TEST(refuse_header_only, "refused: header without payload at the end")
{
	struct fixture f;
	size_t at;

	build(&f);
	at = blob_add(&f.b, KECAT_CFG_SM, NULL, 0, 0);
	check_refused(&f.b, at, 2, KECAT_CFG_SM,
		      "SM element of 0 bytes, has to be 16");
	blob_free(&f.b);
}

TEST(refuse_sdo_empty, "refused: SDO element that ends with its struct")
{
	struct fixture f;
	size_t at;

	build(&f);
	at = put_sdo(&f.b, (struct kecat_cfg_sdo){ .index = 0x2000 });
	check_refused(&f.b, at, 2, KECAT_CFG_SDO, "SDO len is 0, allowed are 1");
	blob_free(&f.b);
}

TEST(refuse_two_buses, "refused: second bus")
{
	struct fixture f;
	size_t at;

	build(&f);
	at = PUT_BUS(&f.b, .cycle_ns = 1000000);
	check_refused(&f.b, at, 2, KECAT_CFG_BUS,
		      "the first and only the first is the bus");
	blob_free(&f.b);
}

TEST(refuse_empty, "refused: no byte at all")
{
	struct kecat_cfg_error e = {};
	struct kecat_cfg *cfg = NULL;

	CHECK_EQ(kecat_config_parse("", 0, &cfg, &e), -EINVAL);
	CHECK(strstr(e.message, "length of the configuration is 0"));
	CHECK_EQ(e.slave, KECAT_ALL);
	CHECK(!cfg);
}

TEST(refuse_too_long, "refused: longer than KECAT_MAX_CONFIG; the limit itself is fine")
{
	struct blob b = {};

	PUT_BUS(&b, .cycle_ns = 1000000);
	PUT_SLAVE(&b, .position = 0);
	while (b.len + sizeof(struct kecat_cfg_tlv) +
	       sizeof(struct kecat_cfg_sdo) + 65536 <= KECAT_MAX_CONFIG - 64)
		put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x2000, .len = 65536 });
	put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x2000,
		.len = KECAT_MAX_CONFIG - b.len - 24 });
	CHECK_EQ(b.len, KECAT_MAX_CONFIG);
	check_accepted(&b);
	put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x2000, .len = 1 });
	check_refused(&b, 0, KECAT_ALL, 0, "4194336, allowed are 1 to 4194304");
	blob_free(&b);
}

/* ---- order ---- */

static void start(struct blob *b)
{
	memset(b, 0, sizeof(*b));
	PUT_BUS(b, .cycle_ns = 1000000);
}

TEST(refuse_sm_first, "refused: SM before the first slave")
{
	struct blob b;
	size_t at;

	start(&b);
	at = PUT_SM(&b, .index = 2, .dir = KECAT_DIR_OUT, .len = 1);
	check_refused(&b, at, KECAT_ALL, KECAT_CFG_SM, "before the first slave");
	blob_free(&b);
}

TEST(refuse_sdo_first, "refused: SDO before the first slave")
{
	struct blob b;
	size_t at;

	start(&b);
	at = put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x1c12, .len = 1 });
	check_refused(&b, at, KECAT_ALL, KECAT_CFG_SDO, "0x1c12:00 before the first slave");
	blob_free(&b);
}

TEST(refuse_pdo_first, "refused: PDO before the slave's first SM, also behind another slave's")
{
	struct fixture f;
	size_t at;

	build(&f);
	at = put_pdo(&f.b, 0x1600);
	check_refused(&f.b, at, 2, KECAT_CFG_PDO, "PDO 0x1600 before the slave's first SM");
	blob_free(&f.b);
}

TEST(refuse_entry_first, "refused: entry before the SM's first PDO, also behind another SM's")
{
	struct fixture f;
	size_t at;

	build(&f);
	f.b.len = f.s2;
	at = put_entry(&f.b, 0x6000, 0x11, 8);
	check_refused(&f.b, at, 1, KECAT_CFG_ENTRY, "entry 0x6000:11 before the SM's first PDO");
	blob_free(&f.b);
}

/* ---- bus ---- */

REFUSED_BUS(cycle_short, "cycle below 50 us",
	    "cycle_ns is 49999, allowed are 50000 to 1000000000",
	    BUS->cycle_ns = 49999; BUS->spin_ns = 0;)
REFUSED_BUS(cycle_long, "cycle above 1 s",
	    "cycle_ns is 1000000001, allowed are 50000 to",
	    BUS->cycle_ns = 1000000001;)
REFUSED_BUS(cycle_64bit, "cycle that is fine in its low 32 bits",
	    "cycle_ns is 4295967296",
	    BUS->cycle_ns = (1ULL << 32) + 1000000;)
REFUSED_BUS(deadline, "deadline not before the next tick",
	    "deadline_ns is 1000000, allowed are 1 to 999999",
	    BUS->deadline_ns = 1000000;)
REFUSED_BUS(lost_early, "lost before it is late",
	    "lost_ns is 749999, allowed are 750000 to",
	    BUS->lost_ns = 749999;)
REFUSED_BUS(lost_late, "lost after more than 10 s", "lost_ns is 10000000001",
	    BUS->lost_ns = 10000000001ULL;)
REFUSED_BUS(spin, "spinning for a whole cycle",
	    "spin_ns is 1000000, allowed are 0 to 999999",
	    BUS->spin_ns = 1000000;)
REFUSED_BUS(loss, "unknown reaction to a lost application",
	    "on_app_loss is 3, allowed are 0 to 2",
	    BUS->on_app_loss = 3;)
REFUSED_BUS(bus_flags, "unknown flags of the bus",
	    "unknown flags 0x2, known are 0x1",
	    BUS->flags = 3;)
REFUSED_BUS(bus_reserved, "reserved field of the bus", "reserved is 1",
	    BUS->reserved = 1;)

/* ---- slave ---- */

REFUSED_SLAVE(position, "position beyond KECAT_MAX_SLAVES",
	      "position is 1024, allowed are 0 to 1023",
	      SLAVE->position = 1024;)
REFUSED_SLAVE(group, "sync group 16", "group is 16, allowed are 0 to 15",
	      SLAVE->group = 16;)
REFUSED_SLAVE(slave_flags, "unknown flags of a slave",
	      "unknown flags 0x200, known are 0x1ff",
	      SLAVE->flags |= 0x200;)
REFUSED_SLAVE(alias_unused, "alias without its flag", "alias is 5 without",
	      SLAVE->alias = 5;)
REFUSED(alias_0, "alias 0 with its flag", s2, 2, KECAT_CFG_SLAVE,
	"alias is 0, which no slave has", SLAVE2->alias = 0;)
REFUSED(wd_unused_pdi, "PDI watchdog without the flag", s1, 1, KECAT_CFG_SLAVE,
	"wd_* are 0, 7, 0 without", SLAVE1->wd_pdi = 7;)
REFUSED(wd_unused_pd, "process data watchdog without the flag", s1, 1, KECAT_CFG_SLAVE,
	"wd_* are 0, 0, 7 without", SLAVE1->wd_pd = 7;)
REFUSED(wd_unused_div, "watchdog divider without the flag", s1, 1, KECAT_CFG_SLAVE,
	"wd_* are 7, 0, 0 without", SLAVE1->wd_divider = 7;)
REFUSED(dc_unused_shift, "DC shift without the flag", s1, 1, KECAT_CFG_SLAVE,
	"dc_* are 0x0, 0, 0, -1 without", SLAVE1->dc_shift_ns = -1;)
REFUSED(dc_unused_act, "DC activation without the flag", s1, 1, KECAT_CFG_SLAVE,
	"dc_* are 0x300, 0, 0, 0 without", SLAVE1->dc_activate = 0x300;)
REFUSED(dc_unused_sync0, "SYNC0 without the flag", s1, 1, KECAT_CFG_SLAVE,
	"dc_* are 0x0, 1, 0, 0 without", SLAVE1->dc_sync0_ns = 1;)
REFUSED(dc_unused_sync1, "SYNC1 without the flag", s1, 1, KECAT_CFG_SLAVE,
	"dc_* are 0x0, 0, 1, 0 without", SLAVE1->dc_sync1_ns = 1;)
REFUSED_SLAVE(dc_shift, "DC shift above 1 s", "dc_shift_ns is 1000000001",
	      SLAVE->dc_shift_ns = 1000000001;)
REFUSED_SLAVE(dc_shift_neg, "DC shift below -1 s",
	      "dc_shift_ns is -2147483648, allowed are -1000000000 to",
	      SLAVE->dc_shift_ns = -2147483647 - 1;)
REFUSED_SLAVE(t_preop, "time-out to PREOP above 10 min",
	      "t_preop_ms is 600001, allowed are 0 to 600000",
	      SLAVE->t_preop_ms = 600001;)
REFUSED_SLAVE(t_safeop, "time-out to SAFEOP above 10 min",
	      "t_safeop_ms is 4294967295",
	      SLAVE->t_safeop_ms = 0xffffffff;)
REFUSED_SLAVE(t_back, "time-out downwards above 10 min", "t_back_ms is 600001",
	      SLAVE->t_back_ms = 600001;)
REFUSED_SLAVE(name_end, "name that does not end",
	      "name does not end within its 32 bytes",
	      memset(SLAVE->name, 'x', 32);)
REFUSED_SLAVE(name_control, "control character in a name",
	      "name: byte 2 is 0x1b",
	      SLAVE->name[2] = 0x1b;)
REFUSED_SLAVE(name_8bit, "byte above 0x7e in a name", "name: byte 0 is 0xe4",
	      SLAVE->name[0] = (char)0xe4;)
REFUSED_SLAVE(name_tail, "bytes behind the end of a name",
	      "what follows the name: byte 26 is 0x01",
	      SLAVE->name[31] = 1;)
REFUSED_SLAVE(mbx_small, "mailbox that takes no SDO",
	      "mbx_out_size is 15, allowed are 16 to 1486",
	      SLAVE->mbx_out_size = 15;)
REFUSED_SLAVE(mbx_large, "mailbox longer than a frame", "mbx_in_size is 1487",
	      SLAVE->mbx_in_size = 1487;)
REFUSED_SLAVE(mbx_half, "only one of the mailboxes", "mbx_in_size is 0",
	      SLAVE->mbx_in = 0; SLAVE->mbx_in_size = 0;)
REFUSED_SLAVE(mbx_low, "mailbox among the registers",
	      "mbx_out_size: 0x0fff to 0x107e is outside",
	      SLAVE->mbx_out = 0x0fff;)
REFUSED_SLAVE(mbx_high, "mailbox beyond the memory",
	      "mbx_in_size: 0xff81 to 0x10000 is outside",
	      SLAVE->mbx_in = 0xff81;)
REFUSED_SLAVE(mbx_overlap, "mailboxes that overlap", "overlap",
	      SLAVE->mbx_in = 0x107f;)
REFUSED(place, "two slaves at one place", s1, 1, KECAT_CFG_SLAVE,
	"position 0 (alias 0) is also that of slave element 0",
	SLAVE1->position = 0;)

/* ---- sync manager ---- */

REFUSED_SM(sm_index, "SM 16", "SM index is 16, allowed are 0 to 15",
	   SM(out)->index = 16;)
REFUSED_SM(sm_mbx, "SM of the mailbox",
	   "SM 1 serves the mailbox (mbx_out_size 128), allowed are 2 to 15",
	   SM(out)->index = 1;)
REFUSED(sm_twice, "an SM twice", in, 0, KECAT_CFG_SM, "SM 2 behind SM 2",
	SM(in)->index = 2;)
REFUSED(sm_order, "SMs that do not ascend", in, 0, KECAT_CFG_SM, "SM 3 behind SM 4",
	SM(out)->index = 4;)
REFUSED_SM(sm_dir, "unknown direction", "SM dir is 2, allowed are 0 to 1",
	   SM(out)->dir = 2;)
REFUSED_SM(sm_flags, "unknown flags of an SM",
	   "unknown flags 0x8000, known are 0x3",
	   SM(out)->flags |= 0x8000;)
REFUSED_SM(sm_watchdog, "watchdog both on and off", "watchdog both on and off",
	   SM(out)->flags = 3;)
REFUSED_SM(sm_pad, "padding of an SM", "pad: byte 6 is 0x01",
	   SM(out)->pad[6] = 1;)
REFUSED_SM(sm_start, "SM among the registers",
	   "SM start is 0x0eff, allowed are 0x0f00 to 0xffff",
	   SM(out)->start = 0xeff;)
REFUSED_SM(sm_end, "SM beyond the memory",
	   "SM 2: 0xfffe + 3 bytes is beyond 0xffff",
	   SM(out)->start = 0xfffe;)
REFUSED_SM(sm_control, "control byte of the other direction",
	   "control 0x60 has bits 3:2 of the other direction, not 0x04",
	   SM(out)->control = 0x60;)
REFUSED_SM(sm_len, "length that is not that of the PDOs",
	   "SM 2: len is 4, but its PDOs have 21 bits, which is 3 bytes",
	   SM(out)->len = 4;)
REFUSED(sm_len_last, "the same in the last SM of the blob", s1_in, 1, KECAT_CFG_SM,
	"SM 1: len is 6, but its PDOs have 8 bits, which is 1 bytes",
	f.b.len = f.s2; put_pdo(&f.b, 0x0010); put_entry(&f.b, 1, 1, 8);)

/* ---- PDOs and entries ---- */

REFUSED(pdo_0, "PDO 0", s1_pdo, 1, KECAT_CFG_PDO, "PDO index is 0x0000, allowed are 0x0001",
	PDO(s1_pdo)->index = 0;)
REFUSED(pdo_range_out, "TxPDO in an SM of outputs, by CoE", rx, 0, KECAT_CFG_PDO,
	"PDO index is 0x1a02, allowed are 0x1600 to 0x17ff", PDO(rx)->index = 0x1a02;)
REFUSED(pdo_range_in, "RxPDO in an SM of inputs, by CoE", tx0, 0, KECAT_CFG_PDO,
	"PDO index is 0x1c00, allowed are 0x1a00 to 0x1bff", PDO(tx0)->index = 0x1c00;)
REFUSED(pdo_twice, "a PDO twice", tx1, 0, KECAT_CFG_PDO, "PDO 0x1a00 is there twice",
	PDO(tx1)->index = 0x1a00;)
REFUSED(pdo_flags, "flags of a PDO", rx, 0, KECAT_CFG_PDO, "flags is 1",
	PDO(rx)->flags = 1;)
REFUSED(pdo_pad, "padding of a PDO", rx, 0, KECAT_CFG_PDO, "pad is 256",
	PDO(rx)->pad = 256;)
REFUSED(entry_bits, "entry of 0 bits", rx_e1, 0, KECAT_CFG_ENTRY,
	"bits is 0, allowed are 1 to 255", ENTRY(rx_e1)->bits = 0;)
REFUSED(entry_pad, "padding of an entry", rx_e0, 0, KECAT_CFG_ENTRY, "pad is 1",
	ENTRY(rx_e0)->pad = 1;)
REFUSED(gap, "gap with a subindex", rx_gap, 0, KECAT_CFG_ENTRY,
	"subindex of a gap is 1, has to be 0", ENTRY(rx_gap)->subindex = 1;)

/* ---- start-up commands ---- */

REFUSED(sdo_index, "SDO index 0", sdo, 0, KECAT_CFG_SDO, "SDO index is 0x0000",
	SDO(sdo)->index = 0;)
REFUSED(sdo_flags, "unknown flags of an SDO", sdo, 0, KECAT_CFG_SDO,
	"unknown flags 0x2, known are 0x1", SDO(sdo)->flags = 2;)
REFUSED(sdo_transition, "unknown transition", sdo, 0, KECAT_CFG_SDO,
	"transition is 2, allowed are 0 to 1", SDO(sdo)->transition = 2;)
REFUSED(sdo_pad, "padding of an SDO", sdo, 0, KECAT_CFG_SDO, "pad is 9",
	SDO(sdo)->pad = 9;)
REFUSED(sdo_len_less, "less data than there is", sdo, 0, KECAT_CFG_SDO,
	"SDO len is 1, but 2 bytes of data follow", SDO(sdo)->len = 1;)
REFUSED(sdo_len_more, "more data than there is", sdo, 0, KECAT_CFG_SDO,
	"SDO len is 3, but 2 bytes of data follow", SDO(sdo)->len = 3;)
REFUSED(sdo_len_0, "no data", sdo, 0, KECAT_CFG_SDO, "SDO len is 0, allowed are 1 to 65536",
	SDO(sdo)->len = 0;)
REFUSED(sdo_cut, "SDO element shorter than its struct", sdo, 0, KECAT_CFG_SDO,
	"SDO element of 15 bytes, has to be at least 16",
	HEADER(&f.b, f.sdo)->len = 15;)
REFUSED(sdo_complete, "complete access to subindex 2", sdo_ca, 0, KECAT_CFG_SDO,
	"subindex of a complete access is 2, allowed are 0 to 1",
	SDO(sdo_ca)->subindex = 2;)

TEST(refuse_sdo_long, "refused: SDO of 65537 bytes; 65536 are fine")
{
	struct blob b;
	size_t at;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x2000, .len = 65536 });
	check_accepted(&b);
	at = put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x2000, .len = 65537 });
	check_refused(&b, at, 0, KECAT_CFG_SDO, "SDO len is 65537, allowed are 1 to 65536");
	blob_free(&b);
}

/* ---- how many, how much ---- */

TEST(refuse_slaves, "refused: slave 1025; 1024 are fine")
{
	struct blob b;
	size_t at;
	u32 i;

	start(&b);
	for (i = 0; i < KECAT_MAX_SLAVES; i++)
		PUT_SLAVE(&b, .position = i);
	check_accepted(&b);
	at = PUT_SLAVE(&b, .position = 0, .alias = 1, .flags = KECAT_CFGS_ALIAS);
	check_refused(&b, at, 1024, KECAT_CFG_SLAVE, "more than 1024 slave elements");
	blob_free(&b);
}

TEST(refuse_pdos_of_sm, "refused: PDO 255 of an SM; 254 are fine")
{
	struct blob b;
	size_t at;
	u32 i;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	PUT_SM(&b, .index = 2, .dir = KECAT_DIR_OUT);
	for (i = 0; i < 254; i++)
		put_pdo(&b, 0x1600 + i);
	check_accepted(&b);
	at = put_pdo(&b, 0x1700);
	check_refused(&b, at, 0, KECAT_CFG_PDO, "number of PDOs of the SM is 255, allowed are 1 to 254");
	blob_free(&b);
}

TEST(refuse_entries_of_pdo, "refused: entry 255 of a PDO; 254 are fine")
{
	struct blob b;
	size_t at;
	u32 i;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	PUT_SM(&b, .index = 2, .dir = KECAT_DIR_OUT);
	put_pdo(&b, 0x1600);
	for (i = 0; i < 254; i++)
		put_entry(&b, 0x7000, i + 1, 1);
	check_accepted(&b);
	at = put_entry(&b, 0x7000, 255, 1);
	check_refused(&b, at, 0, KECAT_CFG_ENTRY, "number of entries of the PDO is 255, allowed are 1 to 254");
	blob_free(&b);
}

TEST(refuse_pdos, "refused: PDO 4097 of the bus; 4096 are fine")
{
	struct blob b;
	size_t at;
	u32 i, n = 0;

	start(&b);
	for (i = 0; n < KECAT_CFG_MAX_PDOS; i++) {
		PUT_SLAVE(&b, .position = i);
		PUT_SM(&b, .index = 2, .dir = KECAT_DIR_OUT);
		do
			put_pdo(&b, 1 + n);
		while (++n % 64);
	}
	check_accepted(&b);
	at = put_pdo(&b, 0x7fff);
	check_refused(&b, at, 63, KECAT_CFG_PDO, "more than 4096 PDO elements");
	blob_free(&b);
}

TEST(refuse_entries, "refused: entry 65537 of the bus; 65536 are fine")
{
	struct blob b;
	size_t at;
	u32 i, k;

	start(&b);
	for (i = 0; i < 512; i++) {
		PUT_SLAVE(&b, .position = i);
		PUT_SM(&b, .index = 2, .dir = KECAT_DIR_OUT);
		put_pdo(&b, 0x1600);
		for (k = 0; k < 128; k++)
			put_entry(&b, 0x7000, k, 1);
	}
	check_accepted(&b);
	at = put_entry(&b, 0x7000, 200, 1);
	check_refused(&b, at, 511, KECAT_CFG_ENTRY, "more than 65536 entry elements");
	blob_free(&b);
}

TEST(refuse_sdos, "refused: SDO 16385 of the bus; 16384 are fine")
{
	struct blob b;
	size_t at;
	u32 i;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	for (i = 0; i < KECAT_CFG_MAX_SDOS; i++)
		put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x2000, .len = 1 });
	check_accepted(&b);
	at = put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x2000, .len = 1 });
	check_refused(&b, at, 0, KECAT_CFG_SDO, "more than 16384 SDO elements");
	blob_free(&b);
}

static size_t add_sm(struct blob *b, u32 slave, u8 dir, u16 len)
{
	PUT_SLAVE(b, .position = slave);
	return PUT_SM(b, .index = 2, .dir = dir, .len = len);
}

TEST(refuse_image_out, "refused: output image of 65537 bytes; 65536 are fine, next to as many inputs")
{
	struct blob b;
	size_t at;

	start(&b);
	add_sm(&b, 0, KECAT_DIR_IN, 65535);
	add_sm(&b, 1, KECAT_DIR_IN, 1);
	add_sm(&b, 2, KECAT_DIR_OUT, 65535);
	add_sm(&b, 3, KECAT_DIR_OUT, 1);
	check_accepted(&b);
	at = add_sm(&b, 4, KECAT_DIR_OUT, 1);
	PUT_SLAVE(&b, .position = 5);
	check_refused(&b, at, 4, KECAT_CFG_SM, "bytes of the output image is 65537, allowed are 0 to 65536");
	blob_free(&b);
}

TEST(refuse_image_in, "refused: input image of 65537 bytes")
{
	struct blob b;
	size_t at;

	start(&b);
	add_sm(&b, 0, KECAT_DIR_IN, 65535);
	at = add_sm(&b, 1, KECAT_DIR_IN, 2);
	check_refused(&b, at, 1, KECAT_CFG_SM, "bytes of the input image is 65537");
	blob_free(&b);
}

TEST(refuse_sm_bits, "refused: PDOs of an SM with more than 65535 bytes")
{
	struct blob b;
	size_t at;
	u32 i, k;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	at = PUT_SM(&b, .index = 2, .dir = KECAT_DIR_OUT);
	/* 9 * 254 * 255 bits are 72867 bytes */
	for (i = 0; i < 9; i++) {
		put_pdo(&b, 0x1600 + i);
		for (k = 0; k < 254; k++)
			put_entry(&b, 0x7000, k, 255);
	}
	check_refused(&b, at, 0, KECAT_CFG_SM, "bytes of the SM is 72867, allowed are 0 to 65535");
	blob_free(&b);
}

/* ---- accepted ---- */

TEST(edges, "accepted: the ends of each range")
{
	struct fixture f;

	build(&f);
	BUS->cycle_ns = 50000;
	BUS->deadline_ns = 49999;
	BUS->spin_ns = 49999;
	BUS->lost_ns = 49999;
	BUS->flags = KECAT_BUS_SERIAL;
	check_accepted(&f.b);
	BUS->cycle_ns = 1000000000;
	BUS->deadline_ns = 1;
	BUS->lost_ns = 10000000000ULL;
	BUS->on_app_loss = KECAT_LOSS_SAFEOP;
	check_accepted(&f.b);
	SLAVE->group = 15;
	SLAVE->position = 1023;
	SLAVE->mbx_out_size = 16;
	SLAVE->mbx_in_size = 1486;
	SLAVE->mbx_in = 0x10000 - 1486;
	SLAVE->t_preop_ms = 600000;
	SLAVE->dc_shift_ns = 1000000000;
	memset(SLAVE->name, '~', 31);
	check_accepted(&f.b);
	SLAVE->dc_shift_ns = -1000000000;
	SLAVE->name[3] = ' ';
	/* mailboxes that touch, either way round */
	SLAVE->mbx_in = 0x2000;
	SLAVE->mbx_out = 0x2000 + 1486;
	check_accepted(&f.b);
	SLAVE->mbx_out = 0x2000 - 16;
	check_accepted(&f.b);
	SM(in)->index = 15;
	SM(in)->start = 0x10000 - 5;
	PDO(rx)->index = 0x17ff;
	PDO(tx1)->index = 0x1bff;
	ENTRY(rx_e1)->subindex = 255;
	SDO(sdo_ca)->subindex = 0;
	check_accepted(&f.b);
	blob_free(&f.b);
}

TEST(bus_only, "accepted: a bus without slaves")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct blob b;

	start(&b);
	CHECK_EQ(parse(&b, &cfg, &e), 0);
	CHECK_EQ(cfg->slaves, 0);
	CHECK_EQ(cfg->groups, 0);
	CHECK_EQ(cfg->out_len + cfg->in_len, 0);
	kecat_config_free(cfg);
	blob_free(&b);
}

TEST(alternatives, "accepted: two optional slaves at one place, as alternatives")
{
	struct fixture f;

	build(&f);
	SLAVE->flags |= KECAT_CFGS_OPTIONAL;
	SLAVE1->flags |= KECAT_CFGS_OPTIONAL;
	SLAVE1->position = 0;
	check_accepted(&f.b);
	blob_free(&f.b);
}

TEST(same_pdo, "accepted: two slaves with the same PDOs")
{
	struct blob b;
	u32 i;

	start(&b);
	for (i = 0; i < 2; i++) {
		PUT_SLAVE(&b, .position = i, .flags = KECAT_CFGS_MAPPING);
		PUT_SM(&b, .index = 2, .dir = KECAT_DIR_OUT);
		put_pdo(&b, 0x1600);
	}
	check_accepted(&b);
	blob_free(&b);
}

TEST(all_sms, "accepted: all 16 SMs")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct blob b;
	u32 i;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	for (i = 0; i < 16; i++)
		PUT_SM(&b, .index = i, .dir = i % 2, .len = i);
	CHECK_EQ(parse(&b, &cfg, &e), 0);
	CHECK_EQ(cfg->slave[0].sms, 16);
	CHECK_EQ(cfg->out_len, 2 + 4 + 6 + 8 + 10 + 12 + 14);
	CHECK_EQ(cfg->in_len, 1 + 3 + 5 + 7 + 9 + 11 + 13 + 15);
	CHECK_EQ(cfg->slave[0].sm[15].offset, 1 + 3 + 5 + 7 + 9 + 11 + 13);
	kecat_config_free(cfg);
	blob_free(&b);
}

/* ---- what comes out ---- */

TEST(defaults, "defaults are filled in")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct fixture f;

	build(&f);
	CHECK_EQ(parse(&f.b, &cfg, &e), 0);
	CHECK_EQ(cfg->bus.deadline_ns, 750000);
	CHECK_EQ(cfg->bus.lost_ns, 20000000);
	CHECK_EQ(cfg->slave[0].c.t_preop_ms, 3000);
	CHECK_EQ(cfg->slave[0].c.t_safeop_ms, 10000);
	CHECK_EQ(cfg->slave[0].c.t_back_ms, 5000);
	CHECK_EQ(cfg->slave[0].c.dc_sync0_ns, 1000000);
	CHECK_EQ(cfg->slave[1].c.dc_sync0_ns, 0);
	kecat_config_free(cfg);
	BUS->cycle_ns = 10000000;
	SLAVE->t_preop_ms = 1;
	SLAVE->dc_sync0_ns = 123;
	CHECK_EQ(parse(&f.b, &cfg, &e), 0);
	CHECK_EQ(cfg->bus.lost_ns, 40000000);
	CHECK_EQ(cfg->slave[0].c.t_preop_ms, 1);
	CHECK_EQ(cfg->slave[0].c.dc_sync0_ns, 123);
	kecat_config_free(cfg);
	blob_free(&f.b);
}

TEST(layout, "image: groups, then elements, then SMs; each SM on a byte")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct fixture f;

	build(&f);
	CHECK_EQ(parse(&f.b, &cfg, &e), 0);
	CHECK_EQ(cfg->slaves, 3);
	CHECK_EQ(cfg->groups, 2);
	CHECK_EQ(cfg->out_len, 1 + 3);
	CHECK_EQ(cfg->in_len, 6 + 5);
	/* group 0: elements 1 and 2 */
	CHECK_EQ(cfg->slave[1].out_offset, 0);
	CHECK_EQ(cfg->slave[1].out_len, 1);
	CHECK_EQ(cfg->slave[1].in_offset, 0);
	CHECK_EQ(cfg->slave[1].in_len, 6);
	CHECK_EQ(cfg->slave[2].out_len, 0);
	CHECK_EQ(cfg->slave[2].in_len, 0);
	/* group 1: element 0 */
	CHECK_EQ(cfg->slave[0].out_offset, 1);
	CHECK_EQ(cfg->slave[0].out_len, 3);
	CHECK_EQ(cfg->slave[0].in_offset, 6);
	CHECK_EQ(cfg->slave[0].in_len, 5);
	CHECK_EQ(cfg->slave[0].sms, 2);
	CHECK_EQ(cfg->slave[0].sm[0].offset, 1);
	CHECK_EQ(cfg->slave[0].sm[0].bits, 21);
	CHECK_EQ(cfg->slave[0].sm[0].len, 3);
	CHECK_EQ(cfg->slave[0].sm[1].offset, 6);
	CHECK_EQ(cfg->slave[0].sm[1].len, 5);
	kecat_config_free(cfg);
	blob_free(&f.b);
}

TEST(two_sms, "image: two SMs of one direction lie side by side")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct blob b;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	PUT_SM(&b, .index = 2, .dir = KECAT_DIR_IN, .len = 3);
	PUT_SM(&b, .index = 4, .dir = KECAT_DIR_OUT, .len = 7);
	PUT_SM(&b, .index = 5, .dir = KECAT_DIR_IN);
	PUT_SM(&b, .index = 9, .dir = KECAT_DIR_IN, .len = 2);
	CHECK_EQ(parse(&b, &cfg, &e), 0);
	CHECK_EQ(cfg->slave[0].sm[1].offset, 0);
	CHECK_EQ(cfg->slave[0].sm[2].offset, 3);
	CHECK_EQ(cfg->slave[0].sm[2].len, 0);
	CHECK_EQ(cfg->slave[0].sm[3].offset, 3);
	CHECK_EQ(cfg->slave[0].in_len, 5);
	CHECK_EQ(cfg->slave[0].out_len, 7);
	kecat_config_free(cfg);
	blob_free(&b);
}

TEST(contents, "PDOs, entries and commands are found where they belong")
{
	const struct kecat_scfg *s;
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct fixture f;

	build(&f);
	CHECK_EQ(parse(&f.b, &cfg, &e), 0);
	CHECK_EQ(cfg->npdos, 4);
	CHECK_EQ(cfg->nentries, 7);
	CHECK_EQ(cfg->nsdos, 2);
	s = &cfg->slave[0];
	CHECK_STR(s->c.name, "drive");
	CHECK_EQ(s->sm[0].c.control, 0x64);
	CHECK_EQ(s->sm[1].pdos, 2);
	CHECK_EQ(s->sm[1].first_pdo, 1);
	CHECK_EQ(cfg->pdos[2].index, 0x1a01);
	CHECK_EQ(cfg->pdos[2].entries, 1);
	CHECK_EQ(cfg->pdos[2].first_entry, 4);
	CHECK_EQ(cfg->pdos[2].bits, 8);
	CHECK_EQ(cfg->entries[4].index, 0x6010);
	CHECK_EQ(cfg->slave[1].sm[0].first_pdo, 3);
	CHECK_EQ(cfg->pdos[3].bits, 2);
	CHECK_EQ(s->sdos, 2);
	CHECK_EQ(s->first_sdo, 0);
	CHECK_EQ(cfg->slave[1].sdos, 0);
	CHECK_EQ(cfg->sdos[1].index, 0x8001);
	CHECK_EQ(cfg->sdos[1].flags, KECAT_SDO_COMPLETE);
	CHECK_EQ(cfg->sdos[1].transition, KECAT_TR_SO);
	CHECK_EQ(cfg->sdos[1].len, 5);
	CHECK_EQ(cfg->sdos[1].data[4], 0xa5);
	kecat_config_free(cfg);
	blob_free(&f.b);
}

TEST(sdo_between, "a command between an SM and its PDOs does not part them")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct blob b;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	PUT_SM(&b, .index = 2, .dir = KECAT_DIR_OUT);
	put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x2000, .len = 1 });
	put_pdo(&b, 0x1600);
	put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x2001, .len = 1 });
	put_entry(&b, 0x7000, 1, 8);
	CHECK_EQ(parse(&b, &cfg, &e), 0);
	CHECK_EQ(cfg->slave[0].sm[0].len, 1);
	CHECK_EQ(cfg->slave[0].sdos, 2);
	kecat_config_free(cfg);
	blob_free(&b);
}

TEST(round_trip, "the blob is kept as it was given, and parses to the same again")
{
	struct kecat_cfg *cfg, *again;
	struct kecat_cfg_error e;
	struct fixture f;
	struct blob copy;

	build(&f);
	CHECK_EQ(parse(&f.b, &cfg, &e), 0);
	CHECK_EQ(cfg->len, f.b.len);
	CHECK(!memcmp(cfg->blob, f.b.b, f.b.len));
	copy = (struct blob){ .b = cfg->blob, .len = cfg->len };
	CHECK_EQ(parse(&copy, &again, &e), 0);
	CHECK(!memcmp(&cfg->bus, &again->bus, sizeof(cfg->bus)));
	CHECK(!memcmp(cfg->slave, again->slave,
		      cfg->slaves * sizeof(*cfg->slave)));
	CHECK(!memcmp(cfg->pdos, again->pdos, cfg->npdos * sizeof(*cfg->pdos)));
	kecat_config_free(cfg);
	kecat_config_free(again);
	CHECK_EQ(rt_allocated(), 0);
	blob_free(&f.b);
}

TEST(truncated, "refused or parsed, but never read beyond: the blob cut at each byte")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct fixture f;
	size_t n;
	int good = 0;

	build(&f);
	for (n = 1; n < f.b.len; n++) {
		struct blob cut = { .b = f.b.b, .len = n };

		if (parse(&cut, &cfg, &e)) {
			CHECK(e.offset <= n);
			CHECK(e.message[0]);
			continue;
		}
		/* only between two elements is there an end */
		CHECK_EQ(n % 8, 0);
		kecat_config_free(cfg);
		good++;
	}
	/* 20 ends; twice the SM of 3 bytes has PDOs, but too few entries yet */
	CHECK_EQ(good, 18);
	CHECK_EQ(rt_allocated(), 0);
	blob_free(&f.b);
}

TEST(no_memory, "each allocation may fail: -ENOMEM and nothing left behind")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct fixture f;
	int n, ret;

	build(&f);
	for (n = 1; ; n++) {
		rt_fail_alloc(n);
		ret = parse(&f.b, &cfg, &e);
		rt_fail_alloc(0);
		if (!ret)
			break;
		CHECK_EQ(ret, -ENOMEM);
		CHECK_EQ(rt_allocated(), 0);
	}
	/* the struct, the blob, four arrays */
	CHECK_EQ(n, 7);
	kecat_config_free(cfg);
	blob_free(&f.b);
}
