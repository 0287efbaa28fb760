// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a blob of untrusted bytes to a verified configuration.
 *
 * Three passes over our own copy: the framing of the elements (so that the
 * later ones need not look at lengths again) with their number, the elements
 * themselves, and the layout of the image.  The first element that is wrong
 * ends it, and the error names it.
 */
#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/stdarg.h>
#include <linux/string.h>
#include "config.h"

/**
 * struct parser - state of one run
 * @cfg:    what is being filled in
 * @err:    the caller's
 * @off:    offset of the current element
 * @type:   its type
 * @len:    length of its payload
 * @index:  number of the slave element it belongs to, or KECAT_ALL
 * @slave:  that slave, its SMs and PDOs being collected
 * @sm:     last SM of @slave
 * @pdo:    last PDO of @sm
 * @sm_off: offset of the element of @sm
 */
struct parser {
	struct kecat_cfg *cfg;
	struct kecat_cfg_error *err;
	u32 off;
	u16 type;
	u32 len;
	u32 index;
	struct kecat_scfg *slave;
	struct kecat_smcfg *sm;
	struct kecat_pcfg *pdo;
	u32 sm_off;
};

static __printf(2, 3) int refuse(struct parser *p, const char *fmt, ...)
{
	struct kecat_cfg_error *e = p->err;
	va_list args;

	e->offset = p->off;
	e->type = p->type;
	e->slave = p->index;
	va_start(args, fmt);
	vsnprintf(e->message, sizeof(e->message), fmt, args);
	va_end(args);
	return -EINVAL;
}

static int within(struct parser *p, const char *name, u64 val, u64 min,
		  u64 max)
{
	if (val >= min && val <= max)
		return 0;
	return refuse(p, "%s is %llu, allowed are %llu to %llu", name, val, min,
		      max);
}

static int within_hex(struct parser *p, const char *name, u32 val, u32 min,
		      u32 max)
{
	if (val >= min && val <= max)
		return 0;
	return refuse(p, "%s is 0x%04x, allowed are 0x%04x to 0x%04x", name,
		      val, min, max);
}

static int is_zero(struct parser *p, const char *name, u64 val)
{
	return val ? refuse(p, "%s is %llu, has to be 0", name, val) : 0;
}

static int known_flags(struct parser *p, u32 flags, u32 known)
{
	if (!(flags & ~known))
		return 0;
	return refuse(p, "unknown flags 0x%x, known are 0x%x", flags & ~known,
		      known);
}

static int all_zero(struct parser *p, const char *name, const u8 *b, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		if (b[i])
			return refuse(p, "%s: byte %u is 0x%02x, has to be 0",
				      name, i, b[i]);
	return 0;
}

/* printable ASCII, then zeros to the end, at least one */
static int is_text(struct parser *p, const char *name, const char *s, u32 room)
{
	u32 n = strnlen(s, room);
	u32 i;

	if (n == room)
		return refuse(p, "%s does not end within its %u bytes", name,
			      room);
	for (i = 0; i < n; i++)
		if (s[i] < 0x20 || s[i] > 0x7e)
			return refuse(p, "%s: byte %u is 0x%02x, which is not printable ASCII",
				      name, i, (u8)s[i]);
	return all_zero(p, "what follows the name", (const u8 *)s + n, room - n);
}

static u32 padded(u32 len)
{
	return (len + 7) & ~7u;
}

static const void *payload(const struct parser *p)
{
	return p->cfg->blob + p->off + sizeof(struct kecat_cfg_tlv);
}

static int check_tick(struct parser *p, const struct kecat_cfg_bus *b)
{
	/* in the application's own call, on whatever CPU that is */
	if (!(b->flags & KECAT_BUS_TICK_IRQ))
		return !(b->flags & KECAT_BUS_TICK_APP) ? 0 :
		       within(p, "spin_ns in the application's call", b->spin_ns, 0,
			      b->cycle_ns / 2);
	if (b->flags & KECAT_BUS_TICK_APP)
		return refuse(p, "the tick cannot be both the interrupt's and the application's");
	return within(p, "spin_ns in the interrupt", b->spin_ns, 0,
		      min(KECAT_CFG_MAX_IRQ_SPIN_NS, b->cycle_ns / 2)) ?:
	       (b->flags & KECAT_BUS_RX_SLEEP ? 0 :
		within(p, "deadline_ns with interrupts off", b->deadline_ns, 1,
		       KECAT_CFG_MAX_IRQ_POLL_NS));
}

