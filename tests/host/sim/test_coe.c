// SPDX-License-Identifier: GPL-2.0-only
/* Mailbox transport and CoE. */
#include "bench.h"
#include "tap.h"

#define AI	1001
#define DRIVE	1002
#define BIG	1003

static struct bench ready(void)
{
	struct bench b = bench_list("ai2,drive,big");

	bench_address(&b);
	bench_preop(&b, AI);
	bench_preop(&b, DRIVE);
	bench_preop(&b, BIG);
	return b;
}

static s64 up(struct bench *b, u16 station, u16 index, u8 sub)
{
	u8 d[SIM_XFER_MAX] = { 0 };
	s64 n = bench_upload(b, station, index, sub, false, d);

	return n < 0 ? n : (s64)sim_get32(d);
}

static void upload_expedited(void)
{
	struct bench b = ready();

	CHECK_EQ(up(&b, DRIVE, 0x1000, 0), 0x00020192);
	CHECK_EQ(up(&b, DRIVE, 0x1018, 0), 4);
	CHECK_EQ(up(&b, DRIVE, 0x1018, 2), 0x501);
	CHECK_EQ(up(&b, DRIVE, 0x1c00, 4), 4);
	CHECK_EQ(up(&b, DRIVE, 0x1c13, 1), 0x1a00);
	CHECK_EQ(up(&b, DRIVE, 0x1a00, 2), 0x60640020);
	bench_close(&b);
}

static void upload_aborts(void)
{
	struct bench b = ready();

	CHECK_EQ(up(&b, DRIVE, 0x5000, 0), -0x06020000ll);
	CHECK_EQ(up(&b, DRIVE, 0x1018, 9), -0x06090011ll);
	CHECK_EQ(up(&b, DRIVE, 0x1c12, 2), -0x06090011ll);
	bench_close(&b);
}

static void upload_normal(void)
{
	struct bench b = ready();
	u8 d[SIM_XFER_MAX];

	CHECK_EQ(bench_upload(&b, DRIVE, 0x1008, 0, false, d), 8);
	CHECK(!memcmp(d, "KS-DRIVE", 8));
	bench_close(&b);
}

static void segmented_both_ways(void)
{
	struct bench b = ready();
	u8 out[4000], in[SIM_XFER_MAX];
	unsigned int i;

	for (i = 0; i < sizeof(out); i++)
		out[i] = (u8)(i * 7 + i / 256);
	CHECK_EQ(bench_download(&b, BIG, 0x2000, 0, false, out, sizeof(out)), 0);
	CHECK_EQ(bench_upload(&b, BIG, 0x2000, 0, false, in), 4000);
	CHECK(!memcmp(in, out, sizeof(out)));
	bench_close(&b);
}

static void wrong_toggle_aborts(void)
{
	struct bench b = ready();
	u8 rq[10] = { 0x00, 0x20, 0x40, 0x00, 0x20, 0 }, rs[SIM_MBX_MAX];

	CHECK_EQ(bench_mbx(&b, BIG, rq, 10, rs), 1024);
	rq[2] = 0x70;
	bench_mbx(&b, BIG, rq, 10, rs);
	CHECK_EQ(rs[8], 0x80);
	CHECK_EQ(sim_get32(rs + 12), 0x05030000);
	bench_close(&b);
}

static void download_rights(void)
{
	struct bench b = ready();
	u8 v[4] = { 8, 0, 0, 0 };

	CHECK_EQ(bench_download(&b, DRIVE, 0x1000, 0, false, v, 4), 0x06010002);
	CHECK_EQ(bench_download(&b, DRIVE, 0x6060, 0, false, v, 1), 0);
	CHECK_EQ(up(&b, DRIVE, 0x6060, 0), 8);
	CHECK_EQ(bench_download(&b, DRIVE, 0x6060, 0, false, v, 2), 0x06070012);
	CHECK_EQ(bench_download(&b, DRIVE, 0x6065, 0, false, v, 2), 0x06070013);
	CHECK_EQ(bench_download(&b, DRIVE, 0x7777, 0, false, v, 4), 0x06020000);
	bench_close(&b);
}

