// SPDX-License-Identifier: GPL-2.0-only
/* Topology, ports, ring, clocks, wires, faults. */
#include "bench.h"
#include "tap.h"

static int slaves_seen(struct bench *b)
{
	u8 d[1] = { 0 };

	return xfer(b, ESC_BRD, 0, 0, d, 1);
}

static void line_of_ports(void)
{
	struct bench b = bench_list("coupler,do8,di8");

	bench_address(&b);
	CHECK_EQ(rd16(&b, 1001, ESC_R_DL_STATUS), 0x5a31);
	CHECK_EQ(rd16(&b, 1002, ESC_R_DL_STATUS), 0x5a33);
	CHECK_EQ(rd16(&b, 1003, ESC_R_DL_STATUS), 0x5613);
	bench_close(&b);
}

/* Frames go 0, 3, 1, 2: the branch at port 3 comes first, port 2 last. */
static void tree_order(void)
{
	struct bench b = bench_text("slave junction\n"
				    "slave do8 at 0.2\n"
				    "slave di8 at 0.1\n"
				    "slave dio8 at 0.3\n"
				    "slave do8\n");
	static const u16 type_at[] = { 0x002, 0x308, 0x208, 0x108, 0x208 };
	unsigned int i;

	CHECK_EQ(bench_address(&b), 5);
	for (i = 0; i < 5; i++)
		CHECK_EQ(bench_sii(&b, (u16)(1001 + i), 10) & 0xffff, type_at[i]);
	CHECK_EQ(rd16(&b, 1001, ESC_R_DL_STATUS), 0xaaf1);
	bench_close(&b);
}

static void bad_descriptions(void)
{
	static const char *const bad[] = {
		"slave nothing\n", "slave coupler at 0.1\n",
		"slave do8\nslave do8 at 0.3\n", "slave do8\nslave do8 at 0.0\n",
		"slave do8\nslave do8 at 0.1\nslave do8 at 0.1\n",
		"slave do8 drift x\n", "loop out 0 in 1\n", "what\n",
		"slave do8 alias\n", "slaves do8*0\n", "slaves do8*9999\n",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct sim_config cfg = { .text = bad[i] };
		struct sim_segment *seg = sim_segment_create(&cfg, 0);

		CHECK(!seg);
		CHECK(cfg.error[0]);
		sim_segment_destroy(seg);
	}
}

static void empty_segment(void)
{
	struct bench b = bench_list("");

	CHECK_EQ(slaves_seen(&b), -1);
	bench_close(&b);
}

static void frames_that_are_none(void)
{
	struct bench b = bench_list("coupler");
	u8 f[1514];
	size_t n;

	for (n = 0; n < 64; n++) {
		memset(f, 0, sizeof(f));
		f[12] = 0x88;
		f[13] = 0xa4;
		f[15] = 0x17;	/* longer than the frame */
		f[14] = 0xff;
		CHECK_EQ(sim_segment_process(b.seg, f, n, b.now), n < 18 ? 0 : n);
	}
	memset(f, 0, sizeof(f));
	f[12] = 0x08;
	CHECK_EQ(sim_segment_process(b.seg, f, 60, b.now), 0);
	bench_close(&b);
}

static void source_address_shows_an_answer(void)
{
	struct bench b = bench_list("coupler");

	slaves_seen(&b);
	CHECK_EQ(b.frame[6] & 2, 2);
	bench_close(&b);
}

static void in_udp_and_vlan(void)
{
	struct bench b = bench_list("coupler");
	u8 f[64];

	memset(f, 0, sizeof(f));
	f[12] = 0x08;
	f[14] = 0x45;
	f[23] = 17;
	f[36] = 0x88;
	f[37] = 0xa4;
	f[40] = 0x12;
	sim_put16(f + 42, 0x1000 | 13);
	f[44] = ESC_BRD;
	sim_put16(f + 50, 1);
	CHECK_EQ(sim_segment_process(b.seg, f, 64, b.now), 64);
	CHECK_EQ(f[55], 1);
	CHECK_EQ(f[40], 0);
	memset(f, 0, sizeof(f));
	f[12] = 0x81;
	f[16] = 0x88;
	f[17] = 0xa4;
	sim_put16(f + 18, 0x1000 | 13);
	f[20] = ESC_BRD;
	sim_put16(f + 26, 1);
	CHECK_EQ(sim_segment_process(b.seg, f, 64, b.now), 64);
	CHECK_EQ(f[31], 1);
	bench_close(&b);
}

