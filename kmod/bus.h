/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The segment: counting, addressing, scanning, topology, and the supervisor
 * that looks after all of it.
 */
#ifndef KECAT_BUS_H
#define KECAT_BUS_H

#include <linux/types.h>
#include <linux/mutex.h>
#include "config.h"

struct kecat_master;
struct kecat_slave;
struct kecat_dgram;
struct kecat_bus_scratch;

/**
 * struct kecat_bus - what the supervisor and the workers share, in the master
 * @live_lock: master.plan stays as it is; innermost sleeping lock
 * @plan_on:   master.plan may be used
 * @plan_gen:  raised whenever a plan begins or ends
 * @goal:      state of the configured slaves, while @plan_on
 * @serial:    one slave at a time, under master.serial_lock
 * @rematch:   a worker has scanned its slave
 * @roll_call: when (jiffies) each slave is asked next, even if nothing hints at
 *             a change
 * @measure_dc: delays and offsets have to be measured
 * @stopping:  the supervisor has to end
 * @topo_faults: KECAT_TOPO_* of the last scan
 * @dc_ref:    station address of the reference clock, 0 = none
 * @dc_ref64:  .. has 64 bits
 * @rescan_err: result for who waits for rescan_done
 * @scratch:   the supervisor's own
 */
struct kecat_bus {
	struct mutex live_lock;
	bool plan_on;
	u32 plan_gen;
	u8 goal;
	bool serial;
	bool rematch;
	unsigned long roll_call;
	bool measure_dc;
	bool stopping;
	u32 topo_faults;
	u16 dc_ref;
	bool dc_ref64;
	int rescan_err;
	struct kecat_bus_scratch *scratch;
};

/* locks and queues of the master that belong to the supervisor; before anything else */
void kecat_bus_init(struct kecat_master *m);
void kecat_bus_exit(struct kecat_master *m);
/* supervisor thread; started by kecat_master_start(), stopped by _stop() */
int kecat_bus_start(struct kecat_master *m);
void kecat_bus_stop(struct kecat_master *m);

/* any context, also the cyclic thread and hard interrupts: look at the bus soon */
void kecat_bus_kick(struct kecat_master *m);
/*
 * Forget what is known, scan anew; returns when the slaves have been read.
 * -EBUSY while active, -EINTR.  Caller holds no lock but dev_rwsem.
 */
int kecat_bus_rescan(struct kecat_master *m);

/* slave by position, with a reference, or NULL */
struct kecat_slave *kecat_bus_get(struct kecat_master *m, u32 position);

/*
 * Assign the elements of m->cfg to slaves (identity checks, problems), called
 * under m->config_lock after m->cfg changed and before the old one is freed,
 * and by the supervisor after the list of slaves changed.  0, or -ENOTUNIQ:
 * two elements match one slave, the second is left out.
 */
int kecat_bus_match(struct kecat_master *m);
/*
 * All configured slaves to OP; does not wait.  All slaves back to PREOP; waits
 * up to half a second until they are out of the exchange.  Workers use m->plan
 * from the call of the one until the return of the other.
 */
void kecat_bus_activate(struct kecat_master *m);
void kecat_bus_deactivate(struct kecat_master *m);
/* while active: all configured slaves to @state, also those that come back */
void kecat_bus_want(struct kecat_master *m, u8 state);

/* ---- for workers ---- */

/* @s is scanned: find its element, then kick it */
void kecat_bus_rematch(struct kecat_slave *s);
/* bring-up one after the other, if that is asked for.  0 or -EINTR. */
int kecat_bus_serial_begin(struct kecat_slave *s);
void kecat_bus_serial_end(struct kecat_slave *s);
/* is there a plan, and for this slave? */
bool kecat_bus_planned(const struct kecat_slave *s);
/*
 * Copies KECAT_CFG_MAX_SMS logical addresses.  0, -ENOTCONN without a plan,
 * -EPROTONOSUPPORT: the plan uses LRW for a slave that has turned out not to.
 */
int kecat_bus_logical(struct kecat_slave *s, u32 *logical);
/*
 * Sends @dg, which switches the slave's FMMUs on; from the next cycle on its
 * data is exchanged.  0, -ENOTCONN without a plan, -ENXIO: it did not answer,
 * or as kecat_xfer().
 */
int kecat_bus_live_on(struct kecat_slave *s, struct kecat_dgram *dg, int n);
/*
 * Its data is exchanged no more; then @dg, if any, is sent.  What is left of an
 * old plan is no error.
 */
int kecat_bus_live_off(struct kecat_slave *s, struct kecat_dgram *dg, int n);

#endif
