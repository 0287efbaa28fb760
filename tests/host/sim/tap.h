/* SPDX-License-Identifier: GPL-2.0-only */
/* Test results as text: one line a test. */
#ifndef KECAT_TEST_TAP_H
#define KECAT_TEST_TAP_H

#include <stdbool.h>

/* A claim inside a case; a false one fails it and says where. */
#define CHECK(claim) tap_check(claim, #claim, __FILE__, __LINE__)
#define CHECK_EQ(a, b) \
	tap_check_eq((long long)(a), (long long)(b), #a, #b, __FILE__, __LINE__)

struct tap_case {
	const char *name;
	void (*run)(void);
};

void tap_check(bool ok, const char *claim, const char *file, int line);
void tap_check_eq(long long a, long long b, const char *as, const char *bs,
		  const char *file, int line);
int tap_cases(const struct tap_case *c, unsigned int n);

void tap(bool ok, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tap_skip(const char *name, const char *why);
int tap_end(void);
char *tap_file(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
