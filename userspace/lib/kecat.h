/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libkecat: applications' side of the kecat EtherCAT master.
 *
 * Order of calls
 *   kecat_open() - kecat_conf_from_scan() or kecat_conf_new() and the
 *   kecat_conf_add_*() calls - kecat_configure() - kecat_activate() -
 *   then each cycle kecat_wait(), kecat_inputs(), kecat_outputs(),
 *   kecat_publish() - kecat_deactivate() - kecat_close().
 *
 * Rules
 *   Functions return 0 or a count, or a negative errno; kecat_strerror() says
 *   what to do about it and kecat_detail() what the master said.  Nothing is
 *   printed, no signal handler is set, no thread is made.
 *   A struct kecat is used by one thread at a time.  Two of them on the same
 *   master are independent; one of all may activate.
 *   Units are in the names: _ns, _us, _ms, bits, words (16 bit); positions
 *   count slaves in the order of the frame from 0.  Times are CLOCK_MONOTONIC.
 *   "Real-time safe" means: no lock, no allocation, no page fault and, unless
 *   said otherwise, no system call.
 */
#ifndef LIBKECAT_H
#define LIBKECAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "uapi/kecat.h"
#include "uapi/kecat_record.h"
#include "uapi/kecat_shm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* the library is built with all else hidden */
#pragma GCC visibility push(default)

struct kecat;		/* an open master */
struct kecat_conf;	/* a configuration under construction */

/* ---- an open master --------------------------------------------------- */

#define KECAT_RDONLY	0x0	/* look, change nothing */
#define KECAT_RDWR	0x1	/* configure, activate, write */
#define KECAT_NONBLOCK	0x2	/* kecat_read_events() does not wait */

/**
 * kecat_open - open /dev/kecat<N>
 * @master: number of the master
 * @flags:  KECAT_RDONLY or KECAT_RDWR, and KECAT_NONBLOCK
 * @out:    the handle; unchanged on error
 *
 * Return: 0; -ENOENT no such master, -EACCES no permission, -EPROTO the
 * module's interface has another major version than this library.
 */
int kecat_open(unsigned int master, unsigned int flags, struct kecat **out);

/**
 * kecat_close - release everything, deactivate if this handle was the owner
 * @k: handle or NULL
 *
 * The outputs then follow the reaction of the configuration, see
 * struct kecat_cfg_bus.on_app_loss; call kecat_deactivate() first for an
 * orderly end.
 */
void kecat_close(struct kecat *k);

/** kecat_fd - the descriptor: POLLIN tells of a new cycle; owned by @k */
int kecat_fd(const struct kecat *k);

/** kecat_detail - what the master said about the last failure; "" if nothing */
const char *kecat_detail(const struct kecat *k);

/** kecat_get_version - interface, release and features of the module */
int kecat_get_version(struct kecat *k, struct kecat_version *v);

/** kecat_get_status - the master at a glance */
int kecat_get_status(struct kecat *k, struct kecat_status *st);

/** kecat_get_ring - the second port, and where the ring is broken */
int kecat_get_ring(struct kecat *k, struct kecat_ring *r);

/**
 * kecat_set_second - say which port is the other end of the ring
 * @k:   master, open for writing
 * @nic: name of a port (PCI address) that its driver is about to offer; "": none
 *
 * Return: 0, -EINVAL (name too long, or that of the first port), -EBUSY (there is
 * a second port already), or as all calls.
 */
int kecat_set_second(struct kecat *k, const char *nic);

/**
 * kecat_get_slave - one slave
 * @k:        handle
 * @position: its position, 0 .. kecat_status.slaves - 1
 * @info:     filled in; texts are terminated
 *
 * Return: 0; -ENODEV no such slave or the port is gone.
 */
int kecat_get_slave(struct kecat *k, uint32_t position,
		    struct kecat_slave_info *info);

/**
 * kecat_get_pdos - what a slave maps, in order
 * @k:        handle
 * @position: slave
 * @list:     allocated array, for free(); NULL when empty
 *
 * Return: number of elements or -errno.
 */
int kecat_get_pdos(struct kecat *k, uint32_t position,
		   struct kecat_pdo_entry **list);

/** kecat_rescan - read the whole segment anew; -EBUSY while active */
int kecat_rescan(struct kecat *k);

