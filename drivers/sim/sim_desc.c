// SPDX-License-Identifier: GPL-2.0-only
/* The device description language: one table of words, one function a word. */
#include "sim_desc.h"

struct parse {
	struct sim_desc *d;
	const struct sim_files *files;
	char *w[SIM_WORDS_MAX];	/* of the line; the first one is the verb */
	int n;
	u16 object;		/* "sub" lines belong to it */
	u8 code;
	const char *object_name;
	bool have_sii;
};

/* A named number of the description; "key value" pairs in any order. */
struct field {
	const char *key;
	u16 off;
	u8 size;
};

#define FIELD(key, member) \
	{ key, offsetof(struct sim_desc, member), \
	  sizeof(((struct sim_desc *)0)->member) }

static const struct field fields[] = {
	FIELD("vendor", vendor),
	FIELD("product", product),
	FIELD("revision", revision),
	FIELD("serial", serial),
	FIELD("type", chip.type),
	FIELD("rev", chip.rev),
	FIELD("build", chip.build),
	FIELD("fmmus", chip.fmmus),
	FIELD("sms", chip.sms),
	FIELD("ram", chip.ram_kb),
	FIELD("ports", chip.ports),
	FIELD("features", chip.features),
	FIELD("dl", chip.dl_low),
	FIELD("sii8", chip.sii_8byte),
	FIELD("sm_writing", chip.sm_writing),
	FIELD("sii_low", chip.sii_low),
	FIELD("sii_read_ns", chip.sii_read_ns),
	FIELD("sii_write_ns", chip.sii_write_ns),
	FIELD("fwd_ns", chip.fwd_ns),
	FIELD("ret_ns", chip.ret_ns),
	FIELD("boot_rx", boot_rx),
	FIELD("boot_rx_len", boot_rx_len),
	FIELD("boot_tx", boot_tx),
	FIELD("boot_tx_len", boot_tx_len),
	FIELD("rx", mbx_rx),
	FIELD("rx_len", mbx_rx_len),
	FIELD("tx", mbx_tx),
	FIELD("tx_len", mbx_tx_len),
	FIELD("current", current_ma),
	FIELD("flags", flags),
	FIELD("physics", phys),
	FIELD("sii_kbit", sii_kbit),
	FIELD("al_us", al_us),
	FIELD("mbx_us", mbx_us),
	FIELD("mbx_open_us", mbx_open_us),
	FIELD("op_wait_ms", op_wait_ms),
	FIELD("need_sii", need_sii),
	FIELD("need_dc", need_dc),
	FIELD("id", id),
	FIELD("min_cycle_ns", min_cycle_ns),
};

static int set_field(struct sim_desc *d, const char *key, const char *val)
{
	unsigned int i;
	s64 v;
	u8 *p;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (!strcmp(fields[i].key, key))
			break;
	if (i == ARRAY_SIZE(fields) || sim_number(val, &v))
		return -EINVAL;
	if (fields[i].size < 8 && (v >> (8 * fields[i].size)) > 0)
		return -ERANGE;
	p = (u8 *)d + fields[i].off;
	switch (fields[i].size) {
	case 1:
		*p = (u8)v;
		break;
	case 2:
		*(u16 *)p = (u16)v;
		break;
	default:
		*(u32 *)p = (u32)v;
	}
	return 0;
}

static int do_fields(struct parse *p)
{
	int i, ret;

	for (i = 1; i + 1 < p->n; i += 2) {
		ret = set_field(p->d, p->w[i], p->w[i + 1]);
		if (ret)
			return ret;
	}
	return i == p->n ? 0 : -EINVAL;
}

static int do_device(struct parse *p)
{
	p->d->name = p->w[1];
	return 0;
}

static int do_order(struct parse *p)
{
	p->d->order = p->w[1];
	return 0;
}

static int do_group(struct parse *p)
{
	p->d->group = p->w[1];
	p->d->group_name = p->n > 2 ? p->w[2] : p->w[1];
	return 0;
}

/* Position of a word in a list of them, or -EINVAL. */
static int one_of(const char *w, const char *const *list, int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (!strcmp(w, list[i]))
			return i;
	return -EINVAL;
}