static void power_and_plugs(void)
{
	struct bench b = bench_list("coupler,do8,di8,do8");

	bench_address(&b);
	CHECK_EQ(bench_fault(&b, "2 power off"), 0);
	CHECK_EQ(slaves_seen(&b), 2);
	CHECK_EQ(rd16(&b, 1002, ESC_R_DL_STATUS), 0x5613);
	CHECK_EQ(bench_fault(&b, "2 power on"), 0);
	CHECK_EQ(slaves_seen(&b), 4);
	CHECK_EQ(bench_fault(&b, "0 unplug 1"), 0);
	CHECK_EQ(slaves_seen(&b), 1);
	CHECK_EQ(bench_fault(&b, "1 plug 0"), 0);
	CHECK_EQ(slaves_seen(&b), 4);
	CHECK_EQ(rd16(&b, 1001, 0x0311), 0x0001);
	CHECK_EQ(bench_fault(&b, "segment unplug 0"), 0);
	CHECK_EQ(slaves_seen(&b), -1);
	CHECK_EQ(bench_fault(&b, "segment plug 0"), 0);
	CHECK_EQ(slaves_seen(&b), 4);
	bench_close(&b);
}

static void loop_control(void)
{
	struct bench b = bench_list("coupler,do8");

	bench_address(&b);
	wr8(&b, 1001, ESC_R_DL_CTRL + 1, 0x0c);		/* port 1 closed */
	CHECK_EQ(slaves_seen(&b), 1);
	wr8(&b, 1001, ESC_R_DL_CTRL + 1, 0x00);
	CHECK_EQ(slaves_seen(&b), 2);
	/* open without anybody there: frames are gone */
	bench_fault(&b, "1 power off");
	wr8(&b, 1001, ESC_R_DL_CTRL + 1, 0x08);
	CHECK_EQ(slaves_seen(&b), -1);
	bench_fault(&b, "1 power on");
	CHECK_EQ(slaves_seen(&b), 2);
	/* auto close: comes back only when told to */
	wr8(&b, 1001, ESC_R_DL_CTRL + 1, 0x04);
	bench_fault(&b, "1 power cycle");
	CHECK_EQ(slaves_seen(&b), 1);
	wr8(&b, 1001, ESC_R_DL_CTRL + 1, 0x04);
	CHECK_EQ(slaves_seen(&b), 2);
	bench_close(&b);
}

static void brd_frame(u8 f[60])
{
	memset(f, 0, 60);
	f[12] = 0x88;
	f[13] = 0xa4;
	sim_put16(f + 14, 0x1000 | 13);
	f[16] = ESC_BRD;
	sim_put16(f + 22, 1);
}

/* One BRD by one end of the ring; working counter, and where it came out. */
static int brd(struct bench *b, unsigned int *port)
{
	u8 f[60];
	u64 done;

	brd_frame(f);
	b->now += 10000;
	if (!sim_segment_process_port(b->seg, port, f, 60, b->now, &done))
		return -1;
	return sim_get16(f + 27);
}

static void ring(void)
{
	struct bench b = bench_text("slaves coupler,drive*3\nring\n");
	unsigned int p = 0;

	/* whole: by port 0 all are passed, by port 1 none is processed */
	CHECK_EQ(brd(&b, &p), 4);
	CHECK_EQ(p, 1);
	CHECK_EQ(brd(&b, &p), 0);
	CHECK_EQ(p, 0);
	/* cut in the middle: each end sees its half, together all */
	bench_fault(&b, "1 unplug 1");
	p = 0;
	CHECK_EQ(brd(&b, &p), 2);
	CHECK_EQ(p, 0);
	p = 1;
	CHECK_EQ(brd(&b, &p), 2);
	CHECK_EQ(p, 1);
	bench_fault(&b, "1 plug 1");
	/* the master's first cable: all by the other end */
	bench_fault(&b, "segment unplug 0");
	p = 0;
	CHECK_EQ(brd(&b, &p), -1);
	p = 1;
	CHECK_EQ(brd(&b, &p), 4);
	CHECK_EQ(p, 1);
	bench_fault(&b, "segment plug 0");
	/* the master's second cable */
	bench_fault(&b, "segment unplug 1");
	p = 0;
	CHECK_EQ(brd(&b, &p), 4);
	CHECK_EQ(p, 0);
	bench_close(&b);
}

