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

/**
 * kecat_account_app - when had the application the last cycle's inputs
 * @c: cyclic thread, its frames on the wire: there is time to ask
 * @t: stamps up to the doorbell; @taken and @done are filled in
 *
 * The application's word is believed where it is possible: between the arrival
 * of those inputs and now.
 */
void kecat_account_app(struct kecat_cycle *c, struct kecat_stamps *t)
{
	struct kecat_app_times app;

	t->taken = 0;
	t->done = 0;
	kecat_image_app_times(c->img, &app);
	if (!c->account.received_ns || app.cycle != c->m->count.cycles - 1 ||
	    app.taken_ns < c->account.received_ns ||
	    app.taken_ns > t->at[KECAT_LAT_WAIT])
		return;
	t->taken = app.taken_ns;
	if (app.done_ns >= app.taken_ns && app.done_ns <= t->at[KECAT_LAT_WAIT])
		t->done = app.done_ns;
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
	if (t->taken)
		kecat_hist_add(&h[KECAT_LAT_TO_APP], t->taken - last->received_ns,
			       cycle - 1);
	if (t->done)
		kecat_hist_add(&h[KECAT_LAT_APP], t->done - t->taken, cycle - 1);
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
