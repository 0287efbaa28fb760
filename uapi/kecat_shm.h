/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The memory that mmap() of /dev/kecat<N> shows after KECAT_IOC_ACTIVATE:
 * one control page, then three input and three output buffers.
 *
 * Each direction is a triple buffer.  At any time the writer owns one, the
 * reader owns one, and the third lies in between; its number is in in_mid or
 * out_mid, with KECAT_MID_FRESH set if the reader has not seen it yet.
 *
 *   writer: fill own buffer; own = xchg(mid, own | FRESH) & 3
 *   reader: if (mid & FRESH) own = xchg(mid, own) & 3
 *
 * xchg is a full barrier on both sides (user space: __atomic_exchange_n with
 * __ATOMIC_ACQ_REL), so a buffer is complete before its number is seen.
 * Nobody waits and nobody tears; the reader always gets the newest whole set.
 *
 * At activation the kernel owns input buffer 0 and output buffer 0, the
 * application input buffer 2 and output buffer 2, and both mids are 1.
 *
 * One process is the reader of inputs and the writer of outputs.  The kernel
 * never trusts what it reads here: an index that is not 0..2 is taken as 0,
 * and every length is the kernel's own.
 */
#ifndef _UAPI_KECAT_SHM_H
#define _UAPI_KECAT_SHM_H

#include <linux/types.h>

#define KECAT_SHM_MAGIC		0x4b454341u	/* "KECA" */
#define KECAT_SHM_VERSION	1
#define KECAT_MID_FRESH		4u

/**
 * struct kecat_shm - the control page
 * @magic:     KECAT_SHM_MAGIC
 * @version:   KECAT_SHM_VERSION
 * @size:      bytes of the whole mapping
 * @flags:     0
 * @in_len:    bytes of input data in each input buffer
 * @out_len:   bytes of output data in each output buffer
 * @in_off:    byte offset of each input buffer (a struct kecat_in_hdr, then data)
 * @out_off:   byte offset of each output buffer (data only)
 * @in_data:   bytes from in_off to the data
 * @groups:    highest sync group in use + 1
 * @cycle_ns:  cycle time
 * @in_mid:    kernel writes, application reads; see above
 * @state:     KECAT_PHASE_*
 * @cycle:     number of the newest published cycle; raised after in_mid, so a
 *             spinning reader sees the new buffer
 * @tick_ns:   CLOCK_MONOTONIC of the tick of @cycle
 * @slaves_op: slaves in OP
 * @live:      bit per configured slave: its data takes part in the exchange
 * @out_mid:   application writes, kernel reads
 * @taken_cycle: application writes, after @taken_ns: number of the cycle whose
 *             inputs it has; with the next two only for the account of latencies
 * @taken_ns:  .. CLOCK_MONOTONIC when it had them
 * @done_ns:   .. CLOCK_MONOTONIC when its outputs were made, before @out_mid
 */
struct kecat_shm {
	__u32 magic;
	__u32 version;
	__u32 size;
	__u32 flags;
	__u32 in_len;
	__u32 out_len;
	__u32 in_off[3];
	__u32 out_off[3];
	__u32 in_data;
	__u32 groups;
	__u64 cycle_ns;

	/* own cache lines: the kernel's, then the application's */
	__u32 in_mid __attribute__((aligned(64)));
	__u32 state;
	__u64 cycle;
	__u64 tick_ns;
	__u32 slaves_op;
	__u32 reserved;
	__u64 live[16];
	__u64 pad[4];

	__u32 out_mid __attribute__((aligned(64)));
	__u32 reserved2;
	__u64 taken_cycle;
	__u64 taken_ns;
	__u64 done_ns;
	__u64 reserved3[4];
};

/**
 * struct kecat_in_hdr - what belongs to one set of inputs
 * @cycle:        number of the cycle it was taken in
 * @tick_ns:      CLOCK_MONOTONIC of that cycle's tick
 * @received_ns:  when the last frame was back
 * @dc_ns:        system time of the reference clock in that cycle, 0 = none
 * @groups_valid: bit per sync group: all its datagrams came back in time with
 *                the expected working counter.  Data of other groups is that
 *                of the last valid cycle.
 * @out_cycle:    low 32 bits of the number of output sets taken so far; shows
 *                which outputs these inputs answer
 * @wkc:          working counter per group, added up over its datagrams
 * @wkc_expected: .. expected of the slaves that are up
 */
struct kecat_in_hdr {
	__u64 cycle;
	__u64 tick_ns;
	__u64 received_ns;
	__u64 dc_ns;
	__u32 groups_valid;
	__u32 out_cycle;
	__u16 wkc[16];
	__u16 wkc_expected[16];
	__u64 reserved;
};

#endif
