// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/config.c tests/host/fuzz/alloc.c
// options: -runs=200000 -max_len=512
/*
 * Random bytes hardly ever make an element, let alone ten.  So the input is
 * taken as a blob only if its first byte says so; else it is a list of
 * instructions: which element comes next, and which bytes of a sound one to
 * change.
 */
#include <errno.h>
#include <string.h>
#include "cfgblob.h"
#include "config.h"
#include "fuzz.h"

/* more of them find nothing new, only later */
#define MAX_ELEMENTS	48

struct input {
	const u8 *p;
	size_t left;
};

static u8 take(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->p++;
}

/* what is sound depends on what came before */
struct maker {
	struct blob b;
	u32 slaves;
	u8 sm;
	u16 pdo;
};

static size_t add_slave(struct maker *m, u8 pick)
{
	m->sm = 2;
	return PUT_SLAVE(&m->b, .position = m->slaves++, .group = pick % 16);
}

static size_t add_sm(struct maker *m, u8 pick)
{
	u8 index = m->sm++;

	m->pdo = pick & 1 ? 0x1a00 : 0x1600;
	return PUT_SM(&m->b, .index = index, .dir = pick & 1,
		      .len = pick & 2 ? pick : 0);
}

static size_t add_sdo(struct maker *m, u8 pick)
{
	return put_sdo(&m->b, (struct kecat_cfg_sdo){ .index = 0x2000,
		       .transition = pick & 1, .len = 1 + pick / 2 });
}

static size_t add(struct maker *m, u8 what, u8 pick)
{
	switch (what % 8) {
	case 0:
		return add_slave(m, pick);
	case 1:
	case 2:
		return add_sm(m, pick);
	case 3:
		return put_pdo(&m->b, m->pdo++);
	case 4:
	case 5:
		return put_entry(&m->b, 0x6000, pick, 1 + pick % 255);
	case 6:
		return add_sdo(m, pick);
	default:
		return PUT_BUS(&m->b, .cycle_ns = 50000 + pick * 1000);
	}
}

static void spoil(struct maker *m, size_t at, struct input *in)
{
	size_t where = at + take(in) % (m->b.len - at);

	m->b.b[where] ^= take(in);
}

static void make(struct maker *m, struct input *in)
{
	int n;

	PUT_BUS(&m->b, .cycle_ns = 50000 + take(in) * 10000);
	for (n = 0; n < MAX_ELEMENTS && in->left; n++) {
		u8 what = take(in);
		size_t at = add(m, what, take(in));

		if (what & 0x80)
			spoil(m, at, in);
	}
}

/* ---- what must hold of anything that was accepted ---- */

static void check_sm(const struct kecat_cfg *cfg, const struct kecat_scfg *s,
		     const struct kecat_smcfg *sm, u8 *used)
{
	bool out = sm->c.dir == KECAT_DIR_OUT;
	u32 bits = 0, i, k;

	FUZZ_CHECK(sm->first_pdo + sm->pdos <= cfg->npdos);
	for (i = 0; i < sm->pdos; i++) {
		const struct kecat_pcfg *p = &cfg->pdos[sm->first_pdo + i];

		FUZZ_CHECK(p->first_entry + p->entries <= cfg->nentries);
		for (k = 0; k < p->entries; k++)
			bits += cfg->entries[p->first_entry + k].bits;
	}
	FUZZ_CHECK(sm->bits == bits);
	FUZZ_CHECK(sm->len == (sm->pdos ? (bits + 7) / 8 : sm->c.len));
	FUZZ_CHECK(sm->offset >= (out ? s->out_offset : s->in_offset));
	FUZZ_CHECK(sm->offset + sm->len <= (out ? s->out_offset + s->out_len :
					    s->in_offset + s->in_len));
	/* no byte of the image belongs to two SMs */
	for (i = sm->offset; i < sm->offset + sm->len; i++)
		FUZZ_CHECK(!used[i]++);
}

