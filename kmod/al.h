/* SPDX-License-Identifier: GPL-2.0-only */
/* AL states, ETG.1000.6 6.4, time-outs of ETG.1020 */
#ifndef KECAT_AL_H
#define KECAT_AL_H

#include <linux/types.h>

struct kecat_slave;

/* what AL status and AL status code look like in one read of 0x0130..0x0135 */
#define KECAT_AL_REGS	6

struct kecat_al {
	u8 status;		/* bits 4:0 */
	u16 code;		/* 0 without the error bit */
};

void kecat_al_decode(const u8 *regs, struct kecat_al *al);

/* All of these: worker context. */

/* reads AL status and, with the error bit, the code; updates the record */
int kecat_al_read(struct kecat_slave *s);
/* acknowledges a pending error (never on an emulated device) */
int kecat_al_ack(struct kecat_slave *s);
/*
 * One transition: request @state, wait.  0, -EREMOTEIO (refused: s->al_code),
 * -ETIMEDOUT, -ENXIO, -EINTR (no longer wanted), or what kecat_xfer() returned.
 */
int kecat_al_change(struct kecat_slave *s, u8 state, u32 timeout_ms);

#endif
