/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output as text and as JSON from the same statement.
 *
 * Each call has a key for JSON and a printf format for text.  Key NULL: only
 * text.  Format NULL: only JSON.  Between out_begin() and out_end() the JSON
 * nesting follows out_open()/out_close(); inside lists keys are left out.
 */
#ifndef KECAT_TOOL_OUT_H
#define KECAT_TOOL_OUT_H

#include <stdbool.h>
#include <stdint.h>

void out_begin(bool json);
/* ends the document; -errno if anything could not be written */
int out_end(void);
bool out_is_json(void);

/* '{' or '[' */
void out_open(const char *key, char bracket);
void out_close(void);

void out_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* @fmt has one conversion: %s, PRIu64, PRId64 */
void out_str(const char *key, const char *fmt, const char *value);
void out_uint(const char *key, const char *fmt, uint64_t value);
void out_int(const char *key, const char *fmt, int64_t value);
/* text shows @yes or @no */
void out_bool(const char *key, const char *fmt, bool value, const char *yes,
	      const char *no);
/* microseconds with three decimals; JSON: nanoseconds under @key */
void out_ns(const char *key, const char *fmt, uint64_t ns);

/* foreign text made harmless for a terminal: \xNN for what is not printable */
const char *out_clean(const char *text);

#endif
