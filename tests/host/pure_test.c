// SPDX-License-Identifier: GPL-2.0-only
/* Frames, plans, image buffers, histograms and events by themselves. */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "../../kmod/copy.h"
#include "../../kmod/flight.h"
#include "../../kmod/frame.h"
#include "../../kmod/image.h"
#include "../../kmod/master.h"
#include "../../kmod/plan.h"
#include "cfg.h"
#include "tap.h"

static const u8 mac[6] = { 0, 0x1b, 0x21, 0, 0, 1 };

/* ---- frames ---- */

static u32 build_random(u8 *buf, u32 *tag, u32 *len)
{
	struct kecat_frame_builder b;
	u32 n = 0, left;

	*tag = (u32)host_rand();
	kecat_frame_begin(&b, buf, mac, *tag);
	for (;;) {
		u16 size = (u16)(1 + host_rand_below(300));

		left = KECAT_FRAME_START + EC_DGRAM_ROOM - b.len;
		if (size + EC_DGRAM_OVERHEAD > left || n == 15)
			break;
		memset(kecat_frame_add(&b, EC_FPRD, (u8)n, (u16)n, 0x130, size),
		       (int)n, size);
		n++;
	}
	*len = kecat_frame_end(&b);
	return n;
}

TEST(frames_are_recognised)
{
	u8 *buf = malloc(KECAT_NIC_FRAME_MAX);
	u32 i, tag, len, got;

	for (i = 0; i < 2000; i++) {
		u32 n = build_random(buf, &tag, &len), k, at = KECAT_FRAME_BODY;
		int body = kecat_frame_check(buf, len, mac, &got);

		CHECK(len >= KECAT_FRAME_MIN && len <= KECAT_NIC_FRAME_MAX);
		CHECK(body > 0 && KECAT_FRAME_START + body <= len);
		CHECK_EQ(got, tag);
		for (k = 0; k < n; k++) {
			const struct ec_dgram_hdr *h = (void *)(buf + at);
			u16 size = le16_to_cpu(h->len) & EC_LEN_MASK;

			CHECK(kecat_dgram_answers(h, EC_FPRD, (u8)k, (u16)k,
						  0x130, size, k + 1 < n ? EC_DGRAM_MORE : 0));
			CHECK(!kecat_dgram_answers(h, EC_FPRD, (u8)(k + 1), (u16)k,
						   0x130, size, k + 1 < n ? EC_DGRAM_MORE : 0));
			CHECK(!kecat_dgram_answers(h, EC_FPRD, (u8)k, (u16)k,
						   0x130, (u16)(size + 1), k + 1 < n ? EC_DGRAM_MORE : 0));
			at += EC_DGRAM_OVERHEAD + size;
		}
		CHECK_EQ(at, KECAT_FRAME_START + body);
		/* as it comes back from the slaves, and as somebody else's */
		buf[6] |= EC_SRC_RETURNED;
		CHECK_EQ(kecat_frame_check(buf, len, mac, &got), body);
		buf[11] ^= 1;
		CHECK(kecat_frame_check(buf, len, mac, &got) < 0);
	}
	free(buf);
}

/* exactly as many bytes as there are, so that a reader beyond them is caught */
TEST(short_and_broken_frames_are_refused)
{
	u8 *buf = malloc(KECAT_NIC_FRAME_MAX);
	u32 i, tag, len, got;

	for (i = 0; i < 3000; i++) {
		u32 cut, k;
		u8 *tight;
		int body;

		build_random(buf, &tag, &len);
		cut = (u32)host_rand_below(len + 1);
		tight = malloc(cut ? cut : 1);
		memcpy(tight, buf, cut);
		for (k = 0; cut && k < host_rand_below(4); k++)
			tight[host_rand_below(min(cut, 40u))] = (u8)host_rand();
		body = kecat_frame_check(tight, cut, mac, &got);
		CHECK(body < 0 || KECAT_FRAME_START + body <= cut);
		free(tight);
	}
	free(buf);
}

/* @at: bit of the frame that a slave, or another port, may change */
static bool may_differ(u32 at)
{
	u32 byte = at / 8, len = KECAT_FRAME_START + 6;

	if (byte == KECAT_FRAME_START + 1)
		return true;	/* index of the NOP */
	return at == 6 * 8 + 1 ||			/* "has passed a slave" */
	       at == EC_ETH_HDR * 8 + 11 ||		/* reserved */
	       (at >= len * 8 + 11 && at < len * 8 + 16);
}

