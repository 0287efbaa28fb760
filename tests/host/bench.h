/* SPDX-License-Identifier: GPL-2.0-only */
/* A master on a simulated segment, and a process that uses it. */
#ifndef HOST_BENCH_H
#define HOST_BENCH_H

#include <linux/types.h>
#include "../../kmod/master.h"
#include "../../kmod/slave.h"
#include "../../uapi/kecat.h"
#include "../../uapi/kecat_record.h"
#include "../../uapi/kecat_shm.h"
#include "cfg.h"
#include "tap.h"
#include "vnic.h"

/* "node": 8 bytes out, 8 bytes in, CoE, inputs as the test sets them */
#define NODE_VENDOR	0x4b454341
#define NODE_PRODUCT	0x00007001

/**
 * struct bench - all of it
 * @v:   the port and its segment
 * @second: the port at the other end of a ring, or NULL
 * @m:   the master behind it
 * @f:   the file of the application
 * @shm: what it has mapped, or NULL
 * @in:  input buffer that it owns, @out: output buffer
 * @spin_ns: for the configurations that follow, and so is @deadline_ns
 */
struct bench {
	struct vnic *v;
	struct vnic *second;
	struct kecat_master *m;
	struct file *f;
	struct kecat_shm *shm;
	u32 in, out;
	u64 seen;
	u32 spin_ns;
	u32 deadline_ns;
	bool registered;
	/* ioctl arguments, in user memory */
	struct kecat_wait *wait;
	struct kecat_exchange *exchange;
	struct kecat_status *status;
	struct kecat_slave_info *info;
	struct kecat_event *events;
};

extern const struct sim_devtext bench_devices[];	/* "node" */

struct bench *bench_new(const char *slaves, const char *text);
/* the segment's description has "ring"; its other end joins, or leaves */
void bench_join(struct bench *b);
void bench_part(struct bench *b);
void bench_open(struct bench *b);
void bench_close(struct bench *b);
void bench_unregister(struct bench *b);
void bench_free(struct bench *b);

/* configuration: one element for each slave of the segment, in @groups groups */
void bench_cfg(struct bench *b, struct cfg *c, u64 cycle_ns, u32 app_miss,
	       u32 on_app_loss, u32 flags, u32 groups);
int bench_set_config(struct bench *b, const struct cfg *c);
int bench_configure(struct bench *b, u64 cycle_ns, u32 groups, u32 flags);
int bench_activate(struct bench *b);
int bench_deactivate(struct bench *b);

/* waiting, in virtual time; false: time is up */
bool bench_wait_state(struct bench *b, u8 state, u32 slaves, u32 ms);
bool bench_wait_scanned(struct bench *b, u32 slaves, u32 ms);
const struct kecat_status *bench_status(struct bench *b);
const struct kecat_slave_info *bench_info(struct bench *b, u32 position);
u32 bench_events(struct bench *b, u32 type, u32 position, u32 arg0);

/* application side of the image */
int bench_wait(struct bench *b, u64 timeout_ns);
/* publishes, and a cycle at @at_ns; takes no inputs */
int bench_exchange(struct bench *b, u64 at_ns);
const struct kecat_in_hdr *bench_inputs(struct bench *b);
u8 *bench_outputs(struct bench *b);
void bench_publish(struct bench *b);
/* first output that a slave has, and its first input as the application sees it */
u64 bench_output(struct bench *b, u32 slave);
u32 bench_input(struct bench *b, const struct kecat_in_hdr *h, u32 slave);
/* one turn: wait, take, publish; 0 or -errno */
int bench_cycle(struct bench *b);
void bench_cycles(struct bench *b, u32 n);
/* every group came back in full in the last cycles */
bool bench_data_valid(struct bench *b);
/* until a slave shows this problem; also cycles, if active */
bool bench_wait_problem(struct bench *b, u32 pos, u32 problem, u32 ms);

#endif
