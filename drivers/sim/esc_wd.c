// SPDX-License-Identifier: GPL-2.0-only
/* The process-data watchdog. */
#include "esc.h"

#define WD_DIV_DEFAULT	0x09c2	/* 2498 -> 100 us a count */
#define WD_DEFAULT	1000	/* 100 ms */
#define WD_TICK_NS	40

static u64 period(const struct esc *e)
{
	u64 unit = ((u64)sim_get16(e->mem + ESC_R_WD_DIV) + 2) * WD_TICK_NS;

	return unit * sim_get16(e->mem + ESC_R_WD_SM);
}

void esc_wd_reset(struct esc *e)
{
	sim_put16(e->mem + ESC_R_WD_DIV, WD_DIV_DEFAULT);
	sim_put16(e->mem + ESC_R_WD_PDI, WD_DEFAULT);
	sim_put16(e->mem + ESC_R_WD_SM, WD_DEFAULT);
	e->wd_ran = false;
	e->wd_expired = true;
	e->wd_deadline = 0;
}

/**
 * esc_wd_trigger - outputs arrived
 * @e: the chip
 */
void esc_wd_trigger(struct esc *e)
{
	e->wd_ran = true;
	e->wd_expired = false;
	e->wd_deadline = e->now + period(e);
}

/**
 * esc_wd_refresh - has it expired meanwhile?
 * @e:   the chip
 * @now: time
 *
 * A watchdog time of zero switches it off, which reads as "fine".
 */
void esc_wd_refresh(struct esc *e, u64 now)
{
	u8 *count = e->mem + ESC_R_WD_COUNT;

	if (!sim_get16(e->mem + ESC_R_WD_SM)) {
		e->mem[ESC_R_WD_STATUS] = 1;
		e->wd_expired = false;
		return;
	}
	if (e->wd_ran && !e->wd_expired && now >= e->wd_deadline) {
		e->wd_expired = true;
		if (*count < 0xff)
			++*count;
	}
	if (!e->wd_ran)
		e->wd_expired = true;
	e->mem[ESC_R_WD_STATUS] = !e->wd_expired;
}
