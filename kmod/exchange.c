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
#include "copy.h"
#include "cycle_int.h"
#include "image.h"
#include "plan.h"
#include "trace.h"

#define LATE_EVENT_NS	(100 * NSEC_PER_MSEC)

/* a new activation: nothing is known yet */
void kecat_exchange_reset(struct kecat_cycle *c)
{
	memset(c->wkc, 0, sizeof(c->wkc));
	memset(c->bad_since, 0, sizeof(c->bad_since));
	c->cyclic_out = 0;
	c->groups_valid = 0;
	c->groups_ever = 0;
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

static void send_by(struct kecat_cycle *c, const struct kecat_pframe *f, u32 i,
		    u32 side, u64 now)
{
	const struct kecat_pdgram *d;
	const u8 *out = c->img->out_last;
	struct kecat_nic *nic = c->side[side].nic;
	__le32 tag = cpu_to_le32(c->flight.next);
	u8 *buf;

	buf = !kecat_flight_room(&c->flight) ? NULL : nic->ops->tx_buf(nic);
	if (!buf) {
		c->m->count.tx_full++;
		return;
	}
	kecat_copy(buf, f->image, f->send_len);
	memcpy(buf + KECAT_FRAME_TAG, &tag, sizeof(tag));
	for (d = f->dgram; d < f->behind; d++)
		kecat_copy(buf + d->hdr + EC_DGRAM_HDR, out + d->out_offset,
			   d->out_len);
	if (kecat_side_commit(c, side, KECAT_FLIGHT_CYCLIC, i, buf, f->send_len,
			      now)->awaited)
		c->cyclic_out++;
}

static void send_frame(struct kecat_cycle *c, u32 i, u64 now)
{
	struct kecat_pframe *f = &c->lay->frame[i];

	f->back[0] = KECAT_NOT_BACK;
	f->back[1] = KECAT_NOT_BACK;
	if (c->use & BIT(0))
		send_by(c, f, i, 0, now);
	if (c->use & BIT(1))
		send_by(c, f, i, 1, now);
}

/**
 * kecat_exchange_send - all frames of a cycle, without the doorbell
 * @c:   cyclic thread
 * @now: time, of which they count as sent
 */
void kecat_exchange_send(struct kecat_cycle *c, u64 now)
{
	/* nothing is taken that cannot be sent */
	const u8 *out = c->use ? outputs(c) : c->img->out_last;
	u32 i;

	/*
	 * One copy for all frames: the application may go on writing to its
	 * buffer if it breaks the rules, an observer and HOLD may not.
	 */
	if (out != c->img->out_last)
		kecat_copy(c->img->out_last, out, c->img->out_len);
	for (i = 0; i < c->lay->nframes; i++)
		send_frame(c, i, now);
}

static bool frame_matches(const struct kecat_cycle *c,
			  const struct kecat_pframe *f, const u8 *frame,
			  unsigned int end)
{
	u64 look = ~KECAT_WANT_LEN(kecat_side_flags(c, false));
	const struct kecat_pdgram *d;

	if (end != f->len)
		return false;
	for (d = f->dgram; d < f->behind; d++)
		if (!kecat_dgram_is(frame + d->hdr, &d->want, look))
			return false;
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

/* what a frame brought to one side, not judged yet */
static void collect(struct kecat_cycle *c, const struct kecat_pframe *f,
		    u32 side, const u8 *frame)
{
	u8 *stage = c->img->in_stage[side];
	struct kecat_pdgram *d;

	for (d = f->dgram; d < f->behind; d++) {
		const u8 *data = frame + d->hdr + EC_DGRAM_HDR;

		d->got[side] = get_unaligned_le16(data + d->len);
		if (d->group == KECAT_NO_GROUP)
			c->al_data[side] = get_unaligned_le16(data);
		else
			kecat_copy(stage + d->in_offset, data + d->out_len,
				   d->in_len);
	}
}

/**
 * kecat_exchange_answer - a cyclic frame is back
 * @c:     cyclic thread
 * @s:     its slot
 * @at:    port that it came to
 * @frame: what was received
 * @end:   end of its datagrams, checked against the length
 *
 * A late frame is counted and dropped: its data is of another cycle.
 */
void kecat_exchange_answer(struct kecat_cycle *c, struct kecat_flight_slot *s,
			   u32 at, const u8 *frame, unsigned int end)
{
	struct kecat_pframe *f;

	if (!c->active || s->cycle != c->m->count.cycles || !c->in_window) {
		c->m->count.frames_received++;
		kecat_side_back(c, s, at);
		late(c, s);
		kecat_flight_land(&c->flight, s);
		return;
	}
	f = &c->lay->frame[s->ref];
	if (!frame_matches(c, f, frame, end)) {
		c->m->count.frames_foreign++;
		return;
	}
	c->m->count.frames_received++;
	trace_kecat_frame(c->m->index, s->tag, s->kind, KECAT_TRACE_BACK, end);
	f->back[s->side] = kecat_side_back(c, s, at);
	collect(c, f, s->side, frame);
	if (s->awaited)
		c->cyclic_out--;
	kecat_flight_land(&c->flight, s);
}

/*
 * Whose answer counts.  A frame passes each slave once, so one with the whole
 * counter has all of the data, whatever the other one did.  Two that came back
 * by the same kind of way met each slave once between them: parted by a break,
 * or passing through the closed ring in opposite directions.  Two that did not
 * are of a ring that opened or closed meanwhile, and a slave may have answered
 * both.
 */
static u8 judge(const struct kecat_pframe *f, const struct kecat_pdgram *d)
{
	u32 side;

	for (side = 0; side < KECAT_SIDES; side++)
		if (f->back[side] && d->got[side] == d->wkc)
			return BIT(side);
	if (f->back[0] && f->back[0] == f->back[1] &&
	    d->got[0] + d->got[1] == d->wkc)
		return BIT(0) | BIT(1);
	return 0;
}

/* the answer to the AL status broadcast: any change is the supervisor's */
static void take_state(struct kecat_cycle *c, const struct kecat_pframe *f,
		       const struct kecat_pdgram *d)
{
	u16 al = 0, count = 0;
	u32 side;

	for (side = 0; side < KECAT_SIDES; side++) {
		if (f->back[side]) {
			al |= c->al_data[side];
			count += d->got[side];
		} else if (c->cyclic_use & BIT(side)) {
			return;		/* half of the sum is no sum */
		}
	}
	if (!c->cyclic_use || (count == c->al_count && al == c->al_or))
		return;
	c->al_count = count;
	c->al_or = al;
	kecat_bus_kick(c->m);
}

/* groups whose every datagram came back well, and that have anybody in them */
static u32 judge_groups(struct kecat_cycle *c)
{
	const struct kecat_plan_layout *l = c->lay;
	u32 valid = 0, i, side;

	memset(c->wkc, 0, sizeof(c->wkc));
	for (i = 0; i < c->plan->groups; i++)
		valid |= l->wkc[i] ? BIT(i) : 0;
	for (i = 0; i < l->ndgrams; i++) {
		struct kecat_pdgram *d = &l->dgram[i];
		const struct kecat_pframe *f = &l->frame[d->frame];

		if (d->group == KECAT_NO_GROUP) {
			take_state(c, f, d);
			continue;
		}
		d->from = judge(f, d);
		if (d->from) {
			c->wkc[d->group] += d->wkc;
			continue;
		}
		valid &= ~BIT(d->group);
		for (side = 0; side < KECAT_SIDES; side++)
			c->wkc[d->group] += f->back[side] ? d->got[side] : 0;
		if (f->back[0] || f->back[1])
			c->m->count.wkc_errors++;
	}
	return valid;
}

/*
 * What a slave reads into is sent as zeros, and each byte is one slave's, who
 * answered one of the two.
 */
static void join(u8 *to, const u8 *a, const u8 *b, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		to[i] = a[i] | b[i];
}

/*
 * A group moves on as a whole or stays as it was.  Whoever takes no part keeps
 * what he had.
 */
static void commit_inputs(struct kecat_cycle *c, u32 valid)
{
	const struct kecat_plan_layout *l = c->lay;
	struct kecat_image *img = c->img;
	u32 i;

	for (i = 0; i < l->ndgrams; i++) {
		const struct kecat_pdgram *d = &l->dgram[i];
		u8 *to = img->in_last + d->in_offset;
		const u8 *first = img->in_stage[0] + d->in_offset;
		const u8 *second = img->in_stage[1] + d->in_offset;

		if (d->group == KECAT_NO_GROUP || !(valid >> d->group & 1))
			continue;
		if (d->from == (BIT(0) | BIT(1)))
			join(to, first, second, d->in_len);
		else
			kecat_copy(to, d->from == BIT(0) ? first : second,
				   d->in_len);
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
