// SPDX-License-Identifier: GPL-2.0-only
/*
 * PDO assignment and mapping by CoE.  A slave says no to what it has fixed;
 * that is only a failure when it differs from what is wanted.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include "coe.h"
#include "pdo.h"
#include "slave.h"
#include "proto/ecat.h"

#define OBJ_SM_TYPES	0x1c00
#define OBJ_ASSIGN	0x1c10	/* + sync manager */
#define SM_OUTPUTS	3	/* types in the SII and in 0x1c00 */
#define SM_INPUTS	4
#define COUNT_MAX	254

struct reader {
	struct kecat_slave *s;
	struct kecat_pdo_entry *entry;
	u32 max;
	u32 n;
	u32 looked;	/* entries asked for, bounds what a liar can cost */
	bool any;	/* an assignment object was there */
};

struct writer {
	struct kecat_slave *s;
	const struct kecat_cfg *cfg;
	u16 index;	/* object being written */
	u8 subindex;
	u32 *abort;
};

/* An unsigned object of any size up to 4 bytes, of which @least are there. */
static int get(struct kecat_slave *s, u16 index, u8 subindex, u32 least,
	       u32 *value)
{
	u8 raw[4] = { 0 };
	u32 len, abort;
	int ret;

	ret = kecat_coe_upload(s, index, subindex, 0, raw, sizeof(raw), &len,
			       &abort, 0);
	if (ret)
		return ret == -ENOSPC ? -EPROTO : ret;
	if (len < least)
		return -EPROTO;
	*value = raw[0] | raw[1] << 8 | raw[2] << 16 | (u32)raw[3] << 24;
	return 0;
}

static int get_count(struct kecat_slave *s, u16 index, u32 *count)
{
	int ret = get(s, index, 0, 1, count);

	*count = ret ? 0 : min_t(u32, *count & 0xff, COUNT_MAX);
	return ret;
}

/* Direction of sync manager @i as the SII has it, or -1: no process data. */
static int dir_by_sii(const struct kecat_sii_info *sii, unsigned int i)
{
	const struct kecat_sii_sm *sm = &sii->sm[i];

	if (sm->type == SM_OUTPUTS)
		return KECAT_DIR_OUT;
	if (sm->type == SM_INPUTS)
		return KECAT_DIR_IN;
	/* older images leave the type 0 and say it in the control byte */
	if (sm->type || !sm->control ||
	    (sm->control & EC_SM_MODE_MASK) != EC_SM_MODE_BUFFERED)
		return -1;
	return sm->control & EC_SM_DIR_WRITE ? KECAT_DIR_OUT : KECAT_DIR_IN;
}

static int dir_by_coe(struct kecat_slave *s, unsigned int i)
{
	u32 type;

	if (get(s, OBJ_SM_TYPES, i + 1, 1, &type))
		return -1;
	type &= 0xff;
	if (type == SM_OUTPUTS)
		return KECAT_DIR_OUT;
	return type == SM_INPUTS ? KECAT_DIR_IN : -1;
}

/*
 * Sync managers with process data.  The SII is believed: 0x1c00 is wrong in
 * some devices, and asked only where the SII lists no sync manager.
 */
static int find_dirs(struct kecat_slave *s, s8 *dir)
{
	bool by_sii = s->sii.nsms > 0;
	u32 count = s->sii.nsms, i;
	int ret;

	memset(dir, -1, KECAT_SII_MAX_SMS);
	if (!by_sii) {
		ret = get_count(s, OBJ_SM_TYPES, &count);
		if (ret && ret != -EREMOTEIO)
			return ret;
	}
	count = min_t(u32, count, KECAT_SII_MAX_SMS);
	for (i = 0; i < count; i++)
		dir[i] = by_sii ? dir_by_sii(&s->sii, i) : dir_by_coe(s, i);
	if (!count) {
		dir[2] = KECAT_DIR_OUT;
		dir[3] = KECAT_DIR_IN;
	}
	return 0;
}

static int add(struct reader *r, const struct kecat_pdo_entry *e)
{
	if (r->n == r->max)
		return -ENOSPC;
	r->entry[r->n++] = *e;
	return 0;
}

