// SPDX-License-Identifier: GPL-2.0-only
/* The slave information interface (ETG.1000.6 5.4, ETG.2010) for readers. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "out.h"
#include "sii_show.h"

#define HEADER		0x80	/* bytes before the first category */
#define MAX_CATEGORIES	256
#define CAT_END		0xffff

struct sii {
	const uint8_t *data;
	size_t len;
	const uint8_t *strings;	/* payload of the category of texts, or NULL */
	size_t strings_len;
};

static uint16_t get16(const uint8_t *p)
{
	return p[0] | p[1] << 8;
}

static uint32_t get32(const uint8_t *p)
{
	return get16(p) | (uint32_t)get16(p + 2) << 16;
}

/* Text @index (1 = first); "" where there is none */
static const char *text(const struct sii *s, unsigned int index)
{
	static char buf[2][256];
	static int slot;
	size_t pos = 1;
	char *to = buf[slot ^= 1];

	to[0] = '\0';
	if (!index || !s->strings || !s->strings_len || index > s->strings[0])
		return to;
	while (--index && pos < s->strings_len)
		pos += 1 + s->strings[pos];
	if (pos >= s->strings_len || s->strings[pos] > s->strings_len - pos - 1)
		return to;
	memcpy(to, s->strings + pos + 1, s->strings[pos]);
	to[s->strings[pos]] = '\0';
	return to;
}

static uint8_t crc(const uint8_t *p, size_t len)
{
	uint8_t c = 0xff;

	while (len--) {
		c ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			c = c & 0x80 ? c << 1 ^ 0x07 : c << 1;
	}
	return c;
}

static void show_header(const struct sii *s)
{
	const uint8_t *p = s->data;
	bool good = crc(p, 14) == p[14];

	out_uint("alias", "Alias         %" PRIu64 "\n", get16(p + 8));
	out_uint("pdi_control", "PDI control   0x%04" PRIx64 "\n", get16(p));
	out_bool("crc_ok", "Checksum      %s\n", good, "good",
		 "WRONG: the slave refuses to leave INIT");
	out_uint("vendor", "Vendor        0x%08" PRIx64 "\n", get32(p + 16));
	out_uint("product", "Product       0x%08" PRIx64 "\n", get32(p + 20));
	out_uint("revision", "Revision      0x%08" PRIx64 "\n", get32(p + 24));
	out_uint("serial", "Serial        0x%08" PRIx64 "\n", get32(p + 28));
	out_open("mailbox", '{');
	out_uint("out", "Mailbox out   0x%04" PRIx64, get16(p + 48));
	out_uint("out_size", ", %" PRIu64 " bytes\n", get16(p + 50));
	out_uint("in", "Mailbox in    0x%04" PRIx64, get16(p + 52));
	out_uint("in_size", ", %" PRIu64 " bytes\n", get16(p + 54));
	out_uint("protocols", "Protocols     0x%04" PRIx64 "\n", get16(p + 56));
	out_close();
	out_uint("size_bytes", "EEPROM        %" PRIu64 " bytes\n",
		 (get16(p + 124) + 1) * 128ull);
}

static void show_texts(const struct sii *s)
{
	out_open("strings", '[');
	for (unsigned int i = 1; s->strings_len && i <= s->strings[0]; i++) {
		out_text("  %3u ", i);
		out_str("", "%s\n", text(s, i));
	}
	out_close();
}

static void show_general(const struct sii *s, const uint8_t *p, size_t len)
{
	if (len < 14)
		return;
	out_str("group", "  Group       %s\n", text(s, p[0]));
	out_str("order", "  Order       %s\n", text(s, p[2]));
	out_str("name", "  Name        %s\n", text(s, p[3]));
	out_uint("coe_details", "  CoE details 0x%02" PRIx64 "\n", p[5]);
	out_uint("flags", "  Flags       0x%02" PRIx64 "\n", p[11]);
	out_int("ebus_ma", "  E-bus       %" PRId64 " mA\n", (int16_t)get16(p + 12));
}

static void show_fmmus(const struct sii *s, const uint8_t *p, size_t len)
{
	static const char *const use[] = { "unused", "outputs", "inputs", "mailbox state" };

	(void)s;
	out_open("use", '[');
	for (size_t i = 0; i < len; i++) {
		out_text("  FMMU%zu      ", i);
		out_str("", " %s\n", p[i] < 4 ? use[p[i]] : "unused");
	}
	out_close();
}

static void show_sms(const struct sii *s, const uint8_t *p, size_t len)
{
	static const char *const type[] = {
		"unused", "mailbox out", "mailbox in", "outputs", "inputs",
	};

	(void)s;
	out_open("sms", '[');
	for (size_t i = 0; i + 8 <= len; i += 8) {
		out_open(NULL, '{');
		out_text("  SM%zu", i / 8);
		out_uint("start", "         0x%04" PRIx64, get16(p + i));
		out_uint("len", ", %" PRIu64 " bytes", get16(p + i + 2));
		out_uint("control", ", control 0x%02" PRIx64, p[i + 4]);
		out_uint("enable", ", enable 0x%02" PRIx64, p[i + 6]);
		out_str("type", ", %s\n", p[i + 7] < 5 ? type[p[i + 7]] : "unknown");
		out_close();
	}
	out_close();
}