TEST(every_bit_of_the_head_counts)
{
	u8 buf[KECAT_NIC_FRAME_MAX];
	struct kecat_frame_builder b;
	u32 at, tag, len;
	int body;

	kecat_frame_begin(&b, buf, mac, 0x12345678);
	kecat_frame_add(&b, EC_FPRD, 9, 0x1001, 0x130, 2);
	len = kecat_frame_end(&b);
	body = kecat_frame_check(buf, len, mac, &tag);
	CHECK(body > 0);
	for (at = ETH_ALEN * 8; at < (KECAT_FRAME_START + 8) * 8; at++) {
		buf[at / 8] ^= BIT(at % 8);
		/* another length is seen by whoever knows the right one */
		if ((kecat_frame_check(buf, len, mac, &tag) == body) != may_differ(at))
			host_fail(__FILE__, __LINE__, "bit %u of byte %u", at % 8, at / 8);
		buf[at / 8] ^= BIT(at % 8);
	}
}

static void check_bits(u8 cmd, u16 flags, u64 free)
{
	u8 buf[EC_DGRAM_HDR];
	struct ec_dgram_hdr *h = (void *)buf;
	u32 at;

	*h = (struct ec_dgram_hdr) {
		.cmd = cmd, .idx = 9, .adp = cpu_to_le16(0x1001),
		.ado = cpu_to_le16(0x130),
		.len = cpu_to_le16(2 | (flags & EC_DGRAM_MORE)),
	};
	for (at = 0; at < 64; at++) {
		buf[at / 8] ^= BIT(at % 8);
		CHECK_EQ(kecat_dgram_answers(h, cmd, 9, 0x1001, 0x130, 2, flags),
			 free >> at & 1);
		buf[at / 8] ^= BIT(at % 8);
	}
}

TEST(every_bit_of_a_datagram_counts)
{
	const u64 reserved = 0x3800ull << 48;

	check_bits(EC_LRW, 0, reserved);
	check_bits(EC_FPRD, EC_DGRAM_MORE, reserved);
	check_bits(EC_BRD, 0, reserved | 0xffffull << 16);
	check_bits(EC_LRW, EC_DGRAM_CIRC, reserved | (u64)EC_DGRAM_CIRC << 48);
}

/* each length, at odd places: all of it arrives, and nothing beside it changes */
TEST(copies_are_exact)
{
	u8 from[KECAT_COPY_LONG + 64], to[KECAT_COPY_LONG + 64], was;
	u32 len, at, i, wrong = 0;

	for (i = 0; i < sizeof(from); i++)
		from[i] = i * 7 + 1;
	for (len = 0; len < KECAT_COPY_LONG + 40; len++) {
		at = 1 + len % 8;
		memset(to, 0xee, sizeof(to));
		kecat_copy(to + at, from + 3, len);
		for (i = 0; i < sizeof(to); i++) {
			was = i < at || i >= at + len ? 0xee : from[3 + i - at];
			wrong += to[i] != was;
		}
	}
	CHECK_EQ(wrong, 0);
}

TEST(flight_table)
{
	struct kecat_flight *f = calloc(1, sizeof(*f));
	u32 i, lost = 0, landed = 0;
	u64 now = 0;

	f->next = f->oldest = 0xfffffe00;	/* tags wrap */
	for (i = 0; i < 20000; i++) {
		struct kecat_flight_slot *s;
		u32 tag;

		now += 100;
		while ((s = kecat_flight_overdue(f, now, 50000))) {
			CHECK_EQ(s->tag, f->oldest);
			kecat_flight_land(f, s);
			lost++;
		}
		CHECK(kecat_flight_room(f));
		tag = f->next;
		kecat_flight_launch(f, KECAT_FLIGHT_CYCLIC, 0, now, i);
		CHECK(kecat_flight_find(f, tag));
		CHECK(!kecat_flight_find(f, tag + 1));
		/* any of the last ones lands, or none */
		tag -= (u32)host_rand_below(40);
		s = kecat_flight_find(f, tag);
		if (!s)
			continue;
		CHECK_EQ(s->tag, tag);
		kecat_flight_land(f, s);
		CHECK(!kecat_flight_find(f, tag));
		landed++;
	}
	while (f->next != f->oldest) {
		lost++;
		kecat_flight_land(f, kecat_flight_at(f, f->oldest));
	}
	CHECK_EQ(lost + landed, 20000);
	CHECK(lost && landed);
	free(f);
}

/* ---- plans ---- */

