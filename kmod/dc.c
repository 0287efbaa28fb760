// SPDX-License-Identifier: GPL-2.0-only
/*
 * Distributed clocks.  The reference is the first slave whose system time
 * answers; its clock is set once and then leads.  Offsets come from one latch
 * of the receive times, so they hold until clocks drift apart; the time of the
 * reference, which goes to all others, corrects that.
 */
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include "compat/unaligned.h"
#include "bus_int.h"
#include "dc.h"
#include "dc_math.h"
#include "wait.h"
#include "proto/ecat.h"

/* the clocks count from 2000-01-01 */
#define DC_EPOCH_NS	(946684800ULL * NSEC_PER_SEC)
#define PORT_TIMES	16
/* 0x0930: writing it restarts the drift filter; this is its default */
#define SPEED_START	0x1000
#define START_LEAD_NS	(100 * NSEC_PER_MSEC)
#define READY_MS	3000

/* ---- measuring ---- */

static bool measurable(struct kecat_master *m)
{
	u32 i;

	for (i = 0; i < m->nslaves; i++) {
		const struct kecat_slave *s = m->slave[i];

		/* one that cannot be read does not hold up the others */
		if (READ_ONCE(s->present) && !READ_ONCE(s->failed) &&
		    (!kecat_slave_scanned(s) || READ_ONCE(s->refresh)))
			return false;
	}
	return true;
}

/* neighbour and port by which it is reached; 0: directly, or not known */
static u32 place(struct kecat_master *m, const struct kecat_slave *s)
{
	u16 up = s->neighbour[0];

	if (up >= m->nslaves || s->parent_port >= KECAT_PORTS)
		return 0;
	return m->slave[up]->station << 8 | s->parent_port;
}

/*
 * Somebody's clock is not set, or is reached by another way than when delays
 * were measured.  Behind a break they hold as they were.
 */
static bool wanted(struct kecat_master *m)
{
	bool any = false, moved = false;
	u32 i;

	for (i = 0; i < m->nslaves; i++) {
		struct kecat_slave *s = m->slave[i];
		u32 at = place(m, s);

		if (!s->present)
			continue;
		any |= s->dc;
		moved |= (s->dc && !s->dc_ready) ||
			 (at && !s->behind && at != s->dc_place);
	}
	return any && moved;
}

static void remember_places(struct kecat_master *m)
{
	u32 i;

	for (i = 0; i < m->nslaves; i++) {
		struct kecat_slave *s = m->slave[i];

		if (s->present)
			s->dc_place = s->behind ? 0 : place(m, s);
	}
}

/* all latch at the same frame; then read, present slaves only */
static int latch(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	static const u8 any[4];
	u32 i, n = 0;
	int err;

	err = kecat_bwr(m, EC_REG_DC_PORT_TIME, any, sizeof(any));
	if (err < 0)
		return err;
	for (i = 0; i < m->nslaves; i++) {
		struct kecat_slave *s = m->slave[i];

		if (!s->present)
			continue;
		sc->table[n] = s;
		sc->dg[n] = (struct kecat_dgram) {
			EC_FPRD, s->station, EC_REG_DC_PORT_TIME, PORT_TIMES,
			sc->data[n],
		};
		n++;
	}
	err = n ? kecat_xfer(m, sc->dg, n, 0) : 0;
	return err ? err : n;
}

/* when each received the latching frame, by its own clock */
static int read_received(struct kecat_master *m, u32 n, u64 *received)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i;
	int err;

	for (i = 0; i < n; i++)
		sc->dg[i] = (struct kecat_dgram) {
			EC_FPRD, sc->table[i]->station, EC_REG_DC_RECV_TIME,
			sc->table[i]->dc64 ? 8 : 4, sc->data[i],
		};
	err = kecat_xfer(m, sc->dg, n, 0);
	for (i = 0; !err && i < n; i++)
		received[i] = sc->table[i]->dc64 ?
			get_unaligned_le64(sc->data[i]) :
			get_unaligned_le32(sc->data[i]);
	return err;
}

