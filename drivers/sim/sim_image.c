// SPDX-License-Identifier: GPL-2.0-only
/* Process data between the sync managers and the object dictionary. */
#include "sim_device.h"

static bool add(struct sim_slave *s, struct sim_image *im, u32 *bit, u16 index,
		u8 sub, u8 bits)
{
	int i = index ? sim_od_find(s->desc, index, sub) : 0;

	if (index && (i < 0 || s->desc->od[i].bits != bits))
		return false;
	if (index) {
		if (im->count == SIM_ENTRY_MAX)
			return false;
		im->map[im->count++] = (struct sim_map){ *bit, s->desc->od[i].off,
							bits };
	}
	*bit += bits;
	return *bit <= 8 * (u32)SIM_MBX_MAX;
}

/* The mapping as the master configured it, from the dictionary. */
static bool map_object(struct sim_slave *s, struct sim_image *im, u32 *bit,
		       u16 pdo)
{
	const struct sim_desc *d = s->desc;
	int i = sim_od_find(d, pdo, 0);
	u8 k, n;

	if (i < 0)
		return false;
	n = s->store[d->od[i].off];
	for (k = 1; k <= n; k++) {
		u32 v;

		i = sim_od_find(d, pdo, k);
		if (i < 0)
			return false;
		v = sim_get32(s->store + d->od[i].off);
		if (!add(s, im, bit, (u16)(v >> 16), (u8)(v >> 8), (u8)v))
			return false;
	}
	return true;
}

static bool map_assigned(struct sim_slave *s, struct sim_image *im, u32 *bit)
{
	const struct sim_desc *d = s->desc;
	u16 index = (u16)(0x1c10 + im->sm);
	int i = sim_od_find(d, index, 0);
	u8 k, n = i < 0 ? 0 : s->store[d->od[i].off];

	for (k = 1; k <= n; k++) {
		u16 pdo;

		i = sim_od_find(d, index, k);
		if (i < 0)
			return false;
		pdo = sim_get16(s->store + d->od[i].off);
		if (pdo && !map_object(s, im, bit, pdo))
			return false;
	}
	return true;
}

/* The fixed mapping of a device without CoE, from the description. */
static bool map_fixed(struct sim_slave *s, struct sim_image *im, u32 *bit)
{
	const struct sim_desc *d = s->desc;
	int i, k;

	for (i = 0; i < d->npdo; i++) {
		const struct sim_pdo *p = &d->pdo[i];

		if (p->sm != im->sm || !p->assigned)
			continue;
		for (k = p->first; k < p->first + p->count; k++)
			if (!add(s, im, bit, d->entry[k].index, d->entry[k].sub,
				 d->entry[k].bits))
				return false;
	}
	return true;
}

static bool build(struct sim_slave *s, struct sim_image *im)
{
	u32 bit = 0;
	bool ok;

	im->count = 0;
	im->len = 0;
	if (!im->have_sm)
		return true;
	if (s->desc->proto & SIM_PROTO_COE)
		ok = map_assigned(s, im, &bit);
	else
		ok = map_fixed(s, im, &bit);
	im->len = (u16)((bit + 7) / 8);
	return ok && im->len <= SIM_MBX_MAX;
}

/**
 * sim_image_build - what the images consist of now
 * @s: slave
 *
 * Return: 0 or an AL status code.
 */
u16 sim_image_build(struct sim_slave *s)
{
	if (!build(s, &s->out))
		return AL_OUT_MAPPING;
	return build(s, &s->in) ? 0 : AL_IN_MAPPING;
}

static void bits_copy(u8 *to, u32 tb, const u8 *from, u32 fb, u32 n)
{
	for (; n; n--, tb++, fb++) {
		u8 m = (u8)BIT(tb % 8);

		if (from[fb / 8] & BIT(fb % 8))
			to[tb / 8] |= m;
		else
			to[tb / 8] &= ~m;
	}
}

static void unpack(struct sim_slave *s)
{
	const struct sim_map *m = s->out.map, *end = m + s->out.count;

	for (; m < end; m++) {
		if (!(m->bit % 8) && !(m->bits % 8))
			memcpy(s->store + m->off, s->out.buf + m->bit / 8,
			       m->bits / 8);
		else
			bits_copy(s->store + m->off, 0, s->out.buf, m->bit,
				  m->bits);
	}
}

static void pack(struct sim_slave *s)
{
	const struct sim_map *m = s->in.map, *end = m + s->in.count;

	for (; m < end; m++) {
		if (!(m->bit % 8) && !(m->bits % 8))
			memcpy(s->in.buf + m->bit / 8, s->store + m->off,
			       m->bits / 8);
		else
			bits_copy(s->in.buf, m->bit, s->store + m->off, 0,
				  m->bits);
	}
}

