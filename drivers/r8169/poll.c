// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cyclic half: transmit and receive on the rings that the stock driver has
 * set up.  One thread, no lock, no allocation, no mapping, no register read;
 * one posted write per cycle to send and none to receive, because the chip
 * looks for the OWN bit of the next descriptor itself.
 *
 * The stock driver's invariants hold whenever the gate is closed, so that its
 * own code may take the rings down: a descriptor that the chip may own has its
 * length in tx_skb[] (see wrapper.c), and a receive buffer never leaves its
 * descriptor.
 */

/* preamble, FCS and gap, and the time of a byte at 100 Mbit/s */
#define WIRE_OVERHEAD	24
#define BYTE_NS		80
/* for the chip to fetch descriptor and frame, and to write OWN back */
#define FETCH_NS	20000

static struct TxDesc *tx_desc(struct rtl8169_private *tp, u32 n)
{
	return tp->TxDescArray + n % NUM_TX_DESC;
}

static bool chip_owns(const struct TxDesc *d)
{
	return READ_ONCE(d->opts1) & cpu_to_le32(DescOwn);
}

static void reclaim_tx(struct rtl *r)
{
	struct rtl8169_private *tp = r->tp;

	while (tp->dirty_tx != tp->cur_tx &&
	       !chip_owns(tx_desc(tp, tp->dirty_tx))) {
		WRITE_ONCE(tp->dirty_tx, tp->dirty_tx + 1);
		WRITE_ONCE(r->tx_done, r->tx_done + 1);
	}
}

/* The ring is longer than there are slots: a slot serves several descriptors. */
static void *rtl_tx_buf(struct kecat_nic *nic)
{
	struct rtl *r = nic_to_rtl(nic);
	struct rtl8169_private *tp = r->tp;

	BUILD_BUG_ON(NUM_TX_DESC % KECAT_WRAP_SLOTS);
	reclaim_tx(r);
	if (unlikely(tp->cur_tx - tp->dirty_tx >= KECAT_WRAP_SLOTS))
		return NULL;
	return r->wrap.slot[tp->cur_tx % KECAT_WRAP_SLOTS];
}

static void rtl_tx_commit(struct kecat_nic *nic, unsigned int len)
{
	struct rtl *r = nic_to_rtl(nic);
	struct rtl8169_private *tp = r->tp;
	unsigned int n = tp->cur_tx % NUM_TX_DESC;
	dma_addr_t dma = r->wrap.slot_dma[tp->cur_tx % KECAT_WRAP_SLOTS];
	struct TxDesc *d = tp->TxDescArray + n;
	u32 opts1 = len | DescOwn | FirstFrag | LastFrag;

	if (n == NUM_TX_DESC - 1)
		opts1 |= RingEnd;
	tp->tx_skb[n].len = len;
	d->addr = cpu_to_le64(dma);
	d->opts2 = 0;
	dma_wmb();	/* address and frame before the OWN bit */
	WRITE_ONCE(d->opts1, cpu_to_le32(opts1));
	WRITE_ONCE(tp->cur_tx, tp->cur_tx + 1);
	r->committed += len + WIRE_OVERHEAD;
}

/* By then the chip has fetched all that was committed, unless it missed it. */
static void expect_sent(struct rtl *r, u64 now)
{
	r->sent_by = max(r->sent_by, now + FETCH_NS) + r->committed * BYTE_NS;
	r->committed = 0;
}

static void rtl_tx_kick(struct kecat_nic *nic)
{
	struct rtl *r = nic_to_rtl(nic);

	wmb();	/* OWN bits before the doorbell */
	rtl8169_doorbell(r->tp);
	expect_sent(r, ktime_get_ns());
}

/*
 * A doorbell that comes while the chip ends its look at the ring can get lost,
 * and the frame would wait for the next cycle's.  The newest descriptor tells:
 * it is still the chip's when the wire could long have sent it.
 */
static void kick_again(struct rtl *r)
{
	struct rtl8169_private *tp = r->tp;
	u64 now;

	if (tp->dirty_tx == tp->cur_tx || r->committed ||
	    !chip_owns(tx_desc(tp, tp->cur_tx - 1)))
		return;
	now = ktime_get_ns();
	if (now < r->sent_by)
		return;
	rtl8169_doorbell(tp);
	r->sent_by = now + FETCH_NS + (KECAT_NIC_FRAME_MAX + WIRE_OVERHEAD) * BYTE_NS;
}

static void hand_over(struct rtl *r, unsigned int n, struct RxDesc *d, u32 status)
{
	struct device *dev = tp_to_dev(r->tp);
	dma_addr_t dma = le64_to_cpu(d->addr);
	unsigned int len = status & GENMASK(13, 0);

	if (unlikely(status & RxRES || rtl8169_fragmented_frame(status) ||
		     len <= ETH_FCS_LEN ||
		     len > KECAT_NIC_FRAME_MAX + ETH_FCS_LEN)) {
		WRITE_ONCE(r->rx_dropped, r->rx_dropped + 1);
		return;
	}
	len -= ETH_FCS_LEN;
	dma_sync_single_for_cpu(dev, dma, len, DMA_FROM_DEVICE);
	/* read only, so that nothing has to be made ready for the device again */
	kecat_nic_rx(&r->wrap.nic, page_address(r->tp->Rx_databuff[n]), len);
}

static int rtl_rx_poll(struct kecat_nic *nic, int budget)
{
	struct rtl *r = nic_to_rtl(nic);
	struct rtl8169_private *tp = r->tp;
	int n;

	for (n = 0; n < budget; n++, tp->cur_rx++) {
		unsigned int entry = tp->cur_rx % NUM_RX_DESC;
		struct RxDesc *d = tp->RxDescArray + entry;
		u32 status = le32_to_cpu(READ_ONCE(d->opts1));

		if (status & DescOwn)
			break;
		dma_rmb();	/* OWN before the rest of the descriptor */
		hand_over(r, entry, d, status);
		rtl8169_mark_to_asic(d);
	}
	kick_again(r);
	return n;
}