struct cover {
	u8 *in, *out;		/* how often each byte of the image is moved */
	u32 logical_end;
	u16 wkc[KECAT_MAX_GROUPS];
};

static struct kecat_cfg *random_cfg(u32 *slaves)
{
	struct kecat_cfg_error err;
	struct kecat_cfg *cfg = NULL;
	struct cfg c;
	u32 i, n = 1 + (u32)host_rand_below(60);
	u32 groups = 1 + (u32)host_rand_below(KECAT_MAX_GROUPS);

	cfg_begin(&c);
	cfg_bus(&c, 1000000, 0, 0, 0);
	for (i = 0; i < n; i++) {
		cfg_slave(&c, i, (u16)host_rand_below(groups), 1, 2,
			  host_chance(200000) ? KECAT_CFGS_NO_LRW : 0);
		if (host_chance(700000))
			cfg_sm(&c, 2, KECAT_DIR_OUT, (u16)(1 + host_rand_below(300)));
		if (host_chance(700000))
			cfg_sm(&c, 3, KECAT_DIR_IN, (u16)(1 + host_rand_below(300)));
	}
	CHECK_EQ(kecat_config_parse(c.b, c.len, &cfg, &err), 0);
	cfg_end(&c);
	*slaves = n;
	return cfg;
}

/* as the wire and a slave see it: whose bytes are addressed, and who adds what */
static void check_dgram(const struct kecat_plan *p, const struct kecat_pdgram *d,
			struct cover *c, const struct kecat_cfg *cfg)
{
	u32 i, k, wkc = 0, moved = 0;

	CHECK_EQ(d->out_len + d->in_len, d->len);
	CHECK(d->logical >= c->logical_end);
	c->logical_end = d->logical + d->len;
	for (i = 0; i < d->out_len; i++)
		c->out[d->out_offset + i]++;
	for (i = 0; i < d->in_len; i++)
		c->in[d->in_offset + i]++;
	for (i = 0; i < cfg->slaves; i++) {
		bool reads = false, writes = false;

		for (k = 0; k < cfg->slave[i].sms; k++) {
			const struct kecat_smcfg *sm = &cfg->slave[i].sm[k];
			u32 at = p->sm_logical[i * KECAT_CFG_MAX_SMS + k];
			bool out = sm->c.dir == KECAT_DIR_OUT;

			if (at >= d->logical + d->len || at + sm->len <= d->logical)
				continue;
			/* all of it, where the image has it */
			CHECK(at >= d->logical && at + sm->len <= d->logical + d->len);
			CHECK_EQ(at - d->logical, out ? sm->offset - d->out_offset :
				 d->out_len + sm->offset - d->in_offset);
			CHECK(p->live[i / 64] >> (i % 64) & 1);
			CHECK_EQ(cfg->slave[i].c.group, d->group);
			moved += sm->len;
			reads |= !out;
			writes |= out;
		}
		if (d->cmd == EC_LRW)
			wkc += reads + 2 * writes;
		else
			wkc += d->cmd == EC_LRD ? reads : writes;
		CHECK(!reads || d->cmd != EC_LWR);
		CHECK(!writes || d->cmd != EC_LRD);
	}
	CHECK_EQ(moved, d->len);
	CHECK_EQ(wkc, d->wkc);
	c->wkc[d->group] += wkc;
}

static void check_frame(const struct kecat_plan_layout *p, u32 i)
{
	const struct kecat_pframe *f = &p->frame[i];
	u32 tag, k;

	CHECK(f->len <= KECAT_NIC_FRAME_MAX && f->send_len >= f->len);
	CHECK(f->send_len >= KECAT_FRAME_MIN);
	CHECK_EQ(kecat_frame_check(f->image, f->send_len, mac, &tag),
		 f->len - KECAT_FRAME_START);
	CHECK(f->behind > f->dgram);
	for (k = 0; k < f->behind - f->dgram; k++) {
		const struct kecat_pdgram *d = &f->dgram[k];

		CHECK_EQ(d->frame, i);
		CHECK(kecat_dgram_answers((void *)(f->image + d->hdr), d->cmd,
					  (u8)(k + 1), d->logical & 0xffff,
					  d->logical >> 16, d->len,
					  k + 1 < f->behind - f->dgram ? EC_DGRAM_MORE : 0));
		/* what is read is sent as zeros */
		CHECK(!memchr_inv(f->image + d->hdr + EC_DGRAM_HDR, 0, d->len));
	}
}

static bool moves_data(const struct kecat_pdgram *d)
{
	return d->cmd == EC_LRW || d->cmd == EC_LRD || d->cmd == EC_LWR;
}

