/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one transaction of slow work: queue datagrams, sleep until they are
 * back.  The cyclic thread sends them in the room and time the cycle leaves.
 */
#ifndef KECAT_XFER_H
#define KECAT_XFER_H

#include <linux/types.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/completion.h>
#include "frame.h"

struct kecat_master;

/**
 * struct kecat_dgram - one datagram of a transaction
 * @cmd:  enum ec_cmd
 * @adp:  position (as sent: 0 - position), station address, or low word of the
 *        logical address
 * @ado:  register, or high word of the logical address
 * @len:  bytes, 1..KECAT_DATA_MAX
 * @data: in: what is sent; out: what came back
 * @wkc:  out: working counter
 * @wkc_second: out: how much of it came of the frame by the second port
 * @done: the cyclic thread's: is back, and not sent again with those that are not
 */
struct kecat_dgram {
	u8 cmd;
	u16 adp;
	u16 ado;
	u16 len;
	void *data;
	u16 wkc;
	u16 wkc_second;
	bool done;
};

/* flags of kecat_xfer() */
#define KECAT_XFER_ONCE		0x1	/* do not repeat after a loss */

int kecat_xfer(struct kecat_master *m, struct kecat_dgram *dg, int n,
	       unsigned int flags);

/*
 * One register access each, repeated after a loss.  0, or -ENXIO when no slave
 * answered (working counter 0), else what kecat_xfer() returned.
 */
int kecat_fprd(struct kecat_master *m, u16 station, u16 reg, void *buf, u16 len);
int kecat_fpwr(struct kecat_master *m, u16 station, u16 reg, const void *buf,
	       u16 len);
int kecat_aprd(struct kecat_master *m, u16 position, u16 reg, void *buf,
	       u16 len);
int kecat_apwr(struct kecat_master *m, u16 position, u16 reg, const void *buf,
	       u16 len);
/* working counter (>= 0) or -errno; the data that comes back is in @buf */
int kecat_brd(struct kecat_master *m, u16 reg, void *buf, u16 len);
int kecat_bwr(struct kecat_master *m, u16 reg, const void *buf, u16 len);

#endif
