/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A segment: slaves, the cables between them, and what is broken about them.
 *
 * All functions that take a segment need exclusive access to it: the caller
 * (module, program, test) has one thread or its own gate.  Only create and
 * destroy allocate.  sim_segment_process() and sim_segment_tick() are bounded
 * by frame length times number of slaves, so they may run in a cyclic thread.
 */
#ifndef KECAT_SIM_SEGMENT_H
#define KECAT_SIM_SEGMENT_H

#include "sim_device.h"

#define SIM_SLAVES_MAX	1024
#define SIM_LOOPS_MAX	256
#define SIM_KINDS_MAX	64
#define SIM_DATAGRAMS_MAX	128

struct sim_loop {
	u16 out, in;
};

struct sim_segment_stats {
	u64 frames, datagrams;
	u64 vanished;	/* frames that did not come back */
	u64 ignored;	/* frames that are not EtherCAT */
};

struct sim_segment {
	struct sim_slave *slave;
	u16 count;
	struct sim_desc *kind[SIM_KINDS_MAX];
	u16 kinds;
	struct sim_loop loop[SIM_LOOPS_MAX];
	u16 loops;
	struct sim_peer nic[2];
	u32 cable_ns;
	u32 frame;
	u64 wake;	/* earliest of the slaves' */
	u32 drop;	/* faults of the segment as a whole */
	u32 drop_from;	/* bits: of frames that come from these ports */
	u32 corrupt;
	u32 seed;
	struct sim_segment_stats stats;
	/* the frame on its way */
	struct {
		u16 header, data, len;
	} dg[SIM_DATAGRAMS_MAX];
	u16 dgs;
};

/**
 * struct sim_config - what to build
 * @slaves:  "coupler,do8,di8*3,drive", or NULL when @text names them
 * @text:    segment description (README.md), or NULL
 * @devices: further descriptions, looked up before the built-in ones
 * @ndevices: their number
 * @files:   for descriptions with "sii" lines, or NULL
 * @error:   filled in with the reason when creation fails
 */
struct sim_config {
	const char *slaves;
	const char *text;
	const struct sim_devtext *devices;
	unsigned int ndevices;
	const struct sim_files *files;
	char error[128];
};

struct sim_segment *sim_segment_create(struct sim_config *cfg, u64 now_ns);
void sim_segment_destroy(struct sim_segment *seg);
size_t sim_segment_process(struct sim_segment *seg, void *frame, size_t len,
			   u64 now_ns);
size_t sim_segment_process_port(struct sim_segment *seg, unsigned int *port,
				void *frame, size_t len, u64 now_ns,
				u64 *done_ns);
void sim_segment_tick(struct sim_segment *seg, u64 now_ns);
int sim_segment_fault(struct sim_segment *seg, const char *command,
		      u64 now_ns, char *answer, size_t room);
void sim_segment_relink(struct sim_segment *seg);
int sim_segment_set_input(struct sim_segment *seg, unsigned int slave,
			  unsigned int entry, u64 value);
int sim_segment_get_output(struct sim_segment *seg, unsigned int slave,
			   unsigned int entry, u64 *value);

/* sim_build.c: the parser of segment descriptions */
int sim_build(struct sim_segment *seg, struct sim_config *cfg);

/* sim_walk.c: the way of a frame */
bool sim_walk(struct sim_segment *seg, u8 *frame, unsigned int *port, u64 *t);

#endif