static bool takes_part(const struct kecat_plan *p, u32 slave)
{
	return p->live[slave / 64] >> (slave % 64) & 1;
}

/* each byte of who takes part goes over the wire once, nobody else's at all */
static void check_layout(struct kecat_plan *p, const struct kecat_cfg *cfg)
{
	const struct kecat_plan_layout *l = kecat_plan_take(p);
	struct cover c = { .in = calloc(1, p->in_len + 1),
			   .out = calloc(1, p->out_len + 1) };
	u32 i, frames = 0, states = 0;

	CHECK_EQ(memcmp(l->live, p->live, sizeof(l->live)), 0);
	for (i = 0; i < l->ndgrams; i++) {
		if (moves_data(&l->dgram[i]))
			check_dgram(p, &l->dgram[i], &c, cfg);
		else
			states++;
	}
	CHECK_EQ(states, 1);
	for (i = 0; i < cfg->slaves; i++) {
		const struct kecat_scfg *sc = &cfg->slave[i];
		int n = takes_part(p, i);

		CHECK(!memchr_inv(c.in + sc->in_offset, n, sc->in_len));
		CHECK(!memchr_inv(c.out + sc->out_offset, n, sc->out_len));
	}
	CHECK_EQ(memcmp(c.wkc, l->wkc, sizeof(c.wkc)), 0);
	for (i = 0; i < l->nframes; i++) {
		check_frame(l, i);
		frames += l->frame[i].behind - l->frame[i].dgram;
	}
	CHECK_EQ(frames, l->ndgrams);
	CHECK(l->nframes <= p->max_frames);
	free(c.in);
	free(c.out);
}

/* with all of them: who is said to need LRW is moved by one, and nobody else */
static void check_lrw(struct kecat_plan *p)
{
	const struct kecat_plan_layout *l = kecat_plan_take(p);
	u32 i, k;

	for (k = 0; k < p->npieces; k++) {
		const struct kecat_piece *pc = &p->piece[k];
		bool lrw = false;

		for (i = 0; i < l->ndgrams; i++)
			lrw |= l->dgram[i].cmd == EC_LRW &&
			       pc->logical - l->dgram[i].logical < l->dgram[i].len;
		CHECK_EQ(p->lrw[pc->slave], lrw);
	}
}

static void all_live(struct kecat_plan *p, bool live)
{
	u32 i;

	for (i = 0; i < p->nslaves; i++)
		kecat_plan_set_live(p, i, live);
}

TEST(plans_cover_the_image)
{
	u32 round, slaves, logical = 0;

	for (round = 0; round < 300; round++) {
		struct kecat_cfg *cfg = random_cfg(&slaves);
		struct kecat_plan *p;
		u32 g;

		REQUIRE(cfg);
		REQUIRE(!kecat_plan_build(cfg, NULL, mac, &logical, &p));
		check_layout(p, cfg);
		CHECK_EQ(kecat_plan_take(p)->ndgrams, 1);
		all_live(p, true);
		check_layout(p, cfg);
		check_lrw(p);
		CHECK_EQ(kecat_plan_take(p)->nframes, p->frames_full);
		for (g = 0; g < KECAT_MAX_GROUPS; g++)
			CHECK_EQ(kecat_plan_take(p)->wkc[g], p->wkc_full[g]);
		kecat_plan_free(p);
		kecat_config_free(cfg);
	}
}

/* whoever joins and leaves, in whatever order, and however often it is taken */
TEST(plans_follow_the_live_slaves)
{
	u32 round, k, slaves, logical = 0;

	for (round = 0; round < 50; round++) {
		struct kecat_cfg *cfg = random_cfg(&slaves);
		struct kecat_plan *p;

		REQUIRE(!kecat_plan_build(cfg, NULL, mac, &logical, &p));
		for (k = 0; k < 100; k++) {
			kecat_plan_set_live(p, (u32)host_rand_below(slaves),
					    host_rand() & 1);
			if (host_chance(500000))
				check_layout(p, cfg);
		}
		kecat_plan_free(p);
		kecat_config_free(cfg);
	}
}

