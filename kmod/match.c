// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/limits.h>
#include "match.h"

/* details of KECAT_PROBLEM_IDENTITY */
#define FIELD_VENDOR	1
#define FIELD_PRODUCT	2
#define FIELD_REVISION	3
#define FIELD_SERIAL	4

/**
 * kecat_match_identity - is this the device that was configured?
 * @c:  what was
 * @id: what is there; one that could not be read fits only an element that
 *      asks for nothing
 *
 * Return: 0 or the first field that differs, see KECAT_PROBLEM_IDENTITY.
 */
u32 kecat_match_identity(const struct kecat_cfg_slave *c,
			 const struct kecat_ident *id)
{
	if (c->vendor && (!id->valid || c->vendor != id->vendor))
		return FIELD_VENDOR;
	if (c->product && (!id->valid || c->product != id->product))
		return FIELD_PRODUCT;
	if ((c->flags & KECAT_CFGS_REVISION) &&
	    (!id->valid || c->revision != id->revision))
		return FIELD_REVISION;
	if ((c->flags & KECAT_CFGS_SERIAL) &&
	    (!id->valid || c->serial != id->serial))
		return FIELD_SERIAL;
	return 0;
}

static s32 holder(const struct kecat_mslave *s, u32 n, s32 elem)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (s[i].elem == elem)
			return i;
	return -1;
}

/* 0, or -ENOTUNIQ when the slave is taken */
static int assign(const struct kecat_cfg *cfg, struct kecat_mslave *s, s32 elem)
{
	u32 field;

	if (s->elem >= 0)
		return -ENOTUNIQ;
	field = kecat_match_identity(&cfg->slave[elem].c, &s->ident);
	if (field) {
		s->problem = KECAT_PROBLEM_IDENTITY;
		s->detail = field;
		return 0;
	}
	s->elem = elem;
	return 0;
}

static int by_alias(const struct kecat_cfg *cfg, struct kecat_mslave *s, u32 n)
{
	u32 i, k;
	int err = 0;

	for (i = 0; i < cfg->slaves; i++) {
		const struct kecat_cfg_slave *c = &cfg->slave[i].c;

		if (!(c->flags & KECAT_CFGS_ALIAS) || !c->alias ||
		    holder(s, n, i) >= 0)
			continue;
		for (k = 0; k < n; k++)
			if (s[k].scanned && s[k].alias == c->alias)
				break;
		if (c->position >= n - k || !s[k + c->position].scanned)
			continue;
		if (assign(cfg, &s[k + c->position], i))
			err = -ENOTUNIQ;
	}
	return err;
}

/* elements with a position of their own, in its order; -1: that was the last */
static s32 next_element(const struct kecat_cfg *cfg, s32 last)
{
	u32 i, from = last < 0 ? 0 : cfg->slave[last].c.position;
	s32 best = -1;

	for (i = 0; i < cfg->slaves; i++) {
		const struct kecat_cfg_slave *c = &cfg->slave[i].c;

		if (c->flags & KECAT_CFGS_ALIAS)
			continue;
		if (c->position < from ||
		    (c->position == from && (s32)i <= last))
			continue;
		if (best < 0 || c->position < cfg->slave[best].c.position)
			best = i;
	}
	return best;
}

/*
 * @shift: how far slaves stand from their configured positions: optional ones
 * are absent, or devices were inserted while others kept their element.
 */
static int by_position(const struct kecat_cfg *cfg, struct kecat_mslave *s, u32 n)
{
	s64 shift = 0, at;
	s32 e, held;
	int err = 0;

	for (e = next_element(cfg, -1); e >= 0; e = next_element(cfg, e)) {
		const struct kecat_cfg_slave *c = &cfg->slave[e].c;
		bool optional = c->flags & KECAT_CFGS_OPTIONAL;

		held = holder(s, n, e);
		if (held >= 0) {
			shift = (s64)held - c->position;
			continue;
		}
		at = c->position + shift;
		if (at < 0 || at >= n)
			continue;
		if (!s[at].scanned) {
			/* whether it is absent decides about all behind it */
			if (optional)
				break;
			continue;
		}
		if (optional && kecat_match_identity(c, &s[at].ident)) {
			shift--;
			continue;
		}
		if (assign(cfg, &s[at], e))
			err = -ENOTUNIQ;
	}
	return err;
}

/**
 * kecat_match - find the slave of each element
 * @cfg: configuration, or NULL
 * @s:   slaves, with the elements that they are to keep
 * @n:   their number
 *
 * Elements with an alias first, then by position.  An optional one whose place
 * is taken by another device is absent, and those behind it stand one place
 * nearer.
 * Return: 0 or -ENOTUNIQ: two elements for one slave; the first has it.
 */
int kecat_match(const struct kecat_cfg *cfg, struct kecat_mslave *s, u32 n)
{
	int err, err2;
	u32 i;

	for (i = 0; i < n; i++) {
		if (!cfg || s[i].elem >= (s32)cfg->slaves)
			s[i].elem = -1;
		s[i].problem = KECAT_PROBLEM_NONE;
		s[i].detail = 0;
	}
	if (!cfg)
		return 0;
	err = by_alias(cfg, s, n);
	err2 = by_position(cfg, s, n);
	for (i = 0; i < n; i++) {
		if (s[i].elem >= 0)
			s[i].problem = KECAT_PROBLEM_NONE;
		else if (s[i].scanned && !s[i].problem)
			s[i].problem = KECAT_PROBLEM_UNCONFIGURED;
	}
	return err ? err : err2;
}
