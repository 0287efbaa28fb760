// SPDX-License-Identifier: GPL-2.0-only
/* Life of a controller, and the addressing rules of the fifteen commands. */
#include "esc.h"

/**
 * esc_init - make a controller, powered off
 * @e:    zeroed memory for it
 * @chip: its make; copied
 *
 * Return: 0, -EINVAL for a chip that cannot exist, -ENOMEM.
 */
int esc_init(struct esc *e, const struct esc_chip *chip)
{
	if (chip->fmmus > ESC_FMMU_MAX || chip->sms > ESC_SM_MAX ||
	    chip->ram_kb > 60)
		return -EINVAL;
	e->chip = *chip;
	e->nfmmu = chip->fmmus;
	e->nsm = chip->sms;
	e->mem_size = ESC_REG_SIZE + 1024u * chip->ram_kb;
	e->mem = sim_zalloc(e->mem_size);
	return e->mem ? 0 : -ENOMEM;
}

void esc_free(struct esc *e)
{
	sim_free(e->mem);
	e->mem = NULL;
}

static void info_registers(struct esc *e)
{
	const struct esc_chip *c = &e->chip;
	u8 *r = e->mem;

	r[0] = c->type;
	r[1] = c->rev;
	sim_put16(r + 2, c->build);
	r[4] = c->fmmus;
	r[5] = c->sms;
	r[6] = c->ram_kb;
	r[7] = c->ports;
	sim_put16(r + 8, c->features);
}

/**
 * esc_power_on - what a reset does
 * @e:   the chip
 * @now: when
 *
 * Process RAM and registers start at zero; the EEPROM is read again, so the
 * alias and the PDI configuration are those of the image as it is now.
 */
void esc_power_on(struct esc *e, u64 now)
{
	memset(e->mem, 0, e->mem_size);
	e->now = now;
	e->events = 0;
	e->reset_step = 0;
	e->al_unread = false;
	e->latched_closed = 0;
	e->dl_temp_until = 0;
	info_registers(e);
	e->mem[ESC_R_DL_CTRL] = 0x01;
	e->mem[ESC_R_DL_CTRL + 2] = 0x07;
	e->mem[ESC_R_AL_CTRL] = ESC_INIT;
	e->mem[ESC_R_AL_STATUS] = ESC_INIT;
	memset(e->fmmu, 0, sizeof(e->fmmu));
	esc_wd_reset(e);
	esc_sm_reset(e);
	esc_dc_reset(e, now);
	esc_sii_load(e);
	e->events = ESC_EV_RELOAD;
}

static bool addressed(const struct esc *e, u16 adp)
{
	if (adp == sim_get16(e->mem + ESC_R_STATION))
		return true;
	return (e->mem[ESC_R_DL_CTRL + 3] & 1) &&
	       adp == sim_get16(e->mem + ESC_R_ALIAS);
}

/* Read and write in one command: what was there goes out, what came stays. */
static u8 exchange(struct esc *e, u16 ado, u8 *data, u16 len)
{
	u8 wkc = 0;

	memcpy(e->in, data, len);
	if (esc_read(e, ado, data, len))
		wkc += 1;
	if (esc_write(e, ado, e->in, len))
		wkc += 2;
	return wkc;
}

static u8 read_or(struct esc *e, u16 ado, u8 *data, u16 len)
{
	u8 *mine = e->part;
	u16 i;

	if (!esc_read(e, ado, mine, len))
		return 0;
	for (i = 0; i < len; i++)
		data[i] |= mine[i];
	return 1;
}

/* The order lets the part that writes see what came in, not what went out. */
static u8 exchange_or(struct esc *e, u16 ado, u8 *data, u16 len)
{
	u8 wkc;

	memcpy(e->in, data, len);
	wkc = read_or(e, ado, data, len);
	if (esc_write(e, ado, e->in, len))
		wkc += 2;
	return wkc;
}

static u8 physical(struct esc *e, u8 cmd, bool hit, u16 ado, u8 *data, u16 len)
{
	switch (cmd) {
	case ESC_APRD:
	case ESC_FPRD:
		return hit && esc_read(e, ado, data, len);
	case ESC_APWR:
	case ESC_FPWR:
		return hit && esc_write(e, ado, data, len);
	case ESC_APRW:
	case ESC_FPRW:
		return hit ? exchange(e, ado, data, len) : 0;
	case ESC_BRD:
		return read_or(e, ado, data, len);
	case ESC_BWR:
		return esc_write(e, ado, data, len);
	case ESC_BRW:
		return exchange_or(e, ado, data, len);
	case ESC_ARMW:
	case ESC_FRMW:
		return hit ? esc_read(e, ado, data, len) :
			     esc_write(e, ado, data, len);
	}
	return 0;
}

/**
 * esc_datagram - one datagram passes the processing unit
 * @e:    the chip; @e->now and @e->frame say when
 * @dg:   10 bytes of datagram header
 * @data: its payload; the working counter follows it
 * @len:  payload length, checked by the caller against the frame
 */
void esc_datagram(struct esc *e, u8 *dg, u8 *data, u16 len)
{
	u16 adp = sim_get16(dg + 2), ado = sim_get16(dg + 4);
	u8 cmd = dg[0], wkc = 0;

	if (len > ESC_DATA_MAX)
		return;
	switch (cmd) {
	case ESC_APRD:
	case ESC_APWR:
	case ESC_APRW:
	case ESC_ARMW:
		wkc = physical(e, cmd, adp == 0, ado, data, len);
		sim_put16(dg + 2, (u16)(adp + 1));
		break;
	case ESC_BRD:
	case ESC_BWR:
	case ESC_BRW:
		wkc = physical(e, cmd, true, ado, data, len);
		sim_put16(dg + 2, (u16)(adp + 1));
		break;
	case ESC_FPRD:
	case ESC_FPWR:
	case ESC_FPRW:
		if (addressed(e, adp))
			wkc = physical(e, cmd, true, ado, data, len);
		break;
	case ESC_FRMW:
		wkc = physical(e, cmd, addressed(e, adp), ado, data, len);
		break;
	case ESC_LRD:
	case ESC_LWR:
	case ESC_LRW:
		esc_logical(e, cmd, sim_get32(dg + 2), data, len, &wkc);
		break;
	}
	if (wkc)
		sim_put16(data + len, (u16)(sim_get16(data + len) + wkc));
}
