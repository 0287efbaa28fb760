// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mailbox transport.
 *
 * The sync manager of a mailbox opens with its first byte and closes with its
 * last.  So a telegram needs its own bytes on the wire and the one at the end
 * of the mailbox, not the mailbox: a few dozen bytes instead of 1024 each way.
 *
 * What a lost frame means differs by direction.  A lost write may have reached
 * the slave: the sync managers tell, else it is sent again with the same
 * counter, which the slave knows for a repetition.  A lost read that closed the
 * mailbox has taken the telegram away: the slave is asked to put it back
 * (repeat request bit of SM1).  A telegram that comes twice is found by its
 * counter.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "coe.h"
#include "mbx.h"
#include "slave.h"
#include "wait.h"
#include "xfer.h"

#define HDR		sizeof(struct ec_mbx_hdr)
#define SM_IN		(EC_REG_SM + sizeof(struct ec_sm))
#define PEEK		64	/* bytes of a look; most telegrams are shorter */
#define SMALL		128	/* a mailbox up to this is looked at as a whole */
#define REPEAT_MS	300	/* for the answer to a repeat request */
#define DRAIN_MAX	16	/* telegrams thrown away in a row */
#define LOOKS		16	/* in vain until the sync managers are checked */
#define NOBODY		0xff	/* type that no telegram has */

#define ERR_PROTOCOL	2	/* mailbox error telegram: protocol not supported */

struct mbx_error {
	__le16 type;
	__le16 detail;
} __packed;

/* what is known of the sync managers of both mailboxes */
struct mbx_sms {
	struct ec_sm out;
	struct ec_sm in;
};

/**
 * struct mbx_proto - a protocol's hand at what arrives
 * @type: EC_MBX_*
 * @take: true when the telegram is no answer and has been dealt with
 */
struct mbx_proto {
	u8 type;
	bool (*take)(struct kecat_slave *s, const u8 *data, u16 len);
};

static const struct mbx_proto protos[] = {
	{ EC_MBX_COE, kecat_coe_take },
};

static struct ec_mbx_hdr *header(u8 *buf)
{
	return (struct ec_mbx_hdr *)buf;
}

static int sms_read(struct kecat_slave *s, struct mbx_sms *sms)
{
	return kecat_fprd(s->master, s->station, EC_REG_SM, sms, sizeof(*sms));
}

static bool sms_enabled(const struct mbx_sms *sms)
{
	return sms->out.activate & sms->in.activate & EC_SM_ENABLE;
}

static bool sm_full(const struct ec_sm *sm)
{
	return sm->status & EC_SM_STAT_FULL;
}

static struct kecat_pause new_pause(void)
{
	return (struct kecat_pause){ .min_us = 200, .max_us = 2000 };
}

/* Why a wait has to end now, or 0. */
static int give_up(struct kecat_slave *s, u64 deadline)
{
	if (!READ_ONCE(s->mbx.ready))
		return -EOPNOTSUPP;
	if (kecat_interrupted() || kecat_slave_called_off(s))
		return -EINTR;
	return ktime_get_ns() >= deadline ? -ETIMEDOUT : 0;
}

/*
 * Moves bytes [@from, @to) of a mailbox, and its last one with them if @close.
 * One transaction, not repeated: 1 all taken, 0 none, -EBADMSG only some,
 * -ETIMEDOUT lost, or what kecat_xfer() returned.
 */
static int move(struct kecat_slave *s, u8 cmd, u16 from, u16 to, bool close)
{
	struct kecat_mbx *x = &s->mbx;
	bool out = cmd == EC_FPWR;
	u16 start = out ? x->out : x->in;
	u16 size = out ? x->out_size : x->in_size;
	u8 *buf = out ? x->out_buf : x->buf;
	struct kecat_dgram dg[3];
	int i, n = 0, good = 0, ret;

	memset(dg, 0, sizeof(dg));
	while (from < to || close) {
		if (from >= to) {
			if (to == size)
				break;
			from = size - 1;
			to = size;
		}
		dg[n].cmd = cmd;
		dg[n].adp = s->station;
		dg[n].ado = start + from;
		dg[n].len = min_t(u16, to - from, KECAT_DATA_MAX);
		dg[n].data = buf + from;
		from += dg[n++].len;
	}
	ret = kecat_xfer(s->master, dg, n, KECAT_XFER_ONCE);
	if (ret)
		return ret;
	for (i = 0; i < n; i++)
		good += dg[i].wkc == 1;
	if (!good)
		return 0;
	return good == n ? 1 : -EBADMSG;
}

