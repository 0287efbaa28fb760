/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What happened: counters, the event ring, latency histograms.  Written
 * without a sleeping lock from any context, also from the cyclic thread.
 */
#ifndef KECAT_MON_H
#define KECAT_MON_H

#include <linux/types.h>
#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/irq_work.h>
#include "../uapi/kecat.h"

struct kecat_master;

#define KECAT_EVENT_RING	1024	/* power of two */

struct kecat_events {
	raw_spinlock_t lock;
	u64 seq;		/* number of the newest, 0 = none yet */
	atomic64_t lost;	/* overwritten before a reader came to them, in all */
	struct kecat_event ring[KECAT_EVENT_RING];
	wait_queue_head_t wait;
	struct irq_work wake;
};

/* cyclic thread writes, others read; torn reads cost one count at most */
struct kecat_counters {
	u64 cycles;
	u64 overruns;
	u64 frames_sent;
	u64 frames_received;
	u64 frames_lost;
	u64 frames_late;
	u64 frames_foreign;
	u64 wkc_errors;
	u64 tx_full;
	u64 app_missed;
	u64 xfers;
	u64 xfer_timeouts;
};

struct kecat_phase_hist {
	u64 count;
	u64 sum_ns;
	u64 min_ns;
	u64 max_ns;
	u64 max_cycle;
	u64 bucket[KECAT_HIST_BUCKETS];
};

void kecat_events_init(struct kecat_events *e);
void kecat_events_exit(struct kecat_events *e);
/* any context */
void kecat_event(struct kecat_master *m, u32 type, u32 position, u32 arg0,
		 u32 arg1, u32 arg2, u32 arg3);
/*
 * Copies up to @max events newer than *@seq and moves *@seq on; *@lost is
 * raised by the number that were overwritten.  Returns the number copied.
 */
int kecat_events_get(struct kecat_events *e, u64 *seq, struct kecat_event *to,
		     int max, u64 *lost);

unsigned int kecat_hist_bucket(u64 ns);
void kecat_hist_add(struct kecat_phase_hist *h, u64 ns, u64 cycle);
void kecat_hist_reset(struct kecat_phase_hist *h);

#endif
