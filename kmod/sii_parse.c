// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoder of EEPROM images.  Nothing in an image is trusted: every category is
 * clipped to the image, every element to its category.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "sii_parse.h"

/* word addresses of the header, ETG.1000.6 table 18 */
#define W_PDI_CONTROL	0x00
#define W_ALIAS		0x04
#define W_VENDOR	0x08
#define W_PRODUCT	0x0a
#define W_REVISION	0x0c
#define W_SERIAL	0x0e
#define W_BOOT		0x14	/* out, size, in, size */
#define W_MBX		0x18
#define W_PROTOCOLS	0x1c
#define W_SIZE		0x3e	/* in KBit, less one */

#define CRC_BYTES	14	/* words 0..6; the CRC is the next byte */

#define CAT_STRINGS	10
#define CAT_GENERAL	30
#define CAT_FMMU	40
#define CAT_SM		41
#define CAT_TXPDO	50
#define CAT_RXPDO	51
#define CAT_DC		60
#define CAT_END		0xffff

/* general category, byte offsets */
#define GEN_GROUP	0
#define GEN_ORDER	2
#define GEN_NAME	3
#define GEN_COE		5
#define GEN_FOE		6
#define GEN_EOE		7
#define GEN_FLAGS	11
#define GEN_EBUS	12

#define SM_SIZE		8
#define PDO_SIZE	8	/* head of a PDO, and each of its entries */
#define SM_NONE		0xff	/* PDO that is not assigned by default */

/* a piece of the image */
struct span {
	const u8 *p;
	size_t len;
};

struct walk {
	struct span image;
	size_t at;		/* next category */
	unsigned int cats;
	u32 faults;
	u16 type;		/* the current category .. */
	struct span data;	/* .. clipped to the image */
};

/* room for the entries, and the strings their names are in */
struct pdo_sink {
	struct kecat_sii_info *info;
	struct kecat_pdo_entry *entry;
	u32 max;
	struct span strings;
};

static u8 get8(const struct span *s, size_t at)
{
	return at < s->len ? s->p[at] : 0;
}

static u16 get16(const struct span *s, size_t at)
{
	return get8(s, at) | get8(s, at + 1) << 8;
}

static u32 get32(const struct span *s, size_t at)
{
	return get16(s, at) | (u32)get16(s, at + 2) << 16;
}

/**
 * kecat_sii_crc - CRC-8 of the configuration area
 * @words: start of the image
 * @bytes: 14 for words 0..6
 *
 * Polynomial 0x07, start value 0xff.
 */
u8 kecat_sii_crc(const u8 *words, unsigned int bytes)
{
	u8 crc = 0xff;
	unsigned int bit;

	while (bytes--) {
		crc ^= *words++;
		for (bit = 0; bit < 8; bit++)
			crc = crc & 0x80 ? (crc << 1) ^ 0x07 : crc << 1;
	}
	return crc;
}

/*
 * Moves on to the next category.  False at the end mark and where the walk
 * cannot go on; the reason is in w->faults.
 */
static bool next_category(struct walk *w)
{
	size_t left = w->image.len > w->at ? w->image.len - w->at : 0;
	size_t len;

	if (left >= 2 && get16(&w->image, w->at) == CAT_END)
		return false;
	if (left < 4) {
		w->faults |= KECAT_SII_NO_END;
		return false;
	}
	if (w->cats++ == KECAT_SII_MAX_CATS) {
		w->faults |= KECAT_SII_TOO_MANY;
		return false;
	}
	w->type = get16(&w->image, w->at);
	len = 2 * (size_t)get16(&w->image, w->at + 2);
	w->data.p = w->image.p + w->at + 4;
	w->data.len = min_t(size_t, len, left - 4);
	if (w->data.len < len)
		w->faults |= KECAT_SII_OVERRUN;
	w->at += 4 + len;
	return true;
}

static void walk_start(struct walk *w, const u8 *image, size_t len)
{
	memset(w, 0, sizeof(*w));
	w->image.p = image;
	w->image.len = len;
	w->at = KECAT_SII_HEADER;
}

static struct span find_strings(const u8 *image, size_t len)
{
	struct span none = { NULL, 0 };
	struct walk w;

	walk_start(&w, image, len);
	while (next_category(&w))
		if (w.type == CAT_STRINGS)
			return w.data;
	return none;
}

