// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cyclic half for advanced descriptors: transmit and receive on the one
 * pair of rings that the stock driver has set up.  One thread, no lock, no
 * allocation, no mapping, no register read; one posted write per cycle to
 * send, and one per adv_rx_buffer_write frames to return receive buffers.
 *
 * The stock driver's invariants hold whenever the gate is closed, so that its
 * own code may take the rings down: a transmit entry in use ends its frame and
 * has no skb, and next_to_use of the receive ring is the one entry without a
 * buffer.
 */

/* The ring has one descriptor per slot, see adv_claim(). */
static void reclaim_tx(struct adv *a)
{
	struct adv_ring *r = a->adapter->tx_ring[0];
	const __le32 done = cpu_to_le32(adv_txd_stat_dd);

	while (r->next_to_clean != r->next_to_use) {
		union adv_tx_desc *d = adv_tx_desc_at(r, r->next_to_clean);

		if (!(READ_ONCE(d->wb.status) & done))
			break;
		WRITE_ONCE(a->tx_done, a->tx_done + 1);
		if (++r->next_to_clean == r->count)
			r->next_to_clean = 0;
	}
}

static void *adv_tx_buf(struct kecat_nic *nic)
{
	struct adv *a = nic_to_adv(nic);
	struct adv_ring *r = a->adapter->tx_ring[0];

	if (r->next_to_clean != r->next_to_use)
		reclaim_tx(a);
	if (unlikely(!adv_desc_unused(r)))
		return NULL;
	return a->wrap.slot[r->next_to_use];
}

static void adv_tx_commit(struct kecat_nic *nic, unsigned int len)
{
	struct adv *a = nic_to_adv(nic);
	struct adv_ring *r = a->adapter->tx_ring[0];
	union adv_tx_desc *d = adv_tx_desc_at(r, r->next_to_use);

	d->read.buffer_addr = cpu_to_le64(a->wrap.slot_dma[r->next_to_use]);
	d->read.cmd_type_len = cpu_to_le32(adv_txd_command | len);
	/* clears the status, which shares its place */
	d->read.olinfo_status = cpu_to_le32(len << adv_txd_paylen_shift);
	r->tx_buffer_info[r->next_to_use].next_to_watch = d;
	if (++r->next_to_use == r->count)
		r->next_to_use = 0;
}

static void adv_tx_kick(struct kecat_nic *nic)
{
	struct adv_ring *r = nic_to_adv(nic)->adapter->tx_ring[0];

	dma_wmb();	/* descriptors before the doorbell */
	writel(r->next_to_use, r->tail);
}

static void hand_over(struct adv *a, struct adv_ring *r,
		      struct adv_rx_buffer *buf, u32 status, unsigned int len)
{
	bool last = status & adv_rxd_stat_eop;

	if (unlikely(!last || a->discarding || !len ||
		     len > adv_rx_bufsz(r) || status & adv_rxd_errors)) {
		/* count a frame of several descriptors at its last one */
		a->discarding = !last;
		if (last)
			WRITE_ONCE(a->rx_dropped, a->rx_dropped + 1);
		return;
	}
	dma_sync_single_range_for_cpu(r->dev, buf->dma, buf->page_offset, len,
				      DMA_FROM_DEVICE);
	/* read only, so that nothing has to be made ready for the device again */
	kecat_nic_rx(&a->wrap.nic, page_address(buf->page) + buf->page_offset,
		     len);
}

/* Move the buffer just read into the empty entry and give that to the NIC. */
static void recycle(struct adv_ring *r, union adv_rx_desc *read,
		    struct adv_rx_buffer *buf)
{
	struct adv_rx_buffer *empty = &r->rx_buffer_info[r->next_to_use];
	union adv_rx_desc *d;

	read->wb.upper.status_error = 0;
	if (empty != buf) {
		*empty = *buf;
		buf->page = NULL;
	}
	d = adv_rx_desc_at(r, r->next_to_use);
	d->read.pkt_addr = cpu_to_le64(empty->dma + empty->page_offset);
	d->read.hdr_addr = 0;	/* status and length share its place */
	if (++r->next_to_use == r->count)
		r->next_to_use = 0;
	/* up to here the stock driver frees buffers */
	r->next_to_alloc = r->next_to_use;
}

/* At most adv_rx_buffer_write - 1 of some 250 buffers wait for the tail. */
static void return_buffers(struct adv_ring *r)
{
	if (r->next_to_use & (adv_rx_buffer_write - 1))
		return;
	dma_wmb();	/* descriptors before the tail */
	writel(r->next_to_use, r->tail);
}

static int adv_rx_poll(struct kecat_nic *nic, int budget)
{
	struct adv *a = nic_to_adv(nic);
	struct adv_ring *r = a->adapter->rx_ring[0];
	int n;

	for (n = 0; n < budget; n++) {
		union adv_rx_desc *d = adv_rx_desc_at(r, r->next_to_clean);
		struct adv_rx_buffer *buf = &r->rx_buffer_info[r->next_to_clean];
		u32 st = le32_to_cpu(READ_ONCE(d->wb.upper.status_error));

		if (!(st & adv_rxd_stat_dd))
			break;
		dma_rmb();	/* status before the rest of the descriptor */
		hand_over(a, r, buf, st, le16_to_cpu(d->wb.upper.length));
		recycle(r, d, buf);
		return_buffers(r);
		if (++r->next_to_clean == r->count)
			r->next_to_clean = 0;
	}
	/*
	 * Frames came back, so sent ones are done.  The watchdog takes those
	 * not reclaimed for stuck when the link goes, and resets.
	 */
	if (n)
		reclaim_tx(a);
	return n;
}
