// SPDX-License-Identifier: GPL-2.0-only
/* kecat config */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "busfile.h"
#include "cmd.h"
#include "out.h"

#define DEFAULT_CYCLE_NS 1000000u

const struct opt config_opts[] = {
	{ "cycle-us", 'c', "US", "scan: cycle time (1000)" },
	{ "group-per-slave", 'g', NULL, "scan: a sync group for each slave" },
	{ NULL, 0, NULL, NULL }
};

/* The configuration itself goes to stdout as YAML; JSON only counts it */
static int show(struct ctx *c, const struct kecat_conf *conf, const char *verb)
{
	struct kecat_element e = { 0 };
	uint32_t slaves = 0, entries = 0;

	while (kecat_conf_next(conf, &e)) {
		slaves += e.slv != NULL;
		entries += e.entry != NULL;
	}
	out_begin(c->json);
	out_uint("slaves", NULL, slaves);
	out_uint("entries", NULL, entries);
	if (verb)
		out_text("%s: %u slaves, %u entries\n", verb, slaves, entries);
	else if (!c->json)
		busfile_save(stdout, conf);
	return out_end() ? EXIT_FAIL : EXIT_OK;
}

static int scan(struct ctx *c, int argc, char **argv)
{
	unsigned int flags = opt_has(c, "group-per-slave") ? KECAT_SCAN_GROUPS : 0;
	uint64_t cycle = DEFAULT_CYCLE_NS;
	struct kecat_conf *conf;
	int ret;

	(void)argv;
	if (argc)
		return usage_error(c, "too many arguments");
	if (opt_us(c, "cycle-us", &cycle))
		return EXIT_USAGE;
	ret = open_master(c, KECAT_RDONLY);
	if (ret)
		return ret;
	ret = kecat_conf_from_scan(c->k, cycle, flags, &conf);
	if (ret)
		return fail(c, ret, "scan");
	ret = show(c, conf, NULL);
	kecat_conf_free(conf);
	return ret;
}

/* @verb: what to say when it is done, NULL: nothing */
static int load(struct ctx *c, const char *path, bool apply, const char *verb)
{
	struct busfile f;
	int ret;

	ret = busfile_load(path, &f);
	if (ret)
		return ret;
	ret = open_master(c, KECAT_RDWR);
	if (ret)
		goto out;
	ret = apply ? kecat_configure(c->k, f.conf) : kecat_verify(c->k, f.conf);
	if (ret)
		ret = fail(c, ret, "%s refused", path);
	else if (verb)
		ret = show(c, f.conf, verb);
out:
	busfile_free(&f);
	return ret;
}

static int check(struct ctx *c, int argc, char **argv)
{
	if (argc != 1)
		return usage_error(c, "which file? '-' is standard input");
	return load(c, argv[0], false, "valid");
}

static int apply(struct ctx *c, int argc, char **argv)
{
	if (argc != 1)
		return usage_error(c, "which file? '-' is standard input");
	return load(c, argv[0], true, "applied");
}

int config_apply(struct ctx *c, const char *path)
{
	return load(c, path, true, NULL);
}

static int show_applied(struct ctx *c, int argc, char **argv)
{
	struct kecat_conf *conf;
	int ret;

	(void)argv;
	if (argc)
		return usage_error(c, "too many arguments");
	ret = open_master(c, KECAT_RDONLY);
	if (ret)
		return ret;
	ret = kecat_get_config(c->k, &conf);
	if (ret == -ENOENT) {
		error("no configuration is applied: kecat config apply FILE, or kecat run");
		return EXIT_FAIL;
	}
	if (ret)
		return fail(c, ret, "configuration of master %u", c->master);
	ret = show(c, conf, NULL);
	kecat_conf_free(conf);
	return ret;
}

static int clear(struct ctx *c, int argc, char **argv)
{
	int ret;

	(void)argv;
	if (argc)
		return usage_error(c, "too many arguments");
	ret = open_master(c, KECAT_RDWR);
	if (ret)
		return ret;
	ret = kecat_configure(c->k, NULL);
	return ret ? fail(c, ret, "clear") : EXIT_OK;
}

static const struct {
	const char *name;
	int (*fn)(struct ctx *c, int argc, char **argv);
} verbs[] = {
	{ "scan", scan }, { "check", check }, { "apply", apply },
	{ "show", show_applied }, { "clear", clear },
};

int cmd_config(struct ctx *c, int argc, char **argv)
{
	for (size_t i = 0; argc && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(verbs[i].name, argv[0]))
			return verbs[i].fn(c, argc - 1, argv + 1);
	return usage_error(c, "scan, check, apply, show or clear?");
}
