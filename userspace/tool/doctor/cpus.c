// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpus.h"

static bool number(const char **s, unsigned long *v)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return false;
	*v = strtoul(*s, &end, 10);
	*s = end;
	return *v < CPUS_MAX;
}

static bool parse_list(struct cpus *c, const char *s)
{
	while (*s) {
		unsigned long first, last;

		if (!number(&s, &first))
			return false;
		last = first;
		if (*s == '-' && (s++, !number(&s, &last) || last < first))
			return false;
		for (unsigned long i = first; i <= last; i++)
			cpus_set(c, i, true);
		if (*s && *s++ != ',')
			return false;
	}
	return true;
}

bool cpus_list(struct cpus *c, const char *text)
{
	memset(c, 0, sizeof(*c));
	if (parse_list(c, text))
		return true;
	memset(c, 0, sizeof(*c));
	return false;
}

bool cpus_mask(struct cpus *c, const char *text)
{
	unsigned int bit = 0;
	size_t i = strlen(text);

	memset(c, 0, sizeof(*c));
	if (!i)
		return false;
	while (i--) {
		unsigned char ch = text[i];

		if (ch == ',')
			continue;
		if (!isxdigit(ch) || bit + 4 > CPUS_MAX) {
			memset(c, 0, sizeof(*c));
			return false;
		}
		ch = isdigit(ch) ? ch - '0' : (ch | 0x20) - 'a' + 10;
		c->bits[bit / 64] |= (uint64_t)ch << bit % 64;
		bit += 4;
	}
	return true;
}

bool cpus_has(const struct cpus *c, unsigned int cpu)
{
	return cpu < CPUS_MAX && c->bits[cpu / 64] >> cpu % 64 & 1;
}

void cpus_set(struct cpus *c, unsigned int cpu, bool on)
{
	uint64_t bit = 1ull << cpu % 64;

	if (cpu >= CPUS_MAX)
		return;
	if (on)
		c->bits[cpu / 64] |= bit;
	else
		c->bits[cpu / 64] &= ~bit;
}

void cpus_add(struct cpus *c, const struct cpus *more)
{
	for (int i = 0; i < CPUS_MAX / 64; i++)
		c->bits[i] |= more->bits[i];
}

void cpus_remove(struct cpus *c, const struct cpus *less)
{
	for (int i = 0; i < CPUS_MAX / 64; i++)
		c->bits[i] &= ~less->bits[i];
}

unsigned int cpus_count(const struct cpus *c)
{
	unsigned int n = 0;

	for (int i = 0; i < CPUS_MAX / 64; i++)
		n += __builtin_popcountll(c->bits[i]);
	return n;
}

int cpus_first(const struct cpus *c)
{
	for (int i = 0; i < CPUS_MAX / 64; i++)
		if (c->bits[i])
			return i * 64 + __builtin_ctzll(c->bits[i]);
	return -1;
}

void cpus_format(const struct cpus *c, char *buf, size_t room)
{
	size_t n = 0;

	*buf = '\0';
	for (unsigned int i = 0; i < CPUS_MAX && n < room; i++) {
		unsigned int last = i;

		if (!cpus_has(c, i))
			continue;
		while (cpus_has(c, last + 1))
			last++;
		n += snprintf(buf + n, room - n, "%s%u", n ? "," : "", i);
		if (last > i && n < room)
			n += snprintf(buf + n, room - n, "-%u", last);
		i = last;
	}
}

void cpus_format_mask(const struct cpus *c, char *buf, size_t room)
{
	size_t n = 0;
	int word = CPUS_MAX / 32 - 1;

#define WORD(i)	((uint32_t)(c->bits[(i) / 2] >> (i) % 2 * 32))
	while (word && !WORD(word))
		word--;
	n = snprintf(buf, room, "%x", WORD(word));
	while (word-- && n < room)
		n += snprintf(buf + n, room - n, ",%08x", WORD(word));
#undef WORD
}
