// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cyclic half: transmit and receive on the rings that the stock driver has
 * set up.  One thread, no lock, no allocation, no mapping, no register read;
 * one posted write per cycle to send, and one per E1000_RX_BUFFER_WRITE frames
 * to return receive buffers.
 *
 * The stock driver's invariants hold whenever the gate is closed, so that its
 * own code may take the rings down: transmit slots never enter buffer_info (it
 * finds nothing to unmap), and the receive ring's next_to_use is the one entry
 * without a buffer.
 */

/* The ring has one descriptor per slot, see e1k_claim(). */
static void reclaim_tx(struct e1k *e)
{
	struct e1000_ring *r = e->adapter->tx_ring;
	const __le32 done = cpu_to_le32(E1000_TXD_STAT_DD);

	while (r->next_to_clean != r->next_to_use) {
		struct e1000_tx_desc *d = E1000_TX_DESC(*r, r->next_to_clean);

		if (!(READ_ONCE(d->upper.data) & done))
			break;
		WRITE_ONCE(e->tx_done, e->tx_done + 1);
		if (++r->next_to_clean == r->count)
			r->next_to_clean = 0;
	}
}

static void *e1k_tx_buf(struct kecat_nic *nic)
{
	struct e1k *e = nic_to_e1k(nic);
	struct e1000_ring *r = e->adapter->tx_ring;

	if (r->next_to_clean != r->next_to_use)
		reclaim_tx(e);
	if (unlikely(!e1000_desc_unused(r)))
		return NULL;
	return e->wrap.slot[r->next_to_use];
}

static void e1k_tx_commit(struct kecat_nic *nic, unsigned int len)
{
	struct e1k *e = nic_to_e1k(nic);
	struct e1000_ring *r = e->adapter->tx_ring;
	struct e1000_tx_desc *d = E1000_TX_DESC(*r, r->next_to_use);

	d->buffer_addr = cpu_to_le64(e->wrap.slot_dma[r->next_to_use]);
	d->lower.data = cpu_to_le32(e->adapter->txd_cmd | len);
	d->upper.data = 0;
	if (++r->next_to_use == r->count)
		r->next_to_use = 0;
}

/*
 * The branch is for 82579 under an active management engine: the stock
 * driver's way around a lost tail write reads registers.  e1k_claim() warns.
 */
static void e1k_tx_kick(struct kecat_nic *nic)
{
	struct e1000_adapter *adapter = nic_to_e1k(nic)->adapter;
	struct e1000_ring *r = adapter->tx_ring;

	dma_wmb();	/* descriptors before the doorbell */
	if (unlikely(adapter->flags2 & FLAG2_PCIM2PCI_ARBITER_WA))
		e1000e_update_tdt_wa(r, r->next_to_use);
	else
		writel(r->next_to_use, r->tail);
}

static void hand_over(struct e1k *e, struct e1000_buffer *buf, u32 status,
		      unsigned int len)
{
	struct e1000_adapter *adapter = e->adapter;
	struct device *dev = &adapter->pdev->dev;
	bool last = status & E1000_RXD_STAT_EOP;

	if (!(adapter->flags2 & FLAG2_CRC_STRIPPING))
		len = len > ETH_FCS_LEN ? len - ETH_FCS_LEN : 0;
	if (unlikely(!last || e->discarding || !len ||
		     len > adapter->rx_buffer_len ||
		     status & E1000_RXDEXT_ERR_FRAME_ERR_MASK)) {
		/* count a frame of several descriptors at its last one */
		e->discarding = !last;
		if (last)
			WRITE_ONCE(e->rx_dropped, e->rx_dropped + 1);
		return;
	}
	dma_sync_single_for_cpu(dev, buf->dma, len, DMA_FROM_DEVICE);
	/* read only, so that nothing has to be made ready for the device again */
	kecat_nic_rx(&e->wrap.nic, buf->skb->data, len);
}

/* At most E1000_RX_BUFFER_WRITE - 1 of some 250 buffers wait for the tail. */
static void return_buffers(struct e1000_adapter *adapter, struct e1000_ring *r)
{
	dma_wmb();	/* descriptors before the tail */
	if (unlikely(adapter->flags2 & FLAG2_PCIM2PCI_ARBITER_WA))
		e1000e_update_rdt_wa(r, r->next_to_use);
	else
		writel(r->next_to_use, r->tail);
}

/* Move the buffer just read into the empty entry and give that to the NIC. */
static void recycle(struct e1000_adapter *adapter, struct e1000_ring *r,
		    union e1000_rx_desc_extended *read, struct e1000_buffer *buf)
{
	unsigned int use = r->next_to_use;
	struct e1000_buffer *empty = &r->buffer_info[use];
	union e1000_rx_desc_extended *d = E1000_RX_DESC_EXT(*r, use);
	dma_addr_t dma = buf->dma;

	read->wb.upper.status_error = 0;
	if (empty != buf) {
		empty->skb = buf->skb;
		empty->dma = dma;
		buf->skb = NULL;
		buf->dma = 0;
	}
	d->read.buffer_addr = cpu_to_le64(dma);
	d->read.reserved = 0;
	if (++use == r->count)
		use = 0;
	r->next_to_use = use;
	if (!(use & (E1000_RX_BUFFER_WRITE - 1)))
		return_buffers(adapter, r);
}

static int e1k_rx_poll(struct kecat_nic *nic, int budget)
{
	struct e1k *e = nic_to_e1k(nic);
	struct e1000_ring *r = e->adapter->rx_ring;
	unsigned int clean = r->next_to_clean;
	int n;

	for (n = 0; n < budget; n++) {
		union e1000_rx_desc_extended *d = E1000_RX_DESC_EXT(*r, clean);
		struct e1000_buffer *buf = &r->buffer_info[clean];
		u32 st = le32_to_cpu(READ_ONCE(d->wb.upper.status_error));

		if (!(st & E1000_RXD_STAT_DD))
			break;
		dma_rmb();	/* status before the rest of the descriptor */
		hand_over(e, buf, st, le16_to_cpu(d->wb.upper.length));
		recycle(e->adapter, r, d, buf);
		if (++clean == r->count)
			clean = 0;
	}
	if (!n)
		return 0;
	r->next_to_clean = clean;
	/*
	 * Frames came back, so sent ones are done.  The watchdog takes those
	 * not reclaimed for stuck when the link goes, and resets.
	 */
	reclaim_tx(e);
	return n;
}