static void circulating_frame_is_destroyed(void)
{
	struct bench b = bench_text("slaves coupler,drive*3\nring\n");
	unsigned int p = 1;
	u8 f[60];
	u64 done;

	bench_fault(&b, "segment unplug 0");
	brd_frame(f);
	CHECK_EQ(sim_segment_process_port(b.seg, &p, f, 60, b.now, &done), 60);
	CHECK_EQ(f[23] & 0x40, 0x40);
	p = 1;
	CHECK_EQ(sim_segment_process_port(b.seg, &p, f, 60, b.now, &done), 0);
	bench_close(&b);
}

static void lost_and_damaged_frames(void)
{
	struct bench b = bench_list("coupler,do8");

	bench_address(&b);
	bench_fault(&b, "segment drop 2");
	CHECK_EQ(slaves_seen(&b), -1);
	CHECK_EQ(slaves_seen(&b), -1);
	CHECK_EQ(slaves_seen(&b), 2);
	bench_fault(&b, "1 corrupt 1");
	CHECK_EQ(slaves_seen(&b), -1);
	CHECK_EQ(rd16(&b, 1002, 0x0300), 0x0101);
	wr8(&b, 1002, 0x0300, 0);
	CHECK_EQ(rd16(&b, 1002, 0x0300), 0);
	bench_fault(&b, "1 drop 1");
	CHECK_EQ(slaves_seen(&b), -1);
	bench_fault(&b, "1 wkc 1");
	CHECK_EQ(slaves_seen(&b), 3);
	CHECK_EQ(slaves_seen(&b), 2);
	bench_close(&b);
}

static void another_identity(void)
{
	struct bench b = bench_list("do8");

	bench_address(&b);
	bench_fault(&b, "0 identity 1 2");
	CHECK_EQ(bench_sii(&b, 1001, 8), 0x0000000200000001ull);
	bench_fault(&b, "0 sii restore");
	CHECK_EQ((u32)bench_sii(&b, 1001, 8), 0x4b454341);
	bench_fault(&b, "0 sii erased");
	CHECK_EQ((u32)bench_sii(&b, 1001, 0), 0xffffffff);
	bench_fault(&b, "0 sii garbage");
	CHECK((u32)bench_sii(&b, 1001, 8) != 0x4b454341);
	bench_close(&b);
}

static void commands_that_are_none(void)
{
	static const struct {
		const char *cmd;
		int err;
	} bad[] = {
		{ "", -EINVAL }, { "1", -EINVAL }, { "9 power off", -ENODEV },
		{ "x power off", -EINVAL }, { "0 power", -EINVAL },
		{ "0 unplug 7", -EINVAL }, { "0 unplug 3", -ENOENT },
		{ "segment power off", -EINVAL }, { "0 input 0 1", -ENOENT },
		{ "0 emergency 1", -ENODEV }, { "0 sii byte 99999999 1", -EINVAL },
		{ "-1 power off", -EINVAL },
	};
	struct bench b = bench_list("coupler,do8");
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_EQ(bench_fault(&b, bad[i].cmd), bad[i].err);
	bench_close(&b);
}