static void keep_port_times(struct kecat_master *m, u32 n,
			    const struct kecat_ring_end_port *opened)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i;
	int p;

	for (i = 0; i < n; i++) {
		struct kecat_slave *s = sc->table[i];

		/*
		 * Also those with receive times only; not behind a break, where
		 * the frame comes from the other side: until that is mended
		 * they count as one place.
		 */
		sc->node[i].timed = sc->dg[i].wkc == 1 && !s->behind &&
				    (s->features & EC_FEAT_DC);
		for (p = 0; p < KECAT_PORTS; p++) {
			s->port_time[p] = get_unaligned_le32(sc->data[i] + 4 * p);
			sc->node[i].time[p] = s->port_time[p];
		}
		sc->topo[i].dl_status = s->dl_status;
		if (s->station == opened->station)
			sc->topo[i].dl_status |= EC_DL_PORT_CLOSED(opened->port);
	}
	kecat_topology_build(sc->topo, n, m->ring.front);
	for (i = 0; i < n; i++)
		sc->node[i].topo = sc->topo[i];
	kecat_dc_delays(sc->node, n);
}

static int write_clock(struct kecat_slave *s, u64 offset, u32 delay)
{
	__le16 speed = cpu_to_le16(SPEED_START);
	__le64 off = cpu_to_le64(offset);
	__le32 del = cpu_to_le32(delay);
	struct kecat_dgram dg[] = {
		{ EC_FPWR, s->station, EC_REG_DC_OFFSET, s->dc64 ? 8 : 4, &off },
		{ EC_FPWR, s->station, EC_REG_DC_DELAY, sizeof(del), &del },
		{ EC_FPWR, s->station, EC_REG_DC_SPEED_START, sizeof(speed), &speed },
	};
	int err = kecat_xfer(s->master, dg, ARRAY_SIZE(dg), 0);

	if (!err && (dg[0].wkc != 1 || dg[1].wkc != 1))
		err = -ENXIO;
	if (err)
		return err;
	s->dc_offset = offset;
	/* pairs with await_ready() */
	smp_store_release(&s->dc_ready, true);
	wake_up_all(&s->wait);
	return 0;
}

/* the clock runs: it is drawn to its right time, and does not jump */
static int write_delay(struct kecat_slave *s, u32 delay)
{
	__le32 del = cpu_to_le32(delay);

	return kecat_fpwr(s->master, s->station, EC_REG_DC_DELAY, &del,
			  sizeof(del));
}

static u64 dc_now(void)
{
	return ktime_get_real_ns() - DC_EPOCH_NS;
}

static int set_clocks(struct kecat_master *m, u32 n, u64 now)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i, delay, was, ref_at = 0;
	struct kecat_slave *ref = NULL;
	int err, ret = 0;

	for (i = 0; i < n; i++) {
		struct kecat_slave *s = sc->table[i];

		was = s->delay_ns;
		delay = s->dc_ready && s->behind ? was : 0;
		if (ref && sc->node[i].timed)
			delay = sc->node[i].delay - sc->node[ref_at].delay;
		WRITE_ONCE(s->delay_ns, delay);
		if (!s->dc || sc->dg[i].wkc != 1)
			continue;
		if (!ref) {
			ref = s;
			ref_at = i;
			WRITE_ONCE(m->bus.dc_ref64, s->dc64);
			WRITE_ONCE(m->bus.dc_ref, s->station);
		}
		if (s->dc_ready) {
			if (delay != was && write_delay(s, delay))
				ret = -EIO;
			continue;
		}
		err = write_clock(s, s == ref ? now - sc->received[i] :
				  kecat_dc_offset(sc->received[ref_at],
						  ref->dc_offset,
						  sc->received[i], delay), delay);
		if (err)
			ret = err;
		if (err && s == ref)
			break;
	}
	return ret;
}

/* ports latch when the frame comes back by them: not in a closed ring */
static int latch_both_ways(struct kecat_master *m,
			   struct kecat_ring_end_port *opened)
{
	int n = kecat_ring_open(m, opened);

