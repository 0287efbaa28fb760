// SPDX-License-Identifier: GPL-2.0-only
/* AL control and status: the hardware half of the state machine. */
#include "esc.h"

/**
 * esc_al_ctrl_write - the master asks for a state
 * @e:    the chip
 * @addr: 0x0120 or 0x0121
 * @data: what was written
 * @len:  bytes
 *
 * With device emulation the chip mirrors the request into the status at once,
 * the acknowledge bit included.  Otherwise the application decides.
 */
void esc_al_ctrl_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	u8 *ctrl = e->mem + ESC_R_AL_CTRL;

	memcpy(e->mem + addr, data, len);
	if (addr != ESC_R_AL_CTRL)
		return;
	if (e->mem[ESC_R_ESC_CONF] & ESC_CONF_EMULATION) {
		e->mem[ESC_R_AL_STATUS] = *ctrl & (ESC_AL_MASK | ESC_AL_ERROR);
		return;
	}
	e->al_unread = true;
	e->events |= ESC_EV_AL;
}

/**
 * esc_pdi_al_read - the application takes the request
 * @e: the chip
 *
 * Until then the register does not take another one.
 * Return: the low byte of AL control.
 */
u8 esc_pdi_al_read(struct esc *e)
{
	e->al_unread = false;
	return e->mem[ESC_R_AL_CTRL];
}

/**
 * esc_pdi_al_status - the application reports its state
 * @e:      the chip
 * @status: state and error flag
 * @code:   AL status code
 */
void esc_pdi_al_status(struct esc *e, u8 status, u16 code)
{
	sim_put16(e->mem + ESC_R_AL_STATUS, status);
	sim_put16(e->mem + ESC_R_AL_CODE, code);
}