static int do_dc(struct parse *p)
{
	static const char *const kinds[] = { "none", "rxtime", "32", "64" };
	int k = one_of(p->w[1], kinds, 4);

	if (k < 0)
		return k;
	p->d->chip.dc = (u8)k;
	return 0;
}

static int do_rxinit(struct parse *p)
{
	int i, ret = 0;

	for (i = 0; i < 4 && !ret; i++)
		ret = sim_number_u32(p->w[1 + i], &p->d->chip.rx_init[i]);
	return ret;
}

static int do_conf(struct parse *p)
{
	int i, ret;
	u32 v;

	for (i = 0; i < 4 && i + 1 < p->n; i++) {
		ret = sim_number_u32(p->w[1 + i], &v);
		if (ret || v > 0xffff)
			return -EINVAL;
		p->d->conf[i] = (u16)v;
	}
	return 0;
}

/* sm N TYPE START LEN [CTRL [ENABLE]] */
static int do_sm(struct parse *p)
{
	static const char *const types[] = { "none", "mbxout", "mbxin", "out", "in" };
	static const u8 ctrl[] = { 0, 0x26, 0x22, 0x64, 0x20 };
	u32 v[5] = { 0 };
	struct sim_desc_sm *sm;
	int i, t = one_of(p->w[2], types, 5);

	if (t < 0 || sim_number_u32(p->w[1], &v[0]) || v[0] >= ESC_SM_MAX)
		return -EINVAL;
	sm = &p->d->sm[v[0]];
	v[3] = ctrl[t];
	v[4] = 1;
	for (i = 3; i < p->n && i < 7; i++)
		if (sim_number_u32(p->w[i], &v[i - 2]))
			return -EINVAL;
	if (v[1] > 0xffff || v[2] > 0xffff || v[3] > 0xff || v[4] > 0xff)
		return -ERANGE;
	*sm = (struct sim_desc_sm){ (u16)v[1], (u16)v[2], (u8)v[3], (u8)v[4],
				    (u8)t, true };
	if (v[0] >= p->d->nsm)
		p->d->nsm = (u8)(v[0] + 1);
	return 0;
}

static int do_fmmu(struct parse *p)
{
	static const char *const use[] = { "none", "out", "in", "mbx" };
	int i, u;

	for (i = 1; i < p->n && i <= ESC_FMMU_MAX; i++) {
		u = one_of(p->w[i], use, 4);
		if (u < 0)
			return u;
		p->d->fmmu[i - 1] = (u8)u;
	}
	p->d->nfmmu = (u8)(i - 1);
	return 0;
}

static int flag_words(struct parse *p, const char *const *list, int n, u32 *v)
{
	int i, b;

	for (i = 1; i < p->n; i++) {
		b = one_of(p->w[i], list, n);
		if (b < 0)
			return b;
		*v |= (u32)BIT(b);
	}
	return 0;
}

static int do_proto(struct parse *p)
{
	static const char *const list[] = { "aoe", "eoe", "coe", "foe", "soe", "voe" };
	u32 v = 0;
	int ret = flag_words(p, list, 6, &v);

	p->d->proto = (u16)v;
	return ret;
}

static int do_coe(struct parse *p)
{
	static const char *const list[] = {
		"sdo", "info", "assign", "config", "upload", "ca",
	};
	u32 v = 0;
	int ret = flag_words(p, list, 6, &v);

	p->d->coe = (u8)v;
	return ret;
}

static int do_app(struct parse *p)
{
	static const char *const list[] = { "none", "loop", "ramp", "cia402" };
	int a = one_of(p->w[1], list, 4);

	if (a < 0)
		return a;
	p->d->app = (u8)a;
	return 0;
}

