// SPDX-License-Identifier: GPL-2.0-only
/* Findings, and checks that are no more than a file and the value it should hold. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "tree.h"

void found(struct finding *f, enum verdict v, const char *fmt, ...)
{
	va_list ap;

	f->verdict = v;
	va_start(ap, fmt);
	vsnprintf(f->read, sizeof(f->read), fmt, ap);
	va_end(ap);
}

void unreadable(struct finding *f, const char *path, int err)
{
	found(f, SKIP, "/%s: %s", path, err == -EACCES || err == -EPERM ?
	      "no permission: run as root" : strerror(-err));
}

/* Cut between two of them, never within one */
static void append(struct finding *f, const char *text)
{
	size_t len = strlen(f->mend);

	if (len + strlen(text) + 3 < sizeof(f->mend))
		sprintf(f->mend + len, "%s%s", len ? "; " : "", text);
}

void mend(struct finding *f, const char *fmt, ...)
{
	char text[MEND_LEN];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	append(f, text);
}

void remedy(struct finding *f, const char *value, const char *fmt, ...)
{
	struct remedy *r = &f->remedy[f->remedies];
	va_list ap;
	int n;

	if (f->remedies == MAX_REMEDIES || strlen(value) >= sizeof(r->value))
		return;
	va_start(ap, fmt);
	n = vsnprintf(r->path, sizeof(r->path), fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(r->path))
		return;
	strcpy(r->value, value);
	r->result = 0;
	f->remedies++;
}

/* sysctl takes either sign between the words, a name of an interface may have dots */
static void dotted(char *name)
{
	if (!strchr(name, '.'))
		for (; *name; name++)
			if (*name == '/')
				*name = '.';
}

void mend_write(struct finding *f, bool safe, const char *value, const char *fmt, ...)
{
	char path[TREE_PATH];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(path, sizeof(path), fmt, ap);
	va_end(ap);
	if (safe)
		remedy(f, value, "%s", path);
	if (strncmp(path, "proc/sys/", 9)) {
		mend(f, "echo %s >/%s", value, path);
	} else {
		dotted(path + 9);
		mend(f, "sysctl -w %s=%s", path + 9, value);
	}
}

void mend_ethtool(struct finding *f, const char *key, const char *value,
		  const char *fmt, ...)
{
	char text[MEND_LEN];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	append(f, text);
	remedy(f, value, "ethtool/%s", key);
}

void mend_boot(struct exam *e, struct finding *f, const char *fmt, ...)
{
	char text[sizeof(e->boot[0])], said[sizeof(text) + 20];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= sizeof(text))
		return;
	snprintf(said, sizeof(said), "kernel parameter %s", text);
	append(f, said);
	for (int i = 0; i < e->boots; i++)
		if (!strcmp(e->boot[i], text))
			return;
	if (e->boots < MAX_BOOT_ARGS)
		strcpy(e->boot[e->boots++], text);
}

bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *s = strstr(text, word); s; s = strstr(s + 1, word))
		if ((s == text || strchr(" \t\n", s[-1])) && strchr(" \t\n", s[len]))
			return true;
	return false;
}

bool line_value(const char *lines, const char *key, int64_t *v)
{
	size_t len = strlen(key);

	for (const char *s = lines; s && *s; s = strchr(s, '\n') ? strchr(s, '\n') + 1 : NULL) {
		char *end;

		if (strncmp(s, key, len) || s[len] != '=')
			continue;
		errno = 0;
		*v = strtoll(s + len + 1, &end, 0);
		return !errno && end != s + len + 1 && (!*end || *end == '\n');
	}
	return false;
}

/* {cpu} {if} {pci} replaced */
static void expand(const struct exam *e, const char *template, char *path, size_t room)
{
	char number[16];
	const struct {
		const char *name, *value;
	} names[] = { { "{cpu}", number }, { "{if}", e->port.ifname }, { "{pci}", e->port.pci } };
	size_t n = 0;

	snprintf(number, sizeof(number), "%d", e->cpu);
	while (*template && n + 1 < room) {
		bool replaced = false;

		for (size_t i = 0; !replaced && i < sizeof(names) / sizeof(names[0]); i++) {
			size_t len = strlen(names[i].name);

			if (strncmp(template, names[i].name, len))
				continue;
			n += snprintf(path + n, room - n, "%s", names[i].value);
			template += len;
			replaced = true;
		}
		if (!replaced)
			path[n++] = *template++;
	}
	path[n < room ? n : room - 1] = '\0';
}

static bool holds(const struct check *c, const char *text)
{
	char *end;
	long long v;

	if (c->relation == EQUAL)
		return !strcmp(text, c->want);
	errno = 0;
	v = strtoll(text, &end, 10);
	if (errno || end == text || *end)
		return false;
	return c->relation == AT_MOST ? v <= atoll(c->want) : v >= atoll(c->want);
}

static void check_file(struct exam *e, const struct check *c, struct finding *f)
{
	char path[TREE_PATH], text[64];
	int ret;

	expand(e, c->path, path, sizeof(path));
	ret = tree_line(text, sizeof(text), "%s", path);
	if (ret == -ENOENT && c->absent) {
		found(f, PASS, "%s", c->absent);
		return;
	}
	if (!ret && !*text)
		ret = -ENODATA;
	if (ret) {
		unreadable(f, path, ret);
		return;
	}
	found(f, holds(c, text) ? PASS : c->otherwise, "/%s is %s", path, text);
	if (f->verdict == PASS)
		return;
	if (c->safe)
		mend_write(f, true, c->want, "%s", path);
	if (c->mend) {
		expand(e, c->mend, path, sizeof(path));
		mend(f, "%s", path);
	}
	if (c->boot)
		mend_boot(e, f, "%s", c->boot);
}

void run_check(struct exam *e, const struct check *c, struct finding *f)
{
	memset(f, 0, sizeof(*f));
	if (c->needs & NEED_CPU && e->cpu < 0)
		found(f, SKIP, "no CPU to look at: --cpu N");
	else if (c->needs & NEED_PCI && !e->port.pci[0])
		found(f, SKIP, e->port.ifname[0] ? "not on PCI" : "no port given");
	else if (c->needs & NEED_NETDEV && e->ours)
		found(f, SKIP, "kecat has the port: no socket in the path");
	else if (c->needs & NEED_NETDEV && !e->port.ifname[0])
		found(f, SKIP, e->port.pci[0] ? "no network interface" : "no port given");
	else if (c->probe)
		c->probe(e, f);
	else
		check_file(e, c, f);
}
