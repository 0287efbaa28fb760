// SPDX-License-Identifier: GPL-2.0-only
/* Reading and writing objects: rights, lengths, complete access. */
#include "sim_device.h"

#define ABORT_WRITE_ONLY	0x06010001u
#define ABORT_READ_ONLY		0x06010002u
#define ABORT_SUB0		0x06010003u
#define ABORT_COMPLETE		0x06010004u
#define ABORT_NO_OBJECT		0x06020000u
#define ABORT_NOT_MAPPABLE	0x06040041u
#define ABORT_LENGTH		0x06070010u
#define ABORT_TOO_LONG		0x06070012u
#define ABORT_TOO_SHORT		0x06070013u
#define ABORT_NO_SUB		0x06090011u
#define ABORT_VALUE		0x06090030u
#define ABORT_MEMORY		0x05040005u
#define ABORT_STATE		0x08000022u

/**
 * sim_obj_end - position behind the last entry of an object
 * @d:     kind of device
 * @first: position of its first entry
 */
unsigned int sim_obj_end(const struct sim_desc *d, unsigned int first)
{
	unsigned int i = first;

	while (i < d->nod && d->od[i].index == d->od[first].index)
		i++;
	return i;
}

static u32 bytes(const struct sim_od *o)
{
	return (o->bits + 7) / 8;
}

/* PDO assignment and mapping: sub-index 0 says how much of it is valid. */
static bool is_list(u16 index)
{
	return (index >= 0x1600 && index < 0x1c00) ||
	       (index >= 0x1c10 && index < 0x1c30);
}

static u8 list_count(const struct sim_slave *s, u16 index)
{
	int i = sim_od_find(s->desc, index, 0);

	return i < 0 ? 0 : s->store[s->desc->od[i].off];
}

static u16 write_right(const struct sim_slave *s)
{
	switch (sim_al_state(s)) {
	case ESC_PREOP:
		return SIM_ACC_W_PREOP;
	case ESC_SAFEOP:
		return SIM_ACC_W_PREOP << 1;
	default:
		return SIM_ACC_W_PREOP << 2;
	}
}

static u32 no_entry(const struct sim_desc *d, u16 index)
{
	unsigned int i;

	for (i = 0; i < d->nod; i++)
		if (d->od[i].index == index)
			return ABORT_NO_SUB;
	return ABORT_NO_OBJECT;
}

static void put_bits(u8 *to, u32 at, const u8 *from, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (from[i / 8] & BIT(i % 8))
			to[(at + i) / 8] |= (u8)BIT((at + i) % 8);
}

/* Sub-index 0 takes 16 bits, the others follow packed by their length. */
static u32 read_complete(struct sim_slave *s, unsigned int first, u8 from_sub,
			 u8 *to, u32 room, u32 *len)
{
	const struct sim_desc *d = s->desc;
	unsigned int i, end = sim_obj_end(d, first);
	u8 last = 0xff;
	u32 bit = 0;

	if (is_list(d->od[first].index))
		last = list_count(s, d->od[first].index);
	for (i = first; i < end; i++) {
		const struct sim_od *o = &d->od[i];
		u32 need = o->sub ? o->bits : 16;

		if (o->sub < from_sub || o->sub > last ||
		    !(o->access & SIM_ACC_READ))
			continue;
		if ((bit + need + 7) / 8 > room)
			return ABORT_MEMORY;
		memset(to + (bit + 7) / 8, 0,
		       (bit + need + 7) / 8 - (bit + 7) / 8);
		put_bits(to, bit, s->store + o->off, o->bits);
		bit += need;
	}
	*len = (bit + 7) / 8;
	return 0;
}

/**
 * sim_obj_read - SDO upload
 * @s:        slave
 * @index:    object
 * @sub:      sub-index
 * @complete: complete access
 * @to:       destination
 * @room:     its size
 * @len:      bytes read
 *
 * Return: 0 or the abort code.
 */
u32 sim_obj_read(struct sim_slave *s, u16 index, u8 sub, bool complete,
		 u8 *to, u32 room, u32 *len)
{
	const struct sim_desc *d = s->desc;
	const struct sim_od *o;
	int i;

	if (complete) {
		if (!(d->coe & SIM_COE_CA))
			return ABORT_COMPLETE;
		if (sub > 1)
			return ABORT_NO_SUB;
	}
	i = sim_od_find(d, index, sub);
	if (i < 0)
		return no_entry(d, index);
	if (complete)
		return read_complete(s, sim_od_first(d, (unsigned int)i), sub,
				     to, room, len);
	o = &d->od[i];
	if (!(o->access & SIM_ACC_READ))
		return ABORT_WRITE_ONLY;
	if (is_list(index) && sub > list_count(s, index))
		return ABORT_NO_SUB;
	if (bytes(o) > room)
		return ABORT_MEMORY;
	memcpy(to, s->store + o->off, bytes(o));
	*len = bytes(o);
	return 0;
}