static int parse_bus(struct parser *p)
{
	struct kecat_cfg_bus *b = &p->cfg->bus;
	int err;

	*b = *(const struct kecat_cfg_bus *)payload(p);
	err = within(p, "cycle_ns", b->cycle_ns, KECAT_CFG_MIN_CYCLE_NS,
		     KECAT_CFG_MAX_CYCLE_NS) ?:
	      known_flags(p, b->flags, KECAT_BUS_KNOWN) ?:
	      is_zero(p, "reserved", b->reserved) ?:
	      within(p, "on_app_loss", b->on_app_loss, 0, KECAT_LOSS_HOLD) ?:
	      within(p, "spin_ns", b->spin_ns, 0, b->cycle_ns);
	if (err)
		return err;
	if (!b->deadline_ns)
		b->deadline_ns = b->cycle_ns - b->cycle_ns / 4;
	if (!b->lost_ns)
		b->lost_ns = max(4 * b->cycle_ns, 20 * 1000 * 1000ULL);
	return within(p, "deadline_ns", b->deadline_ns, 1, b->cycle_ns - 1) ?:
	       within(p, "lost_ns", b->lost_ns, b->deadline_ns,
		      KECAT_CFG_MAX_LOST_NS) ?:
	       check_tick(p, b);
}

static int parse_fill(struct parser *p)
{
	struct kecat_cfg_fill *f = &p->cfg->fill;
	int err;

	*f = *(const struct kecat_cfg_fill *)payload(p);
	err = within(p, "frames", f->frames, 1, KECAT_CFG_MAX_FILL) ?:
	      within(p, "bytes", f->bytes, 1, KECAT_CFG_MAX_FILL_LEN);
	if (!err && p->cfg->slaves)
		err = refuse(p, "a configuration has slaves or fill, not both");
	return err;
}

/* one of the two mailbox areas that replace those of the SII */
static int check_mbx_area(struct parser *p, const char *name, u32 start,
			  u32 size)
{
	int err;

	err = within(p, name, size, KECAT_CFG_MIN_MBX, KECAT_CFG_MAX_MBX);
	if (!err && (start < KECAT_CFG_RAM || start + size > 0x10000))
		err = refuse(p, "%s: 0x%04x to 0x%04x is outside the memory 0x%04x to 0xffff",
			     name, start, start + size - 1, KECAT_CFG_RAM);
	return err;
}

static int check_mbx(struct parser *p, const struct kecat_cfg_slave *c)
{
	int err;

	if (!kecat_cfg_has_mbx(c))
		return 0;
	err = check_mbx_area(p, "mbx_out_size", c->mbx_out, c->mbx_out_size) ?:
	      check_mbx_area(p, "mbx_in_size", c->mbx_in, c->mbx_in_size);
	if (err)
		return err;
	if (c->mbx_out < c->mbx_in + c->mbx_in_size &&
	    c->mbx_in < c->mbx_out + c->mbx_out_size)
		return refuse(p, "mailboxes 0x%04x + %u and 0x%04x + %u overlap",
			      c->mbx_out, c->mbx_out_size, c->mbx_in,
			      c->mbx_in_size);
	return 0;
}

