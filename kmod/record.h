/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The flight recorder: a ring of the last cycles and frames.
 *
 * A ring is made outside of the cycle and handed to the cyclic thread, which
 * fills it until it freezes, and lets go of it then: a frozen ring never changes,
 * so whoever holds a reference may copy out of it without a lock.
 */
#ifndef KECAT_RECORD_H
#define KECAT_RECORD_H

#include <linux/kref.h>
#include <linux/types.h>
#include "../uapi/kecat_record.h"
#include "mon.h"

struct kecat_cycle;
struct kecat_master;
struct kecat_stamps;

/**
 * struct kecat_record - one ring
 * @ref:      one is the master's
 * @set:      as armed; @snap rounded, a limit of 0 replaced by U64_MAX
 * @frame_size: bytes of a record of a frame
 * @state:    KECAT_RECORD_*, by whoever fills it: the cyclic thread while active,
 *            else under config_lock; released when it becomes FROZEN
 * @hand:     somebody asks to freeze it
 * @limited:  there is a limit
 * @wait:     triggers do not count in so many cycles
 * @left:     cycles to go once triggered
 * @reasons:  what froze it, and so are the following; see the interface
 * @cycle_ns: of the activation, and so is @deadline_ns
 * @pid:      of the thread
 * @last:     counters as they were at the end of the cycle before
 * @own_ns:   what recording that cycle took
 * @received_ns: when its frames were back, 0 = there was none
 * @cycles:   records of cycles made so far, in all
 * @frames:   .. of frames
 * @cycle_at: place of the next record of a cycle
 * @frame_at: .. of a frame
 * @cycle:    the records
 * @frame:    ..
 */
struct kecat_record {
	struct kref ref;
	struct kecat_record_arm set;
	u32 frame_size;
	u32 state;
	bool hand;
	bool limited;
	u32 wait;
	u32 left;
	u32 reasons;
	u32 phase;
	u64 trigger_cycle;
	u64 trigger_ns;
	u64 value_ns;
	u64 cycle_ns;
	u64 deadline_ns;
	pid_t pid;
	struct kecat_counters last;
	u64 own_ns;
	u64 received_ns;
	u64 cycles;
	u64 frames;
	u32 cycle_at;
	u32 frame_at;
	struct kecat_record_cycle *cycle;
	u8 *frame;
};

/* 0 or -errno; @arm->id is filled in */
int kecat_record_create(struct kecat_record_arm *arm, struct kecat_record **to);
void kecat_record_put(struct kecat_record *r);

/* under config_lock: @r, a reference, takes the place of what there was; NULL = off */
void kecat_record_install(struct kecat_master *m, struct kecat_record *r);
/* under config_lock.  -ENOENT */
int kecat_record_freeze(struct kecat_master *m);
/* under config_lock */
void kecat_record_info(struct kecat_master *m, struct kecat_record_state *s);
/* under config_lock: with a reference.  -ENOENT, -EBUSY, -ESTALE */
int kecat_record_get(struct kecat_master *m, u64 id, struct kecat_record **to);
/*
 * Up to @count records of a frozen ring from number @from on, in one piece: where
 * they are, and how many.
 */
const void *kecat_record_piece(const struct kecat_record *r, u32 what, u32 from,
			       u32 count, u32 *n);

/* the cyclic thread: see kecat_cycle.record */
void kecat_record_begin(struct kecat_cycle *c, struct kecat_record *r);
void kecat_record_end(struct kecat_cycle *c);
void kecat_record_cycle(struct kecat_cycle *c, const struct kecat_stamps *t);
void kecat_record_frame(struct kecat_cycle *c, u32 port, u8 dir, u8 kind, u32 tag,
			const u8 *frame, unsigned int len, u64 now);

#endif
