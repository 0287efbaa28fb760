// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/config.c tests/host/unit/rt.c
#include "cfgfix.h"

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

#define REFUSED_BUS(id, text, part, ...)				\
	REFUSED(id, text, bus, KECAT_ALL, KECAT_CFG_BUS, part, __VA_ARGS__)
#define REFUSED_SLAVE(id, text, part, ...)				\
	REFUSED(id, text, s0, 0, KECAT_CFG_SLAVE, part, __VA_ARGS__)
#define REFUSED_SM(id, text, part, ...)					\
	REFUSED(id, text, out, 0, KECAT_CFG_SM, part, __VA_ARGS__)

/* ---- framing ---- */

REFUSED(type_0, "element type 0", sdo, 0, 0, "type is 0, allowed are 1 to 7",
	HEADER(&f.b, f.sdo)->type = 0;)
REFUSED(type_8, "unknown element type", sdo, 0, 8, "type is 8, allowed are 1 to 7",
	HEADER(&f.b, f.sdo)->type = 8;)
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
REFUSED_BUS(spin, "spinning for more than a cycle",
	    "spin_ns is 1000001, allowed are 0 to 1000000",
	    BUS->spin_ns = 1000001;)
REFUSED_BUS(loss, "unknown reaction to a lost application",
	    "on_app_loss is 3, allowed are 0 to 2",
	    BUS->on_app_loss = 3;)
REFUSED_BUS(bus_flags, "unknown flags of the bus",
	    "unknown flags 0x10, known are 0xf",
	    BUS->flags = 0x11;)
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
	   "control 0x60: bits 3:2 have to be 0x04, as its dir",
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

static void refused_fill(u32 frames, u32 bytes, const char *says)
{
	struct blob b;
	size_t at;

	start(&b);
	at = BLOB_PUT(&b, KECAT_CFG_FILL, (struct kecat_cfg_fill){ frames, bytes });
	check_refused(&b, at, KECAT_ALL, KECAT_CFG_FILL, says);
	blob_free(&b);
}

TEST(refuse_fill, "refused: fill of no or too much")
{
	refused_fill(0, 1, "frames is 0, allowed are 1 to 16");
	refused_fill(17, 1, "frames is 17");
	refused_fill(1, 0, "bytes is 0, allowed are 1 to 1400");
	refused_fill(1, 1401, "bytes is 1401");
}

TEST(refuse_fill_and_slaves, "refused: fill beside slaves, whichever is first")
{
	struct kecat_cfg_fill one = { 1, 1 };
	struct blob b;
	size_t at;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	at = BLOB_PUT(&b, KECAT_CFG_FILL, one);
	check_refused(&b, at, 0, KECAT_CFG_FILL, "slaves or fill, not both");
	blob_free(&b);
	start(&b);
	BLOB_PUT(&b, KECAT_CFG_FILL, one);
	at = PUT_SLAVE(&b, .position = 0);
	check_refused(&b, at, 0, KECAT_CFG_SLAVE, "slaves or fill, not both");
	blob_free(&b);
	start(&b);
	BLOB_PUT(&b, KECAT_CFG_FILL, one);
	at = BLOB_PUT(&b, KECAT_CFG_FILL, one);
	check_refused(&b, at, KECAT_ALL, KECAT_CFG_FILL, "more than 1 fill elements");
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
