// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/kecat.h"
#include "types.h"

enum kind { BOOL, INT, UINT, SIGNMAG, FLOAT, TEXT, OCTETS, UNICODE, RAW };

static const struct type {
	const char *name;
	enum kind kind;
	uint8_t bytes;		/* 0: any */
} types[] = {
	{ "bool", BOOL, 1 },
	{ "int8", INT, 1 }, { "int16", INT, 2 }, { "int24", INT, 3 },
	{ "int32", INT, 4 }, { "int40", INT, 5 }, { "int48", INT, 6 },
	{ "int56", INT, 7 }, { "int64", INT, 8 },
	{ "uint8", UINT, 1 }, { "uint16", UINT, 2 }, { "uint24", UINT, 3 },
	{ "uint32", UINT, 4 }, { "uint40", UINT, 5 }, { "uint48", UINT, 6 },
	{ "uint56", UINT, 7 }, { "uint64", UINT, 8 },
	{ "sm8", SIGNMAG, 1 }, { "sm16", SIGNMAG, 2 }, { "sm32", SIGNMAG, 4 },
	{ "sm64", SIGNMAG, 8 },
	{ "float", FLOAT, 4 }, { "double", FLOAT, 8 },
	{ "string", TEXT, 0 }, { "octet_string", OCTETS, 0 },
	{ "unicode_string", UNICODE, 0 }, { "raw", RAW, 0 },
};