u64 sim_value(const u8 *store, const struct sim_map *m)
{
	u64 v = 0;
	u32 i, n = sim_min((m->bits + 7u) / 8, 8);

	for (i = 0; i < n; i++)
		v |= (u64)store[m->off + i] << (8 * i);
	return v;
}

static void put_value(u8 *store, const struct sim_map *m, u64 v)
{
	u32 i, n = sim_min((m->bits + 7u) / 8, 8);

	if (m->bits < 64)
		v &= ((u64)1 << m->bits) - 1;
	for (i = 0; i < n; i++)
		store[m->off + i] = (u8)(v >> (8 * i));
}

/* Entry k of one image drives entry k of the other, as far as both go. */
static void copy_entries(u8 *to, const struct sim_image *ti, const u8 *from,
			 const struct sim_image *fi)
{
	u32 i, n = sim_min(ti->count, fi->count);

	for (i = 0; i < n; i++)
		put_value(to, &ti->map[i], sim_value(from, &fi->map[i]));
}

/**
 * sim_image_copy - a wire from the outputs of one slave to inputs of another
 * @to:   slave with inputs
 * @from: slave with outputs
 */
void sim_image_copy(struct sim_slave *to, const struct sim_slave *from)
{
	copy_entries(to->store, &to->in, from->store, &from->out);
}

static void ramp(struct sim_slave *s)
{
	u16 i;

	for (i = 0; i < s->in.count; i++) {
		const struct sim_map *m = &s->in.map[i];

		if (m->bits >= 16)
			put_value(s->store, m, (u64)s->ms * (i + 1u));
	}
}

static void run_app(struct sim_slave *s, u64 now)
{
	bool step = now >= s->next_app;

	if (step) {
		s->ms++;
		s->next_app = now + SIM_TICK_NS;
	}
	switch (s->desc->app) {
	case SIM_APP_LOOP:
		copy_entries(s->store, &s->in, s->store, &s->out);
		break;
	case SIM_APP_RAMP:
		if (step)
			ramp(s);
		break;
	case SIM_APP_CIA402:
		sim_drive_tick(s, step ? SIM_TICK_NS / 1000 : 0);
		break;
	}
}

/**
 * sim_image_inputs - offer the present inputs to the master
 * @s: slave
 */
void sim_image_inputs(struct sim_slave *s)
{
	u16 start;

	if (!s->in.len)
		return;
	pack(s);
	if (esc_pdi_sm_write(&s->esc, s->in.sm, s->in.buf, s->in.len))
		return;
	/* a digital input drives its RAM even while no channel covers it */
	start = s->desc->sm[s->in.sm].start;
	if ((s->esc.mem[ESC_R_ESC_CONF] & ESC_CONF_EMULATION) &&
	    start >= ESC_R_RAM && (u32)start + s->in.len <= s->esc.mem_size)
		memcpy(s->esc.mem + start, s->in.buf, s->in.len);
}

static void fetch_outputs(struct sim_slave *s)
{
	if (s->out.have_sm && s->out.len &&
	    esc_pdi_sm_read(&s->esc, s->out.sm, s->out.buf, s->out.len))
		s->out_seen = true;
}

/* Outputs act in OP only, and not after the watchdog has expired. */
static bool outputs_live(const struct sim_slave *s)
{
	const u8 *r = s->esc.mem + ESC_R_SM + 8 * s->out.sm;

	if (sim_al_state(s) != ESC_OP || !s->out_seen)
		return false;
	return !(r[ESC_SM_CTRL] & ESC_SM_WD) || !s->esc.wd_expired;
}

/**
 * sim_image_tick - move process data
 * @s:   slave
 * @now: time
 *
 * Return: true if outputs changed hands, so that wires have to follow.
 */
bool sim_image_tick(struct sim_slave *s, u64 now)
{
	u32 out_ev = ESC_EV_SM(s->out.sm), in_ev = ESC_EV_SM(s->in.sm);
	bool emu = s->esc.mem[ESC_R_ESC_CONF] & ESC_CONF_EMULATION;
	bool fresh = s->out.have_sm && (s->esc.events & out_ev);
	bool read = s->in.have_sm && (s->esc.events & in_ev);
	bool live;

	if (sim_al_state(s) < ESC_SAFEOP && !emu)
		return false;
	if (fresh)
		fetch_outputs(s);
	live = outputs_live(s);
	if (live && (fresh || !s->out_live))
		unpack(s);
	if (!live && s->out_live && s->out.len) {
		memset(s->out.buf, 0, s->out.len);
		unpack(s);
	}
	fresh |= live != s->out_live;
	s->out_live = live;
	if (fresh || read || now >= s->next_app) {
		run_app(s, now);
		sim_image_inputs(s);
	}
	if (s->out.have_sm)
		s->esc.events &= ~out_ev;
	if (s->in.have_sm)
		s->esc.events &= ~in_ev;
	return fresh;
}
