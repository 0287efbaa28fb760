/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The flight recorder of a master: the stamps of its last cycles and the frames
 * of them, kept in a ring and frozen by what was waited for.
 *
 * Order of calls
 *   KECAT_IOC_RECORD_ARM makes a ring and begins to fill it, at once or with the
 *   next activation.  The first cycle that meets a trigger is recorded, and
 *   @post more; then nothing is recorded any more, KECAT_EV_RECORD tells so, and
 *   KECAT_IOC_RECORD_READ gives the ring out until the next ARM.
 *
 * Lifetimes
 *   A ring belongs to the master, not to the file that armed it.  Each ARM makes
 *   a new one with a new id.  A new activation empties a ring that is not frozen:
 *   numbers of cycles start anew with it.
 */
#ifndef _UAPI_KECAT_RECORD_H
#define _UAPI_KECAT_RECORD_H

#include <linux/types.h>
#include "kecat.h"

#define KECAT_RECORD_STAMPS	16
#define KECAT_RECORD_AT		13	/* of these a record has room for */
#define KECAT_RECORD_MAX_CYCLES	(1u << 20)
#define KECAT_RECORD_MAX_FRAMES	(1u << 20)
#define KECAT_RECORD_MAX_SNAP	1520	/* bytes of a frame; a multiple of 8 */
#define KECAT_RECORD_MAX_BYTES	(256u << 20)	/* of a whole ring */

/* what freezes it, bits; kecat_record_state.reasons may have several */
#define KECAT_RECORD_ON_OVERRUN	0x01	/* a cycle began after the next one was due */
#define KECAT_RECORD_ON_LOST	0x02	/* a frame never came back */
#define KECAT_RECORD_ON_LATE	0x04	/* a cyclic frame came back after its deadline */
#define KECAT_RECORD_ON_WKC	0x08	/* a cyclic datagram's working counter was wrong */
#define KECAT_RECORD_ON_LIMIT	0x10	/* a phase was longer than its limit */
#define KECAT_RECORD_ON_APP	0x20	/* no fresh outputs from the application */
#define KECAT_RECORD_ON_HAND	0x40	/* KECAT_IOC_RECORD_FREEZE; needs not be asked for */

/**
 * struct kecat_record_arm - KECAT_IOC_RECORD_ARM
 * @size:     sizeof(struct kecat_record_arm)
 * @flags:    0
 * @cycles:   that are kept; 0 = no recorder, all else must be 0 too
 * @post:     of these behind the one that met a trigger; less than @cycles
 * @frames:   that are kept, sent and received together; 0 = none
 * @snap:     bytes of each that are kept; rounded up to a multiple of 8
 * @triggers: KECAT_RECORD_ON_*, without ON_LIMIT and ON_HAND
 * @holdoff:  triggers do not count in so many cycles after arming, or after
 *            activation
 * @id:       out: number of this ring
 * @limit_ns: by KECAT_LAT_* up to KECAT_LAT_TOTAL: longest time of that phase that
 *            is no trigger; 0 = any.  The others must be 0.
 *
 * Replaces what there was, frozen or not.  Needs an open for writing.
 * Errors: EINVAL, E2BIG more than KECAT_RECORD_MAX_BYTES, ENOMEM.
 */
struct kecat_record_arm {
	__u32 size;
	__u32 flags;
	__u32 cycles;
	__u32 post;
	__u32 frames;
	__u32 snap;
	__u32 triggers;
	__u32 holdoff;
	__u64 id;
	__u64 limit_ns[KECAT_RECORD_STAMPS];
};

/* kecat_record_state.state */
#define KECAT_RECORD_OFF	0
#define KECAT_RECORD_ARMED	1	/* while cyclic exchange is on, it is filled */
#define KECAT_RECORD_TRIGGERED	2	/* records the cycles behind the trigger */
#define KECAT_RECORD_FROZEN	3	/* can be read */

/**
 * struct kecat_record_state - KECAT_IOC_RECORD_STATE
 * @size:       sizeof(struct kecat_record_state)
 * @state:      KECAT_RECORD_*; OFF: all that follows is 0
 * @id:         number of the ring
 * @have_cycles: records of cycles that can be read, or could if it froze now
 * @have_frames: records of frames
 * @frame_size: bytes of one record of a frame: its head and @snap
 * @stamps:     number of @at in struct kecat_record_cycle that are used: phase i
 *              (KECAT_LAT_*) is from @at[i] to @at[i + 1]
 * @cycles:     as armed, and so are the following
 * @post:       ..
 * @frames:     ..
 * @snap:       ..
 * @triggers:   ..
 * @holdoff:    ..
 * @reasons:    KECAT_RECORD_ON_* that the cycle met that froze it; 0 = none yet
 * @phase:      ON_LIMIT: KECAT_LAT_* of the first one, else KECAT_ALL
 * @trigger_cycle: number of that cycle, 0 = there was none (ON_HAND while idle)
 * @trigger_ns: when that was seen
 * @value_ns:   ON_LIMIT: how long the phase was; ON_OVERRUN alone: 0
 * @cycle_ns:   cycle time of the activation that is recorded, 0 = none yet
 * @deadline_ns: answers are awaited so long after the tick
 * @pid:        the thread that runs the cycle; with KECAT_BUS_TICK_APP, who ran the
 *              last one that was the application's
 * @pad:        0
 * @limit_ns:   as armed
 */
