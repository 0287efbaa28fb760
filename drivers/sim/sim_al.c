// SPDX-License-Identifier: GPL-2.0-only
/* The application's half of the state machine (chips without emulation). */
#include "sim_device.h"

#define MBX_MIN		34	/* shorter mailboxes carry no CoE */

u8 sim_al_state(const struct sim_slave *s)
{
	return s->esc.mem[ESC_R_AL_STATUS] & ESC_AL_MASK;
}

static void set(struct sim_slave *s, u8 state, u16 code)
{
	esc_pdi_al_status(&s->esc, (u8)(state | (code ? ESC_AL_ERROR : 0)),
			  code);
}

static bool mailbox_ok(const struct esc_sm *sm, bool write, u16 start, u16 len)
{
	return sm->active && sm->mailbox && sm->write == write &&
	       sm->start == start && sm->len >= MBX_MIN && sm->len <= len;
}

static u16 check_mailbox(const struct sim_slave *s)
{
	const struct sim_desc *d = s->desc;
	const struct esc_sm *sm = s->esc.sm;

	if (!d->proto)
		return 0;
	if (mailbox_ok(&sm[0], true, d->mbx_rx, d->mbx_rx_len) &&
	    mailbox_ok(&sm[1], false, d->mbx_tx, d->mbx_tx_len))
		return 0;
	return AL_PREOP_MBX;
}

static u16 check_boot(const struct sim_slave *s)
{
	const struct sim_desc *d = s->desc;
	const struct esc_sm *sm = s->esc.sm;

	if (!d->boot_rx_len)
		return AL_NO_BOOT;
	if (mailbox_ok(&sm[0], true, d->boot_rx, d->boot_rx_len) &&
	    mailbox_ok(&sm[1], false, d->boot_tx, d->boot_tx_len))
		return 0;
	return AL_BOOT_MBX;
}

static bool image_ok(const struct sim_slave *s, const struct sim_image *im,
		     bool write)
{
	const struct esc_sm *sm = &s->esc.sm[im->sm];

	if (!im->have_sm)
		return true;
	if (!im->len)
		return !sm->active;
	return sm->active && !sm->mailbox && sm->write == write &&
	       sm->len == im->len && sm->start == s->desc->sm[im->sm].start;
}

static u16 check_images(const struct sim_slave *s)
{
	if (!image_ok(s, &s->out, true))
		return AL_OUT_CONF;
	return image_ok(s, &s->in, false) ? 0 : AL_IN_CONF;
}

static u16 check_dc(const struct sim_slave *s)
{
	const struct esc *e = &s->esc;
	bool sync = (e->mem[ESC_R_DC_ACT] & 3) == 3;

	if (!sync)
		return s->desc->need_dc ? AL_DC_CONF : 0;
	if (e->dc.sync_late || !sim_get32(e->mem + ESC_R_DC_CYCLE0))
		return AL_DC_CONF;
	if (sim_get32(e->mem + ESC_R_DC_CYCLE0) < s->desc->min_cycle_ns)
		return AL_DC_CYCLE;
	return 0;
}

static u16 enter_preop(struct sim_slave *s)
{
	u16 code = check_mailbox(s);

	if (!code && s->desc->need_sii && !(s->esc.mem[ESC_R_SII_CONF] & 1))
		code = AL_EEPROM_ACCESS;
	if (!code)
		sim_mbx_reset(s);
	return code;
}

static u16 enter_safeop(struct sim_slave *s)
{
	u16 code = sim_image_build(s);

	if (!code)
		code = check_images(s);
	if (!code)
		code = check_dc(s);
	if (!code) {
		s->out_seen = false;
		sim_image_inputs(s);
	}
	return code;
}

/* One step up; down is always allowed. */
static u16 step_up(struct sim_slave *s, u8 from, u8 to)
{
	if (from == ESC_INIT && to == ESC_PREOP)
		return enter_preop(s);
	if (from == ESC_INIT && to == ESC_BOOT)
		return check_boot(s);
	if (from == ESC_PREOP && to == ESC_SAFEOP)
		return enter_safeop(s);
	return AL_INVALID_CHANGE;
}

