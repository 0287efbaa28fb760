// SPDX-License-Identifier: GPL-2.0-only
/*
 * The supervisor: watches link, number of slaves and their AL states, and sets
 * scans and workers going.  It blocks on nothing but the wire and, while it
 * changes the table, on workers that it has told to stop.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "al.h"
#include "bringup.h"
#include "bus_int.h"
#include "cycle.h"
#include "dc.h"
#include "house.h"
#include "image.h"
#include "proto/ecat.h"

#define ROUND_JIFFIES	max(HZ / 10, 1)
/* everybody is asked this often, whatever the broadcasts say */
#define ROLL_CALL_JIFFIES	HZ
/* kicks that come faster than this are one */
#define MIN_ROUND_US	1000
/* how long a rescan waits for the slaves to be read */
#define RESCAN_MS	15000

/* ---- link ---- */

static void watch_link(struct kecat_master *m)
{
	struct kecat_nic *nic = READ_ONCE(m->nic);
	bool link;

	if (!nic)
		return;
	if (kecat_ring_link(m))
		m->bus.scratch->again = true;
	nic->ops->link_poll(nic);
	link = READ_ONCE(nic->link);
	if (link == m->link)
		return;
	WRITE_ONCE(m->link, link);
	m->bus.scratch->again = true;
	kecat_event(m, KECAT_EV_LINK, KECAT_ALL, link, READ_ONCE(nic->speed),
		    0, 0);
}

/* ---- AL states ---- */

/* all that are present and at rest show the same state, which is *@state */
static bool uniform(struct kecat_master *m, u8 *state)
{
	bool first = true;
	u32 i;

	*state = 0;
	for (i = 0; i < m->nslaves; i++) {
		const struct kecat_slave *s = m->slave[i];

		if (!s->present)
			continue;
		if (READ_ONCE(s->busy))
			return false;
		if (!first && s->al_state != *state)
			return false;
		*state = s->al_state;
		first = false;
	}
	return true;
}

static void judge_state(struct kecat_slave *s, const u8 *regs)
{
	struct kecat_al al;

	kecat_al_decode(regs, &al);
	kecat_slave_set_state(s, al.status, al.code);
	if (READ_ONCE(s->live) &&
	    (al.status & EC_AL_STATE_MASK) < KECAT_AL_SAFEOP)
		kecat_slave_leave_exchange(s);
	if (READ_ONCE(s->matched) && kecat_slave_unsettled(s))
		kecat_slave_kick(s);
}

/*
 * Everybody's own state.  Who is being brought up looks for himself, and what
 * was read meanwhile may be older than what he knows.
 */
static int read_states(struct kecat_master *m)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u32 i, n = 0;
	int err;

	for (i = 0; i < m->nslaves; i++) {
		struct kecat_slave *s = m->slave[i];
		/* pairs with run_errand(), before and after */
		u32 errands = smp_load_acquire(&s->errands);

		if (!s->present || (errands & 1))
			continue;
		sc->table[n] = s;
		sc->errands[n] = errands;
		sc->dg[n] = (struct kecat_dgram) {
			EC_FPRD, s->station, EC_REG_AL_STATUS, KECAT_AL_REGS,
			sc->data[n],
		};
		n++;
	}
	if (!n)
		return 0;
	err = kecat_xfer(m, sc->dg, n, 0);
	for (i = 0; !err && i < n; i++) {
		if (sc->dg[i].wkc != 1)
			sc->again = true;
		else if (READ_ONCE(sc->table[i]->errands) == sc->errands[i])
			judge_state(sc->table[i], sc->data[i]);
	}
	return err;
}

static void watch_states(struct kecat_master *m, bool kicked)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;
	u16 front = m->ring.front;
	u8 al[2] = {}, state;
	int n;

	n = kecat_ring_count(m, EC_REG_AL_STATUS, al, sizeof(al));
	n = clamp(n, 0, KECAT_MAX_SLAVES);
	if (n != m->bus_count || front != m->ring.front) {
		sc->again = true;
		return;
	}
	if (!n)
		return;
	/* a sum stays the same when one comes in the moment another goes */
	if (kicked || time_after_eq(jiffies, m->bus.roll_call) ||
	    !uniform(m, &state) ||
	    state != (al[0] & (EC_AL_STATE_MASK | EC_AL_ERROR))) {
		m->bus.roll_call = jiffies + ROLL_CALL_JIFFIES;
		read_states(m);
	}
}

/* for the application, which reads it without a call */
static void show_op(struct kecat_master *m)
{
	u32 i, op = 0;

	mutex_lock(&m->bus_lock);
	for (i = 0; i < m->nslaves; i++)
		op += m->slave[i]->present && m->slave[i]->cfg &&
		      READ_ONCE(m->slave[i]->al_state) == KECAT_AL_OP;
	if (m->image)
		kecat_image_set_op(m->image, op);
	mutex_unlock(&m->bus_lock);
}

/* ---- rounds ---- */

static void follow_application(struct kecat_master *m)
{
	if (READ_ONCE(m->bus.plan_on) && kecat_cycle_app_missing(m) &&
	    READ_ONCE(m->bus.goal) == KECAT_AL_OP)
		kecat_bus_want(m, KECAT_AL_SAFEOP);
}

static void serve_rescan(struct kecat_master *m)
{
	if (!xchg(&m->rescan, false))
		return;
	m->bus.rescan_err = 0;
	if (READ_ONCE(m->bus.plan_on))
		m->bus.rescan_err = -EBUSY;
	else
		kecat_bus_forget(m);
	kecat_bus_scan(m);
	complete_all(&m->rescan_done);
}

