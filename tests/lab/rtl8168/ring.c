// SPDX-License-Identifier: GPL-2.0-only
/* Descriptors and frames. */
#include <string.h>
#include <sys/socket.h>

#include "nic.h"

#define OWN		0x80000000u
#define RING_END	0x40000000u
#define FIRST		0x20000000u
#define LAST		0x10000000u
#define TX_OFFLOAD	0x08000000u	/* segmentation: not done */
#define RX_MULTICAST	0x08000000u
#define RX_UNICAST	0x04000000u
#define RX_BROADCAST	0x02000000u
#define RX_ERROR	0x00200000u
#define RX_RUNT		0x00100000u
#define LENGTH		0x3fffu

#define ACCEPT_ALL	0x01
#define ACCEPT_MINE	0x02
#define ACCEPT_MULTI	0x04
#define ACCEPT_BROAD	0x08
#define ACCEPT_RUNT	0x10

#define RING_MAX	1024	/* as many as the chip can count */
#define FRAME_MIN	60
#define FCS		4
#define RUNT_LEN	30

struct desc {
	uint32_t opts1, opts2;
	uint64_t addr;
};

static struct desc *desc_at(struct nic *n, unsigned int ring, unsigned int i)
{
	return vfu_memory(n, (get64(n, ring) & ~0xffull) + i * sizeof(struct desc),
			  sizeof(struct desc), true);
}

static unsigned int next(unsigned int i, uint32_t opts1)
{
	return opts1 & RING_END || i + 1 >= RING_MAX ? 0 : i + 1;
}

static bool strikes(unsigned int *fault)
{
	if (!*fault)
		return false;
	--*fault;
	return true;
}

