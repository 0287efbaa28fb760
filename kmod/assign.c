// SPDX-License-Identifier: GPL-2.0-only
/* What the slaves have to do with configuration and plan. */
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/string.h>
#include "bus_int.h"
#include "plan.h"
#include "setup.h"
#include "wait.h"

/* how long slaves may take to leave the exchange before it ends without them */
#define LEAVE_MS	500

/* ---- matching ---- */

/* bus_lock held */
static bool describe_slaves(struct kecat_master *m)
{
	struct kecat_mslave *ms = m->bus.scratch->ms;
	bool sticky = READ_ONCE(m->bus.plan_on), all = true;
	u32 i;

	for (i = 0; i < m->nslaves; i++) {
		const struct kecat_slave *s = m->slave[i];

		ms[i].scanned = kecat_slave_scanned(s);
		ms[i].alias = s->alias;
		ms[i].ident = s->ident;
		/* who is in the exchange stays there, wherever it is moved */
		ms[i].elem = sticky && s->cfg ? (s32)s->cfg_index : -1;
		all &= ms[i].scanned;
	}
	return all;
}

/* the mailbox that the slave has now is not the one it is to have */
static bool other_mailbox(const struct kecat_slave *s,
			  const struct kecat_scfg *cfg)
{
	struct kecat_setup su = {
		.sii = &s->sii, .cfg = cfg, .sms = s->sms, .ram_kb = s->ram_kb,
	};
	struct kecat_mbx_setup mbx;

	if (!s->prepared)
		return false;
	return kecat_setup_mbx(&su, false, &mbx) ||
	       memcmp(&mbx, &s->box, sizeof(mbx));
}

static const struct kecat_scfg *element(const struct kecat_cfg *cfg, s32 elem)
{
	return cfg && elem >= 0 ? &cfg->slave[elem] : NULL;
}

/* an old configuration lives until we are through: no address is used twice */
static bool changes(const struct kecat_master *m, const struct kecat_slave *s,
		    s32 elem)
{
	return s->cfg != element(m->cfg, elem);
}

/* worker parked */
static void give_element(struct kecat_master *m, struct kecat_slave *s, s32 elem)
{
	const struct kecat_scfg *cfg = element(m->cfg, elem);

	kecat_bus_live_off(s, NULL, 0);
	s->configured = false;
	if (other_mailbox(s, cfg))
		s->fresh = true;
	s->cfg = cfg;
	s->config = cfg ? m->cfg : NULL;
	WRITE_ONCE(s->cfg_index, cfg ? elem : KECAT_ALL);
	if (READ_ONCE(m->bus.plan_on) && cfg)
		kecat_slave_want(s, READ_ONCE(m->bus.goal));
	else if (READ_ONCE(s->al_target) > KECAT_AL_BOOT)
		kecat_slave_want(s, KECAT_AL_PREOP);
}

/* bus_lock held */
static void apply(struct kecat_master *m)
{
	const struct kecat_mslave *ms = m->bus.scratch->ms;
	u32 i;

	for (i = 0; i < m->nslaves; i++)
		if (changes(m, m->slave[i], ms[i].elem))
			kecat_slave_park_begin(m->slave[i]);
	for (i = 0; i < m->nslaves; i++) {
		struct kecat_slave *s = m->slave[i];
		bool news = ms[i].scanned && !READ_ONCE(s->matched);

		kecat_slave_set_match(s, ms[i].problem, ms[i].detail);
		if (changes(m, s, ms[i].elem)) {
			kecat_slave_park(s);
			give_element(m, s, ms[i].elem);
			WRITE_ONCE(s->matched, ms[i].scanned);
			kecat_slave_unpark(s);
		} else if (news) {
			WRITE_ONCE(s->matched, true);
			kecat_slave_kick(s);
		}
	}
}

