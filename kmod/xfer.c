// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "compat/unaligned.h"
#include "cycle_int.h"
#include "plan.h"
#include "trace.h"
#include "xfer.h"

/* a frame that is lost is sent this often again */
#define RETRIES		2
/* no transmit slot for so long: the port sends nothing any more */
#define FULL_NS		(100 * NSEC_PER_MSEC)
/* in so many cycles, one after the other, there was no room for a datagram: it goes */
#define HELD_MAX	16

/* ---- callers' side ---- */

/**
 * kecat_xfer - send datagrams, sleep until they are back
 * @m:     master
 * @dg:    datagrams; sent in this order, in as few frames as they need
 * @n:     how many
 * @flags: KECAT_XFER_*
 *
 * Working counters are the caller's to judge.
 *
 * Context: may sleep; never the cyclic thread.  Bounded: a lost frame is
 * repeated twice, and given up some 50 ms after each sending.
 * Return: 0, -ETIMEDOUT (lost), -ENETDOWN (no link), -EIO (the port takes no
 * frames), -ESHUTDOWN (port gone),
 * -EMSGSIZE, -EINVAL.
 */
int kecat_xfer(struct kecat_master *m, struct kecat_dgram *dg, int n,
	       unsigned int flags)
{
	struct kecat_cycle *c = m->cycle;
	struct kecat_xfer x = {
		.dg = dg, .n = n,
		.tries = flags & KECAT_XFER_ONCE ? 0 : RETRIES,
	};
	int i;

	if (n < 1)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		if (!dg[i].len || dg[i].len > KECAT_DATA_MAX)
			return -EMSGSIZE;
		dg[i].done = false;
	}
	/*
	 * The thread leaves only when it is dead and nobody is in here, so a
	 * transaction that got past the test is answered.
	 */
	atomic_inc(&c->users);
	if (smp_load_acquire(&c->dead)) {	/* pairs with cycle_thread() */
		atomic_dec(&c->users);
		return -ESHUTDOWN;
	}
	init_completion(&x.done);
	llist_add(&x.llnode, &c->incoming);
	wake_up_process(c->task);
	/* always answered, at the latest after the last retry is overdue */
	wait_for_completion(&x.done);
	atomic_dec(&c->users);
	return x.err;
}

static int one(struct kecat_master *m, u8 cmd, u16 adp, u16 reg, void *buf,
	       u16 len)
{
	struct kecat_dgram dg = {
		.cmd = cmd, .adp = adp, .ado = reg, .len = len, .data = buf,
	};
	int err = kecat_xfer(m, &dg, 1, 0);

	return err ? err : dg.wkc;
}

static int addressed(int wkc)
{
	if (wkc < 0)
		return wkc;
	return wkc ? 0 : -ENXIO;
}

int kecat_fprd(struct kecat_master *m, u16 station, u16 reg, void *buf, u16 len)
{
	return addressed(one(m, EC_FPRD, station, reg, buf, len));
}

int kecat_fpwr(struct kecat_master *m, u16 station, u16 reg, const void *buf,
	       u16 len)
{
	/* what comes back of a write is what was sent: buf does not change */
	return addressed(one(m, EC_FPWR, station, reg, (void *)buf, len));
}

int kecat_aprd(struct kecat_master *m, u16 position, u16 reg, void *buf, u16 len)
{
	return addressed(one(m, EC_APRD, -position, reg, buf, len));
}

int kecat_apwr(struct kecat_master *m, u16 position, u16 reg, const void *buf,
	       u16 len)
{
	return addressed(one(m, EC_APWR, -position, reg, (void *)buf, len));
}

int kecat_brd(struct kecat_master *m, u16 reg, void *buf, u16 len)
{
	return one(m, EC_BRD, 0, reg, buf, len);
}

int kecat_bwr(struct kecat_master *m, u16 reg, const void *buf, u16 len)
{
	return one(m, EC_BWR, 0, reg, (void *)buf, len);
}

/* ---- cyclic thread's side ---- */

static bool reads_only(u8 cmd)
{
	return cmd == EC_APRD || cmd == EC_FPRD || cmd == EC_BRD ||
	       cmd == EC_LRD;
}

