// SPDX-License-Identifier: GPL-2.0-only
/* Small functions of the kernel's library, and how a run fails. */
#include <linux/kernel.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include "host.h"

bool host_failed;
int host_verbose;
int host_quiet;

/* ---- failing ---- */

static void complain(const char *file, int line, const char *fmt, va_list ap)
{
	const char *base = strrchr(file, '/');

	host_failed = true;
	if (host_quiet)
		return;
	printf("# %s:%d: %12llu ns, %s: ", base ? base + 1 : file, line,
	       host_now(), host_current ? host_current->comm : "-");
	vprintf(fmt, ap);
	printf("\n");
	fflush(NULL);
}

void host_fail(const char *file, int line, const char *fmt, ...)
{
	static int shown;
	va_list ap;

	host_failed = true;
	if (shown++ > 40)
		return;
	va_start(ap, fmt);
	complain(file, line, fmt, ap);
	va_end(ap);
	if (shown == 1 && !host_quiet)
		os_backtrace();
}

void host_fatal(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(file, line, fmt, ap);
	va_end(ap);
	if (!host_quiet) {
		os_backtrace();
		host_dump_tasks();
	}
	_exit(1);
}

void host_warn(const char *file, int line, const char *what)
{
	host_fail(file, line, "%s", what);
}

void host_bug(const char *file, int line, const char *what)
{
	host_fatal(file, line, "%s", what);
}

void host_printk(int level, const char *fmt, ...)
{
	va_list ap;

	if (!host_verbose)
		return;
	printf("# <%d> ", level);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
}

/* ---- strings ---- */

ssize_t host_strscpy(char *to, const char *from, size_t n)
{
	size_t i;

	if (!n)
		return -E2BIG;
	for (i = 0; i < n - 1 && from[i]; i++)
		to[i] = from[i];
	to[i] = 0;
	return from[i] ? -E2BIG : (ssize_t)i;
}

ssize_t strscpy_pad(char *to, const char *from, size_t n)
{
	ssize_t len = host_strscpy(to, from, n);

	if (len >= 0)
		memset(to + len, 0, n - len);
	return len;
}

void *memchr_inv(const void *p, int c, size_t n)
{
	const u8 *b = p;

	for (; n; n--, b++)
		if (*b != (u8)c)
			return (void *)b;
	return NULL;
}

void *kmemdup(const void *p, size_t n, gfp_t gfp)
{
	void *d = kmalloc(n, gfp);

	if (d)
		memcpy(d, p, n);
	return d;
}

char *kstrndup(const char *s, size_t n, gfp_t gfp)
{
	size_t len = strnlen(s, n);
	char *d = kmalloc(len + 1, gfp);

	if (!d)
		return NULL;
	memcpy(d, s, len);
	d[len] = 0;
	return d;
}

char *kstrdup(const char *s, gfp_t gfp)
{
	return kstrndup(s, strlen(s), gfp);
}

int vscnprintf(char *to, size_t n, const char *fmt, va_list ap)
{
	int len = vsnprintf(to, n, fmt, ap);

	return len < (int)n ? len : n ? (int)n - 1 : 0;
}

int scnprintf(char *to, size_t n, const char *fmt, ...)
{
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vscnprintf(to, n, fmt, ap);
	va_end(ap);
	return len;
}

char *kasprintf(gfp_t gfp, const char *fmt, ...)
{
	va_list ap, again;
	char *p, none[1];
	int len;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(none, sizeof(none), fmt, ap);
	va_end(ap);
	p = kmalloc(len + 1, gfp);
	if (p)
		vsnprintf(p, len + 1, fmt, again);
	va_end(again);
	return p;
}

/* ---- the rest ---- */

void sort(void *base, size_t n, size_t size,
	  int (*cmp)(const void *a, const void *b),
	  void (*swap_fn)(void *a, void *b, int size))
{
	qsort(base, n, size, cmp);
}

u32 get_random_u32(void)
{
	return (u32)host_rand();
}

u64 get_random_u64(void)
{
	return host_rand();
}

u32 get_random_u32_below(u32 n)
{
	return (u32)host_rand_below(n);
}

void get_random_bytes(void *p, size_t n)
{
	u8 *b = p;

	while (n--)
		*b++ = (u8)host_rand();
}

/* no read section can be open: who is in one cannot be switched away from */
void synchronize_rcu(void)
{
	might_sleep();
	schedule_timeout_uninterruptible(1);
}