/* bus_lock held; elements that nobody answers for, once each */
static void report_absent(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u64 have[KECAT_MAX_SLAVES / 64] = {};
	u32 i;

	if (sc->absent_gen != m->config_gen)
		memset(sc->absent, 0, sizeof(sc->absent));
	sc->absent_gen = m->config_gen;
	for (i = 0; i < m->nslaves; i++)
		if (sc->ms[i].elem >= 0)
			have[sc->ms[i].elem / 64] |= 1ULL << (sc->ms[i].elem % 64);
	for (i = 0; i < min_t(u32, m->cfg->slaves, KECAT_MAX_SLAVES); i++) {
		const struct kecat_cfg_slave *c = &m->cfg->slave[i].c;
		u64 bit = 1ULL << (i % 64);
		bool absent = !(have[i / 64] & bit) &&
			      !(c->flags & KECAT_CFGS_OPTIONAL);

		if (absent == !!(sc->absent[i / 64] & bit))
			continue;
		sc->absent[i / 64] ^= bit;
		kecat_event(m, KECAT_EV_SLAVE_PROBLEM,
			    c->flags & KECAT_CFGS_ALIAS ? KECAT_ALL : c->position,
			    absent ? KECAT_PROBLEM_MISSING : KECAT_PROBLEM_NONE,
			    i, 0, 0);
	}
}

int kecat_bus_match(struct kecat_master *m)
{
	bool all;
	int err;

	mutex_lock(&m->bus_lock);
	if (!m->bus.scratch) {
		mutex_unlock(&m->bus_lock);
		return 0;
	}
	all = describe_slaves(m);
	err = kecat_match(m->cfg, m->bus.scratch->ms, m->nslaves);
	WRITE_ONCE(m->bus.serial, m->serial_bringup ||
		   (m->cfg && (m->cfg->bus.flags & KECAT_BUS_SERIAL)));
	apply(m);
	if (m->cfg && all)
		report_absent(m);
	mutex_unlock(&m->bus_lock);
	return err;
}

void kecat_bus_rematch(struct kecat_slave *s)
{
	struct kecat_master *m = s->master;

	WRITE_ONCE(s->matched, false);
	WRITE_ONCE(m->bus.rematch, true);	/* seen by who takes the kick */
	kecat_bus_kick(m);
}

/* ---- plan ---- */

static void want_all(struct kecat_master *m, u8 state)
{
	u32 i;

	mutex_lock(&m->bus_lock);
	for (i = 0; i < m->nslaves; i++) {
		struct kecat_slave *s = m->slave[i];

		if (s->cfg)
			kecat_slave_want(s, state);
		else if (READ_ONCE(s->al_target) > state)
			kecat_slave_want(s, KECAT_AL_PREOP);
	}
	mutex_unlock(&m->bus_lock);
}

/* since the scan the clocks have drifted apart; now nobody uses them yet */
static void measure_anew(struct kecat_master *m)
{
	u32 i;

	mutex_lock(&m->bus_lock);
	for (i = 0; i < m->nslaves; i++)
		WRITE_ONCE(m->slave[i]->dc_ready, false);
	mutex_unlock(&m->bus_lock);
	WRITE_ONCE(m->bus.measure_dc, true);
	kecat_bus_kick(m);
}

void kecat_bus_activate(struct kecat_master *m)
{
	measure_anew(m);
	mutex_lock(&m->bus.live_lock);
	WRITE_ONCE(m->bus.goal, KECAT_AL_OP);
	WRITE_ONCE(m->bus.plan_gen, m->bus.plan_gen + 1);
	WRITE_ONCE(m->bus.plan_on, true);
	mutex_unlock(&m->bus.live_lock);
	want_all(m, KECAT_AL_OP);
}

void kecat_bus_want(struct kecat_master *m, u8 state)
{
	WRITE_ONCE(m->bus.goal, state);
	want_all(m, state);
}

static bool anybody_live(struct kecat_master *m)
{
	bool live = false;
	u32 i;

	mutex_lock(&m->bus_lock);
	for (i = 0; i < m->nslaves && !live; i++)
		live = READ_ONCE(m->slave[i]->live);
	mutex_unlock(&m->bus_lock);
	return live;
}

