// SPDX-License-Identifier: GPL-2.0-only
/* From "coupler,do8*3,drive" or a segment description to slaves and cables. */
#include "segment.h"

#define DRIFT_MAX_PPB	20000

struct plan {
	u16 kind;
	u16 parent;	/* position; SIM_PEER_NIC0 for the master */
	u8 port;	/* of the parent; ESC_PORTS: the next free one */
	u16 alias;
	s32 drift;
	bool have_drift;
};

struct build {
	struct sim_segment *seg;
	struct sim_config *cfg;
	struct plan *plan;
	u16 n;
	unsigned int line;
	bool ring;
};

static int fail(struct build *b, int err, const char *what, const char *word)
{
	char where[24] = "";

	if (b->line)
		snprintf(where, sizeof(where), "line %u: ", b->line);
	if (!b->cfg->error[0])
		snprintf(b->cfg->error, sizeof(b->cfg->error), "%s%s %s", where,
			 what, word);
	return err;
}

static const char *find_text(const struct sim_config *cfg, const char *name)
{
	unsigned int i;

	for (i = 0; i < cfg->ndevices; i++)
		if (!strcmp(cfg->devices[i].name, name))
			return cfg->devices[i].text;
	for (i = 0; i < sim_devtab_len; i++)
		if (!strcmp(sim_devtab[i].name, name))
			return sim_devtab[i].text;
	return NULL;
}

/* Number of a kind in the segment, read in on first use. */
static int find_kind(struct build *b, const char *name)
{
	struct sim_segment *seg = b->seg;
	const char *text;
	unsigned int line;
	int i, ret;

	for (i = 0; i < seg->kinds; i++)
		if (!strcmp(seg->kind[i]->key, name))
			return i;
	text = find_text(b->cfg, name);
	if (!text)
		return fail(b, -ENOENT, "unknown device", name);
	if (seg->kinds == SIM_KINDS_MAX)
		return fail(b, -ENOSPC, "too many kinds of device at", name);
	ret = sim_desc_parse(&seg->kind[seg->kinds], name, text, strlen(text),
			     b->cfg->files, &line);
	if (ret) {
		b->line = line;
		return fail(b, ret, "cannot read the description of", name);
	}
	return seg->kinds++;
}

static int add_slave(struct build *b, const char *name)
{
	int kind = find_kind(b, name);

	if (kind < 0)
		return kind;
	if (b->n == SIM_SLAVES_MAX)
		return fail(b, -ENOSPC, "too many slaves at", name);
	b->plan[b->n] = (struct plan){
		.kind = (u16)kind,
		.parent = b->n ? (u16)(b->n - 1) : SIM_PEER_NIC0,
		.port = b->n ? ESC_PORTS : 0,
	};
	return b->n++;
}

