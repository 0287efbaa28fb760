// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finding out who is on the segment.  Supervisor only; it alone changes the
 * table of slaves, so it may read it without bus_lock.
 *
 * A segment that was in use may carry any station address, so nobody is talked
 * to by one before all have been read by position.  Devices that carry an
 * address of ours are the same as before and are left alone; all others get a
 * new one.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/string.h>
#include <linux/delay.h>
#include "compat/unaligned.h"
#include "bus_int.h"
#include "proto/ecat.h"

#define TRIES		5
#define SETTLE_US	10000
#define PROBE_JIFFIES	(1 * HZ)

/* a device that answered under the scan does no longer, or two do */
static int check_counters(const struct kecat_dgram *dg, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (dg[i].wkc != 1)
			return -EAGAIN;
	return 0;
}

/* ---- reading and writing by position ---- */

static int read_by_position(struct kecat_master *m, u32 n, u16 reg)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i;
	int err;

	if (!n)
		return 0;
	for (i = 0; i < n; i++)
		sc->dg[i] = (struct kecat_dgram) {
			EC_APRD, -(u16)i, reg, 2, sc->data[i],
		};
	err = kecat_xfer(m, sc->dg, n, 0);
	return err ? err : check_counters(sc->dg, n);
}

/* number of slaves; no link or no answer: nobody is there */
static int count(struct kecat_master *m)
{
	u8 type;
	int n = kecat_ring_count(m, EC_REG_TYPE, &type, 1);

	if (n == -ESHUTDOWN)
		return n;
	return clamp(n, 0, KECAT_MAX_SLAVES);
}

static bool same_stations(const struct kecat_bus_scratch *sc, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (get_unaligned_le16(sc->data[i]) != sc->seen[i].station)
			return false;
	return true;
}

/*
 * All positions do not fit one frame, and a frame may be lost and come later:
 * what joins or leaves meanwhile shifts all behind it.  So everything is read
 * twice, and holds only if it is the same.
 */
static int look(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	int n = count(m), err;
	u16 front = m->ring.front;
	u32 i;

	sc->nseen = 0;
	if (n <= 0)
		return n;
	err = read_by_position(m, n, EC_REG_STATION);
	for (i = 0; !err && i < n; i++) {
		sc->seen[i] = (struct kecat_seen) {
			.station = get_unaligned_le16(sc->data[i]),
		};
	}
	if (!err)
		err = read_by_position(m, n, EC_REG_DL_STATUS);
	for (i = 0; !err && i < n; i++)
		sc->topo[i].dl_status = get_unaligned_le16(sc->data[i]);
	if (!err)
		err = read_by_position(m, n, EC_REG_STATION);
	if (!err && (!same_stations(sc, n) || count(m) != n ||
		     front != m->ring.front))
		err = -EAGAIN;
	if (!err)
		sc->nseen = n;
	return err;
}

/* ports on automatic, no addressing by alias: whoever was master before us */
static void reset_links(struct kecat_master *m)
{
	static const u8 zero;

	kecat_bwr(m, EC_REG_DL_CONTROL + 1, &zero, 1);
	kecat_bwr(m, EC_REG_DL_CONTROL + 3, &zero, 1);
}

/* the segment changed just before: @was has got an address that is not for it */
static void undo_station(struct kecat_master *m, u16 now, u16 was)
{
	__le16 station = cpu_to_le16(was);

	kecat_fpwr(m, now, EC_REG_STATION, &station, sizeof(station));
}

static bool took_station(struct kecat_master *m, u16 position,
			 const struct kecat_dgram *dg)
{
	struct kecat_seen *seen = &m->bus.scratch->seen[position];
	u16 was = get_unaligned_le16(dg->data);
	u16 now = m->bus.scratch->fresh[position];
	__le16 station = cpu_to_le16(now);

	/* some controllers read or write, but not both (0x0008 bit 10) */
	if (!dg->wkc) {
		if (kecat_apwr(m, position, EC_REG_STATION, &station,
			       sizeof(station)))
			return false;
		seen->station = now;
		return true;
	}
	/* the others add 1 for reading and 2 for writing */
	if (dg->wkc != 3)
		return false;
	/* a frame that was lost on its way back has done it already */
	if (was != seen->station && was != now) {
		undo_station(m, now, was);
		return false;
	}
	seen->station = now;
	return true;
}

