// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's NAPI contexts in our hands.
 *
 * A context is taken the way busy polling does it: NAPI_STATE_SCHED is set, so
 * nobody else can schedule it, and NAPI_STATE_IN_BUSY_POLL, so that
 * napi_complete_done() tells the driver to leave its interrupt masked.  It is
 * held over many cycles.
 *
 * Three things need it back: a driver that wants to disable it (a reset, a
 * changed ring), an interface that is given up, and interrupts for anything but
 * frames, link changes above all, which many drivers mask together with those.
 * For the last, one poll in a while completes in the ordinary way.
 *
 * A pointer to a context is only used while it is held: napi_disable(), which
 * comes before any removal, waits for that.
 */
#include <linux/netpoll.h>
#include <linux/rculist.h>

#include "compat/napi.h"
#include "netdev.h"

#define BUDGET	64

static void take_all(struct port *p)
{
	struct napi_set *set = &p->napi;
	struct napi_struct *n;
	bool left = false;

	list_for_each_entry_rcu(n, &p->dev->napi_list, dev_list) {
		if (set->n == NAPI_MAX)
			break;
		if (napi_schedule_prep(n)) {
			set_bit(NAPI_STATE_IN_BUSY_POLL, &n->state);
			set->held[set->n++] = n;
		} else if (!test_bit(NAPI_STATE_IN_BUSY_POLL, &n->state)) {
			left = true;
		}
	}
	WRITE_ONCE(set->take, left);
}

static void unmark(struct napi_struct *n)
{
	clear_bit(NAPI_STATE_MISSED, &n->state);
	clear_bit(NAPI_STATE_IN_BUSY_POLL, &n->state);
}

static int poll_driver(struct napi_struct *n, int budget)
{
	void *lock = netpoll_poll_lock(n);
	int work = n->poll(n, budget);

	netpoll_poll_unlock(lock);
	return work;
}

static void take_frames(struct port *p, struct napi_struct *n)
{
	struct sk_buff *skb, *next;
	LIST_HEAD(frames);

	kecat_napi_take_frames(n, &frames);
	list_for_each_entry_safe(skb, next, &frames, list) {
		skb_list_del_init(skb);
		rx_take_skb(p, skb);
		napi_consume_skb(skb, BUDGET);
	}
}

/* true: it is not ours any more */
static bool poll_one(struct port *p, struct napi_struct *n, int budget, bool breathe)
{
	if (napi_disable_pending(n)) {
		unmark(n);
		napi_complete(n);
		return true;
	}
	if (breathe) {
		unmark(n);
		/* complete: from here on it may be anybody's */
		if (poll_driver(n, budget) < budget)
			return true;
		set_bit(NAPI_STATE_IN_BUSY_POLL, &n->state);
	} else {
		poll_driver(n, budget);
	}
	take_frames(p, n);
	return false;
}

/**
 * napi_set_poll - one round over all contexts
 * @p:      port
 * @budget: frames a context may bring
 *
 * Context: cyclic thread.  On PREEMPT_RT, switching bottom halves off takes the
 * CPU's softirq lock where the kernel has one.
 */
void napi_set_poll(struct port *p, int budget)
{
	struct napi_set *set = &p->napi;
	bool breathe = READ_ONCE(set->breathe);
	int i;

	budget = min(budget, BUDGET);
	rcu_read_lock_bh();
	WRITE_ONCE(set->poller, current);
	if (READ_ONCE(set->take))
		take_all(p);
	for (i = set->n; i--;) {
		if (!poll_one(p, set->held[i], budget, breathe))
			continue;
		set->held[i] = set->held[--set->n];
		WRITE_ONCE(set->take, true);
	}
	if (breathe)
		WRITE_ONCE(set->breathe, false);
	WRITE_ONCE(set->poller, NULL);
	rcu_read_unlock_bh();
}

void napi_set_release(struct port *p)
{
	struct napi_set *set = &p->napi;

	local_bh_disable();
	while (set->n) {
		struct napi_struct *n = set->held[--set->n];

		unmark(n);
		napi_complete(n);
		/* the driver polls once itself and unmasks its interrupt */
		napi_schedule(n);
	}
	local_bh_enable();
}

bool napi_set_wanted(struct port *p)
{
	struct napi_struct *n;
	bool wanted = false;

	rcu_read_lock();
	list_for_each_entry_rcu(n, &p->dev->napi_list, dev_list)
		if (napi_disable_pending(n))
			wanted = true;
	rcu_read_unlock();
	return wanted;
}
