// SPDX-License-Identifier: GPL-2.0-only
/*
 * SDO transfers.  An answer belongs to a request by its service, index and
 * subindex; what does not fit is a late answer of an earlier request and is
 * passed over.  Segments have no index: there the toggle bit decides.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "coe.h"
#include "master.h"
#include "mbx.h"
#include "mon.h"
#include "slave.h"
#include "wait.h"

#define SERVICE_EMERGENCY	1
#define SERVICE_REQUEST		2
#define SERVICE_RESPONSE	3

#define PROTOCOL_COE		0x0004	/* SII word 0x1c */
#define DETAIL_COMPLETE		0x20	/* SII CoE details */

/* command specifier, bits 7:5 */
#define CMD(n)			((n) << 5)
#define CCS_DOWN_SEG		0
#define CCS_DOWN		1
#define CCS_UP			2
#define CCS_UP_SEG		3
#define CS_ABORT		4
#define SCS_UP_SEG		0
#define SCS_DOWN_SEG		1
#define SCS_UP			2
#define SCS_DOWN		3

#define INIT_COMPLETE		0x10
#define INIT_EXPEDITED		0x02
#define INIT_SIZED		0x01
#define INIT_UNUSED(cs)		((cs) >> 2 & 3)
#define SEG_TOGGLE		0x10
#define SEG_UNUSED(cs)		((cs) >> 1 & 7)
#define SEG_LAST		0x01
#define SEG_MIN			7	/* data bytes a segment has at least */

#define ABORT_TOGGLE		0x05030000
#define ABORT_TIMEOUT		0x05040000
#define ABORT_COMMAND		0x05040001
#define ABORT_MEMORY		0x05040005
#define ABORT_LENGTH		0x06070010

#define TIMEOUT_MS		1000
#define ABORT_SEND_MS		100

/* start of a transfer, its answer, and the abort */
struct sdo_init {
	__le16 service;		/* 15:12 */
	u8 cmd;
	__le16 index;
	u8 subindex;
	__le32 value;		/* size, expedited data, or abort code */
} __packed;
#define INIT_LEN	sizeof(struct sdo_init)
static_assert(sizeof(struct sdo_init) == 10);

struct sdo_segment {
	__le16 service;
	u8 cmd;
	u8 data[];
} __packed;
#define SEG_LEN		sizeof(struct sdo_segment)

struct emergency {
	__le16 service;
	__le16 code;
	u8 error;		/* error register */
	u8 data[5];
} __packed;

/**
 * struct sdo - one transfer
 * @s:        slave; its mbx.lock is held
 * @index:    object
 * @subindex: ..
 * @complete: complete access
 * @open:     the slave waits for a segment
 * @toggle:   of the next segment
 * @abort:    code the slave sent
 * @timeout:  ms for each answer
 * @len:      bytes of the answer
 * @buf:      telegram, request and answer
 */
struct sdo {
	struct kecat_slave *s;
	u16 index;
	u8 subindex;
	bool complete;
	bool open;
	u8 toggle;
	u32 abort;
	u32 timeout;
	u16 len;
	u8 buf[KECAT_MBX_DATA];
};

static struct sdo_init *init_of(struct sdo *t)
{
	return (struct sdo_init *)t->buf;
}

static struct sdo_segment *segment_of(struct sdo *t)
{
	return (struct sdo_segment *)t->buf;
}

/* Bytes that the slave's mailbox takes behind the mailbox header */
static u16 room_of(const struct sdo *t)
{
	return t->s->mbx.out_size - sizeof(struct ec_mbx_hdr);
}

static void put_init(struct sdo *t, u8 cmd, u32 value)
{
	struct sdo_init *q = init_of(t);

	q->service = cpu_to_le16(SERVICE_REQUEST << 12);
	q->cmd = cmd | (t->complete ? INIT_COMPLETE : 0);
	q->index = cpu_to_le16(t->index);
	q->subindex = t->subindex;
	q->value = cpu_to_le32(value);
}

