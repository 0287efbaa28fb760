// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include "tap.h"

static struct tap_case *cases, **tail = &cases;
static jmp_buf out;
static const char *skipped;

void tap_add(struct tap_case *c)
{
	*tail = c;
	tail = &c->next;
}

void tap_note(const char *fmt, ...)
{
	va_list ap;

	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

void tap_fail(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("# %s:%d: ", file, line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	longjmp(out, 1);
}

void tap_skip(const char *why)
{
	skipped = why;
	longjmp(out, 2);
}

/* [PATTERN]: only the cases whose name contains it */
int main(int argc, char **argv)
{
	const char *only = argc > 1 ? argv[1] : "";
	static struct tap_case *c;
	static int n, failed;

	for (c = cases; c; c = c->next) {
		if (!strstr(c->name, only))
			continue;
		n++;
		switch (setjmp(out)) {
		case 0:
			c->fn();
			printf("ok %d - %s\n", n, c->name);
			break;
		case 1:
			printf("not ok %d - %s\n", n, c->name);
			failed++;
			break;
		default:
			printf("ok %d - %s # SKIP %s\n", n, c->name, skipped);
		}
		fflush(stdout);
	}
	printf("1..%d\n", n);
	fflush(stdout);
	/* a case that failed has left its memory behind: that is not the news */
	if (failed || !n)
		_exit(1);
	return 0;
}
