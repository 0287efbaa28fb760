// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control half for igb and igc: turn a probed device into a polled one,
 * and do from outside what its interrupt handlers and the network stack would
 * have done.
 */

/* descriptors that collect before they are written back, in [RT]XDCTL */
#define WTHRESH(ctl)	((ctl) >> 16 & 0x1f)

/* A reset rewrites both rings: the cyclic thread has to be out meanwhile. */
static void reset_task(struct work_struct *work)
{
	struct adv_adapter *adapter =
		container_of(work, struct adv_adapter, reset_task);
	struct kecat_wrap *port = kecat_wrap_find(&adapter->pdev->dev);

	if (!port || !kecat_wrap_reset_begin(port))
		return;
	adv_reset_task(work);
	to_adv(port)->discarding = false;
	kecat_wrap_reset_end(port);
}

static int adv_claim(struct kecat_wrap *port)
{
	struct adv_adapter *adapter = netdev_priv(port->nd);
	struct adv_hw *hw = &adapter->hw;

	to_adv(port)->adapter = adapter;
	/* without messages the stock driver has one queue; poll.c knows one */
	if (adapter->num_rx_queues != 1 || adapter->num_tx_queues != 1) {
		dev_err(&port->pdev->dev,
			"%d receive and %d transmit queues: this kernel's driver gets its interrupts in an unknown way\n",
			adapter->num_rx_queues, adapter->num_tx_queues);
		return -EOPNOTSUPP;
	}

	/* a slave must not pause the master; leaving LPI costs microseconds */
	hw->fc.requested_mode = adv_fc_none;
	adapter->fc_autoneg = false;
	adv_forbid_eee(adapter);
	adapter->wol = 0;

	/* a descriptor per slot, so that both share one index */
	adapter->tx_ring_count = KECAT_WRAP_SLOTS;
	adapter->tx_ring[0]->count = KECAT_WRAP_SLOTS;

	adapter->reset_task.func = reset_task;
	return 0;
}

/*
 * The stock driver lets 16 sent and 4 received frames collect before it hears
 * of them.  The wrapper set both thresholds by the names they have today.
 */
static bool writes_back_at_once(struct adv_adapter *adapter)
{
	struct adv_hw *hw = &adapter->hw;
	u32 tx = rd32(adv_reg_txdctl(adapter->tx_ring[0]->reg_idx));
	u32 rx = rd32(adv_reg_rxdctl(adapter->rx_ring[0]->reg_idx));

	if (!WTHRESH(tx) && WTHRESH(rx) <= 1)
		return true;
	dev_err(&adapter->pdev->dev,
		"descriptors collect before they are written back (TXDCTL %08x, RXDCTL %08x): not known to work with this kernel's driver\n",
		tx, rx);
	return false;
}

/* The reset makes the PHY advertise what adv_claim() asked for. */
static int adv_port_open(struct kecat_wrap *port)
{
	struct adv *a = to_adv(port);
	struct adv_adapter *adapter = a->adapter;
	int err;

	adv_reset(adapter);
	err = adv_open(port->nd);
	if (err)
		return err;
	if (!writes_back_at_once(adapter)) {
		adv_close(port->nd);
		return -EOPNOTSUPP;
	}
	a->discarding = false;
	memset(&a->base, 0, sizeof(a->base));
	adv_get_stats64(port->nd, &a->base);
	return 0;
}

static void adv_port_close(struct kecat_wrap *port)
{
	adv_close(port->nd);
}

/*
 * The link interrupt of the stock driver.  Its watchdog does the rest, from a
 * timer that is armed here and so stays off the cyclic CPU.
 */
static void link_changed(struct adv_adapter *adapter)
{
	adapter->hw.mac.get_link_status = true;
	mod_timer(&adapter->watchdog_timer, jiffies + 1);
}

/* For a cause that ICR did not latch; other media have their own notion of LU */
static bool link_differs(struct adv_adapter *adapter)
{
	struct adv_hw *hw = &adapter->hw;
	bool up = rd32(adv_reg_status) & adv_status_lu;

	return hw->phy.media_type == adv_media_copper &&
	       up != netif_carrier_ok(adapter->netdev);
}

/* Descriptors are the cyclic thread's: this only looks. */
static bool tx_hangs(struct adv *a)
{
	struct adv_ring *r = a->adapter->tx_ring[0];
	unsigned int oldest = READ_ONCE(r->next_to_clean);
	union adv_tx_desc *d = adv_tx_desc_at(r, oldest);

	return kecat_wrap_hangs(&a->wrap, READ_ONCE(a->tx_done),
				oldest != READ_ONCE(r->next_to_use) &&
				!(READ_ONCE(d->wb.status) &
				  cpu_to_le32(adv_txd_stat_dd)));
}

/* ICR collects causes although all are masked; with IMS 0 reading clears it. */
static u32 adv_link_poll(struct kecat_wrap *port)
{
	struct adv *a = to_adv(port);
	struct adv_adapter *adapter = a->adapter;
	struct adv_hw *hw = &adapter->hw;
	u32 icr;

	/* a device that fell off the bus reads as all ones */
	icr = rd32(adv_reg_icr);
	if (icr == ~0U)
		return 0;
	if (icr & adv_icr_link || link_differs(adapter))
		link_changed(adapter);
	if (icr & adv_icr_drsta || tx_hangs(a))
		schedule_work(&adapter->reset_task);
	return netif_carrier_ok(adapter->netdev) ? adapter->link_speed : 0;
}

static void adv_get_stats(struct kecat_wrap *port, struct kecat_nic_stats *st)
{
	struct adv *a = to_adv(port);
	struct rtnl_link_stats64 now = {};

	adv_get_stats64(port->nd, &now);
	st->rx_errors = now.rx_errors - a->base.rx_errors;
	st->rx_missed = now.rx_missed_errors - a->base.rx_missed_errors;
	st->tx_errors = now.tx_errors - a->base.tx_errors;
	st->rx_dropped = READ_ONCE(a->rx_dropped);
}

static const struct kecat_nic_ops adv_ops = {
	.start = kecat_wrap_start,
	.stop = kecat_wrap_stop,
	.link_poll = kecat_wrap_link_poll,
	.get_stats = kecat_wrap_get_stats,
	.tx_buf = adv_tx_buf,
	.tx_commit = adv_tx_commit,
	.tx_kick = adv_tx_kick,
	.rx_poll = adv_rx_poll,
};

const struct kecat_wrap_driver kecat_wrap_driver = {
	.port_size = sizeof(struct adv),
	.ops = &adv_ops,
	.claim = adv_claim,
	.open = adv_port_open,
	.close = adv_port_close,
	.link_poll = adv_link_poll,
	.get_stats = adv_get_stats,
};
