// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ports of a master as the cyclic thread sees them: one, or the two ends of
 * a ring.
 *
 * With two, every frame is sent by both at once.  While the ring is closed one
 * of them is processed by the slaves and the other one is only passed on; each
 * arrives at the opposite port.  Around a break each comes back to where it was
 * sent, processed by the slaves of its part.  So what one does not do the other
 * one does, and nobody has to find out first.
 */
#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include "bus.h"
#include "cycle_int.h"
#include "trace.h"

/* so many frames in a row did not come back: nobody waits for the next one */
#define SILENT_AFTER	8

static bool silent(const struct kecat_side *s)
{
	return s->lost_row >= SILENT_AFTER;
}

/**
 * kecat_side_enter - begin to use the ports
 * @c: cyclic thread
 *
 * Fills in kecat_cycle.inside, .use and .await; kecat_side_leave() gives the
 * ports back.
 */
void kecat_side_enter(struct kecat_cycle *c)
{
	u32 i;

	c->inside = 0;
	c->use = 0;
	c->await = 0;
	for (i = 0; i < KECAT_SIDES; i++) {
		struct kecat_nic *nic = c->side[i].nic;

		if (!nic || !kecat_nic_enter(nic))
			continue;
		c->inside |= BIT(i);
		if (READ_ONCE(nic->link))
			c->side[i].heard = false;
		else if (!c->side[i].heard)
			continue;
		if (i && READ_ONCE(c->hold_second))
			continue;
		c->use |= BIT(i);
		if (!silent(&c->side[i]))
			c->await |= BIT(i);
	}
	/* the only way there is */
	if (!c->await)
		c->await = c->use;
}

void kecat_side_leave(struct kecat_cycle *c)
{
	u32 i;

	for (i = 0; i < KECAT_SIDES; i++)
		if (c->inside & BIT(i))
			kecat_nic_exit(c->side[i].nic);
	c->inside = 0;
	c->use = 0;
}

/* one doorbell for each port that has got frames */
void kecat_side_kick(struct kecat_cycle *c)
{
	u32 i;

	for (i = 0; i < KECAT_SIDES; i++)
		if (c->committed & BIT(i))
			c->side[i].nic->ops->tx_kick(c->side[i].nic);
	c->committed = 0;
}

void kecat_side_poll(struct kecat_cycle *c)
{
	u32 i;

	for (i = 0; i < KECAT_SIDES; i++)
		if (c->inside & BIT(i))
			c->side[i].nic->ops->rx_poll(c->side[i].nic,
						     KECAT_RX_BUDGET);
}

/* whatever has come, but not for ever: a wire that brings more than that waits */
void kecat_side_take(struct kecat_cycle *c)
{
	u32 passes, i;

	for (i = 0; i < KECAT_SIDES; i++) {
		struct kecat_nic *nic = c->side[i].nic;

		passes = c->inside & BIT(i) ? KECAT_FLIGHT_SLOTS / KECAT_RX_BUDGET : 0;
		while (passes-- && nic->ops->rx_poll(nic, KECAT_RX_BUDGET) > 0)
			;
	}
}

/* somebody keeps the thread out of a port */
bool kecat_side_shut(const struct kecat_cycle *c)
{
	u32 i;

	for (i = 0; i < KECAT_SIDES; i++)
		if (c->side[i].nic && atomic_read(&c->side[i].nic->gate))
			return true;
	return false;
}

/**
 * kecat_side_commit - hand a frame to its port, and note that it is out
 * @c:    cyclic thread
 * @side: port
 * @kind: enum kecat_flight_kind
 * @ref:  as in &struct kecat_flight_slot
 * @frame: its bytes, in the buffer of the port
 * @len:  of the frame, whose tag is kecat_flight.next
 * @now:  time, of which it counts as sent
 */
struct kecat_flight_slot *kecat_side_commit(struct kecat_cycle *c, u32 side,
					    u8 kind, u16 ref, const u8 *frame,
					    unsigned int len, u64 now)
{
	struct kecat_nic *nic = c->side[side].nic;
	struct kecat_flight_slot *s;

	if (unlikely(c->record))
		kecat_record_frame(c, side, KECAT_RECORD_SENT, kind,
				   c->flight.next, frame, len, ktime_get_ns());
	nic->ops->tx_commit(nic, len);
	trace_kecat_frame(c->m->index, c->flight.next, kind, KECAT_TRACE_SENT,
			  len);
	s = kecat_flight_launch(&c->flight, kind, ref, now, c->m->count.cycles);
	s->side = side;
	s->awaited = c->await >> side & 1;
	c->committed |= BIT(side);
	c->m->count.frames_sent++;
	return s;
}

/**
 * kecat_side_news - a frame has come back crossed, or after others did not
 * @c:  cyclic thread
 * @s:  its slot
 * @at: port that it came to
 *
 * Return: enum kecat_return.
 */
u8 kecat_side_news(struct kecat_cycle *c, const struct kecat_flight_slot *s,
		   u32 at)
{
	struct kecat_side *side = &c->side[s->side];
	bool crossed = at != s->side;

	if (silent(side))
		kecat_bus_kick(c->m);
	side->lost_row = 0;
	/*
	 * The last slave sees a link, and opens its port, before our driver is
	 * asked the next time: what is sent by the other port alone is processed
	 * by nobody from now on.
	 */
	if (crossed && !READ_ONCE(c->side[at].nic->link))
		c->side[at].heard = true;
	if (crossed != side->crossed) {
		WRITE_ONCE(side->crossed, crossed);
		kecat_bus_kick(c->m);
	}
	return crossed ? KECAT_CROSSED : KECAT_HOME;
}

/* a frame never came back */
void kecat_side_lost(struct kecat_cycle *c, const struct kecat_flight_slot *s)
{
	struct kecat_side *side = &c->side[s->side];

	side->heard = false;
	if (!silent(side) && ++side->lost_row == SILENT_AFTER)
		kecat_bus_kick(c->m);
}
