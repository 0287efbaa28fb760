// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sync managers: who may touch which byte of process RAM, and when.
 *
 * A buffer is opened by an access to its first byte and handed over by an
 * access to its last one; what lies between may come in any number of pieces.
 */
#include "esc.h"

static u8 *sm_reg(const struct esc *e, unsigned int i)
{
	return e->mem + ESC_R_SM + 8 * i;
}

static void restart(struct esc *e, unsigned int i)
{
	struct esc_sm *sm = &e->sm[i];

	sm->open = false;
	sm->fresh = false;
	sm->wr = 0;
	sm->last = 1;
	sm->rd = 2;
	sm_reg(e, i)[ESC_SM_STATUS] = sm->active && !sm->mailbox ? 0x30 : 0;
}

static void decode(struct esc *e, unsigned int i)
{
	const u8 *r = sm_reg(e, i);
	struct esc_sm *sm = &e->sm[i];
	bool was = sm->active;

	sm->start = sim_get16(r);
	sm->len = sim_get16(r + 2);
	sm->mailbox = r[ESC_SM_CTRL] & ESC_SM_MODE_MBX;
	sm->write = r[ESC_SM_CTRL] & ESC_SM_DIR_WRITE;
	sm->active = (r[ESC_SM_ACT] & 1) && !(r[ESC_SM_PDI] & 1) && sm->len &&
		     sm->start >= ESC_R_DIG_OUT &&
		     (u32)sm->start + sm->len <= e->mem_size;
	sm->direct = sm->start < ESC_R_RAM ||
		     (e->mem[ESC_R_ESC_CONF] & ESC_CONF_EMULATION) ||
		     sm->start + 3u * sm->len > e->mem_size;
	e->sm_was_on |= sm->active;
	if (was != sm->active)
		restart(e, i);
}

void esc_sm_reset(struct esc *e)
{
	memset(e->sm, 0, sizeof(e->sm));
	e->sm_was_on = false;
}

/* Address, length and control are locked while the channel is enabled. */
static void write_byte(struct esc *e, unsigned int i, unsigned int off, u8 val,
		       bool locked)
{
	u8 *r = sm_reg(e, i);

	if (off == ESC_SM_STATUS || off == ESC_SM_PDI)
		return;
	if (off <= ESC_SM_CTRL && locked)
		return;
	if (off == ESC_SM_ACT && r[off] != val)
		e->events |= ESC_EV_SM_CONF;
	r[off] = val;
}

void esc_sm_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	u32 pos = addr - ESC_R_SM, end = pos + len;

	end = sim_min(end, 8u * e->nsm);
	while (pos < end) {
		unsigned int i = pos / 8;
		bool locked = sm_reg(e, i)[ESC_SM_ACT] & 1;

		do {
			write_byte(e, i, pos % 8, *data++, locked);
			pos++;
		} while (pos < end && pos % 8);
		decode(e, i);
	}
}

/* The channel that owns @addr; @run: bytes up to the next border. */
static int owner(const struct esc *e, u16 addr, u32 *run)
{
	unsigned int i;

	for (i = 0; i < e->nsm; i++) {
		const struct esc_sm *sm = &e->sm[i];
		u32 end = (u32)sm->start + sm->len;

		if (!sm->active)
			continue;
		if (addr >= sm->start && addr < end) {
			*run = sim_min(*run, end - addr);
			return (int)i;
		}
		if (sm->start > addr)
			*run = sim_min(*run, (u32)sm->start - addr);
	}
	return -1;
}

/* Buffered mode: the writer's buffer is complete, take a free one. */
static void hand_over(struct esc *e, unsigned int i)
{
	struct esc_sm *sm = &e->sm[i];
	u8 *status = sm_reg(e, i) + ESC_SM_STATUS;

	sm->fresh = true;
	if (sm->direct)
		return;
	sm->last = sm->wr;
	sm->wr = (u8)(sm->rd == sm->last ? (sm->last + 1) % 3 :
					   3 - sm->last - sm->rd);
	*status = (u8)((*status & 0xcf) | sm->last << 4);
}

static u8 *buffer(struct esc *e, const struct esc_sm *sm, u8 which)
{
	return e->mem + sm->start + (sm->direct ? 0 : (u32)which * sm->len);
}

/* Two interrupts: "was written", over when a read begins, and the reverse. */
static void begun(struct esc *e, unsigned int i, bool write)
{
	sm_reg(e, i)[ESC_SM_STATUS] &= ~(write ? ESC_SM_INT_READ :
						     ESC_SM_INT_WRITE);
}