/**
 * kecat_request_state - ask for an AL state and wait for it
 * @k:          handle opened KECAT_RDWR
 * @position:   slave or KECAT_ALL
 * @state:      KECAT_AL_INIT, _PREOP, _BOOT, _SAFEOP, _OP
 * @timeout_ms: 0 = do not wait
 * @al_state:   out, may be NULL: state it is in
 * @al_code:    out, may be NULL: AL status code, see kecat_al_code_text()
 */
int kecat_request_state(struct kecat *k, uint32_t position, uint32_t state,
			uint32_t timeout_ms, uint32_t *al_state,
			uint32_t *al_code);

/* ---- configuration ---------------------------------------------------- */

/**
 * kecat_conf_new - an empty configuration
 * @cycle_ns: cycle time, 50,000 .. 1,000,000,000
 *
 * Return: for kecat_conf_free(), or NULL without memory.
 */
struct kecat_conf *kecat_conf_new(uint64_t cycle_ns);

/** kecat_conf_free - give a configuration back; NULL is allowed */
void kecat_conf_free(struct kecat_conf *c);

/** kecat_conf_bus - the part about the whole bus, to read or change in place */
struct kecat_cfg_bus *kecat_conf_bus(struct kecat_conf *c);

/*
 * Each adds one element behind the last: a sync manager to the last slave, a
 * PDO to the last sync manager, an entry to the last PDO, an SDO to the last
 * slave.  Return: kecat_conf_add_slave() the index of the slave in the
 * configuration, the others 0; -EINVAL when there is nothing to add to or an
 * argument is out of range, -E2BIG beyond KECAT_MAX_CONFIG, -ENOMEM.
 */
int kecat_conf_add_slave(struct kecat_conf *c, const struct kecat_cfg_slave *s);
int kecat_conf_add_sm(struct kecat_conf *c, const struct kecat_cfg_sm *sm);
int kecat_conf_add_pdo(struct kecat_conf *c, uint16_t index);
/* index 0 = gap of @bits bits */
int kecat_conf_add_entry(struct kecat_conf *c, uint16_t index,
			 uint8_t subindex, uint8_t bits);
/* @sdo.len is set from @len; the data is copied, in the slave's byte order */
int kecat_conf_add_sdo(struct kecat_conf *c, const struct kecat_cfg_sdo *sdo,
		       const void *data, uint32_t len);

/*
 * Frames that no slave looks into, instead of slaves: for measuring the way
 * through port and wire.  See struct kecat_cfg_fill.
 */
int kecat_conf_add_fill(struct kecat_conf *c, uint32_t frames, uint32_t bytes);

#define KECAT_SCAN_GROUPS	0x1	/* a sync group for each slave, the last takes the rest */

/**
 * kecat_conf_from_scan - a configuration of what is there
 * @k:        handle
 * @cycle_ns: cycle time
 * @flags:    KECAT_SCAN_*
 * @out:      for kecat_conf_free()
 *
 * Waits up to five seconds for a scan that is under way.  Every slave is
 * taken with its vendor and product, its process data as it maps it now.
 * Return: 0; -ENOLINK no slave answers, -ETIMEDOUT still scanning.
 */
int kecat_conf_from_scan(struct kecat *k, uint64_t cycle_ns,
			 unsigned int flags, struct kecat_conf **out);

/**
 * kecat_conf_blob - the form that the kernel takes
 * @c:   configuration
 * @len: out: bytes
 *
 * Return: owned by @c, valid until it is changed or freed.
 */
const void *kecat_conf_blob(struct kecat_conf *c, uint32_t *len);

/**
 * kecat_conf_from_blob - take a blob apart
 * @blob: any bytes
 * @len:  their number
 * @out:  for kecat_conf_free()
 *
 * Checks the framing and the order of the elements, not their sense.
 * Return: 0, -EINVAL, -E2BIG, -ENOMEM.
 */
int kecat_conf_from_blob(const void *blob, uint32_t len,
			 struct kecat_conf **out);

/**
 * struct kecat_element - one element of a configuration
 * @type:  KECAT_CFG_*
 * @slave: index of the slave it belongs to, KECAT_ALL for the bus
 * @bus .. @sdo: the one that fits @type is set
 * @data:  behind @sdo: sdo->len bytes
 * @next:  where the next one starts; 0 asks for the first
 */
