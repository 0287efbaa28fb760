// SPDX-License-Identifier: GPL-2.0-only
/* Faults and process signals, as commands in text. */
#include "segment.h"

struct cmd {
	struct sim_segment *seg;
	struct sim_slave *s;	/* NULL: the segment as a whole */
	u16 pos;
	u64 now;
	char **w;		/* words behind the verb */
	int n;
	char *answer;
	size_t room;
};

static int number(const struct cmd *c, int i, u32 max, u32 *v)
{
	if (i >= c->n || sim_number_u32(c->w[i], v) || *v > max)
		return -EINVAL;
	return 0;
}

static bool is(const struct cmd *c, int i, const char *word)
{
	return i < c->n && !strcmp(c->w[i], word);
}

static int do_power(struct cmd *c)
{
	bool off = is(c, 0, "off"), on = is(c, 0, "on"), cycle = is(c, 0, "cycle");

	if (!off && !on && !cycle)
		return -EINVAL;
	if (off || cycle)
		sim_slave_power(c->s, false, c->now);
	sim_segment_relink(c->seg);
	if (on || cycle)
		sim_slave_power(c->s, true, c->now);
	sim_segment_relink(c->seg);
	return 0;
}

static struct sim_peer *other_end(struct sim_segment *seg,
				  const struct sim_peer *p)
{
	if (p->slave >= SIM_PEER_NIC0)
		return &seg->nic[p->slave - SIM_PEER_NIC0];
	return &seg->slave[p->slave].peer[p->port];
}

static int plug(struct cmd *c, bool pulled)
{
	struct sim_peer *p;
	u32 port;

	if (number(c, 0, c->s ? ESC_PORTS - 1 : 1, &port))
		return -EINVAL;
	p = c->s ? &c->s->peer[port] : &c->seg->nic[port];
	if (!p->used)
		return -ENOENT;
	p->unplugged = pulled;
	other_end(c->seg, p)->unplugged = pulled;
	sim_segment_relink(c->seg);
	return 0;
}

static int do_unplug(struct cmd *c)
{
	return plug(c, true);
}

static int do_plug(struct cmd *c)
{
	return plug(c, false);
}

static void keep_image(struct sim_slave *s)
{
	memcpy(s->sii_saved, s->esc.sii.image, s->esc.sii.size);
}

static int do_identity(struct cmd *c)
{
	u8 *image = c->s->esc.sii.image;
	u32 vendor, product;

	if (c->s->esc.sii.size < 32 || number(c, 0, 0xffffffff, &vendor) ||
	    number(c, 1, 0xffffffff, &product))
		return -EINVAL;
	keep_image(c->s);
	sim_put32(image + 16, vendor);
	sim_put32(image + 20, product);
	return 0;
}

static int do_sii(struct cmd *c)
{
	struct esc_sii *sii = &c->s->esc.sii;
	u32 i, off, val, x = 0x12345678;

	if (is(c, 0, "stuck")) {
		sii->stuck = true;
	} else if (is(c, 0, "garbage")) {
		keep_image(c->s);
		for (i = 0; i < sii->size; i++) {
			x = x * 1664525 + 1013904223;
			sii->image[i] = (u8)(x >> 24);
		}
	} else if (is(c, 0, "erased")) {
		keep_image(c->s);
		memset(sii->image, 0xff, sii->size);
	} else if (is(c, 0, "byte") && !number(c, 1, sii->size - 1, &off) &&
		   !number(c, 2, 0xff, &val)) {
		sii->image[off] = (u8)val;
	} else if (is(c, 0, "restore")) {
		memcpy(sii->image, c->s->desc->sii, sii->size);
		sii->stuck = false;
	} else {
		return -EINVAL;
	}
	return 0;
}

static int do_mbx(struct cmd *c)
{
	if (!is(c, 0, "silent") && !is(c, 0, "ok"))
		return -EINVAL;
	c->s->fault.mbx_silent = is(c, 0, "silent");
	return 0;
}

static int do_al(struct cmd *c)
{
	struct sim_fault *f = &c->s->fault;
	u32 state, code;

	if (is(c, 0, "ignore")) {
		f->al_ignore = true;
	} else if (is(c, 0, "ok")) {
		f->al_ignore = false;
		f->al_refuse = 0;
	} else if (is(c, 0, "refuse") && !number(c, 1, 15, &state) &&
		   !number(c, 2, 0xffff, &code)) {
		f->al_refuse = (u8)state;
		f->al_refuse_code = (u16)code;
	} else if (is(c, 0, "error") && !number(c, 1, 15, &state) &&
		   !number(c, 2, 0xffff, &code)) {
		esc_pdi_al_status(&c->s->esc, (u8)(state | ESC_AL_ERROR),
				  (u16)code);
	} else {
		return -EINVAL;
	}
	return 0;
}

static int do_drop(struct cmd *c)
{
	u32 port;

	if (c->s)
		return number(c, 0, 0xffffffff, &c->s->fault.drop);
	c->seg->drop_from = BIT(0) | BIT(1);
	if (c->n > 1) {
		if (number(c, 1, 1, &port))
			return -EINVAL;
		c->seg->drop_from = BIT(port);
	}
	return number(c, 0, 0xffffffff, &c->seg->drop);
}

