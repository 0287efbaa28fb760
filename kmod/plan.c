// SPDX-License-Identifier: GPL-2.0-only
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "plan.h"

/* an FMMU that was never set maps nothing below this */
#define LOGICAL_MIN	0x00010000u

/* state of one run over the configuration */
struct planner {
	const struct kecat_cfg *cfg;
	const bool *no_lrw;
	struct kecat_plan *p;
	u32 logical;
	u32 room;		/* left in the last frame, if all take part */
};

/* slaves [first, last] of one group, adjacent in both images */
struct chunk {
	u32 first, last;
	u32 out_offset, out_len;
	u32 in_offset, in_len;
};

static void place_sms(struct planner *pl, const struct chunk *c)
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

			pl->p->sm_logical[i * KECAT_CFG_MAX_SMS + k] =
				pl->logical + at;
		}
	}
}

static void add_pieces(struct planner *pl, const struct chunk *c, bool out)
{
	const struct kecat_cfg *cfg = pl->cfg;
	u8 group = cfg->slave[c->first].c.group;
	u32 i;

	for (i = c->first; i <= c->last; i++) {
		const struct kecat_scfg *sc = &cfg->slave[i];
		u32 len = out ? sc->out_len : sc->in_len;

		if (sc->c.group != group || !len)
			continue;
		pl->p->piece[pl->p->npieces++] = (struct kecat_piece) {
			.slave = i,
			.len = len,
			.out = out,
			.offset = out ? sc->out_offset : sc->in_offset,
			.logical = out ?
				pl->logical + sc->out_offset - c->out_offset :
				pl->logical + c->out_len + sc->in_offset -
				c->in_offset,
		};
	}
}

