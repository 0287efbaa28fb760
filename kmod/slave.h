/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Run-time record of one slave and its worker.
 *
 * A record is made when a device is first seen and lives (by reference) until
 * the port goes or another device is found in its place.  A device that stops
 * answering keeps its record, so that it is recognised when it returns.
 *
 * The worker does all slow work on its slave: it never takes master.bus_lock,
 * so that whoever holds that may wait for it.
 */
#ifndef KECAT_SLAVE_H
#define KECAT_SLAVE_H

#include <linux/types.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include "mbx.h"
#include "order.h"
#include "setup.h"
#include "sii_parse.h"
#include "config.h"

struct kecat_master;

/**
 * struct kecat_slave - one slave
 * @ref:       held by the master's table and callers
 * @master:    outlives it
 * @position:  in the order of the frame; under master.bus_lock
 * @station:   configured station address, unique on the bus
 * @present:   answered the last count
 * @scanned:   registers and SII have been read; worker writes
 * @matched:   the supervisor has looked for its element since
 * @refresh:   registers have to be read again, the rest is known
 * @fresh:     came (back) since the worker last looked: start at INIT
 * @prepared:  mailbox and sync managers are as we set them up, PREOP or above
 * @configured: .. and those of process data, for @plan_gen
 * @live:      takes part in the cyclic exchange; under kecat_bus.live_lock
 * @probe:     only its identity is wanted; @ident is filled in, @probed set
 * @al_state:  AL status bits 4:0 as last read
 * @al_code:   AL status code of the last error
 * @al_target: what the supervisor or the user wants; changed only through
 *             kecat_slave_want()
 * @problem:   KECAT_PROBLEM_*, @detail with it
 * @acute:     .. of the last attempt; else what stands: @match_problem, @sii_error
 * @sii:       parsed EEPROM; valid once @scanned
 * @sii_image: EEPROM image, kvmalloc'ed, NULL when not readable
 * @pdos:      mapping in effect, @npdos of them; kvmalloc'ed
 * @pdo_coe:   .. read by CoE
 * @cfg:       its element of the applied configuration, or NULL; changed under
 *             master.bus_lock with the worker parked
 * @config:    the configuration that @cfg is part of
 * @sii_lock:  one user of the EEPROM interface at a time
 * @lock:      @pdos, @sii_image, @problem, @al_state
 * @task:      worker
 * @wait:      worker waits here; also those who wait for it
 * @kick:      work to do; set with smp_store_release, taken by the worker
 * @busy:      worker is changing something
 * @working:   worker is at work, which includes looking at the mailbox
 * @parked:    worker has to stay idle
 * @stop:      worker has to end
 * @errands:   odd while the worker is changing something
 * @goal:      worker's own: @al_target as it set out
 * @failures:  attempts in a row that failed
 * @failed:    .. in all, for those who wait
 * @retry_at:  jiffies, valid with @failures
 * @up:        the last attempt succeeded, and left it in @reached at @reached_at
 */
struct kecat_slave {
	struct kref ref;
	struct kecat_master *master;
	u16 position;
	u16 station;
	bool present;
	bool scanned;
	bool matched;
	bool refresh;
	bool fresh;
	bool prepared;
	bool configured;
	bool live;
	bool probe;
	bool probed;
	u8 al_state;
	u8 al_target;
	u16 al_code;
	u32 problem;
	u32 detail;
	bool acute;
	u32 match_problem;
	u32 match_detail;
	int sii_error;
	u32 plan_gen;
	struct kecat_ident ident;

	u8 esc_type, esc_revision;
	u16 esc_build;
	u8 fmmus, sms, ram_kb, ports;
	u16 features;
	u16 dl_status;
	u16 alias;
	bool emulated;		/* 0x0141 bit 0 */
	bool dc;		/* 0x0910 answers */
	bool dc64;
	bool no_lrw;
	u16 neighbour[4];
	bool behind;		/* a break; the second port reached it */
	u8 parent_port;		/* by which it was reached last, 0xff = never */
	u32 port_time[4];
	u32 delay_ns;
	bool dc_ready;		/* delay and offset are written; supervisor */
	u32 dc_place;		/* where in the tree it was measured, 0 = nowhere */
	u64 dc_offset;

	struct kecat_sii_info sii;
	u8 *sii_image;
	size_t sii_len;
	struct kecat_pdo_entry *pdos;
	u32 npdos;
	bool pdo_coe;
	bool pdo_asked;		/* CoE was asked for the mapping */

	struct kecat_mbx mbx;
	struct kecat_mbx_setup box;	/* as SM0 and SM1 are set up */
	u32 transitions;
	u32 emergencies;

	const struct kecat_scfg *cfg;
	const struct kecat_cfg *config;
	u32 cfg_index;		/* KECAT_ALL: none */

	struct mutex sii_lock;
	struct mutex lock;
	struct task_struct *task;
	wait_queue_head_t wait;
	bool kick;
	bool busy;
	bool working;
	bool parked;
	bool stop;
	u8 goal;
	bool serial;		/* worker's own: holds master.serial_lock */
	u32 errands;
	u32 failures;
	u32 failed;
	unsigned long retry_at;
	bool up;
	u8 reached;
	unsigned long reached_at;
};

struct kecat_slave *kecat_slave_create(struct kecat_master *m, u16 position,
				       u16 station);
/* stops the worker, drops the table's reference */
void kecat_slave_destroy(struct kecat_slave *s);
void kecat_slave_put(struct kecat_slave *s);

/* worker control; any context that may sleep */
void kecat_slave_kick(struct kecat_slave *s);
void kecat_slave_want(struct kecat_slave *s, u8 al_state);
/* worker idle and kept so; the second returns when it is.  Nest not. */
void kecat_slave_park_begin(struct kecat_slave *s);
void kecat_slave_park(struct kecat_slave *s);
void kecat_slave_unpark(struct kecat_slave *s);
int kecat_slave_wait(struct kecat_slave *s, u8 state, u32 timeout_ms);

void kecat_slave_set_problem(struct kecat_slave *s, u32 problem, u32 detail);
/* what stands while no attempt fails: from matching, and of the EEPROM */
void kecat_slave_set_match(struct kecat_slave *s, u32 problem, u32 detail);
void kecat_slave_set_sii_error(struct kecat_slave *s, int error);
void kecat_slave_set_state(struct kecat_slave *s, u8 al_status, u16 al_code);

/* all that a scan, or a look at the identity, finds out is there to be read */
static inline bool kecat_slave_scanned(const struct kecat_slave *s)
{
	/* pairs with kecat_slave_scan() */
	return smp_load_acquire(&s->scanned);
}

static inline bool kecat_slave_probed(const struct kecat_slave *s)
{
	/* pairs with the worker that has identified its slave */
	return smp_load_acquire(&s->probed);
}

/* worker: what it is doing is no longer wanted */
static inline bool kecat_slave_interrupted(const struct kecat_slave *s)
{
	return READ_ONCE(s->stop) || READ_ONCE(s->parked) ||
	       !READ_ONCE(s->present) || READ_ONCE(s->al_target) != s->goal;
}

/* the same, for code that also runs in others' context */
static inline bool kecat_slave_called_off(const struct kecat_slave *s)
{
	return current == READ_ONCE(s->task) && kecat_slave_interrupted(s);
}

/* worker: mutex_lock() that gives up when interrupted.  0 or -EINTR. */
int __must_check kecat_slave_lock(struct kecat_slave *s, struct mutex *lock);

#endif