struct kecat_element {
	uint16_t type;
	uint32_t slave;
	const struct kecat_cfg_bus *bus;
	const struct kecat_cfg_slave *slv;
	const struct kecat_cfg_sm *sm;
	const struct kecat_cfg_pdo *pdo;
	const struct kecat_cfg_entry *entry;
	const struct kecat_cfg_sdo *sdo;
	const void *data;
	uint32_t next;
};

/**
 * kecat_conf_next - walk over a configuration
 * @c: configuration, not changed during the walk
 * @e: zeroed before the first call
 *
 * Return: true and *@e, false at the end.
 */
bool kecat_conf_next(const struct kecat_conf *c, struct kecat_element *e);

/**
 * kecat_configure - hand a configuration to the master
 * @k: handle opened KECAT_RDWR
 * @c: configuration; NULL clears
 *
 * It is taken whole or not at all.  Return: 0; -EINVAL refused, kecat_detail()
 * names the element; -EBUSY while active.
 */
int kecat_configure(struct kecat *k, struct kecat_conf *c);

/** kecat_verify - as kecat_configure(), but change nothing */
int kecat_verify(struct kecat *k, struct kecat_conf *c);

/** kecat_get_config - the configuration in effect; -ENOENT if there is none */
int kecat_get_config(struct kecat *k, struct kecat_conf **out);

/* ---- cyclic exchange -------------------------------------------------- */

/**
 * kecat_activate - start the cycle and map the process image
 * @k: handle opened KECAT_RDWR
 *
 * Slaves come up in the background, see kecat_slaves_op().  The mapping is
 * populated: no page fault later.  Lock the rest of the program into memory
 * with mlockall().
 * Return: 0; -ENOENT no configuration, -EBUSY another owner, -EPROTO the
 * mapping is not what this library knows, -EDEADLK it would spin for over half of
 * the cycle on a CPU that is not isolated, -EOPNOTSUPP cycles are to run in an
 * interrupt, which the driver of a port cannot.
 */
int kecat_activate(struct kecat *k);

/** kecat_deactivate - slaves to PREOP, stop the cycle, unmap */
int kecat_deactivate(struct kecat *k);

/**
 * kecat_wait - sleep until the next cycle's inputs are there and take them
 * @k:          active handle
 * @timeout_ns: relative
 *
 * Real-time safe, one system call.
 * Return: cycles since the last call, 1 = none was missed; -ETIMEDOUT, -EINTR,
 * -ENODEV, -ENOTCONN.
 */
int kecat_wait(struct kecat *k, uint64_t timeout_ns);

/**
 * kecat_spin - as kecat_wait(), but look at the mapped counter, do not sleep
 * @k:          active handle
 * @timeout_ns: relative; ends with -ETIMEDOUT after that
 *
 * Real-time safe, no system call (the clock is read in user space).  Costs the
 * CPU it runs on.
 */
int kecat_spin(struct kecat *k, uint64_t timeout_ns);

/**
 * kecat_exchange - publish outputs, run one cycle, take its inputs
 * @k:     active handle, whose configuration has KECAT_BUS_TICK_APP
 * @at_ns: CLOCK_MONOTONIC at which frames are sent, one second ahead at most;
 *         0 = now
 *
 * The application gives the tick: this is its whole cycle in one system call, also
 * the sleep until @at_ns.  When it is not called for nearly three cycles the master goes on
 * by itself, see KECAT_BUS_TICK_APP.
 * Real-time safe, but for the system call.
 * Return: cycles since the last call, 1 = none by the master itself; -EOPNOTSUPP
 * another tick is configured, -EINVAL @at_ns is too far ahead, -EINTR,
 * -ENODEV, -ENOTCONN.
 */
int kecat_exchange(struct kecat *k, uint64_t at_ns);

/**
 * kecat_take - make the newest inputs current, do not wait
 * @k: active handle
 *
 * Real-time safe.  Return: true if there were newer ones.
 */
bool kecat_take(struct kecat *k);