/* what belongs to a flag that is not set would be ignored silently */
static int check_unused(struct parser *p, const struct kecat_cfg_slave *c)
{
	if (!(c->flags & KECAT_CFGS_ALIAS) && c->alias)
		return refuse(p, "alias is %u without KECAT_CFGS_ALIAS",
			      c->alias);
	if ((c->flags & KECAT_CFGS_ALIAS) && !c->alias)
		return refuse(p, "alias is 0, which no slave has; allowed are 1 to 65535");
	if (!(c->flags & KECAT_CFGS_WATCHDOG) &&
	    (c->wd_divider || c->wd_pdi || c->wd_pd))
		return refuse(p, "wd_* are %u, %u, %u without KECAT_CFGS_WATCHDOG",
			      c->wd_divider, c->wd_pdi, c->wd_pd);
	if (!(c->flags & KECAT_CFGS_DC) &&
	    (c->dc_activate || c->dc_sync0_ns || c->dc_sync1_ns ||
	     c->dc_shift_ns))
		return refuse(p, "dc_* are 0x%x, %u, %u, %d without KECAT_CFGS_DC",
			      c->dc_activate, c->dc_sync0_ns, c->dc_sync1_ns,
			      c->dc_shift_ns);
	return 0;
}

static int check_times(struct parser *p, const struct kecat_cfg_slave *c)
{
	int err;

	err = within(p, "t_preop_ms", c->t_preop_ms, 0, KECAT_CFG_MAX_T_MS) ?:
	      within(p, "t_safeop_ms", c->t_safeop_ms, 0, KECAT_CFG_MAX_T_MS) ?:
	      within(p, "t_back_ms", c->t_back_ms, 0, KECAT_CFG_MAX_T_MS);
	if (err)
		return err;
	if (c->dc_shift_ns < -KECAT_CFG_MAX_SHIFT_NS ||
	    c->dc_shift_ns > KECAT_CFG_MAX_SHIFT_NS)
		return refuse(p, "dc_shift_ns is %d, allowed are %d to %d",
			      c->dc_shift_ns, -KECAT_CFG_MAX_SHIFT_NS,
			      KECAT_CFG_MAX_SHIFT_NS);
	return 0;
}

/* Two elements may name one place only as alternatives: both optional. */
static int check_place(struct parser *p, const struct kecat_cfg_slave *c)
{
	u32 i;

	if (c->flags & KECAT_CFGS_OPTIONAL)
		return 0;
	for (i = 0; i < p->cfg->slaves; i++) {
		const struct kecat_cfg_slave *o = &p->cfg->slave[i].c;

		if (o->position == c->position && o->alias == c->alias &&
		    !(o->flags & KECAT_CFGS_OPTIONAL))
			return refuse(p, "position %u (alias %u) is also that of slave element %u",
				      c->position, c->alias, i);
	}
	return 0;
}

static void slave_defaults(struct kecat_cfg_slave *c, u64 cycle_ns)
{
	if (!c->t_preop_ms)
		c->t_preop_ms = 3000;
	if (!c->t_safeop_ms)
		c->t_safeop_ms = 10000;
	if (!c->t_back_ms)
		c->t_back_ms = 5000;
	if ((c->flags & KECAT_CFGS_DC) && !c->dc_sync0_ns)
		c->dc_sync0_ns = cycle_ns;
}

static int parse_slave(struct parser *p)
{
	struct kecat_cfg *cfg = p->cfg;
	struct kecat_scfg *s = &cfg->slave[cfg->slaves];
	int err;

	p->index = cfg->slaves;
	p->slave = s;
	p->sm = NULL;
	p->pdo = NULL;
	s->c = *(const struct kecat_cfg_slave *)payload(p);
	s->first_sdo = cfg->nsdos;
	err = within(p, "position", s->c.position, 0, KECAT_MAX_SLAVES - 1) ?:
	      within(p, "group", s->c.group, 0, KECAT_MAX_GROUPS - 1) ?:
	      known_flags(p, s->c.flags, KECAT_CFGS_KNOWN) ?:
	      is_text(p, "name", s->c.name, sizeof(s->c.name)) ?:
	      check_unused(p, &s->c) ?:
	      check_mbx(p, &s->c) ?:
	      check_times(p, &s->c) ?:
	      check_place(p, &s->c);
	if (!err && cfg->fill.frames)
		err = refuse(p, "a configuration has slaves or fill, not both");
	if (err)
		return err;
	slave_defaults(&s->c, cfg->bus.cycle_ns);
	cfg->slaves++;
	if (cfg->groups <= s->c.group)
		cfg->groups = s->c.group + 1;
	return 0;
}