static void check_slave(const struct kecat_cfg *cfg, const struct kecat_scfg *s,
			u8 *used_out, u8 *used_in)
{
	u32 i;

	FUZZ_CHECK(s->c.group < cfg->groups);
	FUZZ_CHECK(s->c.position < KECAT_MAX_SLAVES);
	FUZZ_CHECK(!s->c.name[sizeof(s->c.name) - 1]);
	FUZZ_CHECK(s->c.t_preop_ms && s->c.t_safeop_ms && s->c.t_back_ms);
	FUZZ_CHECK(s->sms <= KECAT_CFG_MAX_SMS);
	for (i = 0; i < s->sms; i++) {
		FUZZ_CHECK(!i || s->sm[i].c.index > s->sm[i - 1].c.index);
		check_sm(cfg, s, &s->sm[i], s->sm[i].c.dir == KECAT_DIR_OUT ?
			 used_out : used_in);
	}
	FUZZ_CHECK(s->first_sdo + s->sdos <= cfg->nsdos);
	for (i = s->first_sdo; i < s->first_sdo + s->sdos; i++) {
		FUZZ_CHECK(cfg->sdos[i].data > cfg->blob);
		FUZZ_CHECK(cfg->sdos[i].data + cfg->sdos[i].len <=
			   cfg->blob + cfg->len);
	}
}

static void check_image(const u8 *used, u32 len)
{
	u32 i;

	FUZZ_CHECK(len <= KECAT_MAX_IMAGE);
	for (i = 0; i < len; i++)
		FUZZ_CHECK(used[i]);
}

static void check_accepted(const struct kecat_cfg *cfg)
{
	static u8 out[KECAT_MAX_IMAGE], in[KECAT_MAX_IMAGE];
	u32 i;

	memset(out, 0, cfg->out_len);
	memset(in, 0, cfg->in_len);
	FUZZ_CHECK(cfg->bus.deadline_ns && cfg->bus.deadline_ns < cfg->bus.cycle_ns);
	FUZZ_CHECK(cfg->bus.lost_ns >= cfg->bus.deadline_ns);
	FUZZ_CHECK(cfg->groups <= KECAT_MAX_GROUPS);
	for (i = 0; i < cfg->slaves; i++)
		check_slave(cfg, &cfg->slave[i], out, in);
	check_image(out, cfg->out_len);
	check_image(in, cfg->in_len);
}

static void check_refused(const struct kecat_cfg_error *e, size_t len)
{
	size_t n = strnlen(e->message, sizeof(e->message));

	FUZZ_CHECK(n > 0 && n < sizeof(e->message));
	FUZZ_CHECK(e->offset <= len);
	FUZZ_CHECK(e->slave == KECAT_ALL || e->slave <= KECAT_MAX_SLAVES);
}

static void parse(const u8 *data, size_t len)
{
	struct kecat_cfg *cfg = NULL, *again = NULL;
	struct kecat_cfg_error e;
	int ret = kecat_config_parse(data, len, &cfg, &e);

	if (ret) {
		FUZZ_CHECK(ret == -EINVAL && !cfg);
		check_refused(&e, len);
		return;
	}
	check_accepted(cfg);
	FUZZ_CHECK(cfg->len == len && !memcmp(cfg->blob, data, len));
	FUZZ_CHECK(!kecat_config_parse(cfg->blob, cfg->len, &again, &e));
	FUZZ_CHECK(!memcmp(cfg->slave, again->slave,
			   cfg->slaves * sizeof(*cfg->slave)));
	kecat_config_free(cfg);
	kecat_config_free(again);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	struct input in = { data, len };
	struct maker m = {};

	if (take(&in) & 1) {
		parse(in.p, in.left);
		return 0;
	}
	make(&m, &in);
	parse(m.b.b, m.b.len);
	blob_free(&m.b);
	return 0;
}
