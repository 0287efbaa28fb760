/* SPDX-License-Identifier: GPL-2.0-only */
/* AL states, ETG.1000.6 6.4, time-outs of ETG.1020 */
#ifndef KECAT_AL_H
#define KECAT_AL_H

#include <linux/types.h>

struct kecat_slave;

/* reads AL status and, with the error bit, the code; updates the record */
int kecat_al_read(struct kecat_slave *s);
/* acknowledges a pending error (never on an emulated device) */
int kecat_al_ack(struct kecat_slave *s);
/*
 * One transition: request @state, wait.  0, -EREMOTEIO (refused: s->al_code),
 * -ETIMEDOUT, -ENXIO.
 */
int kecat_al_change(struct kecat_slave *s, u8 state, u32 timeout_ms);

#endif
