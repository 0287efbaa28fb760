/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A bus configuration as a YAML file.  kecat-config(5) describes it; the table
 * of keys in busfile.c serves reading and writing.
 */
#ifndef KECAT_TOOL_BUSFILE_H
#define KECAT_TOOL_BUSFILE_H

#include <stdio.h>

#include "../lib/kecat.h"

#define MAX_LOOPS 64

/* outputs of one configured slave wired to inputs of another */
struct loop_pair {
	uint32_t from;
	uint32_t to;
};

struct busfile {
	struct kecat_conf *conf;
	struct loop_pair loop[MAX_LOOPS];
	int loops;
};

/* 0, or an exit code after a message; "-" is standard input */
int busfile_load(const char *path, struct busfile *f);
void busfile_free(struct busfile *f);
void busfile_save(FILE *to, const struct kecat_conf *conf);

/* ---- the table of keys (busfields.c) ---- */

enum field_kind { F_UINT, F_INT, F_US, F_FLAG, F_ENUM, F_TEXT, F_LIST };

struct field {
	const char *key;
	enum field_kind kind;
	uint16_t offset;
	uint16_t size;
	uint32_t flag;		/* set in the flags when the key is there */
	uint64_t max;
	const char *const *names;	/* F_ENUM: by value, ends with NULL */
	bool hex;
};

struct fields {
	const struct field *field;	/* ends with key NULL */
	uint16_t flags_offset;
	uint16_t flags_size;		/* 0: has none */
};

extern const struct fields bus_fields, slave_fields, sm_fields, pdo_fields,
			   entry_fields, sdo_fields, loop_fields;

uint64_t field_get(const void *base, uint16_t offset, uint16_t size);
void field_set(void *base, uint16_t offset, uint16_t size, uint64_t v);

#endif