static void assignment_order(void)
{
	struct bench b = ready();
	u8 pdo[2] = { 0x01, 0x1a }, zero = 0, one = 1, bad[2] = { 0x99, 0x1a };

	/* sub-index 0 has to be cleared first */
	CHECK_EQ(bench_download(&b, DRIVE, 0x1c13, 1, false, pdo, 2), 0x06010003);
	CHECK_EQ(bench_download(&b, DRIVE, 0x1c13, 0, false, &zero, 1), 0);
	CHECK_EQ(bench_download(&b, DRIVE, 0x1c13, 1, false, bad, 2), 0x06090030);
	CHECK_EQ(bench_download(&b, DRIVE, 0x1c13, 1, false, pdo, 2), 0);
	CHECK_EQ(bench_download(&b, DRIVE, 0x1c13, 0, false, &one, 1), 0);
	/* 0x1a01 is 6 bytes long, 0x1a00 was 11 */
	bench_sm(&b, DRIVE, 2, 0x1200, 7, 0x64);
	bench_sm(&b, DRIVE, 3, 0x1400, 11, 0x20);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_SAFEOP) >> 16, 0x001e);
	bench_al(&b, DRIVE, ESC_PREOP | 0x10);
	bench_sm(&b, DRIVE, 3, 0x1400, 6, 0x20);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_SAFEOP), ESC_SAFEOP);
	/* and cannot be changed any more */
	CHECK_EQ(bench_download(&b, DRIVE, 0x1c13, 0, false, &zero, 1), 0x08000022);
	bench_close(&b);
}

static void empty_assignment(void)
{
	struct bench b = ready();
	u8 zero = 0;

	CHECK_EQ(bench_download(&b, DRIVE, 0x1c13, 0, false, &zero, 1), 0);
	bench_sm(&b, DRIVE, 2, 0x1200, 7, 0x64);
	bench_sm(&b, DRIVE, 3, 0x1400, 0, 0x20);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_SAFEOP), ESC_SAFEOP);
	bench_close(&b);
}

static void mapping_is_checked(void)
{
	struct bench b = ready();
	u8 zero = 0, one = 1, map[4];

	CHECK_EQ(bench_download(&b, DRIVE, 0x1a01, 0, false, &zero, 1), 0);
	sim_put32(map, 0x60400010);
	CHECK_EQ(bench_download(&b, DRIVE, 0x1a01, 1, false, map, 4), 0x06040041);
	sim_put32(map, 0x60640010);
	CHECK_EQ(bench_download(&b, DRIVE, 0x1a01, 1, false, map, 4), 0x06070010);
	sim_put32(map, 0x60640020);
	CHECK_EQ(bench_download(&b, DRIVE, 0x1a01, 1, false, map, 4), 0);
	CHECK_EQ(bench_download(&b, DRIVE, 0x1a01, 0, false, &one, 1), 0);
	bench_close(&b);
}

static void complete_access(void)
{
	struct bench b = ready();
	u8 d[SIM_XFER_MAX], list[6] = { 2, 0, 0x00, 0x1a, 0x01, 0x1a };

	CHECK_EQ(bench_upload(&b, DRIVE, 0x1018, 0, true, d), 18);
	CHECK_EQ(sim_get16(d), 4);
	CHECK_EQ(sim_get32(d + 2), 0x4b454341);
	CHECK_EQ(sim_get32(d + 14), 7);
	CHECK_EQ(bench_upload(&b, DRIVE, 0x1018, 1, true, d), 16);
	/* one entry: expedited, the count 16 bits wide */
	CHECK_EQ(bench_upload(&b, DRIVE, 0x1c12, 0, true, d), 4);
	CHECK_EQ(sim_get32(d), 0x16000001);
	CHECK_EQ(bench_upload(&b, DRIVE, 0x1018, 2, true, d), -0x06090011ll);
	CHECK_EQ(bench_download(&b, DRIVE, 0x1c13, 0, true, list, 6), 0);
	CHECK_EQ(up(&b, DRIVE, 0x1c13, 0), 2);
	CHECK_EQ(up(&b, DRIVE, 0x1c13, 2), 0x1a01);
	bench_close(&b);
}

static void counters(void)
{
	struct bench b = ready();
	u8 rq[10] = { 0x00, 0x20, 0x40, 0x00, 0x10, 0 }, rs[SIM_MBX_MAX];
	int i;

	for (i = 1; i <= 9; i++) {
		CHECK_EQ(bench_mbx_counter(&b, AI, rq, 10, (u8)((i - 1) % 7 + 1),
					   rs), 16);
		/* the slave counts its own answers, 1..7, never 0 */
		CHECK_EQ(rs[5], ((i - 1) % 7 + 1) << 4 | 3);
	}
	/* the same number again is a repetition: no second answer */
	CHECK_EQ(bench_mbx_counter(&b, AI, rq, 10, 2, rs), 0);
	/* number 0 is not counted */
	CHECK_EQ(bench_mbx_counter(&b, AI, rq, 10, 0, rs), 16);
	CHECK_EQ(bench_mbx_counter(&b, AI, rq, 10, 0, rs), 16);
	bench_close(&b);
}

