/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * kecat: EtherCAT master, interface between the kernel module and user space.
 *
 * Objects
 *   Each port that a driver offers is one master, /dev/kecat<N>.  A master
 *   scans the segment by itself and brings each slave to PREOP.  Slaves are
 *   named by their position in the order of the frame, 0 first.
 *
 * Order of calls of an application
 *   open(O_RDWR) - KECAT_IOC_VERSION - KECAT_IOC_CONFIG_SET -
 *   KECAT_IOC_ACTIVATE - mmap() (see kecat_shm.h) - KECAT_IOC_LAYOUT -
 *   then each cycle: KECAT_IOC_WAIT (or poll(POLLIN), or spin on the mapped
 *   cycle counter; or KECAT_IOC_EXCHANGE, where the application gives the
 *   tick), take inputs, publish outputs - KECAT_IOC_DEACTIVATE or
 *   close().
 *
 * Lifetimes
 *   The file descriptor that activated is the owner of the outputs.  When it
 *   is closed (also by the death of its process) while active, the reaction of
 *   the configuration takes place, then the master deactivates.  The
 *   configuration itself stays with the master until it is replaced or
 *   cleared.  When the port disappears, every call answers ENODEV, read()
 *   after the last event.
 *
 * Rules
 *   All structs are the same for 32 and 64 bit callers; pointers travel as
 *   __u64.  Every struct starts with @size, which the caller sets to
 *   sizeof(struct): a shorter one is zero-extended, a longer one must be zero
 *   behind what the kernel knows (else E2BIG).  Reserved fields and unknown
 *   flags must be 0 (else EINVAL).  An unknown command answers ENOTTY.
 *   Reading needs an open for reading, everything that changes the bus or the
 *   master needs one for writing (else EACCES).
 *   Times are CLOCK_MONOTONIC nanoseconds unless a field says otherwise.
 */
#ifndef _UAPI_KECAT_H
#define _UAPI_KECAT_H

#include <linux/types.h>
#include "kecat_config.h"
#include <linux/ioctl.h>

/** KECAT_ABI - major in bits 31:16 (incompatible), minor in 15:0 (additions) */
#define KECAT_ABI		0x00010001u

#define KECAT_NAME_LEN		64
#define KECAT_MAX_SLAVES	1024
#define KECAT_MAX_GROUPS	16
#define KECAT_MAX_MASTERS	16
#define KECAT_MAX_SDO		65536	/* bytes of one SDO transfer */
#define KECAT_MAX_CONFIG	(4u << 20)	/* bytes of one configuration */
#define KECAT_MAX_IMAGE		65536	/* bytes of the image, each direction */
/** KECAT_ALL - position that means every slave, where a call allows it */
#define KECAT_ALL		0xffffffffu

/* AL states, ETG.1000.6 table 9; register 0x0120/0x0130 bits 3:0 */
#define KECAT_AL_INIT		0x01
#define KECAT_AL_PREOP		0x02
#define KECAT_AL_BOOT		0x03
#define KECAT_AL_SAFEOP		0x04
#define KECAT_AL_OP		0x08
#define KECAT_AL_ERROR		0x10

/**
 * struct kecat_version - KECAT_IOC_VERSION
 * @size:     sizeof(struct kecat_version)
 * @abi:      out: KECAT_ABI of the module
 * @features: out: KECAT_FEAT_*
 * @master:   out: number of this master
 * @release:  out: version of the module, text
 */
struct kecat_version {
	__u32 size;
	__u32 abi;
	__u32 features;
	__u32 master;
	char release[32];
};

#define KECAT_FEAT_RT		0x1	/* the kernel is PREEMPT_RT */

/* enum of kecat_status.phase */
#define KECAT_PHASE_IDLE	0	/* no cycle; bus scanned, slaves in PREOP */
#define KECAT_PHASE_ACTIVE	1	/* cyclic exchange runs */