/* What may be put into a list of PDOs or of mapped objects? */
static u32 check_list(struct sim_slave *s, const struct sim_od *o,
		      const u8 *from, bool ordered)
{
	const struct sim_desc *d = s->desc;
	u32 v;
	int i;

	if (!o->sub) {
		unsigned int first = sim_od_first(d, (unsigned int)(o - d->od));

		return from[0] < sim_obj_end(d, first) - first ? 0 : ABORT_VALUE;
	}
	if (ordered && list_count(s, o->index))
		return ABORT_SUB0;
	if (o->bits == 16)
		return !sim_get16(from) ||
		       sim_od_find(d, sim_get16(from), 0) >= 0 ? 0 : ABORT_VALUE;
	v = sim_get32(from);
	if (!(v >> 16))
		return 0;
	i = sim_od_find(d, (u16)(v >> 16), (u8)(v >> 8));
	if (i < 0)
		return ABORT_NO_OBJECT;
	if (!(d->od[i].access & (o->index < 0x1a00 ? SIM_ACC_RXPDO :
						     SIM_ACC_TXPDO)))
		return ABORT_NOT_MAPPABLE;
	return d->od[i].bits == (v & 0xff) ? 0 : ABORT_LENGTH;
}

static u32 check_write(struct sim_slave *s, const struct sim_od *o,
		       const u8 *from, bool ordered)
{
	if (!(o->access & SIM_ACC_WRITE))
		return ABORT_READ_ONLY;
	if (!(o->access & write_right(s)))
		return ABORT_STATE;
	return is_list(o->index) ? check_list(s, o, from, ordered) : 0;
}

static u32 write_one(struct sim_slave *s, const struct sim_od *o,
		     const u8 *from, u32 len)
{
	u32 ret, n = bytes(o);

	/* strings may be shorter than their room */
	if (o->type == 0x09 && len < n)
		n = len;
	if (len > n)
		return ABORT_TOO_LONG;
	if (len < n)
		return ABORT_TOO_SHORT;
	ret = check_write(s, o, from, true);
	if (ret)
		return ret;
	memset(s->store + o->off, 0, bytes(o));
	memcpy(s->store + o->off, from, n);
	return 0;
}

static u32 write_complete(struct sim_slave *s, unsigned int first, u8 from_sub,
			  const u8 *from, u32 len)
{
	const struct sim_desc *d = s->desc;
	unsigned int i, end = sim_obj_end(d, first);
	u32 pos = 0, ret;

	for (i = first; i < end && pos < len; i++) {
		const struct sim_od *o = &d->od[i];
		u32 n = o->sub ? bytes(o) : 2;

		if (o->sub < from_sub)
			continue;
		if (o->bits % 8)
			return ABORT_COMPLETE;
		if (pos + n > len)
			return ABORT_LENGTH;
		ret = check_write(s, o, from + pos, false);
		if (ret && !(ret == ABORT_READ_ONLY && !o->sub))
			return ret;
		pos += n;
	}
	if (pos < len)
		return ABORT_TOO_LONG;
	for (i = first, pos = 0; i < end && pos < len; i++) {
		const struct sim_od *o = &d->od[i];

		if (o->sub < from_sub)
			continue;
		if (o->access & SIM_ACC_WRITE)
			memcpy(s->store + o->off, from + pos, bytes(o));
		pos += o->sub ? bytes(o) : 2;
	}
	return 0;
}

/**
 * sim_obj_write - SDO download
 * @s:        slave
 * @index:    object
 * @sub:      sub-index
 * @complete: complete access
 * @from:     source
 * @len:      bytes
 *
 * Return: 0 or the abort code.
 */
u32 sim_obj_write(struct sim_slave *s, u16 index, u8 sub, bool complete,
		  const u8 *from, u32 len)
{
	const struct sim_desc *d = s->desc;
	int i = sim_od_find(d, index, sub);

	if (complete && !(d->coe & SIM_COE_CA))
		return ABORT_COMPLETE;
	if (complete && sub > 1)
		return ABORT_NO_SUB;
	if (i < 0)
		return no_entry(d, index);
	if (complete)
		return write_complete(s, sim_od_first(d, (unsigned int)i), sub,
				      from, len);
	return write_one(s, &d->od[i], from, len);
}