/* Copies string @number (from 1; 0 is none).  False when it is not there. */
static bool get_string(const struct span *s, u8 number, char *to, size_t room)
{
	size_t at = 1, i, n;

	to[0] = 0;
	if (!number)
		return true;
	if (number > get8(s, 0))
		return false;
	while (--number)
		at += 1 + get8(s, at);
	n = get8(s, at);
	if (at + 1 + n > s->len)
		return false;
	n = min_t(size_t, n, room - 1);
	for (i = 0; i < n; i++) {
		u8 c = s->p[at + 1 + i];

		if (!c)
			break;
		to[i] = c >= 0x20 && c < 0x7f ? c : '?';
	}
	to[i] = 0;
	return true;
}

static void info_string(struct kecat_sii_info *info, const struct span *strings,
			u8 number, char *to, size_t room)
{
	if (!get_string(strings, number, to, room))
		info->faults |= KECAT_SII_STRING;
}

static void parse_general(struct kecat_sii_info *info, const struct span *d,
			  const struct span *strings)
{
	info_string(info, strings, get8(d, GEN_GROUP), info->group,
		    sizeof(info->group));
	info_string(info, strings, get8(d, GEN_ORDER), info->order,
		    sizeof(info->order));
	info_string(info, strings, get8(d, GEN_NAME), info->name,
		    sizeof(info->name));
	info->coe_details = get8(d, GEN_COE);
	info->foe_details = get8(d, GEN_FOE);
	info->eoe_details = get8(d, GEN_EOE);
	info->flags = get8(d, GEN_FLAGS);
	info->ebus_ma = (s16)get16(d, GEN_EBUS);
}

static void parse_fmmu(struct kecat_sii_info *info, const struct span *d)
{
	size_t i;

	for (i = 0; i < d->len; i++) {
		if (info->nfmmus == KECAT_SII_MAX_FMMUS) {
			info->faults |= KECAT_SII_TOO_MANY;
			return;
		}
		info->fmmu[info->nfmmus++] = d->p[i];
	}
}

static void parse_sm(struct kecat_sii_info *info, const struct span *d)
{
	struct kecat_sii_sm *sm;
	size_t at;

	for (at = 0; at + SM_SIZE <= d->len; at += SM_SIZE) {
		if (info->nsms == KECAT_SII_MAX_SMS) {
			info->faults |= KECAT_SII_TOO_MANY;
			return;
		}
		sm = &info->sm[info->nsms++];
		sm->start = get16(d, at);
		sm->len = get16(d, at + 2);
		sm->control = get8(d, at + 4);
		sm->status = get8(d, at + 5);
		sm->enable = get8(d, at + 6);
		sm->type = get8(d, at + 7);
	}
}

static bool add_entry(struct pdo_sink *k, const struct kecat_pdo_entry *e,
		      u8 string)
{
	struct kecat_sii_info *info = k->info;
	struct kecat_pdo_entry *to;

	if (info->nentries == (k->entry ? k->max : KECAT_SII_MAX_ENTRIES)) {
		info->faults |= KECAT_SII_TOO_MANY;
		return false;
	}
	if (k->entry) {
		to = &k->entry[info->nentries];
		*to = *e;
		info_string(info, &k->strings, string, to->name,
			    sizeof(to->name));
	}
	info->nentries++;
	return true;
}

/* The entries of one PDO, from @at on.  False when there is no more room. */
static bool parse_entries(struct pdo_sink *k, const struct span *d, size_t at,
			  unsigned int count, struct kecat_pdo_entry *e)
{
	u32 before = k->info->nentries;
	u8 pdo_name = get8(d, at - PDO_SIZE + 5);

	for (; count; count--, at += PDO_SIZE) {
		if (at + PDO_SIZE > d->len)
			break;
		e->index = get16(d, at);
		e->subindex = get8(d, at + 2);
		e->bits = get8(d, at + 5);
		if (e->bits && !add_entry(k, e, get8(d, at + 3)))
			return false;
	}
	if (k->info->nentries > before)
		return true;
	e->index = 0;
	e->subindex = 0;
	e->bits = 0;
	return add_entry(k, e, pdo_name);
}

static void parse_pdos(struct pdo_sink *k, const struct span *d, u8 dir)
{
	struct kecat_pdo_entry e;
	unsigned int count;
	size_t at = 0;

	memset(&e, 0, sizeof(e));
	e.dir = dir;
	while (at + PDO_SIZE <= d->len) {
		e.pdo = get16(d, at);
		count = get8(d, at + 2);
		e.sm = get8(d, at + 3);
		at += PDO_SIZE;
		if (e.sm != SM_NONE && !parse_entries(k, d, at, count, &e))
			return;
		at += count * PDO_SIZE;
	}
}