/**
 * struct kecat_status - KECAT_IOC_STATUS: one master at a glance
 * @size:          sizeof(struct kecat_status)
 * @phase:         KECAT_PHASE_*
 * @link:          1 while the port has a link
 * @speed:         Mbit/s, 0 unknown
 * @slaves:        slave records (present or known and missing)
 * @slaves_present: slaves that answered the last count
 * @slaves_op:     of these in OP
 * @slaves_error:  slaves with a problem (kecat_slave_info.problem != 0)
 * @scan_gen:      raised whenever the list of slaves changed
 * @scanning:      1 while the supervisor scans or a worker brings a slave up
 * @config_slaves: slaves of the applied configuration, 0 = none
 * @config_gen:    raised with each applied configuration
 * @cycle_ns:      cycle time, 0 while idle
 * @cycle:         cycles since activation
 * @overruns:      cycles that began after the next one was due
 * @frames_sent:   frames given to the port (cyclic and acyclic)
 * @frames_received: frames that were an answer to one of ours
 * @frames_lost:   frames that never came back within lost_ns
 * @frames_late:   cyclic frames that came back after their deadline
 * @frames_foreign: received frames that match none of ours: too short,
 *                 malformed, wrong tag, wrong index, command, address or length
 * @wkc_errors:    cyclic datagrams whose working counter was not the expected
 * @tx_full:       frames not sent because the port had no free slot
 * @image_in:      bytes of the input image
 * @image_out:     bytes of the output image
 * @cyclic_frames: frames per cycle, with all configured slaves up
 * @app_missed:    cycles without fresh outputs from the owner, in all
 * @xfers:         acyclic transactions completed
 * @xfer_timeouts: acyclic transactions that were not answered
 * @events_lost:   events overwritten before anybody read them
 * @nic_rx_errors: &kecat_nic_stats.rx_errors
 * @nic_rx_missed: &kecat_nic_stats.rx_missed
 * @nic_rx_dropped: &kecat_nic_stats.rx_dropped
 * @nic_tx_errors: &kecat_nic_stats.tx_errors
 * @nic_interrupts: &kecat_nic_stats.interrupts; 0 on a polled port
 * @nic_resets:    &kecat_nic_stats.resets
 * @cpu:           CPU of the cyclic thread, -1 = any
 * @rt_prio:       its SCHED_FIFO priority
 * @owner_pid:     process that activated, 0 = none
 * @mac:           MAC address of the port
 * @mac_pad:       0
 * @nic:           port name (PCI address or sim<N>)
 * @driver:        driver name
 * @mode:          how the driver moves frames, in words; "" when there is only one way
 */
struct kecat_status {
	__u32 size;
	__u32 phase;
	__u32 link;
	__u32 speed;
	__u32 slaves;
	__u32 slaves_present;
	__u32 slaves_op;
	__u32 slaves_error;
	__u32 scan_gen;
	__u32 scanning;
	__u32 config_slaves;
	__u32 config_gen;
	__u64 cycle_ns;
	__u64 cycle;
	__u64 overruns;
	__u64 frames_sent;
	__u64 frames_received;
	__u64 frames_lost;
	__u64 frames_late;
	__u64 frames_foreign;
	__u64 wkc_errors;
	__u64 tx_full;
	__u32 image_in;
	__u32 image_out;
	__u32 cyclic_frames;
	__u32 app_missed;
	__u64 xfers;
	__u64 xfer_timeouts;
	__u64 events_lost;
	__u64 nic_rx_errors;
	__u64 nic_rx_missed;
	__u64 nic_rx_dropped;
	__u64 nic_tx_errors;
	__u64 nic_interrupts;
	__u64 nic_resets;
	__s32 cpu;
	__s32 rt_prio;
	__s32 owner_pid;
	__u8 mac[6];
	__u8 mac_pad[6];
	char nic[32];
	char driver[32];
	char mode[96];
};

/* kecat_slave_info.flags */
#define KECAT_SLAVE_PRESENT	0x0001	/* answered the last count */
#define KECAT_SLAVE_DC		0x0002	/* has a system time (0x0910 answers) */
#define KECAT_SLAVE_DC64	0x0004	/* ... of 64 bit */
#define KECAT_SLAVE_MBX		0x0008	/* has a mailbox */
#define KECAT_SLAVE_NO_LRW	0x0010	/* cannot do LRW */
#define KECAT_SLAVE_EMULATED	0x0020	/* device emulation, 0x0141 bit 0 */
#define KECAT_SLAVE_SII_BAD	0x0040	/* SII unreadable or inconsistent */
#define KECAT_SLAVE_CONFIGURED	0x0080	/* matched by the configuration */
#define KECAT_SLAVE_BUSY	0x0100	/* its worker is changing something */
#define KECAT_SLAVE_PDO_COE	0x0200	/* PDOs read by CoE, not from SII */