static bool known(u8 state)
{
	return state == ESC_INIT || state == ESC_PREOP || state == ESC_BOOT ||
	       state == ESC_SAFEOP || state == ESC_OP;
}

static void begin_op(struct sim_slave *s, u64 now)
{
	s->op_wait = true;
	s->op_deadline = now + 1000000ull * s->desc->op_wait_ms;
}

static bool watched(const struct sim_slave *s)
{
	return s->out.len &&
	       (s->esc.mem[ESC_R_SM + 8 * s->out.sm + ESC_SM_CTRL] & ESC_SM_WD);
}

/* With the watchdog on, OP begins when outputs have arrived in time. */
static void try_op(struct sim_slave *s, u64 now)
{
	if (!watched(s) || (s->out_seen && !s->esc.wd_expired)) {
		s->op_wait = false;
		set(s, ESC_OP, 0);
	} else if (now >= s->op_deadline) {
		s->op_wait = false;
		set(s, ESC_SAFEOP, AL_WATCHDOG);
	}
}

static u16 verdict(struct sim_slave *s, u8 from, u8 to, u64 now)
{
	if (!known(to))
		return AL_UNKNOWN_STATE;
	if (s->fault.al_refuse == to)
		return s->fault.al_refuse_code;
	if (from == ESC_BOOT)
		return to == ESC_INIT ? 0 : AL_INVALID_CHANGE;
	if (from == ESC_SAFEOP && to == ESC_OP) {
		begin_op(s, now);
		return 0;
	}
	if (to == ESC_BOOT || to > from)
		return step_up(s, from, to);
	return 0;
}

static void decide(struct sim_slave *s, u64 now)
{
	u8 ctrl = esc_pdi_al_read(&s->esc);
	u8 status = s->esc.mem[ESC_R_AL_STATUS];
	u8 from = status & ESC_AL_MASK, to = ctrl & ESC_AL_MASK;
	bool failed = status & ESC_AL_ERROR;
	u16 code;

	if (failed && !(ctrl & ESC_AL_ERROR) && to != ESC_INIT)
		return;
	s->op_wait = false;
	if (ctrl & ESC_AL_ID_REQ && to == from) {
		esc_pdi_al_status(&s->esc, from | ESC_AL_ID_REQ, s->desc->id);
		return;
	}
	if (to == from) {
		set(s, from, 0);
		return;
	}
	code = verdict(s, from, to, now);
	if (s->op_wait)
		set(s, from, 0);
	else
		set(s, code ? from : to, code);
	if (!code && to == ESC_INIT)
		sim_mbx_reset(s);
}

/* A channel was switched while it was needed. */
static void check_running(struct sim_slave *s)
{
	u8 state = sim_al_state(s);
	u16 code;

	if (state == ESC_INIT || state == ESC_BOOT)
		return;
	code = check_mailbox(s);
	if (code) {
		set(s, ESC_INIT, code);
		return;
	}
	if (state < ESC_SAFEOP)
		return;
	code = check_images(s);
	if (code)
		set(s, ESC_PREOP, code);
}

/**
 * sim_al_tick - state machine of the application
 * @s:   slave
 * @now: time
 */
void sim_al_tick(struct sim_slave *s, u64 now)
{
	struct esc *e = &s->esc;

	esc_wd_refresh(e, now);
	if (e->mem[ESC_R_ESC_CONF] & ESC_CONF_EMULATION || !e->pdi_up) {
		e->events &= ~(ESC_EV_AL | ESC_EV_SM_CONF);
		return;
	}
	if (e->events & ESC_EV_SM_CONF) {
		e->events &= ~ESC_EV_SM_CONF;
		check_running(s);
	}
	if (e->events & ESC_EV_AL) {
		e->events &= ~ESC_EV_AL;
		s->al_pending = !s->fault.al_ignore;
		s->al_due = now + 1000ull * s->desc->al_us;
	}
	if (s->al_pending && now >= s->al_due) {
		s->al_pending = false;
		decide(s, now);
	}
	if (s->op_wait)
		try_op(s, now);
	if (sim_al_state(s) == ESC_OP && watched(s) && e->wd_expired)
		set(s, ESC_SAFEOP, AL_WATCHDOG);
}