static void show_pdos(const struct sii *s, const uint8_t *p, size_t len)
{
	size_t pos = 0;

	out_open("pdos", '[');
	while (pos + 8 <= len) {
		unsigned int entries = p[pos + 2];

		out_open(NULL, '{');
		out_uint("pdo", "  PDO 0x%04" PRIx64, get16(p + pos));
		out_uint("sm", p[pos + 3] < 16 ? ", SM%" PRIu64 : ", no SM", p[pos + 3]);
		out_str("name", "  %s\n", text(s, p[pos + 5]));
		out_open("entries", '[');
		pos += 8;
		for (; entries && pos + 8 <= len; entries--, pos += 8) {
			out_open(NULL, '{');
			out_uint("index", "    0x%04" PRIx64, get16(p + pos));
			out_uint("subindex", ":%02" PRIx64, p[pos + 2]);
			out_uint("bits", " %4" PRIu64 " bit", p[pos + 5]);
			out_str("name", "  %s\n", text(s, p[pos + 3]));
			out_close();
		}
		out_close();
		out_close();
	}
	out_close();
}

static void show_dc(const struct sii *s, const uint8_t *p, size_t len)
{
	out_open("modes", '[');
	for (size_t i = 0; i + 24 <= len; i += 24) {
		out_open(NULL, '{');
		out_uint("sync0_ns", "  SYNC0 %" PRIu64 " ns", get32(p + i));
		out_uint("assign_activate", ", AssignActivate 0x%04" PRIx64, get16(p + i + 8));
		out_str("name", "  %s\n", text(s, p[i + 16]));
		out_close();
	}
	out_close();
}

static const struct {
	uint16_t type;
	const char *name;
	void (*show)(const struct sii *s, const uint8_t *p, size_t len);
} kinds[] = {
	{ 10, "strings", NULL },
	{ 20, "data types", NULL },
	{ 30, "general", show_general },
	{ 40, "fmmu", show_fmmus },
	{ 41, "sync managers", show_sms },
	{ 42, "fmmu extended", NULL },
	{ 43, "sync units", NULL },
	{ 50, "inputs (TxPDO)", show_pdos },
	{ 51, "outputs (RxPDO)", show_pdos },
	{ 60, "distributed clocks", show_dc },
};

static void show_category(const struct sii *s, uint16_t type, const uint8_t *p,
			  size_t len)
{
	const char *name = type < 10 ? "device specific" : type & 0x8000 ?
			   "vendor specific" : "unknown";
	size_t k = 0, n = sizeof(kinds) / sizeof(kinds[0]);

	while (k < n && kinds[k].type != type)
		k++;
	out_open(NULL, '{');
	out_uint("type", "\nCategory 0x%04" PRIx64, type);
	out_str("name", " %s", k < n ? kinds[k].name : name);
	out_uint("length", ", %" PRIu64 " bytes\n", len);
	if (type == 10)
		show_texts(s);
	else if (k < n && kinds[k].show)
		kinds[k].show(s, p, len);
	out_close();
}

/* The category at @pos: false at the end; @len cut to what is there */
static bool category(const struct sii *s, size_t pos, uint16_t *type, size_t *len)
{
	if (pos + 4 > s->len)
		return false;
	*type = get16(s->data + pos);
	*len = 2 * (size_t)get16(s->data + pos + 2);
	if (*type == CAT_END)
		return false;
	if (*len > s->len - pos - 4)
		*len = s->len - pos - 4;
	return true;
}

void sii_show(const uint8_t *data, size_t len)
{
	struct sii s = { .data = data, .len = len };
	size_t pos, n;
	uint16_t type;
	int count;

	if (len < HEADER) {
		out_str("fault", "%s\n", "shorter than its header: EEPROM empty or not loaded");
		return;
	}
	show_header(&s);
	for (pos = HEADER, count = 0; category(&s, pos, &type, &n) &&
	     count < MAX_CATEGORIES; pos += 4 + n, count++) {
		if (type == 10 && n && !s.strings) {
			s.strings = data + pos + 4;
			s.strings_len = n;
		}
	}
	out_open("categories", '[');
	for (pos = HEADER, count = 0; category(&s, pos, &type, &n) &&
	     count < MAX_CATEGORIES; pos += 4 + n, count++)
		show_category(&s, type, data + pos + 4, n);
	out_close();
	out_bool("end_mark", "%s", pos + 2 <= len && get16(data + pos) == CAT_END, "",
		 "\nno end mark: the image is cut or damaged\n");
}
