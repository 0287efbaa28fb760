// SPDX-License-Identifier: GPL-2.0-only
/* The object dictionary of a kind of device. */
#include "sim_desc.h"

#define T_U8	0x05
#define T_U16	0x06
#define T_U32	0x07
#define CONFIG_ENTRIES	32	/* room of a mapping that can be changed */

/**
 * sim_od_add - one more entry; its value starts at zero
 * @d:      the kind
 * @index:  object
 * @sub:    sub-index
 * @code:   of the object: 7 variable, 8 array, 9 record
 * @type:   data type code
 * @bits:   length
 * @access: rights and mapping, SIM_ACC_*
 * @object: name of the object
 * @name:   name of the entry
 *
 * Return: its position, or -errno.  Positions change in sim_od_finish().
 */
int sim_od_add(struct sim_desc *d, u16 index, u8 sub, u8 code, u16 type,
	       u32 bits, u16 access, const char *object, const char *name)
{
	u32 bytes = (bits + 7) / 8;
	struct sim_od *o;

	if (d->nod == SIM_OD_MAX || d->store_size + bytes > SIM_STORE_MAX)
		return -ENOSPC;
	o = &d->od[d->nod];
	o->name = name;
	o->object = object;
	o->index = index;
	o->sub = sub;
	o->code = code;
	o->type = type;
	o->bits = bits;
	o->access = access;
	o->off = d->store_size;
	d->store_size += bytes;
	return d->nod++;
}

/**
 * sim_od_set - start value of an entry
 * @d:     the kind
 * @i:     position
 * @value: little endian into as many bytes as the entry has
 */
void sim_od_set(struct sim_desc *d, unsigned int i, u64 value)
{
	u32 n = sim_min((d->od[i].bits + 7) / 8, 8), k;

	for (k = 0; k < n; k++)
		d->init[d->od[i].off + k] = (u8)(value >> (8 * k));
}

static u32 order(const struct sim_od *o)
{
	return (u32)o->index << 8 | o->sub;
}

/**
 * sim_od_find - position of an entry
 * @d:     a finished description
 * @index: object
 * @sub:   sub-index
 *
 * Return: position or -ENOENT.
 */
int sim_od_find(const struct sim_desc *d, u16 index, u8 sub)
{
	u32 want = (u32)index << 8 | sub;
	int lo = 0, hi = d->nod - 1;

	while (lo <= hi) {
		int mid = (lo + hi) / 2;
		u32 o = order(&d->od[mid]);

		if (o == want)
			return mid;
		if (o < want)
			lo = mid + 1;
		else
			hi = mid - 1;
	}
	return -ENOENT;
}

/**
 * sim_od_first - first entry of the object that an entry belongs to
 * @d: a finished description
 * @i: position
 */
unsigned int sim_od_first(const struct sim_desc *d, unsigned int i)
{
	while (i && d->od[i - 1].index == d->od[i].index)
		i--;
	return i;
}

/* While the list is still in the order of the text. */
static bool have(const struct sim_desc *d, u16 index, int sub)
{
	unsigned int i;

	for (i = 0; i < d->nod; i++)
		if (d->od[i].index == index && (sub < 0 || d->od[i].sub == sub))
			return true;
	return false;
}

static int add_value(struct sim_desc *d, u16 index, u8 sub, u8 code, u16 type,
		     u16 access, u64 value, const char *object,
		     const char *name)
{
	u32 bits = type == T_U8 ? 8 : type == T_U16 ? 16 : 32;
	int i = sim_od_add(d, index, sub, code, type, bits, access, object, name);

	if (i < 0)
		return i;
	sim_od_set(d, (unsigned int)i, value);
	return 0;
}

static int add_identity(struct sim_desc *d)
{
	static const char obj[] = "Identity";
	const u32 v[4] = { d->vendor, d->product, d->revision, d->serial };
	static const char *const names[] = {
		"Vendor ID", "Product code", "Revision", "Serial number",
	};
	int i, ret;

	if (have(d, 0x1018, -1))
		return 0;
	ret = add_value(d, 0x1018, 0, 9, T_U8, SIM_ACC_READ, 4, obj, obj);
	for (i = 0; i < 4 && !ret; i++)
		ret = add_value(d, 0x1018, (u8)(i + 1), 9, T_U32, SIM_ACC_READ,
				v[i], obj, names[i]);
	return ret;
}

static int add_sm_types(struct sim_desc *d)
{
	static const char obj[] = "Sync manager type";
	int i, ret;

	if (have(d, 0x1c00, -1))
		return 0;
	ret = add_value(d, 0x1c00, 0, 8, T_U8, SIM_ACC_READ, d->nsm, obj, obj);
	for (i = 0; i < d->nsm && !ret; i++)
		ret = add_value(d, 0x1c00, (u8)(i + 1), 8, T_U8, SIM_ACC_READ,
				d->sm[i].type, obj, "Type");
	return ret;
}

static u16 write_access(const struct sim_desc *d, u8 flag)
{
	return (u16)(SIM_ACC_READ | (d->coe & flag ? SIM_ACC_W_PREOP : 0));
}

