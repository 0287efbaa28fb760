// SPDX-License-Identifier: GPL-2.0-only
/*
 * From INIT to OP and back, straight line.
 *
 * Order of one way up: FMMUs and sync managers off, mailbox, PREOP, start-up
 * commands, mapping, process data sync managers, SAFEOP, FMMUs, OP.  A slave
 * joins the exchange after SAFEOP because a sync manager answers no read before
 * the device has written to it once: earlier, its working counter would be
 * missing from the exchange of all others for as long as the device takes.
 */
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/string.h>
#include "al.h"
#include "bringup.h"
#include "bus.h"
#include "coe.h"
#include "dc.h"
#include "master.h"
#include "pdo.h"
#include "setup.h"
#include "slave.h"
#include "wait.h"
#include "xfer.h"
#include "proto/ecat.h"

/* ETG.1020 */
#define T_PREOP_MS	3000
#define T_SAFEOP_MS	10000
#define T_BACK_MS	5000
/* a device in SAFEOP owes its first inputs at once */
#define T_INPUTS_MS	500

#define SII_PDI		0x01	/* 0x0500: the device's application may use it */
#define SM_NOT_WRITTEN	0x30	/* SM status 5:4: no buffer written yet */

/* for -EREMOTEIO of more than one origin: what the problem is */
struct trouble {
	u32 problem;
	u32 detail;
};

static int fail(struct trouble *t, u32 problem, u32 detail, int err)
{
	t->problem = problem;
	t->detail = detail;
	return err;
}

static struct kecat_setup setup_of(const struct kecat_slave *s)
{
	return (struct kecat_setup) {
		.sii = &s->sii,
		.cfg = s->cfg,
		.sms = min_t(u8, s->sms, KECAT_SETUP_SMS),
		.fmmus = min_t(u8, s->fmmus, KECAT_SETUP_FMMUS),
		.ram_kb = s->ram_kb,
		.mailbox = s->box.out_size,
	};
}

static u32 timeout(u32 configured, u32 standard)
{
	return configured ? configured : standard;
}

static u32 t_preop(const struct kecat_slave *s)
{
	return timeout(s->cfg ? s->cfg->c.t_preop_ms : 0, T_PREOP_MS);
}

static u32 t_safeop(const struct kecat_slave *s)
{
	return timeout(s->cfg ? s->cfg->c.t_safeop_ms : 0, T_SAFEOP_MS);
}

static u32 t_back(const struct kecat_slave *s)
{
	return timeout(s->cfg ? s->cfg->c.t_back_ms : 0, T_BACK_MS);
}

static int write_regs(struct kecat_slave *s, u16 reg, const void *data, u16 len)
{
	if (!len)
		return 0;
	return kecat_fpwr(s->master, s->station, reg, data, len);
}

/* ---- AL ---- */

static int change(struct kecat_slave *s, u8 state, u32 timeout_ms,
		  struct trouble *t)
{
	int err = kecat_al_change(s, state, timeout_ms);

	if (err == -EREMOTEIO) {
		fail(t, KECAT_PROBLEM_AL, s->al_code, err);
		kecat_al_ack(s);
	} else if (err == -ETIMEDOUT) {
		fail(t, KECAT_PROBLEM_AL_TIMEOUT, state, err);
	}
	return err;
}

/* ---- INIT ---- */

static const u8 zeros[KECAT_SETUP_FMMUS * sizeof(struct ec_fmmu)];

/* only as many as are fitted answer */
int kecat_slave_leave_exchange(struct kecat_slave *s)
{
	struct kecat_dgram dg = {
		EC_FPWR, s->station, EC_REG_FMMU,
		setup_of(s).fmmus * sizeof(struct ec_fmmu), (void *)zeros,
	};

	return kecat_bus_live_off(s, &dg, dg.len ? 1 : 0);
}

static int clear_sms(struct kecat_slave *s, u8 from)
{
	u8 n = setup_of(s).sms;

	if (from >= n)
		return 0;
	return write_regs(s, EC_REG_SM + from * sizeof(struct ec_sm), zeros,
			  (n - from) * sizeof(struct ec_sm));
}

static void forget_setup(struct kecat_slave *s)
{
	if (s->mbx.ready)
		kecat_mbx_stop(s);
	s->box = (struct kecat_mbx_setup) {};
	s->prepared = false;
	s->configured = false;
}

