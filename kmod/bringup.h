/* SPDX-License-Identifier: GPL-2.0-only */
/* What a slave's worker does.  All of it: worker context, may sleep. */
#ifndef KECAT_BRINGUP_H
#define KECAT_BRINGUP_H

#include <linux/types.h>

struct kecat_slave;

/* scan.c: s->ident, from the SII; not valid when it cannot be read */
void kecat_slave_identify(struct kecat_slave *s);
/* scan.c: read registers, SII, mapping: everything there is to know */
int kecat_slave_scan(struct kecat_slave *s);
/* scan.c: the registers again, of a device that was without power */
int kecat_slave_refresh(struct kecat_slave *s);
/* scan.c: the mapping in effect, by CoE; needs a mailbox */
void kecat_slave_read_pdos(struct kecat_slave *s);

/*
 * FMMUs off, and out of the exchange.  Also the supervisor's, who cannot wait
 * for a worker that pauses.
 */
int kecat_slave_leave_exchange(struct kecat_slave *s);
/* the state that can be had now: s->al_target, without a plan at most PREOP */
u8 kecat_slave_goal(const struct kecat_slave *s, u8 target);
/* is there anything to be done until it is in s->al_target? */
bool kecat_slave_unsettled(const struct kecat_slave *s);
/*
 * From whatever state it is in to s->al_target, straight line, INIT - PREOP -
 * SAFEOP - OP; sets the problem when it cannot.  -EINTR: no longer wanted.
 */
int kecat_slave_bringup(struct kecat_slave *s);

#endif
