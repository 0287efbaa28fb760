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

static const struct kecat_pdgram *find(const struct kecat_plan *p, u8 cmd)
{
	u32 i;

	for (i = 0; i < p->ndgrams; i++)
		if (p->dgram[i].cmd == cmd)
			return &p->dgram[i];
	return NULL;
}

/* what must hold for any plan: frames fit, every slave's data is in it once */
static void check_plan(struct kunit *test, const struct kecat_cfg *cfg,
		       const struct kecat_plan *p)
{
	u32 i, in = 0, out = 0;

	for (i = 0; i < p->nframes; i++)
		KUNIT_EXPECT_LE(test, p->frame[i].len, KECAT_FRAME_START + EC_DGRAM_ROOM);
	for (i = 0; i < p->ndgrams; i++) {
		const struct kecat_pdgram *d = &p->dgram[i];

		KUNIT_EXPECT_LE(test, d->len, KECAT_DATA_MAX);
		KUNIT_EXPECT_LT(test, d->frame, p->nframes);
		KUNIT_EXPECT_LE(test, d->hdr + EC_DGRAM_OVERHEAD + d->len,
				p->frame[d->frame].len);
		if (d->cmd == EC_BRD)
			continue;
		KUNIT_EXPECT_EQ(test, d->out_len + d->in_len, d->len);
		out += d->out_len;
		in += d->in_len;
	}
	KUNIT_EXPECT_EQ(test, out, cfg->out_len);
	KUNIT_EXPECT_EQ(test, in, cfg->in_len);
	KUNIT_EXPECT_NOT_NULL(test, find(p, EC_BRD));
}

static void lrw(struct kunit *test)
{
	struct kecat_cfg *cfg = config(test, 3, 2, 4, 1);
	const struct kecat_pdgram *d;
	struct kecat_plan *p;

	KUNIT_ASSERT_EQ(test, kecat_plan_build(cfg, NULL, mac, &p), 0);
	check_plan(test, cfg, p);
	d = find(p, EC_LRW);
	KUNIT_ASSERT_NOT_NULL(test, d);
	KUNIT_EXPECT_EQ(test, d->len, 18);
	KUNIT_EXPECT_EQ(test, d->wkc_full, 9);
	KUNIT_EXPECT_EQ(test, p->wkc_full[0], 9);
	KUNIT_EXPECT_EQ(test, p->nframes, 1);
	kecat_plan_free(p);
	kecat_config_free(cfg);
}

static void no_lrw(struct kunit *test)
{
	static const bool cannot[3] = { false, true, false };
	struct kecat_cfg *cfg = config(test, 3, 2, 4, 1);
	struct kecat_plan *p;

	KUNIT_ASSERT_EQ(test, kecat_plan_build(cfg, cannot, mac, &p), 0);
	check_plan(test, cfg, p);
	KUNIT_EXPECT_NULL(test, find(p, EC_LRW));
	KUNIT_ASSERT_NOT_NULL(test, find(p, EC_LRD));
	KUNIT_ASSERT_NOT_NULL(test, find(p, EC_LWR));
	KUNIT_EXPECT_EQ(test, find(p, EC_LRD)->wkc_full, 3);
	KUNIT_EXPECT_EQ(test, find(p, EC_LWR)->wkc_full, 3);
	kecat_plan_free(p);
	kecat_config_free(cfg);
}

static void live(struct kunit *test)
{
	struct kecat_cfg *cfg = config(test, 4, 1, 1, 2);
	struct kecat_plan *p;
	u32 i, sum;

	KUNIT_ASSERT_EQ(test, kecat_plan_build(cfg, NULL, mac, &p), 0);
	for (sum = 0, i = 0; i < p->ndgrams; i++)
		sum += p->dgram[i].wkc;
	KUNIT_EXPECT_EQ(test, sum, 0);
	kecat_plan_set_live(p, 1, true);
	kecat_plan_set_live(p, 3, true);
	for (i = 0; i < p->ndgrams; i++) {
		const struct kecat_pdgram *d = &p->dgram[i];

		if (d->group == 1) {
			KUNIT_EXPECT_EQ(test, d->wkc, 6);
			KUNIT_EXPECT_TRUE(test, d->all_live);
		} else if (d->group == 0) {
			KUNIT_EXPECT_EQ(test, d->wkc, 0);
			KUNIT_EXPECT_FALSE(test, d->all_live);
		}
	}
	kecat_plan_set_live(p, 3, false);
	for (sum = 0, i = 0; i < p->ndgrams; i++)
		sum += p->dgram[i].wkc;
	KUNIT_EXPECT_EQ(test, sum, 3);
	kecat_plan_free(p);
	kecat_config_free(cfg);
}

static void many_frames(struct kunit *test)
{
	static const u16 size[][2] = { { 700, 700 }, { 1470, 0 }, { 0, 1470 }, { 1470, 1470 },
				       { 1, 0 }, { 735, 735 } };
	struct kecat_cfg *cfg;
	struct kecat_plan *p;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(size); i++) {
		cfg = config(test, 20, size[i][0], size[i][1], 3);
		KUNIT_ASSERT_EQ(test, kecat_plan_build(cfg, NULL, mac, &p), 0);
		check_plan(test, cfg, p);
		kecat_plan_free(p);
		kecat_config_free(cfg);
	}
}

static void too_long(struct kunit *test)
{
	struct kecat_cfg *cfg = config(test, 1, KECAT_DATA_MAX + 1, 0, 1);
	struct kecat_plan *p;

	KUNIT_EXPECT_EQ(test, kecat_plan_build(cfg, NULL, mac, &p), -EMSGSIZE);
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
