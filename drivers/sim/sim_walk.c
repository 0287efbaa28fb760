// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way of a frame through the segment.
 *
 * Inside a slave a frame goes from port 0 through the processing unit and then
 * to ports 3, 1, 2 and back to 0, skipping those that are closed.  Where it
 * leaves by an open port it continues at the neighbour; a closed port 0 sends
 * it through the processing unit once more.
 */
#include "segment.h"

#define CIRCULATING	0x40	/* in the high byte of the length word */
#define STEPS_MAX	(2u * SIM_SLAVES_MAX * ESC_PORTS)

static const u8 next_port[ESC_PORTS] = { 3, 2, 0, 1 };

struct walk {
	struct sim_segment *seg;
	u8 *frame;
	u64 t;
	u16 slave;
	u8 port;
};

/* The fate of a frame at the fault injection point of a slave. */
static bool survives(struct walk *w, struct sim_slave *s)
{
	if (s->fault.drop) {
		s->fault.drop--;
		return false;
	}
	if (s->fault.corrupt) {
		s->fault.corrupt--;
		esc_port_error(&s->esc, w->port);
		return false;
	}
	return true;
}

static void skew(struct walk *w, struct sim_slave *s)
{
	struct sim_segment *seg = w->seg;
	u16 i;

	for (i = 0; i < seg->dgs && s->fault.wkc_skew; i++, s->fault.wkc_skew--) {
		u8 *wkc = w->frame + seg->dg[i].data + seg->dg[i].len;

		sim_put16(wkc, (u16)(sim_get16(wkc) + 1));
	}
}

/* A frame that passes a closed port 0 twice goes round for ever. */
static bool circulates(struct walk *w)
{
	struct sim_segment *seg = w->seg;
	bool again = false;
	u16 i;

	for (i = 0; i < seg->dgs; i++) {
		u8 *len_hi = w->frame + seg->dg[i].header + 7;

		again |= *len_hi & CIRCULATING;
		*len_hi |= CIRCULATING;
	}
	return again;
}

static bool processing_unit(struct walk *w, struct sim_slave *s)
{
	struct sim_segment *seg = w->seg;
	u16 i;

	s->esc.now = w->t;
	s->esc.frame = seg->frame;
	s->esc.dc.entry = w->port;
	if (!survives(w, s))
		return false;
	for (i = 0; i < seg->dgs; i++)
		esc_datagram(&s->esc, w->frame + seg->dg[i].header,
			     w->frame + seg->dg[i].data, seg->dg[i].len);
	if (s->fault.wkc_skew)
		skew(w, s);
	w->t += s->esc.chip.fwd_ns;
	return true;
}

/* From the port it came in by to the one it leaves by; false: destroyed. */
static bool through(struct walk *w, struct sim_slave *s)
{
	struct esc *e = &s->esc;
	bool processed = w->port == 0;
	unsigned int n;
	u8 p = w->port;

	if (e->dl_temp_until) {
		e->now = w->t;
		esc_dl_status_refresh(e);
	}
	if (!esc_port_open(e, w->port))
		return false;
	if (processed && !processing_unit(w, s))
		return false;
	for (n = 0; n < ESC_PORTS; n++) {
		p = next_port[p];
		if (esc_port_open(e, p)) {
			if (!processed)
				w->t += e->chip.ret_ns;
			w->port = p;
			return true;
		}
		if (p == 0 && !processed) {
			if (circulates(w) || !processing_unit(w, s))
				return false;
			processed = true;
		}
	}
	return false;
}

/**
 * sim_walk - send a frame round
 * @seg:   segment with the datagrams of the frame parsed
 * @frame: the frame
 * @port:  port of the master it leaves by; then the one it comes back to
 * @t:     when; then the time of its return
 *
 * Return: false if it does not come back.
 */
bool sim_walk(struct sim_segment *seg, u8 *frame, unsigned int *port, u64 *t)
{
	const struct sim_peer *to = &seg->nic[*port];
	struct walk w = { seg, frame, *t, 0, 0 };
	unsigned int step;

	for (step = 0; step < STEPS_MAX; step++) {
		struct sim_slave *s;

		if (!to->used || to->unplugged)
			return false;
		w.t += seg->cable_ns;
		if (to->slave >= SIM_PEER_NIC0) {
			*port = to->slave - SIM_PEER_NIC0;
			*t = w.t;
			return true;
		}
		s = &seg->slave[to->slave];
		if (!s->powered)
			return false;
		w.slave = to->slave;
		w.port = to->port;
		esc_dc_arrive(&s->esc, w.port, w.t, seg->frame);
		if (!through(&w, s))
			return false;
		to = &s->peer[w.port];
	}
	return false;
}
