// SPDX-License-Identifier: GPL-2.0-only
/* Registers: plain storage, but for those with a meaning. */
#include <string.h>

#include "nic.h"

#define MAC0		0x00
#define TALLY		0x10
#define TX_CONFIG	0x40
#define PHYAR		0x60
#define CSIDR		0x64
#define CSIAR		0x68
#define ERIDR		0x70
#define ERIAR		0x74
#define EPHYAR		0x80
#define OCPDR		0xb0
#define GPHY_OCP	0xb8
#define MCU		0xd3
#define MCU_IDLE	0x32	/* both FIFOs empty, list ready */
#define EFUSEAR		0xdc
#define FIFO_8125	0xe2
#define MAC_BACKUP	0x19e0
#define CMD_RESET	0x10
#define FLAG		0x80000000u	/* of the indirect ones: write, or done */
#define XID_MASK	0xfcf

const struct chip chips[] = {
	{ "b", 0x8168, 0x380, 0xc912, 0x3c, 0x3e, 0x38, 2, 0x40, true, 4096 },
	{ "g", 0x8168, 0x4c0, 0xc800, 0x3c, 0x3e, 0x38, 2, 0x40, false, 4096 },
	{ "h", 0x8168, 0x541, 0xc800, 0x3c, 0x3e, 0x38, 2, 0x40, false, 4096 },
	{ "8125b", 0x8125, 0x641, 0xc840, 0x38, 0x3c, 0x90, 4, 0x01, false, 65536 },
	/* too old for kecat: a driver has to say so */
	{ "8169sb", 0x8169, 0x100, 0xc910, 0x3c, 0x3e, 0x38, 2, 0x40, true, 4096 },
	{ NULL, 0, 0, 0, 0, 0, 0, 0, 0, false, 0 },
};

