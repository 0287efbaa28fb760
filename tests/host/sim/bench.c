// SPDX-License-Identifier: GPL-2.0-only
#include "bench.h"

#define TYPE_COE	3

static struct bench open_bench(struct sim_config *cfg)
{
	struct bench b = { .now = 1000000 };

	b.seg = sim_segment_create(cfg, b.now);
	if (!b.seg) {
		printf("Bail out! %s\n", cfg->error);
		exit(1);
	}
	return b;
}

struct bench bench_list(const char *slaves)
{
	struct sim_config cfg = { .slaves = slaves };

	return open_bench(&cfg);
}

struct bench bench_text(const char *text)
{
	struct sim_config cfg = { .text = text };

	return open_bench(&cfg);
}

void bench_close(struct bench *b)
{
	sim_segment_destroy(b->seg);
}

void bench_wait(struct bench *b, u64 us)
{
	b->now += us * 1000;
	sim_segment_tick(b->seg, b->now);
}

int bench_fault(struct bench *b, const char *command)
{
	char answer[128];

	return sim_segment_fault(b->seg, command, b->now, answer,
				 sizeof(answer));
}

int xfer(struct bench *b, u8 cmd, u16 adp, u16 ado, void *data, u16 len)
{
	u8 *f = b->frame;

	memset(f, 0, 60);
	memset(f, 0xff, 6);
	f[12] = 0x88;
	f[13] = 0xa4;
	sim_put16(f + 14, (u16)(0x1000 | (len + 12)));
	f[16] = cmd;
	sim_put16(f + 18, adp);
	sim_put16(f + 20, ado);
	sim_put16(f + 22, len);
	sim_put16(f + 24, 0);
	memcpy(f + 26, data, len);
	sim_put16(f + 26 + len, 0);
	b->len = 28u + len < 60 ? 60 : 28u + len;
	b->now += 10000;
	b->len = sim_segment_process(b->seg, f, b->len, b->now);
	sim_segment_tick(b->seg, b->now);
	if (!b->len)
		return -1;
	memcpy(data, f + 26, len);
	b->adp = sim_get16(f + 18);
	return sim_get16(f + 26 + len);
}

int lxfer(struct bench *b, u8 cmd, u32 addr, void *data, u16 len)
{
	return xfer(b, cmd, (u16)addr, (u16)(addr >> 16), data, len);
}

int rd(struct bench *b, u16 station, u16 ado, void *data, u16 len)
{
	memset(data, 0, len);
	return xfer(b, ESC_FPRD, station, ado, data, len);
}

int wr(struct bench *b, u16 station, u16 ado, const void *data, u16 len)
{
	u8 copy[1500];

	memcpy(copy, data, len);
	return xfer(b, ESC_FPWR, station, ado, copy, len);
}

u16 rd16(struct bench *b, u16 station, u16 ado)
{
	u8 d[2];

	return rd(b, station, ado, d, 2) == 1 ? sim_get16(d) : 0xdead;
}

u32 rd32(struct bench *b, u16 station, u16 ado)
{
	u8 d[4];

	return rd(b, station, ado, d, 4) == 1 ? sim_get32(d) : 0xdeadbeef;
}

int wr8(struct bench *b, u16 station, u16 ado, u8 v)
{
	return wr(b, station, ado, &v, 1);
}

int wr16(struct bench *b, u16 station, u16 ado, u16 v)
{
	u8 d[2];

	sim_put16(d, v);
	return wr(b, station, ado, d, 2);
}

int wr32(struct bench *b, u16 station, u16 ado, u32 v)
{
	u8 d[4];

	sim_put32(d, v);
	return wr(b, station, ado, d, 4);
}

int bench_address(struct bench *b)
{
	u8 d[2] = { 0 };
	int i, n = xfer(b, ESC_BRD, 0, ESC_R_TYPE, d, 2);

	for (i = 0; i < n; i++) {
		sim_put16(d, (u16)(1001 + i));
		if (xfer(b, ESC_APWR, (u16)-i, ESC_R_STATION, d, 2) != 1)
			return -1;
	}
	return n;
}

