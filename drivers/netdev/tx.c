// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sending: the driver's transmit routine, called from the cyclic thread.
 *
 * A driver that allows it (IFF_TX_SKB_SHARING) gets the same skbs again and
 * again, each with a reference of ours: the slot is free when only that one is
 * left.  Any other gets a new skb for each frame.
 *
 * The transmit lock is there against the stack, which has nothing to send on
 * a dormant interface, and against the driver's own resets.
 */
#include <linux/etherdevice.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/slab.h>

#include "netdev.h"

static struct sk_buff *new_skb(struct net_device *dev, gfp_t gfp)
{
	struct sk_buff *skb;

	skb = alloc_skb(LL_RESERVED_SPACE(dev) + KECAT_NIC_FRAME_MAX +
			dev->needed_tailroom, gfp);
	if (skb)
		skb_reserve(skb, LL_RESERVED_SPACE(dev));
	return skb;
}

static int slot_init(struct tx_slot *s, struct net_device *dev)
{
	if (!(dev->priv_flags & IFF_TX_SKB_SHARING)) {
		s->data = kmalloc(KECAT_NIC_FRAME_MAX, GFP_KERNEL);
		return s->data ? 0 : -ENOMEM;
	}
	s->skb = new_skb(dev, GFP_KERNEL);
	if (!s->skb)
		return -ENOMEM;
	s->data = s->skb->data;
	return 0;
}

static void slot_exit(struct tx_slot *s)
{
	/* the driver may still have it; the last reference frees it */
	if (s->skb)
		kfree_skb(s->skb);
	else
		kfree(s->data);
}

int tx_init(struct port *p, struct net_device *dev)
{
	int i, err;

	p->tx = kvcalloc(TX_SLOTS, sizeof(*p->tx), GFP_KERNEL);
	if (!p->tx)
		return -ENOMEM;
	for (i = 0; i < TX_SLOTS; i++) {
		err = slot_init(&p->tx[i], dev);
		if (err)
			return err;
	}
	return 0;
}

void tx_exit(struct port *p)
{
	int i;

	for (i = 0; p->tx && i < TX_SLOTS; i++)
		slot_exit(&p->tx[i]);
	kvfree(p->tx);
	p->tx = NULL;
}

unsigned int tx_in_flight(const struct port *p)
{
	unsigned int i, n = 0;

	for (i = 0; i < TX_SLOTS; i++)
		n += p->tx[i].skb && refcount_read(&p->tx[i].skb->users) > 1;
	return n;
}

void *tx_buf(struct kecat_nic *nic)
{
	struct port *p = to_port(nic);
	struct tx_slot *s = &p->tx[p->tx_head % TX_SLOTS];

	if (READ_ONCE(p->gone) || p->tx_head - p->tx_done == TX_SLOTS)
		return NULL;
	if (s->skb) {
		if (refcount_read(&s->skb->users) != 1)
			return NULL;
		/* the driver has read the frame before it dropped the skb */
		smp_acquire__after_ctrl_dep();
	}
	return s->data;
}

void tx_commit(struct kecat_nic *nic, unsigned int len)
{
	struct port *p = to_port(nic);

	p->tx[p->tx_head++ % TX_SLOTS].len = len;
}

/* an skb with the frame, and a reference for the driver */
static struct sk_buff *slot_skb(struct tx_slot *s, struct net_device *dev)
{
	struct sk_buff *skb = s->skb;

	if (skb) {
		skb->data = s->data;
		skb->len = 0;
		skb_reset_tail_pointer(skb);
		skb_put(skb, s->len);
		skb_get(skb);
	} else {
		skb = new_skb(dev, GFP_ATOMIC);
		if (!skb)
			return NULL;
		skb_put_data(skb, s->data, s->len);
	}
	skb->dev = dev;
	skb->protocol = htons(ETHERTYPE_ETHERCAT);
	skb_reset_mac_header(skb);
	skb_set_network_header(skb, ETH_HLEN);
	skb_set_queue_mapping(skb, 0);
	return skb;
}

static bool send(struct tx_slot *s, struct net_device *dev,
		 struct netdev_queue *txq, bool more)
{
	struct sk_buff *skb;
	netdev_tx_t ret;

	if (netif_xmit_frozen_or_drv_stopped(txq))
		return false;
	skb = slot_skb(s, dev);
	if (!skb)
		return false;
	ret = netdev_start_xmit(skb, dev, txq, more);
	if (dev_xmit_complete(ret))
		return true;
	kfree_skb(skb);
	return false;
}

void tx_kick(struct kecat_nic *nic)
{
	struct port *p = to_port(nic);
	struct net_device *dev = p->dev;
	struct netdev_queue *txq;

	if (READ_ONCE(p->gone)) {
		p->tx_done = p->tx_head;
		return;
	}
	txq = netdev_get_tx_queue(dev, 0);
	/*
	 * Drivers rely on it: per-CPU data, and the watchdog takes the same lock.
	 * One that locks for itself (veth) does no worse with it.
	 */
	rcu_read_lock_bh();
	__netif_tx_lock(txq, smp_processor_id());
	for (; p->tx_done != p->tx_head; p->tx_done++)
		if (!send(&p->tx[p->tx_done % TX_SLOTS], dev, txq,
			  p->tx_done + 1 != p->tx_head))
			p->tx_errors++;
	__netif_tx_unlock(txq);
	rcu_read_unlock_bh();
}
