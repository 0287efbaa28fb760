// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cyclic frames: filled from the outputs, checked, emptied into the inputs.
 * Everything here runs in the cyclic thread.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include "bus.h"
#include "cycle_int.h"
#include "image.h"
#include "plan.h"
#include "trace.h"

#define LATE_EVENT_NS	(100 * NSEC_PER_MSEC)

static void mark(u64 *bits, u32 i)
{
	bits[i / 64] |= 1ULL << (i % 64);
}

/* a new activation: nothing is known yet */
void kecat_exchange_reset(struct kecat_cycle *c)
{
	memset(c->wkc, 0, sizeof(c->wkc));
	memset(c->bad_since, 0, sizeof(c->bad_since));
	c->cyclic_out = 0;
	c->groups_valid = 0;
	c->groups_ever = 0;
	c->groups_bad = 0;
	c->live_gen = 0;
	c->al_count = 0;
	c->al_or = 0;
	c->app = KECAT_APP_ALIVE;
	c->app_missed = 0;
	c->app_started = false;
}

/* the outputs of this cycle */
static const u8 *outputs(struct kecat_cycle *c)
{
	struct kecat_master *m = c->m;

	if (c->app == KECAT_APP_ZERO)
		return c->img->zeros;
	if (c->app == KECAT_APP_HOLD)
		return c->img->out_last;
	if (kecat_image_take_outputs(c->img)) {
		c->app_started = true;
		c->app_missed = 0;
	} else if (c->app_started) {
		m->count.app_missed++;
		c->app_missed++;
		if (c->bus->app_miss && c->app_missed == c->bus->app_miss) {
			c->app = c->bus->on_app_loss == KECAT_LOSS_HOLD ?
				KECAT_APP_HOLD : KECAT_APP_ZERO;
			if (c->bus->on_app_loss == KECAT_LOSS_SAFEOP)
				WRITE_ONCE(c->app_missing, true);
			kecat_event(m, KECAT_EV_APP_LOSS, KECAT_ALL, 2,
				    c->bus->on_app_loss, 0, 0);
			kecat_bus_kick(m);
			if (c->app == KECAT_APP_ZERO)
				return c->img->zeros;
			return c->img->out_last;
		}
	}
	return c->app_started ? kecat_image_outputs(c->img) : c->img->zeros;
}

static void send_frame(struct kecat_cycle *c, u32 i)
{
	const struct kecat_pframe *f = &c->lay->frame[i];
	struct kecat_master *m = c->m;
	__le32 tag = cpu_to_le32(c->flight.next);
	u32 k;
	u8 *buf;

	buf = kecat_flight_full(&c->flight) ? NULL : c->nic->ops->tx_buf(c->nic);
	if (!buf) {
		m->count.tx_full++;
		return;
	}
	memcpy(buf, f->image, f->send_len);
	memcpy(buf + KECAT_FRAME_TAG, &tag, sizeof(tag));
	for (k = 0; k < f->dgrams; k++) {
		const struct kecat_pdgram *d = &c->lay->dgram[f->first_dgram + k];

		memcpy(buf + d->hdr + EC_DGRAM_HDR,
		       c->img->out_last + d->out_offset, d->out_len);
	}
	c->nic->ops->tx_commit(c->nic, f->send_len);
	trace_kecat_frame(m->index, c->flight.next, KECAT_FLIGHT_CYCLIC,
			  KECAT_TRACE_SENT, f->send_len);
	kecat_flight_launch(&c->flight, KECAT_FLIGHT_CYCLIC, i, ktime_get_ns(),
			    m->count.cycles);
	c->cyclic_out++;
	m->count.frames_sent++;
}

/**
 * kecat_exchange_send - all frames of a cycle, without the doorbell
 * @c: cyclic thread
 */
