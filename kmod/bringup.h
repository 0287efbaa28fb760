/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KECAT_BRINGUP_H
#define KECAT_BRINGUP_H

struct kecat_slave;

/* read registers, SII, mapping: everything there is to know.  Worker context. */
int kecat_slave_scan(struct kecat_slave *s);
/*
 * From whatever state it is in to s->al_target, straight line, INIT - PREOP -
 * SAFEOP - OP; sets the problem when it cannot.  Worker context.
 */
int kecat_slave_bringup(struct kecat_slave *s);

#endif