static int check_sm_index(struct parser *p, u8 index)
{
	const struct kecat_scfg *s = p->slave;

	if (index >= KECAT_CFG_MAX_SMS)
		return within(p, "SM index", index, 0, KECAT_CFG_MAX_SMS - 1);
	if (index < 2 && kecat_cfg_has_mbx(&s->c))
		return refuse(p, "SM %u serves the mailbox (mbx_out_size %u), allowed are 2 to %u",
			      index, s->c.mbx_out_size, KECAT_CFG_MAX_SMS - 1);
	if (s->sms && index <= s->sm[s->sms - 1].c.index)
		return refuse(p, "SM %u behind SM %u: the indices have to ascend",
			      index, s->sm[s->sms - 1].c.index);
	return 0;
}

static int check_sm(struct parser *p, const struct kecat_cfg_sm *c)
{
	const u16 both = KECAT_SM_WATCHDOG_ON | KECAT_SM_WATCHDOG_OFF;
	u8 dir_bits = c->dir == KECAT_DIR_OUT ? 0x04 : 0;
	int err;

	err = check_sm_index(p, c->index) ?:
	      within(p, "SM dir", c->dir, 0, KECAT_DIR_IN) ?:
	      known_flags(p, c->flags, both) ?:
	      all_zero(p, "pad", c->pad, sizeof(c->pad));
	if (err)
		return err;
	if ((c->flags & both) == both)
		return refuse(p, "SM %u: watchdog both on and off", c->index);
	if (c->start)
		err = within_hex(p, "SM start", c->start, KECAT_CFG_SM_RAM,
				 0xffff);
	if (!err && c->control && (c->control & 0x0c) != dir_bits)
		err = refuse(p, "SM %u: control 0x%02x: bits 3:2 have to be 0x%02x, as its dir",
			     c->index, c->control, dir_bits);
	return err;
}

static int parse_sm(struct parser *p)
{
	const struct kecat_cfg_sm *c = payload(p);
	struct kecat_scfg *s = p->slave;
	struct kecat_smcfg *sm;
	int err;

	if (!s)
		return refuse(p, "SM before the first slave");
	err = check_sm(p, c);
	if (err)
		return err;
	sm = &s->sm[s->sms++];
	sm->c = *c;
	sm->first_pdo = p->cfg->npdos;
	p->sm = sm;
	p->pdo = NULL;
	p->sm_off = p->off;
	return 0;
}

/* CoE objects of the mapping; a slave without CoE may number as it likes */
static int check_pdo_index(struct parser *p, u16 index)
{
	if (!(p->slave->c.flags & (KECAT_CFGS_ASSIGN | KECAT_CFGS_MAPPING)))
		return within_hex(p, "PDO index", index, 1, 0xffff);
	if (p->sm->c.dir == KECAT_DIR_OUT)
		return within_hex(p, "PDO index", index, 0x1600, 0x17ff);
	return within_hex(p, "PDO index", index, 0x1a00, 0x1bff);
}

static int check_pdo_new(struct parser *p, u16 index)
{
	u32 i;

	for (i = p->slave->sm[0].first_pdo; i < p->cfg->npdos; i++)
		if (p->cfg->pdos[i].index == index)
			return refuse(p, "PDO 0x%04x is there twice", index);
	return 0;
}

static int parse_pdo(struct parser *p)
{
	const struct kecat_cfg_pdo *c = payload(p);
	struct kecat_cfg *cfg = p->cfg;
	int err;

	if (!p->sm)
		return refuse(p, "PDO 0x%04x before the slave's first SM",
			      c->index);
	err = is_zero(p, "flags", c->flags) ?:
	      is_zero(p, "pad", c->pad) ?:
	      check_pdo_index(p, c->index) ?:
	      check_pdo_new(p, c->index) ?:
	      within(p, "number of PDOs of the SM", p->sm->pdos + 1, 1,
		     KECAT_CFG_MAX_SUB);
	if (err)
		return err;
	p->pdo = &cfg->pdos[cfg->npdos++];
	p->pdo->index = c->index;
	p->pdo->first_entry = cfg->nentries;
	p->sm->pdos++;
	return 0;
}

