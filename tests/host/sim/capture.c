// SPDX-License-Identifier: GPL-2.0-only
#include "capture.h"

#define BLOCK_SECTION	0x0a0d0d0au
#define BLOCK_INTERFACE	1
#define BLOCK_PACKET	6
#define OPT_TSRESOL	9
#define FRAMES_MAX	65536

/* Ticks a second: 10^n or 2^n, a million when nothing is said. */
static u64 ticks_per_second(const u8 *opt, size_t len)
{
	u64 rate = 1000000;

	while (len >= 4) {
		u16 code = sim_get16(opt), n = sim_get16(opt + 2);
		size_t step = 4u + ((n + 3u) & ~3u);
		int i;

		if (!code || step > len)
			break;
		if (code == OPT_TSRESOL && n >= 1)
			for (rate = 1, i = 0; i < (opt[4] & 0x1f); i++)
				rate *= opt[4] & 0x80 ? 2 : 10;
		opt += step;
		len -= step;
	}
	return rate;
}

static u64 to_ns(u64 ticks, u64 rate)
{
	return ticks / rate * 1000000000u + ticks % rate * 1000000000u / rate;
}

static void add_packet(struct capture *c, const u8 *b, size_t len, u64 rate)
{
	u32 caplen = sim_get32(b + 12);
	struct frame *f;

	if (caplen > len - 20 || c->count == FRAMES_MAX)
		return;
	if (caplen < 16 || b[20 + 12] != 0x88 || b[20 + 13] != 0xa4)
		return;
	f = &c->frame[c->count++];
	f->ns = to_ns((u64)sim_get32(b + 4) << 32 | sim_get32(b + 8), rate);
	f->len = caplen;
	f->data = b + 20;
	f->answer = f->data[6] & 2 ? -2 : -1;
}

static void read_blocks(struct capture *c)
{
	u64 rate = 1000000;
	size_t at = 0;

	while (at + 12 <= c->size) {
		const u8 *b = c->file + at;
		u32 type = sim_get32(b), len = sim_get32(b + 4);

		if (len < 12 || len > c->size - at || len % 4)
			return;
		if (type == BLOCK_INTERFACE && len >= 20)
			rate = ticks_per_second(b + 16, len - 20);
		if (type == BLOCK_PACKET && len >= 32)
			add_packet(c, b + 8, len - 12, rate);
		at += len;
	}
}

/* An answer belongs to the last request with the index of its first datagram. */
static void pair(struct capture *c)
{
	int waiting[256], i;

	memset(waiting, 0xff, sizeof(waiting));
	for (i = 0; i < c->count; i++) {
		struct frame *f = &c->frame[i];
		struct datagram d;
		size_t pos = 0;

		if (!datagram_next(f, &pos, &d))
			continue;
		if (f->answer == -1) {
			waiting[d.idx] = i;
		} else if (waiting[d.idx] >= 0) {
			c->frame[waiting[d.idx]].answer = i;
			waiting[d.idx] = -1;
		}
	}
}

int capture_load(struct capture *c, const char *path)
{
	FILE *f = fopen(path, "rb");
	size_t max = 64 << 20;

	memset(c, 0, sizeof(*c));
	if (!f)
		return -errno;
	c->file = malloc(max);
	c->frame = calloc(FRAMES_MAX, sizeof(*c->frame));
	if (!c->file || !c->frame) {
		fclose(f);
		capture_free(c);
		return -ENOMEM;
	}
	c->size = fread(c->file, 1, max, f);
	fclose(f);
	if (c->size < 12 || sim_get32(c->file) != BLOCK_SECTION) {
		capture_free(c);
		return -EINVAL;
	}
	read_blocks(c);
	pair(c);
	return 0;
}

void capture_free(struct capture *c)
{
	free(c->frame);
	free(c->file);
	memset(c, 0, sizeof(*c));
}

/* Next datagram; *pos is 0 before the first and past the end after the last. */
bool datagram_next(const struct frame *f, size_t *pos, struct datagram *d)
{
	const u8 *p;
	u16 word;

	if (!*pos)
		*pos = 16;
	if (*pos + 12 > f->len)
		return false;
	p = f->data + *pos;
	word = sim_get16(p + 6);
	d->len = word & 0x7ff;
	if (*pos + 12 + d->len > f->len)
		return false;
	d->cmd = p[0];
	d->idx = p[1];
	d->adp = sim_get16(p + 2);
	d->ado = sim_get16(p + 4);
	d->data = p + 10;
	d->wkc = sim_get16(p + 10 + d->len);
	*pos = word & 0x8000 ? *pos + 12 + d->len : f->len;
	return true;
}