/* kecat_slave_info.problem and kecat_event.arg0 of KECAT_EV_SLAVE_PROBLEM */
#define KECAT_PROBLEM_NONE	0
#define KECAT_PROBLEM_MISSING	1	/* no longer answers */
#define KECAT_PROBLEM_IDENTITY	2	/* not the configured device; detail = field 1..4: vendor, product, revision, serial */
#define KECAT_PROBLEM_SII	3	/* SII not readable, detail = errno */
#define KECAT_PROBLEM_AL	4	/* refused a state, detail = AL status code */
#define KECAT_PROBLEM_AL_TIMEOUT 5	/* did not reach a state, detail = the state */
#define KECAT_PROBLEM_MBX	6	/* mailbox does not answer, detail = errno */
#define KECAT_PROBLEM_SDO	7	/* start-up SDO refused, detail = abort code */
#define KECAT_PROBLEM_PDO	8	/* PDO mapping refused or longer than the SM, detail = PDO index << 16 | entry number */
#define KECAT_PROBLEM_UNCONFIGURED 9	/* present but not in the configuration */
#define KECAT_PROBLEM_XFER	10	/* register access failed, detail = errno */

/**
 * struct kecat_slave_info - KECAT_IOC_SLAVE_INFO
 * @size:         sizeof(struct kecat_slave_info)
 * @position:     in: position; out: the same
 * @flags:        KECAT_SLAVE_*
 * @station:      configured station address, 0x0010
 * @alias:        station alias, 0x0012
 * @vendor:       SII words 0x08..0x0f
 * @product:      ..
 * @revision:     ..
 * @serial:       ..
 * @al_state:     AL status bits 4:0 as last read
 * @al_code:      AL status code as last read with the error bit set
 * @al_target:    state the master wants
 * @problem:      KECAT_PROBLEM_*
 * @detail:       see KECAT_PROBLEM_*
 * @config_index: index in the configuration, or KECAT_ALL
 * @group:        sync group, if configured
 * @esc_type:     0x0000
 * @esc_revision: 0x0001
 * @esc_build:    0x0002
 * @fmmus:        0x0004
 * @sms:          0x0005
 * @ram_kb:       0x0006
 * @ports:        0x0007
 * @features:     0x0008
 * @dl_status:    0x0110
 * @mbx_out:      mailbox, master to slave: offset
 * @mbx_out_size: .. bytes, 0 = none
 * @mbx_in:       mailbox, slave to master: offset
 * @mbx_in_size:  .. bytes
 * @mbx_protocols: SII word 0x1c: bit 0 AoE, 1 EoE, 2 CoE, 3 FoE, 4 SoE, 5 VoE
 * @coe_details:  SII general category, byte 5
 * @neighbour:    position at port 0..3, or 0xffff: nothing there
 * @ebus_ma:      SII general category, E-bus current in mA
 * @delay_ns:     propagation delay from the first DC slave
 * @image_out:    byte offset of its outputs in the image
 * @image_out_len: bytes, 0 = none
 * @image_in:     byte offset of its inputs
 * @image_in_len: bytes, 0 = none
 * @transitions:  AL state changes seen, in all
 * @emergencies:  CoE emergencies received
 * @name:         SII device name, printable
 * @order:        SII order string
 */
struct kecat_slave_info {
	__u32 size;
	__u32 position;
	__u32 flags;
	__u16 station;
	__u16 alias;
	__u32 vendor;
	__u32 product;
	__u32 revision;
	__u32 serial;
	__u8 al_state;
	__u8 al_target;
	__u16 al_code;
	__u32 problem;
	__u32 detail;
	__u32 config_index;
	__u32 group;
	__u8 esc_type;
	__u8 esc_revision;
	__u16 esc_build;
	__u8 fmmus;
	__u8 sms;
	__u8 ram_kb;
	__u8 ports;
	__u16 features;
	__u16 dl_status;
	__u16 mbx_out;
	__u16 mbx_out_size;
	__u16 mbx_in;
	__u16 mbx_in_size;
	__u16 mbx_protocols;
	__u8 coe_details;
	__u8 pad0;
	__u16 neighbour[4];
	__s16 ebus_ma;
	__u16 pad1;
	__u32 delay_ns;
	__u32 image_out;
	__u32 image_out_len;
	__u32 image_in;
	__u32 image_in_len;
	__u32 transitions;
	__u32 emergencies;
	__u32 pad2;
	char name[KECAT_NAME_LEN];
	char order[KECAT_NAME_LEN];
};

