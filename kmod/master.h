/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One master: a port, its segment, the cyclic thread, a configuration.
 *
 * Lifetime: made by kecat_nic_register(), referenced by its open files, freed
 * with the last of them.  After kecat_nic_unregister() it is dead: ->nic is
 * NULL and every call answers -ENODEV.
 *
 * Lock order, outermost first:
 *   dev_rwsem (read: any call; write: the port goes) - config_lock - second_lock
 *   - bus_lock
 *   - slave.mbx.lock - slave.sii_lock - slave.lock - bus.live_lock - xfer queue
 *   (lock-free)
 *   - events.lock (raw)
 */
#ifndef KECAT_MASTER_H
#define KECAT_MASTER_H

#include <linux/types.h>
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kref.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/pm_qos.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/swait.h>
#include <linux/wait.h>
#include "../drivers/include/kecat_nic.h"
#include "bus.h"
#include "config.h"
#include "mon.h"
#include "ring.h"

struct kecat_slave;
struct kecat_plan;
struct kecat_image;
struct kecat_cycle;
struct kecat_record;
struct kecat_file;
struct device;

/**
 * struct kecat_master - a master
 * @ref:        see above
 * @index:      /dev/kecat<index>
 * @nic:        the port; NULL once it is gone, under @dev_rwsem
 * @second_lock: who is the second port
 * @dev_rwsem:  see lock order
 * @config_lock: @cfg, @owner, activation
 * @cfg:        applied configuration or NULL
 * @config_gen: raised with each
 * @owner:      file that activated, NULL while idle
 * @bus_lock:   @slave, @nslaves, positions
 * @slave:      by position; missing devices stay at their place
 * @cycle:      the cyclic thread's own (cycle.c)
 * @plan:       while active; changed only with the cyclic thread stopped or
 *              through kecat_plan_set_live()
 * @image:      while active
 * @quiet:      nothing is asked of the slaves, nothing written to them
 */
struct kecat_master {
	struct kref ref;
	int index;
	struct device *dev;
	struct kecat_nic *nic;
	struct mutex second_lock;
	struct kecat_ring_state ring;
	struct rw_semaphore dev_rwsem;
	u8 mac[ETH_ALEN];

	struct mutex config_lock;	/* @cfg, @owner, activation */
	struct kecat_cfg *cfg;
	u32 config_gen;
	struct kecat_file *owner;
	pid_t owner_pid;
	bool active;

	struct mutex bus_lock;		/* @slave, @nslaves, @plan, @image */
	struct kecat_slave **slave;	/* KECAT_MAX_SLAVES pointers */
	u32 nslaves;
	u32 scan_gen;
	bool scanning;
	bool link;
	u16 next_station;
	u32 bus_count;			/* slaves that answered the last count */

	struct task_struct *supervisor;
	wait_queue_head_t sup_wait;
	atomic_t sup_kick;
	struct irq_work sup_wake;	/* kick from contexts that may not wake a wait queue */
	struct completion rescan_done;
	bool rescan;
	bool quiet;
	struct kecat_bus bus;
	u32 logical;			/* first address that no plan has used */
	bool serial_bringup;		/* one slave at a time, under serial_lock */
	struct mutex serial_lock;

	struct kecat_cycle *cycle;
	struct pm_qos_request awake;	/* while active: CPUs sleep lightly */
	struct kecat_plan *plan;
	struct kecat_image *image;

	struct kecat_counters count;
	struct kecat_events events;
	struct kecat_phase_hist *hist;	/* KECAT_LAT_COUNT of them, counted in */
	struct kecat_phase_hist *hist_spare;	/* .. for a new start */
	struct kecat_record *record;	/* flight recorder or NULL, under config_lock */
};

/* port whose next master leaves the slaves alone; under kernel_param_lock() */
extern char kecat_quiet[KECAT_NIC_NAME_LEN];

struct kecat_master *kecat_master_create(struct kecat_nic *nic);
int kecat_master_start(struct kecat_master *m);
void kecat_master_stop(struct kecat_master *m);
void kecat_master_put(struct kecat_master *m);
/* by minor, with a reference, or NULL */
struct kecat_master *kecat_master_get(int index);

/*
 * Under config_lock.  Take @cfg over (the old one is freed) and match it;
 * NULL clears.  -EBUSY while active.
 */
int kecat_master_set_config(struct kecat_master *m, struct kecat_cfg *cfg);
/* Under config_lock.  Build plan and image, start the cycle, slaves to OP. */
int kecat_master_activate(struct kecat_master *m, struct kecat_file *owner);
/*
 * Under config_lock.  @lost: the owner died, its configured reaction comes
 * first.  Slaves to PREOP, cycle off.  No-op when idle.
 */
void kecat_master_deactivate(struct kecat_master *m, bool lost);

/* chardev.c */
int kecat_chardev_init(void);
void kecat_chardev_exit(void);
int kecat_chardev_add(struct kecat_master *m);
void kecat_chardev_del(struct kecat_master *m);

#endif