void kecat_exchange_send(struct kecat_cycle *c)
{
	const u8 *out = outputs(c);
	u32 i;

	/*
	 * One copy for all frames: the application may go on writing to its
	 * buffer if it breaks the rules, an observer and HOLD may not.
	 */
	if (out != c->img->out_last)
		memcpy(c->img->out_last, out, c->img->out_len);
	for (i = 0; i < c->lay->nframes; i++)
		send_frame(c, i);
}

/* the answer to the AL status broadcast: any change is the supervisor's */
static void take_state(struct kecat_cycle *c, const u8 *data, u16 wkc)
{
	u16 al = data[0] | data[1] << 8;

	if (wkc == c->al_count && al == c->al_or)
		return;
	c->al_count = wkc;
	c->al_or = al;
	kecat_bus_kick(c->m);
}

static bool frame_matches(const struct kecat_plan_layout *l,
			  const struct kecat_pframe *f, const u8 *frame,
			  unsigned int end)
{
	u32 k;

	if (end != f->len)
		return false;
	for (k = 0; k < f->dgrams; k++) {
		const struct kecat_pdgram *d = &l->dgram[f->first_dgram + k];

		if (!kecat_dgram_answers((const void *)(frame + d->hdr), d->cmd,
					 k + 1, d->logical & 0xffff,
					 d->logical >> 16, d->len,
					 k + 1 < f->dgrams))
			return false;
	}
	return true;
}

static void late(struct kecat_cycle *c, const struct kecat_flight_slot *s)
{
	struct kecat_master *m = c->m;
	u64 now = ktime_get_ns();

	m->count.frames_late++;
	trace_kecat_frame(m->index, s->tag, s->kind, KECAT_TRACE_LATE, 0);
	if (now - c->late_event_ns < LATE_EVENT_NS)
		return;
	c->late_event_ns = now;
	kecat_event(m, KECAT_EV_FRAME_LATE, KECAT_ALL, s->tag,
		    m->count.cycles - s->cycle, 0, 0);
}

/**
 * kecat_exchange_answer - a cyclic frame is back
 * @c:     cyclic thread
 * @s:     its slot
 * @frame: what was received
 * @end:   end of its datagrams, checked against the length
 *
 * A late frame is counted and dropped: its data is of another cycle.
 */
void kecat_exchange_answer(struct kecat_cycle *c, struct kecat_flight_slot *s,
			   const u8 *frame, unsigned int end)
{
	const struct kecat_pframe *f;
	u32 i = s->ref, k;

	if (!c->active || s->cycle != c->m->count.cycles || !c->in_window) {
		c->m->count.frames_received++;
		late(c, s);
		kecat_flight_land(&c->flight, s);
		return;
	}
	f = &c->lay->frame[i];
	if (!frame_matches(c->lay, f, frame, end)) {
		c->m->count.frames_foreign++;
		return;
	}
	c->m->count.frames_received++;
	trace_kecat_frame(c->m->index, s->tag, s->kind, KECAT_TRACE_BACK, end);
	kecat_flight_land(&c->flight, s);
	c->cyclic_out--;
	mark(c->rx_frames, i);
	for (k = 0; k < f->dgrams; k++) {
		const struct kecat_pdgram *d =
			&c->lay->dgram[f->first_dgram + k];
		const u8 *data = frame + d->hdr + EC_DGRAM_HDR;
		u16 wkc = data[d->len] | data[d->len + 1] << 8;

		if (d->group == KECAT_NO_GROUP) {
			take_state(c, data, wkc);
			continue;
		}
		c->wkc[d->group] += wkc;
		if (wkc == d->wkc) {
			memcpy(c->img->in_stage + d->in_offset,
			       data + d->out_len, d->in_len);
		} else {
			c->m->count.wkc_errors++;
			c->groups_bad |= 1U << d->group;
		}
	}
}