static int parse_entry(struct parser *p)
{
	const struct kecat_cfg_entry *c = payload(p);
	struct kecat_cfg *cfg = p->cfg;
	int err;

	if (!p->pdo)
		return refuse(p, "entry 0x%04x:%02x before the SM's first PDO",
			      c->index, c->subindex);
	err = within(p, "bits", c->bits, 1, 255) ?:
	      is_zero(p, "pad", c->pad) ?:
	      within(p, "number of entries of the PDO", p->pdo->entries + 1,
		     1, KECAT_CFG_MAX_SUB);
	if (!err && !c->index)
		err = is_zero(p, "subindex of a gap", c->subindex);
	if (err)
		return err;
	cfg->entries[cfg->nentries++] = *c;
	p->pdo->entries++;
	p->pdo->bits += c->bits;
	p->sm->bits += c->bits;
	return 0;
}

static int parse_sdo(struct parser *p)
{
	const struct kecat_cfg_sdo *c = payload(p);
	struct kecat_cfg *cfg = p->cfg;
	struct kecat_sdocfg *sdo;
	int err;

	if (!p->slave)
		return refuse(p, "SDO 0x%04x:%02x before the first slave",
			      c->index, c->subindex);
	err = within_hex(p, "SDO index", c->index, 1, 0xffff) ?:
	      known_flags(p, c->flags, KECAT_SDO_COMPLETE) ?:
	      within(p, "transition", c->transition, 0, KECAT_TR_SO) ?:
	      is_zero(p, "pad", c->pad) ?:
	      within(p, "SDO len", c->len, 1, KECAT_MAX_SDO);
	if (!err && (c->flags & KECAT_SDO_COMPLETE))
		err = within(p, "subindex of a complete access", c->subindex,
			     0, 1);
	if (!err && c->len != p->len - sizeof(*c))
		err = refuse(p, "SDO len is %u, but %zu bytes of data follow",
			     c->len, p->len - sizeof(*c));
	if (err)
		return err;
	sdo = &cfg->sdos[cfg->nsdos++];
	sdo->index = c->index;
	sdo->subindex = c->subindex;
	sdo->flags = c->flags;
	sdo->transition = c->transition;
	sdo->len = c->len;
	sdo->data = (const u8 *)(c + 1);
	p->slave->sdos++;
	return 0;
}

/**
 * struct element - a kind of element
 * @size:  bytes of its struct
 * @data:  bytes may follow the struct
 * @max:   how many a configuration may have
 * @name:  for messages
 * @parse: check the current one and take it over
 */
struct element {
	u32 size;
	bool data;
	u32 max;
	const char *name;
	int (*parse)(struct parser *p);
};

static const struct element elements[] = {
	[KECAT_CFG_BUS] = { sizeof(struct kecat_cfg_bus), false,
			    1, "bus", parse_bus },
	[KECAT_CFG_SLAVE] = { sizeof(struct kecat_cfg_slave), false,
			      KECAT_MAX_SLAVES, "slave", parse_slave },
	[KECAT_CFG_SM] = { sizeof(struct kecat_cfg_sm), false,
			   KECAT_MAX_SLAVES * KECAT_CFG_MAX_SMS, "SM", parse_sm },
	[KECAT_CFG_PDO] = { sizeof(struct kecat_cfg_pdo), false,
			    KECAT_CFG_MAX_PDOS, "PDO", parse_pdo },
	[KECAT_CFG_ENTRY] = { sizeof(struct kecat_cfg_entry), false,
			      KECAT_CFG_MAX_ENTRIES, "entry", parse_entry },
	[KECAT_CFG_SDO] = { sizeof(struct kecat_cfg_sdo), true,
			    KECAT_CFG_MAX_SDOS, "SDO", parse_sdo },
	[KECAT_CFG_FILL] = { sizeof(struct kecat_cfg_fill), false,
			     1, "fill", parse_fill },
};

