// SPDX-License-Identifier: GPL-2.0-only
/* Ports: loop control, DL status, link and error counters. */
#include "esc.h"

enum loop_mode { LOOP_AUTO, LOOP_AUTO_CLOSE, LOOP_OPEN, LOOP_CLOSED };

#define TEMP_NS		1000000000ull	/* "temporary" loop settings last 1 s */
#define LOST_LINK	0x0310

static enum loop_mode loop_mode(const struct esc *e, unsigned int port)
{
	return (enum loop_mode)(e->mem[ESC_R_DL_CTRL + 1] >> (2 * port) & 3);
}

/**
 * esc_port_present - is the port fitted?
 * @e:    the chip
 * @port: 0..3
 */
bool esc_port_present(const struct esc *e, unsigned int port)
{
	return (e->chip.ports >> (2 * port) & 3) >= 2;
}

/**
 * esc_port_open - does a frame leave by this port?
 * @e:    the chip
 * @port: 0..3
 */
bool esc_port_open(const struct esc *e, unsigned int port)
{
	bool link = e->links & BIT(port);

	if (!esc_port_present(e, port))
		return false;
	switch (loop_mode(e, port)) {
	case LOOP_AUTO:
		return link;
	case LOOP_AUTO_CLOSE:
		return link && !(e->latched_closed & BIT(port));
	case LOOP_OPEN:
		return true;
	default:
		return false;
	}
}

static void count_up(u8 *counter)
{
	if (*counter < 0xff)
		++*counter;
}

/**
 * esc_set_links - cables were plugged, pulled, or a neighbour's power changed
 * @e:     the chip
 * @links: bit per port with a signal
 */
void esc_set_links(struct esc *e, u8 links)
{
	u8 lost = e->links & ~links;
	unsigned int p;

	for (p = 0; p < ESC_PORTS; p++)
		if (lost & BIT(p))
			count_up(e->mem + LOST_LINK + p);
	e->latched_closed |= lost;
	e->links = links;
}

/**
 * esc_port_error - a frame arrived damaged
 * @e:    the chip
 * @port: where
 */
void esc_port_error(struct esc *e, unsigned int port)
{
	count_up(e->mem + ESC_R_ERR_COUNT + 2 * port);
	count_up(e->mem + ESC_R_ERR_COUNT + 2 * port + 1);
}

static void end_temporary(struct esc *e)
{
	if (e->dl_temp_until && e->now >= e->dl_temp_until) {
		e->dl_temp_until = 0;
		e->mem[ESC_R_DL_CTRL + 1] = e->dl_saved;
	}
}

/* Writing "auto close" again is how the master opens such a port. */
static void loop_write(struct esc *e, u8 val)
{
	unsigned int p;

	for (p = 0; p < ESC_PORTS; p++)
		if ((val >> (2 * p) & 3) == LOOP_AUTO_CLOSE &&
		    (e->links & BIT(p)))
			e->latched_closed &= ~BIT(p);
	e->mem[ESC_R_DL_CTRL + 1] = val;
}

void esc_dl_ctrl_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	u16 i;

	end_temporary(e);
	for (i = 0; i < len; i++) {
		u16 a = (u16)(addr + i);

		if (a == ESC_R_DL_CTRL && (data[i] & 2)) {
			e->dl_saved = e->mem[ESC_R_DL_CTRL + 1];
			e->dl_temp_until = e->now + TEMP_NS;
		}
		if (a == ESC_R_DL_CTRL + 1)
			loop_write(e, data[i]);
		else
			e->mem[a] = data[i];
	}
}

void esc_dl_status_refresh(struct esc *e)
{
	u16 v = e->pdi_up ? e->chip.dl_low : e->chip.dl_low & ~1;
	unsigned int p;

	end_temporary(e);
	for (p = 0; p < ESC_PORTS; p++) {
		bool link = (e->links & BIT(p)) && esc_port_present(e, p);

		if (link)
			v |= (u16)(0x0010 << p);
		if (esc_port_open(e, p))
			v |= link ? (u16)(0x0200 << (2 * p)) : 0;
		else
			v |= (u16)(0x0100 << (2 * p));
	}
	sim_put16(e->mem + ESC_R_DL_STATUS, v);
}
