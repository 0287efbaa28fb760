// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's NAPI contexts in our hands.
 *
 * A context is taken the way busy polling does it: NAPI_STATE_SCHED is set, so
 * nobody else can schedule it, and NAPI_STATE_IN_BUSY_POLL, so that
 * napi_complete_done() tells the driver to leave its interrupt masked.  It is
 * held over many cycles.
 *
 * Only the control side gives contexts back, with the cyclic thread out: see
 * watch.c for when.
 *
 * A pointer to a context is only used while it is held: napi_disable(), which
 * comes before any removal, waits for that.
 */
#include <linux/netpoll.h>
#include <linux/rculist.h>

#include "compat/napi.h"
#include "netdev.h"

#define BUDGET	64

/* switched off by its driver: nothing comes by it */
static bool is_off(const struct napi_struct *n)
{
	return test_bit(NAPI_STATE_NPSVC, &n->state);
}

static void take_all(struct port *p)
{
	struct napi_set *set = &p->napi;
	struct napi_struct *n;
	bool all = true;

	list_for_each_entry_rcu(n, &p->dev->napi_list, dev_list) {
		if (set->n == NAPI_MAX) {
			all = false;
			break;
		}
		if (napi_schedule_prep(n)) {
			set_bit(NAPI_STATE_IN_BUSY_POLL, &n->state);
			set->held[set->n++] = n;
		} else if (!test_bit(NAPI_STATE_IN_BUSY_POLL, &n->state) &&
			   !is_off(n)) {
			all = false;
		}
	}
	WRITE_ONCE(set->take, !all);
	WRITE_ONCE(set->all, all);
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
	int i;

	budget = min(budget, BUDGET);
	rcu_read_lock_bh();
	WRITE_ONCE(set->poller, current);
	if (READ_ONCE(set->take))
		take_all(p);
	for (i = 0; i < set->n; i++) {
		struct napi_struct *n = set->held[i];

		/* its driver waits for it: soon, see watch_round() */
		if (napi_disable_pending(n))
			continue;
		poll_driver(n, budget);
		take_frames(p, n);
	}
	WRITE_ONCE(set->poller, NULL);
	rcu_read_unlock_bh();
}

void napi_set_release(struct port *p)
{
	struct napi_set *set = &p->napi;

	set->take = false;
	set->all = false;
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