static int add_assignment(struct sim_desc *d, u8 sm)
{
	static const char obj[] = "PDO assignment";
	u16 acc = write_access(d, SIM_COE_ASSIGN), index = (u16)(0x1c10 + sm);
	u16 list[SIM_ASSIGN_MAX] = { 0 };
	int i, n = 0, room, ret;

	if (have(d, index, -1))
		return 0;
	for (i = 0; i < d->npdo; i++)
		if (d->pdo[i].sm == sm && d->pdo[i].assigned &&
		    n < SIM_ASSIGN_MAX)
			list[n++] = d->pdo[i].index;
	room = d->coe & SIM_COE_ASSIGN ? SIM_ASSIGN_MAX : n;
	ret = add_value(d, index, 0, 8, T_U8, acc, (u64)n, obj, obj);
	for (i = 0; i < room && !ret; i++)
		ret = add_value(d, index, (u8)(i + 1), 8, T_U16, acc, list[i],
				obj, "PDO");
	return ret;
}

static int add_mapping(struct sim_desc *d, const struct sim_pdo *p)
{
	u16 acc = write_access(d, p->flags & 0x10 ? 0 : SIM_COE_CONFIG);
	int i, room = p->count, ret;

	if (have(d, p->index, -1))
		return 0;
	if (p->count > 254)
		return -ENOSPC;
	if ((acc & SIM_ACC_WRITE) && room < CONFIG_ENTRIES)
		room = CONFIG_ENTRIES;
	ret = add_value(d, p->index, 0, 9, T_U8, acc, p->count, p->name,
			p->name);
	for (i = 0; i < room && !ret; i++) {
		const struct sim_pdo_entry *e = &d->entry[p->first + i];
		u32 v = i < p->count ? (u32)e->index << 16 |
				       (u32)e->sub << 8 | e->bits : 0;

		ret = add_value(d, p->index, (u8)(i + 1), 9, T_U32, acc, v,
				p->name, "Mapping");
	}
	return ret;
}

/* What a PDO carries has a place in the dictionary, with or without CoE. */
static int add_mapped(struct sim_desc *d, const struct sim_pdo *p)
{
	u16 acc = p->rx ? SIM_ACC_READ | SIM_ACC_WRITE | SIM_ACC_RXPDO :
			  SIM_ACC_READ | SIM_ACC_TXPDO;
	int i, ret;

	for (i = p->first; i < p->first + p->count; i++) {
		const struct sim_pdo_entry *e = &d->entry[i];

		if (!e->index || have(d, e->index, e->sub))
			continue;
		ret = sim_od_add(d, e->index, e->sub, e->sub ? 9 : 7, e->type,
				 e->bits, acc, p->name, e->name);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int add_coe_objects(struct sim_desc *d)
{
	int i, ret = add_identity(d);

	if (!ret)
		ret = add_sm_types(d);
	for (i = 0; i < d->nsm && !ret; i++)
		if (d->sm[i].type >= SIM_SM_OUT)
			ret = add_assignment(d, (u8)i);
	for (i = 0; i < d->npdo && !ret; i++)
		ret = add_mapping(d, &d->pdo[i]);
	return ret;
}

/* Every array and record has its highest sub-index in sub-index 0. */
static int add_sub0(struct sim_desc *d)
{
	unsigned int i, k, n = d->nod;
	int ret;

	for (i = 0; i < n; i++) {
		struct sim_od *o = &d->od[i];
		u8 max = 0;

		if (o->code == 7 || have(d, o->index, 0))
			continue;
		for (k = 0; k < n; k++)
			if (d->od[k].index == o->index && d->od[k].sub > max)
				max = d->od[k].sub;
		ret = add_value(d, o->index, 0, o->code, T_U8, SIM_ACC_READ,
				max, o->object, o->object);
		if (ret)
			return ret;
	}
	return 0;
}

/* Shell sort: no stack, no library, a few thousand entries at most. */
static void sort(struct sim_desc *d)
{
	int gap, i, k;

	for (gap = d->nod / 2; gap; gap /= 2)
		for (i = gap; i < d->nod; i++) {
			struct sim_od o = d->od[i];

			for (k = i; k >= gap && order(&d->od[k - gap]) > order(&o);
			     k -= gap)
				d->od[k] = d->od[k - gap];
			d->od[k] = o;
		}
}

/**
 * sim_od_finish - add what follows from the rest, and sort
 * @d: a description whose text has been read
 *
 * Return: 0, -ENOSPC, or -EEXIST when an entry is there twice.
 */
int sim_od_finish(struct sim_desc *d)
{
	int i, ret = 0;

	for (i = 0; i < d->npdo && !ret; i++)
		ret = add_mapped(d, &d->pdo[i]);
	if (!ret && (d->proto & SIM_PROTO_COE))
		ret = add_coe_objects(d);
	if (!ret)
		ret = add_sub0(d);
	if (ret)
		return ret;
	sort(d);
	for (i = 1; i < d->nod; i++)
		if (order(&d->od[i]) == order(&d->od[i - 1]))
			return -EEXIST;
	return 0;
}
