// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control half: turn a probed r8169 into a polled one, and do from outside
 * what its interrupt handler and the network stack would have done.
 */

/* A reset rewrites both rings: the cyclic thread has to be out meanwhile. */
static void reset_task(struct work_struct *work)
{
	struct rtl8169_private *tp =
		container_of(work, struct rtl8169_private, wk.work);
	struct kecat_wrap *port = kecat_wrap_find(tp_to_dev(tp));

	if (!port || !kecat_wrap_reset_begin(port))
		return;
	rtl_task(work);
	to_rtl(port)->committed = 0;
	kecat_wrap_reset_end(port);
}

/*
 * PCI chips (RTL8169 and 8110) need the interrupt to get their link changes
 * right, and the Fast Ethernet ones are a family of their own.
 */
static int check_chip(struct rtl8169_private *tp)
{
	if (tp->mac_version > RTL_GIGA_MAC_VER_06 && tp->supports_gmii)
		return 0;
	dev_err(tp_to_dev(tp),
		"kecat drives RTL8168 and RTL8111 chips from B on and RTL8125; this one is older or of the Fast Ethernet family: use another port\n");
	return -EOPNOTSUPP;
}

static int rtl_claim(struct kecat_wrap *port)
{
	struct rtl8169_private *tp = netdev_priv(port->nd);
	int err;

	err = check_chip(tp);
	if (err)
		return err;
	to_rtl(port)->tp = tp;

	/* nothing is ever unmasked, and no vector is there to be raised */
	tp->irq_mask = 0;
	pci_free_irq_vectors(tp->pci_dev);
	tp->irq = tp->pci_dev->irq;
	tp->phydev->irq = PHY_POLL;

	/* each reset would let the chip use ASPM and clock requests again */
	tp->aspm_manageable = 0;
	/* VLAN tags stay in the frame; the features were cut down for us */
	rtl8169_set_features(port->nd, port->nd->features);
	tp->saved_wolopts = 0;
	/* INIT_WORK() would lose how often newer drivers disabled it */
	tp->wk.work.func = reset_task;
	return 0;
}

/* Leaving low power idle costs microseconds; chips without it have an error. */
static void refuse_eee(struct net_device *nd)
{
	struct KECAT_ETHTOOL_EEE off = {};

	rtl8169_set_eee(nd, &off);
}

/*
 * Adds up what the chip counted since the last look; its counters are narrow,
 * and the chip keeps them when the driver is reloaded.
 */
static void take_tally(struct rtl *r)
{
	const struct rtl8169_counters *c = r->tp->counters;
	u64 tx_errors;
	u32 rx_errors;
	u16 rx_missed;

	rtl8169_update_counters(r->tp);
	tx_errors = le64_to_cpu(c->tx_errors);
	rx_errors = le32_to_cpu(c->rx_errors);
	rx_missed = le16_to_cpu(c->rx_missed);
	r->stats.tx_errors += tx_errors - r->tally.tx_errors;
	r->stats.rx_errors += (u32)(rx_errors - r->tally.rx_errors);
	r->stats.rx_missed += (u16)(rx_missed - r->tally.rx_missed);
	r->tally.tx_errors = tx_errors;
	r->tally.rx_errors = rx_errors;
	r->tally.rx_missed = rx_missed;
}

static int rtl_port_open(struct kecat_wrap *port)
{
	struct rtl *r = to_rtl(port);
	int err;

	err = rtl_open(port->nd);
	if (err)
		return err;
	refuse_eee(port->nd);
	r->committed = 0;
	r->sent_by = 0;
	take_tally(r);
	memset(&r->stats, 0, sizeof(r->stats));
	return 0;
}

static void rtl_port_close(struct kecat_wrap *port)
{
	rtl8169_close(port->nd);
}

/* Descriptors are the cyclic thread's: this only looks. */
static bool tx_hangs(struct rtl *r)
{
	struct rtl8169_private *tp = r->tp;
	u32 oldest = READ_ONCE(tp->dirty_tx);

	return kecat_wrap_hangs(&r->wrap, READ_ONCE(r->tx_done),
				oldest != READ_ONCE(tp->cur_tx) &&
				chip_owns(tx_desc(tp, oldest)));
}

/* The PHY's state machine looks once a second by itself; this makes it look now. */
static void follow_link(struct rtl8169_private *tp)
{
	bool up = RTL_R8(tp, PHYstatus) & LinkStatus;

	if (up != netif_carrier_ok(tp->dev))
		phy_mac_interrupt(tp->phydev);
}

/* VER_11, which newer kernels do not support and have no name for. */
static bool is_first_8168b(const struct rtl8169_private *tp)
{
	return tp->mac_version > RTL_GIGA_MAC_VER_10 &&
	       tp->mac_version < RTL_GIGA_MAC_VER_14;
}

/* Causes are latched although all are masked. */
static u32 rtl_port_link_poll(struct kecat_wrap *port)
{
	struct rtl *r = to_rtl(port);
	struct rtl8169_private *tp = r->tp;
	u32 events = rtl_get_events(tp);

	/* a device that fell off the bus reads as all ones */
	if ((events & 0xffff) == 0xffff)
		return 0;
	rtl_ack_events(tp, events);
	follow_link(tp);
	/* as the stock handler: the first 8168b does not receive any more */
	if (events & RxFIFOOver && is_first_8168b(tp))
		rtl_schedule_task(tp, RTL_FLAG_TASK_RESET_PENDING);
	if (tx_hangs(r))
		rtl_schedule_task(tp, RTL_FLAG_TASK_RESET_PENDING);
	return netif_carrier_ok(tp->dev) ? tp->phydev->speed : 0;
}

static void rtl_port_get_stats(struct kecat_wrap *port, struct kecat_nic_stats *st)
{
	struct rtl *r = to_rtl(port);

	take_tally(r);
	*st = r->stats;
	st->rx_dropped = READ_ONCE(r->rx_dropped);
}

static const struct kecat_nic_ops rtl_ops = {
	.start = kecat_wrap_start,
	.stop = kecat_wrap_stop,
	.link_poll = kecat_wrap_link_poll,
	.get_stats = kecat_wrap_get_stats,
	.tx_buf = rtl_tx_buf,
	.tx_commit = rtl_tx_commit,
	.tx_kick = rtl_tx_kick,
	.rx_poll = rtl_rx_poll,
};

const struct kecat_wrap_driver kecat_wrap_driver = {
	.port_size = sizeof(struct rtl),
	.ops = &rtl_ops,
	.claim = rtl_claim,
	.open = rtl_port_open,
	.close = rtl_port_close,
	.link_poll = rtl_port_link_poll,
	.get_stats = rtl_port_get_stats,
};
