/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A port whose wire is a simulated segment: frames take the time they take at
 * 100 Mbit/s, and things happen to them.
 */
#ifndef HOST_VNIC_H
#define HOST_VNIC_H

#include <linux/types.h>
#include "kecat_nic.h"
#include "segment.h"
#include <host/node.h>

#define VNIC_SLOTS	64
#define VNIC_WIRE	512	/* frames on the way */

/**
 * struct vnic_faults - how often something happens, of a million frames
 * @lose:    does not come back (before, in, or behind the slaves)
 * @late:    comes back 1..3 cycles late
 * @twice:   comes back twice
 * @header:  a bit of the header or tag flips and the FCS is good
 * @fcs:     the FCS is bad: the NIC drops it and counts it
 * @reorder: comes back after the next one
 * @foreign: somebody else's frame arrives as well
 */
struct vnic_faults {
	u32 lose;
	u32 late;
	u32 twice;
	u32 header;
	u32 fcs;
	u32 reorder;
	u32 foreign;
};

/* what the wire knows to have happened */
struct vnic_count {
	u64 sent;
	u64 lost;	/* sent and not back, for whatever reason */
	u64 fcs;
	u64 late;
	u64 late_cyclic;
	u64 twice;
	u64 header;
	u64 reorder;
	u64 foreign;
	u64 faults;	/* injected, in all */
	u64 bytes;
};

struct vnic_frame {
	struct host_node node;	/* when it enters the segment */
	struct vnic *v;
	u64 due;		/* when it is in memory again */
	u16 len;
	bool cyclic;
	bool used;
	u16 plan;		/* cyclic: which frame of the plan */
	u64 cycle;		/* .. and the cycle it was sent in */
	u8 data[KECAT_NIC_FRAME_MAX];
};

struct vnic {
	struct kecat_nic nic;
	struct sim_segment *seg;
	u32 port;		/* of the segment: 0, or 1 at the other end of a ring */
	struct vnic *peer;	/* the one at the other end, or NULL */
	struct vnic_faults faults;
	struct vnic_count count;
	u64 cycle_ns;		/* for late frames */
	u64 wire_free;
	u64 tick_every_ns;	/* the slaves' applications get their turn */
	u64 last_tick;
	bool running;
	int start_err;		/* start() fails with it */
	bool down;		/* the link is */
	u64 link_lag_ns;	/* a driver that is told of it so much later */
	u64 told_at;
	bool hold_faults;
	/* cyclic frames that were not back in time, bit per frame of the plan */
	struct {
		u64 cycle;
		u64 frames;
	} disturbed[64];
	u32 slots;		/* frames that the transmit ring takes */
	u32 entering;		/* committed, not yet on the wire */
	struct host_node tick;
	u8 tx[VNIC_SLOTS][KECAT_NIC_FRAME_MAX];
	u16 tx_len[VNIC_SLOTS];
	u32 tx_head, tx_done;
	struct vnic_frame *wire;	/* VNIC_WIRE of them */
	u32 wire_next;
	struct vnic_frame *back[VNIC_WIRE];	/* sorted by due */
	u32 nback;
	/* a frame is about to pass the slaves; false: it does not */
	bool (*before)(struct vnic *v, struct vnic_frame *f);
	void *ctx;
	u64 rng;		/* of its own: faults do not move the schedule */
};

struct vnic *vnic_new(const char *slaves, const char *text,
		      const struct sim_devtext *devices, unsigned int ndevices,
		      u64 seed);
struct vnic *vnic_new_second(struct vnic *first);
void vnic_free(struct vnic *v);
u64 vnic_rand(struct vnic *v, u64 n);
int vnic_fault(struct vnic *v, const char *fmt, ...) __printf(2, 3);
u64 vnic_disturbed(const struct vnic *v, u64 cycle);
u32 vnic_in_flight(const struct vnic *v);
void vnic_link(struct vnic *v, bool up);
/* the process gives every slave this as its first input */
void vnic_set_inputs(struct vnic *v, u32 value);

#endif