static int to_init(struct kecat_slave *s, struct trouble *t)
{
	int err = kecat_slave_leave_exchange(s);

	forget_setup(s);
	if (!err)
		err = change(s, KECAT_AL_INIT, t_back(s), t);
	if (!err)
		err = clear_sms(s, 0);
	if (!err)
		s->fresh = false;
	return err;
}

/* ---- PREOP ---- */

/* else the application of the device refuses PREOP: AL 0x0032 */
static int give_sii(struct kecat_slave *s)
{
	const u8 owner = SII_PDI;
	int err;

	if (s->emulated)
		return 0;
	err = kecat_slave_lock(s, &s->sii_lock);
	if (err)
		return err;
	err = write_regs(s, EC_REG_SII_CONFIG, &owner, sizeof(owner));
	mutex_unlock(&s->sii_lock);
	return err;
}

static int write_mbx_sms(struct kecat_slave *s, const struct kecat_setup *su,
			 const struct kecat_mbx_setup *mbx)
{
	struct ec_sm sm[2];

	kecat_setup_mbx_sms(su, mbx, sm);
	return write_regs(s, EC_REG_SM, sm, sizeof(sm));
}

/* also after a cut cable, with everything as it was but for lost answers */
static int start_mbx(struct kecat_slave *s, struct trouble *t)
{
	const struct kecat_mbx_setup *b = &s->box;
	int err;

	if (s->mbx.ready || !b->out_size)
		return 0;
	err = kecat_mbx_start(s, b->out, b->out_size, b->in, b->in_size);
	return err ? fail(t, KECAT_PROBLEM_MBX, -err, err) : 0;
}

/* from INIT to PREOP, or to BOOT */
static int leave_init(struct kecat_slave *s, bool boot, struct trouble *t)
{
	u8 state = boot ? KECAT_AL_BOOT : KECAT_AL_PREOP;
	struct kecat_setup su = setup_of(s);
	struct kecat_mbx_setup mbx;
	int err;

	err = kecat_setup_mbx(&su, boot, &mbx);
	if (err)
		return fail(t, KECAT_PROBLEM_MBX, -err, err);
	if (mbx.out_size)
		err = write_mbx_sms(s, &su, &mbx);
	if (!err)
		err = give_sii(s);
	if (!err)
		err = change(s, state, t_preop(s), t);
	if (err)
		return err;
	s->box = mbx;
	s->prepared = true;
	return start_mbx(s, t);
}

/* ---- PREOP to SAFEOP ---- */

static int sdo_trouble(struct trouble *t, u32 problem, u32 detail, int err)
{
	if (err == -EREMOTEIO)
		return fail(t, problem, detail, err);
	if (err == -EINTR)
		return err;
	return fail(t, KECAT_PROBLEM_MBX, -err, err);
}

static int send_sdos(struct kecat_slave *s, u32 transition, struct trouble *t)
{
	u32 i, abort = 0;
	int err;

	for (i = 0; i < s->cfg->sdos; i++) {
		const struct kecat_sdocfg *c =
			&s->config->sdos[s->cfg->first_sdo + i];

		if (c->transition != transition)
			continue;
		if (kecat_slave_interrupted(s))
			return -EINTR;
		err = kecat_coe_download(s, c->index, c->subindex, c->flags,
					 c->data, c->len, &abort, 0);
		if (err)
			return sdo_trouble(t, KECAT_PROBLEM_SDO, abort, err);
	}
	return 0;
}

static int write_pdos(struct kecat_slave *s, struct trouble *t)
{
	u32 detail = 0, abort = 0;
	int err;

	if (!(s->cfg->c.flags & (KECAT_CFGS_ASSIGN | KECAT_CFGS_MAPPING)))
		return 0;
	err = kecat_pdo_write(s, s->config, s->cfg, &detail, &abort);
	return err ? sdo_trouble(t, KECAT_PROBLEM_PDO, detail, err) : 0;
}

static int write_watchdogs(struct kecat_slave *s)
{
	const struct kecat_cfg_slave *c = &s->cfg->c;
	__le16 divider = cpu_to_le16(c->wd_divider);
	__le16 pdi = cpu_to_le16(c->wd_pdi);
	__le16 pd = cpu_to_le16(c->wd_pd);
	int err;

	if (!(c->flags & KECAT_CFGS_WATCHDOG))
		return 0;
	err = write_regs(s, EC_REG_WD_DIVIDER, &divider, sizeof(divider));
	if (!err)
		err = write_regs(s, EC_REG_WD_PDI, &pdi, sizeof(pdi));
	if (!err)
		err = write_regs(s, EC_REG_WD_PD, &pd, sizeof(pd));
	return err;
}

