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
#define KECAT_MBX_MIN	16	/* header and the shortest CoE telegram */
#define KECAT_MBX_DATA	(KECAT_MBX_MAX - sizeof(struct ec_mbx_hdr))

/**
 * struct kecat_mbx - state of a slave's mailbox
 * @lock:     held for a whole request with its answers; what arrives for
 *            somebody else meanwhile goes to its protocol
 * @ready:    sync managers are set up (PREOP or above, or BOOT); cleared
 *            without @lock, so that waits end
 * @out:      SM0: start, size
 * @in:       SM1: start, size
 * @counter:  of the last request, 1..7
 * @in_counter: of the last answer, 0 = none yet
 * @in_hash:  of its bytes
 * @repeat:   our toggle of the repeat request bit
 * @no_repeat: never answered a repeat request
 * @uncounted: sends different telegrams with one counter: no duplicates found
 * @whole_out: takes only whole mailboxes
 * @whole_in: gives only whole mailboxes
 * @unclean:  a request ended without its answer: empty SM1 before the next
 * @unsure:   the request was lost on the wire, the slave may have it or not
 * @error:    detail of the last mailbox error telegram
 * @requests: telegrams sent
 * @timeouts: requests without an answer
 * @repeats:  repeat requests
 * @counter_errors: duplicates and telegrams out of count
 * @discarded: telegrams that nobody wanted
 * @malformed: telegrams longer than the mailbox
 * @buf:      telegram received, under @lock
 * @out_buf:  telegram sent, under @lock
 */
struct kecat_mbx {
	struct mutex lock;
	bool ready;
	u16 out, out_size;
	u16 in, in_size;
	u8 counter;
	u8 in_counter;
	u32 in_hash;
	bool repeat;
	bool no_repeat;
	bool uncounted;
	bool whole_out;
	bool whole_in;
	bool unclean;
	bool unsure;
	u16 error;
	u32 requests, timeouts, repeats, counter_errors;
	u32 discarded, malformed;
	u8 *buf;
	u8 *out_buf;
};

void kecat_mbx_init(struct kecat_slave *s);
void kecat_mbx_exit(struct kecat_slave *s);
/*
 * Sizes become valid, counters start anew, a full send mailbox is emptied.
 * 0, -EINVAL (no mailbox of that size), -ENOMEM, or what the accesses returned.
 */
int kecat_mbx_start(struct kecat_slave *s, u16 out, u16 out_size, u16 in,
		    u16 in_size);
void kecat_mbx_stop(struct kecat_slave *s);
/*
 * Caller holds mbx.lock.  Sends @len bytes of @type, waits for the next
 * telegram of that type and leaves it in @reply (room @room, may be @req);
 * *@got its length.  Emergencies and other protocols' telegrams are dispatched
 * on the way.  0, -ETIMEDOUT, -EOPNOTSUPP (not ready, or the slave does not
 * know the protocol), -EMSGSIZE, -EPROTO, -EIO (mailbox error telegram),
 * -ENXIO (gone), -EINTR, or what kecat_xfer() returned.
 */
int kecat_mbx_request(struct kecat_slave *s, u8 type, const void *req, u16 len,
		      void *reply, u16 room, u16 *got, u32 timeout_ms);
/* the two halves of it; @deadline in ktime_get_ns() time */
int kecat_mbx_send(struct kecat_slave *s, u8 type, const void *req, u16 len,
		   u64 deadline);
int kecat_mbx_wait(struct kecat_slave *s, u8 type, void *reply, u16 room,
		   u16 *got, u64 deadline);
/*
 * One look at the send mailbox when nobody waits; takes the lock if free.
 * 1 a telegram was dispatched, 0 none, -EBUSY, else as above.
 */
int kecat_mbx_poll(struct kecat_slave *s);

#endif
