// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames, commands and descriptions made at random, always the same ones.
 * What is tested is that nothing is read or written where it should not be
 * (ASan, UBSan), that nothing hangs, and that the segment still works after.
 */
#include "bench.h"
#include "tap.h"

#define ROUNDS	200000

static u32 seed;

static u32 dice(u32 n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* Datagrams whose fields are mostly plausible. */
static size_t random_frame(u8 *f)
{
	static const u16 ados[] = {
		0x0000, 0x0010, 0x0100, 0x0120, 0x0130, 0x0300, 0x0400, 0x0420,
		0x0500, 0x0502, 0x0508, 0x0600, 0x0610, 0x0800, 0x0808, 0x0810,
		0x0818, 0x0900, 0x0910, 0x0920, 0x0980, 0x0990, 0x09a0, 0x0f00,
		0x0f80, 0x0ff0, 0x1000, 0x1080, 0x1100, 0x1180, 0x1200, 0x1400,
		0x1800, 0x2800, 0xfff0,
	};
	size_t at = 16;
	u32 i, n = 1 + dice(4);

	memset(f, 0, 1514);
	f[12] = 0x88;
	f[13] = 0xa4;
	while (n--) {
		u16 len = (u16)(dice(4) ? dice(20) : dice(300));
		u16 ado = (u16)(ados[dice(ARRAY_SIZE(ados))] + dice(3) * dice(9));

		f[at] = (u8)dice(17);
		sim_put16(f + at + 2, (u16)(dice(2) ? 1001 + dice(7) : 0u - dice(8)));
		sim_put16(f + at + 4, ado);
		sim_put16(f + at + 6, (u16)(len | (n ? 0x8000 : 0) |
					    (dice(50) ? 0 : 0x4000)));
		for (i = 0; i < len; i++)
			f[at + 10 + i] = (u8)(dice(3) ? dice(4) : dice(256));
		at += 12u + len;
	}
	sim_put16(f + 14, (u16)(0x1000 | (at - 16)));
	if (!dice(20))
		f[14 + dice(30)] ^= (u8)BIT(dice(8));
	return dice(30) ? at : 14 + dice((u32)at);
}

static void random_frames(void)
{
	struct bench b = bench_list("coupler,do8,di8,dio8,ai2,drive,big");
	u8 f[1514];
	char cmd[32];
	int i;

	seed = 1;
	bench_address(&b);
	for (i = 0; i < ROUNDS; i++) {
		size_t n = random_frame(f);

		b.now += dice(200000);
		sim_segment_process(b.seg, f, n, b.now);
		sim_segment_tick(b.seg, b.now);
		if (!dice(2000))
			bench_address(&b);
	}
	for (i = 6; i >= 0; i--) {
		snprintf(cmd, sizeof(cmd), "%d sii restore", i);
		CHECK_EQ(bench_fault(&b, cmd), 0);
		snprintf(cmd, sizeof(cmd), "%d power cycle", i);
		CHECK_EQ(bench_fault(&b, cmd), 0);
	}
	CHECK_EQ(bench_address(&b), 7);
	CHECK_EQ(bench_preop(&b, 1006), ESC_PREOP);
	bench_close(&b);
}

/* An SDO request of which some fields make sense. */
static u16 random_request(u8 *m)
{
	static const u16 index[] = {
		0x1000, 0x1018, 0x1c12, 0x1c13, 0x1600, 0x1a00, 0x2000, 0x6040,
		0x8000, 0x1008,
	};
	u16 len = (u16)dice(40), k;

	memset(m, 0, 64);
	for (k = 0; k < len; k++)
		m[k] = (u8)dice(256);
	if (!dice(4))
		return len;
	sim_put16(m, (u16)(dice(8) ? 0x2000 : 0x8000));
	m[2] = (u8)(dice(8) << 5 | dice(32));
	sim_put16(m + 3, index[dice(ARRAY_SIZE(index))]);
	m[5] = (u8)dice(4);
	sim_put32(m + 6, dice(2) ? dice(5000) : (u32)dice(1 << 24) << 8);
	return (u16)(6 + dice(30));
}

static void random_mailboxes(void)
{
	struct bench b = bench_list("ai2,drive,big");
	u8 m[64], rs[SIM_MBX_MAX], d[SIM_XFER_MAX];
	int i, k, answers = 0;

	seed = 2;
	bench_address(&b);
	for (i = 0; i < 3; i++)
		bench_preop(&b, (u16)(1001 + i));
	for (i = 0; i < ROUNDS / 10; i++) {
		u16 st = (u16)(1001 + dice(3)), len = random_request(m);

		answers += bench_mbx(&b, st, m, len, rs) > 6;
		for (k = 0; k < 8 && b.seg->slave[st - 1001].mbx->list_left; k++)
			bench_mbx(&b, st, NULL, 0, rs);
	}
	CHECK(answers > ROUNDS / 100);
	/* it is still a server */
	for (i = 0; i < 3; i++) {
		u16 st = (u16)(1001 + i);

		bench_al(&b, st, ESC_INIT);
		CHECK_EQ(bench_preop(&b, st), ESC_PREOP);
		CHECK_EQ(bench_upload(&b, st, 0x1018, 1, false, d), 4);
	}
	bench_close(&b);
}

/* A description with some of its bytes changed, or cut. */
static void random_descriptions(void)
{
	static char text[20000];
	int i, good = 0;

	seed = 3;
	for (i = 0; i < 3000; i++) {
		const struct sim_devtext *dev = &sim_devtab[dice(sim_devtab_len)];
		struct sim_devtext mine = { "x", text };
		struct sim_config cfg = { .slaves = "x*2", .devices = &mine,
					  .ndevices = 1 };
		struct sim_segment *seg;
		size_t n = strlen(dev->text);
		u32 k, changes = dice(4);

		memcpy(text, dev->text, n + 1);
		for (k = 0; k < changes; k++)
			text[dice((u32)n)] = dice(2) ? (char)(' ' + dice(95)) :
						       "0159\n \"#*x"[dice(10)];
		if (!dice(10))
			text[dice((u32)n)] = 0;
		seg = sim_segment_create(&cfg, 0);
		good += !!seg;
		sim_segment_destroy(seg);
	}
	CHECK(good > 500 && good < 3000);
}

static void random_commands(void)
{
	static const char *const words[] = {
		"0", "1", "2", "5", "segment", "power", "on", "off", "cycle",
		"unplug", "plug", "sii", "garbage", "erased", "byte", "restore",
		"stuck", "mbx", "silent", "ok", "al", "ignore", "refuse", "drop",
		"corrupt", "wkc", "emergency", "drift", "input", "output",
		"status", "0x10", "99999999999", "-1", "\"", "#",
	};
	struct bench b = bench_list("coupler,do8,ai2");
	char cmd[128], answer[128];
	int i;

	seed = 4;
	for (i = 0; i < ROUNDS / 4; i++) {
		u8 d[2] = { 0 };
		u32 k, n = 1 + dice(5);

		cmd[0] = 0;
		for (k = 0; k < n; k++) {
			strcat(cmd, words[dice(ARRAY_SIZE(words))]);
			strcat(cmd, " ");
		}
		sim_segment_fault(b.seg, cmd, b.now, answer, sizeof(answer));
		xfer(&b, ESC_BRD, 0, (u16)dice(0x1200), d, 2);
	}
	CHECK_EQ(bench_fault(&b, "segment status"), 0);
	bench_close(&b);
}

static const struct tap_case cases[] = {
	{ "random frames", random_frames },
	{ "random mailboxes", random_mailboxes },
	{ "random descriptions", random_descriptions },
	{ "random commands", random_commands },
};

int main(void)
{
	return tap_cases(cases, ARRAY_SIZE(cases));
}
