// SPDX-License-Identifier: GPL-2.0-only
#include "../../kmod/plan.h"
#include "blob.h"
#include "suites.h"

static const u8 mac[ETH_ALEN] = { 2, 0, 0, 0, 0, 1 };

/* @n slaves with @out and @in bytes each, in groups taken in turn */
static struct kecat_cfg *config(struct kunit *test, u32 n, u16 out, u16 in,
				u16 groups)
{
	struct blob *b = blob_new(test);
	struct kecat_cfg_error err;
	struct kecat_cfg *cfg;
	u32 i;

	blob_bus(b, 1000000);
	for (i = 0; i < n; i++) {
		blob_slave(b, i, i % groups, 0);
		if (out)
			blob_sm(b, 2, KECAT_DIR_OUT, out);
		if (in)
			blob_sm(b, 3, KECAT_DIR_IN, in);
	}
	KUNIT_ASSERT_EQ_MSG(test, kecat_config_parse(b->b, b->len, &cfg, &err), 0,
			    "%s", err.message);
	return cfg;
}

/* all take part */
static struct kecat_plan *plan(struct kunit *test, const struct kecat_cfg *cfg,
			       const bool *cannot)
{
	u32 i, logical = 0x1000000;
	struct kecat_plan *p;

	KUNIT_ASSERT_EQ(test, kecat_plan_build(cfg, cannot, mac, &logical, &p), 0);
	KUNIT_EXPECT_EQ(test, logical, 0x1000000 + cfg->out_len + cfg->in_len);
	for (i = 0; i < cfg->slaves; i++)
		kecat_plan_set_live(p, i, true);
	return p;
}

static const struct kecat_pdgram *find(const struct kecat_plan_layout *l, u8 cmd)
{
	u32 i;

	for (i = 0; i < l->ndgrams; i++)
		if (l->dgram[i].cmd == cmd)
			return &l->dgram[i];
	return NULL;
}

/* what must hold for any plan: frames fit, every slave's data is in it once */
static void check_layout(struct kunit *test, const struct kecat_cfg *cfg,
			 const struct kecat_plan_layout *l)
{
	u32 i, in = 0, out = 0;

	for (i = 0; i < l->nframes; i++)
		KUNIT_EXPECT_LE(test, l->frame[i].len, KECAT_FRAME_START + EC_DGRAM_ROOM);
	for (i = 0; i < l->ndgrams; i++) {
		const struct kecat_pdgram *d = &l->dgram[i];

		KUNIT_EXPECT_LE(test, d->len, KECAT_DATA_MAX);
		KUNIT_EXPECT_LT(test, d->frame, l->nframes);
		KUNIT_EXPECT_LE(test, d->hdr + EC_DGRAM_OVERHEAD + d->len,
				l->frame[d->frame].len);
		if (d->cmd == EC_BRD)
			continue;
		KUNIT_EXPECT_EQ(test, d->out_len + d->in_len, d->len);
		out += d->out_len;
		in += d->in_len;
	}
	KUNIT_EXPECT_EQ(test, out, cfg->out_len);
	KUNIT_EXPECT_EQ(test, in, cfg->in_len);
	KUNIT_EXPECT_NOT_NULL(test, find(l, EC_BRD));
}

static void lrw(struct kunit *test)
{
	struct kecat_cfg *cfg = config(test, 3, 2, 4, 1);
	struct kecat_plan *p = plan(test, cfg, NULL);
	const struct kecat_plan_layout *l = kecat_plan_take(p);
	const struct kecat_pdgram *d = find(l, EC_LRW);

	check_layout(test, cfg, l);
	KUNIT_ASSERT_NOT_NULL(test, d);
	KUNIT_EXPECT_EQ(test, d->len, 18);
	KUNIT_EXPECT_EQ(test, d->wkc, 9);
	KUNIT_EXPECT_EQ(test, p->wkc_full[0], 9);
	KUNIT_EXPECT_EQ(test, l->nframes, 1);
	kecat_plan_free(p);
	kecat_config_free(cfg);
}