static void wires(void)
{
	struct bench b = bench_text("slaves coupler,do8,di8; loop out 1 in 2 # a; b");
	u8 d[2] = { 0x5a, 0 };
	u64 v;

	bench_address(&b);
	bench_sm(&b, 1002, 0, 0x0f00, 1, 0x44);
	bench_sm(&b, 1003, 0, 0x1000, 1, 0x00);
	bench_fmmu(&b, 1002, 0, 0, 1, 0, 7, 0x0f00, 0, 2);
	bench_fmmu(&b, 1003, 0, 1, 1, 0, 7, 0x1000, 0, 1);
	wr16(&b, 1002, ESC_R_AL_CTRL, ESC_SAFEOP);
	wr16(&b, 1003, ESC_R_AL_CTRL, ESC_SAFEOP);
	lxfer(&b, ESC_LRW, 0, d, 2);
	/* outputs do not act before OP */
	d[0] = 0x5a;
	lxfer(&b, ESC_LRW, 0, d, 2);
	CHECK_EQ(d[1], 0);
	wr16(&b, 1002, ESC_R_AL_CTRL, ESC_OP);
	d[0] = 0x5a;
	lxfer(&b, ESC_LRW, 0, d, 2);
	d[0] = 0xa5;
	CHECK_EQ(lxfer(&b, ESC_LRW, 0, d, 2), 3);
	CHECK_EQ(d[1], 0x5a);
	CHECK_EQ(lxfer(&b, ESC_LRD, 0, d, 2), 1);
	CHECK_EQ(d[1], 0xa5);
	CHECK_EQ(sim_segment_get_output(b.seg, 1, 2, &v), 0);
	CHECK_EQ(v, 1);
	/* the watchdog expires: outputs and what they drive go to zero */
	bench_wait(&b, 110000);
	CHECK_EQ(lxfer(&b, ESC_LRD, 0, d, 2), 1);
	CHECK_EQ(d[1], 0);
	bench_close(&b);
}

static void inputs_from_outside(void)
{
	struct bench b = bench_list("coupler,di8");
	u8 d[1];

	bench_address(&b);
	CHECK_EQ(bench_fault(&b, "1 input 3 1"), 0);
	CHECK_EQ(bench_fault(&b, "1 input 8 1"), -ENOENT);
	CHECK_EQ(rd(&b, 1002, 0x1000, d, 1), 1);
	CHECK_EQ(d[0], 0x08);
	bench_close(&b);
}

static void large_images(void)
{
	struct bench b = bench_list("big");
	u8 d[1400];
	int i;

	bench_address(&b);
	CHECK_EQ(bench_preop(&b, 1001), ESC_PREOP);
	bench_sm(&b, 1001, 2, 0x1800, 1200, 0x64);
	bench_sm(&b, 1001, 3, 0x2800, 1200, 0x20);
	bench_fmmu(&b, 1001, 0, 0, 1200, 0, 7, 0x1800, 0, 2);
	bench_fmmu(&b, 1001, 1, 2000, 1200, 0, 7, 0x2800, 0, 1);
	CHECK_EQ(bench_al(&b, 1001, ESC_SAFEOP), ESC_SAFEOP);
	memset(d, 0x77, 1200);
	CHECK_EQ(lxfer(&b, ESC_LWR, 0, d, 1200), 1);
	CHECK_EQ(bench_al(&b, 1001, ESC_OP), ESC_OP);
	for (i = 0; i < 1200; i++)
		d[i] = (u8)(i * 5);
	CHECK_EQ(lxfer(&b, ESC_LWR, 0, d, 600), 1);
	CHECK_EQ(lxfer(&b, ESC_LWR, 600, d + 600, 600), 1);
	CHECK_EQ(lxfer(&b, ESC_LRD, 2000, d, 1200), 1);
	for (i = 0; i < 1200 && d[i] == (u8)(i * 5); i++)
		;
	CHECK_EQ(i, 1200);
	bench_close(&b);
}

static void propagation_delays(void)
{
	struct bench b = bench_list("coupler,do8,di8");
	u8 d[4] = { 0 };
	u32 t[3][2];
	int i;

	bench_address(&b);
	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_DC_RX, d, 4), 3);
	for (i = 0; i < 3; i++) {
		t[i][0] = rd32(&b, (u16)(1001 + i), ESC_R_DC_RX);
		t[i][1] = rd32(&b, (u16)(1001 + i), ESC_R_DC_RX + 4);
	}
	/* 145 ns and a cable of 5 ns in each direction a slave */
	CHECK_EQ(t[0][1] - t[0][0], 150 + 5 + 145 + 5 + 145 + 5 + 145 + 5);
	CHECK_EQ(t[1][1] - t[1][0], 145 + 5 + 145 + 5);
	CHECK_EQ(t[2][1], 0);
	bench_close(&b);
}