static void one_round(struct kecat_master *m, bool kicked)
{
	struct kecat_bus_scratch *sc = m->bus.scratch;

	watch_link(m);
	if (m->quiet)
		return;
	serve_rescan(m);
	follow_application(m);
	watch_states(m, kicked);
	if (sc->again || kecat_bus_probed(m))
		kecat_bus_scan(m);
	if (xchg(&m->bus.rematch, false))
		kecat_bus_match(m);
	if (xchg(&m->bus.measure_dc, false) && !kecat_dc_measure(m))
		WRITE_ONCE(m->bus.measure_dc, true);
	kecat_ring_tell(m);
	kecat_dc_keep_time(m);
	show_op(m);
}

static int supervisor(void *data)
{
	struct kecat_master *m = data;

	kecat_house_keep();
	m->bus.scratch->again = true;
	while (!kthread_should_stop()) {
		bool kicked = atomic_xchg(&m->sup_kick, 0);

		if (READ_ONCE(m->bus.stopping)) {
			usleep_range(500, 1000);
			continue;
		}
		one_round(m, kicked);
		usleep_range(MIN_ROUND_US, 2 * MIN_ROUND_US);
		wait_event_interruptible_timeout(m->sup_wait,
				atomic_read(&m->sup_kick) ||
				READ_ONCE(m->bus.stopping), ROUND_JIFFIES);
	}
	return 0;
}

/* ---- from outside ---- */

static void wake_supervisor(struct irq_work *work)
{
	struct kecat_master *m = container_of(work, struct kecat_master, sup_wake);

	wake_up_all(&m->sup_wait);
}

void kecat_bus_kick(struct kecat_master *m)
{
	/* the first of many is enough */
	if (!atomic_xchg(&m->sup_kick, 1))
		irq_work_queue(&m->sup_wake);
}

struct kecat_slave *kecat_bus_get(struct kecat_master *m, u32 position)
{
	struct kecat_slave *s = NULL;

	mutex_lock(&m->bus_lock);
	if (position < m->nslaves) {
		s = m->slave[position];
		kref_get(&s->ref);
	}
	mutex_unlock(&m->bus_lock);
	return s;
}

static bool read_or_given_up(const struct kecat_slave *s)
{
	return kecat_slave_scanned(s) || READ_ONCE(s->failed) ||
	       READ_ONCE(s->stop) || !READ_ONCE(s->present);
}

static int await_slaves(struct kecat_master *m)
{
	unsigned long until = jiffies + msecs_to_jiffies(RESCAN_MS);
	struct kecat_slave *s;
	long left = 0;
	u32 i;

	for (i = 0; left >= 0 && (s = kecat_bus_get(m, i)); i++) {
		left = time_before(jiffies, until) ? until - jiffies : 0;
		left = wait_event_interruptible_timeout(s->wait,
							read_or_given_up(s), left);
		kecat_slave_put(s);
	}
	return left < 0 ? -EINTR : 0;
}

int kecat_bus_rescan(struct kecat_master *m)
{
	long left = 0;

	if (m->quiet)
		return -EPERM;
	if (READ_ONCE(m->bus.plan_on))
		return -EBUSY;
	reinit_completion(&m->rescan_done);
	WRITE_ONCE(m->rescan, true);	/* seen by who takes the kick */
	kecat_bus_kick(m);
	while (!left) {
		if (READ_ONCE(m->bus.stopping))
			return -ENODEV;
		left = wait_for_completion_interruptible_timeout(&m->rescan_done,
								 ROUND_JIFFIES);
	}
	if (left < 0)
		return -EINTR;
	return m->bus.rescan_err ? m->bus.rescan_err : await_slaves(m);
}

/* ---- lifetime ---- */

void kecat_bus_init(struct kecat_master *m)
{
	mutex_init(&m->bus_lock);
	mutex_init(&m->serial_lock);
	mutex_init(&m->bus.live_lock);
	init_waitqueue_head(&m->sup_wait);
	atomic_set(&m->sup_kick, 0);
	init_irq_work(&m->sup_wake, wake_supervisor);
	init_completion(&m->rescan_done);
	m->bus.goal = KECAT_AL_OP;
	m->bus.roll_call = jiffies;
}

/* the other end; nobody kicks any more */
void kecat_bus_exit(struct kecat_master *m)
{
	irq_work_sync(&m->sup_wake);
}

/**
 * kecat_bus_start - begin to look after the segment
 * @m: master with a started port and a running cyclic thread
 */
int kecat_bus_start(struct kecat_master *m)
{
	struct task_struct *task;

	m->bus.scratch = kvzalloc(sizeof(*m->bus.scratch), GFP_KERNEL);
	if (!m->bus.scratch)
		return -ENOMEM;
	WRITE_ONCE(m->bus.stopping, false);
	task = kthread_run(supervisor, m, "kecat%d-sup", m->index);
	if (IS_ERR(task)) {
		kvfree(m->bus.scratch);
		m->bus.scratch = NULL;
		return PTR_ERR(task);
	}
	m->supervisor = task;
	return 0;
}

/**
 * kecat_bus_stop - end supervisor and workers, drop all records
 * @m: master; may never have been started
 *
 * The cyclic thread has to answer transactions until this returns, if only
 * with -ESHUTDOWN.  Caller holds none of the locks from config_lock down.
 */
void kecat_bus_stop(struct kecat_master *m)
{
	if (!m->supervisor)
		return;
	WRITE_ONCE(m->bus.stopping, true);
	kecat_bus_kick(m);
	kthread_stop(m->supervisor);
	m->supervisor = NULL;
	irq_work_sync(&m->sup_wake);
	kecat_bus_forget(m);
	mutex_lock(&m->bus_lock);
	kvfree(m->bus.scratch);
	m->bus.scratch = NULL;
	mutex_unlock(&m->bus_lock);
}
