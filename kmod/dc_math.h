/* SPDX-License-Identifier: GPL-2.0-only */
/* Arithmetic of distributed clocks.  Pure; receive times are modulo 2^32. */
#ifndef KECAT_DC_MATH_H
#define KECAT_DC_MATH_H

#include <linux/types.h>
#include "topology.h"

/**
 * struct kecat_dc_node - a slave
 * @topo:   its place in the tree
 * @timed:  @time is valid
 * @time:   receive time of each port, 0x0900
 * @delay:  out: ns from the first timed slave
 */
struct kecat_dc_node {
	struct kecat_topo topo;
	bool timed;
	u32 time[KECAT_PORTS];
	u32 delay;
};

void kecat_dc_delays(struct kecat_dc_node *n, u32 count);
u64 kecat_dc_offset(u64 ref_received, u64 ref_offset, u64 received, u32 delay);
u64 kecat_dc_start(u64 now, u64 lead, u64 cycle, s64 shift);

#endif