static bool writes_only(u8 cmd)
{
	return cmd == EC_APWR || cmd == EC_FPWR || cmd == EC_BWR ||
	       cmd == EC_LWR || cmd == EC_NOP;
}

void kecat_xfer_drain(struct kecat_cycle *c)
{
	struct llist_node *first = llist_del_all(&c->incoming);
	struct kecat_xfer *x, *next;

	if (!first)
		return;
	first = llist_reverse_order(first);
	llist_for_each_entry_safe(x, next, first, llnode)
		list_add_tail(&x->entry, &c->queue);
}

bool kecat_xfer_pending(struct kecat_cycle *c)
{
	return !list_empty(&c->queue) || !llist_empty(&c->incoming);
}

/* x may be gone after this: its owner's stack */
static void finish(struct kecat_cycle *c, struct kecat_xfer *x, int err)
{
	x->err = err;
	c->m->count.xfers++;
	if (err == -ETIMEDOUT)
		c->m->count.xfer_timeouts++;
	complete(&x->done);
}

/* the next datagram that is not back yet; what is back holds its answer */
static void skip_done(struct kecat_xfer *x)
{
	while (x->next < x->n && x->dg[x->next].done)
		x->next++;
}

/* all its datagrams are back or given up */
static void settle(struct kecat_cycle *c, struct kecat_xfer *x)
{
	if (x->out || x->next < x->n)
		return;
	if (x->lost && x->tries) {
		x->tries--;
		x->next = 0;
		skip_done(x);
		x->lost = false;
		list_add_tail(&x->entry, &c->queue);
		return;
	}
	finish(c, x, x->lost ? -ETIMEDOUT : 0);
}

static struct kecat_pool_frame *pool_get(struct kecat_cycle *c)
{
	u32 i;

	for (i = 0; i < KECAT_POOL; i++) {
		struct kecat_pool_frame *pf = &c->pool[i];

		if (pf->used)
			continue;
		pf->used = true;
		pf->n = 0;
		pf->waiting = 0;
		memset(pf->half, KECAT_HALF_NONE, sizeof(pf->half));
		return pf;
	}
	return NULL;
}

/*
 * Whose addressee is lost writes what it carries to all other clocks, so it
 * carries what the reference shows by now.
 */
static u32 system_time(const struct kecat_cycle *c)
{
	return c->dc_at ? c->dc_time + (u32)(ktime_get_ns() - c->dc_at) : 0;
}

static bool tells_time(const struct kecat_dgram *d)
{
	return d->cmd == EC_FRMW && d->ado == EC_REG_DC_TIME && d->len >= 4;
}

/* as many datagrams of the queue as @room bytes of a frame take */
static void fill(struct kecat_cycle *c, struct kecat_frame_builder *b,
		 struct kecat_pool_frame *pf, u32 room)
{
	while (!list_empty(&c->queue) && pf->n < KECAT_POOL_DGRAMS) {
		struct kecat_xfer *x = list_first_entry(&c->queue,
							struct kecat_xfer, entry);
		struct kecat_dgram *d = &x->dg[x->next];
		u8 *data;

		if (b->len + EC_DGRAM_OVERHEAD + d->len > room)
			return;
		pf->part[pf->n].x = x;
		pf->part[pf->n].dg = x->next;
		pf->part[pf->n].hdr = b->len;
		pf->n++;
		data = kecat_frame_add(b, d->cmd, pf->n, d->adp, d->ado, d->len);
		/* broadcast reads are ORed into what was sent */
		if (reads_only(d->cmd))
			memset(data, 0, d->len);
		else
			memcpy(data, d->data, d->len);
		if (tells_time(d)) {
			pf->time = system_time(c);
			put_unaligned_le32(pf->time, data);
		}
		x->out++;
		x->next++;
		skip_done(x);
		if (x->next == x->n)
			list_del(&x->entry);
	}
}

static bool by_position(u8 cmd)
{
	return cmd == EC_APRD || cmd == EC_APWR || cmd == EC_APRW ||
	       cmd == EC_ARMW;
}