/** kecat_inputs - current inputs, in_len bytes; never NULL while active */
const uint8_t *kecat_inputs(const struct kecat *k);
/** kecat_info - what belongs to the current inputs: cycle, times, valid groups */
const struct kecat_in_hdr *kecat_info(const struct kecat *k);
/** kecat_outputs - outputs to be sent next; keep their values from cycle to cycle */
uint8_t *kecat_outputs(struct kecat *k);
/** kecat_input_len - bytes of the input image */
size_t kecat_input_len(const struct kecat *k);
/** kecat_output_len - bytes of the output image */
size_t kecat_output_len(const struct kecat *k);
/** kecat_slaves_op - slaves in OP now; real-time safe */
uint32_t kecat_slaves_op(const struct kecat *k);
/** kecat_live - data of configured slave @slave takes part now; real-time safe */
bool kecat_live(const struct kecat *k, uint32_t slave);

/**
 * kecat_publish - hand the outputs over as one set
 * @k: active handle
 *
 * They go out with the next tick.  Afterwards kecat_outputs() is another
 * buffer that holds the same values.  Real-time safe; copies the outputs once.
 */
void kecat_publish(struct kecat *k);

/**
 * kecat_set_number - number of the set last published
 * @k: active handle
 *
 * kecat_in_hdr.out_cycle of the inputs that answer it.  A set that is replaced
 * before the master took it passes its number on.  Real-time safe.
 */
uint32_t kecat_set_number(const struct kecat *k);

/**
 * struct kecat_loc - where an object lies in the image
 * @dir:    KECAT_DIR_OUT: in kecat_outputs(), KECAT_DIR_IN: in kecat_inputs()
 * @group:  sync group, bit in kecat_in_hdr.groups_valid
 * @offset: first bit, from the start of the image of that direction
 * @bits:   length
 */
struct kecat_loc {
	uint32_t dir;
	uint32_t group;
	uint32_t offset;
	uint32_t bits;
};

/**
 * kecat_locate - find a mapped object
 * @k:        active handle
 * @slave:    index of the slave in the configuration
 * @index:    object
 * @subindex: ..
 * @loc:      filled in
 *
 * Return: 0, -ENOENT not mapped there.
 */
int kecat_locate(struct kecat *k, uint32_t slave, uint16_t index,
		 uint8_t subindex, struct kecat_loc *loc);

/**
 * kecat_get_layout - where the sync managers lie
 * @k:    active handle
 * @list: out: owned by @k, until kecat_deactivate()
 *
 * Return: number of elements.
 */
int kecat_get_layout(struct kecat *k, const struct kecat_layout **list);

/*
 * Values of up to 64 bits anywhere in an image, in EtherCAT's byte order.
 * Real-time safe.  The caller keeps @offset + @bits inside the image, as a
 * struct kecat_loc does.  kecat_get_signed() extends the sign.
 */
uint64_t kecat_get(const uint8_t *image, uint32_t offset, uint32_t bits);
int64_t kecat_get_signed(const uint8_t *image, uint32_t offset, uint32_t bits);
void kecat_set(uint8_t *image, uint32_t offset, uint32_t bits, uint64_t value);

/* Both images for somebody who is not the owner; see struct kecat_snapshot */
int kecat_get_snapshot(struct kecat *k, struct kecat_snapshot *s, void *in,
		       uint32_t in_room, void *out, uint32_t out_room);

/* ---- mailbox, registers, SII ------------------------------------------ */

/**
 * kecat_upload - read an object by CoE
 * @k:        handle
 * @position: slave
 * @index:    object
 * @subindex: ..
 * @buf:      for the data, in the slave's byte order
 * @room:     its size
 *
 * Waits for the slave, one second for each answer; not real-time safe.
 * Return: bytes; -EREMOTEIO the slave refused, kecat_abort_code() says why;
 * -ETIMEDOUT, -EOPNOTSUPP no CoE or state without a mailbox, -ENOSPC.
 */
ssize_t kecat_upload(struct kecat *k, uint32_t position, uint16_t index,
		     uint8_t subindex, void *buf, size_t room);
/** kecat_download - write an object by CoE; as kecat_upload() */
int kecat_download(struct kecat *k, uint32_t position, uint16_t index,
		   uint8_t subindex, const void *data, size_t len);

/**
 * kecat_sdo - SDO transfer with every choice
 * @k:     handle
 * @write: download, else upload
 * @sdo:   as in the kernel's interface; size and ptr are set here
 * @data:  buffer of sdo->len bytes
 */
