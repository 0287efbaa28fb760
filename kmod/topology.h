/* SPDX-License-Identifier: GPL-2.0-only */
/* The tree of a segment, from the port states of its slaves.  Pure. */
#ifndef KECAT_TOPOLOGY_H
#define KECAT_TOPOLOGY_H

#include <linux/types.h>

#define KECAT_PORTS		4
#define KECAT_NO_NEIGHBOUR	0xffff

/* what kecat_topology_build() found; flags */
#define KECAT_TOPO_CROSSED	0x1	/* a slave is not entered by port 0 */
#define KECAT_TOPO_OPEN		0x2	/* fewer slaves than open ports */
#define KECAT_TOPO_SURPLUS	0x4	/* more slaves than open ports */

/**
 * struct kecat_topo - a slave
 * @dl_status: register 0x0110
 * @parent:    slave at port 0, KECAT_NO_NEIGHBOUR for the first
 * @parent_port: its port that leads here
 * @neighbour: slave at each port
 */
struct kecat_topo {
	u16 dl_status;
	u16 parent;
	u8 parent_port;
	u16 neighbour[KECAT_PORTS];
};

bool kecat_topology_port_open(u16 dl_status, int port);
u32 kecat_topology_build(struct kecat_topo *t, u32 n, u32 front);

#endif