static bool same_object(struct sdo *t)
{
	const struct sdo_init *a = init_of(t);

	return le16_to_cpu(a->index) == t->index &&
	       (t->complete || a->subindex == t->subindex);
}

/* An abort counts when it names our object, whatever its subindex. */
static int judge_abort(struct sdo *t)
{
	const struct sdo_init *a = init_of(t);

	if (t->len < INIT_LEN)
		return -EPROTO;
	if (le16_to_cpu(a->index) != t->index)
		return 0;
	t->abort = le32_to_cpu(a->value);
	t->open = false;
	return -EREMOTEIO;
}

/* The telegram in buf: 1 the answer to @scs, 0 to something else, or an error */
static int judge(struct sdo *t, u8 scs)
{
	bool initial = scs == SCS_UP || scs == SCS_DOWN;
	const struct sdo_init *a = init_of(t);
	u8 service, is;

	if (t->len < SEG_LEN)
		return -EPROTO;
	service = le16_to_cpu(a->service) >> 12;
	is = a->cmd >> 5;
	if (is == CS_ABORT && (service == SERVICE_REQUEST ||
			       service == SERVICE_RESPONSE))
		return judge_abort(t);
	if (service != SERVICE_RESPONSE)
		return 0;
	if (!initial)
		return is == scs;
	if (is != SCS_UP && is != SCS_DOWN)
		return 0;
	if (t->len < INIT_LEN - (scs == SCS_DOWN ? sizeof(a->value) : 0))
		return -EPROTO;
	if (!same_object(t))
		return 0;
	return is == scs ? 1 : -EPROTO;
}

/* Sends @len bytes of buf and waits for the answer with @scs. */
static int exchange(struct sdo *t, u16 len, u8 scs)
{
	u64 deadline = ktime_get_ns() + (u64)t->timeout * NSEC_PER_MSEC;
	int ret;

	ret = kecat_mbx_send(t->s, EC_MBX_COE, t->buf, len, deadline);
	while (!ret) {
		ret = kecat_mbx_wait(t->s, EC_MBX_COE, t->buf, sizeof(t->buf),
				     &t->len, deadline);
		if (!ret)
			ret = judge(t, scs);
		if (!ret && ktime_get_ns() >= deadline) {
			t->s->mbx.unclean = true;
			ret = -ETIMEDOUT;
		}
	}
	return ret > 0 ? 0 : ret;
}

static u32 abort_code(int err)
{
	switch (err) {
	case -ENOSPC:
		return ABORT_MEMORY;
	case -ETIMEDOUT:
		return ABORT_TIMEOUT;
	case -EILSEQ:
		return ABORT_TOGGLE;
	case -EMSGSIZE:
		return ABORT_LENGTH;
	default:
		return ABORT_COMMAND;
	}
}

/* Tells a slave in the middle of a transfer that it is over: no answer to it. */
static void send_abort(struct sdo *t, int err)
{
	u64 deadline = ktime_get_ns() + (u64)ABORT_SEND_MS * NSEC_PER_MSEC;

	t->complete = false;
	put_init(t, CMD(CS_ABORT), abort_code(err));
	if (!kecat_mbx_send(t->s, EC_MBX_COE, t->buf, INIT_LEN, deadline))
		t->s->mbx.unclean = true;
}

static int begin(struct sdo **to, struct kecat_slave *s, u16 index, u8 subindex,
		 u8 flags, u32 timeout_ms)
{
	u16 known = s->sii.mbx_protocols;
	bool complete = flags & KECAT_SDO_COMPLETE;
	struct sdo *t;

	if (flags & ~KECAT_SDO_COMPLETE || (complete && subindex > 1))
		return -EINVAL;
	/* an SII that names no protocol at all knows nothing of this one */
	if (known && !(known & PROTOCOL_COE))
		return -EOPNOTSUPP;
	if (known && complete && !(s->sii.coe_details & DETAIL_COMPLETE))
		return -EOPNOTSUPP;
	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t)
		return -ENOMEM;
	t->s = s;
	t->index = index;
	t->subindex = subindex;
	t->complete = complete;
	t->timeout = timeout_ms ? timeout_ms : TIMEOUT_MS;
	if (mutex_lock_killable(&s->mbx.lock)) {
		kfree(t);
		return -EINTR;
	}
	*to = t;
	return 0;
}

