/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The segment: counting, addressing, scanning, topology, and the supervisor
 * that looks after all of it.
 */
#ifndef KECAT_BUS_H
#define KECAT_BUS_H

#include <linux/types.h>
#include "config.h"

struct kecat_master;
struct kecat_slave;

/* supervisor thread; started by kecat_master_start(), stopped by _stop() */
int kecat_bus_start(struct kecat_master *m);
void kecat_bus_stop(struct kecat_master *m);

/* any context, also the cyclic thread and hard interrupts: look at the bus soon */
void kecat_bus_kick(struct kecat_master *m);
/* forget what is known, scan anew; returns when done.  -EBUSY while active */
int kecat_bus_rescan(struct kecat_master *m);

/* slave by position, with a reference, or NULL */
struct kecat_slave *kecat_bus_get(struct kecat_master *m, u32 position);

/*
 * Assign the elements of m->cfg to slaves (identity checks, problems), called
 * under m->config_lock after the configuration changed and by the supervisor
 * after the list of slaves changed.
 */
void kecat_bus_match(struct kecat_master *m);
/* all configured slaves to OP / all slaves back to PREOP; do not wait */
void kecat_bus_activate(struct kecat_master *m);
void kecat_bus_deactivate(struct kecat_master *m);

#endif
