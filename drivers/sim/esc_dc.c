// SPDX-License-Identifier: GPL-2.0-only
/*
 * Distributed clocks: a local clock that drifts, receive times, the control
 * loop that follows the reference clock, and the SYNC0 unit.
 */
#include "esc.h"

#define ACT_CYCLIC	0x01
#define ACT_SYNC0	0x02
#define ACT_SYNC1	0x04

/**
 * esc_dc_has - does this make answer at a clock register?
 * @e:    the chip
 * @addr: 0x0900 to 0x09ff
 */
bool esc_dc_has(const struct esc *e, u16 addr)
{
	if (e->chip.dc == ESC_DC_NONE)
		return false;
	return e->chip.dc != ESC_DC_RXTIME || addr < ESC_R_DC_TIME;
}

static s64 stretch(s64 dt, s32 ppb)
{
	/* two steps, so that days of ns times a ppb do not overflow */
	return div64_s64(div64_s64(dt, 1000) * ppb, 1000000);
}

/**
 * esc_dc_local - the free-running local clock
 * @e:   the chip
 * @now: global time
 */
u64 esc_dc_local(const struct esc *e, u64 now)
{
	s64 dt = (s64)(now - e->dc.base_global);

	return e->dc.base_local + (u64)dt +
	       (u64)stretch(dt, e->dc.drift_ppb + e->dc.corr_ppb);
}

/**
 * esc_dc_system - the local copy of the system time
 * @e:   the chip
 * @now: global time
 */
u64 esc_dc_system(const struct esc *e, u64 now)
{
	u64 t = esc_dc_local(e, now) + sim_get64(e->mem + ESC_R_DC_OFFSET);

	return e->chip.dc == ESC_DC_32 ? (u32)t : t;
}

void esc_dc_reset(struct esc *e, u64 now)
{
	struct esc_dc *d = &e->dc;
	unsigned int p;

	d->base_global = now;
	d->base_local = d->boot_local;
	d->corr_ppb = 0;
	d->latch_frame = 0;
	d->diff = 0;
	d->last_write = 0;
	d->sync_on = false;
	d->sync_late = false;
	if (e->chip.dc == ESC_DC_NONE)
		return;
	for (p = 0; p < ESC_PORTS; p++)
		sim_put32(e->mem + ESC_R_DC_RX + 4 * p, e->chip.rx_init[p]);
	if (e->chip.dc == ESC_DC_RXTIME)
		return;
	sim_put16(e->mem + ESC_R_DC_SPEED, 0x1000);
	e->mem[0x0934] = 4;
	e->mem[0x0935] = 12;
}

static void rebase(struct esc *e, u64 now)
{
	e->dc.base_local = esc_dc_local(e, now);
	e->dc.base_global = now;
}

/**
 * esc_dc_arrive - the first bit of a frame reaches a port
 * @e:     the chip
 * @port:  which
 * @now:   global time
 * @frame: number of the frame, never 0
 */
void esc_dc_arrive(struct esc *e, unsigned int port, u64 now, u32 frame)
{
	e->dc.arrived[port] = now;
	if (e->dc.latch_frame == frame)
		sim_put32(e->mem + ESC_R_DC_RX + 4 * port,
			  (u32)esc_dc_local(e, now));
}

/**
 * esc_dc_latch - 0x0900 was written: this frame's times are kept
 * @e: the chip
 */
void esc_dc_latch(struct esc *e)
{
	u64 t = esc_dc_local(e, e->dc.arrived[e->dc.entry]);

	e->dc.latch_frame = e->frame;
	sim_put32(e->mem + ESC_R_DC_RX + 4 * e->dc.entry, (u32)t);
	if (esc_dc_has(e, ESC_R_DC_RX_PU))
		sim_put64(e->mem + ESC_R_DC_RX_PU, t);
}

static s32 bounded(s64 v, s64 limit)
{
	if (v > limit)
		return (s32)limit;
	return (s32)(v < -limit ? -limit : v);
}

/*
 * A proportional step bounded to a sixteenth of the time that passed (real
 * parts change a tick from 10 to 9 or 11 ns), and a slow rate correction.
 */
static void control(struct esc *e, s32 diff)
{
	struct esc_dc *d = &e->dc;
	s64 dt = (s64)(e->now - d->last_write);

	rebase(e, e->now);
	if (d->last_write && dt > 0) {
		s64 limit = dt / 16 < 1000000000 ? dt / 16 : 1000000000;
		s64 rate = div64_s64((s64)diff * 1000000, dt) * 1000;

		d->base_local -= (u64)(s64)bounded(diff / 4, limit);
		d->corr_ppb = bounded(d->corr_ppb - bounded(rate / 64, 1000000),
				      2000000);
	}
	d->last_write = e->now;
}