/*
 * Written by position, so each tells what it had: one that is not the device
 * we saw there gets that back.
 */
static int write_stations(struct kecat_master *m, const u16 *position, u32 n)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i;
	int err;

	if (!n)
		return 0;
	for (i = 0; i < n; i++) {
		put_unaligned_le16(sc->fresh[position[i]], sc->data[i]);
		sc->dg[i] = (struct kecat_dgram) {
			EC_APRW, -position[i], EC_REG_STATION, 2, sc->data[i],
		};
	}
	err = kecat_xfer(m, sc->dg, n, 0);
	if (err)
		return err;
	for (i = 0; i < n; i++)
		if (!took_station(m, position[i], &sc->dg[i]))
			err = -EAGAIN;
	return err;
}

static struct kecat_probe *find_probe(struct kecat_bus_scratch *sc, u16 station)
{
	u32 i;

	for (i = 0; i < sc->nprobes; i++)
		if (sc->probe[i].s && sc->probe[i].s->station == station)
			return &sc->probe[i];
	return NULL;
}

/* the first that carries the address of a device whose identity is being read */
static bool is_probed(struct kecat_bus_scratch *sc, u32 at)
{
	u32 i;

	for (i = 0; i < at; i++)
		if (sc->seen[i].station == sc->seen[at].station)
			return false;
	return find_probe(sc, sc->seen[at].station);
}

/* new addresses for all that do not carry one of ours */
static int address(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u16 unknown[KECAT_MAX_SLAVES / 4];
	u32 i, n = 0, used = 0;
	int err = 0;

	for (i = 0; i < m->nslaves; i++)
		sc->used[used++] = m->slave[i]->station;
	for (i = 0; i < sc->nseen; i++)
		sc->used[used++] = sc->seen[i].station;
	for (i = 0; !err && i < sc->nseen; i++) {
		if (sc->keep[i] >= 0 || is_probed(sc, i))
			continue;
		sc->fresh[i] = kecat_order_address(&m->next_station, sc->used,
						   used);
		unknown[n++] = i;
		if (n == ARRAY_SIZE(unknown)) {
			err = write_stations(m, unknown, n);
			n = 0;
		}
	}
	return err ? err : write_stations(m, unknown, n);
}

/* ---- who left ---- */

static void lose(struct kecat_master *m, struct kecat_slave *s)
{
	if (!s->present)
		return;
	WRITE_ONCE(s->present, false);
	/* who waits for an answer of its mailbox need not wait any longer */
	WRITE_ONCE(s->mbx.ready, false);
	kecat_bus_live_off(s, NULL, 0);
	kecat_slave_set_problem(s, KECAT_PROBLEM_MISSING, 0);
	kecat_event(m, KECAT_EV_SLAVE_LOST, s->position, s->station, 0, 0, 0);
	kecat_slave_kick(s);
}

/* returns the number of records without a device */
static u32 compare(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i, before = 0, present = 0, kept;

	for (i = 0; i < m->nslaves; i++)
		present += m->slave[i]->present;
	for (i = 0; i < m->nslaves; i++) {
		const struct kecat_slave *s = m->slave[i];

		sc->known[i] = (struct kecat_known) {
			.station = s->station, .ident = s->ident,
			.behind = s->behind,
			.bus = s->behind ? present - before - s->present : before,
		};
		before += s->present;
	}
	kept = kecat_order_keep(sc->known, m->nslaves, sc->seen, sc->nseen,
				sc->keep);
	return m->nslaves - kept;
}

static void lose_missing(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i;

	memset(sc->used, 0, m->nslaves * sizeof(*sc->used));
	for (i = 0; i < sc->nseen; i++)
		if (sc->keep[i] >= 0)
			sc->used[sc->keep[i]] = 1;
	for (i = 0; i < m->nslaves; i++)
		if (!sc->used[i])
			lose(m, m->slave[i]);
}

