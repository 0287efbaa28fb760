// SPDX-License-Identifier: GPL-2.0-only
/* A configuration as a YAML file: what busfile.c reads back to the same blob. */
#include <inttypes.h>
#include <string.h>

#include "busfile.h"

/* A text between double quotes, whatever bytes it holds */
static void quoted(FILE *to, const char *s, size_t room)
{
	fputc('"', to);
	for (size_t i = 0; i < room && s[i]; i++) {
		unsigned char ch = s[i];

		if (ch == '"' || ch == '\\')
			fprintf(to, "\\%c", ch);
		else if (ch < 0x20 || ch >= 0x7f)
			fputc('?', to);	/* the file is UTF-8, this is not */
		else
			fputc(ch, to);
	}
	fputc('"', to);
}

static void value(FILE *to, const struct field *f, const void *base)
{
	uint64_t v = f->kind == F_TEXT || f->kind == F_FLAG ? 0 :
		     field_get(base, f->offset, f->size);
	int n = 0;

	switch (f->kind) {
	case F_TEXT:
		quoted(to, (const char *)base + f->offset, f->size);
		break;
	case F_FLAG:
		fputs("true", to);
		break;
	case F_ENUM:
		while (f->names[n] && (uint64_t)n < v)
			n++;
		fputs(f->names[n] ? f->names[n] : f->names[0], to);
		break;
	case F_US:
		fprintf(to, "%" PRIu64, v / 1000);
		if (v % 1000)
			fprintf(to, ".%03u", (unsigned int)(v % 1000));
		break;
	case F_INT:
		fprintf(to, "%" PRId32, (int32_t)v);
		break;
	default:
		if (f->hex)
			fprintf(to, "0x%0*" PRIx64, 2 * f->size, v);
		else
			fprintf(to, "%" PRIu64, v);
	}
}

/* @f says something: it is set, or the reader wants to see it */
static bool wanted(const struct fields *fs, const struct field *f, const void *base)
{
	uint64_t flags = fs->flags_size ?
			 field_get(base, fs->flags_offset, fs->flags_size) : 0;

	if (f->kind == F_LIST)
		return false;
	if (f->kind == F_FLAG || f->flag)
		return flags & f->flag;
	if (f->kind == F_TEXT)
		return ((const char *)base)[f->offset];
	if (f == fs->field || !strcmp(f->key, "dir") || !strcmp(f->key, "sub"))
		return true;
	return field_get(base, f->offset, f->size);
}

/* keys on lines of their own, the first behind "- " */
static void block(FILE *to, int indent, const struct fields *fs, const void *base)
{
	const char *lead = "- ";

	for (const struct field *f = fs->field; f->key; f++) {
		if (!wanted(fs, f, base))
			continue;
		fprintf(to, "%*s%s%s: ", indent, "", indent ? lead : "", f->key);
		value(to, f, base);
		fputc('\n', to);
		lead = "  ";
	}
}

/* "{key: value, ..." without the end */
static void flow(FILE *to, int indent, const struct fields *fs, const void *base)
{
	const char *sep = "";

	fprintf(to, "%*s- {", indent, "");
	for (const struct field *f = fs->field; f->key; f++) {
		if (!wanted(fs, f, base))
			continue;
		fprintf(to, "%s%s: ", sep, f->key);
		value(to, f, base);
		sep = ", ";
	}
}

static void save_sdos(FILE *to, const struct kecat_conf *conf, uint32_t slave)
{
	struct kecat_element e = { 0 };
	bool any = false;

	while (kecat_conf_next(conf, &e)) {
		const uint8_t *data = e.data;

		if (!e.sdo || e.slave != slave)
			continue;
		if (!any)
			fputs("    sdos:\n", to);
		any = true;
		flow(to, 6, &sdo_fields, e.sdo);
		fputs(", data: \"", to);
		for (uint32_t i = 0; i < e.sdo->len; i++)
			fprintf(to, "%s%02x", i ? " " : "", data[i]);
		fputs("\"}\n", to);
	}
}

/* A list's key goes out with its first item */
static void save_sms(FILE *to, const struct kecat_conf *conf, uint32_t slave)
{
	bool sms = false, pdos = false, entries = false;
	struct kecat_element e = { 0 };

	while (kecat_conf_next(conf, &e)) {
		if (e.slave != slave)
			continue;
		if (e.sm) {
			fputs(sms ? "" : "    sms:\n", to);
			block(to, 6, &sm_fields, e.sm);
			sms = true;
			pdos = false;
		} else if (e.pdo) {
			fputs(pdos ? "" : "        pdos:\n", to);
			block(to, 10, &pdo_fields, e.pdo);
			pdos = true;
			entries = false;
		} else if (e.entry) {
			fputs(entries ? "" : "            entries:\n", to);
			flow(to, 14, &entry_fields, e.entry);
			fputs("}\n", to);
			entries = true;
		}
	}
}

void busfile_save(FILE *to, const struct kecat_conf *conf)
{
	struct kecat_element e = { 0 };
	bool any = false;

	fputs("# kecat bus configuration, see kecat-config(5)\n", to);
	while (kecat_conf_next(conf, &e)) {
		if (e.bus)
			block(to, 0, &bus_fields, e.bus);
		if (!e.slv)
			continue;
		fputs(any ? "" : "slaves:\n", to);
		any = true;
		block(to, 2, &slave_fields, e.slv);
		save_sms(to, conf, e.slave);
		save_sdos(to, conf, e.slave);
	}
}
