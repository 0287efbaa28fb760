// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receiving: whatever the interface gets ends here, before the stack.
 *
 * A frame that comes while the cyclic thread polls the driver is judged on the
 * spot.  Any other comes in a softirq of the driver and is copied to a ring
 * that rx_poll() empties.  There the cyclic thread waits asleep: with a higher
 * priority than the softirq and on the same CPU it would wait for ever.
 */
#include <linux/etherdevice.h>
#include <linux/hrtimer.h>
#include <linux/if_vlan.h>
#include <linux/sched.h>
#include <linux/skbuff.h>
#include <linux/slab.h>

#include "netdev.h"

/* the ring is looked at this often, whatever happens */
#define NAP_NS	(50 * NSEC_PER_USEC)

int rx_init(struct port *p)
{
	spin_lock_init(&p->ring.lock);
	p->ring.slot = kvcalloc(RX_SLOTS, sizeof(*p->ring.slot), GFP_KERNEL);
	p->bounce = kmalloc(KECAT_NIC_FRAME_MAX, GFP_KERNEL);
	return p->ring.slot && p->bounce ? 0 : -ENOMEM;
}

void rx_exit(struct port *p)
{
	kvfree(p->ring.slot);
	kfree(p->bounce);
}

static bool is_ours(const struct sk_buff *skb)
{
	return skb->protocol == htons(ETHERTYPE_ETHERCAT) &&
	       !skb_vlan_tag_present(skb) && skb_mac_header_was_set(skb) &&
	       skb->data - skb_mac_header(skb) == ETH_HLEN &&
	       skb->len <= KECAT_NIC_FRAME_MAX - ETH_HLEN;
}

static void copy_frame(const struct sk_buff *skb, u8 *to)
{
	memcpy(to, skb_mac_header(skb), ETH_HLEN);
	skb_copy_bits(skb, 0, to + ETH_HLEN, skb->len);
}

static void judge(struct port *p, const struct sk_buff *skb)
{
	unsigned int len = skb->len + ETH_HLEN;

	p->napi.delivered++;
	if (!skb_is_nonlinear(skb)) {
		kecat_nic_rx(&p->nic, skb_mac_header(skb), len);
		return;
	}
	copy_frame(skb, p->bounce);
	kecat_nic_rx(&p->nic, p->bounce, len);
}

static void keep(struct port *p, const struct sk_buff *skb)
{
	struct rx_ring *r = &p->ring;
	struct task_struct *sleeper;
	struct rx_slot *s;

	atomic64_inc(&p->rx_path);
	spin_lock(&r->lock);
	/* pairs with ring_drain(): the slot has been read */
	if (r->head - smp_load_acquire(&r->tail) == RX_SLOTS) {
		spin_unlock(&r->lock);
		atomic64_inc(&p->rx_missed);
		return;
	}
	s = &r->slot[r->head % RX_SLOTS];
	s->len = skb->len + ETH_HLEN;
	copy_frame(skb, s->data);
	smp_store_release(&r->head, r->head + 1);	/* pairs with ring_empty() */
	spin_unlock(&r->lock);
	smp_mb();	/* pairs with nap(): frame first, then who waits for it */
	sleeper = READ_ONCE(r->sleeper);
	if (sleeper)
		wake_up_process(sleeper);	/* RCU keeps it */
}

/**
 * rx_take_skb - a received frame, wherever it comes from
 * @p:   port
 * @skb: the frame; stays the caller's
 *
 * Context: bottom halves off, RCU.
 */
void rx_take_skb(struct port *p, struct sk_buff *skb)
{
	if (!is_ours(skb))
		atomic64_inc(&p->rx_dropped);
	else if (READ_ONCE(p->napi.poller) == current)
		judge(p, skb);
	else
		keep(p, skb);
}

rx_handler_result_t rx_handler(struct sk_buff **pskb)
{
	struct sk_buff *skb = *pskb;

	rx_take_skb(rcu_dereference(skb->dev->rx_handler_data), skb);
	consume_skb(skb);
	return RX_HANDLER_CONSUMED;
}

static bool ring_empty(const struct rx_ring *r)
{
	return smp_load_acquire(&r->head) == r->tail;	/* pairs with keep() */
}

static int ring_drain(struct port *p, int budget)
{
	struct rx_ring *r = &p->ring;
	int n = 0;

	for (; n < budget && !ring_empty(r); n++) {
		const struct rx_slot *s = &r->slot[r->tail % RX_SLOTS];

		kecat_nic_rx(&p->nic, s->data, s->len);
		smp_store_release(&r->tail, r->tail + 1);	/* pairs with keep() */
	}
	return n;
}

/* until a frame comes, but not for long: only the caller knows the deadline */
static void nap(struct rx_ring *r)
{
	ktime_t left = ns_to_ktime(NAP_NS);

	WRITE_ONCE(r->sleeper, current);
	set_current_state(TASK_IDLE);	/* full barrier, pairs with keep() */
	if (ring_empty(r))
		schedule_hrtimeout_range(&left, 0, HRTIMER_MODE_REL);
	__set_current_state(TASK_RUNNING);
	WRITE_ONCE(r->sleeper, NULL);
}

static int collect(struct port *p, int budget)
{
	int n = ring_drain(p, budget);

	if (READ_ONCE(p->gone))
		return n;
	if (READ_ONCE(p->polled)) {
		p->napi.delivered = 0;
		napi_set_poll(p, budget);
		WRITE_ONCE(p->heard_polled, p->heard_polled + p->napi.delivered);
		return n + p->napi.delivered;
	}
	if (!n) {
		nap(&p->ring);
		n = ring_drain(p, budget);
	}
	return n;
}

int rx_poll(struct kecat_nic *nic, int budget)
{
	struct port *p = to_port(nic);
	int n = collect(p, budget);

	WRITE_ONCE(p->heard, p->heard + n);
	return n;
}
