// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tap.h"

static int run, failed, wrong;

void tap_check(bool ok, const char *claim, const char *file, int line)
{
	if (ok)
		return;
	wrong++;
	printf("# %s:%d: %s\n", file, line, claim);
}

void tap_check_eq(long long a, long long b, const char *as, const char *bs,
		  const char *file, int line)
{
	if (a == b)
		return;
	wrong++;
	printf("# %s:%d: %s is %lld (%#llx), %s is %lld (%#llx)\n", file, line,
	       as, a, a, bs, b, b);
}

/* All cases of a program; what main() returns. */
int tap_cases(const struct tap_case *c, unsigned int n)
{
	for (; n; n--, c++) {
		wrong = 0;
		c->run();
		tap(!wrong, "%s", c->name);
	}
	return tap_end();
}

void tap(bool ok, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", ok ? "" : "not ", ++run);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	failed += !ok;
}

void tap_skip(const char *name, const char *why)
{
	printf("ok %d - %s # SKIP %s\n", ++run, name, why);
}

/* The plan, and what main() returns. */
int tap_end(void)
{
	printf("1..%d\n", run);
	return failed ? 1 : 0;
}

/* A text file, or NULL. */
char *tap_file(const char *fmt, ...)
{
	char path[4096], *text = NULL;
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	f = fopen(path, "rb");
	if (f)
		text = calloc(1, 1 << 20);
	if (text && fread(text, 1, (1 << 20) - 1, f) == 0) {
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}
