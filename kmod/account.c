// SPDX-License-Identifier: GPL-2.0-only
#include <linux/ktime.h>
#include "account.h"
#include "cycle_int.h"
#include "image.h"

/**
 * kecat_account_begin - the exchange starts, and all counts with it
 * @c: cyclic thread
 */
void kecat_account_begin(struct kecat_cycle *c)
{
	int i;

	c->account = (struct kecat_account) {};
	for (i = 0; i < KECAT_LAT_COUNT; i++)
		kecat_hist_reset(&c->m->hist[i]);
}

/*
 * When had the application the last cycle's inputs, and when its outputs?  Its
 * word is believed where it is possible: between the arrival of those inputs
 * and the doorbell of the next cycle.
 */
static void account_app(struct kecat_cycle *c, const struct kecat_stamps *t)
{
	struct kecat_phase_hist *h = c->m->hist;
	u64 cycle = c->m->count.cycles - 1;
	u64 received = c->account.received_ns, sent = t->at[KECAT_LAT_WAIT];

	if (t->app.cycle != cycle || !kecat_app_took(&t->app, received, sent))
		return;
	kecat_hist_add(&h[KECAT_LAT_TO_APP], t->app.taken_ns - received, cycle);
	if (t->app.done_ns >= t->app.taken_ns && t->app.done_ns <= sent)
		kecat_hist_add(&h[KECAT_LAT_APP],
			       t->app.done_ns - t->app.taken_ns, cycle);
}

/* what is between two cycles */
static void account_between(struct kecat_cycle *c, const struct kecat_stamps *t)
{
	const struct kecat_account *last = &c->account;
	struct kecat_phase_hist *h = c->m->hist;
	u64 sent = t->at[KECAT_LAT_WAIT], cycle = c->m->count.cycles;

	if (last->sent_ns) {
		u64 period = sent - last->sent_ns, due = c->bus->cycle_ns;

		kecat_hist_add(&h[KECAT_LAT_PERIOD], period, cycle);
		kecat_hist_add(&h[KECAT_LAT_JITTER],
			       period > due ? period - due : due - period, cycle);
	}
	account_app(c, t);
	if (last->cost_ns)
		kecat_hist_add(&h[KECAT_LAT_ACCOUNT], last->cost_ns, cycle - 1);
}

/**
 * kecat_account_cycle - a cycle is over
 * @c: cyclic thread
 * @t: its stamps
 *
 * The time that this takes is no phase: it is counted by itself, with the next
 * cycle.
 */
void kecat_account_cycle(struct kecat_cycle *c, const struct kecat_stamps *t)
{
	struct kecat_phase_hist *h = c->m->hist;
	u64 cycle = c->m->count.cycles;
	int i;

	for (i = 0; i < KECAT_LAT_TOTAL; i++)
		kecat_hist_add(&h[i], t->at[i + 1] - t->at[i], cycle);
	kecat_hist_add(&h[KECAT_LAT_TOTAL], t->at[KECAT_LAT_TOTAL] - t->at[0],
		       cycle);
	if (t->whole)
		kecat_hist_add(&h[KECAT_LAT_ROUNDTRIP],
			       t->at[KECAT_LAT_WAIT + 1] - t->at[KECAT_LAT_WAIT],
			       cycle);
	account_between(c, t);
	c->account.sent_ns = t->at[KECAT_LAT_WAIT];
	c->account.received_ns = t->at[KECAT_LAT_PUBLISH];
	c->account.cost_ns = ktime_get_ns() - t->at[KECAT_LAT_TOTAL];
}
