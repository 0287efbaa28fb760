/* SPDX-License-Identifier: GPL-2.0-only */
/* Distributed clocks, ETG.1000.4 6.5, ETG.1020 */
#ifndef KECAT_DC_H
#define KECAT_DC_H

#include <linux/types.h>

struct kecat_master;
struct kecat_slave;

/*
 * Supervisor, after a scan: delays and offsets of the slaves that have none
 * yet; running clocks are not touched.  True when there is no more to do.
 */
bool kecat_dc_measure(struct kecat_master *m);
/* supervisor, every round: the reference's time to all */
void kecat_dc_keep_time(struct kecat_master *m);
/* worker, PREOP: SYNC0/1 as configured; nothing without KECAT_CFGS_DC */
int kecat_dc_configure(struct kecat_slave *s);

#endif