static u32 sm_detail(u8 index)
{
	return (0x1c10u + index) << 16;
}

static int write_sms(struct kecat_slave *s, struct trouble *t)
{
	struct kecat_setup su = setup_of(s);
	struct ec_sm sm[KECAT_SETUP_SMS];
	u8 first = su.mailbox ? 2 : 0, bad = 0;
	int err = kecat_setup_sms(&su, sm, &bad);

	if (err)
		return fail(t, KECAT_PROBLEM_PDO, sm_detail(bad), err);
	/* their set-up is locked while they are on */
	err = clear_sms(s, first);
	if (err || su.sms <= first)
		return err;
	return write_regs(s, EC_REG_SM + first * sizeof(*sm), &sm[first],
			  (su.sms - first) * sizeof(*sm));
}

/* until each input sync manager that is on has been written by the device */
static int await_inputs(struct kecat_slave *s)
{
	unsigned long until = jiffies + msecs_to_jiffies(T_INPUTS_MS);
	struct kecat_pause pause = { .min_us = 200, .max_us = 5000 };
	struct kecat_setup su = setup_of(s);
	struct ec_sm sm[KECAT_SETUP_SMS];
	bool late, waiting;
	int err, i;

	/* without an application there is nobody to write: data is the pins */
	if (s->emulated || !s->cfg->in_len || !su.sms)
		return 0;
	do {
		late = time_after(jiffies, until);
		if (kecat_slave_interrupted(s))
			return -EINTR;
		kecat_pause(&pause);
		err = kecat_fprd(s->master, s->station, EC_REG_SM, sm,
				 su.sms * sizeof(*sm));
		if (err)
			return err;
		waiting = false;
		for (i = su.mailbox ? 2 : 0; i < su.sms; i++)
			if ((sm[i].activate & EC_SM_ENABLE) &&
			    !(sm[i].control & (EC_SM_DIR_WRITE | EC_SM_MODE_MASK)) &&
			    (sm[i].status & SM_NOT_WRITTEN) == SM_NOT_WRITTEN)
				waiting = true;
	} while (waiting && !late);
	return 0;
}

/* from the cycle after this the slave's addresses are sent, and it is expected */
static int join_exchange(struct kecat_slave *s, struct trouble *t)
{
	struct kecat_setup su = setup_of(s);
	struct ec_fmmu fmmu[KECAT_SETUP_FMMUS];
	u32 logical[KECAT_CFG_MAX_SMS];
	struct kecat_dgram dg = {
		EC_FPWR, s->station, EC_REG_FMMU, su.fmmus * sizeof(*fmmu), fmmu,
	};
	u8 bad = 0;
	int err = kecat_bus_logical(s, logical);

	if (err)
		return err;
	err = kecat_setup_fmmus(&su, logical, fmmu, &bad);
	if (err)
		return fail(t, KECAT_PROBLEM_PDO, sm_detail(bad), err);
	err = await_inputs(s);
	return err ? err : kecat_bus_live_on(s, &dg, dg.len ? 1 : 0);
}

static int leave_preop(struct kecat_slave *s, struct trouble *t)
{
	int err = send_sdos(s, KECAT_TR_PS, t);

	if (!err)
		err = write_pdos(s, t);
	if (!err)
		err = write_watchdogs(s);
	if (!err)
		err = kecat_dc_configure(s);
	if (!err)
		err = write_sms(s, t);
	if (!err)
		err = change(s, KECAT_AL_SAFEOP, t_safeop(s), t);
	return err;
}

static int leave_safeop(struct kecat_slave *s, struct trouble *t)
{
	int err = send_sdos(s, KECAT_TR_SO, t);

	return err ? err : change(s, KECAT_AL_OP, t_safeop(s), t);
}

/* ---- downwards ---- */

static int back_to_preop(struct kecat_slave *s, struct trouble *t)
{
	int err = kecat_slave_leave_exchange(s);

	s->configured = false;
	if (!err)
		err = change(s, KECAT_AL_PREOP, t_back(s), t);
	if (!err)
		err = clear_sms(s, s->box.out_size ? 2 : 0);
	return err;
}