static int end(struct sdo *t, int ret, u32 *abort)
{
	if (ret && t->open)
		send_abort(t, ret);
	mutex_unlock(&t->s->mbx.lock);
	*abort = t->abort;
	kfree(t);
	/* what only chose the abort code */
	return ret == -EILSEQ || ret == -EMSGSIZE ? -EPROTO : ret;
}

/* Data of the segment in buf; its length by reference. */
static const u8 *segment_data(struct sdo *t, u32 *n)
{
	const struct sdo_segment *a = segment_of(t);

	*n = t->len - SEG_LEN;
	if (*n == SEG_MIN)
		*n -= SEG_UNUSED(a->cmd);
	return a->data;
}

/* The segments behind the @have bytes that came with the first answer. */
static int upload_segments(struct sdo *t, u8 *data, u32 have, u32 size, u32 *len)
{
	struct sdo_segment *q = segment_of(t);
	const u8 *part;
	u8 cmd;
	u32 n;
	int ret;

	do {
		memset(q, 0, INIT_LEN);
		q->service = cpu_to_le16(SERVICE_REQUEST << 12);
		q->cmd = CMD(CCS_UP_SEG) | t->toggle;
		ret = exchange(t, INIT_LEN, SCS_UP_SEG);
		if (ret)
			return ret;
		cmd = q->cmd;
		if ((cmd & SEG_TOGGLE) != t->toggle)
			return -EILSEQ;
		t->toggle ^= SEG_TOGGLE;
		part = segment_data(t, &n);
		if (n > size - have || (!n && !(cmd & SEG_LAST)))
			return -EMSGSIZE;
		memcpy(data + have, part, n);
		have += n;
	} while (!(cmd & SEG_LAST));
	t->open = false;
	*len = have;
	return 0;
}

static int upload(struct sdo *t, u8 *data, u32 room, u32 *len)
{
	const struct sdo_init *a = init_of(t);
	u32 size, have = t->len - INIT_LEN;
	const u8 *from = t->buf + INIT_LEN;
	bool more = false;

	if (a->cmd & INIT_EXPEDITED) {
		size = sizeof(a->value);
		if (a->cmd & INIT_SIZED)
			size -= INIT_UNUSED(a->cmd);
		from = (const u8 *)&a->value;
		have = size;
	} else {
		size = le32_to_cpu(a->value);
		more = have < size;
		t->open = more;
	}
	if (size > KECAT_MAX_SDO || size > room) {
		*len = size;
		return -ENOSPC;
	}
	have = min(have, size);
	memcpy(data, from, have);
	*len = have;
	return more ? upload_segments(t, data, have, size, len) : 0;
}

/**
 * kecat_coe_upload - read an object
 * @s:          slave
 * @index:      object
 * @subindex:   .. 0 or 1 with complete access
 * @flags:      KECAT_SDO_*
 * @data:       out
 * @room:       bytes at @data
 * @len:        out: bytes read; with -ENOSPC the bytes it would take
 * @abort:      out: abort code with -EREMOTEIO, else 0
 * @timeout_ms: for each answer, 0 = 1000
 */
int kecat_coe_upload(struct kecat_slave *s, u16 index, u8 subindex, u8 flags,
		     void *data, u32 room, u32 *len, u32 *abort,
		     u32 timeout_ms)
{
	struct sdo *t;
	int ret;

	*len = 0;
	*abort = 0;
	ret = begin(&t, s, index, subindex, flags, timeout_ms);
	if (ret)
		return ret;
	put_init(t, CMD(CCS_UP), 0);
	ret = exchange(t, INIT_LEN, SCS_UP);
	if (!ret)
		ret = upload(t, data, room, len);
	return end(t, ret, abort);
}