/* "name" or "name*3" */
static int add_item(struct build *b, char *item)
{
	char *star = strchr(item, '*');
	u32 times = 1, i;
	int ret;

	if (star) {
		*star = 0;
		if (sim_number_u32(star + 1, &times) || !times)
			return fail(b, -EINVAL, "bad number of", item);
	}
	for (i = 0; i < times; i++) {
		ret = add_slave(b, item);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int parse_list(struct build *b, char *p)
{
	int ret;

	while (p && *p) {
		char *comma = strchr(p, ',');

		if (comma)
			*comma = 0;
		ret = add_item(b, p);
		if (ret)
			return ret;
		p = comma ? comma + 1 : NULL;
	}
	return 0;
}

/* "3.1": slave 3, port 1 */
static int parse_port(const char *w, u16 *slave, u8 *port)
{
	size_t len = strlen(w);
	char buf[16];
	char *dot;
	u32 s, p;

	if (len >= sizeof(buf))
		return -EINVAL;
	memcpy(buf, w, len + 1);
	dot = strchr(buf, '.');
	if (!dot)
		return -EINVAL;
	*dot = 0;
	if (sim_number_u32(buf, &s) || sim_number_u32(dot + 1, &p) ||
	    s >= SIM_SLAVES_MAX || p >= ESC_PORTS)
		return -EINVAL;
	*slave = (u16)s;
	*port = (u8)p;
	return 0;
}

/* slave KIND [at S.P] [alias N] [drift PPB] */
static int line_slave(struct build *b, char **w, int n)
{
	int i, at = add_slave(b, w[1]);
	struct plan *p;
	s64 v;

	if (at < 0)
		return at;
	p = &b->plan[at];
	for (i = 2; i + 1 < n; i += 2) {
		if (!strcmp(w[i], "at")) {
			if (parse_port(w[i + 1], &p->parent, &p->port) ||
			    p->parent >= at)
				return fail(b, -EINVAL, "bad port", w[i + 1]);
			continue;
		}
		if (sim_number(w[i + 1], &v) || v > 1000000 || v < -1000000)
			return fail(b, -EINVAL, "bad number", w[i + 1]);
		if (!strcmp(w[i], "alias")) {
			p->alias = (u16)v;
		} else if (!strcmp(w[i], "drift")) {
			p->drift = (s32)v;
			p->have_drift = true;
		} else {
			return fail(b, -EINVAL, "unknown word", w[i]);
		}
	}
	return i == n ? 0 : fail(b, -EINVAL, "value missing after", w[n - 1]);
}

/* loop out A in B */
static int line_loop(struct build *b, char **w, int n)
{
	struct sim_segment *seg = b->seg;
	u32 out, in;

	if (n != 5 || strcmp(w[1], "out") || strcmp(w[3], "in") ||
	    sim_number_u32(w[2], &out) || sim_number_u32(w[4], &in) ||
	    out >= SIM_SLAVES_MAX || in >= SIM_SLAVES_MAX)
		return fail(b, -EINVAL, "expected: loop out A in B, not", w[n - 1]);
	if (seg->loops == SIM_LOOPS_MAX)
		return fail(b, -ENOSPC, "too many loops at", w[4]);
	seg->loop[seg->loops].out = (u16)out;
	seg->loop[seg->loops++].in = (u16)in;
	return 0;
}

static int run_line(struct build *b, char *line)
{
	char *w[SIM_WORDS_MAX];
	int n = sim_split(line, w);

	if (n <= 0)
		return n ? fail(b, n, "cannot be read:", line) : 0;
	if (!strcmp(w[0], "slave") && n > 1)
		return line_slave(b, w, n);
	if (!strcmp(w[0], "slaves") && n == 2)
		return parse_list(b, w[1]);
	if (!strcmp(w[0], "loop"))
		return line_loop(b, w, n);
	if (!strcmp(w[0], "cable") && n == 2 &&
	    !sim_number_u32(w[1], &b->seg->cable_ns))
		return 0;
	if (!strcmp(w[0], "ring") && n == 1) {
		b->ring = true;
		return 0;
	}
	return fail(b, -EINVAL, "unknown word", w[0]);
}

/* A module parameter is one line: there a semicolon ends a statement. */
static void split_statements(char *p)
{
	bool comment = false;

	for (; *p; p++) {
		if (*p == '#')
			comment = true;
		if (*p == '\n')
			comment = false;
		if (*p == ';' && !comment)
			*p = '\n';
	}
}

static int parse(struct build *b)
{
	const char *src = b->cfg->text ? b->cfg->text : b->cfg->slaves;
	size_t len = src ? strlen(src) : 0;
	char *copy, *rest, *l;
	int ret = 0;

	if (len > SIM_TEXT_MAX)
		return fail(b, -E2BIG, "text too long", "");
	copy = sim_zalloc(len + 1);
	if (!copy)
		return fail(b, -ENOMEM, "out of memory", "");
	if (src)
		memcpy(copy, src, len);
	if (b->cfg->text)
		split_statements(copy);
	rest = copy;
	if (!b->cfg->text)
		ret = parse_list(b, copy);
	else
		for (l = sim_next_line(&rest); l && !ret;
		     l = sim_next_line(&rest)) {
			b->line++;
			ret = run_line(b, l);
		}
	sim_free(copy);
	return ret;
}

static void set_alias(struct sim_slave *s, u16 alias)
{
	u8 *w = s->esc.sii.image;

	if (!alias || s->esc.sii.size < 16)
		return;
	sim_put16(w + 8, alias);
	w[14] = esc_sii_crc(w);
}

static void connect(struct sim_peer *a, u16 sa, u8 pa, struct sim_peer *b,
		    u16 sb, u8 pb)
{
	*a = (struct sim_peer){ sb, pb, true, false };
	*b = (struct sim_peer){ sa, pa, true, false };
}

/* The port that the next slave goes to when nothing else was said. */
static u8 free_port(const struct sim_slave *s)
{
	static const u8 prefer[] = { 1, 2, 3 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(prefer); i++)
		if (esc_port_present(&s->esc, prefer[i]) &&
		    !s->peer[prefer[i]].used)
			return prefer[i];
	return ESC_PORTS;
}

static int wire(struct build *b, u16 i)
{
	struct sim_segment *seg = b->seg;
	const struct plan *p = &b->plan[i];
	struct sim_slave *s = &seg->slave[i], *up;
	u8 port = p->port;

	if (p->parent == SIM_PEER_NIC0) {
		connect(&seg->nic[0], SIM_PEER_NIC0, 0, &s->peer[0], i, 0);
		return 0;
	}
	up = &seg->slave[p->parent];
	if (port == ESC_PORTS)
		port = free_port(up);
	if (port == ESC_PORTS || !port || up->peer[port].used ||
	    !esc_port_present(&up->esc, port))
		return fail(b, -EINVAL, "no free port for", s->desc->key);
	connect(&up->peer[port], p->parent, port, &s->peer[0], i, 0);
	return 0;
}

static int make_slave(struct build *b, u16 i)
{
	const struct plan *p = &b->plan[i];
	struct sim_slave *s = &b->seg->slave[i];
	int ret = sim_slave_init(s, b->seg->kind[p->kind]);

	if (ret)
		return fail(b, ret, "cannot make", b->seg->kind[p->kind]->key);
	set_alias(s, p->alias);
	/* clocks that differ, the same ones in every run */
	s->esc.dc.boot_local = 1000003ull * i;
	s->esc.dc.drift_ppb = p->have_drift ? p->drift :
		(s32)(i * 7919u % (2 * DRIFT_MAX_PPB)) - DRIFT_MAX_PPB * (i > 0);
	return wire(b, i);
}

static int close_ring(struct build *b)
{
	struct sim_segment *seg = b->seg;
	u16 last = (u16)(seg->count - 1);
	u8 port;

	if (!b->ring)
		return 0;
	if (!seg->count) {
		connect(&seg->nic[0], SIM_PEER_NIC0, 0, &seg->nic[1],
			SIM_PEER_NIC1, 0);
		return 0;
	}
	port = free_port(&seg->slave[last]);
	if (port == ESC_PORTS)
		return fail(b, -EINVAL, "no free port for the", "ring");
	connect(&seg->slave[last].peer[port], last, port, &seg->nic[1],
		SIM_PEER_NIC1, 0);
	return 0;
}

static int make(struct build *b)
{
	struct sim_segment *seg = b->seg;
	u16 i;
	int ret;

	b->line = 0;
	seg->slave = sim_zalloc(b->n * sizeof(*seg->slave));
	if (!seg->slave)
		return fail(b, -ENOMEM, "out of memory", "");
	for (i = 0; i < b->n; i++) {
		seg->count++;
		ret = make_slave(b, i);
		if (ret)
			return ret;
	}
	for (i = 0; i < seg->loops; i++)
		if (seg->loop[i].out >= seg->count ||
		    seg->loop[i].in >= seg->count)
			return fail(b, -EINVAL, "loop to a slave that is not",
				    "there");
	return close_ring(b);
}

/**
 * sim_build - make the slaves of a segment and connect them
 * @seg: empty segment
 * @cfg: what to build
 *
 * Return: 0 or -errno with a reason in @cfg->error.
 */
int sim_build(struct sim_segment *seg, struct sim_config *cfg)
{
	struct build b = { .seg = seg, .cfg = cfg };
	int ret;

	b.plan = sim_zalloc(SIM_SLAVES_MAX * sizeof(*b.plan));
	if (!b.plan)
		return fail(&b, -ENOMEM, "out of memory", "");
	ret = parse(&b);
	if (!ret)
		ret = make(&b);
	sim_free(b.plan);
	return ret;
}
