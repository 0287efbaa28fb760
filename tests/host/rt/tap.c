// SPDX-License-Identifier: GPL-2.0-only
/* main() of all tests: [-v] [name...] */
#include <linux/string.h>
#include "tap.h"

static struct tap_test *first, **last = &first;

void tap_add(struct tap_test *t)
{
	*last = t;
	last = &t->next;
}

u64 tap_number(const char *env, u64 otherwise)
{
	const char *s = getenv(env);

	return s && *s ? strtoull(s, NULL, 0) : otherwise;
}

u64 tap_seed(void)
{
	return tap_number("KECAT_SEED", 1);
}

void tap_params(void)
{
	host_params = (struct host_params) {
		.relax_ns = 150,
		.clock_ns = 20,
		.wake_ns = 20 * NSEC_PER_USEC,
		.rt_wake_ns = 5 * NSEC_PER_USEC,
		.hold_chance = 16,
		.limit_ns = 3600ULL * NSEC_PER_SEC,
	};
}

static void run_one(void *arg)
{
	struct tap_test *t = arg;

	t->fn();
}

static int in_child(struct tap_test *t)
{
	int pid;

	if (getenv("KECAT_NOFORK"))
		pid = 0;
	else
		pid = os_fork();
	if (pid)
		return os_wait(pid);
	os_time_limit(tap_number("KECAT_TIMEOUT", 900));
	tap_params();
	host_run(tap_seed(), run_one, t);
	fflush(NULL);
	_exit(host_failed);
}

static bool wanted(const char *name, int argc, char **argv)
{
	int i, names = 0;

	for (i = 1; i < argc; i++) {
		if (argv[i][0] == '-')
			continue;
		names++;
		if (!strcmp(argv[i], name))
			return true;
	}
	return !names;
}

int main(int argc, char **argv)
{
	struct tap_test *t;
	int n = 0, bad = 0, i;

	for (i = 1; i < argc; i++)
		if (!strcmp(argv[i], "-v"))
			host_verbose = 1;
	for (t = first; t; t = t->next) {
		int code;

		if (!wanted(t->name, argc, argv))
			continue;
		code = in_child(t);
		n++;
		bad += code != 0;
		if (code > 1)
			printf("# exit code %d, seed %llu\n", code, tap_seed());
		printf("%s %d - %s\n", code ? "not ok" : "ok", n, t->name);
		fflush(NULL);
	}
	printf("1..%d\n", n);
	return bad || !n;
}