/* ---- who is new ---- */

static void end_probe(struct kecat_probe *p)
{
	if (p->s)
		kecat_slave_destroy(p->s);
	p->s = NULL;
}

static void end_probes(struct kecat_bus_scratch *sc)
{
	u32 i;

	for (i = 0; i < sc->nprobes; i++)
		end_probe(&sc->probe[i]);
	sc->nprobes = 0;
}

static void begin_probe(struct kecat_master *m, u32 position, u16 station)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	struct kecat_slave *s;

	if (sc->nprobes == KECAT_MAX_SLAVES)
		return;
	s = kecat_slave_create(m, position, station);
	if (IS_ERR(s))
		return;
	s->probe = true;
	WRITE_ONCE(s->present, true);
	sc->probe[sc->nprobes++] = (struct kecat_probe) {
		.s = s, .until = jiffies + PROBE_JIFFIES,
	};
	kecat_slave_kick(s);
}

static bool probing(const struct kecat_probe *p)
{
	return p->s && !kecat_slave_probed(p->s) &&
	       time_before(jiffies, p->until);
}

bool kecat_bus_probed(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i;

	for (i = 0; i < sc->nprobes; i++)
		if (probing(&sc->probe[i]))
			return false;
	return sc->nprobes;
}

/*
 * Unknown devices where records miss theirs: whoever was without power comes
 * back without an address, and is known by its identity.  Reading that takes
 * time, and the others have to be looked after meanwhile: until all identities
 * are there, the unknown devices stay out of the list.  False: not yet.
 */
static bool identify(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	bool done = true;
	u32 i;

	for (i = 0; i < sc->nseen; i++) {
		struct kecat_probe *p;

		if (sc->keep[i] >= 0)
			continue;
		p = find_probe(sc, sc->seen[i].station);
		if (!p) {
			begin_probe(m, i, sc->seen[i].station);
			done = false;
		} else if (probing(p)) {
			done = false;
		} else if (kecat_slave_probed(p->s)) {
			sc->seen[i].ident = p->s->ident;
		}
	}
	return done;
}

/* known ones only; sc->at keeps where they were */
static void leave_unknown_out(struct kecat_bus_scratch *sc)
{
	u32 i, n = 0;

	for (i = 0; i < sc->nseen; i++) {
		if (sc->keep[i] < 0)
			continue;
		sc->at[n] = i;
		sc->seen[n] = sc->seen[i];
		sc->keep[n++] = sc->keep[i];
	}
	sc->nlisted = n;
}

static void list_all(struct kecat_bus_scratch *sc)
{
	for (sc->nlisted = 0; sc->nlisted < sc->nseen; sc->nlisted++)
		sc->at[sc->nlisted] = sc->nlisted;
}

/* ---- the new table ---- */

static void announce_back(struct kecat_master *m, struct kecat_slave *s)
{
	WRITE_ONCE(s->failures, 0);
	WRITE_ONCE(s->present, true);
	kecat_slave_set_problem(s, KECAT_PROBLEM_NONE, 0);
	kecat_event(m, KECAT_EV_SLAVE_BACK, s->position, s->station, 0, 0, 0);
}

/* its ESC never lost power: all that was set up is still there */
static void reconnect(struct kecat_master *m, struct kecat_slave *s)
{
	if (s->present)
		return;
	announce_back(m, s);
	kecat_slave_kick(s);
}

/* the same device after a power cycle: its address is written back */
static int revive(struct kecat_master *m, struct kecat_slave *s, u16 now)
{
	__le16 station = cpu_to_le16(s->station);
	int err = kecat_fpwr(m, now, EC_REG_STATION, &station, sizeof(station));

	if (err)
		return err;
	kecat_slave_park(s);
	s->fresh = true;
	s->refresh = true;
	s->dc_ready = false;
	kecat_slave_set_state(s, KECAT_AL_INIT, 0);
	announce_back(m, s);
	kecat_slave_unpark(s);
	return 0;
}

