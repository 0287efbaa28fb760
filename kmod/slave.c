// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "al.h"
#include "bringup.h"
#include "bus.h"
#include "house.h"
#include "master.h"
#include "slave.h"
#include "wait.h"

/* how often an idle worker looks at the mailbox */
#define POLL_JIFFIES		max(HZ / 20, 1)
#define BACKOFF_MAX		(30 * HZ)
/* a slave that stays up this long starts with a clean sheet */
#define STABLE			(5 * HZ)
/* after so many failures in a row the next attempt starts at INIT */
#define FAILURES_TO_INIT	3

/* ---- state and problems ---- */

/* s->lock held */
static void show_problem(struct kecat_slave *s, u32 problem, u32 detail)
{
	if (s->problem == problem && s->detail == detail)
		return;
	WRITE_ONCE(s->problem, problem);
	WRITE_ONCE(s->detail, detail);
	kecat_event(s->master, KECAT_EV_SLAVE_PROBLEM, READ_ONCE(s->position),
		    problem, detail, 0, 0);
}

/* s->lock held */
static void show_standing(struct kecat_slave *s)
{
	if (s->acute)
		return;
	/* an unreadable EEPROM explains why nothing is configured for it */
	if (s->sii_error && s->match_problem != KECAT_PROBLEM_IDENTITY)
		show_problem(s, KECAT_PROBLEM_SII, s->sii_error);
	else
		show_problem(s, s->match_problem, s->match_detail);
}

/**
 * kecat_slave_set_problem - say what is wrong
 * @s:       slave
 * @problem: KECAT_PROBLEM_*; KECAT_PROBLEM_NONE leaves what stands by itself
 * @detail:  with it
 */
void kecat_slave_set_problem(struct kecat_slave *s, u32 problem, u32 detail)
{
	mutex_lock(&s->lock);
	/* a worker that is not through yet has nothing to say about who is gone */
	if (READ_ONCE(s->present) || problem == KECAT_PROBLEM_MISSING) {
		s->acute = problem != KECAT_PROBLEM_NONE;
		if (s->acute)
			show_problem(s, problem, detail);
		else
			show_standing(s);
	}
	mutex_unlock(&s->lock);
	wake_up_all(&s->wait);
}

void kecat_slave_set_match(struct kecat_slave *s, u32 problem, u32 detail)
{
	mutex_lock(&s->lock);
	s->match_problem = problem;
	s->match_detail = detail;
	show_standing(s);
	mutex_unlock(&s->lock);
	wake_up_all(&s->wait);
}

void kecat_slave_set_sii_error(struct kecat_slave *s, int error)
{
	mutex_lock(&s->lock);
	s->sii_error = error;
	show_standing(s);
	mutex_unlock(&s->lock);
}

/**
 * kecat_slave_set_state - a slave's AL status has been read
 * @s:         slave
 * @al_status: bits 4:0
 * @al_code:   AL status code, with the error bit
 */
void kecat_slave_set_state(struct kecat_slave *s, u8 al_status, u16 al_code)
{
	u8 old;

	mutex_lock(&s->lock);
	old = s->al_state;
	if (al_status & KECAT_AL_ERROR)
		WRITE_ONCE(s->al_code, al_code);
	if (al_status != old) {
		WRITE_ONCE(s->al_state, al_status);
		s->transitions++;
		kecat_event(s->master, KECAT_EV_SLAVE_STATE,
			    READ_ONCE(s->position), al_status, old, al_code, 0);
	}
	mutex_unlock(&s->lock);
	if (al_status != old)
		wake_up_all(&s->wait);
}

/* ---- control ---- */

void kecat_slave_kick(struct kecat_slave *s)
{
	/* pairs with worker(): whoever takes the kick sees what was changed before */
	smp_store_release(&s->kick, true);
	wake_up_all(&s->wait);
}

/**
 * kecat_slave_want - set the state that a slave is to have
 * @s:        slave
 * @al_state: KECAT_AL_*
 *
 * Also ends a pause after failures: somebody cares now.
 */
void kecat_slave_want(struct kecat_slave *s, u8 al_state)
{
	WRITE_ONCE(s->al_target, al_state);
	WRITE_ONCE(s->failures, 0);
	kecat_slave_kick(s);
}

void kecat_slave_park_begin(struct kecat_slave *s)
{
	WRITE_ONCE(s->parked, true);
	smp_mb();	/* pairs with begin_work() */
	wake_up_all(&s->wait);
}

/**
 * kecat_slave_park - keep the worker idle
 * @s: slave, without a worker of its own on the stack
 *
 * What the worker is doing is cut short; one answer of the slave may have to be
 * waited for.
 */
void kecat_slave_park(struct kecat_slave *s)
{
	kecat_slave_park_begin(s);
	/* pairs with end_work() */
	wait_event(s->wait, !smp_load_acquire(&s->working));
}

void kecat_slave_unpark(struct kecat_slave *s)
{
	WRITE_ONCE(s->parked, false);
	kecat_slave_kick(s);
}

