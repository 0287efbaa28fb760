// SPDX-License-Identifier: GPL-2.0-only
/* An EEPROM image made from a description. */
#include "sim_desc.h"

#define STRINGS_MAX	255

enum {
	CAT_STRINGS = 10, CAT_GENERAL = 30, CAT_FMMU = 40, CAT_SM = 41,
	CAT_TXPDO = 50, CAT_RXPDO = 51, CAT_DC = 60,
};

struct out {
	u8 *p;
	u32 pos, size;
	bool full;
	const char *str[STRINGS_MAX];
	u8 nstr;
	u32 cat;	/* where the open category begins */
};

static void put(struct out *o, u64 v, unsigned int bytes)
{
	unsigned int i;

	if (o->pos + bytes > o->size) {
		o->full = true;
		return;
	}
	for (i = 0; i < bytes; i++)
		o->p[o->pos++] = (u8)(v >> (8 * i));
}

static void begin(struct out *o, u16 type)
{
	o->cat = o->pos;
	put(o, type, 2);
	put(o, 0, 2);
}

static void end(struct out *o)
{
	if (o->pos & 1)
		put(o, 0, 1);
	if (!o->full)
		sim_put16(o->p + o->cat + 2, (u16)((o->pos - o->cat) / 2 - 2));
}

/* Number of a string; 0 stands for none. */
static u8 string(struct out *o, const char *s)
{
	u8 i;

	if (!s || !*s)
		return 0;
	for (i = 0; i < o->nstr; i++)
		if (!strcmp(o->str[i], s))
			return (u8)(i + 1);
	if (o->nstr == STRINGS_MAX)
		return 0;
	o->str[o->nstr++] = s;
	return o->nstr;
}

static void collect_strings(struct out *o, const struct sim_desc *d)
{
	int i;

	string(o, d->group);
	string(o, d->group_name);
	string(o, d->order);
	string(o, d->name);
	for (i = 0; i < d->npdo; i++)
		string(o, d->pdo[i].name);
	for (i = 0; i < d->nentry; i++)
		string(o, d->entry[i].name);
	for (i = 0; i < d->ndcmode; i++)
		string(o, d->dcmode[i].name);
}

static void put_strings(struct out *o)
{
	u8 i;

	begin(o, CAT_STRINGS);
	put(o, o->nstr, 1);
	for (i = 0; i < o->nstr; i++) {
		u32 n = sim_min((u32)strlen(o->str[i]), 255), k;

		put(o, n, 1);
		for (k = 0; k < n; k++)
			put(o, (u8)o->str[i][k], 1);
	}
	end(o);
}

static void put_general(struct out *o, const struct sim_desc *d)
{
	begin(o, CAT_GENERAL);
	put(o, string(o, d->group), 1);
	put(o, 0, 1);
	put(o, string(o, d->order), 1);
	put(o, string(o, d->name), 1);
	put(o, 0, 1);
	put(o, d->coe, 1);
	put(o, !!(d->proto & SIM_PROTO_FOE), 1);
	put(o, !!(d->proto & SIM_PROTO_EOE), 1);
	put(o, 0, 3);
	put(o, d->flags, 1);
	put(o, (u16)d->current_ma, 2);
	put(o, string(o, d->group_name), 1);
	put(o, 0, 1);
	put(o, d->phys, 2);
	put(o, 0, 8);
	put(o, 0, 6);
	end(o);
}

static void put_fmmus(struct out *o, const struct sim_desc *d)
{
	u8 i;

	if (!d->nfmmu)
		return;
	begin(o, CAT_FMMU);
	for (i = 0; i < d->nfmmu; i++)
		put(o, d->fmmu[i], 1);
	if (d->nfmmu & 1)
		put(o, 0xff, 1);
	end(o);
}

static void put_sms(struct out *o, const struct sim_desc *d)
{
	u8 i;

	if (!d->nsm)
		return;
	begin(o, CAT_SM);
	for (i = 0; i < d->nsm; i++) {
		const struct sim_desc_sm *s = &d->sm[i];

		put(o, s->start, 2);
		put(o, s->len, 2);
		put(o, s->ctrl, 1);
		put(o, 0, 1);
		put(o, s->enable, 1);
		put(o, s->type, 1);
	}
	end(o);
}