static void emit(struct planner *pl, const struct chunk *c, bool lrw)
{
	struct kecat_plan *p = pl->p;
	struct kecat_area *a = &p->area[p->nareas++];
	u32 i;

	/* what goes one way only needs no LRW */
	lrw = lrw && c->out_len && c->in_len;
	place_sms(pl, c);
	a->group = pl->cfg->slave[c->first].c.group;
	a->lrw = lrw;
	a->first = p->npieces;
	add_pieces(pl, c, true);
	add_pieces(pl, c, false);
	a->pieces = p->npieces - a->first;
	for (i = a->first; i < p->npieces; i++)
		p->lrw[p->piece[i].slave] = lrw;
	pl->logical += c->out_len + c->in_len;
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

/*
 * Slaves join until the frame is full; it ends only between slaves.  The layout
 * in which all take part fills frames in the same order and needs no more room.
 */
static int plan_group(struct planner *pl, u32 group)
{
	const struct kecat_cfg *cfg = pl->cfg;
	bool lrw = group_does_lrw(pl, group);
	u32 overhead = lrw ? EC_DGRAM_OVERHEAD : 2 * EC_DGRAM_OVERHEAD;
	struct chunk c = {};
	bool open = false;
	u32 i;

	for (i = 0; i < cfg->slaves; i++) {
		const struct kecat_scfg *sc = &cfg->slave[i];
		u32 need = sc->out_len + sc->in_len;

		if (sc->c.group != group || !need)
			continue;
		if (sc->out_len > KECAT_DATA_MAX || sc->in_len > KECAT_DATA_MAX)
			return -EMSGSIZE;
		if (open && need > pl->room) {
			emit(pl, &c, lrw);
			open = false;
		}
		if (!open) {
			if (pl->room < overhead + need)
				pl->room = KECAT_FRAME_ROOM;
			pl->room -= overhead;
			c = (struct chunk) {
				.first = i,
				.out_offset = sc->out_offset,
				.in_offset = sc->in_offset,
			};
			open = true;
		}
		c.last = i;
		c.out_len += sc->out_len;
		c.in_len += sc->in_len;
		/* more than one frame by itself: each direction goes alone */
		if (need > pl->room) {
			emit(pl, &c, false);
			pl->room = 0;
			open = false;
		} else {
			pl->room -= need;
		}
	}
	if (open)
		emit(pl, &c, lrw);
	return 0;
}

/* each piece by itself, in frames of which two hold more than one's room */
static u32 worst_frames(const struct kecat_plan *p)
{
	u32 bytes = p->out_len + p->in_len +
		    (p->npieces + 2) * EC_DGRAM_OVERHEAD;

	BUILD_BUG_ON(2 * (2 * KECAT_MAX_IMAGE + (2 * KECAT_MAX_SLAVES + 2) *
			  EC_DGRAM_OVERHEAD) / KECAT_FRAME_ROOM + 1 >
		     KECAT_PLAN_MAX_FRAMES);
	return 2 * bytes / KECAT_FRAME_ROOM + 1 + p->fill.frames;
}

static int allocate(struct kecat_plan *p)
{
	u32 n = p->nslaves;

	p->piece = kvcalloc(2 * n + 1, sizeof(*p->piece), GFP_KERNEL);
	p->area = kvcalloc(n + 1, sizeof(*p->area), GFP_KERNEL);
	p->sm_logical = kvcalloc(n * KECAT_CFG_MAX_SMS + 1,
				 sizeof(*p->sm_logical), GFP_KERNEL);
	p->lrw = kvcalloc(n + 1, sizeof(*p->lrw), GFP_KERNEL);
	return p->piece && p->area && p->sm_logical && p->lrw ? 0 : -ENOMEM;
}

/* room for the whole plan before the addresses start over */
static u32 logical_base(u32 wish, const struct kecat_cfg *cfg)
{
	u32 len = cfg->in_len + cfg->out_len;

	return wish < LOGICAL_MIN || wish > U32_MAX - len ? LOGICAL_MIN : wish;
}

/**
 * kecat_plan_build - give the configured data its logical addresses
 * @cfg:     configuration
 * @no_lrw:  per configured slave: cannot do LRW; NULL = all can
 * @src:     MAC address of the port
 * @logical: in: first logical address to use; out: the first behind the plan.
 *           Handed from plan to plan, it keeps a device that was away from
 *           answering to addresses that are somebody else's by now.
 * @out:     the plan; nobody takes part in it yet
 *
 * Context: may sleep.
 * Return: 0, -EMSGSIZE (one slave has more data than a datagram), -ENOMEM.
 */
int kecat_plan_build(const struct kecat_cfg *cfg, const bool *no_lrw,
		     const u8 *src, u32 *logical, struct kecat_plan **out)
{
	struct planner pl = { .cfg = cfg, .no_lrw = no_lrw,
			      .logical = logical_base(*logical, cfg) };
	struct kecat_plan *p = kvzalloc(sizeof(*p), GFP_KERNEL);
	u32 i;
	int err;

	if (!p)
		return -ENOMEM;
	pl.p = p;
	p->nslaves = cfg->slaves;
	p->groups = cfg->groups;
	p->in_len = cfg->in_len;
	p->out_len = cfg->out_len;
	p->fill = cfg->fill;
	memcpy(p->src, src, ETH_ALEN);
	err = allocate(p);
	for (i = 0; !err && i < cfg->groups; i++)
		err = plan_group(&pl, i);
	if (!err) {
		p->max_frames = worst_frames(p);
		err = kecat_layout_create(p);
	}
	if (err) {
		kecat_plan_free(p);
		return err;
	}
	*logical = pl.logical;
	*out = p;
	return 0;
}

/**
 * kecat_plan_free - the other end of kecat_plan_build()
 * @p: plan, may be NULL or half built
 */
void kecat_plan_free(struct kecat_plan *p)
{
	if (!p)
		return;
	kecat_layout_destroy(p);
	kvfree(p->piece);
	kvfree(p->area);
	kvfree(p->sm_logical);
	kvfree(p->lrw);
	kvfree(p);
}