/* the largest image, one byte each way and slave, every second one away */
TEST(plans_have_room_for_every_cut)
{
	struct kecat_cfg_error err;
	struct kecat_cfg *cfg = NULL;
	u32 i, k, logical = 0;
	struct cfg c;

	for (k = 0; k < 2; k++) {
		struct kecat_plan *p;

		cfg_begin(&c);
		cfg_bus(&c, 1000000, 0, 0, 0);
		for (i = 0; i < KECAT_MAX_SLAVES; i++) {
			cfg_slave(&c, i, 0, 1, 2, 0);
			cfg_sm(&c, 2, KECAT_DIR_OUT, k ? 64 : 1);
			cfg_sm(&c, 3, KECAT_DIR_IN, k ? 64 : 1);
		}
		REQUIRE(!kecat_config_parse(c.b, c.len, &cfg, &err));
		REQUIRE(!kecat_plan_build(cfg, NULL, mac, &logical, &p));
		for (i = 0; i < KECAT_MAX_SLAVES; i += 2)
			kecat_plan_set_live(p, i, true);
		/* where two areas meet, or outputs and inputs, fewer */
		CHECK(kecat_plan_take(p)->ndgrams > KECAT_MAX_SLAVES * 9 / 10);
		check_layout(p, cfg);
		for (i = 1; i < KECAT_MAX_SLAVES; i += 2)
			kecat_plan_set_live(p, i, true);
		check_layout(p, cfg);
		kecat_plan_free(p);
		kecat_config_free(cfg);
		cfg_end(&c);
	}
}

/* no address is used twice, so what is left of an old plan answers to nothing */
TEST(plans_do_not_share_addresses)
{
	u32 k, slaves, logical = 0xffffff00, before, base, end = 0;

	for (k = 0; k < 100; k++) {
		struct kecat_cfg *cfg = random_cfg(&slaves);
		struct kecat_plan *p;

		before = logical;
		REQUIRE(!kecat_plan_build(cfg, NULL, mac, &logical, &p));
		base = logical - p->in_len - p->out_len;
		CHECK(base == before || base == 0x10000);
		CHECK(base >= 0x10000 && logical >= base);
		if (base == before && k)
			CHECK(base >= end);
		if (p->npieces)
			CHECK_EQ(p->piece[0].logical, base);
		end = logical;
		kecat_plan_free(p);
		kecat_config_free(cfg);
	}
	CHECK(logical < 0xffffff00);
}

/* ---- the image ---- */

#define SETS	2000

static int image_reader(void *arg)
{
	struct kecat_image *img = arg;
	struct kecat_shm *s = img->mem;
	u32 own = 2, last = 0, got = 0;

	while (last < SETS) {
		const struct kecat_in_hdr *h;
		u32 v, i;

		host_sleep(host_rand_below(1500));
		if (!(s->in_mid & KECAT_MID_FRESH))
			continue;
		own = xchg(&s->in_mid, own) & 3;
		h = (void *)((u8 *)img->mem + img->in_off[own]);
		v = (u32)h->cycle;
		CHECK(v > last);
		last = v;
		got++;
		for (i = 0; i < img->in_len; i++) {
			if (i % 16 == 0)
				host_sleep(host_rand_below(30));
			if (((u8 *)(h + 1))[i] != (u8)v) {
				host_fail(__FILE__, __LINE__, "torn inputs");
				return 1;
			}
		}
	}
	CHECK(got > 100);
	return 0;
}

static int image_writer(void *arg)
{
	struct kecat_image *img = arg;
	struct kecat_shm *s = img->mem;
	u32 own = 2, v, i;

	for (v = 1; v <= SETS; v++) {
		u8 *b = (u8 *)img->mem + img->out_off[own];

		for (i = 0; i < img->out_len; i++) {
			if (i % 16 == 0)
				host_sleep(host_rand_below(30));
			b[i] = (u8)v;
		}
		own = xchg(&s->out_mid, own | KECAT_MID_FRESH) & 3;
		host_sleep(host_rand_below(1500));
	}
	return 0;
}

static struct kecat_image *make_image(struct kecat_plan *p)
{
	struct kecat_image *img;

	memset(p, 0, sizeof(*p));
	p->in_len = 200;
	p->out_len = 200;
	p->groups = 1;
	REQUIRE(!kecat_image_create(p, 1000000, &img));
	return img;
}

