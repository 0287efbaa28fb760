/* SPDX-License-Identifier: GPL-2.0-only */
/* The real-time thread; its contract stands at the top of tick.c */
#ifndef KECAT_CYCLE_H
#define KECAT_CYCLE_H

#include <linux/types.h>
#include <linux/wait.h>
#include "../uapi/kecat.h"

struct kecat_master;
struct kecat_record;
struct kecat_xfer;

/* module parameters, read at start */
extern int kecat_cpu;
extern int kecat_rt_prio;

/* memory, from the master's making to its end */
int kecat_cycle_create(struct kecat_master *m);
void kecat_cycle_destroy(struct kecat_master *m);
/* the thread, while there is a port */
int kecat_cycle_start(struct kecat_master *m);
void kecat_cycle_stop(struct kecat_master *m);

int kecat_cycle_exposed_cpu(struct kecat_master *m);
/* begin / end cyclic exchange of m->plan and m->image; return when in effect */
void kecat_cycle_activate(struct kecat_master *m);
void kecat_cycle_deactivate(struct kecat_master *m);
/* what outputs are sent from now on: the application's, zeros, or the last */
void kecat_cycle_app_lost(struct kecat_master *m, u32 reaction);
bool kecat_cycle_app_missing(struct kecat_master *m);
/* all phases count from zero, from the same cycle on; under config_lock, sleeps */
void kecat_cycle_reset_hist(struct kecat_master *m);
/* while active, under config_lock, sleeps: record into this from now on, or NULL */
void kecat_cycle_set_record(struct kecat_master *m, struct kecat_record *r);

/*
 * A cycle later than @*cycle was published, or -ETIMEDOUT, -EINTR, -EAGAIN
 * (@timeout_ns 0), -ENOTCONN.  Takes no sleeping lock.
 */
int kecat_cycle_wait(struct kecat_master *m, u64 *cycle, u64 timeout_ns);
/* one cycle in the time of an application that gives the tick */
int kecat_cycle_exchange(struct kecat_master *m, u64 at_ns, u64 *cycle);
u64 kecat_cycle_published(struct kecat_master *m);
wait_queue_head_t *kecat_cycle_waitqueue(struct kecat_master *m);	/* for poll() */

/*
 * Asks the cyclic thread for a copy of both images; buffers have room for the
 * image sizes or are NULL.  -ENOTCONN, -ETIMEDOUT.  May sleep.
 */
int kecat_cycle_snapshot(struct kecat_master *m, struct kecat_snapshot *s,
			 u8 *in, u8 *out);

#endif