/* record for a device that was seen, or NULL */
static struct kecat_slave *stand_in(struct kecat_master *m,
				    struct kecat_place *p, u32 position)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	struct kecat_probe *probe;
	struct kecat_slave *s;

	if (p->known >= 0 && !p->fresh) {
		s = m->slave[p->known];
		if (sc->keep[p->seen] >= 0) {
			reconnect(m, s);
		} else if (revive(m, s, sc->seen[p->seen].station)) {
			p->seen = -1;
			sc->again = true;
		}
		return s;
	}
	probe = find_probe(sc, sc->seen[p->seen].station);
	if (probe && kecat_slave_probed(probe->s)) {
		s = probe->s;
		probe->s = NULL;
		kecat_slave_park(s);
		s->probe = false;
		s->position = position;
		kecat_slave_unpark(s);
		return s;
	}
	/* or it is still busy with an EEPROM that does not answer */
	if (probe)
		end_probe(probe);
	s = kecat_slave_create(m, position, sc->seen[p->seen].station);
	if (IS_ERR(s)) {
		sc->again = true;
		return NULL;
	}
	return s;
}

/* fills sc->table, returns the number of slaves */
static u32 fill_table(struct kecat_master *m, u32 places)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i, n = 0;

	for (i = 0; i < places; i++) {
		struct kecat_place *p = &sc->place[i];
		struct kecat_slave *s;

		s = p->seen < 0 ? m->slave[p->known] : stand_in(m, p, n);
		if (!s)
			continue;
		sc->table[n] = s;
		sc->place[n++] = *p;
	}
	return n;
}

static bool in_table(const struct kecat_bus_scratch *sc, u32 n,
		     const struct kecat_slave *s)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (sc->table[i] == s)
			return true;
	return false;
}

/*
 * bus_lock held.  Who is not in the table is not seen by kecat_bus_match(), and
 * the configuration that his worker uses may be freed: it rests before.
 */
static void retire(struct kecat_slave **s, u32 n)
{
	u32 i;

	/* all at once: each may have an answer to wait for */
	for (i = 0; i < n; i++) {
		WRITE_ONCE(s[i]->stop, true);
		kecat_slave_park_begin(s[i]);
	}
	for (i = 0; i < n; i++) {
		kecat_slave_park(s[i]);
		kecat_bus_live_off(s[i], NULL, 0);
		s[i]->cfg = NULL;
		s[i]->config = NULL;
		WRITE_ONCE(s[i]->cfg_index, KECAT_ALL);
	}
}

/* The new table takes effect; returns the number that is in sc->dropped. */
static u32 swap_table(struct kecat_master *m, u32 n, bool *changed)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i, dropped = 0;

	mutex_lock(&m->bus_lock);
	*changed = n != m->nslaves;
	for (i = 0; i < m->nslaves && !*changed; i++)
		*changed = m->slave[i] != sc->table[i];
	if (*changed) {
		for (i = 0; i < m->nslaves; i++)
			if (!in_table(sc, n, m->slave[i]))
				sc->dropped[dropped++] = m->slave[i];
		retire(sc->dropped, dropped);
		for (i = 0; i < n; i++) {
			m->slave[i] = sc->table[i];
			WRITE_ONCE(m->slave[i]->position, i);
		}
		m->nslaves = n;
		m->scan_gen++;
	}
	mutex_unlock(&m->bus_lock);
	return dropped;
}

static void destroy(struct kecat_slave **s, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		kecat_slave_destroy(s[i]);
}