/* Writes the telegram in out_buf, as move() says. */
static int put(struct kecat_slave *s)
{
	struct kecat_mbx *x = &s->mbx;
	u16 used = HDR + le16_to_cpu(header(x->out_buf)->len);

	/* one datagram more costs as much as the gap */
	if (x->whole_out || used + EC_DGRAM_OVERHEAD >= x->out_size)
		used = x->out_size;
	return move(s, EC_FPWR, 0, used, true);
}

/*
 * The device does not give parts of a mailbox.  When the whole is not there
 * any more, the part has closed it: that is a telegram lost.
 */
static int read_whole(struct kecat_slave *s)
{
	int ret;

	s->mbx.whole_in = true;
	ret = move(s, EC_FPRD, 0, s->mbx.in_size, false);
	if (ret == 1)
		return 0;
	return ret && ret != -EBADMSG ? ret : -ETIMEDOUT;
}

/*
 * Reads the last byte of a mailbox whose telegram is here already.  After a
 * loss that is done again: a mailbox that is not open gives no last byte.
 */
static int close_mailbox(struct kecat_slave *s)
{
	struct kecat_mbx *x = &s->mbx;
	u16 last = x->in_size - 1;
	int ret;

	ret = move(s, EC_FPRD, last, x->in_size, false);
	if (ret == 1)
		return 0;
	if (ret == -ETIMEDOUT) {
		ret = kecat_fprd(s->master, s->station, x->in + last,
				 x->buf + last, 1);
		return ret == -ENXIO ? 0 : ret;
	}
	return ret ? ret : read_whole(s);
}

/* The rest of a telegram whose first @have bytes are here. */
static int read_rest(struct kecat_slave *s, u16 have)
{
	struct kecat_mbx *x = &s->mbx;
	u16 want = min_t(u32, HDR + le16_to_cpu(header(x->buf)->len), x->in_size);
	int ret;

	if (want <= have)
		return close_mailbox(s);
	ret = move(s, EC_FPRD, have, want, true);
	if (!ret || ret == -EBADMSG)
		return read_whole(s);
	return ret < 0 ? ret : 0;
}

/*
 * One look at the send mailbox.  1: a telegram is in buf, 0: none there,
 * -ETIMEDOUT: a frame was lost and perhaps a telegram with it, -EPROTO, or what
 * the accesses returned.
 */
static int look(struct kecat_slave *s)
{
	struct kecat_mbx *x = &s->mbx;
	bool whole = x->whole_in || x->in_size <= SMALL;
	int ret;

	ret = move(s, EC_FPRD, 0, whole ? x->in_size : PEEK, false);
	if (ret == -ETIMEDOUT && !whole)
		return 0;	/* nothing was closed, look again */
	if (ret == -EBADMSG)
		return -ETIMEDOUT;
	if (ret != 1)
		return ret;
	if (!whole) {
		ret = read_rest(s, PEEK);
		if (ret)
			return ret;
	}
	if (le16_to_cpu(header(x->buf)->len) > x->in_size - HDR) {
		x->malformed++;
		return -EPROTO;
	}
	return 1;
}

/*
 * The same when SM1 is known to be full: a device that shows nothing then does
 * not give parts of a mailbox.
 */
static int look_full(struct kecat_slave *s)
{
	int ret = look(s);

	if (ret || s->mbx.whole_in)
		return ret;
	s->mbx.whole_in = true;
	return look(s);
}

/* SM1: asks for a repetition as x->repeat says.  1: the slave has agreed. */
static int toggle(struct kecat_slave *s)
{
	u8 act = EC_SM_ENABLE | (s->mbx.repeat ? EC_SM_REPEAT_REQ : 0), pdi = 0;
	struct kecat_dgram dg[] = {
		{
			.cmd = EC_FPWR, .adp = s->station, .len = 1, .data = &act,
			.ado = SM_IN + offsetof(struct ec_sm, activate),
		}, {
			.cmd = EC_FPRD, .adp = s->station, .len = 1, .data = &pdi,
			.ado = SM_IN + offsetof(struct ec_sm, pdi),
		},
	};
	int ret = kecat_xfer(s->master, dg, ARRAY_SIZE(dg), 0);

	if (ret)
		return ret == -ETIMEDOUT ? 0 : ret;
	if (!dg[0].wkc || !dg[1].wkc)
		return -ENXIO;
	return !(pdi & EC_SM_REPEAT_ACK) == !s->mbx.repeat;
}