static int check_payload(struct parser *p, const struct kecat_cfg_tlv *t,
			 u32 left)
{
	const struct element *e = &elements[t->type];
	u32 room = left - sizeof(*t);

	if (t->len > room || padded(t->len) > room)
		return refuse(p, "%s element of %u bytes, but only %u are left",
			      e->name, t->len, room);
	if (e->data ? t->len < e->size : t->len != e->size)
		return refuse(p, "%s element of %u bytes, has to be %s%u", e->name,
			      t->len, e->data ? "at least " : "", e->size);
	return all_zero(p, "padding", (const u8 *)(t + 1) + t->len,
			padded(t->len) - t->len);
}

/* Is there a well-formed element at p->off? */
static int check_frame(struct parser *p)
{
	const struct kecat_cfg_tlv *t = (const void *)(p->cfg->blob + p->off);
	u32 left = p->cfg->len - p->off;

	p->type = 0;
	if (left < sizeof(*t))
		return refuse(p, "%u bytes are left, too few for an element",
			      left);
	p->type = t->type;
	if (t->type == KECAT_CFG_SLAVE)
		p->index++;
	if (!t->type || t->type >= ARRAY_SIZE(elements))
		return refuse(p, "element type is %u, allowed are 1 to %zu",
			      t->type, ARRAY_SIZE(elements) - 1);
	if (p->off ? t->type == KECAT_CFG_BUS : t->type != KECAT_CFG_BUS)
		return refuse(p, "%s element at offset %u: the first and only the first is the bus",
			      elements[t->type].name, p->off);
	if (t->flags)
		return refuse(p, "element flags are 0x%x, have to be 0",
			      t->flags);
	p->len = t->len;
	return check_payload(p, t, left);
}

static u32 next_element(const struct parser *p)
{
	return p->off + sizeof(struct kecat_cfg_tlv) + padded(p->len);
}

/* first pass: the elements are well formed, and @count of each type */
static int check_framing(struct parser *p, u32 *count)
{
	int err;

	do {
		err = check_frame(p);
		if (err)
			return err;
		if (++count[p->type] > elements[p->type].max)
			return refuse(p, "more than %u %s elements",
				      elements[p->type].max,
				      elements[p->type].name);
		p->off = next_element(p);
	} while (p->off < p->cfg->len);
	return 0;
}

static int allocate(struct kecat_cfg *cfg, const u32 *count)
{
	/* one more each: an array of none is no error */
	cfg->slave = kvcalloc(count[KECAT_CFG_SLAVE] + 1, sizeof(*cfg->slave),
			      GFP_KERNEL);
	cfg->pdos = kvcalloc(count[KECAT_CFG_PDO] + 1, sizeof(*cfg->pdos),
			     GFP_KERNEL);
	cfg->entries = kvcalloc(count[KECAT_CFG_ENTRY] + 1,
				sizeof(*cfg->entries), GFP_KERNEL);
	cfg->sdos = kvcalloc(count[KECAT_CFG_SDO] + 1, sizeof(*cfg->sdos),
			     GFP_KERNEL);
	if (!cfg->slave || !cfg->pdos || !cfg->entries || !cfg->sdos)
		return -ENOMEM;
	return 0;
}

/* The last SM has all of its PDOs: what is its length? */
static int finish_sm(struct parser *p)
{
	struct kecat_cfg *cfg = p->cfg;
	struct kecat_smcfg *sm = p->sm;
	u32 *image, bytes;
	bool out;
	int err;

	if (!sm)
		return 0;
	p->off = p->sm_off;
	p->type = KECAT_CFG_SM;
	bytes = sm->pdos ? DIV_ROUND_UP(sm->bits, 8) : sm->c.len;
	err = within(p, "bytes of the SM", bytes, 0, U16_MAX);
	if (!err && sm->c.len && sm->c.len != bytes)
		err = refuse(p, "SM %u: len is %u, but its PDOs have %u bits, which is %u bytes",
			     sm->c.index, sm->c.len, sm->bits, bytes);
	if (!err && sm->c.start + bytes > 0x10000)
		err = refuse(p, "SM %u: 0x%04x + %u bytes is beyond 0xffff",
			     sm->c.index, sm->c.start, bytes);
	if (err)
		return err;
	sm->len = bytes;
	out = sm->c.dir == KECAT_DIR_OUT;
	image = out ? &cfg->out_len : &cfg->in_len;
	*image += bytes;
	return within(p, out ? "bytes of the output image" : "bytes of the input image",
		      *image, 0, KECAT_MAX_IMAGE);
}

