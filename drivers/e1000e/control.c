// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control half: turn a probed e1000e into a polled one, and do from
 * outside what its interrupt handlers and the network stack would have done.
 */

/* 31 x 32 ns as PCIe encodes a latency: scale in bits 12:10, value below */
#define LTR_1US		(BIT(PCI_LTR_SCALE_SHIFT) | 31)
#define LTR_REQUIRED	BIT(E1000_LTRV_REQ_SHIFT)
#define LTR_HALF	(LTR_REQUIRED | LTR_1US)
#define LTR_BOTH	(LTR_HALF | LTR_HALF << E1000_LTRV_NOSNOOP_SHIFT)

/* A reset rewrites both rings: the cyclic thread has to be out meanwhile. */
static void e1k_reset_task(struct work_struct *work)
{
	struct e1000_adapter *adapter =
		container_of(work, struct e1000_adapter, reset_task);
	struct kecat_wrap *port = kecat_wrap_find(&adapter->pdev->dev);

	if (!port || !kecat_wrap_reset_begin(port))
		return;
	/* wanted and counted: spares the log a dump of all registers */
	adapter->flags |= FLAG_RESTART_NOW;
	e1000_reset_task(work);
	to_e1k(port)->discarding = false;
	kecat_wrap_reset_end(port);
}

/*
 * On 82579 the stock driver reads FWSM before, and the tail after, each tail
 * write while a management engine is active.  Without the workaround a write
 * can get lost, so it stays and the user is told.
 */
static void warn_of_slow_doorbell(struct e1000_adapter *adapter)
{
	if (adapter->flags2 & FLAG2_PCIM2PCI_ARBITER_WA)
		dev_warn(&adapter->pdev->dev,
			 "active management engine: each doorbell reads registers and can wait for the firmware; disable it in the BIOS or use another port\n");
}

static int e1k_claim(struct kecat_wrap *port)
{
	struct e1000_adapter *adapter = netdev_priv(port->nd);
	struct e1000_hw *hw = &adapter->hw;

	to_e1k(port)->adapter = adapter;
	/* each doorbell may wait for the management engine, and reads registers */
	if (adapter->flags2 & FLAG2_PCIM2PCI_ARBITER_WA)
		port->nic.hard = false;

	/* no vector is enabled, none is tested by the open routine */
	e1000e_reset_interrupt_capability(adapter);
	adapter->int_mode = E1000E_INT_MODE_LEGACY;
	adapter->num_vectors = 1;

	/* no moderation, no batched write-back of descriptors */
	adapter->tx_int_delay = 0;
	adapter->tx_abs_int_delay = 0;
	adapter->rx_int_delay = 0;
	adapter->rx_abs_int_delay = 0;
	adapter->itr_setting = 0;
	adapter->itr = 0;
	adapter->flags2 &= ~FLAG2_DMA_BURST;

	/* a slave must not pause the master; leaving LPI costs microseconds */
	hw->fc.requested_mode = e1000_fc_none;
	adapter->fc_autoneg = false;
	if (adapter->flags2 & FLAG2_HAS_EEE) {
		hw->dev_spec.ich8lan.eee_disable = true;
		adapter->eee_advert = 0;
	}
	adapter->wol = 0;

	/* a descriptor per slot, so that both share one index */
	adapter->tx_ring->count = KECAT_WRAP_SLOTS;
	adapter->tx_ring_count = KECAT_WRAP_SLOTS;

	adapter->reset_task.func = e1k_reset_task;
	warn_of_slow_doorbell(adapter);
	return 0;
}

/*
 * The reset makes the PHY advertise what e1k_claim() asked for.  ITR is zero
 * by reset, and with itr_setting zero nobody writes it.
 */
static int e1k_open(struct kecat_wrap *port)
{
	struct e1k *e = to_e1k(port);
	struct e1000_adapter *adapter = e->adapter;
	int err;

	e1000e_reset(adapter);
	err = e1000e_open(port->nd);
	if (err)
		return err;
	/* poll.c knows this one layout of the receive ring */
	if (adapter->clean_rx != e1000_clean_rx_irq) {
		e1000e_close(port->nd);
		return -EOPNOTSUPP;
	}
	e->discarding = false;
	memset(&e->base, 0, sizeof(e->base));
	e1000e_get_stats64(port->nd, &e->base);
	return 0;
}

static void e1k_close(struct kecat_wrap *port)
{
	e1000e_close(port->nd);
}

/*
 * A link change, as the interrupt handlers treat it.  The watchdog does the
 * rest, from a timer that is armed here and so stays off the cyclic CPU.
 */