static int download_segments(struct sdo *t, const u8 *data, u32 len)
{
	struct sdo_segment *q = segment_of(t);
	u32 max = room_of(t) - SEG_LEN, n;
	int ret;

	do {
		n = min(len, max);
		memset(q, 0, INIT_LEN);
		q->service = cpu_to_le16(SERVICE_REQUEST << 12);
		q->cmd = CMD(CCS_DOWN_SEG) | t->toggle;
		if (n == len)
			q->cmd |= SEG_LAST;
		if (n < SEG_MIN)
			q->cmd |= (SEG_MIN - n) << 1;
		memcpy(q->data, data, n);
		ret = exchange(t, SEG_LEN + max_t(u32, n, SEG_MIN), SCS_DOWN_SEG);
		if (ret)
			return ret;
		if ((q->cmd & SEG_TOGGLE) != t->toggle)
			return -EILSEQ;
		t->toggle ^= SEG_TOGGLE;
		data += n;
		len -= n;
	} while (len);
	t->open = false;
	return 0;
}

static int download(struct sdo *t, const u8 *data, u32 len)
{
	u32 n = min_t(u32, len, room_of(t) - INIT_LEN);
	__le32 value = 0;
	int ret;

	if (len && len <= sizeof(value) && !t->complete) {
		memcpy(&value, data, len);
		put_init(t, CMD(CCS_DOWN) | INIT_EXPEDITED | INIT_SIZED |
			 (sizeof(value) - len) << 2, le32_to_cpu(value));
		return exchange(t, INIT_LEN, SCS_DOWN);
	}
	put_init(t, CMD(CCS_DOWN) | INIT_SIZED, len);
	if (n)
		memcpy(t->buf + INIT_LEN, data, n);
	t->open = n < len;
	ret = exchange(t, INIT_LEN + n, SCS_DOWN);
	if (ret || n == len)
		return ret;
	return download_segments(t, data + n, len - n);
}

/**
 * kecat_coe_download - write an object
 * @s:          slave
 * @index:      object
 * @subindex:   .. 0 or 1 with complete access
 * @flags:      KECAT_SDO_*
 * @data:       what to write
 * @len:        bytes
 * @abort:      out: abort code with -EREMOTEIO, else 0
 * @timeout_ms: for each answer, 0 = 1000
 */
int kecat_coe_download(struct kecat_slave *s, u16 index, u8 subindex, u8 flags,
		       const void *data, u32 len, u32 *abort, u32 timeout_ms)
{
	struct sdo *t;
	int ret;

	*abort = 0;
	if (len > KECAT_MAX_SDO)
		return -EINVAL;
	ret = begin(&t, s, index, subindex, flags, timeout_ms);
	if (ret)
		return ret;
	/* sizes of the mailbox are valid only while there is one */
	ret = READ_ONCE(s->mbx.ready) ? download(t, data, len) : -EOPNOTSUPP;
	return end(t, ret, abort);
}

bool kecat_coe_take(struct kecat_slave *s, const u8 *data, u16 len)
{
	if (len < 2 || data[1] >> 4 != SERVICE_EMERGENCY)
		return false;
	kecat_coe_emergency(s, data, len);
	return true;
}

void kecat_coe_emergency(struct kecat_slave *s, const u8 *data, u16 len)
{
	struct emergency e;
	u32 low;

	s->emergencies++;
	memset(&e, 0, sizeof(e));
	memcpy(&e, data, min_t(u16, len, sizeof(e)));
	low = e.data[0] | e.data[1] << 8 | e.data[2] << 16 |
	      (u32)e.data[3] << 24;
	kecat_event(s->master, KECAT_EV_EMERGENCY, s->position,
		    le16_to_cpu(e.code) | e.error << 16, low, e.data[4], 0);
}