int kecat_sdo(struct kecat *k, bool write, struct kecat_sdo *sdo, void *data);

/** kecat_abort_code - SDO abort code of the last transfer, 0 = none */
uint32_t kecat_abort_code(const struct kecat *k);

/*
 * The same for whole numbers.  An upload of another length than the type's
 * answers -EMSGSIZE: the object is not of that type.
 */
int kecat_upload_u8(struct kecat *k, uint32_t position, uint16_t index,
		    uint8_t subindex, uint8_t *value);
int kecat_upload_u16(struct kecat *k, uint32_t position, uint16_t index,
		     uint8_t subindex, uint16_t *value);
int kecat_upload_u32(struct kecat *k, uint32_t position, uint16_t index,
		     uint8_t subindex, uint32_t *value);
int kecat_upload_u64(struct kecat *k, uint32_t position, uint16_t index,
		     uint8_t subindex, uint64_t *value);
int kecat_download_u8(struct kecat *k, uint32_t position, uint16_t index,
		      uint8_t subindex, uint8_t value);
int kecat_download_u16(struct kecat *k, uint32_t position, uint16_t index,
		       uint8_t subindex, uint16_t value);
int kecat_download_u32(struct kecat *k, uint32_t position, uint16_t index,
		       uint8_t subindex, uint32_t value);
int kecat_download_u64(struct kecat *k, uint32_t position, uint16_t index,
		       uint8_t subindex, uint64_t value);

/*
 * ESC registers, 1..1024 bytes from @address; @position KECAT_ALL = broadcast.
 * Return: the working counter (0: nobody answered) or -errno.
 */
int kecat_reg_read(struct kecat *k, uint32_t position, uint16_t address,
		   void *buf, uint32_t len);
int kecat_reg_write(struct kecat *k, uint32_t position, uint16_t address,
		    const void *data, uint32_t len);

/**
 * kecat_sii_read - read the slave information interface
 * @k:        handle
 * @position: slave
 * @buf:      allocated, for free(); little endian words as stored
 *
 * Return: bytes or -errno.  Reads as far as the categories go.
 */
ssize_t kecat_sii_read(struct kecat *k, uint32_t position, uint8_t **buf);

/* ---- what happened ---------------------------------------------------- */

/**
 * kecat_read_events - next events since kecat_open()
 * @k:   handle; with KECAT_NONBLOCK: 0 when there are none, else waits
 * @ev:  room for @max
 * @max: at least 1
 *
 * Return: number read or -errno; -ENODEV once the port has gone and its last
 * events are read.
 */
int kecat_read_events(struct kecat *k, struct kecat_event *ev, int max);

/**
 * kecat_rewind_events - begin with the oldest event that is kept
 * @k: handle
 *
 * Return: 0; -ESPIPE: this module shows only what happens after kecat_open().
 */
int kecat_rewind_events(struct kecat *k);

/**
 * kecat_get_latency - one phase of the cycle
 * @k:     handle
 * @phase: KECAT_LAT_*
 * @flags: KECAT_LATENCY_RESET: then start all phases anew (needs KECAT_RDWR)
 * @lat:   filled in
 * @hist:  room for KECAT_HIST_BUCKETS counters, or NULL
 */
int kecat_get_latency(struct kecat *k, uint32_t phase, uint32_t flags,
		      struct kecat_latency *lat, uint64_t *hist);

/**
 * kecat_get_latencies - all phases of the same cycles
 * @k:   handle
 * @lat: KECAT_LAT_COUNT elements, filled in
 *
 * Reads until all phases up to KECAT_LAT_TOTAL count the same cycles, so that the
 * sums add up to the nanosecond; the rows behind it are of about the same time.
 * Return: 0; -EAGAIN: the cycle is too short for that.
 */
int kecat_get_latencies(struct kecat *k, struct kecat_latency *lat);

/**
 * kecat_reset_latencies - begin counting anew, for all phases with one cycle
 * @k: handle opened KECAT_RDWR
 *
 * Context: may sleep, for a cycle.
 * Return: 0 or -errno.
 */
int kecat_reset_latencies(struct kecat *k);

