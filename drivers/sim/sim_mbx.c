// SPDX-License-Identifier: GPL-2.0-only
/* Mailbox server: transport, counters, repeat handshake, dispatch. */
#include "sim_device.h"

#define HEADER		6
#define TYPE_ERROR	0
#define TYPE_COE	3
#define ERR_PROTOCOL	2	/* protocol not supported */
#define ERR_HEADER	5	/* invalid header */

/**
 * sim_mbx_reset - forget everything, as on the way from INIT
 * @s: slave
 */
void sim_mbx_reset(struct sim_slave *s)
{
	struct sim_mbx *m = s->mbx;

	if (!m)
		return;
	m->busy = false;
	m->head = 0;
	m->count = 0;
	m->counter = 0;
	m->last_request = 0;
	m->sent.len = 0;
	m->before.len = 0;
	m->uploading = false;
	m->downloading = false;
	m->list_left = 0;
	m->open_due = 0;
	esc_pdi_mbx_clear(&s->esc, 0);
	esc_pdi_mbx_clear(&s->esc, 1);
	esc_pdi_repeat_ack(&s->esc, 1);
}

/**
 * sim_mbx_room - bytes that an answer can carry behind its mailbox header
 * @s: slave
 */
u16 sim_mbx_room(const struct sim_slave *s)
{
	u16 len = s->esc.sm[1].len;

	len = len < SIM_MBX_MAX ? len : SIM_MBX_MAX;
	return len > HEADER ? (u16)(len - HEADER) : 0;
}

/**
 * sim_mbx_reply - room for one more answer
 * @s:    slave
 * @type: protocol
 * @len:  bytes behind the header; at most sim_mbx_room()
 *
 * Return: zeroed payload, or NULL when the queue is full or it is too long.
 */
u8 *sim_mbx_reply(struct sim_slave *s, u8 type, u16 len)
{
	struct sim_mbx *m = s->mbx;
	struct sim_msg *q;

	if (m->count == SIM_MBX_QUEUE || len > sim_mbx_room(s))
		return NULL;
	q = &m->queue[(m->head + m->count++) % SIM_MBX_QUEUE];
	q->len = (u16)(HEADER + len);
	memset(q->data, 0, q->len);
	sim_put16(q->data, len);
	m->counter = (u8)(m->counter % 7 + 1);
	q->data[5] = (u8)(m->counter << 4 | type);
	return q->data + HEADER;
}

/**
 * sim_mbx_error - the mailbox's own error reply
 * @s:      slave
 * @detail: error code of the mailbox protocol
 */
void sim_mbx_error(struct sim_slave *s, u16 detail)
{
	u8 *p = sim_mbx_reply(s, TYPE_ERROR, 4);

	if (!p)
		return;
	sim_put16(p, 1);
	sim_put16(p + 2, detail);
}

static void dispatch(struct sim_slave *s)
{
	struct sim_mbx *m = s->mbx;
	u16 len = sim_get16(m->in.data);
	u8 type = m->in.data[5] & 0x0f, counter = m->in.data[5] >> 4 & 7;

	if (len + HEADER > m->in.len) {
		sim_mbx_error(s, ERR_HEADER);
		return;
	}
	/* the same counter again is the same request again */
	if (counter && counter == m->last_request)
		return;
	m->last_request = counter;
	if (type == TYPE_COE && (s->desc->proto & SIM_PROTO_COE))
		sim_coe_request(s, m->in.data + HEADER, len);
	else
		sim_mbx_error(s, ERR_PROTOCOL);
}

static void receive(struct sim_slave *s, u64 now)
{
	struct sim_mbx *m = s->mbx;
	u16 len = (u16)sim_min(s->esc.sm[0].len, SIM_MBX_MAX);

	if (m->busy || len < HEADER)
		return;
	if (!esc_pdi_sm_read(&s->esc, 0, m->in.data, len))
		return;
	m->in.len = len;
	m->busy = !s->fault.mbx_silent;
	m->due = now + 1000ull * s->desc->mbx_us;
}

static void send(struct sim_slave *s)
{
	struct sim_mbx *m = s->mbx;
	struct sim_msg *q = &m->queue[m->head];

	if (!m->count ||
	    !esc_pdi_sm_write(&s->esc, 1, q->data, q->len))
		return;
	m->before = m->sent;
	m->sent = *q;
	m->head = (u8)((m->head + 1) % SIM_MBX_QUEUE);
	m->count--;
}

/*
 * The master lost an answer: give it once more.  If a newer one already
 * waits in the mailbox, the lost one is the one before, and the newer goes
 * back to the head of the queue.
 */
static void repeat(struct sim_slave *s)
{
	struct sim_mbx *m = s->mbx;
	struct sim_msg *lost = &m->sent;

	if (esc_pdi_mbx_full(&s->esc, 1)) {
		if (m->count < SIM_MBX_QUEUE) {
			m->head = (u8)((m->head + SIM_MBX_QUEUE - 1) %
				       SIM_MBX_QUEUE);
			m->queue[m->head] = m->sent;
			m->count++;
		}
		lost = &m->before;
		esc_pdi_mbx_clear(&s->esc, 1);
	}
	if (lost->len)
		esc_pdi_sm_write(&s->esc, 1, lost->data, lost->len);
	esc_pdi_repeat_ack(&s->esc, 1);
}

/**
 * sim_mbx_tick - mailbox traffic
 * @s:   slave
 * @now: time
 */
void sim_mbx_tick(struct sim_slave *s, u64 now)
{
	struct sim_mbx *m = s->mbx;
	u8 state = sim_al_state(s);

	if ((s->esc.events & ESC_EV_SM(1)) && s->desc->mbx_open_us)
		m->open_due = now + 1000ull * s->desc->mbx_open_us;
	s->esc.events &= ~(ESC_EV_SM(0) | ESC_EV_SM(1));
	if (state == ESC_INIT)
		return;
	if (m->open_due && now >= m->open_due) {
		m->open_due = 0;
		esc_pdi_mbx_open(&s->esc, 1);
	}
	if (esc_pdi_repeat_asked(&s->esc, 1))
		repeat(s);
	if (esc_pdi_mbx_full(&s->esc, 0))
		receive(s, now);
	if (m->busy && now >= m->due) {
		m->busy = false;
		dispatch(s);
	}
	if (m->list_left && !m->count)
		sim_coe_info_next(s);
	send(s);
}

/**
 * sim_emergency - an emergency message
 * @s:    slave with CoE
 * @code: error code
 * @reg:  error register
 *
 * Return: 0, -ENODEV without mailbox, -EBUSY when the queue is full.
 */
int sim_emergency(struct sim_slave *s, u16 code, u8 reg)
{
	u8 *p;

	if (!s->mbx || !(s->desc->proto & SIM_PROTO_COE) || !s->powered)
		return -ENODEV;
	p = sim_mbx_reply(s, TYPE_COE, 10);
	if (!p)
		return -EBUSY;
	sim_put16(p, 0x1000);
	sim_put16(p + 2, code);
	p[4] = reg;
	return 0;
}