static bool reached(const struct kecat_slave *s, u8 state)
{
	u8 now = READ_ONCE(s->al_state), target = READ_ONCE(s->al_target);

	if (now == state)
		return true;
	/* on its way up, past it */
	return now > state && now <= target && target > KECAT_AL_BOOT &&
	       now != KECAT_AL_BOOT && state != KECAT_AL_BOOT;
}

static bool hopeless(const struct kecat_slave *s, u8 state, u32 failed)
{
	return READ_ONCE(s->stop) || !READ_ONCE(s->present) ||
	       READ_ONCE(s->failed) != failed ||
	       (READ_ONCE(s->matched) && kecat_slave_goal(s, state) != state);
}

/**
 * kecat_slave_wait - until a slave is where it was told to go
 * @s:          slave
 * @state:      KECAT_AL_*; a higher one will do if that is where it has to go
 * @timeout_ms: for all of it
 *
 * Return: 0, -ENODEV (missing), -EREMOTEIO (refused, see the record),
 * -ETIMEDOUT, -EINTR.
 */
int kecat_slave_wait(struct kecat_slave *s, u8 state, u32 timeout_ms)
{
	unsigned long ticks = msecs_to_jiffies(timeout_ms);
	u32 failed = READ_ONCE(s->failed);
	long left;

	left = wait_event_interruptible_timeout(s->wait, reached(s, state) ||
						hopeless(s, state, failed), ticks);
	if (reached(s, state))
		return 0;
	if (left < 0)
		return -EINTR;
	if (READ_ONCE(s->stop) || !READ_ONCE(s->present))
		return -ENODEV;
	return left ? -EREMOTEIO : -ETIMEDOUT;
}

int kecat_slave_lock(struct kecat_slave *s, struct mutex *lock)
{
	struct kecat_pause pause = { .min_us = 500, .max_us = 5000 };

	while (!mutex_trylock(lock)) {
		if (kecat_slave_interrupted(s))
			return -EINTR;
		kecat_pause(&pause);
	}
	return 0;
}

/* ---- worker ---- */

static bool paused(const struct kecat_slave *s)
{
	return READ_ONCE(s->failures) &&
	       time_before(jiffies, READ_ONCE(s->retry_at));
}

static bool has_errand(const struct kecat_slave *s)
{
	if (s->probe)
		return !s->probed;
	return !s->scanned || s->refresh ||
	       (READ_ONCE(s->matched) && kecat_slave_unsettled(s));
}

/* jiffies until the worker has something to do by itself */
static long next_look(const struct kecat_slave *s)
{
	long left;

	if (!READ_ONCE(s->present))
		return MAX_SCHEDULE_TIMEOUT;
	if (paused(s) && has_errand(s)) {
		left = READ_ONCE(s->retry_at) - jiffies;
		if (!s->mbx.ready)
			return max(left, 1L);
		return clamp(left, 1L, (long)POLL_JIFFIES);
	}
	return s->mbx.ready ? POLL_JIFFIES : 5 * HZ;
}

/* the next attempt after the @n'th failure in a row, from 0 */
static void pause_for(struct kecat_slave *s, u32 n)
{
	unsigned long pause = HZ << min(n, 5U);

	WRITE_ONCE(s->retry_at, jiffies + min_t(unsigned long, pause, BACKOFF_MAX));
	WRITE_ONCE(s->failures, s->failures + 1);
	if (s->failures % FAILURES_TO_INIT == 0)
		s->fresh = true;
}

static void note_failure(struct kecat_slave *s)
{
	pause_for(s, READ_ONCE(s->failures));
	WRITE_ONCE(s->failed, s->failed + 1);
	wake_up_all(&s->wait);
}

static void note_success(struct kecat_slave *s)
{
	s->up = true;
	s->reached = READ_ONCE(s->al_state);
	s->reached_at = jiffies;
	kecat_slave_set_problem(s, KECAT_PROBLEM_NONE, 0);
}

/*
 * A slave that left its state by itself: the first time it is brought back at
 * once, but one that keeps falling has to wait longer each time.
 */
static void note_fall(struct kecat_slave *s)
{
	u32 n = READ_ONCE(s->failures);

	s->up = false;
	if (READ_ONCE(s->al_state) == s->reached)
		return;
	if (time_after(jiffies, s->reached_at + STABLE)) {
		WRITE_ONCE(s->failures, 0);
		return;
	}
	if (!n) {
		WRITE_ONCE(s->retry_at, jiffies);
		WRITE_ONCE(s->failures, 1);
		return;
	}
	pause_for(s, n - 1);
	kecat_slave_set_problem(s, KECAT_PROBLEM_AL, READ_ONCE(s->al_code));
}

static bool may_try(struct kecat_slave *s)
{
	if (s->up)
		note_fall(s);
	return !paused(s);
}

static void settle(struct kecat_slave *s, int err)
{
	switch (err) {
	case 0:
		note_success(s);
		break;
	case -EINTR:
		/* something else is wanted now: look again */
		WRITE_ONCE(s->kick, true);
		break;
	default:
		note_failure(s);
	}
}

