// SPDX-License-Identifier: GPL-2.0-only
/*
 * When the NAPI contexts of an interface are held, and when not.
 *
 * As long as frames come back there is no news but frames, and the contexts are
 * held with the interrupts off.  Silence may have a cause that the driver learns
 * by interrupt only, a pulled cable above all: the interface then works in the
 * ordinary way until something is heard again.  A driver that wants its contexts
 * back (a reset, changed rings, a suspend) gets them at the next round.
 *
 * Two things show that a driver cannot be driven so, and both only in use:
 * polling brings nothing where the ordinary way does, or frames that were sent
 * are not given back.
 */
#include <linux/jiffies.h>

#include "netdev.h"

#define LOOK_JIFFIES	max(HZ / 10, 1)
#define STRIKES		3

void watch_start(struct port *p)
{
	p->watch = (struct watch) {
		.next = jiffies, .heard = READ_ONCE(p->heard),
	};
}

void watch_release(struct port *p)
{
	lines_unmask(p);
	napi_set_release(p);
	p->watch.holding = false;
}

static void release(struct port *p)
{
	kecat_nic_quiesce(&p->nic);
	watch_release(p);
	kecat_nic_resume(&p->nic);
	p->watch.next = jiffies + LOOK_JIFFIES;
}

static void give_up_polling(struct port *p)
{
	p->polled = false;
	p->why_not = "polling brought no frames";
	port_describe(p);
}

static void silent(struct port *p)
{
	struct watch *w = &p->watch;

	if (!w->holding)
		return;
	if (READ_ONCE(p->heard_polled) != w->polled)
		w->strikes = 0;
	else
		w->strikes++;
	release(p);
	if (w->strikes == STRIKES)
		give_up_polling(p);
}

/* the wire brought as many frames back as there are slots; where are the slots? */
static bool needs_interrupts(const struct port *p)
{
	return p->lines.n && READ_ONCE(p->heard) - p->watch.sent_for >= TX_SLOTS / 2 &&
	       tx_in_flight(p) >= TX_SLOTS / 2;
}

static void hold(struct port *p)
{
	const char *before = p->lines.why_on;

	if (!p->watch.holding)
		p->watch.polled = READ_ONCE(p->heard_polled);
	p->watch.holding = true;
	if (needs_interrupts(p))
		lines_leave_on(p, "it frees sent frames there");
	if (lines_crowded(p))
		lines_leave_on(p, "line shared with another device");
	if (READ_ONCE(p->napi.all) && !p->lines.n) {
		lines_mask(p);
		p->watch.sent_for = READ_ONCE(p->heard);
	}
	/* there may be new ones */
	WRITE_ONCE(p->napi.take, true);
	if (p->lines.why_on != before)
		port_describe(p);
}

/**
 * watch_round - about ten times a second, or more often
 * @p: port that is polled; caller holds &port.lock
 */
void watch_round(struct port *p)
{
	struct watch *w = &p->watch;
	u32 heard = READ_ONCE(p->heard);

	if (napi_set_wanted(p)) {
		release(p);
		return;
	}
	if (time_before(jiffies, w->next))
		return;
	w->next = jiffies + LOOK_JIFFIES;
	if (heard == w->heard)
		silent(p);
	else
		hold(p);
	w->heard = heard;
}