/* ---- all of it ---- */

u8 kecat_slave_goal(const struct kecat_slave *s, u8 target)
{
	if (target <= KECAT_AL_BOOT)
		return target;
	return kecat_bus_planned(s) ? target : KECAT_AL_PREOP;
}

/* process data is set up, and for the plan that is in effect */
static bool in_exchange(const struct kecat_slave *s)
{
	return s->configured &&
	       s->plan_gen == READ_ONCE(s->master->bus.plan_gen);
}

bool kecat_slave_unsettled(const struct kecat_slave *s)
{
	u8 goal = kecat_slave_goal(s, READ_ONCE(s->al_target));

	if (s->fresh || READ_ONCE(s->al_state) != goal)
		return true;
	if (goal != KECAT_AL_INIT && !s->prepared)
		return true;
	if (s->box.out_size && !s->mbx.ready && goal != KECAT_AL_INIT)
		return true;
	return goal > KECAT_AL_BOOT && (!in_exchange(s) || !READ_ONCE(s->live));
}

/* an error is acknowledged; a slave that ignores that goes through INIT */
static int clear_error(struct kecat_slave *s, struct trouble *t)
{
	int err;

	if (!(s->al_state & KECAT_AL_ERROR))
		return 0;
	err = kecat_al_ack(s);
	if (err == -ETIMEDOUT || err == -EREMOTEIO || s->emulated)
		return to_init(s, t);
	return err;
}

/* to a state that is known and from which the way to @goal goes on upwards */
static int find_footing(struct kecat_slave *s, u8 goal, struct trouble *t)
{
	u8 state;
	int err = kecat_al_read(s);

	if (err)
		return err;
	if (s->fresh)
		return to_init(s, t);
	err = clear_error(s, t);
	if (err)
		return err;
	state = s->al_state;
	if (state == KECAT_AL_INIT || goal == KECAT_AL_INIT || !s->prepared)
		return to_init(s, t);
	if ((state == KECAT_AL_BOOT) != (goal == KECAT_AL_BOOT))
		return to_init(s, t);
	err = start_mbx(s, t);
	if (err || state < KECAT_AL_SAFEOP)
		return err;
	if (goal < KECAT_AL_SAFEOP || !in_exchange(s))
		return back_to_preop(s, t);
	if (state == KECAT_AL_OP && goal == KECAT_AL_SAFEOP)
		return change(s, KECAT_AL_SAFEOP, t_back(s), t);
	return 0;
}

static int climb_to_safeop(struct kecat_slave *s, struct trouble *t)
{
	int err = leave_preop(s, t);

	if (err)
		return err;
	s->plan_gen = READ_ONCE(s->master->bus.plan_gen);
	s->configured = true;
	return 0;
}

static int climb(struct kecat_slave *s, u8 goal, struct trouble *t)
{
	int err = 0;

	if (goal == KECAT_AL_INIT)
		return 0;
	if (s->al_state == KECAT_AL_INIT)
		err = leave_init(s, goal == KECAT_AL_BOOT, t);
	if (err || goal == KECAT_AL_BOOT)
		return err;
	kecat_slave_read_pdos(s);
	if (goal == KECAT_AL_PREOP)
		return 0;
	if (s->al_state == KECAT_AL_PREOP)
		err = climb_to_safeop(s, t);
	if (!err && !READ_ONCE(s->live))
		err = join_exchange(s, t);
	if (!err && goal == KECAT_AL_OP && s->al_state == KECAT_AL_SAFEOP)
		err = leave_safeop(s, t);
	return err;
}

int kecat_slave_bringup(struct kecat_slave *s)
{
	u8 goal = kecat_slave_goal(s, s->goal);
	struct trouble t = {};
	int err = find_footing(s, goal, &t);

	if (!err)
		err = climb(s, goal, &t);
	/* the plan ended under way: back down, as somebody will have asked for */
	if (err == -ENOTCONN && !t.problem)
		err = -EINTR;
	if (!err || err == -EINTR)
		return err;
	/* nobody counts on it: then it must not answer either */
	if (!READ_ONCE(s->live))
		kecat_slave_leave_exchange(s);
	/* whoever vanished is for the supervisor to find out */
	kecat_bus_kick(s->master);
	if (!t.problem)
		fail(&t, KECAT_PROBLEM_XFER, -err, err);
	kecat_slave_set_problem(s, t.problem, t.detail);
	return err;
}