/**
 * struct kecat_pdo_entry - one mapped object
 * @sm:      sync manager
 * @dir:     KECAT_DIR_OUT or KECAT_DIR_IN
 * @bits:    length in bits, 1..255; 0 = a PDO without entries
 * @pad:     0
 * @pdo:     PDO index, 0x1600.. or 0x1a00..
 * @index:   object index, 0 = gap
 * @subindex: ..
 * @pad1:    0
 * @name:    name from the SII, may be empty
 */
struct kecat_pdo_entry {
	__u8 sm;
	__u8 dir;
	__u8 bits;
	__u8 pad;
	__u16 pdo;
	__u16 index;
	__u8 subindex;
	__u8 pad1[7];
	char name[32];
};

#define KECAT_DIR_OUT	0	/* master to slave */
#define KECAT_DIR_IN	1	/* slave to master */

/**
 * struct kecat_array - calls that return a list
 * @size:     sizeof(struct kecat_array)
 * @position: slave, where the call is about one
 * @count:    in: elements that fit at @ptr; out: elements there are (which may
 *            be more: call again with more room)
 * @elem:     in: sizeof(element); must be the kernel's
 * @ptr:      address of the array
 */
struct kecat_array {
	__u32 size;
	__u32 position;
	__u32 count;
	__u32 elem;
	__u64 ptr;
};

/**
 * struct kecat_sdo - KECAT_IOC_SDO_UPLOAD, KECAT_IOC_SDO_DOWNLOAD
 * @size:       sizeof(struct kecat_sdo)
 * @position:   slave
 * @index:      object
 * @subindex:   ..
 * @flags:      KECAT_SDO_COMPLETE
 * @timeout_ms: for each answer of the slave, 0 = 1000
 * @abort_code: out: ETG.1000.6 table 41, with errno EREMOTEIO
 * @len:        upload in: room at @ptr, out: bytes read; download: bytes
 * @reserved:   0
 * @ptr:        data
 *
 * Errors: ENODEV no such slave, EOPNOTSUPP no CoE or not in a state with a
 * mailbox, EREMOTEIO abort, ETIMEDOUT, ENOSPC answer longer than @len,
 * EPROTO malformed answer.
 */
struct kecat_sdo {
	__u32 size;
	__u32 position;
	__u16 index;
	__u8 subindex;
	__u8 flags;
	__u32 timeout_ms;
	__u32 abort_code;
	__u32 len;
	__u64 reserved;
	__u64 ptr;
};

#define KECAT_SDO_COMPLETE	0x1	/* complete access, subindex 0 or 1 */

/**
 * struct kecat_reg - KECAT_IOC_REG_READ, KECAT_IOC_REG_WRITE
 * @size:     sizeof(struct kecat_reg)
 * @position: slave, or KECAT_ALL: broadcast (read: values are ORed)
 * @address:  ESC address 0..0xffff
 * @len:      bytes, 1..1024
 * @wkc:      out: working counter
 * @reserved: 0
 * @ptr:      data
 */
struct kecat_reg {
	__u32 size;
	__u32 position;
	__u32 address;
	__u32 len;
	__u32 wkc;
	__u32 reserved;
	__u64 ptr;
};

/**
 * struct kecat_sii - KECAT_IOC_SII_READ
 * @size:     sizeof(struct kecat_sii)
 * @position: slave
 * @word:     first word
 * @words:    in: words wanted; out: words read.  0 = the whole image as far as
 *            its categories go
 * @ptr:      room for @words words (for 0: 128 KiB)
 */
struct kecat_sii {
	__u32 size;
	__u32 position;
	__u32 word;
	__u32 words;
	__u64 ptr;
};

/**
 * struct kecat_state - KECAT_IOC_STATE: request an AL state
 * @size:       sizeof(struct kecat_state)
 * @position:   slave or KECAT_ALL
 * @state:      KECAT_AL_INIT, _PREOP, _BOOT, _SAFEOP or _OP.  SAFEOP and OP
 *              need an applied configuration.
 * @timeout_ms: 0 = only ask, do not wait
 * @al_state:   out: state of the slave at return
 * @al_code:    out: AL status code
 */
struct kecat_state {
	__u32 size;
	__u32 position;
	__u32 state;
	__u32 timeout_ms;
	__u32 al_state;
	__u32 al_code;
};