int bench_sm(struct bench *b, u16 station, int i, u16 start, u16 len, u8 ctrl)
{
	u8 r[8] = { 0 };

	wr8(b, station, (u16)(ESC_R_SM + 8 * i + ESC_SM_ACT), 0);
	sim_put16(r, start);
	sim_put16(r + 2, len);
	r[ESC_SM_CTRL] = ctrl;
	r[ESC_SM_ACT] = len > 0;
	return wr(b, station, (u16)(ESC_R_SM + 8 * i), r, 8);
}

int bench_fmmu(struct bench *b, u16 station, int i, u32 log, u16 len,
	       u8 first_bit, u8 last_bit, u16 phys, u8 phys_bit, u8 type)
{
	u8 r[16] = { 0 };

	sim_put32(r, log);
	sim_put16(r + 4, len);
	r[6] = first_bit;
	r[7] = last_bit;
	sim_put16(r + 8, phys);
	r[10] = phys_bit;
	r[11] = type;
	r[12] = 1;
	return wr(b, station, (u16)(ESC_R_FMMU + 16 * i), r, 16);
}

u32 bench_al(struct bench *b, u16 station, u16 state)
{
	int i;

	wr16(b, station, ESC_R_AL_CTRL, state);
	for (i = 0; i < 20; i++) {
		u16 st;

		bench_wait(b, 100);
		st = rd16(b, station, ESC_R_AL_STATUS);
		if (i > 12 && ((st & ESC_AL_ERROR) ||
			       (st & ESC_AL_MASK) == (state & ESC_AL_MASK)))
			break;
	}
	return rd16(b, station, ESC_R_AL_STATUS) |
	       (u32)rd16(b, station, ESC_R_AL_CODE) << 16;
}

static const struct sim_desc *desc_of(struct bench *b, u16 station)
{
	return b->seg->slave[station - 1001].desc;
}

u32 bench_preop(struct bench *b, u16 station)
{
	const struct sim_desc *d = desc_of(b, station);

	if (d->mbx_rx_len) {
		bench_sm(b, station, 0, d->mbx_rx, d->mbx_rx_len, 0x26);
		bench_sm(b, station, 1, d->mbx_tx, d->mbx_tx_len, 0x22);
	}
	return bench_al(b, station, ESC_PREOP);
}

u64 bench_sii(struct bench *b, u16 station, u32 word)
{
	u8 d[14];
	int i;

	wr8(b, station, ESC_R_SII_CONF, 2);
	wr8(b, station, ESC_R_SII_CONF, 0);
	memset(d, 0, sizeof(d));
	d[1] = 1;
	sim_put32(d + 2, word);
	if (wr(b, station, ESC_R_SII_CTRL, d, 6) != 1)
		return ~0ull;
	for (i = 0; i < 1000; i++) {
		rd(b, station, ESC_R_SII_CTRL, d, 14);
		if (!(d[1] & 0x80))
			return sim_get64(d + 6);
		bench_wait(b, 50);
	}
	return ~0ull;
}

int bench_mbx_counter(struct bench *b, u16 station, const u8 *rq, u16 len,
		      u8 counter, u8 *rs)
{
	const struct sim_desc *d = desc_of(b, station);
	u8 out[SIM_MBX_MAX] = { 0 };
	int i;

	if (rq) {
		sim_put16(out, len);
		out[5] = (u8)(counter << 4 | TYPE_COE);
		memcpy(out + 6, rq, len);
		if (wr(b, station, d->mbx_rx, out, d->mbx_rx_len) != 1)
			return -1;
	}
	for (i = 0; i < 50; i++) {
		if (rd(b, station, d->mbx_tx, rs, d->mbx_tx_len) == 1)
			return 6 + sim_get16(rs);
		bench_wait(b, 100);
	}
	return 0;
}

