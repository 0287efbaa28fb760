// SPDX-License-Identifier: GPL-2.0-only
#include "proto/ecat.h"
#include "topology.h"

/* ETG.1000.4: a frame that came in by port 0 leaves in this order */
static const u8 leave_order[KECAT_PORTS - 1] = { 3, 1, 2 };

/**
 * kecat_topology_port_open - does a frame leave the slave here?
 * @dl_status: register 0x0110
 * @port:      0..3
 */
bool kecat_topology_port_open(u16 dl_status, int port)
{
	return (dl_status & EC_DL_PORT_COMM(port)) &&
	       !(dl_status & EC_DL_PORT_CLOSED(port));
}

/* next port, in order of the frame, that has nobody yet; -1: none */
static int free_port(const struct kecat_topo *t)
{
	int i;

	for (i = 0; i < KECAT_PORTS - 1; i++) {
		int port = leave_order[i];

		if (kecat_topology_port_open(t->dl_status, port) &&
		    t->neighbour[port] == KECAT_NO_NEIGHBOUR)
			return port;
	}
	return -1;
}

static void clear(struct kecat_topo *t, u32 n)
{
	u32 i;
	int p;

	for (i = 0; i < n; i++) {
		t[i].parent = KECAT_NO_NEIGHBOUR;
		t[i].parent_port = 0;
		for (p = 0; p < KECAT_PORTS; p++)
			t[i].neighbour[p] = KECAT_NO_NEIGHBOUR;
	}
}

/**
 * kecat_topology_build - who is whose neighbour
 * @t: slaves in order of the frame, dl_status filled in
 * @n: their number, below KECAT_NO_NEIGHBOUR
 * @front: the first so many are reached from the master's first port, the others
 *         from its second one, behind a break; @n or more: no break
 *
 * The frame goes down each branch to its end before it takes the next, so the
 * parent of a slave is the nearest one before it that has an open port left.
 * Return: KECAT_TOPO_*; the tree is then the best guess.
 */
u32 kecat_topology_build(struct kecat_topo *t, u32 n, u32 front)
{
	u32 i, at = 0, faults = 0;
	int port;

	clear(t, n);
	for (i = 0; i < n; i++) {
		if (i && i == front)
			continue;	/* the break is at its port 0 */
		if (!kecat_topology_port_open(t[i].dl_status, 0))
			faults |= KECAT_TOPO_CROSSED;
		if (!i)
			continue;
		/* @at: where the frame was last */
		at = i - 1;
		while ((port = free_port(&t[at])) < 0) {
			if (t[at].parent == KECAT_NO_NEIGHBOUR)
				break;
			at = t[at].parent;
		}
		if (port < 0) {
			faults |= KECAT_TOPO_SURPLUS;
			continue;
		}
		t[at].neighbour[port] = i;
		t[i].parent = at;
		t[i].parent_port = port;
		t[i].neighbour[0] = at;
	}
	for (i = 0; i < n; i++)
		if (free_port(&t[i]) >= 0)
			faults |= KECAT_TOPO_OPEN;
	return faults;
}