/* Asks for the telegram that was lost; returns 0 when the slave has agreed. */
static int ask_repeat(struct kecat_slave *s, u64 deadline)
{
	u64 end = ktime_get_ns() + (u64)REPEAT_MS * NSEC_PER_MSEC;
	struct kecat_pause pause = new_pause();
	struct kecat_mbx *x = &s->mbx;
	int ret;

	if (x->no_repeat)
		return 0;
	x->repeats++;
	x->repeat = !x->repeat;
	for (;;) {
		ret = toggle(s);
		if (ret)
			return ret < 0 ? ret : 0;
		if (ktime_get_ns() >= end) {
			x->no_repeat = true;
			return 0;
		}
		ret = give_up(s, deadline);
		if (ret)
			return ret;
		kecat_pause(&pause);
	}
}

/* Looks have been in vain for a while: look at the sync managers themselves. */
static int look_closer(struct kecat_slave *s)
{
	struct mbx_sms sms;
	int ret = sms_read(s, &sms);

	if (ret)
		return ret == -ETIMEDOUT ? 0 : ret;
	if (!sms_enabled(&sms))
		return -EOPNOTSUPP;
	return sm_full(&sms.in) ? look_full(s) : 0;
}

/* Looks until there is a telegram: 1, or why not. */
static int look_until(struct kecat_slave *s, u64 deadline)
{
	struct kecat_pause pause = new_pause();
	int ret;

	for (;;) {
		if (pause.looks % LOOKS < LOOKS - 1)
			ret = look(s);
		else
			ret = look_closer(s);
		if (ret == -ETIMEDOUT)
			ret = ask_repeat(s, deadline);
		if (!ret)
			ret = give_up(s, deadline);
		if (ret)
			return ret;
		kecat_pause(&pause);
	}
}

static u32 hash(const u8 *p, u16 len)
{
	u32 h = 0x811c9dc5;	/* FNV-1a */

	while (len--)
		h = (h ^ *p++) * 0x01000193;
	return h;
}

/*
 * The slave counts its telegrams, so that one that comes twice is known.  The
 * bytes are compared as well, for devices that do not count.
 */
static bool duplicate(struct kecat_mbx *x)
{
	u8 counter = header(x->buf)->type >> 4 & 7;
	u32 h = hash(x->buf, HDR + le16_to_cpu(header(x->buf)->len));
	bool again = counter && counter == x->in_counter;
	bool same = again && h == x->in_hash && !x->uncounted;

	if (again) {
		x->counter_errors++;
		if (!same)
			x->uncounted = true;
	}
	x->in_counter = counter;
	x->in_hash = h;
	return same;
}

static const struct mbx_proto *find_proto(u8 type)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(protos); i++)
		if (protos[i].type == type)
			return &protos[i];
	return NULL;
}

static int error_telegram(struct kecat_mbx *x, u16 len)
{
	const struct mbx_error *e = (const void *)(x->buf + HDR);

	x->error = len >= sizeof(*e) ? le16_to_cpu(e->detail) : 0;
	return x->error == ERR_PROTOCOL ? -EOPNOTSUPP : -EIO;
}

/*
 * Gives the telegram in buf to whom it belongs: 1 to the requester of @type,
 * 0 to somebody else or nobody, or the error it stands for.
 */
static int dispatch(struct kecat_slave *s, u8 type)
{
	struct kecat_mbx *x = &s->mbx;
	const struct ec_mbx_hdr *h = header(x->buf);
	u16 len = le16_to_cpu(h->len), to = le16_to_cpu(h->address);
	const struct mbx_proto *proto;
	u8 is = h->type & 0x0f;

	if (duplicate(x))
		return 0;
	/* a telegram to another slave: there is no route for it */
	if (to && to != s->station)
		goto nobody;
	if (is == EC_MBX_ERR) {
		int err = error_telegram(x, len);

		if (type != NOBODY)
			return err;
		goto nobody;
	}
	proto = find_proto(is);
	if (proto && proto->take(s, x->buf + HDR, len))
		return 0;
	if (is == type)
		return 1;
nobody:
	x->discarded++;
	return 0;
}