static void run_errand(struct kecat_slave *s)
{
	int err;

	/* pairs with read_states() in bus.c, as does the other one */
	smp_store_release(&s->errands, s->errands + 1);
	WRITE_ONCE(s->busy, true);
	if (s->probe) {
		kecat_slave_identify(s);
		/* pairs with kecat_slave_probed() */
		smp_store_release(&s->probed, true);
		kecat_bus_kick(s->master);
	} else if (!s->scanned || s->refresh) {
		err = s->scanned ? kecat_slave_refresh(s) : kecat_slave_scan(s);
		if (err)
			settle(s, err);
		else
			kecat_bus_rematch(s);
	} else {
		err = kecat_bus_serial_begin(s);
		if (!err) {
			err = kecat_slave_bringup(s);
			kecat_bus_serial_end(s);
		}
		settle(s, err);
	}
	WRITE_ONCE(s->busy, false);
	/* see above */
	smp_store_release(&s->errands, s->errands + 1);
	wake_up_all(&s->wait);
}

static void work(struct kecat_slave *s)
{
	if (!READ_ONCE(s->present)) {
		if (s->mbx.ready)
			kecat_mbx_stop(s);
		return;
	}
	s->goal = READ_ONCE(s->al_target);
	if (has_errand(s) && may_try(s))
		run_errand(s);
	else if (s->mbx.ready)
		kecat_mbx_poll(s);
}

static bool begin_work(struct kecat_slave *s)
{
	WRITE_ONCE(s->working, true);
	smp_mb();	/* pairs with kecat_slave_park_begin() */
	return !READ_ONCE(s->parked) && !READ_ONCE(s->stop);
}

static void end_work(struct kecat_slave *s)
{
	/* pairs with kecat_slave_park() */
	smp_store_release(&s->working, false);
	if (READ_ONCE(s->parked))
		wake_up_all(&s->wait);
}

static bool called(const struct kecat_slave *s)
{
	return READ_ONCE(s->stop) ||
	       (READ_ONCE(s->kick) && !READ_ONCE(s->parked));
}

static int worker(void *data)
{
	struct kecat_slave *s = data;
	long pause;

	kecat_house_keep();
	while (!kthread_should_stop()) {
		pause = READ_ONCE(s->parked) ? MAX_SCHEDULE_TIMEOUT : next_look(s);
		wait_event_interruptible_timeout(s->wait, called(s), pause);
		if (begin_work(s)) {
			/* a full barrier: pairs with kecat_slave_kick() */
			xchg(&s->kick, false);
			work(s);
		}
		end_work(s);
		/* kthread_stop() follows as soon as its caller gets to run */
		if (READ_ONCE(s->stop) && !kthread_should_stop())
			usleep_range(500, 1000);
	}
	return 0;
}

/* ---- lifetime ---- */

static void release(struct kref *ref)
{
	struct kecat_slave *s = container_of(ref, struct kecat_slave, ref);

	kecat_mbx_exit(s);
	kvfree(s->sii_image);
	kvfree(s->pdos);
	mutex_destroy(&s->sii_lock);
	mutex_destroy(&s->lock);
	kfree(s);
}

void kecat_slave_put(struct kecat_slave *s)
{
	kref_put(&s->ref, release);
}

static void init_slave(struct kecat_slave *s, struct kecat_master *m)
{
	int i;

	kref_init(&s->ref);
	s->master = m;
	s->al_target = KECAT_AL_PREOP;
	s->fresh = true;
	s->cfg_index = KECAT_ALL;
	for (i = 0; i < 4; i++)
		s->neighbour[i] = 0xffff;
	s->parent_port = 0xff;
	mutex_init(&s->sii_lock);
	mutex_init(&s->lock);
	init_waitqueue_head(&s->wait);
	kecat_mbx_init(s);
}

/**
 * kecat_slave_create - a record and its worker
 * @m:        master
 * @position: for the name of the thread, and to begin with
 * @station:  address the device answers to
 *
 * The worker has nothing to do until @present is set and it is kicked.
 * Return: the record or an ERR_PTR().
 */
struct kecat_slave *kecat_slave_create(struct kecat_master *m, u16 position,
				       u16 station)
{
	struct kecat_slave *s = kzalloc(sizeof(*s), GFP_KERNEL);
	struct task_struct *task;

	if (!s)
		return ERR_PTR(-ENOMEM);
	init_slave(s, m);
	s->position = position;
	s->station = station;
	task = kthread_run(worker, s, "kecat%d-s%u", m->index, position);
	if (IS_ERR(task)) {
		kecat_slave_put(s);
		return ERR_CAST(task);
	}
	s->task = task;
	return s;
}

/**
 * kecat_slave_destroy - end the worker, drop the table's reference
 * @s: record that is out of the table
 *
 * Others may hold on to it; all they get from it is errors.
 */
void kecat_slave_destroy(struct kecat_slave *s)
{
	WRITE_ONCE(s->stop, true);
	wake_up_all(&s->wait);
	kthread_stop(s->task);
	s->task = NULL;
	WRITE_ONCE(s->present, false);
	/* requests of others end as well */
	kecat_mbx_stop(s);
	wake_up_all(&s->wait);
	kecat_slave_put(s);
}