/* dcmode NAME assign [cycle0 shift0 cycle0_factor cycle1_factor shift1] */
static int do_dcmode(struct parse *p)
{
	struct sim_dcmode *m;
	s64 v[6] = { 0 };
	int i;

	if (p->d->ndcmode == SIM_DCMODE_MAX)
		return -ENOSPC;
	for (i = 0; i < 6 && i + 2 < p->n; i++)
		if (sim_number(p->w[i + 2], &v[i]))
			return -EINVAL;
	m = &p->d->dcmode[p->d->ndcmode++];
	m->name = p->w[1];
	m->assign = (u16)v[0];
	m->cycle0 = (u32)v[1];
	m->shift0 = (s32)v[2];
	m->cycle0_factor = (s16)v[3];
	m->cycle1_factor = (s16)v[4];
	m->shift1 = (s32)v[5];
	return 0;
}

struct type {
	const char *name;
	u16 code, bits;
};

static const struct type types[] = {
	{ "bool", 0x01, 1 }, { "i8", 0x02, 8 }, { "i16", 0x03, 16 },
	{ "i32", 0x04, 32 }, { "u8", 0x05, 8 }, { "u16", 0x06, 16 },
	{ "u32", 0x07, 32 }, { "f32", 0x08, 32 }, { "str", 0x09, 0 },
	{ "i64", 0x15, 64 }, { "u64", 0x1b, 64 }, { "bit2", 0x31, 2 },
	{ "bit3", 0x32, 3 }, { "bit4", 0x33, 4 }, { "bit5", 0x34, 5 },
	{ "bit6", 0x35, 6 }, { "bit7", 0x36, 7 },
};

/* "octN" is N bytes of anything. */
static int find_type(const char *w, u16 *code, u32 *bits)
{
	unsigned int i;
	u32 n;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i].name, w)) {
			*code = types[i].code;
			*bits = types[i].bits;
			return 0;
		}
	if (strncmp(w, "oct", 3) || sim_number_u32(w + 3, &n) || !n || n > 4096)
		return -EINVAL;
	*code = 0x0a;
	*bits = 8 * n;
	return 0;
}

static int do_pdo(struct parse *p)
{
	struct sim_pdo *o;
	u32 index, sm;
	int i;

	if (p->d->npdo == SIM_PDO_MAX)
		return -ENOSPC;
	if (sim_number_u32(p->w[1], &index) || index > 0xffff ||
	    sim_number_u32(p->w[2], &sm) || sm >= ESC_SM_MAX)
		return -EINVAL;
	o = &p->d->pdo[p->d->npdo++];
	o->rx = p->w[0][0] == 'r';
	o->index = (u16)index;
	o->sm = (u8)sm;
	o->name = p->w[3];
	o->first = p->d->nentry;
	o->assigned = true;
	for (i = 4; i < p->n; i++) {
		if (!strcmp(p->w[i], "optional"))
			o->assigned = false;
		else if (!strcmp(p->w[i], "fixed"))
			o->flags |= 0x0010;
		else if (!strcmp(p->w[i], "mandatory"))
			o->flags |= 0x0001;
		else
			return -EINVAL;
	}
	return 0;
}

static int add_entry(struct sim_desc *d, u16 index, u8 sub, u16 type, u32 bits,
		     const char *name)
{
	struct sim_pdo_entry *e;

	if (d->nentry == SIM_ENTRY_MAX)
		return -ENOSPC;
	if (!bits || bits > 255)
		return -EINVAL;
	e = &d->entry[d->nentry++];
	*e = (struct sim_pdo_entry){ name, index, type, sub, (u8)bits };
	d->pdo[d->npdo - 1].count++;
	return 0;
}

/* "S", "S*N": N in a row from S on. */
static int range(char *w, u32 *first, u32 *count)
{
	char *star = strchr(w, '*');

	*count = 1;
	if (star) {
		*star = 0;
		if (sim_number_u32(star + 1, count))
			return -EINVAL;
	}
	if (sim_number_u32(w, first))
		return -EINVAL;
	return !*count || *first + *count > 256 ? -ERANGE : 0;
}