/* Empties the send mailbox of what earlier requests have left behind. */
static int drain(struct kecat_slave *s, u64 deadline)
{
	struct mbx_sms sms;
	int i, ret;

	for (i = 0; i < DRAIN_MAX; i++) {
		ret = sms_read(s, &sms);
		if (ret)
			return ret;
		if (!sm_full(&sms.in))
			break;
		ret = look_full(s);
		if (ret == 1)
			dispatch(s, NOBODY);
		else if (ret < 0 && ret != -EPROTO && ret != -ETIMEDOUT)
			return ret;
		if (give_up(s, deadline))
			return give_up(s, deadline);
	}
	s->mbx.unclean = false;
	return 0;
}

/*
 * After put() was lost: 1 the slave has the telegram, 0 it has not, or an
 * error.  An answer that waits says that it had it, if it is an answer.
 */
static int arrived(struct kecat_slave *s, const struct mbx_sms *sms)
{
	if (sm_full(&sms->out))
		return 1;
	if (!sm_full(&sms->in))
		return 0;
	s->mbx.unsure = true;
	return 1;
}

/*
 * After put() was refused: the slave has not taken the last telegram yet, maybe
 * because it cannot get rid of one of its own.
 */
static int make_room(struct kecat_slave *s, const struct mbx_sms *sms,
		     u64 deadline)
{
	if (!sms_enabled(sms))
		return -EOPNOTSUPP;
	return sm_full(&sms->in) ? drain(s, deadline) : 0;
}

/* put() has returned @ret: 1 the slave has the telegram, 0 try again, or why not */
static int after_put(struct kecat_slave *s, int ret, u64 deadline, int *refused)
{
	struct kecat_mbx *x = &s->mbx;
	struct mbx_sms sms;
	int err;

	if (ret == -EBADMSG)
		x->whole_out = true;
	else if (ret && ret != -ETIMEDOUT)
		return ret;
	err = sms_read(s, &sms);
	if (err)
		return err == -ETIMEDOUT ? 0 : err;
	if (ret == -ETIMEDOUT)
		return arrived(s, &sms);
	/* once is chance: it may have become empty just now */
	if (!ret && !sm_full(&sms.out) && ++*refused > 1)
		x->whole_out = true;
	return ret ? 0 : make_room(s, &sms, deadline);
}

/* Writes the telegram in out_buf until it is taken. */
static int post(struct kecat_slave *s, u64 deadline)
{
	struct kecat_pause pause = new_pause();
	int ret, refused = 0;

	s->mbx.unsure = false;
	for (;;) {
		ret = put(s);
		if (ret != 1)
			ret = after_put(s, ret, deadline, &refused);
		if (ret)
			return ret < 0 ? ret : 0;
		ret = give_up(s, deadline);
		if (ret)
			return ret;
		kecat_pause(&pause);
	}
}

/**
 * kecat_mbx_send - put a telegram into the slave's mailbox
 * @s:        the slave; caller holds mbx.lock
 * @type:     EC_MBX_*
 * @req:      telegram behind the mailbox header
 * @len:      bytes
 * @deadline: until when to wait for room
 */
int kecat_mbx_send(struct kecat_slave *s, u8 type, const void *req, u16 len,
		   u64 deadline)
{
	struct kecat_mbx *x = &s->mbx;
	struct ec_mbx_hdr *h;
	int ret;

	if (!READ_ONCE(x->ready))
		return -EOPNOTSUPP;
	if (len > x->out_size - HDR)
		return -EMSGSIZE;
	if (x->unclean) {
		ret = drain(s, deadline);
		if (ret)
			return ret;
	}
	x->counter = x->counter % 7 + 1;
	memset(x->out_buf, 0, x->out_size);
	h = header(x->out_buf);
	h->len = cpu_to_le16(len);
	h->type = type | x->counter << 4;
	memcpy(x->out_buf + HDR, req, len);
	x->requests++;
	ret = post(s, deadline);
	if (ret == -ETIMEDOUT)
		x->timeouts++;
	if (ret)
		x->unclean = true;
	return ret;
}

static int wait_for(struct kecat_slave *s, u8 type, u64 deadline)
{
	int ret;

	do {
		ret = look_until(s, deadline);
		if (ret < 0)
			return ret;
		ret = dispatch(s, type);
		if (ret)
			return ret;
		/* it was no answer: the request may be lost after all */
		ret = s->mbx.unsure ? post(s, deadline) : 0;
		if (!ret)
			ret = give_up(s, deadline);
	} while (!ret);
	return ret;
}

/**
 * kecat_mbx_wait - wait for a telegram of a protocol
 * @s:        the slave; caller holds mbx.lock
 * @type:     EC_MBX_*
 * @reply:    out: telegram behind the mailbox header
 * @room:     bytes at @reply
 * @got:      out: its length
 * @deadline: looked at after the first look in any case
 */