int bench_mbx(struct bench *b, u16 station, const u8 *rq, u16 len, u8 *rs)
{
	static u8 counter;

	counter = (u8)(counter % 7 + 1);
	return bench_mbx_counter(b, station, rq, len, counter, rs);
}

static void sdo(u8 *rq, u8 cmd, u16 index, u8 sub)
{
	memset(rq, 0, 10);
	sim_put16(rq, 0x2000);
	rq[2] = cmd;
	sim_put16(rq + 3, index);
	rq[5] = sub;
}

static s64 aborted(const u8 *rs)
{
	return rs[8] == 0x80 ? -(s64)sim_get32(rs + 12) : 0;
}

s64 bench_upload(struct bench *b, u16 station, u16 index, u8 sub, bool ca,
		 u8 *to)
{
	u8 rq[16], rs[SIM_MBX_MAX], toggle = 0;
	u32 total, pos;
	int n;

	sdo(rq, (u8)(0x40 | (ca ? 0x10 : 0)), index, sub);
	n = bench_mbx(b, station, rq, 10, rs);
	if (n < 16)
		return -1;
	if (aborted(rs))
		return aborted(rs);
	if (rs[8] & 2) {
		total = 4 - (rs[8] >> 2 & 3);
		memcpy(to, rs + 12, total);
		return total;
	}
	total = sim_get32(rs + 12);
	pos = (u32)n - 16;
	memcpy(to, rs + 16, pos);
	while (pos < total) {
		u32 part;

		sdo(rq, (u8)(0x60 | toggle), 0, 0);
		n = bench_mbx(b, station, rq, 10, rs);
		if (n < 9 || aborted(rs) || (rs[8] & 0x10) != toggle)
			return -2;
		part = (u32)n - 9;
		if (part == 7)
			part -= rs[8] >> 1 & 7;
		memcpy(to + pos, rs + 9, part);
		pos += part;
		toggle ^= 0x10;
		if ((rs[8] & 1) != (pos == total))
			return -3;
	}
	return total;
}

static u32 download_result(int n, const u8 *rs)
{
	return n < 9 ? 1 : (u32)-aborted(rs);
}

static u32 download_segments(struct bench *b, u16 station, const u8 *from,
			     u32 len)
{
	u32 room = desc_of(b, station)->mbx_rx_len - 9u, part, ret;
	u8 rq[SIM_MBX_MAX], rs[SIM_MBX_MAX], toggle = 0;

	for (; len; len -= part, from += part, toggle ^= 0x10) {
		u32 unused;

		part = len < room ? len : room;
		unused = part < 7 ? 7 - part : 0;
		memset(rq, 0, 16);
		sim_put16(rq, 0x2000);
		rq[2] = (u8)(toggle | unused << 1 | (part == len));
		memcpy(rq + 3, from, part);
		ret = download_result(bench_mbx(b, station, rq,
						(u16)(3 + part + unused), rs), rs);
		if (ret)
			return ret;
	}
	return 0;
}

u32 bench_download(struct bench *b, u16 station, u16 index, u8 sub, bool ca,
		   const void *from, u32 len)
{
	u32 room = desc_of(b, station)->mbx_rx_len - 16u, first, ret;
	u8 rq[SIM_MBX_MAX], rs[SIM_MBX_MAX];

	if (len && len <= 4) {
		sdo(rq, (u8)(0x23 | (4 - len) << 2 | (ca ? 0x10 : 0)), index, sub);
		memcpy(rq + 6, from, len);
		return download_result(bench_mbx(b, station, rq, 10, rs), rs);
	}
	first = len < room ? len : room;
	sdo(rq, (u8)(0x21 | (ca ? 0x10 : 0)), index, sub);
	sim_put32(rq + 6, len);
	memcpy(rq + 10, from, first);
	ret = download_result(bench_mbx(b, station, rq, (u16)(10 + first), rs),
			      rs);
	if (ret || first == len)
		return ret;
	return download_segments(b, station, (const u8 *)from + first,
				 len - first);
}
