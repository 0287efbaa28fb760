// SPDX-License-Identifier: GPL-2.0-only
/* The EEPROM interface, 0x0500 to 0x050f. */
#include "esc.h"

#define CONF_WORDS	8	/* words that the chip loads itself */

/* low byte of 0x0502 */
#define ST_WREN		0x01
#define ST_8BYTE	0x40
#define ST_2ADDR	0x80
/* high byte */
#define ST_CMD		0x07
#define ST_CRC		0x08
#define ST_NOT_LOADED	0x10
#define ST_CMD_ERR	0x20
#define ST_WREN_ERR	0x40
#define ST_BUSY		0x80

enum { CMD_NOP, CMD_READ, CMD_WRITE, CMD_RELOAD = 4 };

/**
 * esc_sii_crc - checksum over the first seven words
 * @words: 14 bytes
 *
 * Return: CRC-8, polynomial 0x07, start value 0xff.
 */
u8 esc_sii_crc(const u8 *words)
{
	u8 crc = 0xff;
	int i, b;

	for (i = 0; i < 14; i++) {
		crc ^= words[i];
		for (b = 0; b < 8; b++)
			crc = (u8)(crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1);
	}
	return crc;
}

/* Beyond the image an EEPROM reads as erased. */
static void fetch(const struct esc_sii *s, u64 byte, u8 *to, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		to[i] = byte + i < s->size ? s->image[byte + i] : 0xff;
}

static void take_config(struct esc *e, const u8 *w)
{
	memcpy(e->mem + ESC_R_PDI_CTRL, w, 2);
	memcpy(e->mem + ESC_R_PDI_CONF, w + 2, 2);
	memcpy(e->mem + ESC_R_PDI_CONF + 2, w + 6, 2);
	if (esc_dc_has(e, ESC_R_DC_PULSE))
		memcpy(e->mem + ESC_R_DC_PULSE, w + 4, 2);
	memcpy(e->mem + ESC_R_ALIAS, w + 8, 2);
}

/**
 * esc_sii_load - what happens after power up and on "reload"
 * @e: the chip
 *
 * A wrong checksum leaves the configuration registers alone and the PDI down.
 */
void esc_sii_load(struct esc *e)
{
	u8 w[2 * CONF_WORDS];

	fetch(&e->sii, 0, w, sizeof(w));
	e->sii.crc_error = esc_sii_crc(w) != w[14];
	e->sii.busy_until = 0;
	e->sii.cmd_error = 0;
	if (!e->sii.crc_error) {
		take_config(e, w);
		e->sii.loaded = true;
		e->pdi_up = true;
	} else {
		e->sii.loaded = false;
		e->pdi_up = false;
	}
}

static bool busy(const struct esc *e)
{
	return e->sii.stuck || e->now < e->sii.busy_until;
}

void esc_sii_refresh(struct esc *e)
{
	u8 *st = e->mem + ESC_R_SII_CTRL;
	u8 lo = st[0] & ST_WREN, hi = st[1] & ST_CMD;

	if (!e->sm_was_on)
		lo |= e->chip.sii_low;
	if (e->chip.sii_8byte)
		lo |= ST_8BYTE;
	if (e->sii.size > 2048)
		lo |= ST_2ADDR;
	hi |= e->sii.cmd_error;
	if (e->sii.crc_error)
		hi |= ST_CRC;
	if (!e->sii.loaded)
		hi |= ST_NOT_LOADED;
	if (busy(e))
		hi |= ST_BUSY;
	else
		hi &= ~ST_CMD;
	st[0] = lo;
	st[1] = hi;
}

static void run(struct esc *e, u8 cmd)
{
	u64 at = (u64)sim_get32(e->mem + ESC_R_SII_ADDR) * 2;
	u8 *data = e->mem + ESC_R_SII_DATA;
	struct esc_sii *s = &e->sii;

	s->cmd_error = 0;
	switch (cmd) {
	case CMD_NOP:
		return;
	case CMD_READ:
		memset(data, 0, 8);
		fetch(s, at, data, e->chip.sii_8byte ? 8 : 4);
		s->busy_until = e->now + e->chip.sii_read_ns;
		break;
	case CMD_WRITE:
		if (!(e->mem[ESC_R_SII_CTRL] & ST_WREN)) {
			s->cmd_error = ST_WREN_ERR;
			return;
		}
		if (at + 2 <= s->size)
			memcpy(s->image + at, data, 2);
		s->busy_until = e->now + e->chip.sii_write_ns;
		break;
	case CMD_RELOAD:
		esc_sii_load(e);
		e->events |= ESC_EV_RELOAD;
		s->busy_until = e->now + e->chip.sii_read_ns;
		break;
	default:
		s->cmd_error = ST_CMD_ERR;
	}
}

/**
 * esc_sii_conf_write - who owns the interface
 * @e:    the chip
 * @addr: 0x0500 or 0x0501
 * @data: bit 0 gives it to the PDI, bit 1 takes it back by force
 * @len:  bytes; 0x0501 is the PDI's and stays
 *
 * Return: true if the working counter counts.
 */
bool esc_sii_conf_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	if (addr == ESC_R_SII_PDI)
		return false;
	e->mem[ESC_R_SII_CONF] = data[0] & 3;
	if (data[0] & 2)
		e->mem[ESC_R_SII_PDI] = 0;
	if (len > 2)
		return esc_sii_write(e, ESC_R_SII_CTRL, data + 2,
				     (u16)(len - 2));
	return true;
}

/**
 * esc_sii_write - command, address, data
 * @e:    the chip
 * @addr: 0x0502 and up
 * @data: what was written
 * @len:  bytes
 *
 * Refused while the PDI owns the interface or a command runs.
 * Return: true if the working counter counts.
 */
bool esc_sii_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	u32 end = sim_min((u32)addr + len, 0x0510);

	if ((e->mem[ESC_R_SII_CONF] & 1) || busy(e))
		return false;
	memcpy(e->mem + addr, data, end - addr);
	if (addr <= ESC_R_SII_CTRL + 1 && end > ESC_R_SII_CTRL + 1)
		run(e, e->mem[ESC_R_SII_CTRL + 1] & ST_CMD);
	return true;
}