	if (!n)
		n = latch(m);
	kecat_ring_close(m, opened);
	return n;
}

bool kecat_dc_measure(struct kecat_master *m)
{
	struct kecat_ring_end_port opened;
	u64 before, now;
	int n;

	if (!measurable(m))
		return false;
	if (!wanted(m))
		return true;
	before = dc_now();
	n = latch_both_ways(m, &opened);
	if (n < 0)
		return false;
	now = dc_now();
	keep_port_times(m, n, &opened);
	if (read_received(m, n, m->bus.scratch->received) ||
	    set_clocks(m, n, before + (now - before) / 2))
		return false;
	remember_places(m);
	return true;
}

/* ---- keeping time ---- */

static bool anybody_follows(struct kecat_master *m)
{
	u32 i, n = 0;

	for (i = 0; i < m->nslaves && n < 2; i++)
		n += m->slave[i]->present && READ_ONCE(m->slave[i]->dc_ready);
	return n > 1;
}

void kecat_dc_keep_time(struct kecat_master *m)
{
	u8 time[4] = {};
	struct kecat_dgram dg = {
		EC_FRMW, m->bus.dc_ref, EC_REG_DC_TIME, sizeof(time), time,
	};

	if (m->bus.dc_ref && anybody_follows(m))
		kecat_xfer(m, &dg, 1, KECAT_XFER_ONCE);
}

/* ---- SYNC0 and SYNC1 ---- */

static int await_ready(struct kecat_slave *s)
{
	unsigned long until = jiffies + msecs_to_jiffies(READY_MS);
	struct kecat_pause pause = { .min_us = 1000, .max_us = 20000 };

	/* pairs with write_clock() */
	while (!smp_load_acquire(&s->dc_ready)) {
		if (kecat_slave_interrupted(s))
			return -EINTR;
		if (time_after(jiffies, until))
			return -ETIME;
		kecat_pause(&pause);
	}
	return 0;
}

/* system time in 64 bits, from the slave itself or from the reference */
static int read_time(struct kecat_slave *s, u64 *now)
{
	struct kecat_master *m = s->master;
	u16 ref = READ_ONCE(m->bus.dc_ref);
	__le64 t = 0;
	int err;

	err = kecat_fprd(m, s->dc64 || !ref ? s->station : ref, EC_REG_DC_TIME,
			 &t, s->dc64 || m->bus.dc_ref64 ? 8 : 4);
	*now = le64_to_cpu(t);
	return err;
}

int kecat_dc_configure(struct kecat_slave *s)
{
	const struct kecat_cfg_slave *c = &s->cfg->c;
	struct kecat_master *m = s->master;
	u64 bus = s->config->bus.cycle_ns, now, first;
	u32 sync0 = c->dc_sync0_ns ? c->dc_sync0_ns : bus;
	__le32 cycle[2] = { cpu_to_le32(sync0), cpu_to_le32(c->dc_sync1_ns) };
	__le16 activate = cpu_to_le16(c->dc_activate);
	static const u8 off;
	__le64 start;
	int err;

	if (!(c->flags & KECAT_CFGS_DC))
		return 0;
	if (!s->dc)
		return -EOPNOTSUPP;
	err = await_ready(s);
	if (!err)
		err = kecat_fpwr(m, s->station, EC_REG_DC_ACTIVATION, &off, 1);
	if (err || !c->dc_activate)
		return err;
	err = read_time(s, &now);
	if (err)
		return err;
	first = kecat_dc_start(now, START_LEAD_NS, max_t(u64, bus, sync0),
			       c->dc_shift_ns);
	start = cpu_to_le64(first);
	err = kecat_fpwr(m, s->station, EC_REG_DC_SYNC0, cycle, sizeof(cycle));
	if (!err)
		err = kecat_fpwr(m, s->station, EC_REG_DC_START, &start,
				 s->dc64 ? 8 : 4);
	if (!err)
		err = kecat_fpwr(m, s->station, EC_REG_DC_CYC_UNIT, &activate,
				 sizeof(activate));
	return err;
}
