// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "plan.h"

/* logical addresses start here, so that an FMMU that was never set maps nothing */
#define LOGICAL_BASE	0x00010000

/* state of one run over the configuration */
struct planner {
	const struct kecat_cfg *cfg;
	const bool *no_lrw;
	struct kecat_plan *p;
	u32 logical;
	u32 room;		/* left in the last frame */
	u32 max_dgrams;
	u32 max_members;
};

static int new_frame(struct planner *pl)
{
	struct kecat_plan *p = pl->p;

	if (p->nframes == KECAT_PLAN_MAX_FRAMES)
		return -E2BIG;
	p->frame[p->nframes++].first_dgram = p->ndgrams;
	pl->room = KECAT_FRAME_ROOM;
	return 0;
}

static struct kecat_pdgram *add_dgram(struct planner *pl, u8 cmd, u8 group,
				      u16 len)
{
	struct kecat_plan *p = pl->p;
	struct kecat_pdgram *d;
	struct kecat_pframe *f;

	if (!p->nframes || pl->room < EC_DGRAM_OVERHEAD + len)
		if (new_frame(pl))
			return NULL;
	if (WARN_ON_ONCE(p->ndgrams == pl->max_dgrams))
		return NULL;
	f = &p->frame[p->nframes - 1];
	d = &p->dgram[p->ndgrams++];
	f->dgrams++;
	d->cmd = cmd;
	d->group = group;
	d->frame = p->nframes - 1;
	d->len = len;
	d->hdr = KECAT_FRAME_BODY + KECAT_FRAME_ROOM - pl->room;
	d->first_member = p->nmembers;
	pl->room -= EC_DGRAM_OVERHEAD + len;
	return d;
}

static void add_member(struct planner *pl, struct kecat_pdgram *d, u32 slave,
		       u16 wkc, bool inputs)
{
	struct kecat_plan *p = pl->p;
	const struct kecat_scfg *sc = &pl->cfg->slave[slave];
	struct kecat_pmember *m;
	u16 *where;

	if (!wkc || WARN_ON_ONCE(p->nmembers == pl->max_members))
		return;
	m = &p->member[p->nmembers++];
	m->slave = slave;
	m->wkc = wkc;
	if (inputs && sc->in_len) {
		m->in_offset = sc->in_offset;
		m->in_len = sc->in_len;
		m->in_pos = d->out_len + sc->in_offset - d->in_offset;
	}
	d->members++;
	d->wkc_full += wkc;
	where = p->slave_dgram[slave];
	where[where[0] == KECAT_NO_DGRAM ? 0 : 1] = d - p->dgram;
}

/* slaves [first, last] of one group, adjacent in both images */
struct chunk {
	u32 first, last;
	u32 out_offset, out_len;
	u32 in_offset, in_len;
};

static void place_sms(struct planner *pl, const struct chunk *c, u32 base)
{
	const struct kecat_cfg *cfg = pl->cfg;
	u32 i, k;

	for (i = c->first; i <= c->last; i++) {
		const struct kecat_scfg *sc = &cfg->slave[i];

		if (sc->c.group != cfg->slave[c->first].c.group)
			continue;
		for (k = 0; k < sc->sms; k++) {
			const struct kecat_smcfg *sm = &sc->sm[k];
			u32 at = sm->c.dir == KECAT_DIR_OUT ?
				sm->offset - c->out_offset :
				c->out_len + sm->offset - c->in_offset;

			pl->p->sm_logical[i * KECAT_CFG_MAX_SMS + k] = base + at;
		}
	}
}

static int emit_half(struct planner *pl, const struct chunk *c, bool out)
{
	const struct kecat_cfg *cfg = pl->cfg;
	u8 group = cfg->slave[c->first].c.group;
	struct kecat_pdgram *d;
	u32 i;

	if (out ? !c->out_len : !c->in_len)
		return 0;
	d = add_dgram(pl, out ? EC_LWR : EC_LRD, group,
		      out ? c->out_len : c->in_len);
	if (!d)
		return -E2BIG;
	d->out_offset = c->out_offset;
	d->in_offset = c->in_offset;
	d->logical = out ? pl->logical : pl->logical + c->out_len;
	if (out)
		d->out_len = c->out_len;
	else
		d->in_len = c->in_len;
	for (i = c->first; i <= c->last; i++) {
		const struct kecat_scfg *sc = &cfg->slave[i];

		if (sc->c.group == group)
			add_member(pl, d, i, out ? !!sc->out_len : !!sc->in_len,
				   !out);
	}
	return 0;
}