static void no_lrw(struct kunit *test)
{
	static const bool cannot[3] = { false, true, false };
	struct kecat_cfg *cfg = config(test, 3, 2, 4, 1);
	struct kecat_plan *p = plan(test, cfg, cannot);
	const struct kecat_plan_layout *l = kecat_plan_take(p);

	check_layout(test, cfg, l);
	KUNIT_EXPECT_NULL(test, find(l, EC_LRW));
	KUNIT_ASSERT_NOT_NULL(test, find(l, EC_LRD));
	KUNIT_ASSERT_NOT_NULL(test, find(l, EC_LWR));
	KUNIT_EXPECT_EQ(test, find(l, EC_LRD)->wkc, 3);
	KUNIT_EXPECT_EQ(test, find(l, EC_LWR)->wkc, 3);
	kecat_plan_free(p);
	kecat_config_free(cfg);
}

struct expected {
	u8 cmd;
	u16 at, len, wkc;	/* behind the plan's first address */
};

static void check_dgrams(struct kunit *test, struct kecat_plan *p,
			 const struct expected *e, u32 n)
{
	const struct kecat_plan_layout *l = kecat_plan_take(p);
	u32 i;

	KUNIT_ASSERT_EQ(test, l->ndgrams, n + 1);
	for (i = 0; i < n; i++) {
		KUNIT_EXPECT_EQ(test, l->dgram[i].cmd, e[i].cmd);
		KUNIT_EXPECT_EQ(test, l->dgram[i].logical, 0x1000000 + e[i].at);
		KUNIT_EXPECT_EQ(test, l->dgram[i].len, e[i].len);
		KUNIT_EXPECT_EQ(test, l->dgram[i].wkc, e[i].wkc);
	}
}

/* outputs of four slaves at 0, 2, 4, 6, inputs at 8, 12, 16, 20 */
static void live(struct kunit *test)
{
	static const struct expected all[] = { { EC_LRW, 0, 24, 12 } };
	static const struct expected not_2[] = {
		{ EC_LWR, 0, 4, 2 }, { EC_LRW, 6, 10, 4 }, { EC_LRD, 20, 4, 1 },
	};
	static const struct expected not_0_2[] = {
		{ EC_LWR, 2, 2, 1 }, { EC_LWR, 6, 2, 1 },
		{ EC_LRD, 12, 4, 1 }, { EC_LRD, 20, 4, 1 },
	};
	struct kecat_cfg *cfg = config(test, 4, 2, 4, 1);
	struct kecat_plan *p = plan(test, cfg, NULL);

	check_dgrams(test, p, all, 1);
	kecat_plan_set_live(p, 2, false);
	check_dgrams(test, p, not_2, 3);
	kecat_plan_set_live(p, 0, false);
	check_dgrams(test, p, not_0_2, 4);
	kecat_plan_set_live(p, 1, false);
	kecat_plan_set_live(p, 3, false);
	check_dgrams(test, p, NULL, 0);
	KUNIT_EXPECT_EQ(test, kecat_plan_take(p)->wkc[0], 0);
	KUNIT_EXPECT_EQ(test, p->wkc_full[0], 12);
	kecat_plan_free(p);
	kecat_config_free(cfg);
}

static void many_frames(struct kunit *test)
{
	static const u16 size[][2] = { { 700, 700 }, { 1470, 0 }, { 0, 1470 }, { 1470, 1470 },
				       { 1, 0 }, { 735, 735 } };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(size); i++) {
		struct kecat_cfg *cfg = config(test, 20, size[i][0], size[i][1], 3);
		struct kecat_plan *p = plan(test, cfg, NULL);

		check_layout(test, cfg, kecat_plan_take(p));
		kecat_plan_free(p);
		kecat_config_free(cfg);
	}
}

static void too_long(struct kunit *test)
{
	struct kecat_cfg *cfg = config(test, 1, KECAT_DATA_MAX + 1, 0, 1);
	struct kecat_plan *p;
	u32 logical = 0;

	KUNIT_EXPECT_EQ(test, kecat_plan_build(cfg, NULL, mac, &logical, &p), -EMSGSIZE);
	kecat_config_free(cfg);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(lrw),
	KUNIT_CASE(no_lrw),
	KUNIT_CASE(live),
	KUNIT_CASE(many_frames),
	KUNIT_CASE(too_long),
	{}
};

struct kunit_suite kecat_plan_suite = {
	.name = "kecat_plan",
	.test_cases = cases,
};