static int read_entries(struct reader *r, struct kecat_pdo_entry *e, u32 count)
{
	u32 value, i;
	int ret;

	for (i = 1; i <= count; i++) {
		if (r->looked++ >= r->max)
			return -ENOSPC;
		ret = get(r->s, e->pdo, i, 4, &value);
		if (ret)
			return ret;
		e->index = value >> 16;
		e->subindex = value >> 8;
		e->bits = value;
		ret = e->bits ? add(r, e) : 0;
		if (ret)
			return ret;
	}
	return 0;
}

static int read_pdo(struct reader *r, u8 sm, u8 dir, u16 pdo)
{
	struct kecat_pdo_entry e;
	u32 before = r->n, count;
	int ret;

	memset(&e, 0, sizeof(e));
	e.sm = sm;
	e.dir = dir;
	e.pdo = pdo;
	ret = get_count(r->s, pdo, &count);
	if (!ret)
		ret = read_entries(r, &e, count);
	/* refused: the user has to give the entries, the PDO is known */
	if (ret && ret != -EREMOTEIO)
		return ret;
	if (r->n > before)
		return 0;
	e.index = 0;
	e.subindex = 0;
	e.bits = 0;
	return add(r, &e);
}

static int read_sm(struct reader *r, u8 sm, u8 dir)
{
	u32 count, pdo, i;
	int ret;

	ret = get_count(r->s, OBJ_ASSIGN + sm, &count);
	if (ret)
		return ret == -EREMOTEIO ? 0 : ret;
	r->any = true;
	for (i = 1; i <= count; i++) {
		ret = get(r->s, OBJ_ASSIGN + sm, i, 2, &pdo);
		if (ret == -EREMOTEIO)
			return 0;
		pdo &= 0xffff;
		/* 0x0000 stands for no PDO at all */
		if (!ret && pdo)
			ret = read_pdo(r, sm, dir, pdo);
		if (ret)
			return ret;
	}
	return 0;
}

static bool same_entry(const struct kecat_pdo_entry *a,
		       const struct kecat_pdo_entry *b)
{
	return a->pdo == b->pdo && a->index == b->index &&
	       a->subindex == b->subindex;
}

/* Objects have no names here; those of the SII fit where it lists the same. */
static void borrow_names(struct reader *r)
{
	struct kecat_slave *s = r->s;
	u32 i, k;

	mutex_lock(&s->lock);
	for (i = 0; i < r->n; i++) {
		struct kecat_pdo_entry *e = &r->entry[i];

		/* most often at the same place */
		k = i < s->npdos && same_entry(e, &s->pdos[i]) ? i : 0;
		while (k < s->npdos && !same_entry(e, &s->pdos[k]))
			k++;
		if (e->index && k < s->npdos)
			memcpy(e->name, s->pdos[k].name, sizeof(e->name));
	}
	mutex_unlock(&s->lock);
}

/**
 * kecat_pdo_read - read PDO assignment and mapping
 * @s:     slave, its mailbox is ready
 * @entry: out
 * @max:   room
 * @n:     out: elements
 */
int kecat_pdo_read(struct kecat_slave *s, struct kecat_pdo_entry *entry,
		   u32 max, u32 *n)
{
	struct reader r = { .s = s, .entry = entry, .max = max };
	s8 dir[KECAT_SII_MAX_SMS];
	unsigned int i;
	int ret;

	ret = find_dirs(s, dir);
	for (i = 0; !ret && i < KECAT_SII_MAX_SMS; i++)
		if (dir[i] >= 0)
			ret = read_sm(&r, i, dir[i]);
	borrow_names(&r);
	*n = r.n;
	if (ret)
		return ret;
	return r.any ? 0 : -ENOENT;
}

static int put(struct writer *w, u16 index, u8 subindex, u32 value,
	       unsigned int bytes)
{
	u8 raw[4] = { value, value >> 8, value >> 16, value >> 24 };

	w->index = index;
	w->subindex = subindex;
	return kecat_coe_download(w->s, index, subindex, 0, raw, bytes,
				  w->abort, 0);
}

/* What subindex @i of a PDO or an assignment has to be, by its maker. */
struct wanted {
	u16 object;
	unsigned int bytes;	/* of an element */
	u32 count;
	const struct kecat_cfg_entry *entry;	/* a mapping .. */
	const struct kecat_pcfg *pdo;		/* .. or an assignment */
};