/* second pass: the elements themselves */
static int parse_elements(struct parser *p)
{
	u32 off = 0;
	int err;

	p->index = KECAT_ALL;
	while (off < p->cfg->len) {
		const struct kecat_cfg_tlv *t = (const void *)(p->cfg->blob + off);

		if (t->type == KECAT_CFG_SM || t->type == KECAT_CFG_SLAVE) {
			err = finish_sm(p);
			if (err)
				return err;
		}
		p->off = off;
		p->type = t->type;
		p->len = t->len;
		err = elements[t->type].parse(p);
		if (err)
			return err;
		off = next_element(p);
	}
	return finish_sm(p);
}

static void place_slave(struct kecat_scfg *s, u32 *out, u32 *in)
{
	u32 i;

	s->out_offset = *out;
	s->in_offset = *in;
	for (i = 0; i < s->sms; i++) {
		struct kecat_smcfg *sm = &s->sm[i];
		u32 *next = sm->c.dir == KECAT_DIR_OUT ? out : in;

		sm->offset = *next;
		*next += sm->len;
	}
	s->out_len = *out - s->out_offset;
	s->in_len = *in - s->in_offset;
}

/* third pass: see the order in config.h */
static void place_all(struct kecat_cfg *cfg)
{
	u32 out = 0, in = 0, g, i;

	for (g = 0; g < cfg->groups; g++)
		for (i = 0; i < cfg->slaves; i++)
			if (cfg->slave[i].c.group == g)
				place_slave(&cfg->slave[i], &out, &in);
}

static int parse(struct parser *p, const void *blob, u32 len)
{
	u32 count[ARRAY_SIZE(elements)] = {};
	struct kecat_cfg *cfg = p->cfg;
	int err;

	err = within(p, "length of the configuration", len, 1,
		     KECAT_MAX_CONFIG);
	if (err)
		return err;
	cfg->blob = kvmalloc(len, GFP_KERNEL);
	if (!cfg->blob)
		return -ENOMEM;
	memcpy(cfg->blob, blob, len);
	cfg->len = len;
	err = check_framing(p, count) ?: allocate(cfg, count) ?:
	      parse_elements(p);
	if (!err)
		place_all(cfg);
	return err;
}

/**
 * kecat_config_parse - verify a configuration
 * @blob: what the user gave, see &struct kecat_cfg_tlv
 * @len:  bytes
 * @out:  the configuration; free with kecat_config_free()
 * @err:  filled in with -EINVAL: which element, and what is wrong with it
 *
 * Context: may sleep.
 * Return: 0, -EINVAL, -ENOMEM.
 */
int kecat_config_parse(const void *blob, u32 len, struct kecat_cfg **out,
		       struct kecat_cfg_error *err)
{
	/* the first slave element makes the index 0 */
	struct parser p = { .err = err, .index = KECAT_ALL };
	int ret;

	memset(err, 0, sizeof(*err));
	err->slave = KECAT_ALL;
	p.cfg = kzalloc(sizeof(*p.cfg), GFP_KERNEL);
	if (!p.cfg)
		return -ENOMEM;
	ret = parse(&p, blob, len);
	if (ret) {
		kecat_config_free(p.cfg);
		return ret;
	}
	*out = p.cfg;
	return 0;
}

/**
 * kecat_config_free - the other end of kecat_config_parse()
 * @cfg: configuration, may be NULL
 */
void kecat_config_free(struct kecat_cfg *cfg)
{
	if (!cfg)
		return;
	kvfree(cfg->slave);
	kvfree(cfg->pdos);
	kvfree(cfg->entries);
	kvfree(cfg->sdos);
	kvfree(cfg->blob);
	kfree(cfg);
}