/* neither side waits for the other, neither sees a half written set */
TEST(triple_buffers_never_tear)
{
	struct kecat_plan p;
	struct kecat_image *img = make_image(&p);
	struct task_struct *r, *w;
	u32 v, taken = 0;

	r = host_spawn("reader", image_reader, img);
	w = host_spawn("writer", image_writer, img);
	for (v = 1; v <= SETS; v++) {
		struct kecat_in_hdr h = { .cycle = v };
		const u8 *out;

		memset(img->in_last, (int)v, img->in_len);
		kecat_image_publish(img, &h);
		if (kecat_image_take_outputs(img))
			taken++;
		out = kecat_image_outputs(img);
		host_sleep(host_rand_below(1500));
		CHECK(!memchr_inv(out, out[0], img->out_len));
	}
	CHECK_EQ(host_join(r), 0);
	CHECK_EQ(host_join(w), 0);
	kecat_image_take_outputs(img);
	CHECK_EQ(kecat_image_outputs(img)[0], SETS & 0xff);
	CHECK(taken > 100);
	CHECK(!memchr_inv(img->zeros, 0, img->out_len));
	kecat_image_put(img);
}

TEST(any_index_is_survived)
{
	struct kecat_plan p;
	struct kecat_image *img = make_image(&p);
	struct kecat_shm *s = img->mem;
	struct kecat_in_hdr h = { 0 };
	u32 i;

	for (i = 0; i < 5000; i++) {
		const u8 *out;

		s->out_mid = (u32)host_rand();
		s->in_mid = (u32)host_rand();
		memset(s->in_off, (int)host_rand(), sizeof(s->in_off));
		memset(s->out_off, (int)host_rand(), sizeof(s->out_off));
		s->in_len = (u32)host_rand();
		s->out_len = (u32)host_rand();
		s->in_data = (u32)host_rand();
		kecat_image_publish(img, &h);
		kecat_image_take_outputs(img);
		out = kecat_image_outputs(img);
		CHECK(out >= (u8 *)img->mem + PAGE_SIZE &&
		      out + img->out_len <= (u8 *)img->mem + img->size);
		CHECK(img->in_own < 3 && img->out_own < 3);
	}
	kecat_image_put(img);
}

/* ---- histograms and events ---- */

TEST(histogram_buckets)
{
	static const struct {
		u64 ns;
		u32 bucket;
	} at[] = {
		{ 0, 0 }, { 99, 0 }, { 100, 1 }, { 102399, 1023 },
		{ 131072, 1024 + 128 }, { 131072 + 1024, 1024 + 129 },
		{ 1ULL << 31, KECAT_HIST_BUCKETS - 1 },
		{ ~0ULL, KECAT_HIST_BUCKETS - 1 },
		{ (1ULL << 31) - 1, KECAT_HIST_BUCKETS - 1 },
	};
	struct kecat_phase_hist *h = calloc(1, sizeof(*h));
	u64 ns, sum = 0, n = 0;
	u32 i, last = 0;

	for (i = 0; i < ARRAY_SIZE(at); i++)
		CHECK_EQ(kecat_hist_bucket(at[i].ns), at[i].bucket);
	kecat_hist_reset(h);
	for (ns = 0; ns < 1ULL << 33; ns += 1 + ns / 200) {
		u32 b = kecat_hist_bucket(ns);

		CHECK(b < KECAT_HIST_BUCKETS && b >= last);
		last = b;
		kecat_hist_add(h, ns, n);
		sum += ns;
		n++;
	}
	CHECK_EQ(h->count, n);
	CHECK_EQ(h->sum_ns, sum);
	CHECK_EQ(h->min_ns, 0);
	CHECK_EQ(h->max_cycle, n - 1);
	for (sum = 0, i = 0; i < KECAT_HIST_BUCKETS; i++)
		sum += h->bucket[i];
	CHECK_EQ(sum, n);
	free(h);
}

TEST(events_overwrite_the_oldest)
{
	struct kecat_master *m = kvzalloc(sizeof(*m), GFP_KERNEL);
	struct kecat_event ev[8];
	u64 seq = 0, lost = 0, next = 3001 - KECAT_EVENT_RING;
	int n, i;

	kecat_events_init(&m->events);
	for (i = 0; i < 3000; i++)
		kecat_event(m, KECAT_EV_WKC, i, i, 0, 0, 0);
	while ((n = kecat_events_get(&m->events, &seq, ev, 8, &lost)))
		for (i = 0; i < n; i++, next++) {
			CHECK_EQ(ev[i].seq, next);
			CHECK_EQ(ev[i].arg0, next - 1);
		}
	CHECK_EQ(lost, 3000 - KECAT_EVENT_RING);
	CHECK_EQ(next, 3001);
	/* a reader from the future, as after a restart */
	seq = 99999;
	CHECK_EQ(kecat_events_get(&m->events, &seq, ev, 8, &lost), 0);
	CHECK_EQ(seq, 3000);
	kecat_events_exit(&m->events);
	kvfree(m);
}