/**
 * esc_dc_time_write - the reference clock's time passes
 * @e:    the chip
 * @addr: where the write starts; only one from 0x0910 with 4 bytes counts
 * @data: system time of the reference when the frame passed it
 * @len:  bytes
 */
void esc_dc_time_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	u32 want, have;

	if (addr != ESC_R_DC_TIME || len < 4)
		return;
	want = sim_get32(data) + sim_get32(e->mem + ESC_R_DC_DELAY);
	have = (u32)esc_dc_system(e, e->now);
	e->dc.diff = (s32)(have - want);
	control(e, e->dc.diff);
}

void esc_dc_offset_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	memcpy(e->mem + addr, data, len);
	e->dc.diff = 0;
	e->dc.last_write = 0;
}

/* Speed counter start: a write begins the control loop anew. */
void esc_dc_speed_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	memcpy(e->mem + addr, data, len);
	rebase(e, e->now);
	e->dc.corr_ppb = 0;
	e->dc.diff = 0;
	e->dc.last_write = 0;
}

/* How far the start lies ahead; negative when it has passed. */
static s64 ahead(const struct esc *e, u64 start, u64 sys)
{
	if (e->chip.dc == ESC_DC_32)
		return (s32)((u32)start - (u32)sys);
	return (s64)(start - sys);
}

static void activate(struct esc *e)
{
	struct esc_dc *d = &e->dc;
	u8 act = e->mem[ESC_R_DC_ACT];

	d->sync_on = false;
	d->sync_late = false;
	if ((act & (ACT_CYCLIC | ACT_SYNC0)) != (ACT_CYCLIC | ACT_SYNC0))
		return;
	d->sync_start = sim_get64(e->mem + ESC_R_DC_START);
	if (ahead(e, d->sync_start, esc_dc_system(e, e->now)) > 0)
		d->sync_on = true;
	else
		d->sync_late = true;
}

void esc_dc_sync_write(struct esc *e, u16 addr, const u8 *data, u16 len)
{
	u8 before = e->mem[ESC_R_DC_ACT];

	memcpy(e->mem + addr, data, len);
	if (addr <= ESC_R_DC_ACT && addr + len > ESC_R_DC_ACT &&
	    before != e->mem[ESC_R_DC_ACT])
		activate(e);
}

/**
 * esc_dc_sync0_count - pulses that SYNC0 has given since its start
 * @e:   the chip
 * @now: global time
 */
u64 esc_dc_sync0_count(struct esc *e, u64 now)
{
	u32 cycle = sim_get32(e->mem + ESC_R_DC_CYCLE0);
	s64 left;

	if (!e->dc.sync_on)
		return 0;
	left = ahead(e, e->dc.sync_start, esc_dc_system(e, now));
	if (left > 0)
		return 0;
	return cycle ? 1 + div64_u64((u64)-left, cycle) : 1;
}

static void next_pulse(struct esc *e)
{
	u64 n = esc_dc_sync0_count(e, e->now);
	u32 cycle = sim_get32(e->mem + ESC_R_DC_CYCLE0);

	if (e->dc.sync_on)
		sim_put64(e->mem + ESC_R_DC_START, e->dc.sync_start + n * cycle);
	e->mem[ESC_R_DC_ACT_STATUS] =
		(u8)((e->dc.sync_on && !n) | (e->dc.sync_late ? 4 : 0));
}

/* Sign and magnitude: bit 31 set while the local time is behind. */
static u32 diff_register(s32 diff)
{
	return diff < 0 ? 0x80000000u | (u32)-diff : (u32)diff;
}

/**
 * esc_dc_refresh - bring the moving registers up to date before a read
 * @e:    the chip
 * @addr: what is going to be read
 * @len:  bytes
 */
void esc_dc_refresh(struct esc *e, u16 addr, u16 len)
{
	u32 end = (u32)addr + len;

	if (e->chip.dc < ESC_DC_32)
		return;
	if (addr < ESC_R_DC_RX_PU && end > ESC_R_DC_TIME)
		sim_put64(e->mem + ESC_R_DC_TIME, esc_dc_system(e, e->now));
	if (addr < ESC_R_DC_SPEED && end > ESC_R_DC_DIFF)
		sim_put32(e->mem + ESC_R_DC_DIFF, diff_register(e->dc.diff));
	if (addr < ESC_R_DC_SYNC1 && end > ESC_R_DC_CUC)
		next_pulse(e);
}