/*
 * Positions count from where a frame meets the first slave.  By the second port
 * that is the first one behind those that the first port reaches; they get
 * nothing from there.
 */
static void address(struct kecat_cycle *c, struct kecat_pool_frame *pf, u32 side,
		    u8 *buf)
{
	u16 front = READ_ONCE(c->front);
	int i;

	for (i = 0; i < pf->n; i++) {
		const struct kecat_dgram *d = &pf->part[i].x->dg[pf->part[i].dg];
		struct ec_dgram_hdr *h = (void *)(buf + pf->part[i].hdr);
		u16 position = -d->adp;
		u16 adp = d->adp;
		u8 cmd = d->cmd;

		if (side && by_position(cmd)) {
			if (position < front)
				cmd = EC_NOP;
			else
				adp = front - position;
		}
		h->cmd = cmd;
		h->adp = cpu_to_le16(adp);
		pf->part[i].cmd[side] = cmd;
		pf->part[i].adp[side] = adp;
	}
}

static void launch(struct kecat_cycle *c, struct kecat_pool_frame *pf, u32 side,
		   u8 *buf, unsigned int len)
{
	__le32 tag = cpu_to_le32(c->flight.next);
	struct kecat_flight_slot *s;

	memcpy(buf + KECAT_FRAME_TAG, &tag, sizeof(tag));
	address(c, pf, side, buf);
	s = kecat_side_commit(c, side, KECAT_FLIGHT_ACYCLIC, pf - c->pool, buf,
			      len, ktime_get_ns());
	pf->half[side] = KECAT_HALF_OUT;
	pf->tag[side] = s->tag;
	pf->sent_ns[side] = s->sent_ns;
	pf->waiting += s->awaited;
}

/*
 * The same frame by each port that can be used; false: none is free.  Caller has
 * seen that the next datagram fits into @room.
 */
static bool send_pool_frame(struct kecat_cycle *c, struct kecat_pool_frame *pf,
			    u32 room)
{
	struct kecat_frame_builder b;
	u8 *buf[KECAT_SIDES] = {}, *first = NULL;
	unsigned int len;
	u32 side;

	for (side = 0; side < KECAT_SIDES; side++) {
		struct kecat_nic *nic = c->side[side].nic;

		if (!(c->use & BIT(side)))
			continue;
		buf[side] = nic->ops->tx_buf(nic);
		if (!buf[side]) {
			c->m->count.tx_full++;
			pf->half[side] = KECAT_HALF_LOST;
		} else if (!first) {
			first = buf[side];
		}
	}
	if (!first)
		return false;
	kecat_frame_begin(&b, first, c->m->mac, 0);
	fill(c, &b, pf, room);
	pf->len = b.len;
	len = kecat_frame_end(&b);
	for (side = 0; side < KECAT_SIDES; side++)
		if (buf[side] && buf[side] != first)
			memcpy(buf[side], first, len);
	for (side = 0; side < KECAT_SIDES; side++)
		if (buf[side])
			launch(c, pf, side, buf[side], len);
	/* the only one that went out is by a port that is not waited for */
	for (side = 0; !pf->waiting && side < KECAT_SIDES; side++)
		if (buf[side]) {
			kecat_flight_find(&c->flight, pf->tag[side])->awaited = true;
			pf->waiting++;
		}
	return true;
}

/*
 * A ring is full for as long as its frames take.  If it stays so the port has
 * stopped, and who waits here may be the one who would look at it.
 */
static void give_up_full(struct kecat_cycle *c)
{
	u64 now = ktime_get_ns();

	if (!c->full_since)
		c->full_since = now;
	if (now - c->full_since >= FULL_NS)
		kecat_xfer_fail_all(c, -EIO);
}

/*
 * How long a frame may be that is off the wire again in @left_ns; 0: none.  What
 * does not fit into any cycle has to go all the same, by itself, now and then.
 */