/* System time of a slave minus that of the reference, in ns. */
static s32 apart(struct bench *b, int i)
{
	u32 ref = (u32)esc_dc_system(&b->seg->slave[0].esc, b->now);

	return (s32)((u32)esc_dc_system(&b->seg->slave[i].esc, b->now) - ref);
}

static void clocks_follow_the_reference(void)
{
	struct bench b = bench_text("slave drive drift 0\n"
				    "slave drive drift 40000\n"
				    "slave drive drift -35000\n");
	u8 d[8];
	int i, k;

	bench_address(&b);
	for (k = 1; k < 3; k++) {
		s32 off = apart(&b, k);

		sim_put64(d, (u64)-(s64)off);
		CHECK_EQ(wr(&b, (u16)(1001 + k), ESC_R_DC_OFFSET, d, 8), 1);
		wr32(&b, (u16)(1001 + k), ESC_R_DC_DELAY, (u32)k * 325);
	}
	for (i = 0; i < 3000; i++) {
		bench_wait(&b, 990);
		memset(d, 0, 8);
		CHECK_EQ(xfer(&b, ESC_FRMW, 1001, ESC_R_DC_TIME, d, 8), 3);
	}
	for (k = 1; k < 3; k++) {
		CHECK(apart(&b, k) < 50 && apart(&b, k) > -50);
		CHECK((rd32(&b, (u16)(1001 + k), ESC_R_DC_DIFF) & 0x7fffffff) < 50);
	}
	bench_close(&b);
}

static void sync_pulses(void)
{
	struct bench b = bench_list("drive");
	struct esc *e = &b.seg->slave[0].esc;
	u8 d[8];
	u64 start;

	bench_address(&b);
	start = esc_dc_system(e, b.now) + 10000000;
	sim_put64(d, start);
	wr(&b, 1001, ESC_R_DC_START, d, 8);
	wr32(&b, 1001, ESC_R_DC_CYCLE0, 1000000);
	wr8(&b, 1001, ESC_R_DC_ACT, 3);
	CHECK_EQ(rd16(&b, 1001, ESC_R_DC_ACT_STATUS) & 0xff, 1);
	CHECK_EQ(esc_dc_sync0_count(e, b.now + 5000000), 0);
	CHECK_EQ(esc_dc_sync0_count(e, b.now + 12500000), 3);
	bench_wait(&b, 12500);
	rd(&b, 1001, ESC_R_DC_START, d, 8);
	CHECK_EQ(sim_get64(d), start + 3000000);
	/* a start in the past: no pulse, and it is told */
	wr8(&b, 1001, ESC_R_DC_ACT, 0);
	wr32(&b, 1001, ESC_R_DC_START, 1);
	wr32(&b, 1001, ESC_R_DC_START + 4, 0);
	wr8(&b, 1001, ESC_R_DC_ACT, 3);
	CHECK_EQ(rd16(&b, 1001, ESC_R_DC_ACT_STATUS) & 0xff, 4);
	CHECK_EQ(esc_dc_sync0_count(e, b.now + 1000000000), 0);
	bench_close(&b);
}

static const struct tap_case cases[] = {
	{ "DL status of a line", line_of_ports },
	{ "order of a tree", tree_order },
	{ "bad segment descriptions", bad_descriptions },
	{ "segment without slaves", empty_segment },
	{ "frames that are none", frames_that_are_none },
	{ "source address shows an answer", source_address_shows_an_answer },
	{ "EtherCAT in UDP and behind a VLAN tag", in_udp_and_vlan },
	{ "power and plugs", power_and_plugs },
	{ "loop control", loop_control },
	{ "ring: whole and cut at three places", ring },
	{ "circulating frame is destroyed", circulating_frame_is_destroyed },
	{ "lost and damaged frames", lost_and_damaged_frames },
	{ "another identity, EEPROM faults", another_identity },
	{ "commands that are none", commands_that_are_none },
	{ "wires from outputs to inputs", wires },
	{ "inputs from outside", inputs_from_outside },
	{ "images of 1200 bytes", large_images },
	{ "receive times show the delays", propagation_delays },
	{ "clocks follow the reference", clocks_follow_the_reference },
	{ "SYNC0 pulses", sync_pulses },
};

int main(void)
{
	return tap_cases(cases, ARRAY_SIZE(cases));
}
