/* SPDX-License-Identifier: GPL-2.0-only */
/* What bus.c, bus_scan.c and assign.c share. */
#ifndef KECAT_BUS_INT_H
#define KECAT_BUS_INT_H

#include <linux/types.h>
#include "master.h"
#include "dc_math.h"
#include "match.h"
#include "order.h"
#include "slave.h"
#include "topology.h"
#include "xfer.h"

#define KECAT_BUS_REGS	16	/* bytes read of each slave in one go, at most */

/* a record made to read the identity of an unknown device */
struct kecat_probe {
	struct kecat_slave *s;
	unsigned long until;	/* jiffies: then it counts as unreadable */
};

/**
 * struct kecat_bus_scratch - room for one look at everybody
 * @dg:      datagrams, @data theirs
 * @errands: of each slave, before the look
 * @known:   records we have
 * @seen:    devices on the wire
 * @keep:    record of each device that carries its address
 * @place:   the new list
 * @at:      where on the wire the @nlisted devices are that @place is about
 * @probe:   unknown devices whose identity is being read
 * @table:   slaves in the new order
 * @dropped: slaves that are no longer in it
 * @topo:    devices on the wire
 * @node:    devices with their receive times; @received by the processing unit
 * @fresh:   new address of each device
 * @used:    addresses that are taken
 * @ms:      for matching, under bus_lock
 * @absent:  bit per element: was reported as missing; under bus_lock
 * @absent_gen: config_gen that @absent is about
 *
 * Everything else is the supervisor's alone.
 */
struct kecat_bus_scratch {
	struct kecat_dgram dg[KECAT_MAX_SLAVES];
	u8 data[KECAT_MAX_SLAVES][KECAT_BUS_REGS];
	u32 errands[KECAT_MAX_SLAVES];
	struct kecat_known known[KECAT_MAX_SLAVES];
	struct kecat_seen seen[KECAT_MAX_SLAVES];
	s32 keep[KECAT_MAX_SLAVES];
	struct kecat_place place[KECAT_MAX_SLAVES];
	u16 at[KECAT_MAX_SLAVES];
	struct kecat_probe probe[KECAT_MAX_SLAVES];
	struct kecat_slave *table[KECAT_MAX_SLAVES];
	struct kecat_slave *dropped[KECAT_MAX_SLAVES];
	struct kecat_topo topo[KECAT_MAX_SLAVES];
	struct kecat_dc_node node[KECAT_MAX_SLAVES];
	u64 received[KECAT_MAX_SLAVES];
	u16 fresh[KECAT_MAX_SLAVES];
	u16 used[2 * KECAT_MAX_SLAVES];
	struct kecat_mslave ms[KECAT_MAX_SLAVES];
	u64 absent[KECAT_MAX_SLAVES / 64];
	u32 absent_gen;
	u32 nseen;
	u32 nlisted;
	u32 nprobes;
	bool again;		/* the segment changed under the scan */
};

/* bus_scan.c: find out who is there.  Supervisor. */
void kecat_bus_scan(struct kecat_master *m);
void kecat_bus_forget(struct kecat_master *m);
/* the identities that a scan has waited for are there, or never will be */
bool kecat_bus_probed(struct kecat_master *m);

#endif
