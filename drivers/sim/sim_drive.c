// SPDX-License-Identifier: GPL-2.0-only
/* A servo drive by CiA 402: state machine, and an ideal axis behind it. */
#include "sim_device.h"

enum { NOT_READY, DISABLED, READY, SWITCHED_ON, OPERATING, QUICK_STOP, FAULT };

#define MODE_PP		1
#define MODE_PV		3
#define MODE_CSP	8
#define MODE_CSV	9

#define CTRL_FAULT_RESET	0x0080
#define STATUS_REMOTE		0x0200
#define STATUS_REACHED		0x0400
#define STATUS_FOLLOWS		0x1000

/* An object of the drive, or NULL when the description has none. */
static u8 *obj(struct sim_slave *s, u16 index)
{
	int i = sim_od_find(s->desc, index, 0);

	return i < 0 ? NULL : s->store + s->desc->od[i].off;
}

static s32 get(struct sim_slave *s, u16 index, s32 otherwise)
{
	const u8 *p = obj(s, index);

	return p ? (s32)sim_get32(p) : otherwise;
}

static void put32(struct sim_slave *s, u16 index, s32 v)
{
	u8 *p = obj(s, index);

	if (p)
		sim_put32(p, (u32)v);
}

/* One transition by the control word; each leads at most one state on. */
static u8 next_state(u8 state, u16 ctrl, u16 last)
{
	if (state == FAULT)
		return (ctrl & ~last) & CTRL_FAULT_RESET ? DISABLED : FAULT;
	if (!(ctrl & 0x0002))
		return DISABLED;
	if (!(ctrl & 0x0004))
		return state == OPERATING ? QUICK_STOP :
		       state == QUICK_STOP ? QUICK_STOP : DISABLED;
	switch (ctrl & 0x000f) {
	case 0x0006:
		return state == QUICK_STOP ? QUICK_STOP : READY;
	case 0x0007:
		return state == DISABLED ? DISABLED : SWITCHED_ON;
	case 0x000f:
		if (state == READY)
			return SWITCHED_ON;
		if (state == SWITCHED_ON || state == QUICK_STOP)
			return OPERATING;
		return state;
	}
	return state;
}

static u16 status_word(u8 state)
{
	static const u16 bits[] = {
		[NOT_READY] = 0x0000, [DISABLED] = 0x0040, [READY] = 0x0021,
		[SWITCHED_ON] = 0x0023, [OPERATING] = 0x0027,
		[QUICK_STOP] = 0x0007, [FAULT] = 0x0008,
	};

	return bits[state] | STATUS_REMOTE;
}

static void integrate(struct sim_slave *s, s32 speed, u32 dt_us)
{
	s->drive.frac += (s64)speed * dt_us;
	s->drive.position += (s32)div64_s64(s->drive.frac, 1000000);
	s->drive.frac -= div64_s64(s->drive.frac, 1000000) * 1000000;
}

static s32 move(struct sim_slave *s, u8 mode, u32 dt_us)
{
	s32 before = s->drive.position;

	switch (mode) {
	case MODE_PP:
	case MODE_CSP:
		s->drive.position = get(s, 0x607a, before);
		break;
	case MODE_PV:
	case MODE_CSV:
		integrate(s, get(s, 0x60ff, 0), dt_us);
		return get(s, 0x60ff, 0);
	}
	return s->drive.position - before;
}

/**
 * sim_drive_tick - the axis moves
 * @s:     slave
 * @dt_us: time since the last step; 0 when only new outputs have to be seen
 */
void sim_drive_tick(struct sim_slave *s, u32 dt_us)
{
	struct sim_drive *d = &s->drive;
	u8 *ctrl_p = obj(s, 0x6040), *status_p = obj(s, 0x6041);
	u8 *mode_p = obj(s, 0x6060), *shown_p = obj(s, 0x6061);
	u16 ctrl = ctrl_p ? sim_get16(ctrl_p) : 0, status;
	u8 mode = mode_p ? *mode_p : MODE_CSP;
	s32 speed = 0;

	if (d->state == NOT_READY)
		d->state = DISABLED;
	d->state = next_state(d->state, ctrl, d->last_control);
	d->last_control = ctrl;
	if (d->state == OPERATING && s->out_live)
		speed = move(s, mode, dt_us);
	status = status_word(d->state);
	if (d->state == OPERATING && (mode == MODE_CSP || mode == MODE_CSV))
		status |= STATUS_FOLLOWS;
	if (d->state == OPERATING && mode == MODE_PP)
		status |= STATUS_REACHED;
	if (status_p)
		sim_put16(status_p, status);
	if (shown_p)
		*shown_p = mode;
	put32(s, 0x6064, d->position);
	put32(s, 0x606c, speed);
}