static u32 room_in(struct kecat_cycle *c, u64 left_ns)
{
	const struct kecat_xfer *x = list_first_entry(&c->queue, struct kecat_xfer,
						      entry);
	u32 least = KECAT_FRAME_BODY + EC_DGRAM_OVERHEAD + x->dg[x->next].len;
	u32 most = KECAT_FRAME_START + EC_DGRAM_ROOM;

	if (left_ns < kecat_wire_ns(most))
		most = left_ns < kecat_wire_ns(0) ? 0 :
		       (u32)(left_ns - kecat_wire_ns(0)) / KECAT_WIRE_NS_BYTE;
	if (most >= least && most >= ETH_ZLEN) {
		c->held = 0;
		return most;
	}
	/* nobody has asked the port now */
	c->full_since = 0;
	/* behind another one that was sent in this cycle it has not waited for long */
	if (c->acyclic_out || ++c->held < HELD_MAX)
		return 0;
	c->held = 0;
	return least;
}

/**
 * kecat_xfer_send - send what waits
 * @c:          cyclic thread
 * @max_frames: not more than this
 * @left_ns:    and not more than is off the wire in this time; U64_MAX: any
 *
 * The caller rings the doorbell.
 */
void kecat_xfer_send(struct kecat_cycle *c, int max_frames, u64 left_ns)
{
	for (; max_frames > 0 && c->use && !list_empty(&c->queue); max_frames--) {
		u32 room = room_in(c, left_ns);
		struct kecat_pool_frame *pf;

		if (!room)
			return;

		if (kecat_flight_room(&c->flight) < KECAT_SIDES)
			return;
		pf = pool_get(c);
		if (!pf)
			return;
		if (!send_pool_frame(c, pf, room)) {
			pf->used = false;
			give_up_full(c);
			return;
		}
		c->full_since = 0;
		c->acyclic_out++;
		left_ns -= min(left_ns, kecat_wire_ns(pf->len));
	}
}

static bool frame_matches(const struct kecat_cycle *c,
			  const struct kecat_pool_frame *pf, u32 side,
			  const u8 *frame, unsigned int end)
{
	int i;

	if (end != pf->len)
		return false;
	for (i = 0; i < pf->n; i++) {
		const struct kecat_dgram *d = &pf->part[i].x->dg[pf->part[i].dg];

		if (!kecat_dgram_answers((const void *)(frame + pf->part[i].hdr),
					 pf->part[i].cmd[side], i + 1,
					 pf->part[i].adp[side], d->ado, d->len,
					 kecat_side_flags(c, i + 1 < pf->n)))
			return false;
	}
	return true;
}

/* ---- both answers together ---- */

static u16 counter(const u8 *data, u16 len)
{
	return data ? data[len] | data[len + 1] << 8 : 0;
}

/* several slaves may have added to either */
static bool joins(u8 cmd)
{
	return cmd == EC_BRD || cmd == EC_BRW || cmd == EC_LRD || cmd == EC_LRW;
}

/* has one addressee; the other frame of the pair has met nobody then */
static bool for_one(u8 cmd)
{
	return cmd == EC_APRD || cmd == EC_APWR || cmd == EC_APRW ||
	       cmd == EC_FPRD || cmd == EC_FPWR || cmd == EC_FPRW;
}

static void take_data(struct kecat_dgram *d, const u8 *first, const u8 *second)
{
	const u8 *from = first && (counter(first, d->len) || !second) ?
			 first : second;
	u8 *to = d->data;
	u16 i;

	if (!first || !second || !joins(d->cmd)) {
		memcpy(to, from, d->len);
		return;
	}
	for (i = 0; i < d->len; i++)
		to[i] = first[i] | second[i];
}

/* one of them has met the reference: it shows another time than it was sent with */
static void take_time(struct kecat_cycle *c, const struct kecat_pool_frame *pf,
		      const u8 *data, u32 side)
{
	if (!data || get_unaligned_le32(data) == pf->time)
		return;
	c->dc_time = get_unaligned_le32(data);
	c->dc_at = pf->sent_ns[side];
}