static uint32_t crc32(const uint8_t *p, unsigned int len)
{
	uint32_t crc = ~0u;

	while (len--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static void to_wire(struct nic *n, unsigned int len)
{
	if (len < FRAME_MIN) {
		memset(n->frame + len, 0, FRAME_MIN - len);
		len = FRAME_MIN;
	}
	n->tally.tx++;
	n->count.tx++;
	/* as on a cable without an other end: gone */
	if (n->speed)
		send(n->wire, n->frame, len, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* Copies one descriptor's part behind the @have bytes there are; false: cannot */
static bool gather(struct nic *n, const struct desc *d, uint32_t opts1, unsigned int *have)
{
	unsigned int len = opts1 & 0xffff;
	const void *from = vfu_memory(n, d->addr, len, false);

	if (!from || len > FRAME_MAX - *have)
		return false;
	memcpy(n->frame + *have, from, len);
	*have += len;
	return true;
}

/**
 * ring_send - send what the ring holds
 * @n: the device
 */
void ring_send(struct nic *n)
{
	unsigned int have = 0;
	bool good = true, any = false;

	if (!(n->reg[CHIP_CMD] & CMD_TX))
		return;
	for (unsigned int i = 0; i < RING_MAX; i++) {
		struct desc *d = desc_at(n, TX_DESC, n->tx_next);
		uint32_t opts1;

		if (!d)
			return;
		opts1 = __atomic_load_n(&d->opts1, __ATOMIC_ACQUIRE);
		if (!(opts1 & OWN))
			break;
		if (opts1 & FIRST) {
			have = 0;
			good = true;
		}
		n->count.offloads += !!(opts1 & TX_OFFLOAD);
		good &= gather(n, d, opts1, &have);
		if (!strikes(&n->fault.own))
			__atomic_store_n(&d->opts1, opts1 & ~OWN, __ATOMIC_RELEASE);
		n->tx_next = next(n->tx_next, opts1);
		if (!(opts1 & LAST))
			continue;
		any = true;
		if (good)
			to_wire(n, have);
		else
			n->tally.tx_errors++;
	}
	if (any)
		chip_cause(n, CAUSE_TX);
}

/**
 * ring_doorbell - the guest asked for a look at the transmit ring
 * @n: the device
 */
void ring_doorbell(struct nic *n)
{
	struct counts *c = &n->count;

	c->doorbells++;
	if (c->gap_reads < c->gap_min)
		c->gap_min = c->gap_reads;
	c->gap_reads = 0;
	n->waiting = true;
	if (strikes(&n->fault.doorbell))
		return;
	if (!n->fault.dma_us)
		ring_send(n);
	else if (!n->tx_at)
		n->tx_at = now_ns() + n->fault.dma_us * 1000ull;
}

/* Kind of the frame's address if the filter lets it pass, else 0 */
static uint32_t address_kind(const struct nic *n, const uint8_t *f)
{
	static const uint8_t all[6] = { 255, 255, 255, 255, 255, 255 };
	uint32_t rc = get32(n, RX_CONFIG), kind, wanted;

	if (!memcmp(f, all, sizeof(all))) {
		kind = RX_BROADCAST;
		wanted = ACCEPT_BROAD;
	} else if (f[0] & 1) {
		kind = RX_MULTICAST;
		wanted = ACCEPT_MULTI | ACCEPT_ALL;
	} else {
		kind = RX_UNICAST;
		wanted = ACCEPT_ALL | (memcmp(f, n->reg, 6) ? 0 : ACCEPT_MINE);
	}
	return rc & wanted ? kind : 0;
}

static void no_room(struct nic *n)
{
	n->tally.rx_missed++;
	n->count.missed++;
	chip_cause(n, CAUSE_RX_NONE | (n->chip->fifo_over ? CAUSE_FIFO : 0));
}

/* One descriptor's part, with @flags in its status; @total is what the last says */
static bool give(struct nic *n, unsigned int from, unsigned int total, uint32_t flags,
		 unsigned int *gone)
{
	struct desc *d = desc_at(n, RX_DESC, n->rx_next);
	uint32_t opts1 = d ? __atomic_load_n(&d->opts1, __ATOMIC_ACQUIRE) : 0;
	unsigned int room = opts1 & LENGTH, part = total - from;
	uint8_t *to;

	if (!(opts1 & OWN) || !room)
		return false;
	if (part > room)
		part = room;
	to = vfu_memory(n, d->addr, part, true);
	if (!to)
		return false;
	memcpy(to, n->frame + from, part);
	d->opts2 = 0;
	if (!from)
		flags |= FIRST;
	if (from + part == total)
		flags |= LAST;
	if (strikes(&n->fault.length))
		total = n->fault.length_val;
	__atomic_store_n(&d->opts1, (opts1 & RING_END) | flags |
			 (flags & LAST ? total & LENGTH : part), __ATOMIC_RELEASE);
	n->rx_next = next(n->rx_next, opts1);
	*gone = part;
	return true;
}

/* What the wire made of a frame of @len bytes, now in n->frame */
static unsigned int damaged(struct nic *n, unsigned int len)
{
	if (strikes(&n->fault.runt))
		return RUNT_LEN;
	if (len < FRAME_MIN) {
		memset(n->frame + len, 0, FRAME_MIN - len);
		len = FRAME_MIN;
	}
	if (n->fault.giant_len > len && strikes(&n->fault.giant)) {
		memset(n->frame + len, 0, n->fault.giant_len - len);
		len = n->fault.giant_len;
	}
	return len;
}

/* Length of n->frame with its FCS and status bits; 0 if it goes nowhere */
static unsigned int finish(struct nic *n, unsigned int len, uint32_t *flags)
{
	unsigned int max = get32(n, RX_MAX) & 0xffff;
	uint32_t crc;

	len = damaged(n, len);
	*flags = address_kind(n, n->frame);
	if (!*flags) {
		n->count.filtered++;
		return 0;
	}
	if (len < FRAME_MIN) {
		n->tally.rx_errors++;
		*flags |= RX_ERROR | RX_RUNT;
		if (!(get32(n, RX_CONFIG) & ACCEPT_RUNT))
			return 0;
	}
	if (len + FCS > max || len + FCS > FRAME_MAX) {
		n->tally.rx_errors++;
		return 0;
	}
	crc = crc32(n->frame, len);
	memcpy(n->frame + len, &crc, FCS);
	return len + FCS;
}

/**
 * ring_receive - a frame from the wire, without FCS
 * @n:     the device
 * @frame: its bytes
 * @len:   how many
 */
void ring_receive(struct nic *n, const uint8_t *frame, unsigned int len)
{
	unsigned int from = 0, part, total;
	uint32_t flags;

	if (len < 14 || len > FRAME_MAX - FCS || !n->speed ||
	    !(n->reg[CHIP_CMD] & CMD_RX)) {
		n->count.filtered++;
		return;
	}
	memcpy(n->frame, frame, len);
	total = finish(n, len, &flags);
	if (!total)
		return;
	if (strikes(&n->fault.overflow)) {
		no_room(n);
		return;
	}
	for (; from < total; from += part) {
		if (!give(n, from, total, flags, &part)) {
			no_room(n);
			return;
		}
	}
	n->waiting = false;
	n->tally.rx++;
	n->count.rx++;
	chip_cause(n, CAUSE_RX);
}

/**
 * ring_dump_tally - the chip's counters, as its drivers read them
 * @n:  the device
 * @to: address in the guest
 */
void ring_dump_tally(struct nic *n, uint64_t to)
{
	uint8_t *p = vfu_memory(n, to, 64, true);

	if (!p)
		return;
	memset(p, 0, 64);
	memcpy(p, &n->tally.tx, 8);
	memcpy(p + 8, &n->tally.rx, 8);
	memcpy(p + 16, &n->tally.tx_errors, 8);
	memcpy(p + 24, &n->tally.rx_errors, 4);
	memcpy(p + 28, &n->tally.rx_missed, 2);
}