/**
 * struct kecat_config - KECAT_IOC_CONFIG_SET, KECAT_IOC_CONFIG_GET
 * @size:       sizeof(struct kecat_config)
 * @flags:      KECAT_CONFIG_VERIFY: check only, change nothing
 * @len:        SET: bytes; 0 clears the configuration.  GET in: room, out: bytes
 * @err_offset: out, on EINVAL: byte offset of the element that was refused
 * @err_slave:  out: index of the slave element it belongs to, or KECAT_ALL
 * @err_type:   out: its KECAT_CFG_* type
 * @ptr:        the blob, see kecat_config.h
 * @message:    out: what is wrong with it, text
 *
 * The configuration is taken whole or not at all.  EBUSY while active.
 */
struct kecat_config {
	__u32 size;
	__u32 flags;
	__u32 len;
	__u32 err_offset;
	__u32 err_slave;
	__u32 err_type;
	__u64 ptr;
	char message[128];
};

#define KECAT_CONFIG_VERIFY	0x1

/**
 * struct kecat_activate - KECAT_IOC_ACTIVATE
 * @size:     sizeof(struct kecat_activate)
 * @flags:    0
 * @shm_size: out: bytes to mmap() at offset 0, MAP_SHARED
 * @image_in: out: bytes of the input image
 * @image_out: out: bytes of the output image
 * @frames:   out: frames per cycle, with all configured slaves up
 *
 * Starts the cycle at once; slaves come up in the background (see
 * KECAT_EV_SLAVE_STATE, kecat_status.slaves_op).
 * Errors: ENOENT no configuration, EBUSY another owner, ENODEV,
 * ENOTUNIQ two elements match one slave, EMSGSIZE one slave's data does not
 * fit into a frame, EDEADLK spin_ns is over half of the cycle, and the cyclic
 * thread may run on a CPU that is not isolated: whoever else needs it, this
 * application perhaps, would not run any more; EOPNOTSUPP KECAT_BUS_TICK_IRQ,
 * and the driver of a port cannot be used in a hard interrupt.
 */
struct kecat_activate {
	__u32 size;
	__u32 flags;
	__u32 shm_size;
	__u32 image_in;
	__u32 image_out;
	__u32 frames;
};

/**
 * struct kecat_layout - element of KECAT_IOC_LAYOUT: where a sync manager lies
 * @slave:    index of the slave in the configuration
 * @position: its position, or KECAT_ALL while absent
 * @sm:       sync manager
 * @dir:      KECAT_DIR_*
 * @group:    sync group
 * @offset:   byte offset in the image of that direction
 * @len:      bytes
 */
struct kecat_layout {
	__u32 slave;
	__u32 position;
	__u8 sm;
	__u8 dir;
	__u16 group;
	__u32 offset;
	__u32 len;
	__u32 pad;
};

/**
 * struct kecat_wait - KECAT_IOC_WAIT: until a cycle later than @cycle was published
 * @size:       sizeof(struct kecat_wait)
 * @flags:      0
 * @cycle:      in: last cycle seen; out: newest published cycle
 * @timeout_ns: relative; 0 = do not wait (EAGAIN)
 *
 * Context: meant for the application's real-time loop; takes no lock that
 * sleeps.  Errors: ETIMEDOUT, EAGAIN, EINTR, ENODEV, ENOTCONN not active.
 */
struct kecat_wait {
	__u32 size;
	__u32 flags;
	__u64 cycle;
	__u64 timeout_ns;
};

/**
 * struct kecat_exchange - KECAT_IOC_EXCHANGE: one cycle, in the caller's time
 * @size:  sizeof(struct kecat_exchange)
 * @flags: 0
 * @at_ns: in: CLOCK_MONOTONIC at which to send, one second ahead at most; 0 = now.
 *         The call sleeps until spin_ns of the configuration before that, and
 *         spins the rest.  Earlier than the last cycle is taken as now, and so is
 *         anything in the first call behind a cycle of the master's own.
 * @cycle: out: number of the cycle, whose inputs are published
 *
 * For the owner, with KECAT_BUS_TICK_APP: sends the outputs that were published
 * last, waits for the frames or the deadline, and publishes the inputs.  What
 * mailboxes and registers need goes along and is not waited for.
 *
 * Context: meant for the application's real-time loop; the thread that calls
 * should be real-time and alone in that.  Takes a lock with priority inheritance,
 * which is free unless the master stands in (see KECAT_BUS_TICK_APP), looks
 * whether it has to, or another thread is in a call.  Errors: ENOTCONN not active, EACCES not the owner,
 * EOPNOTSUPP the configuration has another tick, EINVAL @at_ns is too far ahead,
 * EINTR nothing was sent.
 */