/* entry INDEX SUB[*N] TYPE NAME | entry pad BITS */
static int do_entry(struct parse *p)
{
	u32 index, sub, n, bits, i;
	u16 type;
	int ret;

	if (!p->d->npdo)
		return -EINVAL;
	if (!strcmp(p->w[1], "pad")) {
		if (sim_number_u32(p->w[2], &bits))
			return -EINVAL;
		return add_entry(p->d, 0, 0, 0, bits, NULL);
	}
	if (p->n < 5 || sim_number_u32(p->w[1], &index) || !index ||
	    index > 0xffff || range(p->w[2], &sub, &n) ||
	    find_type(p->w[3], &type, &bits))
		return -EINVAL;
	for (i = 0; i < n; i++) {
		ret = add_entry(p->d, (u16)index, (u8)(sub + i), type, bits,
				p->w[4]);
		if (ret)
			return ret;
	}
	return 0;
}

static int do_object(struct parse *p)
{
	static const char *const codes[] = { "array", "record" };
	int c = one_of(p->w[2], codes, 2);
	u32 index;

	if (c < 0 || sim_number_u32(p->w[1], &index) || index > 0xffff)
		return -EINVAL;
	p->object = (u16)index;
	p->code = (u8)(8 + c);
	p->object_name = p->w[3];
	return 0;
}

static int access_word(const char *w, u16 *access)
{
	static const char *const list[] = { "ro", "rw", "wo", "rwpre" };
	static const u16 acc[] = {
		SIM_ACC_READ, SIM_ACC_READ | SIM_ACC_WRITE, SIM_ACC_WRITE,
		SIM_ACC_READ | SIM_ACC_W_PREOP,
	};
	int a = one_of(w, list, 4);

	if (a < 0)
		return a;
	*access = acc[a];
	return 0;
}

/* TYPE ACCESS VALUE NAME from word @w on, for sub-indices of one object */
static int add_value(struct parse *p, char **w, u8 sub, const char *name)
{
	u16 type, access;
	s64 value = 0;
	u32 bits;
	int i;

	if (find_type(w[0], &type, &bits) || access_word(w[1], &access))
		return -EINVAL;
	if (type == 0x09)
		bits = 8 * (u32)strlen(w[2]);
	else if (sim_number(w[2], &value))
		return -EINVAL;
	i = sim_od_add(p->d, p->object, sub, p->code, type, bits, access,
		       p->object_name, name);
	if (i < 0)
		return i;
	if (type == 0x09)
		memcpy(p->d->init + p->d->od[i].off, w[2], bits / 8);
	else
		sim_od_set(p->d, (unsigned int)i, (u64)value);
	return 0;
}

/* sub N[*M] TYPE ACCESS VALUE NAME */
static int do_sub(struct parse *p)
{
	u32 sub, n, i;
	int ret;

	if (!p->object || range(p->w[1], &sub, &n))
		return -EINVAL;
	for (i = 0; i < n; i++) {
		ret = add_value(p, p->w + 2, (u8)(sub + i), p->w[5]);
		if (ret)
			return ret;
	}
	return 0;
}

/* var INDEX TYPE ACCESS VALUE NAME */
static int do_var(struct parse *p)
{
	u32 index;

	if (sim_number_u32(p->w[1], &index) || !index || index > 0xffff)
		return -EINVAL;
	p->object = (u16)index;
	p->code = 7;
	p->object_name = p->w[5];
	return add_value(p, p->w + 2, 0, p->w[5]);
}

static int do_sii(struct parse *p)
{
	u8 *data;
	u32 size;
	int ret;

	if (!p->files || !p->files->load)
		return -EOPNOTSUPP;
	ret = p->files->load(p->files->ctx, p->w[1], &data, &size);
	if (ret)
		return ret;
	sim_free(p->d->sii);
	p->d->sii = data;
	p->d->sii_size = size;
	p->have_sii = true;
	return 0;
}

struct verb {
	const char *word;
	int min;	/* words after it */
	int (*run)(struct parse *p);
};

