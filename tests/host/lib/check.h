/* SPDX-License-Identifier: GPL-2.0-only */
/* TAP for the tests of libkecat: a failed check names its line. */
#ifndef LIB_TEST_CHECK_H
#define LIB_TEST_CHECK_H

#include <stdio.h>

static int checks_failed, tests_run, tests_failed;

#define CHECK(cond) do {						\
	if (!(cond)) {							\
		printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond);	\
		checks_failed++;					\
	}								\
} while (0)

#define RUN(fn) do {							\
	checks_failed = 0;						\
	fn();								\
	tests_failed += checks_failed != 0;				\
	printf("%sok %d - %s\n", checks_failed ? "not " : "", ++tests_run, #fn); \
} while (0)

#define DONE() (printf("1..%d\n", tests_run), tests_failed != 0)

#endif
