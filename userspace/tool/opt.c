// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command line options by table.  Options may stand anywhere; "--" ends them;
 * a minus sign before a digit begins a number, not an option.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

/* the option's place in ctx.value: the command's own first, then the global */
static int own_count(const struct ctx *c)
{
	int n = 0;

	while (c->cmd && c->cmd->opts && c->cmd->opts[n].name)
		n++;
	return n;
}

static const struct opt *opt_at(const struct ctx *c, int i)
{
	int own = own_count(c);

	return i < own ? &c->cmd->opts[i] : &global_opts[i - own];
}

static int opt_find(const struct ctx *c, const char *name, size_t len, char letter)
{
	for (int i = 0; opt_at(c, i)->name; i++) {
		const struct opt *o = opt_at(c, i);

		if (letter ? o->letter == letter :
		    !strncmp(o->name, name, len) && !o->name[len])
			return i;
	}
	return -1;
}

/* One argument that begins with '-'; returns how many arguments it took */
static int take(struct ctx *c, int left, char **argv)
{
	const char *arg = argv[0], *name = arg + 1, *val = NULL;
	size_t len = 1;
	int i;

	if (arg[1] == '-') {
		name = arg + 2;
		len = strcspn(name, "=");
		i = opt_find(c, name, len, 0);
		if (name[len])
			val = name + len + 1;
	} else {
		i = opt_find(c, NULL, 0, *name);
		if (i >= 0 && name[1])
			val = name + 1;
	}
	if (i < 0)
		return usage_error(c, "unknown option %s", arg), -1;
	if (!opt_at(c, i)->arg) {
		if (val)
			return usage_error(c, "option --%s takes no value",
					   opt_at(c, i)->name), -1;
		c->value[i] = "";
		return 1;
	}
	if (!val && left < 2)
		return usage_error(c, "option --%s needs a value: %s",
				   opt_at(c, i)->name, opt_at(c, i)->arg), -1;
	c->value[i] = val ? val : argv[1];
	return val ? 1 : 2;
}

int opt_parse(struct ctx *c, int argc, char **argv)
{
	int n = 0, i = 0;

	while (i < argc) {
		char *arg = argv[i];
		int took;

		if (!strcmp(arg, "--")) {
			while (++i < argc)
				argv[n++] = argv[i];
			break;
		}
		if (arg[0] != '-' || !arg[1] || isdigit((unsigned char)arg[1])) {
			argv[n++] = arg;
			i++;
			continue;
		}
		took = take(c, argc - i, argv + i);
		if (took < 0)
			return -1;
		i += took;
	}
	return n;
}

int opt_index(const struct ctx *c, const char *name)
{
	return opt_find(c, name, strlen(name), 0);
}

const char *opt_str(const struct ctx *c, const char *name)
{
	int i = opt_index(c, name);

	return i < 0 ? NULL : c->value[i];
}

bool opt_has(const struct ctx *c, const char *name)
{
	return opt_str(c, name) != NULL;
}

bool parse_uint(const char *text, uint64_t max, uint64_t *v)
{
	unsigned long long n;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	n = strtoull(text, &end, 0);
	if (errno || *end || n > max)
		return false;
	*v = n;
	return true;
}

bool parse_us(const char *text, uint64_t *ns)
{
	unsigned long long us, frac = 0;
	unsigned int scale = 1000;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	us = strtoull(text, &end, 10);
	if (errno || us > 1000000000)
		return false;
	if (*end == '.') {
		for (end++; isdigit((unsigned char)*end) && scale > 1; end++) {
			scale /= 10;
			frac += (unsigned int)(*end - '0') * scale;
		}
	}
	if (*end)
		return false;
	*ns = us * 1000 + frac;
	return true;
}

int opt_uint(const struct ctx *c, const char *name, uint64_t max, uint64_t *v)
{
	const char *text = opt_str(c, name);

	if (!text || parse_uint(text, max, v))
		return 0;
	usage_error(c, "option --%s: '%s' is not a number of 0 to %llu", name,
		    text, (unsigned long long)max);
	return -1;
}

int opt_us(const struct ctx *c, const char *name, uint64_t *ns)
{
	const char *text = opt_str(c, name);

	if (!text || parse_us(text, ns))
		return 0;
	usage_error(c, "option --%s: '%s' is not a time in microseconds", name, text);
	return -1;
}

int arg_uint(const char *what, const char *text, uint64_t max, uint64_t *v)
{
	if (parse_uint(text, max, v))
		return 0;
	error("%s: '%s' is not a number of 0 to %llu", what, text,
	      (unsigned long long)max);
	return -1;
}