static void completed(struct esc *e, unsigned int i, bool write)
{
	u8 *status = sm_reg(e, i) + ESC_SM_STATUS;

	*status &= ~ESC_SM_WRITING;
	*status |= write ? ESC_SM_INT_WRITE : ESC_SM_INT_READ;
}

/* May the master touch this byte range now?  Opens the buffer if it is due. */
static u8 *enter(struct esc *e, unsigned int i, u16 addr, bool write)
{
	struct esc_sm *sm = &e->sm[i];
	bool full = sm_reg(e, i)[ESC_SM_STATUS] & ESC_SM_FULL;
	u16 off = (u16)(addr - sm->start);

	if (sm->write != write)
		return NULL;
	if (sm->mailbox) {
		if (full == write)
			return NULL;
		if (!off)
			begun(e, i, write);
		sm->open |= !off;
		return sm->open ? e->mem + addr : NULL;
	}
	if (!write && !sm->fresh && !sm->direct)
		return NULL;
	if (!off && !write)
		sm->rd = sm->last;
	if (!off)
		begun(e, i, write);
	sm->open |= !off;
	if (!sm->open && !sm->direct)
		return NULL;
	return buffer(e, sm, write ? sm->wr : sm->rd) + off;
}

/* The master touched bytes up to @end; was the last one among them? */
static void leave(struct esc *e, unsigned int i, u32 end, bool write)
{
	struct esc_sm *sm = &e->sm[i];
	u8 *r = sm_reg(e, i);

	if (end < (u32)sm->start + sm->len)
		return;
	sm->open = false;
	if (sm->mailbox)
		r[ESC_SM_STATUS] ^= ESC_SM_FULL;
	else if (write)
		hand_over(e, i);
	completed(e, i, write);
	e->events |= ESC_EV_SM(i);
	if (write && (r[ESC_SM_CTRL] & ESC_SM_WD))
		esc_wd_trigger(e);
}

static void merge(u8 *to, const u8 *from, const u8 *mask, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		to[i] = (u8)((to[i] & ~mask[i]) | (from[i] & mask[i]));
}

/*
 * A bitwise write touches some bits of a buffer that is two generations old:
 * the others continue with their newest value.
 */
static void carry_over(struct esc *e, unsigned int i, u16 addr)
{
	struct esc_sm *sm = &e->sm[i];

	if (addr == sm->start && !sm->mailbox && !sm->direct && sm->fresh)
		memcpy(buffer(e, sm, sm->wr), buffer(e, sm, sm->last), sm->len);
}

static bool plain(const struct esc *e, u16 addr, u32 n)
{
	return (u32)addr + n <= e->mem_size;
}

/**
 * esc_ram_read - the master reads process RAM or the output register
 * @e:    the chip
 * @addr: from 0x0f00 up
 * @data: destination
 * @len:  bytes
 *
 * Return: true if every byte could be read.
 */
bool esc_ram_read(struct esc *e, u16 addr, u8 *data, u16 len)
{
	bool ok = true;

	while (len) {
		u32 run = len;
		int i = owner(e, addr, &run);
		const u8 *p = NULL;

		if (i >= 0)
			p = enter(e, (unsigned int)i, addr, false);
		else if (plain(e, addr, run))
			p = e->mem + addr;
		if (p)
			memcpy(data, p, run);
		else
			ok = false;
		if (p && i >= 0)
			leave(e, (unsigned int)i, addr + run, false);
		addr = (u16)(addr + run);
		data += run;
		len = (u16)(len - run);
	}
	return ok;
}

/**
 * esc_ram_write - the master writes process RAM or the output register
 * @e:    the chip
 * @addr: from 0x0f00 up
 * @data: source
 * @mask: bits to be changed, or NULL for all
 * @len:  bytes
 *
 * Return: true if every byte could be written.
 */
bool esc_ram_write(struct esc *e, u16 addr, const u8 *data, const u8 *mask,
		   u16 len)
{
	bool ok = true;

	while (len) {
		u32 run = len;
		int i = owner(e, addr, &run);
		u8 *p = NULL;

		if (i >= 0 && mask)
			carry_over(e, (unsigned int)i, addr);
		if (i >= 0)
			p = enter(e, (unsigned int)i, addr, true);
		else if (plain(e, addr, run))
			p = e->mem + addr;
		if (p && mask)
			merge(p, data, mask, run);
		else if (p)
			memcpy(p, data, run);
		else
			ok = false;
		if (p && i >= 0)
			leave(e, (unsigned int)i, addr + run, true);
		addr = (u16)(addr + run);
		data += run;
		if (mask)
			mask += run;
		len = (u16)(len - run);
	}
	return ok;
}