int kecat_mbx_wait(struct kecat_slave *s, u8 type, void *reply, u16 room,
		   u16 *got, u64 deadline)
{
	struct kecat_mbx *x = &s->mbx;
	int ret;

	*got = 0;
	if (!READ_ONCE(x->ready))
		return -EOPNOTSUPP;
	ret = wait_for(s, type, deadline);
	x->unsure = false;
	if (ret < 0) {
		if (ret == -ETIMEDOUT)
			x->timeouts++;
		x->unclean = true;
		return ret;
	}
	*got = le16_to_cpu(header(x->buf)->len);
	if (*got > room)
		return -EMSGSIZE;
	memcpy(reply, x->buf + HDR, *got);
	return 0;
}

int kecat_mbx_request(struct kecat_slave *s, u8 type, const void *req, u16 len,
		      void *reply, u16 room, u16 *got, u32 timeout_ms)
{
	u64 deadline = ktime_get_ns() + (u64)timeout_ms * NSEC_PER_MSEC;
	int ret;

	*got = 0;
	ret = kecat_mbx_send(s, type, req, len, deadline);
	return ret ? ret : kecat_mbx_wait(s, type, reply, room, got, deadline);
}

int kecat_mbx_poll(struct kecat_slave *s)
{
	struct kecat_mbx *x = &s->mbx;
	struct mbx_sms sms;
	int ret = 0;

	if (!mutex_trylock(&x->lock))
		return -EBUSY;
	if (x->ready) {
		ret = sms_read(s, &sms);
		if (!ret && sm_full(&sms.in))
			ret = look_full(s);
		if (ret == 1)
			dispatch(s, NOBODY);
		else if (ret == -ETIMEDOUT)
			ret = ask_repeat(s, ktime_get_ns());
	}
	mutex_unlock(&x->lock);
	return ret;
}

void kecat_mbx_init(struct kecat_slave *s)
{
	mutex_init(&s->mbx.lock);
}

void kecat_mbx_exit(struct kecat_slave *s)
{
	kecat_mbx_stop(s);
	mutex_destroy(&s->mbx.lock);
}

static int alloc_buffers(struct kecat_mbx *x)
{
	if (!x->buf)
		x->buf = kzalloc(2 * KECAT_MBX_MAX, GFP_KERNEL);
	if (!x->buf)
		return -ENOMEM;
	x->out_buf = x->buf + KECAT_MBX_MAX;
	return 0;
}

static bool size_ok(u16 start, u16 size)
{
	return start && size >= KECAT_MBX_MIN && size <= KECAT_MBX_MAX &&
	       start + size <= 0x10000;
}

/**
 * kecat_mbx_start - begin to use the mailbox
 * @s:        the slave; its SM0 and SM1 are set up
 * @out:      SM0: start
 * @out_size: .. size
 * @in:       SM1: start
 * @in_size:  .. size
 */
int kecat_mbx_start(struct kecat_slave *s, u16 out, u16 out_size, u16 in,
		    u16 in_size)
{
	struct kecat_mbx *x = &s->mbx;
	struct mbx_sms sms;
	int ret;

	if (!size_ok(out, out_size) || !size_ok(in, in_size))
		return -EINVAL;
	mutex_lock(&x->lock);
	ret = alloc_buffers(x);
	if (!ret)
		ret = sms_read(s, &sms);
	if (ret)
		goto out;
	x->out = out;
	x->out_size = out_size;
	x->in = in;
	x->in_size = in_size;
	x->counter = 0;
	x->in_counter = 0;
	x->repeat = sms.in.activate & EC_SM_REPEAT_REQ;
	x->no_repeat = false;
	x->uncounted = false;
	x->whole_out = false;
	x->whole_in = false;
	WRITE_ONCE(x->ready, true);
	ret = drain(s, U64_MAX);
	if (ret)
		WRITE_ONCE(x->ready, false);
out:
	mutex_unlock(&x->lock);
	return ret;
}

/**
 * kecat_mbx_stop - the mailbox is no longer there
 * @s: the slave
 *
 * A request under way ends with -EOPNOTSUPP.
 */
void kecat_mbx_stop(struct kecat_slave *s)
{
	struct kecat_mbx *x = &s->mbx;

	WRITE_ONCE(x->ready, false);
	mutex_lock(&x->lock);
	kfree(x->buf);
	x->buf = NULL;
	x->out_buf = NULL;
	mutex_unlock(&x->lock);
}