struct kecat_exchange {
	__u32 size;
	__u32 flags;
	__u64 at_ns;
	__u64 cycle;
};

/**
 * struct kecat_snapshot - KECAT_IOC_SNAPSHOT: both images for an observer
 * @size:      sizeof(struct kecat_snapshot)
 * @flags:     0
 * @cycle:     out: cycle it was taken in
 * @in_len:    in: room at @in_ptr; out: bytes
 * @out_len:   in: room at @out_ptr; out: bytes
 * @in_ptr:    0 = not wanted
 * @out_ptr:   0 = not wanted
 * @groups_valid: out: bit per sync group
 * @groups:    out: number of sync groups in use, i.e. highest + 1
 * @wkc:       out: working counter per sync group
 * @wkc_expected: out: .. expected of the slaves that are up
 * @wkc_full:  out: .. if all configured slaves were up
 */
struct kecat_snapshot {
	__u32 size;
	__u32 flags;
	__u64 cycle;
	__u32 in_len;
	__u32 out_len;
	__u64 in_ptr;
	__u64 out_ptr;
	__u32 groups_valid;
	__u32 groups;
	__u16 wkc[KECAT_MAX_GROUPS];
	__u16 wkc_expected[KECAT_MAX_GROUPS];
	__u16 wkc_full[KECAT_MAX_GROUPS];
};

/*
 * Phases of a cycle.  They partition it: the sum of the sums is the sum of
 * KECAT_LAT_TOTAL, to the nanosecond.
 */
#define KECAT_LAT_WAKE		0	/* scheduled instant to thread running */
#define KECAT_LAT_SEND		1	/* .. to doorbell rung */
#define KECAT_LAT_WAIT		2	/* .. to all frames back, or deadline */
#define KECAT_LAT_PUBLISH	3	/* .. to inputs published, app woken */
#define KECAT_LAT_ACYCLIC	4	/* .. to acyclic work done, about to sleep */
#define KECAT_LAT_TOTAL		5
/* .. and what is no part of that sum */
#define KECAT_LAT_PERIOD	6	/* doorbell to the next cycle's */
#define KECAT_LAT_JITTER	7	/* how far that is from the cycle time */
#define KECAT_LAT_ROUNDTRIP	8	/* doorbell to last frame back, of cycles without a loss */
#define KECAT_LAT_TO_APP	9	/* last frame back to the application having the inputs */
#define KECAT_LAT_APP		10	/* .. to its outputs being there */
#define KECAT_LAT_ACCOUNT	11	/* what it takes to count all this */
#define KECAT_LAT_COUNT		12

/*
 * Histogram: 0.1 us steps below 102.4 us, then 128 steps an octave (0.8 %).
 * Bucket of ns: ns < 102400 ? ns / 100 : 1024 + (octave - 16) * 128 +
 * 7 bits below the leading one, octave = index of the leading one, with the
 * first octave (16) starting at 65536 but used from 102400 on; longer than
 * 2^31 ns counts in the last bucket.
 */
#define KECAT_HIST_BUCKETS	(1024 + 15 * 128)

/**
 * struct kecat_latency - KECAT_IOC_LATENCY: one phase
 * @size:      sizeof(struct kecat_latency)
 * @phase:     in: KECAT_LAT_*
 * @flags:     KECAT_LATENCY_RESET: after reading, all phases start anew with
 *             the same cycle (needs write; may sleep for a cycle)
 * @buckets:   in: counters that fit at @ptr (__u64 each); out: there are
 * @count:     out: cycles; of a phase all, of another row those that had it
 * @sum_ns:    out
 * @min_ns:    out
 * @max_ns:    out
 * @max_cycle: out: cycle number of the maximum
 * @ptr:       room for the histogram, 0 = not wanted
 */
struct kecat_latency {
	__u32 size;
	__u32 phase;
	__u32 flags;
	__u32 buckets;
	__u64 count;
	__u64 sum_ns;
	__u64 min_ns;
	__u64 max_ns;
	__u64 max_cycle;
	__u64 ptr;
};

#define KECAT_LATENCY_RESET	0x1