static int emit_lrw(struct planner *pl, const struct chunk *c)
{
	const struct kecat_cfg *cfg = pl->cfg;
	u8 group = cfg->slave[c->first].c.group;
	struct kecat_pdgram *d;
	u32 i;

	d = add_dgram(pl, EC_LRW, group, c->out_len + c->in_len);
	if (!d)
		return -E2BIG;
	d->out_len = c->out_len;
	d->in_len = c->in_len;
	d->out_offset = c->out_offset;
	d->in_offset = c->in_offset;
	d->logical = pl->logical;
	for (i = c->first; i <= c->last; i++) {
		const struct kecat_scfg *sc = &cfg->slave[i];

		/* ETG.1000.4: a slave adds 1 for reading and 2 for writing */
		if (sc->c.group == group)
			add_member(pl, d, i,
				   (sc->out_len ? 2 : 0) + (sc->in_len ? 1 : 0),
				   true);
	}
	return 0;
}

static int emit(struct planner *pl, struct chunk *c, bool lrw)
{
	int err;

	if (!c->out_len && !c->in_len)
		return 0;
	place_sms(pl, c, pl->logical);
	/* one direction only needs no LRW */
	if (lrw && c->out_len && c->in_len) {
		err = emit_lrw(pl, c);
	} else {
		err = emit_half(pl, c, true);
		if (!err)
			err = emit_half(pl, c, false);
	}
	pl->logical += c->out_len + c->in_len;
	return err;
}

static bool group_does_lrw(struct planner *pl, u32 group)
{
	const struct kecat_cfg *cfg = pl->cfg;
	u32 i;

	for (i = 0; i < cfg->slaves; i++)
		if (cfg->slave[i].c.group == group &&
		    ((cfg->slave[i].c.flags & KECAT_CFGS_NO_LRW) ||
		     (pl->no_lrw && pl->no_lrw[i])))
			return false;
	return true;
}

static void chunk_begin(struct chunk *c, const struct kecat_scfg *sc, u32 i)
{
	*c = (struct chunk) {
		.first = i,
		.last = i,
		.out_offset = sc->out_offset,
		.in_offset = sc->in_offset,
	};
}

/* Slaves join until the frame is full; a frame ends only between slaves. */
static int plan_group(struct planner *pl, u32 group)
{
	const struct kecat_cfg *cfg = pl->cfg;
	bool lrw = group_does_lrw(pl, group);
	u32 overhead = lrw ? EC_DGRAM_OVERHEAD : 2 * EC_DGRAM_OVERHEAD;
	struct chunk c = {};
	bool open = false;
	u32 i, room = 0;
	int err;

	for (i = 0; i < cfg->slaves; i++) {
		const struct kecat_scfg *sc = &cfg->slave[i];
		u32 need = sc->out_len + sc->in_len;

		if (sc->c.group != group || !need)
			continue;
		if (sc->out_len > KECAT_DATA_MAX || sc->in_len > KECAT_DATA_MAX)
			return -EMSGSIZE;
		if (open && c.out_len + c.in_len + need > room) {
			err = emit(pl, &c, lrw);
			if (err)
				return err;
			open = false;
		}
		if (!open) {
			chunk_begin(&c, sc, i);
			open = true;
			if (pl->room < overhead + need) {
				err = new_frame(pl);
				if (err)
					return err;
			}
			room = pl->room - overhead;
		}
		c.last = i;
		c.out_len += sc->out_len;
		c.in_len += sc->in_len;
		/* more than one frame by itself: each direction goes alone */
		if (need > room) {
			err = emit(pl, &c, false);
			if (err)
				return err;
			open = false;
		}
	}
	return open ? emit(pl, &c, lrw) : 0;
}

/* the AL status of all slaves, once a cycle */
static int plan_state(struct planner *pl)
{
	struct kecat_pdgram *d = add_dgram(pl, EC_BRD, KECAT_NO_GROUP, 2);

	if (!d)
		return -E2BIG;
	d->logical = (u32)EC_REG_AL_STATUS << 16;
	return 0;
}

static int build_templates(struct kecat_plan *p, const u8 *src)
{
	u32 i, k;

	for (i = 0; i < p->nframes; i++) {
		struct kecat_pframe *f = &p->frame[i];
		struct kecat_frame_builder b;

		f->image = kzalloc(ETH_FRAME_LEN, GFP_KERNEL);
		if (!f->image)
			return -ENOMEM;
		kecat_frame_begin(&b, f->image, src, 0);
		for (k = 0; k < f->dgrams; k++) {
			struct kecat_pdgram *d = &p->dgram[f->first_dgram + k];

			kecat_frame_add(&b, d->cmd, k + 1, d->logical & 0xffff,
					d->logical >> 16, d->len);
		}
		f->len = b.len;
		f->send_len = kecat_frame_end(&b);
	}
	return 0;
}

/* a group is one piece of the image: see struct kecat_cfg */
static void group_ranges(struct kecat_plan *p, const struct kecat_cfg *cfg)
{
	u32 i;

	for (i = 0; i < cfg->slaves; i++) {
		const struct kecat_scfg *sc = &cfg->slave[i];
		u32 g = sc->c.group;

		if (!sc->in_len)
			continue;
		if (!p->in_group_len[g])
			p->in_group_offset[g] = sc->in_offset;
		p->in_group_len[g] += sc->in_len;
	}
}

