// SPDX-License-Identifier: GPL-2.0-only
/* Logical addressing: fieldbus memory management units, bit by bit. */
#include "esc.h"

/* One mapping and the part of it that a datagram touches, in bits. */
struct piece {
	u32 from, to;		/* bits of the mapping, counted from its first */
	u32 log_bit;		/* where the first lies in the datagram */
	u32 phys_bit;		/* and in the memory, from phys byte 0 bit 0 */
	u16 phys, bytes;
};

static void decode(struct esc *e, unsigned int i)
{
	const u8 *r = e->mem + ESC_R_FMMU + 16 * i;
	struct esc_fmmu *f = &e->fmmu[i];
	bool on = r[12] & 1;

	f->log = sim_get32(r);
	f->len = sim_get16(r + 4);
	f->first_bit = r[6] & 7;
	f->last_bit = r[7] & 7;
	f->phys = sim_get16(r + 8);
	f->phys_bit = r[10] & 7;
	f->bytewise = !f->first_bit && f->last_bit == 7 && !f->phys_bit;
	if (!f->len || (f->len == 1 && f->last_bit < f->first_bit))
		on = false;
	f->read = on && (r[11] & 1);
	f->write = on && (r[11] & 2);
}

void esc_fmmu_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	u32 limit = ESC_R_FMMU + 16u * e->nfmmu;
	u32 end = sim_min((u32)addr + len, limit);
	u32 i;

	memcpy(e->mem + addr, data, end - addr);
	for (i = (addr - ESC_R_FMMU) / 16; ESC_R_FMMU + 16 * i < end; i++)
		decode(e, i);
}

static bool overlap(const struct esc_fmmu *f, u32 addr, u16 len,
		    struct piece *p)
{
	s64 bits = ((s64)f->len - 1) * 8 + f->last_bit - f->first_bit + 1;
	s64 off = ((s64)addr - f->log) * 8 - f->first_bit;
	s64 to = off + (s64)len * 8;

	if (to > bits)
		to = bits;
	if (to <= 0 || off >= to)
		return false;
	p->from = off > 0 ? (u32)off : 0;
	p->to = (u32)to;
	p->log_bit = (u32)(p->from - off);
	p->phys_bit = (f->phys_bit + p->from) & 7;
	p->phys = (u16)(f->phys + (f->phys_bit + p->from) / 8);
	p->bytes = (u16)((p->phys_bit + p->to - p->from + 7) / 8);
	return p->bytes <= ESC_DATA_MAX;
}

static bool copy_in(struct esc *e, const struct esc_fmmu *f,
		    const struct piece *p, const u8 *data)
{
	u32 i, n = p->to - p->from;

	if (f->bytewise)
		return esc_write(e, p->phys, data + p->log_bit / 8, p->bytes);
	memset(e->part, 0, p->bytes);
	memset(e->mask, 0, p->bytes);
	for (i = 0; i < n; i++) {
		u32 l = p->log_bit + i, m = p->phys_bit + i;

		e->mask[m / 8] |= (u8)BIT(m % 8);
		if (data[l / 8] & BIT(l % 8))
			e->part[m / 8] |= (u8)BIT(m % 8);
	}
	return esc_ram_write(e, p->phys, e->part, e->mask, p->bytes);
}

static bool copy_out(struct esc *e, const struct esc_fmmu *f,
		     const struct piece *p, u8 *data)
{
	u32 i, n = p->to - p->from;

	if (f->bytewise)
		return esc_read(e, p->phys, data + p->log_bit / 8, p->bytes);
	if (!esc_read(e, p->phys, e->part, p->bytes))
		return false;
	for (i = 0; i < n; i++) {
		u32 l = p->log_bit + i, m = p->phys_bit + i;

		if (e->part[m / 8] & BIT(m % 8))
			data[l / 8] |= (u8)BIT(l % 8);
		else
			data[l / 8] &= ~BIT(l % 8);
	}
	return true;
}

/**
 * esc_logical - LRD, LWR, LRW
 * @e:    the chip
 * @cmd:  which
 * @addr: logical address of the datagram
 * @data: its payload
 * @len:  bytes
 * @wkc:  what to add: one for a read that succeeded; for a write one, in LRW
 *        two
 *
 * All that came in is taken before anything is replaced, as on the wire.
 */
void esc_logical(struct esc *e, u8 cmd, u32 addr, u8 *data, u16 len, u8 *wkc)
{
	bool wrote = false, read = false;
	struct piece p;
	unsigned int i;

	if (!len)
		return;
	for (i = 0; cmd != ESC_LRD && i < e->nfmmu; i++)
		if (e->fmmu[i].write && overlap(&e->fmmu[i], addr, len, &p))
			wrote |= copy_in(e, &e->fmmu[i], &p, data);
	for (i = 0; cmd != ESC_LWR && i < e->nfmmu; i++)
		if (e->fmmu[i].read && overlap(&e->fmmu[i], addr, len, &p))
			read |= copy_out(e, &e->fmmu[i], &p, data);
	*wkc = (u8)(read + wrote * (cmd == ESC_LRW ? 2 : 1));
}