static void link_changed(struct e1000_adapter *adapter)
{
	struct e1000_hw *hw = &adapter->hw;

	hw->mac.get_link_status = true;
	if ((adapter->flags & FLAG_LSC_GIG_SPEED_DROP) &&
	    !(er32(STATUS) & E1000_STATUS_LU))
		schedule_work(&adapter->downshift_task);
	if ((adapter->flags & FLAG_RX_NEEDS_RESTART) &&
	    netif_carrier_ok(adapter->netdev)) {
		ew32(RCTL, er32(RCTL) & ~E1000_RCTL_EN);
		adapter->flags |= FLAG_RESTART_NOW;
	}
	mod_timer(&adapter->watchdog_timer, jiffies + 1);
}

/* For a cause that ICR did not latch; other media have their own notion of LU */
static bool link_differs(struct e1000_adapter *adapter)
{
	struct e1000_hw *hw = &adapter->hw;
	bool up = er32(STATUS) & E1000_STATUS_LU;

	return hw->phy.media_type == e1000_media_type_copper &&
	       up != netif_carrier_ok(adapter->netdev);
}

/*
 * At 100 Mbit/s the stock driver tells the platform that a latency of 1.9 ms
 * is fine, each time the link is checked.  From I217 on.
 */
static void refuse_deep_sleep(struct e1000_adapter *adapter)
{
	struct e1000_hw *hw = &adapter->hw;

	if (hw->mac.type < e1000_pch_lpt || !netif_carrier_ok(adapter->netdev))
		return;
	if ((er32(LTRV) & ~E1000_LTRV_SEND) != LTR_BOTH)
		ew32(LTRV, LTR_BOTH | E1000_LTRV_SEND);
}

/* Descriptors are the cyclic thread's: this only looks. */
static bool tx_hangs(struct e1k *e)
{
	struct e1000_ring *r = e->adapter->tx_ring;
	unsigned int oldest = READ_ONCE(r->next_to_clean);
	struct e1000_tx_desc *d = E1000_TX_DESC(*r, oldest);

	return kecat_wrap_hangs(&e->wrap, READ_ONCE(e->tx_done),
				oldest != READ_ONCE(r->next_to_use) &&
				!(READ_ONCE(d->upper.data) &
				  cpu_to_le32(E1000_TXD_STAT_DD)));
}

/* ICR collects causes although all are masked; with IMS 0 reading clears it. */
static u32 e1k_link_poll(struct kecat_wrap *port)
{
	struct e1k *e = to_e1k(port);
	struct e1000_adapter *adapter = e->adapter;
	struct e1000_hw *hw = &adapter->hw;
	u32 icr;

	/* a device that fell off the bus reads as all ones */
	icr = er32(ICR);
	if (icr == ~0U)
		return 0;
	if (icr & E1000_ICR_LSC || link_differs(adapter))
		link_changed(adapter);
	if (icr & E1000_ICR_ECCER && hw->mac.type >= e1000_pch_lpt)
		schedule_work(&adapter->reset_task);
	if (tx_hangs(e))
		schedule_work(&adapter->reset_task);
	refuse_deep_sleep(adapter);
	return netif_carrier_ok(adapter->netdev) ? adapter->link_speed : 0;
}

static void e1k_get_stats(struct kecat_wrap *port, struct kecat_nic_stats *st)
{
	struct e1k *e = to_e1k(port);
	struct rtnl_link_stats64 now = {};

	e1000e_get_stats64(port->nd, &now);
	st->rx_errors = now.rx_errors - e->base.rx_errors;
	st->rx_missed = now.rx_missed_errors - e->base.rx_missed_errors;
	st->tx_errors = now.tx_errors - e->base.tx_errors;
	st->rx_dropped = READ_ONCE(e->rx_dropped);
}

static const struct kecat_nic_ops e1k_ops = {
	.start = kecat_wrap_start,
	.stop = kecat_wrap_stop,
	.link_poll = kecat_wrap_link_poll,
	.get_stats = kecat_wrap_get_stats,
	.tx_buf = e1k_tx_buf,
	.tx_commit = e1k_tx_commit,
	.tx_kick = e1k_tx_kick,
	.rx_poll = e1k_rx_poll,
};

const struct kecat_wrap_driver kecat_wrap_driver = {
	.port_size = sizeof(struct e1k),
	.ops = &e1k_ops,
	.claim = e1k_claim,
	.open = e1k_open,
	.close = e1k_close,
	.link_poll = e1k_link_poll,
	.get_stats = e1k_get_stats,
};
