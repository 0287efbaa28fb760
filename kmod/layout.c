// SPDX-License-Identifier: GPL-2.0-only
/* Frames for those slaves that take part; see plan.h for why only for them. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "plan.h"

#define AL_STATUS_LEN	2

static bool is_live(const struct kecat_plan_layout *l, u32 slave)
{
	return l->live[slave / 64] >> (slave % 64) & 1;
}

/* a layout under construction */
struct builder {
	const struct kecat_plan *p;
	struct kecat_plan_layout *l;
	u32 room;		/* left in the last frame */
};

/* the frame is opened by its first datagram, so none is empty */
static void place(struct builder *b, struct kecat_pdgram *d)
{
	struct kecat_plan_layout *l = b->l;
	struct kecat_pframe *f;

	if (!l->nframes || b->room < EC_DGRAM_OVERHEAD + d->len) {
		f = &l->frame[l->nframes++];
		f->dgram = d;
		b->room = KECAT_FRAME_ROOM;
	}
	f = &l->frame[l->nframes - 1];
	f->behind = d + 1;
	d->frame = l->nframes - 1;
	d->hdr = KECAT_FRAME_BODY + KECAT_FRAME_ROOM - b->room;
	b->room -= EC_DGRAM_OVERHEAD + d->len;
	if (d->group != KECAT_NO_GROUP)
		l->wkc[d->group] += d->wkc;
}

static struct kecat_pdgram *new_dgram(struct builder *b, u8 cmd, u8 group,
				      u32 logical)
{
	struct kecat_pdgram *d = &b->l->dgram[b->l->ndgrams++];

	*d = (struct kecat_pdgram) {
		.cmd = cmd, .group = group, .logical = logical,
	};
	return d;
}

/* ETG.1000.4: in an LRW a slave adds 1 for reading and 2 for writing */
static void add_piece(struct kecat_pdgram *d, const struct kecat_piece *pc)
{
	if (pc->out) {
		if (!d->out_len)
			d->out_offset = pc->offset;
		d->out_len += pc->len;
		d->wkc += d->cmd == EC_LRW ? 2 : 1;
	} else {
		if (!d->in_len)
			d->in_offset = pc->offset;
		d->in_len += pc->len;
		d->wkc += 1;
	}
	d->len += pc->len;
}

static bool continues(const struct kecat_piece *prev,
		      const struct kecat_piece *pc, bool lrw)
{
	return pc->logical == prev->logical + prev->len &&
	       (lrw || pc->out == prev->out);
}

/* one datagram for @n pieces; where all go one way it is no LRW */
static void add_run(struct builder *b, const struct kecat_area *a,
		    const struct kecat_piece *first, u32 n)
{
	const struct kecat_piece *last = first + n - 1;
	u8 cmd = first->out && !last->out ? EC_LRW :
		 first->out ? EC_LWR : EC_LRD;
	struct kecat_pdgram *d = new_dgram(b, cmd, a->group, first->logical);

	for (; first <= last; first++)
		add_piece(d, first);
	place(b, d);
}

/* the area, cut around whoever takes no part */
static void add_area(struct builder *b, const struct kecat_area *a)
{
	const struct kecat_piece *pc = b->p->piece + a->first;
	u32 i, n = 0;

	for (i = 0; i < a->pieces; i++) {
		bool live = is_live(b->l, pc[i].slave);

		if (n && (!live || !continues(&pc[i - 1], &pc[i], a->lrw))) {
			add_run(b, a, &pc[i - n], n);
			n = 0;
		}
		n += live;
	}
	if (n)
		add_run(b, a, &pc[a->pieces - n], n);
}

/*
 * Nobody's: no slave touches it, its working counter stays 0, and it belongs to
 * group 0 without having a byte of it.
 */
static void add_fill(struct builder *b)
{
	u32 i;

	for (i = 0; i < b->p->fill.frames; i++) {
		struct kecat_pdgram *d = new_dgram(b, EC_NOP, 0, 0);

		d->len = b->p->fill.bytes;
		b->room = 0;
		place(b, d);
	}
}

/* the AL status of all slaves, once a cycle */
static void add_state(struct builder *b)
{
	struct kecat_pdgram *d = new_dgram(b, EC_BRD, KECAT_NO_GROUP,
					   (u32)EC_REG_AL_STATUS << 16);

	d->len = AL_STATUS_LEN;
	place(b, d);
}