/**
 * esc_pdi_mbx_full - is there a mailbox the other side has not fetched?
 * @e:  the chip
 * @sm: channel
 */
bool esc_pdi_mbx_full(const struct esc *e, unsigned int sm)
{
	return sm < e->nsm && (sm_reg(e, sm)[ESC_SM_STATUS] & ESC_SM_FULL);
}

/**
 * esc_pdi_sm_read - the application fetches what the master wrote
 * @e:    the chip
 * @sm:   channel of write direction
 * @data: destination
 * @len:  bytes of it
 *
 * Return: false if the channel is off or nothing was written yet.
 */
bool esc_pdi_sm_read(struct esc *e, unsigned int sm, u8 *data, u16 len)
{
	struct esc_sm *s = &e->sm[sm];
	u8 *r = sm_reg(e, sm);

	if (sm >= e->nsm || !s->active || !s->write || len > s->len)
		return false;
	if (s->mailbox) {
		if (!esc_pdi_mbx_full(e, sm))
			return false;
		memcpy(data, e->mem + s->start, len);
		begun(e, sm, false);
		r[ESC_SM_STATUS] &= ~ESC_SM_FULL;
		completed(e, sm, false);
		return true;
	}
	if (!s->fresh)
		return false;
	s->rd = s->last;
	memcpy(data, buffer(e, s, s->rd), len);
	begun(e, sm, false);
	completed(e, sm, false);
	return true;
}

/**
 * esc_pdi_mbx_open - the application begins to write its next answer
 * @e:  the chip
 * @sm: channel
 *
 * Some firmwares do so long before they have one; it shows in the status.
 */
void esc_pdi_mbx_open(struct esc *e, unsigned int sm)
{
	begun(e, sm, true);
	if (e->chip.sm_writing)
		sm_reg(e, sm)[ESC_SM_STATUS] |= ESC_SM_WRITING;
}

/**
 * esc_pdi_sm_write - the application offers data to the master
 * @e:    the chip
 * @sm:   channel of read direction
 * @data: source; the rest of a mailbox keeps its old bytes
 * @len:  bytes of it
 *
 * Return: false if the channel is off or its mailbox is still full.
 */
bool esc_pdi_sm_write(struct esc *e, unsigned int sm, const u8 *data, u16 len)
{
	struct esc_sm *s = &e->sm[sm];

	if (sm >= e->nsm || !s->active || s->write || len > s->len)
		return false;
	if (s->mailbox) {
		if (esc_pdi_mbx_full(e, sm))
			return false;
		memcpy(e->mem + s->start, data, len);
		sm_reg(e, sm)[ESC_SM_STATUS] |= ESC_SM_FULL;
	} else {
		memcpy(buffer(e, s, s->wr), data, len);
		hand_over(e, sm);
	}
	begun(e, sm, true);
	completed(e, sm, true);
	return true;
}

/**
 * esc_pdi_sm_enable - the application stops or allows a channel
 * @e:  the chip
 * @sm: channel
 * @on: allow
 */
void esc_pdi_sm_enable(struct esc *e, unsigned int sm, bool on)
{
	if (sm >= e->nsm)
		return;
	if (on)
		sm_reg(e, sm)[ESC_SM_PDI] &= ~1;
	else
		sm_reg(e, sm)[ESC_SM_PDI] |= 1;
	decode(e, sm);
}

/**
 * esc_pdi_mbx_clear - take back an answer that was not fetched
 * @e:  the chip
 * @sm: channel
 */
void esc_pdi_mbx_clear(struct esc *e, unsigned int sm)
{
	if (sm < e->nsm)
		sm_reg(e, sm)[ESC_SM_STATUS] &= ~ESC_SM_FULL;
}

/**
 * esc_pdi_repeat_asked - has the master toggled "repeat request"?
 * @e:  the chip
 * @sm: channel
 */
bool esc_pdi_repeat_asked(struct esc *e, unsigned int sm)
{
	const u8 *r = sm_reg(e, sm);

	return sm < e->nsm && ((r[ESC_SM_ACT] ^ r[ESC_SM_PDI]) & ESC_SM_REPEAT);
}

/**
 * esc_pdi_repeat_ack - answer a repeat request
 * @e:  the chip
 * @sm: channel
 */
void esc_pdi_repeat_ack(struct esc *e, unsigned int sm)
{
	u8 *r = sm_reg(e, sm);

	r[ESC_SM_PDI] = (u8)((r[ESC_SM_PDI] & ~ESC_SM_REPEAT) |
			     (r[ESC_SM_ACT] & ESC_SM_REPEAT));
}