struct kecat_record_state {
	__u32 size;
	__u32 state;
	__u64 id;
	__u32 have_cycles;
	__u32 have_frames;
	__u32 frame_size;
	__u32 stamps;
	__u32 cycles;
	__u32 post;
	__u32 frames;
	__u32 snap;
	__u32 triggers;
	__u32 holdoff;
	__u32 reasons;
	__u32 phase;
	__u64 trigger_cycle;
	__u64 trigger_ns;
	__u64 value_ns;
	__u64 cycle_ns;
	__u64 deadline_ns;
	__s32 pid;
	__u32 pad;
	__u64 limit_ns[KECAT_RECORD_STAMPS];
};

/**
 * struct kecat_record_cycle - one cycle
 * @cycle:   its number
 * @at:      stamps, the first is the tick; see kecat_record_state.stamps
 * @app_cycle: newest cycle whose inputs the application had when the frames of this
 *           one had gone, by its own word as far as that is possible; 0 = none
 * @app_taken_ns: since when
 * @app_done_ns: when it had last made outputs, 0 = never; made from those inputs
 *           if not before @app_taken_ns
 * @own_ns:  time that the accounting and the recorder took after the last stamp
 *           of the cycle before; 0 in the first record
 * @overruns: cycles that were missed before this one
 * @sent:    frames given to the ports
 * @received: frames that were an answer
 * @lost:    frames given up
 * @late:    cyclic frames of earlier cycles, or after the deadline
 * @foreign: received frames that were no answer
 * @wkc_errors: cyclic datagrams with a wrong working counter
 * @groups_valid: bit per sync group
 * @out_set: low 32 bits of the number of output sets taken so far
 * @reasons: KECAT_RECORD_ON_* that it met, asked for or not
 * @cpu:     CPU that it ended on
 *
 * Counts are of what happened since the cycle before; what does not fit is 65535.
 */
struct kecat_record_cycle {
	__u64 cycle;
	__u64 at[KECAT_RECORD_AT];
	__u64 app_cycle;
	__u64 app_taken_ns;
	__u64 app_done_ns;
	__u64 own_ns;
	__u32 overruns;
	__u16 sent;
	__u16 received;
	__u16 lost;
	__u16 late;
	__u16 foreign;
	__u16 wkc_errors;
	__u32 groups_valid;
	__u32 out_set;
	__u32 reasons;
	__u32 cpu;
};

#define KECAT_RECORD_SENT	0
#define KECAT_RECORD_RECEIVED	1

/* kecat_record_frame.kind */
#define KECAT_RECORD_FOREIGN	0	/* received, and no answer to any of ours */
#define KECAT_RECORD_CYCLIC	1
#define KECAT_RECORD_ACYCLIC	2
#define KECAT_RECORD_PROBE	3	/* an answer that nobody needs any more */

/**
 * struct kecat_record_frame - head of one frame; kecat_record_state.snap bytes follow
 * @time_ns: given to the port, or seen by the master
 * @cycle:   in this cycle
 * @tag:     both ways the same
 * @len:     bytes of the frame, without FCS
 * @cap:     of these recorded
 * @port:    0 or 1
 * @dir:     KECAT_RECORD_SENT or _RECEIVED
 * @kind:    see above
 * @pad:     0
 */
struct kecat_record_frame {
	__u64 time_ns;
	__u64 cycle;
	__u32 tag;
	__u16 len;
	__u16 cap;
	__u8 port;
	__u8 dir;
	__u8 kind;
	__u8 pad[5];
};

/* kecat_record_read.what */
#define KECAT_RECORD_CYCLES	0	/* struct kecat_record_cycle */
#define KECAT_RECORD_FRAMES	1	/* struct kecat_record_frame, and its bytes */

/**
 * struct kecat_record_read - KECAT_IOC_RECORD_READ: records out of a frozen ring
 * @size:  sizeof(struct kecat_record_read)
 * @what:  KECAT_RECORD_CYCLES or KECAT_RECORD_FRAMES
 * @id:    ring, as kecat_record_state has it
 * @from:  first record, 0 = the oldest
 * @count: in: records that fit at @ptr; out: records copied, perhaps fewer;
 *         0 behind the last
 * @elem:  in: bytes of one record; must be the kernel's
 * @pad:   0
 * @ptr:   address
 *
 * Errors: ENOENT no recorder, EBUSY not frozen, ESTALE another ring by now.
 */
struct kecat_record_read {
	__u32 size;
	__u32 what;
	__u64 id;
	__u32 from;
	__u32 count;
	__u32 elem;
	__u32 pad;
	__u64 ptr;
};

#define KECAT_IOC_RECORD_ARM	_IOWR(KECAT_IOC_MAGIC, 32, struct kecat_record_arm)
#define KECAT_IOC_RECORD_STATE	_IOWR(KECAT_IOC_MAGIC, 33, struct kecat_record_state)
#define KECAT_IOC_RECORD_READ	_IOWR(KECAT_IOC_MAGIC, 34, struct kecat_record_read)
/* freeze by hand, with the cycles behind it; at once while idle.  Needs write. */
#define KECAT_IOC_RECORD_FREEZE	_IO(KECAT_IOC_MAGIC, 35)

#endif