/** kecat_hist_low - smallest time in ns that counts in @bucket */
uint64_t kecat_hist_low(uint32_t bucket);
/**
 * kecat_percentile - from a histogram
 * @hist: KECAT_HIST_BUCKETS counters
 * @ppm:  share in millionth: 500000 = median, 999990 = 99.999 %
 *
 * Return: upper end in ns of the bucket that holds it, 0 if empty; the true
 * value is at most 100 ns or 0.8 % smaller.
 */
uint64_t kecat_percentile(const uint64_t *hist, uint32_t ppm);

/* ---- flight recorder -------------------------------------------------- */

/**
 * kecat_record_arm - begin to record
 * @k:   handle opened KECAT_RDWR
 * @arm: what; size is set here, id is filled in.  cycles 0: no recorder
 *
 * Return: 0; -EINVAL, -E2BIG more memory than is allowed, -ENOMEM, -ENOTTY this
 * module has no recorder.
 */
int kecat_record_arm(struct kecat *k, struct kecat_record_arm *arm);

/** kecat_record_get_state - what it does, and what it has */
int kecat_record_get_state(struct kecat *k, struct kecat_record_state *st);

/** kecat_record_freeze - stop it by hand; the cycles behind are recorded first */
int kecat_record_freeze(struct kecat *k);

/**
 * kecat_record_wait - until it is frozen
 * @k:          handle
 * @timeout_ms: 0 = only look
 * @st:         filled in
 *
 * Return: 0; -ETIMEDOUT, -ENOENT not armed, -ENODEV, -EINTR.
 */
int kecat_record_wait(struct kecat *k, uint64_t timeout_ms,
		      struct kecat_record_state *st);

/**
 * struct kecat_recording - a frozen recorder's content
 * @st:     as it was when it froze
 * @cycle:  st.have_cycles records, the oldest first
 * @frame:  st.have_frames records of st.frame_size bytes
 */
struct kecat_recording {
	struct kecat_record_state st;
	struct kecat_record_cycle *cycle;
	uint8_t *frame;
};

/**
 * kecat_record_read - take over what was recorded
 * @k: handle
 * @r: filled in, for kecat_record_free()
 *
 * Sizes and counts are checked: what is there can be walked over.
 * Return: 0; -ENOENT not armed, -EBUSY not frozen, -EPROTO nonsense, -ENOMEM.
 */
int kecat_record_read(struct kecat *k, struct kecat_recording *r);
void kecat_record_free(struct kecat_recording *r);

/**
 * kecat_record_frame_at - one frame of a recording
 * @r:    recording
 * @i:    0 .. r->st.have_frames - 1
 * @data: out: its bytes, head->cap of them
 *
 * Return: its head; cap is at most what was recorded.
 */
const struct kecat_record_frame *kecat_record_frame_at(const struct kecat_recording *r,
						       uint32_t i, const uint8_t **data);

/* ---- texts ------------------------------------------------------------ */

/** kecat_strerror - what an error of this library means and what to do; @err of either sign */
const char *kecat_strerror(int err);
/** kecat_al_name - "OP", "SAFEOP+ERROR", .. of AL status bits 4:0 */
const char *kecat_al_name(uint32_t al_state);
/** kecat_al_code_text - meaning of an AL status code (0x0134) */
const char *kecat_al_code_text(uint32_t code);
/** kecat_abort_text - meaning of an SDO abort code */
const char *kecat_abort_text(uint32_t code);
/** kecat_problem_text - short name of KECAT_PROBLEM_* */
const char *kecat_problem_text(uint32_t problem);
/** kecat_event_name - short name of KECAT_EV_* */
const char *kecat_event_name(uint32_t type);
/** kecat_phase_name - "wake", .. of KECAT_LAT_* */
const char *kecat_phase_name(uint32_t phase);

/*
 * Whole sentences, cut to @room, always terminated.  The number of characters
 * that the whole has is returned, as snprintf() does.
 */
int kecat_problem_describe(uint32_t problem, uint32_t detail, char *buf,
			   size_t room);
int kecat_event_describe(const struct kecat_event *ev, char *buf, size_t room);

/** kecat_record_reasons - KECAT_RECORD_ON_* as text; returns as snprintf() */
int kecat_record_reasons(uint32_t reasons, char *buf, size_t room);

/** kecat_ring_describe - the state of a ring as text; returns as snprintf() */
int kecat_ring_describe(const struct kecat_ring *r, char *buf, size_t room);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