static void put_pdos(struct out *o, const struct sim_desc *d, bool rx)
{
	bool any = false;
	int i, k;

	for (i = 0; i < d->npdo; i++) {
		const struct sim_pdo *p = &d->pdo[i];

		if (p->rx != rx)
			continue;
		if (!any)
			begin(o, rx ? CAT_RXPDO : CAT_TXPDO);
		any = true;
		put(o, p->index, 2);
		put(o, p->count, 1);
		put(o, p->assigned ? p->sm : 0xff, 1);
		put(o, 0, 1);
		put(o, string(o, p->name), 1);
		put(o, p->flags, 2);
		for (k = p->first; k < p->first + p->count; k++) {
			const struct sim_pdo_entry *e = &d->entry[k];

			put(o, e->index, 2);
			put(o, e->sub, 1);
			put(o, string(o, e->name), 1);
			put(o, e->type, 1);
			put(o, e->bits, 1);
			put(o, 0, 2);
		}
	}
	if (any)
		end(o);
}

static void put_dc(struct out *o, const struct sim_desc *d)
{
	int i;

	if (!d->ndcmode)
		return;
	begin(o, CAT_DC);
	for (i = 0; i < d->ndcmode; i++) {
		const struct sim_dcmode *m = &d->dcmode[i];

		put(o, m->cycle0, 4);
		put(o, (u32)m->shift0, 4);
		put(o, (u32)m->shift1, 4);
		put(o, (u16)m->cycle1_factor, 2);
		put(o, m->assign, 2);
		put(o, (u16)m->cycle0_factor, 2);
		put(o, string(o, m->name), 1);
		put(o, 0, 1);
		put(o, 0, 4);
	}
	end(o);
}

static void put_head(struct out *o, const struct sim_desc *d)
{
	u8 *p = o->p;
	int i;

	for (i = 0; i < 4; i++)
		sim_put16(p + 2 * i, d->conf[i]);
	sim_put16(p + 14, esc_sii_crc(p));
	sim_put32(p + 16, d->vendor);
	sim_put32(p + 20, d->product);
	sim_put32(p + 24, d->revision);
	sim_put32(p + 28, d->serial);
	sim_put16(p + 0x28, d->boot_rx);
	sim_put16(p + 0x2a, d->boot_rx_len);
	sim_put16(p + 0x2c, d->boot_tx);
	sim_put16(p + 0x2e, d->boot_tx_len);
	sim_put16(p + 0x30, d->mbx_rx);
	sim_put16(p + 0x32, d->mbx_rx_len);
	sim_put16(p + 0x34, d->mbx_tx);
	sim_put16(p + 0x36, d->mbx_tx_len);
	sim_put16(p + 0x38, d->proto);
	sim_put16(p + 0x7c, (u16)(d->sii_kbit - 1));
	sim_put16(p + 0x7e, 1);
	o->pos = 0x80;
}

/**
 * sim_sii_generate - fill in the EEPROM image of a description
 * @d: finished description
 *
 * Return: 0, -EINVAL for an impossible size, -ENOSPC when the content does not
 * fit into it, -ENOMEM.
 */
int sim_sii_generate(struct sim_desc *d)
{
	struct out *o;
	int ret = 0;

	if (d->sii_kbit < 1 || d->sii_kbit > 512)
		return -EINVAL;
	o = sim_zalloc(sizeof(*o));
	d->sii_size = d->sii_kbit * 128;
	d->sii = sim_zalloc(d->sii_size);
	if (!o || !d->sii) {
		ret = -ENOMEM;
		goto out_free;
	}
	o->p = d->sii;
	o->size = d->sii_size;
	put_head(o, d);
	collect_strings(o, d);
	put_strings(o);
	put_general(o, d);
	put_fmmus(o, d);
	put_sms(o, d);
	put_pdos(o, d, false);
	put_pdos(o, d, true);
	put_dc(o, d);
	put(o, 0xffff, 2);
	if (o->full)
		ret = -ENOSPC;
	else
		memset(o->p + o->pos, 0xff, o->size - o->pos);
out_free:
	sim_free(o);
	return ret;
}
