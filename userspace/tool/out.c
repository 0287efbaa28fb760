// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"

#define MAX_DEPTH	16
#define CLEAN_SLOTS	4
#define CLEAN_LEN	512

static struct {
	bool json;
	int depth;
	char bracket[MAX_DEPTH];
	bool filled[MAX_DEPTH];	/* something stands there already */
} out;

static void json_string(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		unsigned char ch = *s;

		if (ch == '"' || ch == '\\')
			printf("\\%c", ch);
		else if (ch < 0x20 || ch >= 0x7f)
			printf("\\u%04x", ch);	/* SII texts are Latin-1 at best */
		else
			putchar(ch);
	}
	putchar('"');
}

static void json_key(const char *key)
{
	if (out.filled[out.depth])
		putchar(',');
	if (out.depth) {
		putchar('\n');
		printf("%*s", 2 * out.depth, "");
	}
	out.filled[out.depth] = true;
	if (out.depth && out.bracket[out.depth] == '{') {
		json_string(key);
		fputs(": ", stdout);
	}
}

void out_begin(bool json)
{
	memset(&out, 0, sizeof(out));
	out.json = json;
	out_open("", '{');
}

int out_end(void)
{
	while (out.depth)
		out_close();
	if (out.json)
		putchar('\n');
	if (fflush(stdout) || ferror(stdout))
		return errno ? -errno : -EIO;
	return 0;
}

bool out_is_json(void)
{
	return out.json;
}

void out_open(const char *key, char bracket)
{
	if (out.depth >= MAX_DEPTH - 1)
		abort();	/* a mistake in this program */
	if (out.json) {
		json_key(key);
		putchar(bracket);
	}
	out.depth++;
	out.bracket[out.depth] = bracket;
	out.filled[out.depth] = false;
}

void out_close(void)
{
	if (out.json && out.filled[out.depth])
		printf("\n%*s", 2 * (out.depth - 1), "");
	if (out.json)
		putchar(out.bracket[out.depth] == '{' ? '}' : ']');
	out.depth--;
}

void out_text(const char *fmt, ...)
{
	va_list ap;

	if (out.json)
		return;
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

void out_str(const char *key, const char *fmt, const char *value)
{
	if (!out.json) {
		if (fmt)
			printf(fmt, out_clean(value));
		return;
	}
	if (!key)
		return;
	json_key(key);
	json_string(value);
}

void out_uint(const char *key, const char *fmt, uint64_t value)
{
	if (!out.json) {
		if (fmt)
			printf(fmt, value);
		return;
	}
	if (!key)
		return;
	json_key(key);
	printf("%" PRIu64, value);
}

void out_int(const char *key, const char *fmt, int64_t value)
{
	if (!out.json) {
		if (fmt)
			printf(fmt, value);
		return;
	}
	if (!key)
		return;
	json_key(key);
	printf("%" PRId64, value);
}

void out_bool(const char *key, const char *fmt, bool value, const char *yes,
	      const char *no)
{
	if (!out.json) {
		if (fmt)
			printf(fmt, value ? yes : no);
		return;
	}
	if (!key)
		return;
	json_key(key);
	fputs(value ? "true" : "false", stdout);
}

void out_ns(const char *key, const char *fmt, uint64_t ns)
{
	char us[32];

	snprintf(us, sizeof(us), "%" PRIu64 ".%03u", ns / 1000,
		 (unsigned int)(ns % 1000));
	if (!out.json) {
		if (fmt)
			printf(fmt, us);
		return;
	}
	if (!key)
		return;
	json_key(key);
	printf("%" PRIu64, ns);
}

#pragma GCC diagnostic pop

const char *out_clean(const char *text)
{
	static char slots[CLEAN_SLOTS][CLEAN_LEN];
	static int next;
	char *buf = slots[next++ % CLEAN_SLOTS];
	size_t n = 0;

	for (; *text && n + 5 < CLEAN_LEN; text++) {
		unsigned char ch = *text;

		if (ch >= 0x20 && ch < 0x7f)
			buf[n++] = ch;
		else
			n += sprintf(buf + n, "\\x%02x", ch);
	}
	buf[n] = '\0';
	return buf;
}