/**
 * struct kecat_second - KECAT_IOC_SECOND: which port is the other end of the ring
 * @size:  sizeof(struct kecat_second)
 * @flags: 0
 * @nic:   name of a port (PCI address); "": none shall be
 *
 * The port joins this master when its driver next offers it, and is then no
 * master of its own.  It leaves when its driver takes it back; the first port
 * goes on alone.  Needs an open for writing.
 *
 * Errors: -EINVAL (no name, or that of the first port), -EBUSY (there is a
 * second port already), -ENODEV.
 */
struct kecat_second {
	__u32 size;
	__u32 flags;
	char nic[32];
};

/* kecat_ring.state, and kecat_event.arg0 of KECAT_EV_RING */
#define KECAT_RING_NONE		0	/* no second port */
#define KECAT_RING_CLOSED	1	/* frames pass from port to port */
#define KECAT_RING_BROKEN	2	/* each port reaches a part of the slaves, or all */

/**
 * struct kecat_ring - KECAT_IOC_RING: the second port, and where a break is
 * @size:  sizeof(struct kecat_ring)
 * @state: KECAT_RING_*
 * @link:  1 while the second port has a link
 * @speed: Mbit/s, 0 unknown
 * @front: slaves reached from the first port, in order of position
 * @back:  slaves reached from the second port; the last so many
 * @port:  while broken: port of slave @front - 1 that led to slave @front,
 *         KECAT_ALL = not known, or the break is at a port of the master
 * @mac:   address of the second port
 * @pad:   0
 * @nic:   its name, "" = there is none
 * @driver: its driver
 *
 * ETG.1500 FPCR_102.  While broken: @front = 0: before the first slave; @back =
 * 0: behind the last one; else between the slaves @front - 1 and @front.
 */
struct kecat_ring {
	__u32 size;
	__u32 state;
	__u32 link;
	__u32 speed;
	__u32 front;
	__u32 back;
	__u32 port;
	__u8 mac[6];
	__u8 pad[6];
	char nic[32];
	char driver[32];
};

/**
 * struct kecat_event - what read() returns, one or more at a time
 * @seq:      number, from 1; a gap means that events were overwritten
 * @time_ns:  when
 * @cycle:    in which cycle, 0 while idle
 * @type:     KECAT_EV_*
 * @position: slave, or KECAT_ALL
 * @arg0:     see KECAT_EV_*
 * @arg1:     ..
 * @arg2:     ..
 * @arg3:     ..
 *
 * read() blocks unless O_NONBLOCK; each open file reads all events from its
 * open() on.  When the port has gone it answers -ENODEV after the last one.
 * lseek(fd, 0, SEEK_SET) goes back to the oldest one that is kept,
 * lseek(fd, 0, SEEK_END) skips all.
 */
struct kecat_event {
	__u64 seq;
	__u64 time_ns;
	__u64 cycle;
	__u32 type;
	__u32 position;
	__u32 arg0;
	__u32 arg1;
	__u32 arg2;
	__u32 arg3;
};

#define KECAT_EV_LINK		1	/* arg0 1 up, 0 down; arg1 speed; arg2 port, 0 or 1 */
#define KECAT_EV_SCAN		2	/* list complete: arg0 slaves, arg1 scan_gen */
#define KECAT_EV_SLAVE_FOUND	3	/* arg0 vendor, arg1 product, arg2 station */
#define KECAT_EV_SLAVE_LOST	4	/* no longer answers; arg0 station */
#define KECAT_EV_SLAVE_BACK	5	/* the same device answers again; arg0 station */
#define KECAT_EV_SLAVE_STATE	6	/* arg0 new AL status, arg1 old, arg2 AL status code */
#define KECAT_EV_SLAVE_PROBLEM	7	/* arg0 KECAT_PROBLEM_*, arg1 detail; arg0 0 = solved */
#define KECAT_EV_EMERGENCY	8	/* CoE: arg0 error code | register << 16, arg1..2 data */
#define KECAT_EV_WKC		9	/* position = group here; arg0 counter, arg1 expected */
#define KECAT_EV_WKC_OK		10	/* group valid again; position = group; arg0 cycles it was not */
#define KECAT_EV_OVERRUN	11	/* arg0 ns behind */
#define KECAT_EV_FRAME_LOST	12	/* arg0 tag; arg1 1 = cyclic; arg2 port, 0 or 1 */
#define KECAT_EV_APP_LOSS	13	/* arg0 1 died, 2 missed; arg1 reaction KECAT_LOSS_* */
#define KECAT_EV_PHASE		14	/* arg0 KECAT_PHASE_* */
#define KECAT_EV_TOPOLOGY	15	/* arg0 slaves now, arg1 before */
#define KECAT_EV_FRAME_LATE	16	/* arg0 tag, arg1 cycles late; limited to one per 100 ms */
/* arg0 KECAT_RING_*, arg1 and arg2 slaves reached from either port, arg3 as kecat_ring.port */
#define KECAT_EV_RING		17
#define KECAT_EV_PORT		18	/* given up: arg0 KECAT_PORT_*; arg1 port, 0 or 1 */