void kecat_bus_deactivate(struct kecat_master *m)
{
	unsigned long until = jiffies + msecs_to_jiffies(LEAVE_MS);
	struct kecat_pause pause = { .min_us = 500, .max_us = 10000 };

	kecat_bus_want(m, KECAT_AL_PREOP);
	/* as long as outputs are sent: no watchdog has to do it */
	while (anybody_live(m) && time_before(jiffies, until))
		kecat_pause(&pause);
	mutex_lock(&m->bus.live_lock);
	WRITE_ONCE(m->bus.plan_on, false);
	WRITE_ONCE(m->bus.plan_gen, m->bus.plan_gen + 1);
	mutex_unlock(&m->bus.live_lock);
}

bool kecat_bus_planned(const struct kecat_slave *s)
{
	return READ_ONCE(s->master->bus.plan_on) && s->cfg;
}

int kecat_bus_logical(struct kecat_slave *s, u32 *logical)
{
	struct kecat_master *m = s->master;
	int err;

	mutex_lock(&m->bus.live_lock);
	if (!m->bus.plan_on || s->cfg_index >= m->plan->nslaves) {
		err = -ENOTCONN;
	} else if (s->no_lrw && m->plan->lrw[s->cfg_index]) {
		/* nobody knew when the plan was made */
		err = -EPROTONOSUPPORT;
	} else {
		memcpy(logical, m->plan->sm_logical +
		       s->cfg_index * KECAT_CFG_MAX_SMS,
		       KECAT_CFG_MAX_SMS * sizeof(*logical));
		err = 0;
	}
	mutex_unlock(&m->bus.live_lock);
	return err;
}

static int send_all(struct kecat_master *m, struct kecat_dgram *dg, int n)
{
	int i, err = n ? kecat_xfer(m, dg, n, 0) : 0;

	for (i = 0; !err && i < n; i++)
		if (dg[i].wkc != 1)
			err = -ENXIO;
	return err;
}

int kecat_bus_live_on(struct kecat_slave *s, struct kecat_dgram *dg, int n)
{
	struct kecat_master *m = s->master;
	int err = -ENOTCONN;

	mutex_lock(&m->bus.live_lock);
	if (m->bus.plan_on && m->bus.plan_gen == s->plan_gen) {
		err = send_all(m, dg, n);
		/* who vanished meanwhile has been switched off, and stays so */
		if (!err && !READ_ONCE(s->present))
			err = -ENXIO;
		kecat_plan_set_live(m->plan, s->cfg_index, !err);
		WRITE_ONCE(s->live, !err);
	}
	mutex_unlock(&m->bus.live_lock);
	return err;
}

int kecat_bus_live_off(struct kecat_slave *s, struct kecat_dgram *dg, int n)
{
	struct kecat_master *m = s->master;
	int err;

	if (!READ_ONCE(s->live))
		return send_all(m, dg, n);
	mutex_lock(&m->bus.live_lock);
	if (m->bus.plan_on && s->cfg && m->bus.plan_gen == s->plan_gen)
		kecat_plan_set_live(m->plan, s->cfg_index, false);
	WRITE_ONCE(s->live, false);
	err = send_all(m, dg, n);
	mutex_unlock(&m->bus.live_lock);
	return err;
}

/* ---- one after the other ---- */

int kecat_bus_serial_begin(struct kecat_slave *s)
{
	int err;

	if (!READ_ONCE(s->master->bus.serial))
		return 0;
	err = kecat_slave_lock(s, &s->master->serial_lock);
	s->serial = !err;
	return err;
}

void kecat_bus_serial_end(struct kecat_slave *s)
{
	struct kecat_master *m = s->master;

	if (s->serial) {
		s->serial = false;
		mutex_unlock(&m->serial_lock);
	}
}