static u32 element(const struct wanted *want, u32 i)
{
	if (want->pdo)
		return want->pdo[i].index;
	return (u32)want->entry[i].index << 16 | want->entry[i].subindex << 8 |
	       want->entry[i].bits;
}

/* The slave has it already: then it may be fixed. */
static bool is_so(struct writer *w, const struct wanted *want)
{
	u32 value, i;

	if (get_count(w->s, want->object, &value) || value != want->count)
		return false;
	for (i = 0; i < want->count; i++)
		if (get(w->s, want->object, i + 1, want->bytes, &value) ||
		    value != element(want, i))
			return false;
	return true;
}

/* Sub-index 0 to 0: the slave takes changes only then.  1: fixed, and right. */
static int clear(struct writer *w, const struct wanted *want)
{
	int ret = put(w, want->object, 0, 0, 1);

	if (ret != -EREMOTEIO || !is_so(w, want))
		return ret;
	*w->abort = 0;
	return 1;
}

static int fill(struct writer *w, const struct wanted *want)
{
	u32 i;
	int ret = 0;

	for (i = 0; !ret && i < want->count; i++)
		ret = put(w, want->object, i + 1, element(want, i), want->bytes);
	if (!ret && want->count)
		ret = put(w, want->object, 0, want->count, 1);
	return ret;
}

static int write_mapping(struct writer *w, const struct kecat_pcfg *p)
{
	struct wanted want = {
		.object = p->index,
		.bytes = 4,
		.count = p->entries,
		.entry = w->cfg->entries + p->first_entry,
	};
	int ret;

	if (want.count > COUNT_MAX)
		return -EINVAL;
	ret = clear(w, &want);
	if (ret)
		return ret < 0 ? ret : 0;
	return fill(w, &want);
}

static int write_mappings(struct writer *w, const struct kecat_smcfg *sm)
{
	u32 i;
	int ret;

	for (i = 0; i < sm->pdos; i++) {
		const struct kecat_pcfg *p = &w->cfg->pdos[sm->first_pdo + i];

		w->index = p->index;
		w->subindex = 0;
		ret = p->entries ? write_mapping(w, p) : 0;
		if (ret)
			return ret;
	}
	return 0;
}

static struct wanted wanted_assignment(const struct writer *w,
				       const struct kecat_smcfg *sm)
{
	return (struct wanted){
		.object = OBJ_ASSIGN + sm->c.index,
		.bytes = 2,
		.count = sm->pdos,
		.pdo = w->cfg->pdos + sm->first_pdo,
	};
}

/*
 * One sync manager: an assignment is emptied before the PDOs in it are mapped,
 * and filled after that.
 */
static int write_sm(struct writer *w, const struct kecat_smcfg *sm, u32 flags)
{
	struct wanted want = wanted_assignment(w, sm);
	int fixed = 0, ret = 0;

	if (want.count > COUNT_MAX)
		return -EINVAL;
	if (flags & KECAT_CFGS_ASSIGN) {
		fixed = clear(w, &want);
		if (fixed < 0)
			return fixed;
	}
	if (flags & KECAT_CFGS_MAPPING)
		ret = write_mappings(w, sm);
	if (!ret && flags & KECAT_CFGS_ASSIGN && !fixed)
		ret = fill(w, &want);
	return ret;
}

/**
 * kecat_pdo_write - write PDO assignment and mapping
 * @s:      slave in PREOP, its mailbox is ready
 * @cfg:    configuration
 * @sc:     element of @s in it
 * @detail: out: object that was not written, see pdo.h
 * @abort:  out: abort code with -EREMOTEIO
 */
int kecat_pdo_write(struct kecat_slave *s, const struct kecat_cfg *cfg,
		    const struct kecat_scfg *sc, u32 *detail, u32 *abort)
{
	struct writer w = { .s = s, .cfg = cfg, .abort = abort };
	unsigned int i;
	int ret = 0;

	*detail = 0;
	*abort = 0;
	for (i = 0; !ret && i < sc->sms; i++)
		ret = write_sm(&w, &sc->sm[i], sc->c.flags);
	if (ret)
		*detail = (u32)w.index << 16 | w.subindex;
	return ret;
}