static const struct verb verbs[] = {
	{ "device", 1, do_device },
	{ "order", 1, do_order },
	{ "group", 1, do_group },
	{ "identity", 2, do_fields },
	{ "chip", 2, do_fields },
	{ "mailbox", 2, do_fields },
	{ "general", 2, do_fields },
	{ "timing", 2, do_fields },
	{ "dc", 1, do_dc },
	{ "rxinit", 4, do_rxinit },
	{ "conf", 1, do_conf },
	{ "sm", 2, do_sm },
	{ "fmmu", 0, do_fmmu },
	{ "proto", 1, do_proto },
	{ "coe", 1, do_coe },
	{ "dcmode", 2, do_dcmode },
	{ "rxpdo", 3, do_pdo },
	{ "txpdo", 3, do_pdo },
	{ "entry", 2, do_entry },
	{ "object", 3, do_object },
	{ "sub", 5, do_sub },
	{ "var", 5, do_var },
	{ "app", 1, do_app },
	{ "sii", 1, do_sii },
};

static int run_line(struct parse *p, char *line)
{
	unsigned int i;

	p->n = sim_split(line, p->w);
	if (p->n <= 0)
		return p->n;
	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i].word, p->w[0]))
			return p->n > verbs[i].min ? verbs[i].run(p) : -EINVAL;
	return -EINVAL;
}

/* A present-day part with eight of everything. */
static void defaults(struct sim_desc *d)
{
	d->chip = (struct esc_chip){
		.type = 0x11, .build = 0x0003, .fmmus = 8, .sms = 8,
		.ram_kb = 8, .ports = 0x0f, .features = 0x00fc, .dl_low = 3,
		.dc = ESC_DC_64, .sii_8byte = true, .sii_read_ns = 100000,
		.sii_write_ns = 4000000, .fwd_ns = 300, .ret_ns = 300,
	};
	d->conf[0] = 0x0004;
	d->sii_kbit = 16;
	d->al_us = 1000;
	d->mbx_us = 500;
	d->op_wait_ms = 500;
	d->name = "";
	d->order = "";
	d->group = "";
	d->group_name = "";
}

static struct sim_desc *alloc_desc(const char *key, const char *text, size_t len)
{
	struct sim_desc *d = sim_zalloc(sizeof(*d));

	if (!d)
		return NULL;
	d->text = sim_zalloc(len + 1);
	d->entry = sim_zalloc(SIM_ENTRY_MAX * sizeof(*d->entry));
	d->od = sim_zalloc(SIM_OD_MAX * sizeof(*d->od));
	d->init = sim_zalloc(SIM_STORE_MAX);
	if (!d->text || !d->entry || !d->od || !d->init) {
		sim_desc_free(d);
		return NULL;
	}
	memcpy(d->text, text, len);
	snprintf(d->key, sizeof(d->key), "%s", key);
	return d;
}

/**
 * sim_desc_parse - read a device description
 * @out:   the result
 * @key:   name of the kind
 * @text:  the description
 * @len:   its length
 * @files: for "sii" lines; NULL where files cannot be read
 * @line:  on failure, the line at fault; 0 when the whole is at fault
 *
 * Return: 0 or -errno.
 */
int sim_desc_parse(struct sim_desc **out, const char *key, const char *text,
		   size_t len, const struct sim_files *files,
		   unsigned int *line)
{
	struct parse p = { .files = files };
	char *rest, *l;
	int ret;

	*line = 0;
	if (len > SIM_TEXT_MAX)
		return -E2BIG;
	p.d = alloc_desc(key, text, len);
	if (!p.d)
		return -ENOMEM;
	defaults(p.d);
	rest = p.d->text;
	for (l = sim_next_line(&rest); l; l = sim_next_line(&rest)) {
		++*line;
		ret = run_line(&p, l);
		if (ret)
			goto err_free;
	}
	*line = 0;
	ret = sim_od_finish(p.d);
	if (!ret && !p.have_sii)
		ret = sim_sii_generate(p.d);
	if (ret)
		goto err_free;
	*out = p.d;
	return 0;

err_free:
	sim_desc_free(p.d);
	return ret;
}

void sim_desc_free(struct sim_desc *d)
{
	if (!d)
		return;
	sim_free(d->sii);
	sim_free(d->init);
	sim_free(d->od);
	sim_free(d->entry);
	sim_free(d->text);
	sim_free(d);
}
