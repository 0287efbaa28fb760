// SPDX-License-Identifier: GPL-2.0-only
#include <linux/math64.h>
#include "dc_math.h"

/* ports in the order in which the frame passes them */
static const u8 pass_order[KECAT_PORTS] = { 0, 3, 1, 2 };

static bool passes(const struct kecat_dc_node *n, int port)
{
	return port == 0 || kecat_topology_port_open(n->topo.dl_status, port);
}

/* time from the entry of the frame to its return at the last port */
static u32 round_trip(const struct kecat_dc_node *n)
{
	u32 last = n->time[0];
	int i;

	for (i = 1; i < KECAT_PORTS; i++)
		if (passes(n, pass_order[i]))
			last = n->time[pass_order[i]];
	return last - n->time[0];
}

/* when the frame set out for the branch at @port, and when it was back */
static void branch(const struct kecat_dc_node *n, int port, u32 *out, u32 *back)
{
	int i;

	*out = n->time[0];
	*back = n->time[port];
	for (i = 1; i < KECAT_PORTS && pass_order[i] != port; i++)
		if (passes(n, pass_order[i]))
			*out = n->time[pass_order[i]];
}

/**
 * kecat_dc_delays - propagation delays from one latch of the receive times
 * @n:     slaves in order of the frame, with their tree
 * @count: their number
 *
 * The way there takes half of what is left of the parent's branch after the
 * child's own round trip.  Slaves without receive times are part of the cable
 * to the next one that has them.
 */
void kecat_dc_delays(struct kecat_dc_node *n, u32 count)
{
	u32 i, out, back, wire;
	u16 up;
	u8 port;

	for (i = 0; i < count; i++) {
		n[i].delay = 0;
		if (!n[i].timed)
			continue;
		port = n[i].topo.parent_port;
		up = n[i].topo.parent;
		while (up != KECAT_NO_NEIGHBOUR && !n[up].timed) {
			port = n[up].topo.parent_port;
			up = n[up].topo.parent;
		}
		if (up == KECAT_NO_NEIGHBOUR)
			continue;
		branch(&n[up], port, &out, &back);
		wire = back - out - round_trip(&n[i]);
		/* a clock that runs faster may make a short cable negative */
		if ((s32)wire < 0)
			wire = 0;
		n[i].delay = n[up].delay + (out - n[up].time[0]) + wire / 2;
	}
}

/**
 * kecat_dc_offset - what to add to a local clock to get the system time
 * @ref_received: when the reference received the latching frame, local time
 * @ref_offset:   its offset
 * @received:     when this slave received it, local time
 * @delay:        between the two
 */
u64 kecat_dc_offset(u64 ref_received, u64 ref_offset, u64 received, u32 delay)
{
	return ref_received + ref_offset + delay - received;
}

/**
 * kecat_dc_start - first SYNC0
 * @now:   system time
 * @lead:  earliest, from now
 * @cycle: ns; pulses of all slaves with this cycle coincide
 * @shift: of this slave against them
 */
u64 kecat_dc_start(u64 now, u64 lead, u64 cycle, s64 shift)
{
	u64 rest;

	div64_u64_rem(now + lead, cycle, &rest);
	now += lead + cycle - rest;
	/* not earlier than the lead, whatever the sign */
	if (shift < 0)
		now += cycle * (div64_u64(-shift, cycle) + 1);
	return now + shift;
}