/* flight recorder froze: arg0 KECAT_RECORD_ON_*, arg1 cycle, arg2 phase, arg3 ns, see kecat_record.h */
#define KECAT_EV_RECORD		19
/* cycle started where other work can delay it: arg0 a CPU that is not isolated */
#define KECAT_EV_CPU		20

/* kecat_event.arg0 of KECAT_EV_PORT: what became of it */
#define KECAT_PORT_TAKEN_BACK	0	/* detached, or its driver or module removed */
#define KECAT_PORT_DOWN		1	/* its interface was set down */
#define KECAT_PORT_RENAMED	2	/* its interface has another name */
#define KECAT_PORT_GONE		3	/* the interface is gone: unbound or unplugged */

#define KECAT_IOC_MAGIC		0xec
#define KECAT_IOC_VERSION	_IOWR(KECAT_IOC_MAGIC, 1, struct kecat_version)
#define KECAT_IOC_STATUS	_IOWR(KECAT_IOC_MAGIC, 2, struct kecat_status)
#define KECAT_IOC_SLAVE_INFO	_IOWR(KECAT_IOC_MAGIC, 3, struct kecat_slave_info)
/* element struct kecat_pdo_entry; in effect now: configured, else as scanned */
#define KECAT_IOC_SLAVE_PDOS	_IOWR(KECAT_IOC_MAGIC, 4, struct kecat_array)
#define KECAT_IOC_SDO_UPLOAD	_IOWR(KECAT_IOC_MAGIC, 5, struct kecat_sdo)
#define KECAT_IOC_SDO_DOWNLOAD	_IOWR(KECAT_IOC_MAGIC, 6, struct kecat_sdo)
#define KECAT_IOC_REG_READ	_IOWR(KECAT_IOC_MAGIC, 7, struct kecat_reg)
#define KECAT_IOC_REG_WRITE	_IOWR(KECAT_IOC_MAGIC, 8, struct kecat_reg)
#define KECAT_IOC_SII_READ	_IOWR(KECAT_IOC_MAGIC, 9, struct kecat_sii)
#define KECAT_IOC_STATE		_IOWR(KECAT_IOC_MAGIC, 10, struct kecat_state)
#define KECAT_IOC_CONFIG_SET	_IOWR(KECAT_IOC_MAGIC, 11, struct kecat_config)
#define KECAT_IOC_CONFIG_GET	_IOWR(KECAT_IOC_MAGIC, 12, struct kecat_config)
#define KECAT_IOC_ACTIVATE	_IOWR(KECAT_IOC_MAGIC, 13, struct kecat_activate)
#define KECAT_IOC_DEACTIVATE	_IO(KECAT_IOC_MAGIC, 14)
/* element struct kecat_layout, in order of the image */
#define KECAT_IOC_LAYOUT	_IOWR(KECAT_IOC_MAGIC, 15, struct kecat_array)
#define KECAT_IOC_WAIT		_IOWR(KECAT_IOC_MAGIC, 16, struct kecat_wait)
#define KECAT_IOC_RESCAN	_IO(KECAT_IOC_MAGIC, 17)
#define KECAT_IOC_SNAPSHOT	_IOWR(KECAT_IOC_MAGIC, 18, struct kecat_snapshot)
#define KECAT_IOC_LATENCY	_IOWR(KECAT_IOC_MAGIC, 19, struct kecat_latency)
#define KECAT_IOC_SECOND	_IOWR(KECAT_IOC_MAGIC, 20, struct kecat_second)
#define KECAT_IOC_RING		_IOWR(KECAT_IOC_MAGIC, 21, struct kecat_ring)
/* 22 to 25 are in kecat_record.h */
#define KECAT_IOC_EXCHANGE	_IOWR(KECAT_IOC_MAGIC, 26, struct kecat_exchange)

#endif
