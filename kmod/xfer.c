// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "cycle_int.h"
#include "plan.h"
#include "trace.h"
#include "xfer.h"

/* a frame that is lost is sent this often again */
#define RETRIES		2

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
 * Return: 0, -ETIMEDOUT (lost), -ENETDOWN (no link), -ESHUTDOWN (port gone),
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
	for (i = 0; i < n; i++)
		if (!dg[i].len || dg[i].len > KECAT_DATA_MAX)
			return -EMSGSIZE;
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

/* all its datagrams are back or given up */
static void settle(struct kecat_cycle *c, struct kecat_xfer *x)
{
	if (x->out || x->next < x->n)
		return;
	if (x->lost && x->tries) {
		x->tries--;
		x->next = 0;
		x->lost = false;
		list_add_tail(&x->entry, &c->queue);
		return;
	}
	finish(c, x, x->lost ? -ETIMEDOUT : 0);
}

static struct kecat_pool_frame *pool_get(struct kecat_cycle *c, u16 *ref)
{
	u16 i;

	for (i = 0; i < KECAT_POOL; i++) {
		if (c->pool[i].used)
			continue;
		c->pool[i].used = true;
		c->pool[i].n = 0;
		*ref = i;
		return &c->pool[i];
	}
	return NULL;
}

/* as many datagrams of the queue as the frame takes */
static void fill(struct kecat_cycle *c, struct kecat_frame_builder *b,
		 struct kecat_pool_frame *pf)
{
	while (!list_empty(&c->queue) && pf->n < KECAT_POOL_DGRAMS) {
		struct kecat_xfer *x = list_first_entry(&c->queue,
							struct kecat_xfer, entry);
		struct kecat_dgram *d = &x->dg[x->next];
		u8 *data;

		if (b->len + EC_DGRAM_OVERHEAD + d->len >
		    KECAT_FRAME_START + EC_DGRAM_ROOM)
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
		x->out++;
		if (++x->next == x->n)
			list_del(&x->entry);
	}
}

/**
 * kecat_xfer_send - send what waits
 * @c:          cyclic thread
 * @max_frames: not more than this
 *
 * Return: frames committed; the caller rings the doorbell.
 */
int kecat_xfer_send(struct kecat_cycle *c, int max_frames)
{
	const struct kecat_nic_ops *ops = c->nic->ops;
	int sent = 0;

	while (sent < max_frames && !list_empty(&c->queue)) {
		struct kecat_frame_builder b;
		struct kecat_pool_frame *pf;
		unsigned int len;
		u16 ref;
		u8 *buf;

		if (kecat_flight_full(&c->flight))
			break;
		pf = pool_get(c, &ref);
		if (!pf)
			break;
		buf = ops->tx_buf(c->nic);
		if (!buf) {
			pf->used = false;
			c->m->count.tx_full++;
			break;
		}
		kecat_frame_begin(&b, buf, c->m->mac, c->flight.next);
		fill(c, &b, pf);
		len = kecat_frame_end(&b);
		ops->tx_commit(c->nic, len);
		trace_kecat_frame(c->m->index, c->flight.next,
				  KECAT_FLIGHT_ACYCLIC, KECAT_TRACE_SENT, len);
		kecat_flight_launch(&c->flight, KECAT_FLIGHT_ACYCLIC, ref,
				    ktime_get_ns(), c->m->count.cycles);
		c->acyclic_out++;
		c->m->count.frames_sent++;
		sent++;
	}
	return sent;
}

static bool frame_matches(const struct kecat_pool_frame *pf, const u8 *frame,
			  unsigned int end)
{
	int i;

	for (i = 0; i < pf->n; i++) {
		const struct kecat_dgram *d = &pf->part[i].x->dg[pf->part[i].dg];
		unsigned int hdr = pf->part[i].hdr;

		if (hdr + EC_DGRAM_OVERHEAD + d->len > end ||
		    !kecat_dgram_answers((const void *)(frame + hdr), d->cmd,
					 i + 1, d->adp, d->ado, d->len,
					 i + 1 < pf->n))
			return false;
	}
	return true;
}

static void release(struct kecat_cycle *c, struct kecat_flight_slot *s,
		    struct kecat_pool_frame *pf)
{
	kecat_flight_land(&c->flight, s);
	pf->used = false;
	c->acyclic_out--;
}

/**
 * kecat_xfer_answer - an acyclic frame is back
 * @c:     cyclic thread
 * @s:     its slot
 * @frame: what was received
 * @end:   end of its datagrams, checked against the length
 */
void kecat_xfer_answer(struct kecat_cycle *c, struct kecat_flight_slot *s,
		       const u8 *frame, unsigned int end)
{
	struct kecat_pool_frame *pf = &c->pool[s->ref];
	int i;

	if (!frame_matches(pf, frame, end)) {
		c->m->count.frames_foreign++;
		return;
	}
	c->m->count.frames_received++;
	trace_kecat_frame(c->m->index, s->tag, s->kind, KECAT_TRACE_BACK, end);
	for (i = 0; i < pf->n; i++) {
		struct kecat_xfer *x = pf->part[i].x;
		struct kecat_dgram *d = &x->dg[pf->part[i].dg];
		const u8 *data = frame + pf->part[i].hdr + EC_DGRAM_HDR;

		if (!writes_only(d->cmd))
			memcpy(d->data, data, d->len);
		d->wkc = data[d->len] | data[d->len + 1] << 8;
		x->out--;
		settle(c, x);
	}
	release(c, s, pf);
}

void kecat_xfer_lost(struct kecat_cycle *c, struct kecat_flight_slot *s)
{
	struct kecat_pool_frame *pf = &c->pool[s->ref];
	int i;

	for (i = 0; i < pf->n; i++) {
		struct kecat_xfer *x = pf->part[i].x;

		x->lost = true;
		x->out--;
		settle(c, x);
	}
	release(c, s, pf);
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
