/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mailbox transport of one slave (ETG.1000.4 5.6, 6.6; ETG.1000.6 5.1): one
 * owner at a time, 3-bit counter, repeat handshake, dispatch by protocol.
 */
#ifndef KECAT_MBX_H
#define KECAT_MBX_H

#include <linux/types.h>
#include <linux/mutex.h>
#include "proto/ecat.h"

struct kecat_slave;

#define KECAT_MBX_MAX	1486	/* longest mailbox, header included */

/**
 * struct kecat_mbx - state of a slave's mailbox
 * @lock:     held for a whole request with its answers; what arrives for
 *            somebody else meanwhile goes to its protocol
 * @ready:    sync managers are set up (PREOP or above, or BOOT)
 * @out:      SM0: start, size
 * @in:       SM1: start, size
 * @counter:  of the last request, 1..7
 * @in_counter: of the last answer, 0 = none yet
 * @repeat:   our toggle of the repeat request bit
 * @buf:      one telegram, under @lock
 */
struct kecat_mbx {
	struct mutex lock;
	bool ready;
	u16 out, out_size;
	u16 in, in_size;
	u8 counter;
	u8 in_counter;
	bool repeat;
	u32 requests, timeouts, repeats, counter_errors;
	u8 *buf;
};

void kecat_mbx_init(struct kecat_slave *s);
void kecat_mbx_exit(struct kecat_slave *s);
/* sizes become valid, counters start anew, a full send mailbox is emptied */
int kecat_mbx_start(struct kecat_slave *s, u16 out, u16 out_size, u16 in,
		    u16 in_size);
void kecat_mbx_stop(struct kecat_slave *s);
/*
 * Caller holds mbx.lock.  Sends @len bytes of @type, waits for the next
 * telegram of that type and leaves it in @reply (room @room); *@got its
 * length.  Emergencies and other protocols' telegrams are dispatched on the
 * way.  0, -ETIMEDOUT, -EOPNOTSUPP (not ready), -EMSGSIZE, -EPROTO, -EIO
 * (mailbox error telegram).
 */
int kecat_mbx_request(struct kecat_slave *s, u8 type, const void *req, u16 len,
		      void *reply, u16 room, u16 *got, u32 timeout_ms);
/* one look at the send mailbox when nobody waits; takes the lock if free */
int kecat_mbx_poll(struct kecat_slave *s);

#endif