static void build_images(struct kecat_plan_layout *l, const u8 *src)
{
	struct kecat_pdgram *d;
	u32 i;

	for (i = 0; i < l->nframes; i++) {
		struct kecat_pframe *f = &l->frame[i];
		struct kecat_frame_builder fb;

		/* what is read is sent as zeros */
		memset(f->image, 0, ETH_FRAME_LEN);
		kecat_frame_begin(&fb, f->image, src, 0);
		for (d = f->dgram; d < f->behind; d++) {
			u16 more = d + 1 < f->behind ? EC_DGRAM_MORE : 0;
			u8 idx = d - f->dgram + 1;

			kecat_frame_add(&fb, d->cmd, idx, d->logical & 0xffff,
					d->logical >> 16, d->len);
			d->want = kecat_dgram_want(d->cmd, idx,
						   d->logical & 0xffff,
						   d->logical >> 16, d->len, more);
		}
		f->len = fb.len;
		f->send_len = kecat_frame_end(&fb);
	}
}

static void build(const struct kecat_plan *p, struct kecat_plan_layout *l)
{
	struct builder b = { .p = p, .l = l };
	u32 i;

	l->gen = p->gen;
	l->nframes = 0;
	l->ndgrams = 0;
	memcpy(l->live, p->live, sizeof(l->live));
	memset(l->wkc, 0, sizeof(l->wkc));
	for (i = 0; i < p->nareas; i++)
		add_area(&b, &p->area[i]);
	add_fill(&b);
	add_state(&b);
	build_images(l, p->src);
}

static int allocate(const struct kecat_plan *p, struct kecat_plan_layout *l)
{
	u32 i;

	/* one per piece at worst, the fill, and the AL status */
	l->dgram = kvcalloc(p->npieces + p->fill.frames + 1, sizeof(*l->dgram), GFP_KERNEL);
	l->frame = kvcalloc(p->max_frames, sizeof(*l->frame), GFP_KERNEL);
	if (!l->dgram || !l->frame)
		return -ENOMEM;
	for (i = 0; i < p->max_frames; i++) {
		l->frame[i].image = kzalloc(ETH_FRAME_LEN, GFP_KERNEL);
		if (!l->frame[i].image)
			return -ENOMEM;
	}
	return 0;
}

/**
 * kecat_layout_create - memory for all layouts that a plan can have
 * @p: plan with its pieces and areas
 *
 * Afterwards a change needs no memory and cannot fail.  Nobody takes part yet.
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM; what there is goes with kecat_layout_destroy().
 */
int kecat_layout_create(struct kecat_plan *p)
{
	int i, err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(p->layout); i++)
		err = allocate(p, &p->layout[i]);
	if (err)
		return err;
	memset(p->live, 0xff, sizeof(p->live));
	build(p, &p->layout[0]);
	memcpy(p->wkc_full, p->layout[0].wkc, sizeof(p->wkc_full));
	p->frames_full = p->layout[0].nframes;
	memset(p->live, 0, sizeof(p->live));
	build(p, &p->layout[0]);
	p->own = 0;
	p->handed = 1;
	p->spare = 2;
	return 0;
}

void kecat_layout_destroy(struct kecat_plan *p)
{
	u32 i, k;

	for (i = 0; i < ARRAY_SIZE(p->layout); i++) {
		struct kecat_plan_layout *l = &p->layout[i];

		for (k = 0; l->frame && k < p->max_frames; k++)
			kfree(l->frame[k].image);
		kvfree(l->frame);
		kvfree(l->dgram);
	}
}

/**
 * kecat_plan_set_live - a slave takes part from the next cycle on, or no longer
 * @p:     plan
 * @slave: index in the configuration
 * @live:  its FMMUs and sync managers are in effect
 *
 * On joining, write the FMMUs first: the slave adds nothing before its
 * addresses are sent.  On leaving, call this first: datagrams that are queued
 * after it go out after the last cycle that addresses the slave.
 *
 * Context: process, one caller at a time; cannot fail.
 */
void kecat_plan_set_live(struct kecat_plan *p, u32 slave, bool live)
{
	u64 bit = 1ULL << (slave % 64);

	if (slave >= p->nslaves || !(p->live[slave / 64] & bit) == !live)
		return;
	p->live[slave / 64] ^= bit;
	p->gen++;
	build(p, &p->layout[p->spare]);
	/* all of it before its number, and what comes back is no longer read */
	p->spare = xchg(&p->handed, p->spare | KECAT_LAYOUT_NEW) & ~KECAT_LAYOUT_NEW;
}