static void parse_category(struct pdo_sink *k, const struct walk *w)
{
	struct kecat_sii_info *info = k->info;

	switch (w->type) {
	case CAT_GENERAL:
		parse_general(info, &w->data, &k->strings);
		break;
	case CAT_FMMU:
		parse_fmmu(info, &w->data);
		break;
	case CAT_SM:
		parse_sm(info, &w->data);
		break;
	case CAT_TXPDO:
		parse_pdos(k, &w->data, KECAT_DIR_IN);
		break;
	case CAT_RXPDO:
		parse_pdos(k, &w->data, KECAT_DIR_OUT);
		break;
	case CAT_DC:
		info->has_dc = w->data.len > 0;
		break;
	}
}

static void parse_header(struct kecat_sii_info *info, const struct span *s)
{
	info->pdi_control = get16(s, 2 * W_PDI_CONTROL);
	info->alias = get16(s, 2 * W_ALIAS);
	info->vendor = get32(s, 2 * W_VENDOR);
	info->product = get32(s, 2 * W_PRODUCT);
	info->revision = get32(s, 2 * W_REVISION);
	info->serial = get32(s, 2 * W_SERIAL);
	info->boot_out = get16(s, 2 * W_BOOT);
	info->boot_out_size = get16(s, 2 * W_BOOT + 2);
	info->boot_in = get16(s, 2 * W_BOOT + 4);
	info->boot_in_size = get16(s, 2 * W_BOOT + 6);
	info->mbx_out = get16(s, 2 * W_MBX);
	info->mbx_out_size = get16(s, 2 * W_MBX + 2);
	info->mbx_in = get16(s, 2 * W_MBX + 4);
	info->mbx_in_size = get16(s, 2 * W_MBX + 6);
	info->mbx_protocols = get16(s, 2 * W_PROTOCOLS);
	info->bytes = (get16(s, 2 * W_SIZE) + 1u) * 128;
}

/* An erased EEPROM, or none: all that is there is 0 or all 0xff. */
static bool is_empty(const struct span *s)
{
	size_t n = min_t(size_t, s->len, KECAT_SII_HEADER), i;

	for (i = 0; i < n; i++)
		if (s->p[i] != s->p[0])
			return false;
	return !n || s->p[0] == 0 || s->p[0] == 0xff;
}

/**
 * kecat_sii_parse - decode an EEPROM image
 * @image: the image, @len bytes
 * @len:   any length, also 0
 * @info:  out
 * @entry: out, room for @max entries; NULL: only count them in info->nentries
 * @max:   with @entry
 *
 * info->nentries never exceeds @max where @entry is given.
 */
void kecat_sii_parse(const u8 *image, size_t len, struct kecat_sii_info *info,
		     struct kecat_pdo_entry *entry, u32 max)
{
	struct span all = { image, len };
	struct pdo_sink sink = { .info = info, .entry = entry, .max = max };
	struct walk w;

	memset(info, 0, sizeof(*info));
	info->entry = entry;
	if (len < KECAT_SII_HEADER)
		info->faults |= KECAT_SII_SHORT;
	if (is_empty(&all)) {
		info->faults |= KECAT_SII_EMPTY;
		return;
	}
	parse_header(info, &all);
	if (len <= CRC_BYTES || kecat_sii_crc(image, CRC_BYTES) != image[CRC_BYTES])
		info->faults |= KECAT_SII_CRC;
	if (len < KECAT_SII_HEADER)
		return;

	sink.strings = find_strings(image, len);
	walk_start(&w, image, len);
	while (next_category(&w))
		parse_category(&sink, &w);
	info->faults |= w.faults;
}

/**
 * kecat_sii_extent - how far the categories reach
 * @image: what has been read so far
 * @len:   .. bytes
 * @done:  out: @image holds the end mark, or there is no more to find
 *
 * The result is beyond @len when the last category is not complete yet; the
 * caller then reads on to the result and the 4 bytes behind it.
 */
size_t kecat_sii_extent(const u8 *image, size_t len, bool *done)
{
	struct span all = { image, len };
	struct walk w;

	*done = false;
	if (len < KECAT_SII_HEADER)
		return KECAT_SII_HEADER;
	if (is_empty(&all)) {
		*done = true;
		return KECAT_SII_HEADER;
	}
	walk_start(&w, image, len);
	while (next_category(&w))
		;
	*done = !(w.faults & KECAT_SII_NO_END);
	if (*done && !(w.faults & KECAT_SII_TOO_MANY))
		w.at += 2;
	return w.at;
}
