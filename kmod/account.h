/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the time of a cycle goes: stamps at fixed points, and what becomes of
 * their differences.
 *
 * All stamps are ktime_get_ns(): the clock of the timer that the cycle waits
 * for and of the application's clock_gettime(CLOCK_MONOTONIC), so that tick,
 * thread and application can be compared; it never runs backwards, also from
 * one CPU to another, so that no phase is negative.  The fast variant may, and
 * a bare time-stamp counter would have to be converted for every reader.  With
 * the TSC as clock source a stamp is a counter read and a multiplication.  What
 * it costs more is that it waits, below a microsecond, for an update of the
 * time that another CPU is at; that is in the phase where it happens.
 */
#ifndef KECAT_ACCOUNT_H
#define KECAT_ACCOUNT_H

#include <linux/types.h>
#include "../uapi/kecat.h"
#include "image.h"

struct kecat_cycle;

/**
 * struct kecat_stamps - one cycle's
 * @at:     instants; phase p is from at[p] to at[p + 1]
 * @whole:  every frame that was waited for came back
 * @app:    what the application said when the frames had gone, not checked
 */
struct kecat_stamps {
	u64 at[KECAT_LAT_TOTAL + 1];
	bool whole;
	struct kecat_app_times app;
};

/**
 * kecat_app_took - had the application these inputs then?
 * @a:        its word
 * @received: arrival of the inputs, 0 = of none
 * @sent:     doorbell of the next cycle
 *
 * It is believed where it is possible.
 */
static inline bool kecat_app_took(const struct kecat_app_times *a, u64 received,
				  u64 sent)
{
	return received && a->taken_ns >= received && a->taken_ns <= sent;
}

/**
 * struct kecat_account - what the account has to remember from cycle to cycle
 * @sent_ns:     doorbell of the last cycle, 0 = none
 * @received_ns: when its frames were back
 * @cost_ns:     the last account itself, 0 = none
 */
struct kecat_account {
	u64 sent_ns;
	u64 received_ns;
	u64 cost_ns;
};

/* all by the cyclic thread */
void kecat_account_begin(struct kecat_cycle *c);
void kecat_account_cycle(struct kecat_cycle *c, const struct kecat_stamps *t);

#endif