static int do_corrupt(struct cmd *c)
{
	return number(c, 0, 0xffffffff,
		      c->s ? &c->s->fault.corrupt : &c->seg->corrupt);
}

static int do_wkc(struct cmd *c)
{
	return number(c, 0, 0xffffffff, &c->s->fault.wkc_skew);
}

static int do_emergency(struct cmd *c)
{
	u32 code, reg = 0;

	if (number(c, 0, 0xffff, &code) || (c->n > 1 && number(c, 1, 0xff, &reg)))
		return -EINVAL;
	return sim_emergency(c->s, (u16)code, (u8)reg);
}

static int do_drift(struct cmd *c)
{
	struct esc *e = &c->s->esc;
	s64 v;

	if (c->n < 1 || sim_number(c->w[0], &v) || v > 1000000 || v < -1000000)
		return -EINVAL;
	e->dc.base_local = esc_dc_local(e, c->now);
	e->dc.base_global = c->now;
	e->dc.drift_ppb = (s32)v;
	return 0;
}

static int do_input(struct cmd *c)
{
	u32 entry, value;

	if (number(c, 0, SIM_ENTRY_MAX, &entry) ||
	    number(c, 1, 0xffffffff, &value))
		return -EINVAL;
	return sim_segment_set_input(c->seg, c->pos, entry, value);
}

static int do_output(struct cmd *c)
{
	u32 entry;
	u64 value;
	int ret;

	if (number(c, 0, SIM_ENTRY_MAX, &entry))
		return -EINVAL;
	ret = sim_segment_get_output(c->seg, c->pos, entry, &value);
	if (!ret)
		snprintf(c->answer, c->room, "%llu", (unsigned long long)value);
	return ret;
}

static int do_status(struct cmd *c)
{
	const struct sim_segment_stats *st = &c->seg->stats;

	if (c->s)
		snprintf(c->answer, c->room,
			 "%s power %d al %#x code %#x station %#x links %#x",
			 c->s->desc->key, c->s->powered,
			 sim_get16(c->s->esc.mem + ESC_R_AL_STATUS),
			 sim_get16(c->s->esc.mem + ESC_R_AL_CODE),
			 sim_get16(c->s->esc.mem + ESC_R_STATION),
			 c->s->esc.links);
	else
		snprintf(c->answer, c->room,
			 "slaves %u frames %llu datagrams %llu vanished %llu ignored %llu",
			 c->seg->count, (unsigned long long)st->frames,
			 (unsigned long long)st->datagrams,
			 (unsigned long long)st->vanished,
			 (unsigned long long)st->ignored);
	return 0;
}

enum { ON_SLAVE = 1, ON_SEGMENT = 2 };

struct verb {
	const char *word;
	u8 where;
	int (*run)(struct cmd *c);
};

static const struct verb verbs[] = {
	{ "power", ON_SLAVE, do_power },
	{ "unplug", ON_SLAVE | ON_SEGMENT, do_unplug },
	{ "plug", ON_SLAVE | ON_SEGMENT, do_plug },
	{ "identity", ON_SLAVE, do_identity },
	{ "sii", ON_SLAVE, do_sii },
	{ "mbx", ON_SLAVE, do_mbx },
	{ "al", ON_SLAVE, do_al },
	{ "drop", ON_SLAVE | ON_SEGMENT, do_drop },
	{ "corrupt", ON_SLAVE | ON_SEGMENT, do_corrupt },
	{ "wkc", ON_SLAVE, do_wkc },
	{ "emergency", ON_SLAVE, do_emergency },
	{ "drift", ON_SLAVE, do_drift },
	{ "input", ON_SLAVE, do_input },
	{ "output", ON_SLAVE, do_output },
	{ "status", ON_SLAVE | ON_SEGMENT, do_status },
};

static int run(struct cmd *c, const char *word)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(verbs[i].word, word))
			continue;
		if (!(verbs[i].where & (c->s ? ON_SLAVE : ON_SEGMENT)))
			return -EINVAL;
		return verbs[i].run(c);
	}
	return -EINVAL;
}

/**
 * sim_segment_fault - one command, such as "3 power off" or "segment drop 2"
 * @seg:     segment
 * @command: a line of text
 * @now_ns:  time
 * @answer:  what the command has to say; empty string for nothing
 * @room:    its size
 *
 * Return: 0, -EINVAL, -ENODEV, -ENOENT, -EBUSY.
 */
int sim_segment_fault(struct sim_segment *seg, const char *command,
		      u64 now_ns, char *answer, size_t room)
{
	char *w[SIM_WORDS_MAX], line[128], *rest = line;
	struct cmd c = { .seg = seg, .now = now_ns, .answer = answer,
			 .room = room };
	size_t len = strlen(command);
	u32 slave;
	int n;

	answer[0] = 0;
	if (len >= sizeof(line))
		return -EINVAL;
	memcpy(line, command, len + 1);
	n = sim_split(sim_next_line(&rest), w);
	if (n < 2)
		return -EINVAL;
	if (strcmp(w[0], "segment")) {
		if (sim_number_u32(w[0], &slave))
			return -EINVAL;
		if (slave >= seg->count)
			return -ENODEV;
		c.pos = (u16)slave;
		c.s = &seg->slave[slave];
	}
	c.w = w + 2;
	c.n = n - 2;
	return run(&c, w[1]);
}