static void lost_answer_is_repeated(void)
{
	struct bench b = ready();
	u8 rq[10] = { 0x00, 0x20, 0x40, 0x00, 0x10, 0 }, rs[SIM_MBX_MAX];
	u8 again[SIM_MBX_MAX];

	CHECK_EQ(bench_mbx(&b, AI, rq, 10, rs), 16);
	CHECK_EQ(bench_mbx(&b, AI, NULL, 0, again), 0);
	wr8(&b, AI, ESC_R_SM + 14, 3);
	CHECK_EQ(rd16(&b, AI, ESC_R_SM + 14) >> 8, 2);
	CHECK_EQ(bench_mbx(&b, AI, NULL, 0, again), 16);
	CHECK(!memcmp(rs, again, 16));
	CHECK_EQ(bench_mbx(&b, AI, NULL, 0, again), 0);
	bench_close(&b);
}

static void silent_mailbox(void)
{
	struct bench b = ready();
	u8 rq[10] = { 0x00, 0x20, 0x40, 0x00, 0x10, 0 }, rs[SIM_MBX_MAX];

	bench_fault(&b, "0 mbx silent");
	CHECK_EQ(bench_mbx(&b, AI, rq, 10, rs), 0);
	bench_fault(&b, "0 mbx ok");
	CHECK_EQ(bench_mbx(&b, AI, rq, 10, rs), 16);
	bench_close(&b);
}

static void emergency_before_the_answer(void)
{
	struct bench b = ready();
	u8 rq[10] = { 0x00, 0x20, 0x40, 0x00, 0x10, 0 }, rs[SIM_MBX_MAX];

	CHECK_EQ(bench_fault(&b, "1 emergency 0x8611 0x20"), 0);
	CHECK_EQ(bench_mbx(&b, DRIVE, rq, 10, rs), 16);
	CHECK_EQ(sim_get16(rs + 6), 0x1000);
	CHECK_EQ(sim_get16(rs + 8), 0x8611);
	CHECK_EQ(rs[10], 0x20);
	CHECK_EQ(bench_mbx(&b, DRIVE, NULL, 0, rs), 16);
	CHECK_EQ(sim_get16(rs + 6), 0x3000);
	bench_close(&b);
}

static void wrong_protocol(void)
{
	struct bench b = ready();
	u8 m[128] = { 4, 0, 0, 0, 0, 0x14, 1, 2, 3, 4 }, rs[SIM_MBX_MAX];

	CHECK_EQ(wr(&b, AI, 0x1000, m, 128), 1);
	CHECK_EQ(bench_mbx(&b, AI, NULL, 0, rs), 10);
	CHECK_EQ(rs[5] & 15, 0);
	CHECK_EQ(sim_get16(rs + 6), 1);
	CHECK_EQ(sim_get16(rs + 8), 2);
	/* a length beyond the mailbox */
	sim_put16(m, 0xffff);
	m[5] = 0x23;
	CHECK_EQ(wr(&b, AI, 0x1000, m, 128), 1);
	CHECK_EQ(bench_mbx(&b, AI, NULL, 0, rs), 10);
	CHECK_EQ(sim_get16(rs + 8), 5);
	bench_close(&b);
}

static void info_list_in_fragments(void)
{
	/* 100 objects do not fit into a mailbox of 128 bytes at once */
	static char text[8000];
	struct sim_devtext dev = { "many", text };
	struct sim_config cfg = { .slaves = "many", .devices = &dev, .ndevices = 1 };
	u8 rq[8] = { 0x00, 0x80, 1, 0, 0, 0, 1, 0 }, rs[SIM_MBX_MAX];
	struct bench b = { .now = 1000000 };
	int i, n, objects = 0, fragments = 1;
	u16 left, last = 0;

	n = sprintf(text, "mailbox rx 0x1000 rx_len 128 tx 0x1080 tx_len 128\n"
		    "proto coe\ncoe sdo info\nsm 0 mbxout 0x1000 128\n"
		    "sm 1 mbxin 0x1080 128\n");
	for (i = 0; i < 100; i++)
		n += sprintf(text + n, "var %d u8 ro 0 \"x\"\n", 0x2000 + i);
	b.seg = sim_segment_create(&cfg, b.now);
	if (!b.seg) {
		CHECK(b.seg);
		return;
	}
	bench_address(&b);
	bench_preop(&b, 1001);
	n = bench_mbx(&b, 1001, rq, 8, rs);
	CHECK_EQ(rs[8] & 0x7f, 2);
	CHECK_EQ(sim_get16(rs + 12), 1);
	for (;;) {
		int at = fragments == 1 ? 14 : 12;

		left = sim_get16(rs + 10);
		for (; at + 2 <= n; at += 2, objects++) {
			CHECK(sim_get16(rs + at) > last);
			last = sim_get16(rs + at);
		}
		CHECK_EQ(!!(rs[8] & 0x80), left > 0);
		if (!left)
			break;
		n = bench_mbx(&b, 1001, NULL, 0, rs);
		fragments++;
		CHECK_EQ(sim_get16(rs + 10), left - 1);
		if (n < 12)
			break;
	}
	CHECK(fragments > 1);
	CHECK_EQ(last, 0x2063);
	CHECK_EQ(objects, 102);		/* 0x1018 and 0x1c00 come by themselves */
	bench_close(&b);
}

