/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Run-time record of one slave and its worker.
 *
 * A record is made when a device is first seen and lives (by reference) until
 * the port goes or a rescan finds another device in its place.  A device that
 * stops answering keeps its record, so that it is recognised when it returns.
 */
#ifndef KECAT_SLAVE_H
#define KECAT_SLAVE_H

#include <linux/types.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include "mbx.h"
#include "sii_parse.h"
#include "config.h"

struct kecat_master;

/**
 * struct kecat_slave - one slave
 * @ref:       held by the master's table, the worker, and callers
 * @master:    outlives it
 * @position:  in the order of the frame; under master.bus_lock
 * @station:   configured station address, unique on the bus
 * @present:   answered the last count
 * @al_state:  AL status bits 4:0 as last read
 * @al_code:   AL status code of the last error
 * @al_target: what the supervisor or the user wants; changed only through
 *             kecat_slave_want()
 * @problem:   KECAT_PROBLEM_*, @detail with it
 * @info:      registers 0x0000..0x0008 and what they mean
 * @sii:       parsed EEPROM; valid once @scanned
 * @sii_image: EEPROM image, kvmalloc'ed, NULL when not readable
 * @pdos:      mapping in effect, @npdos of them; kvmalloc'ed
 * @pdo_coe:   .. read by CoE
 * @cfg:       its element of the applied configuration, or NULL; under
 *             master.bus_lock, stable while the worker runs (see
 *             kecat_slave_park())
 * @sii_lock:  one user of the EEPROM interface at a time
 * @lock:      @pdos, @sii_image, @problem
 * @task:      worker
 * @wait:      worker waits here; also those who wait for it
 * @kick:      work to do; set with smp_store_release, taken by the worker
 * @busy:      worker is changing something
 */
struct kecat_slave {
	struct kref ref;
	struct kecat_master *master;
	u16 position;
	u16 station;
	bool present;
	bool scanned;
	bool fresh;		/* came (back) since the worker last looked: start at INIT */
	bool configured;	/* SMs and FMMUs of process data are written */
	u8 al_state;
	u8 al_target;
	u16 al_code;
	u32 problem;
	u32 detail;

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
	u32 port_time[4];
	u32 delay_ns;

	struct kecat_sii_info sii;
	u8 *sii_image;
	size_t sii_len;
	struct kecat_pdo_entry *pdos;
	u32 npdos;
	bool pdo_coe;

	struct kecat_mbx mbx;
	u32 transitions;
	u32 emergencies;

	const struct kecat_scfg *cfg;
	u32 cfg_index;		/* KECAT_ALL: none */

	struct mutex sii_lock;
	struct mutex lock;
	struct task_struct *task;
	wait_queue_head_t wait;
	bool kick;
	bool busy;
	bool parked;		/* worker has to stay idle */
	u32 failures;		/* bring-up attempts in a row that failed */
	unsigned long retry_at;	/* jiffies */
};

struct kecat_slave *kecat_slave_create(struct kecat_master *m, u16 position,
				       u16 station);
void kecat_slave_destroy(struct kecat_slave *s);	/* stops the worker, drops the table's reference */
void kecat_slave_put(struct kecat_slave *s);

/* worker control; any context that may sleep */
void kecat_slave_kick(struct kecat_slave *s);
void kecat_slave_want(struct kecat_slave *s, u8 al_state);
/* worker idle and kept so; returns when it is.  Nests not. */
void kecat_slave_park(struct kecat_slave *s);
void kecat_slave_unpark(struct kecat_slave *s);
/* waits until the slave is in @state (or above), has a problem, or timeout */
int kecat_slave_wait(struct kecat_slave *s, u8 state, u32 timeout_ms);

void kecat_slave_set_problem(struct kecat_slave *s, u32 problem, u32 detail);
void kecat_slave_set_state(struct kecat_slave *s, u8 al_status, u16 al_code);

#endif