/* groups whose every datagram came back well, and that have anybody in them */
static u32 judge_groups(struct kecat_cycle *c)
{
	const struct kecat_plan_layout *l = c->lay;
	u32 valid = 0, i, k;

	for (i = 0; i < c->plan->groups; i++) {
		if (!l->wkc[i])
			continue;
		valid |= 1U << i;
		for (k = 0; k < KECAT_PLAN_FRAME_WORDS; k++)
			if (l->frames[i][k] & ~c->rx_frames[k])
				c->groups_bad |= 1U << i;
	}
	return valid & ~c->groups_bad;
}

/*
 * A group moves on as a whole or stays as it was.  Whoever takes no part keeps
 * what he had.
 */
static void commit_inputs(struct kecat_cycle *c, u32 valid)
{
	const struct kecat_plan_layout *l = c->lay;
	u32 i;

	for (i = 0; i < l->ndgrams; i++) {
		const struct kecat_pdgram *d = &l->dgram[i];

		if (d->group != KECAT_NO_GROUP && valid >> d->group & 1)
			memcpy(c->img->in_last + d->in_offset,
			       c->img->in_stage + d->in_offset, d->in_len);
	}
}

static void report_groups(struct kecat_cycle *c, u32 valid)
{
	u32 changed = valid ^ c->groups_valid, i;
	struct kecat_master *m = c->m;

	for (i = 0; changed >> i; i++) {
		if (!(changed >> i & 1))
			continue;
		if (!(valid >> i & 1)) {
			c->bad_since[i] = m->count.cycles;
			/* nobody left who could answer: no news */
			if (c->lay->wkc[i])
				kecat_event(m, KECAT_EV_WKC, i, c->wkc[i],
					    c->lay->wkc[i], 0, 0);
			kecat_bus_kick(m);
		} else if (c->groups_ever >> i & 1) {
			kecat_event(m, KECAT_EV_WKC_OK, i,
				    m->count.cycles - c->bad_since[i], 0, 0, 0);
		}
	}
	c->groups_valid = valid;
	c->groups_ever |= valid;
}

static void show_live(struct kecat_cycle *c)
{
	if (c->lay->gen == c->live_gen)
		return;
	c->live_gen = c->lay->gen;
	kecat_image_show_live(c->img, c->lay->live);
}

/**
 * kecat_exchange_publish - hand the inputs of this cycle over
 * @c: cyclic thread
 */
void kecat_exchange_publish(struct kecat_cycle *c)
{
	struct kecat_in_hdr h = {
		.cycle = c->m->count.cycles,
		.tick_ns = c->tick,
		.received_ns = c->received_ns,
		.out_cycle = c->img->out_taken,
	};

	h.groups_valid = judge_groups(c);
	report_groups(c, h.groups_valid);
	commit_inputs(c, h.groups_valid);
	show_live(c);
	memcpy(h.wkc, c->wkc, sizeof(h.wkc));
	memcpy(h.wkc_expected, c->lay->wkc, sizeof(h.wkc_expected));
	kecat_image_publish(c->img, &h);
}

/**
 * kecat_exchange_snapshot - serve an observer, if there is one
 * @c: cyclic thread
 */
void kecat_exchange_snapshot(struct kecat_cycle *c)
{
	struct kecat_snap_request *r;
	struct kecat_snapshot *s;

	if (likely(!READ_ONCE(c->snap)))
		return;
	r = xchg(&c->snap, NULL);	/* against the observer that gives up */
	if (!r)
		return;
	s = r->s;
	s->cycle = c->m->count.cycles;
	s->in_len = c->img->in_len;
	s->out_len = c->img->out_len;
	s->groups_valid = c->groups_valid;
	s->groups = c->plan->groups;
	memcpy(s->wkc, c->wkc, sizeof(s->wkc));
	memcpy(s->wkc_expected, c->lay->wkc, sizeof(s->wkc_expected));
	memcpy(s->wkc_full, c->plan->wkc_full, sizeof(s->wkc_full));
	if (r->in)
		memcpy(r->in, c->img->in_last, c->img->in_len);
	if (r->out)
		memcpy(r->out, c->img->out_last, c->img->out_len);
	r->err = 0;
	complete(&r->done);
}