const char type_names[] =
	"bool int8 int16 int24 int32 int40 int48 int56 int64 uint8 uint16 "
	"uint24 uint32 uint40 uint48 uint56 uint64 sm8 sm16 sm32 sm64 float "
	"double string octet_string unicode_string raw";

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct type *find(const char *name)
{
	for (size_t i = 0; i < COUNT(types); i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

bool type_known(const char *type)
{
	return find(type) != NULL;
}

const char *type_guess(size_t len)
{
	for (size_t i = 0; i < COUNT(types); i++)
		if (types[i].kind == UINT && types[i].bytes == len)
			return types[i].name;
	return "raw";
}

/* A whole number that fits @bits; negative ones only where @sign */
static bool integer(const char *text, unsigned int bits, bool sign, uint64_t *v)
{
	bool minus = *text == '-';
	unsigned long long n;
	uint64_t most;
	char *end;

	if (minus && !sign)
		return false;
	text += minus || *text == '+';
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	n = strtoull(text, &end, 0);
	if (errno || *end)
		return false;
	most = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
	if (sign)
		most = (most >> 1) + minus;
	if (n > most)
		return false;
	*v = minus ? -n : n;
	return true;
}

static bool number(const struct type *t, const char *text, uint64_t *v)
{
	unsigned int bits = 8 * t->bytes;
	double d;
	float f;
	uint32_t w;
	char *end;

	switch (t->kind) {
	case BOOL:
		*v = !strcmp(text, "true") || !strcmp(text, "1");
		return *v || !strcmp(text, "false") || !strcmp(text, "0");
	case INT:
		return integer(text, bits, true, v);
	case UINT:
		return integer(text, bits, false, v);
	case SIGNMAG:
		if (!integer(text, bits, true, v) || (*text == '-' && -*v >> (bits - 1)))
			return false;
		if (*text == '-')
			*v = -*v | 1ull << (bits - 1);
		return true;
	default:
		break;
	}
	errno = 0;
	d = strtod(text, &end);
	if (end == text || *end || errno == ERANGE)
		return false;
	if (t->bytes == 8) {
		memcpy(v, &d, sizeof(d));
		return true;
	}
	f = (float)d;
	memcpy(&w, &f, sizeof(w));
	*v = w;
	return isfinite(f) || !isfinite(d);
}

ssize_t hex_parse(const char *text, uint8_t *buf, size_t room)
{
	size_t n = 0;

	for (; *text; text++) {
		char pair[3] = { text[0], text[1], '\0' };

		if (isspace((unsigned char)*text))
			continue;
		if (!isxdigit((unsigned char)pair[0]) || !isxdigit((unsigned char)pair[1]))
			return -1;
		if (n >= room)
			return -2;
		buf[n++] = strtoul(pair, NULL, 16);
		text++;
	}
	return n;
}

/* UTF-8 to UTF-16 units, the planes behind the first are refused */
static ssize_t unicode(const char *text, uint8_t *buf, size_t room)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = 0;

	while (*s) {
		unsigned int more = *s < 0x80 ? 0 : *s >> 5 == 6 ? 1 : *s >> 4 == 14 ? 2 : 9;
		uint32_t ch = more == 0 ? *s : more == 1 ? *s & 0x1f : *s & 0x0f;

		if (more > 2)
			return -1;
		for (s++; more; more--, s++) {
			if (*s >> 6 != 2)
				return -1;
			ch = ch << 6 | (*s & 0x3f);
		}
		if (n + 2 > room)
			return -2;
		buf[n++] = ch;
		buf[n++] = ch >> 8;
	}
	return n;
}

ssize_t type_parse(const char *type, const char *text, uint8_t *buf, size_t room)
{
	const struct type *t = find(type);
	uint64_t v;

	if (!t)
		return -1;
	if (t->kind == UNICODE)
		return unicode(text, buf, room);
	if (t->kind == RAW || t->kind == OCTETS)
		return hex_parse(text, buf, room);
	if (t->kind == TEXT) {
		if (strlen(text) > room)
			return -2;
		memcpy(buf, text, strlen(text));
		return strlen(text);
	}
	if (t->bytes > room)
		return -2;
	if (!number(t, text, &v))
		return -1;
	kecat_set(buf, 0, 8 * t->bytes, v);
	return t->bytes;
}

static void format_number(const struct type *t, const uint8_t *data, char *buf,
			  size_t room, bool *number)
{
	unsigned int bits = 8 * t->bytes;
	uint64_t v = kecat_get(data, 0, bits);
	uint32_t w = v;
	double d = 0;
	float f;

	switch (t->kind) {
	case BOOL:
		snprintf(buf, room, "%s", v ? "true" : "false");
		return;
	case INT:
		snprintf(buf, room, "%" PRId64, kecat_get_signed(data, 0, bits));
		return;
	case SIGNMAG:
		snprintf(buf, room, "%s%" PRIu64, v >> (bits - 1) ? "-" : "",
			 v & ~((uint64_t)1 << (bits - 1)));
		return;
	case FLOAT:
		memcpy(&f, &w, sizeof(f));
		memcpy(&d, &v, sizeof(d));
		*number = isfinite(t->bytes == 4 ? f : d);
		snprintf(buf, room, "%.*g", t->bytes == 4 ? 9 : 17,
			 t->bytes == 4 ? f : d);
		return;
	default:
		snprintf(buf, room, "%" PRIu64, v);
	}
}

static void format_hex(const uint8_t *data, size_t len, char *buf, size_t room)
{
	size_t n = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < len && n + 4 < room; i++)
		n += sprintf(buf + n, "%s%02x", i ? " " : "", data[i]);
}

/* UTF-16 units to UTF-8, up to the first 0 */
static void format_unicode(const uint8_t *data, size_t len, char *buf, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i + 1 < len && n + 4 < room; i += 2) {
		unsigned int ch = data[i] | data[i + 1] << 8;

		if (!ch)
			break;
		if (ch < 0x80) {
			buf[n++] = ch;
		} else if (ch < 0x800) {
			buf[n++] = 0xc0 | ch >> 6;
			buf[n++] = 0x80 | (ch & 0x3f);
		} else {
			buf[n++] = 0xe0 | ch >> 12;
			buf[n++] = 0x80 | (ch >> 6 & 0x3f);
			buf[n++] = 0x80 | (ch & 0x3f);
		}
	}
	buf[n] = '\0';
}

bool type_format(const char *type, const uint8_t *data, size_t len, char *buf,
		 size_t room, bool *number)
{
	const struct type *t = find(type);

	*number = t && t->bytes;
	if (!t || (t->bytes && t->bytes != len))
		return false;
	if (t->kind == TEXT)
		snprintf(buf, room, "%.*s", (int)len, (const char *)data);
	else if (t->kind == UNICODE)
		format_unicode(data, len, buf, room);
	else if (t->kind == RAW || t->kind == OCTETS)
		format_hex(data, len, buf, room);
	else
		format_number(t, data, buf, room, number);
	return true;
}