/* a datagram's answer from @frame, each NULL if there is none; false: no answer */
static bool take(struct kecat_cycle *c, struct kecat_pool_frame *pf, int i,
		 const u8 *const *frame)
{
	struct kecat_dgram *d = &pf->part[i].x->dg[pf->part[i].dg];
	const u8 *data[KECAT_SIDES] = {};
	bool whole = true;
	u32 side;

	for (side = 0; side < KECAT_SIDES; side++) {
		whole = whole && pf->half[side] != KECAT_HALF_LOST;
		if (frame[side])
			data[side] = frame[side] + pf->part[i].hdr + EC_DGRAM_HDR;
	}
	d->wkc_second = counter(data[1], d->len);
	d->wkc = counter(data[0], d->len) + d->wkc_second;
	/* who was meant by it alone has answered: not twice */
	whole = whole || (for_one(d->cmd) && d->wkc);
	/* of what is missing it would have to be asked again, or it will not do */
	if (!whole && (pf->part[i].x->tries || !d->wkc))
		return false;
	if (tells_time(d))
		for (side = 0; side < KECAT_SIDES; side++)
			take_time(c, pf, data[side], side);
	if (!writes_only(d->cmd))
		take_data(d, data[0], data[1]);
	d->done = true;
	return true;
}

/* @frame, each NULL if it did not come */
static void conclude(struct kecat_cycle *c, struct kecat_pool_frame *pf,
		     const u8 *const *frame)
{
	u32 side;
	int i;

	for (i = 0; i < pf->n; i++) {
		struct kecat_xfer *x = pf->part[i].x;

		if (!take(c, pf, i, frame))
			x->lost = true;
		x->out--;
		settle(c, x);
	}
	for (side = 0; side < KECAT_SIDES; side++)
		if (pf->half[side] == KECAT_HALF_OUT)
			kecat_flight_find(&c->flight, pf->tag[side])->kind =
				KECAT_FLIGHT_PROBE;
	pf->used = false;
	c->acyclic_out--;
}

/**
 * kecat_xfer_answer - an acyclic frame is back
 * @c:     cyclic thread
 * @s:     its slot
 * @at:    port that it came to
 * @frame: what was received
 * @end:   end of its datagrams, checked against the length
 */
void kecat_xfer_answer(struct kecat_cycle *c, struct kecat_flight_slot *s,
		       u32 at, const u8 *frame, unsigned int end)
{
	struct kecat_pool_frame *pf = &c->pool[s->ref];
	const u8 *answer[KECAT_SIDES] = {};
	u32 side = s->side;

	if (!frame_matches(c, pf, side, frame, end)) {
		c->m->count.frames_foreign++;
		return;
	}
	c->m->count.frames_received++;
	trace_kecat_frame(c->m->index, s->tag, s->kind, KECAT_TRACE_BACK, end);
	kecat_side_back(c, s, at);
	if (s->awaited)
		pf->waiting--;
	kecat_flight_land(&c->flight, s);
	answer[side] = frame;
	if (pf->half[!side] == KECAT_HALF_BACK)
		answer[!side] = pf->stash;
	pf->half[side] = KECAT_HALF_BACK;
	if (pf->waiting)
		memcpy(pf->stash, frame, end);
	else
		conclude(c, pf, answer);
}

/* will not come back; the caller frees the slot */
void kecat_xfer_lost(struct kecat_cycle *c, struct kecat_flight_slot *s)
{
	struct kecat_pool_frame *pf = &c->pool[s->ref];
	const u8 *answer[KECAT_SIDES] = {};
	u32 side = s->side;

	pf->half[side] = s->awaited ? KECAT_HALF_LOST : KECAT_HALF_NONE;
	if (!s->awaited || --pf->waiting)
		return;
	if (pf->half[!side] == KECAT_HALF_BACK)
		answer[!side] = pf->stash;
	conclude(c, pf, answer);
}

/* what has not been sent yet; what is out is answered or overdue by itself */
void kecat_xfer_fail_all(struct kecat_cycle *c, int err)
{
	struct kecat_xfer *x, *next;

	list_for_each_entry_safe(x, next, &c->queue, entry) {
		list_del(&x->entry);
		/* part of it is still out: that part ends it */
		x->next = x->n;
		x->tries = 0;
		if (x->out)
			x->lost = true;
		else
			finish(c, x, err);
	}
}