const struct chip *chip_find(const char *name)
{
	for (const struct chip *c = chips; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

uint32_t get32(const struct nic *n, unsigned int reg)
{
	uint32_t v;

	memcpy(&v, n->reg + reg, sizeof(v));
	return v;
}

uint64_t get64(const struct nic *n, unsigned int reg)
{
	return get32(n, reg) | (uint64_t)get32(n, reg + 4) << 32;
}

void put32(struct nic *n, unsigned int reg, uint32_t v)
{
	memcpy(n->reg + reg, &v, sizeof(v));
}

static uint32_t masked(const struct nic *n, unsigned int reg)
{
	return n->chip->isr_width == 4 ? get32(n, reg) : get32(n, reg) & 0xffff;
}

bool chip_asserts(const struct nic *n)
{
	return masked(n, n->chip->imr) & masked(n, n->chip->isr);
}

void chip_cause(struct nic *n, uint32_t bits)
{
	put32(n, n->chip->isr, get32(n, n->chip->isr) | bits);
	if (chip_asserts(n))
		vfu_interrupt(n);
}

/* What the reset bit does, and what a reset of the bus does first. */
static void soft_reset(struct nic *n)
{
	n->reg[CHIP_CMD] = 0;
	memset(n->reg + n->chip->imr, 0, n->chip->isr_width);
	memset(n->reg + n->chip->isr, 0, n->chip->isr_width);
	put32(n, RX_CONFIG, get32(n, RX_CONFIG) & ~0x3fu);
	n->tx_next = 0;
	n->rx_next = 0;
	n->tx_at = 0;
	n->waiting = false;
}

/* Registers that read as something else than what was written. */
static void fixed_values(struct nic *n)
{
	put32(n, TX_CONFIG, (get32(n, TX_CONFIG) & ~((uint32_t)XID_MASK << 20)) |
	      (uint32_t)n->chip->xid << 20 | 0x800);
	n->reg[MCU] = (n->reg[MCU] & 0x4d) | MCU_IDLE;
	if (n->chip->isr_width == 4)
		memcpy(n->reg + FIFO_8125, "\x03\x01", 2);
}

void chip_reset(struct nic *n)
{
	memset(n->reg, 0, sizeof(n->reg));
	memcpy(n->reg + MAC0, n->mac, sizeof(n->mac));
	memcpy(n->reg + MAC_BACKUP, n->mac, sizeof(n->mac));
	memset(n->eri, 0, sizeof(n->eri));
	memcpy(&n->eri[0xe0 / 4], n->mac, 4);
	memcpy(&n->eri[0xe4 / 4], n->mac + 4, 2);
	soft_reset(n);
	phy_reset(n);
	fixed_values(n);
}

void chip_init(struct nic *n)
{
	n->irq_fd = -1;
	n->count.gap_min = UINT64_MAX;
	pci_init(n);
	chip_reset(n);
}

static void write_command(struct nic *n)
{
	if (n->reg[CHIP_CMD] & CMD_RESET)
		soft_reset(n);
	n->reg[CHIP_CMD] &= CMD_TX | CMD_RX;
}

static void write_tally(struct nic *n)
{
	uint32_t low = get32(n, TALLY);

	if (low & 8)
		ring_dump_tally(n, get64(n, TALLY) & ~0x3full);
	if (low & 1)
		memset(&n->tally, 0, sizeof(n->tally));
	put32(n, TALLY, low & ~9u);
}

static void write_phyar(struct nic *n)
{
	uint32_t v = get32(n, PHYAR);
	uint16_t data = (uint16_t)v;
	unsigned int mii = v >> 16 & 31;

	if (v & FLAG) {
		phy_mii(n, mii, &data);
		put32(n, PHYAR, v & ~FLAG);
	} else {
		put32(n, PHYAR, FLAG | mii << 16 | phy_mii(n, mii, NULL));
	}
}

static void write_gphy(struct nic *n)
{
	uint32_t v = get32(n, GPHY_OCP);
	uint16_t ocp = v >> 15 & 0xfffe;

	if (v & FLAG) {
		phy_write(n, ocp, (uint16_t)v);
		put32(n, GPHY_OCP, v & ~FLAG);
	} else {
		put32(n, GPHY_OCP, FLAG | phy_read(n, ocp));
	}
}

static void write_mac_ocp(struct nic *n)
{
	uint32_t v = get32(n, OCPDR);
	uint16_t at = v >> 16 & 0x7fff;

	if (v & FLAG)
		n->mac_ocp[at] = (uint16_t)v;
	else
		put32(n, OCPDR, n->mac_ocp[at]);
}

static void write_eri(struct nic *n)
{
	uint32_t v = get32(n, ERIAR), *e = &n->eri[(v & 0xfff) >> 2], mask = 0;

	if (!(v & FLAG)) {
		put32(n, ERIDR, *e);
		put32(n, ERIAR, v | FLAG);
		return;
	}
	for (unsigned int i = 0; i < 4; i++)
		if (v >> (12 + i) & 1)
			mask |= 0xffu << (8 * i);
	*e = (*e & ~mask) | (get32(n, ERIDR) & mask);
	put32(n, ERIAR, v & ~FLAG);
}

static void write_csi(struct nic *n)
{
	uint32_t v = get32(n, CSIAR), *c = &n->csi[(v & 0xfff) >> 2];

	if (v & FLAG) {
		*c = get32(n, CSIDR);
		put32(n, CSIAR, v & ~FLAG);
	} else {
		put32(n, CSIDR, *c);
		put32(n, CSIAR, v | FLAG);
	}
}

static void write_ephy(struct nic *n)
{
	uint32_t v = get32(n, EPHYAR);
	unsigned int at = v >> 16 & 31;

	if (v & FLAG) {
		n->ephy[at] = (uint16_t)v;
		put32(n, EPHYAR, v & ~FLAG);
	} else {
		put32(n, EPHYAR, FLAG | n->ephy[at]);
	}
}

/* Done at once, whatever was asked; there is no fuse. */
static void write_efuse(struct nic *n)
{
	put32(n, EFUSEAR, get32(n, EFUSEAR) ^ FLAG);
}

static const struct {
	unsigned int reg, width;
	void (*written)(struct nic *n);
} acting[] = {
	{ CHIP_CMD, 1, write_command },
	{ TALLY, 4, write_tally },
	{ PHYAR, 4, write_phyar },
	{ CSIAR, 4, write_csi },
	{ ERIAR, 4, write_eri },
	{ EPHYAR, 4, write_ephy },
	{ OCPDR, 4, write_mac_ocp },
	{ GPHY_OCP, 4, write_gphy },
	{ EFUSEAR, 4, write_efuse },
};

static bool touches(uint64_t at, unsigned int len, unsigned int reg, unsigned int width)
{
	return at < reg + width && at + len > reg;
}

/* One byte of a write: causes are cleared by ones, some registers are not writable. */
static void store(struct nic *n, unsigned int reg, uint8_t v)
{
	if (reg >= n->chip->isr && reg < n->chip->isr + n->chip->isr_width)
		n->reg[reg] &= (uint8_t)~v;
	else if (reg != PHY_STATUS)
		n->reg[reg] = v;
}

void chip_write(struct nic *n, uint64_t at, const uint8_t *buf, unsigned int len)
{
	const struct chip *c = n->chip;

	n->count.writes++;
	if (at >= c->bar_size || len > c->bar_size - at)
		return;
	for (unsigned int i = 0; i < len; i++)
		store(n, (unsigned int)at + i, buf[i]);
	for (size_t i = 0; i < sizeof(acting) / sizeof(acting[0]); i++)
		if (touches(at, len, acting[i].reg, acting[i].width))
			acting[i].written(n);
	fixed_values(n);
	if (touches(at, len, c->imr, c->isr_width) && chip_asserts(n))
		vfu_interrupt(n);
	if (touches(at, len, c->poll, 1)) {
		if (n->reg[c->poll] & c->poll_bit)
			ring_doorbell(n);
		n->reg[c->poll] = 0;
	}
}

void chip_read(struct nic *n, uint64_t at, uint8_t *buf, unsigned int len)
{
	n->count.reads++;
	n->count.gap_reads++;
	n->count.reads_waiting += n->waiting;
	memset(buf, 0, len);
	if (at < n->chip->bar_size && len <= n->chip->bar_size - at)
		memcpy(buf, n->reg + at, len);
}
