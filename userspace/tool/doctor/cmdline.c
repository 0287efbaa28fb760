// SPDX-License-Identifier: GPL-2.0-only
/* The kernel command line: words with quotes, and lists of CPUs that add up. */
#include <stdio.h>
#include <string.h>

#include "doctor.h"

/* Put there by the boot loader itself */
static const char *const loaders[] = { "BOOT_IMAGE", "initrd", NULL };
/* Lists of CPUs that add up */
static const char *const lists[] = { "isolcpus", "nohz_full", "rcu_nocbs", NULL };

/* The next word from *@s on; its length, 0 at the end */
static size_t next_word(const char **s)
{
	bool quoted = false;
	size_t n = 0;

	*s += strspn(*s, " \t\n");
	for (; (*s)[n] && (quoted || !strchr(" \t\n", (*s)[n])); n++)
		quoted ^= (*s)[n] == '"';
	return n;
}

/* Dashes and underscores are the same to the kernel */
static bool same_key(const char *a, const char *b, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (a[i] != b[i] && !(strchr("-_", a[i]) && strchr("-_", b[i])))
			return false;
	return true;
}

static bool is_key(const char *word, size_t len, const char *key, size_t key_len)
{
	return len >= key_len && same_key(word, key, key_len) &&
	       (len == key_len || word[key_len] == '=');
}

bool cmdline_value(const struct exam *e, const char *key, char *buf, size_t room)
{
	const char *s = e->cmdline;
	bool there = false;
	size_t n;

	for (; (n = next_word(&s)) && strncmp(s, "-- ", 3); s += n) {
		size_t len = strlen(key);

		if (!is_key(s, n, key, len))
			continue;
		there = true;	/* the last one counts */
		snprintf(buf, room, "%.*s", n > len ? (int)(n - len - 1) : 0, s + len + 1);
	}
	return there;
}

static bool in(const char *const *names, const char *word, size_t len)
{
	for (; *names; names++)
		if (is_key(word, len, *names, strlen(*names)))
			return true;
	return false;
}

/* Flags of isolcpus end where the CPUs begin */
static size_t flags_len(const char *value)
{
	return strcspn(value, "0123456789");
}

/* Both lists of CPUs, and the wanted flags with those that were there */
static void unite(char *buf, size_t room, const char *had, const char *want)
{
	size_t key = strcspn(want, "=") + 1, flags = flags_len(want + key);
	char list[512], more[64] = "";
	struct cpus a, b;

	snprintf(list, sizeof(list), "%s", had + flags_len(had));
	if (cpus_list(&a, list) && cpus_list(&b, want + key + flags)) {
		cpus_add(&a, &b);
		cpus_format(&a, list, sizeof(list));
	} else {
		snprintf(list, sizeof(list), "%s", want + key + flags);
	}
	if (strncmp(had, "nohz,", 5) == 0 || strstr(had, ",nohz,"))
		strcpy(more, "nohz,");
	snprintf(buf, room, "%.*s%s%.*s%s", (int)key, want, more, (int)flags, want + key, list);
}

static size_t put(char *buf, size_t room, const char *word, size_t n)
{
	size_t len = strlen(buf);

	if (len + n + 2 < room)
		sprintf(buf + len, "%s%.*s", len ? " " : "", (int)n, word);
	return n;
}

static void put_wanted(const struct exam *e, char *buf, size_t room)
{
	for (int i = 0; i < e->boots; i++) {
		char key[64], had[512], word[640];

		snprintf(key, sizeof(key), "%.*s", (int)strcspn(e->boot[i], "="), e->boot[i]);
		snprintf(word, sizeof(word), "%s", e->boot[i]);
		if (in(lists, word, strlen(word)) && cmdline_value(e, key, had, sizeof(had)))
			unite(word, sizeof(word), had, e->boot[i]);
		put(buf, room, word, strlen(word));
	}
}

void cmdline_merge(const struct exam *e, char *buf, size_t room)
{
	const char *s = e->cmdline;
	size_t n;

	*buf = '\0';
	for (; (n = next_word(&s)); s += n) {
		bool replaced = in(loaders, s, n);

		if (n == 2 && !strncmp(s, "--", 2))
			break;	/* the rest is for init */
		for (int i = 0; i < e->boots; i++)
			replaced |= is_key(s, n, e->boot[i], strcspn(e->boot[i], "="));
		if (!replaced)
			put(buf, room, s, n);
	}
	put_wanted(e, buf, room);
	while ((n = next_word(&s)))
		s += put(buf, room, s, n);
}
