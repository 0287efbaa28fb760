// SPDX-License-Identifier: GPL-2.0-only
/* The register space below 0x1000: who answers, who may be written. */
#include "esc.h"

/* Plain storage that the master may write. */
static void store(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	memcpy(e->mem + addr, data, len);
}

/* Any write clears the whole group. */
static void clear_errors(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	memset(e->mem + ESC_R_ERR_COUNT, 0, 0x14);
}

static void clear_wd_count(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	memset(e->mem + ESC_R_WD_COUNT, 0, 2);
}

/* 'R', 'E', 'S' in three writes, each in a frame of its own. */
static void esc_reset(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	static const u8 seq[3] = { 'R', 'E', 'S' };

	if (*data == seq[e->reset_step])
		e->reset_step++;
	else
		e->reset_step = *data == seq[0];
	e->mem[ESC_R_ESC_RESET] = e->reset_step;
	if (e->reset_step == sizeof(seq)) {
		e->reset_step = 0;
		e->events |= ESC_EV_RESET;
	}
}

static void wd_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	esc_wd_refresh(e, e->now);
	store(e, addr, data, len);
	if (e->wd_ran && !e->wd_expired)
		esc_wd_trigger(e);
}

static void dc_rx_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	if (addr == ESC_R_DC_RX)
		esc_dc_latch(e);
}

struct reg_range {
	u16 first, last;
	void (*write)(struct esc *e, u16 addr, const u8 *data, u16 len);
};

/* Everything the master may write, ascending; the rest is read only. */
static const struct reg_range writable[] = {
	{ ESC_R_STATION, 0x0011, store },
	{ ESC_R_WRITE_PROT, 0x0021, store },
	{ 0x0030, 0x0031, store },
	{ ESC_R_ESC_RESET, 0x0040, esc_reset },
	{ ESC_R_DL_CTRL, 0x0103, esc_dl_ctrl_write },
	{ 0x0108, 0x0109, store },
	{ ESC_R_AL_CTRL, 0x0121, esc_al_ctrl_write },
	{ ESC_R_EVENT_MASK, 0x0201, store },
	{ ESC_R_ERR_COUNT, 0x0313, clear_errors },
	{ ESC_R_WD_DIV, 0x0401, wd_write },
	{ ESC_R_WD_PDI, 0x0411, wd_write },
	{ ESC_R_WD_SM, 0x0421, wd_write },
	{ ESC_R_WD_COUNT, 0x0443, clear_wd_count },
	{ ESC_R_FMMU, 0x06ff, esc_fmmu_write },
	{ ESC_R_SM, 0x087f, esc_sm_write },
	{ ESC_R_DC_RX, 0x090f, dc_rx_write },
	{ ESC_R_DC_TIME, 0x0917, esc_dc_time_write },
	{ ESC_R_DC_OFFSET, 0x0927, esc_dc_offset_write },
	{ ESC_R_DC_DELAY, 0x092b, store },
	{ ESC_R_DC_SPEED, 0x0931, esc_dc_speed_write },
	{ 0x0934, 0x0935, store },
	{ ESC_R_DC_CUC, 0x0983, esc_dc_sync_write },
	{ ESC_R_DC_START, 0x0997, esc_dc_sync_write },
	{ ESC_R_DC_CYCLE0, 0x09a9, esc_dc_sync_write },
	{ ESC_R_USER_RAM, 0x0fff, store },
};

/* FMMUs, sync managers and clocks that are not fitted do not answer. */
static bool present(const struct esc *e, u16 addr, u16 len)
{
	u32 end = (u32)addr + len;

	if (addr >= ESC_R_FMMU && addr < ESC_R_SM)
		return end <= ESC_R_FMMU + 16u * e->nfmmu;
	if (addr >= ESC_R_SM && addr < ESC_R_DC_RX)
		return end <= ESC_R_SM + 8u * e->nsm;
	if (addr >= ESC_R_DC_RX && addr < 0x0a00)
		return esc_dc_has(e, addr) && esc_dc_has(e, (u16)(end - 1));
	return true;
}