static int allocate(struct planner *pl)
{
	struct kecat_plan *p = pl->p;
	u32 n = pl->cfg->slaves;

	pl->max_dgrams = 2 * n + 1;
	pl->max_members = 2 * n;
	p->frame = kcalloc(KECAT_PLAN_MAX_FRAMES, sizeof(*p->frame), GFP_KERNEL);
	p->dgram = kvcalloc(pl->max_dgrams, sizeof(*p->dgram), GFP_KERNEL);
	p->member = kvcalloc(pl->max_members + 1, sizeof(*p->member), GFP_KERNEL);
	p->sm_logical = kvcalloc(n * KECAT_CFG_MAX_SMS + 1,
				 sizeof(*p->sm_logical), GFP_KERNEL);
	p->slave_dgram = kvcalloc(n + 1, sizeof(*p->slave_dgram), GFP_KERNEL);
	p->live = kvcalloc(n + 1, sizeof(*p->live), GFP_KERNEL);
	if (!p->frame || !p->dgram || !p->member || !p->sm_logical ||
	    !p->slave_dgram || !p->live)
		return -ENOMEM;
	memset(p->slave_dgram, 0xff, n * sizeof(*p->slave_dgram));
	return 0;
}

/**
 * kecat_plan_build - lay the configured data out over frames
 * @cfg:    configuration
 * @no_lrw: per configured slave: cannot do LRW; NULL = all can
 * @src:    MAC address of the port
 * @out:    the plan; nobody is live in it yet
 *
 * Context: may sleep.
 * Return: 0, -EMSGSIZE (one slave has more data than a datagram), -E2BIG,
 * -ENOMEM.
 */
int kecat_plan_build(const struct kecat_cfg *cfg, const bool *no_lrw,
		     const u8 *src, struct kecat_plan **out)
{
	struct planner pl = { .cfg = cfg, .no_lrw = no_lrw,
			      .logical = LOGICAL_BASE };
	struct kecat_plan *p = kzalloc(sizeof(*p), GFP_KERNEL);
	u32 i;
	int err;

	if (!p)
		return -ENOMEM;
	raw_spin_lock_init(&p->lock);
	pl.p = p;
	p->nslaves = cfg->slaves;
	p->groups = cfg->groups;
	p->in_len = cfg->in_len;
	p->out_len = cfg->out_len;
	err = allocate(&pl);
	for (i = 0; !err && i < cfg->groups; i++)
		err = plan_group(&pl, i);
	if (!err)
		err = plan_state(&pl);
	if (!err)
		err = build_templates(p, src);
	if (err) {
		kecat_plan_free(p);
		return err;
	}
	for (i = 0; i < p->ndgrams; i++)
		if (p->dgram[i].group != KECAT_NO_GROUP)
			p->wkc_full[p->dgram[i].group] += p->dgram[i].wkc_full;
	group_ranges(p, cfg);
	*out = p;
	return 0;
}

/**
 * kecat_plan_free - the other end of kecat_plan_build()
 * @p: plan, may be NULL or half built
 */
void kecat_plan_free(struct kecat_plan *p)
{
	u32 i;

	if (!p)
		return;
	for (i = 0; i < p->nframes; i++)
		kfree(p->frame[i].image);
	kfree(p->frame);
	kvfree(p->dgram);
	kvfree(p->member);
	kvfree(p->sm_logical);
	kvfree(p->slave_dgram);
	kvfree(p->live);
	kfree(p);
}

static void recount(struct kecat_plan *p, struct kecat_pdgram *d)
{
	u32 i, live = 0;
	u16 wkc = 0;

	for (i = 0; i < d->members; i++) {
		const struct kecat_pmember *m = &p->member[d->first_member + i];

		if (p->live[m->slave]) {
			wkc += m->wkc;
			live++;
		}
	}
	d->all_live = live == d->members;
	WRITE_ONCE(d->wkc, wkc);
}

/**
 * kecat_plan_set_live - a slave takes part in the exchange from now on, or no longer
 * @p:     plan
 * @slave: index in the configuration
 * @live:  its FMMUs and sync managers are in effect
 *
 * Context: any; also the cyclic thread, which calls it when the datagram that
 * switches the slave's FMMUs on has come back, so that counter and expectation
 * change together.
 */
void kecat_plan_set_live(struct kecat_plan *p, u32 slave, bool live)
{
	unsigned long flags;
	int i;

	if (slave >= p->nslaves)
		return;
	raw_spin_lock_irqsave(&p->lock, flags);
	if (p->live[slave] != live) {
		WRITE_ONCE(p->live[slave], live);
		for (i = 0; i < 2; i++)
			if (p->slave_dgram[slave][i] != KECAT_NO_DGRAM)
				recount(p, &p->dgram[p->slave_dgram[slave][i]]);
		WRITE_ONCE(p->live_gen, p->live_gen + 1);
	}
	raw_spin_unlock_irqrestore(&p->lock, flags);
}