/* neighbours are given by position in the table */
static void show_topology(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i, p;

	m->bus.topo_faults = kecat_topology_build(sc->topo, sc->nseen,
						  m->ring.front);
	/* the ring goes on at the second port */
	if (READ_ONCE(m->ring.second))
		m->bus.topo_faults &= ~KECAT_TOPO_OPEN;
	for (i = 0; i < sc->nseen; i++)
		sc->used[i] = KECAT_NO_NEIGHBOUR;
	for (i = 0; i < m->nslaves; i++)
		if (sc->place[i].seen >= 0)
			sc->used[sc->at[sc->place[i].seen]] = i;
	mutex_lock(&m->bus_lock);
	for (i = 0; i < m->nslaves; i++) {
		struct kecat_slave *s = m->slave[i];
		const struct kecat_topo *t;

		if (sc->place[i].seen < 0)
			continue;
		t = &sc->topo[sc->at[sc->place[i].seen]];
		s->dl_status = t->dl_status;
		s->behind = sc->at[sc->place[i].seen] >= m->ring.front;
		if (t->parent != KECAT_NO_NEIGHBOUR)
			s->parent_port = t->parent_port;
		for (p = 0; p < KECAT_PORTS; p++)
			s->neighbour[p] = t->neighbour[p] == KECAT_NO_NEIGHBOUR ?
				KECAT_NO_NEIGHBOUR : sc->used[t->neighbour[p]];
	}
	mutex_unlock(&m->bus_lock);
}

static void start_new(struct kecat_master *m)
{
	u32 i;

	for (i = 0; i < m->nslaves; i++) {
		struct kecat_slave *s = m->slave[i];

		if (s->present || m->bus.scratch->place[i].seen < 0)
			continue;
		WRITE_ONCE(s->present, true);
		kecat_slave_kick(s);
	}
}

static void adopt(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 before = m->bus_count, places, dropped, n;
	bool changed;

	places = kecat_order_merge(sc->known, m->nslaves, sc->seen, sc->nlisted,
				   sc->keep, sc->place, KECAT_MAX_SLAVES);
	n = fill_table(m, places);
	dropped = swap_table(m, n, &changed);
	destroy(sc->dropped, dropped);
	show_topology(m);
	WRITE_ONCE(m->bus_count, sc->nseen);
	if (before != sc->nseen)
		kecat_event(m, KECAT_EV_TOPOLOGY, KECAT_ALL, sc->nseen, before,
			    m->bus.topo_faults, 0);
	start_new(m);
	if (changed)
		kecat_event(m, KECAT_EV_SCAN, KECAT_ALL, m->nslaves,
			    m->scan_gen, 0, 0);
}

static int scan_once(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 missing, unknown = 0, i;
	int err = look(m);

	if (err)
		return err;
	missing = compare(m);
	lose_missing(m);
	for (i = 0; i < sc->nseen; i++)
		unknown += sc->keep[i] < 0;
	if (unknown && unknown == sc->nseen && !READ_ONCE(m->bus.plan_on))
		reset_links(m);
	err = address(m);
	if (err)
		return err;
	if (missing && unknown && !identify(m)) {
		leave_unknown_out(sc);
		adopt(m);
		return 0;
	}
	list_all(sc);
	adopt(m);
	end_probes(sc);
	return 0;
}

/**
 * kecat_bus_scan - bring the table of slaves up to date
 * @m: master
 *
 * Context: supervisor.  When the segment does not hold still, what is known
 * stays and scratch.again asks for another scan.
 */
void kecat_bus_scan(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	int err = -EAGAIN, i;

	WRITE_ONCE(m->scanning, true);
	sc->again = false;
	for (i = 0; i < TRIES && err == -EAGAIN; i++) {
		if (i)
			usleep_range(SETTLE_US, 2 * SETTLE_US);
		if (READ_ONCE(m->bus.stopping))
			break;
		err = scan_once(m);
	}
	if (err)
		sc->again = true;
	WRITE_ONCE(m->bus.measure_dc, true);
	WRITE_ONCE(m->bus.rematch, true);
	WRITE_ONCE(m->scanning, false);
}

/**
 * kecat_bus_forget - drop all records
 * @m: master
 *
 * Context: supervisor, or after it.
 */
void kecat_bus_forget(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 n;

	mutex_lock(&m->bus_lock);
	n = m->nslaves;
	memcpy(sc->dropped, m->slave, n * sizeof(*m->slave));
	retire(sc->dropped, n);
	m->nslaves = 0;
	m->scan_gen++;
	mutex_unlock(&m->bus_lock);
	WRITE_ONCE(m->bus_count, 0);
	destroy(sc->dropped, n);
	end_probes(sc);
}