static void info_descriptions(void)
{
	struct bench b = ready();
	u8 obj[8] = { 0x00, 0x80, 3, 0, 0, 0, 0x64, 0x60 };
	u8 ent[10] = { 0x00, 0x80, 5, 0, 0, 0, 0x40, 0x60, 0, 0 };
	u8 rs[SIM_MBX_MAX];

	CHECK_EQ(bench_mbx(&b, DRIVE, obj, 8, rs), 18 + 15);
	CHECK_EQ(rs[8], 4);
	CHECK_EQ(sim_get16(rs + 12), 0x6064);
	CHECK_EQ(sim_get16(rs + 14), 0x0004);
	CHECK_EQ(rs[17], 7);
	CHECK(!memcmp(rs + 18, "Position inputs", 15));
	CHECK_EQ(bench_mbx(&b, DRIVE, ent, 10, rs), 22 + 12);
	CHECK_EQ(rs[8], 6);
	CHECK_EQ(sim_get16(rs + 18), 16);
	CHECK(sim_get16(rs + 20) & SIM_ACC_RXPDO);
	CHECK(!memcmp(rs + 22, "Control word", 12));
	ent[6] = 0x99;
	bench_mbx(&b, DRIVE, ent, 10, rs);
	CHECK_EQ(rs[8], 7);
	CHECK_EQ(sim_get32(rs + 12), 0x06090011);
	bench_close(&b);
}

static void drive_follows(void)
{
	struct bench b = ready();
	static const u16 steps[][2] = {
		{ 0x0000, 0x0240 }, { 0x0006, 0x0221 }, { 0x0007, 0x0223 },
		{ 0x000f, 0x1227 },
	};
	u8 d[18];
	unsigned int i;

	bench_sm(&b, DRIVE, 2, 0x1200, 7, 0x64);
	bench_sm(&b, DRIVE, 3, 0x1400, 11, 0x20);
	bench_fmmu(&b, DRIVE, 0, 0, 7, 0, 7, 0x1200, 0, 2);
	bench_fmmu(&b, DRIVE, 1, 7, 11, 0, 7, 0x1400, 0, 1);
	bench_al(&b, DRIVE, ESC_SAFEOP);
	memset(d, 0, 18);
	lxfer(&b, ESC_LRW, 0, d, 18);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_OP), ESC_OP);
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		int k;

		for (k = 0; k < 2; k++) {
			memset(d, 0, 18);
			sim_put16(d, steps[i][0]);
			sim_put32(d + 2, 123456);
			d[6] = 8;
			CHECK_EQ(lxfer(&b, ESC_LRW, 0, d, 18), 3);
		}
		CHECK_EQ(sim_get16(d + 7), steps[i][1]);
	}
	CHECK_EQ(sim_get32(d + 9), 123456);
	CHECK_EQ(d[17], 8);
	bench_close(&b);
}

static const struct tap_case cases[] = {
	{ "expedited upload", upload_expedited },
	{ "upload aborts", upload_aborts },
	{ "normal upload", upload_normal },
	{ "segmented download and upload", segmented_both_ways },
	{ "wrong toggle aborts", wrong_toggle_aborts },
	{ "download rights and lengths", download_rights },
	{ "PDO assignment: order, effect, state", assignment_order },
	{ "empty PDO assignment", empty_assignment },
	{ "PDO mapping is checked", mapping_is_checked },
	{ "complete access", complete_access },
	{ "mailbox counters", counters },
	{ "lost answer is repeated", lost_answer_is_repeated },
	{ "silent mailbox", silent_mailbox },
	{ "emergency before the answer", emergency_before_the_answer },
	{ "wrong protocol, wrong length", wrong_protocol },
	{ "object list in fragments", info_list_in_fragments },
	{ "object and entry descriptions", info_descriptions },
	{ "CiA 402 drive follows", drive_follows },
};

int main(void)
{
	return tap_cases(cases, ARRAY_SIZE(cases));
}
