// SPDX-License-Identifier: GPL-2.0-only
/* kecat doctor: is this machine fit for real time, and what to do about it? */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "doctor/doctor.h"
#include "doctor/tree.h"

#define MAX_SECONDS	3600

const struct opt doctor_opts[] = {
	{ "cpu", 'c', "N", "CPU of the cyclic thread, if it does not run yet" },
	{ "fix", 'f', NULL, "mend what is safe while the machine runs" },
	{ "seconds", 's', "S", "time between two looks at counters (5); 0: one look" },
	{ "root", 0, "DIR", "look at a recorded tree instead of this machine" },
	{ "record", 0, "DIR", "store what was read, for --root" },
	{ NULL, 0, NULL, NULL }
};

static int count_checks(void)
{
	int n = 0;

	for (const struct group *g = groups; g->name; g++)
		for (const struct check *c = g->checks; c->id; c++)
			n++;
	return n;
}

static void run_all(struct exam *e, struct row *rows, bool first)
{
	for (const struct group *g = groups; g->name; g++) {
		for (const struct check *c = g->checks; c->id; c++, rows++) {
			rows->group = g->name;
			rows->check = c;
			run_check(e, c, &rows->now);
			if (first)
				rows->first = rows->now;
		}
	}
}

static int examine(struct ctx *c, struct exam *e, struct row *rows, int n)
{
	bool mending = opt_has(c, "fix");
	int done = 0;

	run_all(e, rows, true);
	for (int i = 0; i < n && mending; i++)
		if (rows[i].first.verdict == WARN || rows[i].first.verdict == FAIL)
			done += fix(e, &rows[i].first);
	if (done) {
		exam_look(e);
		run_all(e, rows, false);
	}
	if (report(e, rows, n, c->json, mending))
		return EXIT_FAIL;
	for (int i = 0; i < n; i++)
		if (rows[i].now.verdict == FAIL)
			return EXIT_FAIL;
	return EXIT_OK;
}

/* sysfs.c looks for ports there */
static char *use_root(const char *root)
{
	char *sys;

	if (!root || asprintf(&sys, "%s/sys", root) < 0)
		return NULL;
	sysfs_root = sys;
	return sys;
}

int cmd_doctor(struct ctx *c, int argc, char **argv)
{
	const char *root = opt_str(c, "root"), *record = opt_str(c, "record");
	uint64_t cpu = CPUS_MAX, seconds = 5;
	int n = count_checks(), ret;
	struct exam *e;
	struct row *rows;
	char *sys;

	if (argc > 1)
		return usage_error(c, "one port");
	if (opt_uint(c, "cpu", CPUS_MAX - 1, &cpu) || opt_uint(c, "seconds", MAX_SECONDS, &seconds))
		return EXIT_USAGE;
	if (root && record)
		return usage_error(c, "--root and --record exclude each other");
	ret = tree_open(root, record);
	if (ret)
		return fail(c, ret, "cannot open %s", root ? root : record);
	sys = use_root(root);
	e = calloc(1, sizeof(*e));
	rows = calloc(n, sizeof(*rows));
	if (!e || !rows) {
		ret = fail(c, -ENOMEM, "doctor");
	} else {
		e->seconds = seconds;
		ret = exam_begin(e, c->master, cpu == CPUS_MAX ? -1 : (int)cpu, argc ? argv[0] : NULL);
	}
	if (!ret)
		ret = examine(c, e, rows, n);
	if (e)
		exam_end(e);
	free(e);
	free(rows);
	free(sys);
	tree_close();
	return ret;
}
