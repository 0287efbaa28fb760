// SPDX-License-Identifier: GPL-2.0-only
/* CoE: SDO information (lists, object and entry descriptions). */
#include "sim_device.h"

#define TYPE_COE	3
#define SVC_INFO	8
#define HEAD		6	/* CoE header, opcode, reserved, fragments left */

enum {
	OP_LIST_REQ = 1, OP_LIST, OP_OBJ_REQ, OP_OBJ, OP_ENTRY_REQ, OP_ENTRY,
	OP_ERROR,
};

#define INCOMPLETE	0x80
#define LIST_LENGTHS	0
#define LIST_ALL	1
#define LIST_RXPDO	2
#define LIST_TXPDO	3
#define LIST_LAST	5

#define ABORT_UNSUPPORTED	0x06010000u
#define ABORT_NO_OBJECT		0x06020000u
#define ABORT_NO_SUB		0x06090011u

static u8 *info_reply(struct sim_slave *s, u8 op, u16 left, u16 len)
{
	u8 *p = sim_mbx_reply(s, TYPE_COE, (u16)(HEAD + len));

	if (!p)
		return NULL;
	sim_put16(p, SVC_INFO << 12);
	p[2] = op | (left ? INCOMPLETE : 0);
	sim_put16(p + 4, left);
	return p + HEAD;
}

static void info_error(struct sim_slave *s, u32 code)
{
	u8 *p = info_reply(s, OP_ERROR, 0, 4);

	if (p)
		sim_put32(p, code);
}

/* Is the object that starts at @first part of the list? */
static bool listed(const struct sim_desc *d, unsigned int first, u8 type)
{
	unsigned int i, end = sim_obj_end(d, first);
	u16 want = type == LIST_RXPDO ? SIM_ACC_RXPDO : SIM_ACC_TXPDO;

	if (type == LIST_ALL)
		return true;
	if (type != LIST_RXPDO && type != LIST_TXPDO)
		return false;
	for (i = first; i < end; i++)
		if (d->od[i].access & want)
			return true;
	return false;
}

static u16 count(const struct sim_desc *d, u8 type)
{
	unsigned int i;
	u16 n = 0;

	for (i = 0; i < d->nod; i = sim_obj_end(d, i))
		n = (u16)(n + listed(d, i, type));
	return n;
}

static void list_lengths(struct sim_slave *s)
{
	u8 *p = info_reply(s, OP_LIST, 0, 12);
	u8 t;

	if (!p)
		return;
	for (t = 1; t <= LIST_LAST; t++)
		sim_put16(p + 2 * t, count(s->desc, t));
}

/* The first fragment also carries the list type. */
static u16 per_fragment(const struct sim_slave *s)
{
	u16 room = sim_mbx_room(s);

	return room > HEAD + 2 ? (u16)((room - HEAD - 2) / 2) : 0;
}

/**
 * sim_coe_info_next - next fragment of an object list
 * @s: slave whose answer queue is empty
 */
void sim_coe_info_next(struct sim_slave *s)
{
	const struct sim_desc *d = s->desc;
	struct sim_mbx *m = s->mbx;
	u16 left = (u16)(m->list_left - 1), room = per_fragment(s), n = 0, k;
	u32 i = m->list_next, skip = i == 0 ? 2 : 0;
	u8 *p;

	for (k = 0; i < d->nod && k < room; i = sim_obj_end(d, i))
		if (listed(d, i, m->list_type))
			k++;
	n = k;
	p = info_reply(s, OP_LIST, left, (u16)(skip + 2 * n));
	if (!p)
		return;
	if (skip)
		sim_put16(p, m->list_type);
	p += skip;
	for (i = m->list_next; n; i = sim_obj_end(d, i)) {
		if (!listed(d, i, m->list_type))
			continue;
		sim_put16(p, d->od[i].index);
		p += 2;
		n--;
	}
	m->list_next = (u16)i;
	m->list_left = left;
}

static void list_request(struct sim_slave *s, const u8 *d, u16 len)
{
	struct sim_mbx *m = s->mbx;
	u16 type = len >= 2 ? sim_get16(d) : 0xffff, n, per = per_fragment(s);

	if (type > LIST_LAST || !per) {
		info_error(s, ABORT_UNSUPPORTED);
		return;
	}
	if (type == LIST_LENGTHS) {
		list_lengths(s);
		return;
	}
	n = count(s->desc, (u8)type);
	m->list_type = (u8)type;
	m->list_next = 0;
	m->list_left = n ? (u16)((n + per - 1) / per) : 1;
	sim_coe_info_next(s);
}

static u16 name_room(const struct sim_slave *s, const char *name, u16 fixed)
{
	u32 room = sim_mbx_room(s) - HEAD - fixed;

	return (u16)sim_min(name ? (u32)strlen(name) : 0, room);
}

static void object_request(struct sim_slave *s, const u8 *q, u16 len)
{
	const struct sim_desc *d = s->desc;
	unsigned int i = 0, last;
	u16 n;
	u8 *p;

	while (len >= 2 && i < d->nod && d->od[i].index != sim_get16(q))
		i = sim_obj_end(d, i);
	if (len < 2 || i == d->nod) {
		info_error(s, ABORT_NO_OBJECT);
		return;
	}
	last = sim_obj_end(d, i) - 1;
	n = name_room(s, d->od[i].object, 6);
	p = info_reply(s, OP_OBJ, 0, (u16)(6 + n));
	if (!p)
		return;
	sim_put16(p, d->od[i].index);
	sim_put16(p + 2, d->od[last].type);
	p[4] = d->od[last].sub;
	p[5] = d->od[i].code;
	if (n)
		memcpy(p + 6, d->od[i].object, n);
}

static void entry_request(struct sim_slave *s, const u8 *q, u16 len)
{
	const struct sim_desc *d = s->desc;
	int i = len >= 4 ? sim_od_find(d, sim_get16(q), q[2]) : -1;
	const struct sim_od *o;
	u16 n;
	u8 *p;

	if (i < 0) {
		info_error(s, ABORT_NO_SUB);
		return;
	}
	o = &d->od[i];
	n = name_room(s, o->name, 10);
	p = info_reply(s, OP_ENTRY, 0, (u16)(10 + n));
	if (!p)
		return;
	sim_put16(p, o->index);
	p[2] = o->sub;
	p[3] = 0;
	sim_put16(p + 4, o->type);
	sim_put16(p + 6, (u16)o->bits);
	sim_put16(p + 8, o->access);
	if (n)
		memcpy(p + 10, o->name, n);
}

/**
 * sim_coe_info - SDO information request
 * @s:    slave
 * @data: behind the CoE header
 * @len:  bytes
 */
void sim_coe_info(struct sim_slave *s, const u8 *data, u16 len)
{
	if (!(s->desc->coe & SIM_COE_INFO) || len < 4) {
		info_error(s, ABORT_UNSUPPORTED);
		return;
	}
	s->mbx->list_left = 0;
	switch (data[0] & 0x7f) {
	case OP_LIST_REQ:
		list_request(s, data + 4, (u16)(len - 4));
		break;
	case OP_OBJ_REQ:
		object_request(s, data + 4, (u16)(len - 4));
		break;
	case OP_ENTRY_REQ:
		entry_request(s, data + 4, (u16)(len - 4));
		break;
	default:
		info_error(s, ABORT_UNSUPPORTED);
	}
}