/* Registers whose value depends on the moment. */
static void refresh(struct esc *e, u16 addr, u16 len)
{
	u32 end = (u32)addr + len;

	if (addr < 0x0112 && end > ESC_R_DL_STATUS)
		esc_dl_status_refresh(e);
	if (addr < 0x0444 && end > ESC_R_WD_STATUS)
		esc_wd_refresh(e, e->now);
	if (addr < 0x0510 && end > ESC_R_SII_CONF)
		esc_sii_refresh(e);
	if (addr < 0x0a00 && end > ESC_R_DC_RX)
		esc_dc_refresh(e, addr, len);
}

static bool reg_read(struct esc *e, u16 addr, u8 *data, u16 len)
{
	if (!present(e, addr, len))
		return false;
	refresh(e, addr, len);
	memcpy(data, e->mem + addr, len);
	return true;
}

/* Bytes of [addr, end) that fall in one range; 0 when none does. */
static u16 part_of(const struct reg_range *r, u32 addr, u32 end, u32 *from)
{
	u32 to = end < r->last + 1u ? end : r->last + 1u;

	*from = addr > r->first ? addr : r->first;
	return *from < to ? (u16)(to - *from) : 0;
}

static bool reg_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	u32 end = (u32)addr + len, from, taken = 0;
	unsigned int i;

	if (addr <= ESC_R_AL_CTRL && end > ESC_R_AL_CTRL && e->al_unread)
		return false;
	if (addr >= ESC_R_SII_CONF && addr < 0x0510) {
		if (addr <= ESC_R_SII_PDI)
			return esc_sii_conf_write(e, addr, data, len);
		return esc_sii_write(e, addr, data, len);
	}
	for (i = 0; i < ARRAY_SIZE(writable); i++) {
		u16 n = part_of(&writable[i], addr, end, &from);

		if (!n || !present(e, (u16)from, 1))
			continue;
		writable[i].write(e, (u16)from, data + (from - addr), n);
		taken += n;
	}
	return taken && present(e, addr, len);
}

/* Output registers and user RAM share the access rules of process RAM. */
static bool is_register(u16 addr)
{
	return addr < ESC_R_DIG_OUT ||
	       (addr >= ESC_R_USER_RAM && addr < ESC_R_RAM);
}

/**
 * esc_read - physical read by the master
 * @e:    the chip
 * @addr: first address
 * @data: filled only with what was read
 * @len:  bytes
 *
 * Return: true if all of it answered, that is, the working counter counts.
 */
bool esc_read(struct esc *e, u16 addr, u8 *data, u16 len)
{
	u32 end = (u32)addr + len;

	if (!len || end > 0x10000)
		return false;
	if (!is_register(addr))
		return esc_ram_read(e, addr, data, len);
	if (end <= ESC_R_DIG_OUT || addr >= ESC_R_USER_RAM) {
		if (end <= ESC_R_RAM)
			return reg_read(e, addr, data, len);
		return reg_read(e, addr, data, (u16)(ESC_R_RAM - addr)) &&
		       esc_ram_read(e, ESC_R_RAM, data + (ESC_R_RAM - addr),
				    (u16)(end - ESC_R_RAM));
	}
	return reg_read(e, addr, data, (u16)(ESC_R_DIG_OUT - addr)) &&
	       esc_read(e, ESC_R_DIG_OUT, data + (ESC_R_DIG_OUT - addr),
			(u16)(end - ESC_R_DIG_OUT));
}

/**
 * esc_write - physical write by the master
 * @e:    the chip
 * @addr: first address
 * @data: what to write
 * @len:  bytes
 *
 * A block that is only partly there is taken as far as it goes, but does not
 * count.
 * Return: true if the working counter counts.
 */
bool esc_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	if (!len || (u32)addr + len > 0x10000)
		return false;
	if (!is_register(addr))
		return esc_ram_write(e, addr, data, NULL, len);
	if ((u32)addr + len > ESC_R_RAM)
		return false;
	return reg_write(e, addr, data, len);
}

/**
 * esc_reg - the PDI's view of a register
 * @e:    the chip
 * @addr: below 0x1000
 */
u8 *esc_reg(struct esc *e, u16 addr)
{
	return e->mem + (addr & (ESC_REG_SIZE - 1));
}
