/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A test program: TEST() declares and registers a case, CHECK() ends it when
 * something does not hold, main() is in tap.c.
 */
#ifndef UNIT_TAP_H
#define UNIT_TAP_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct tap_case {
	const char *name;
	void (*fn)(void);
	struct tap_case *next;
};

void tap_add(struct tap_case *c);
void tap_fail(const char *file, int line, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 3, 4)));
void tap_skip(const char *why) __attribute__((noreturn));
void tap_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#define TEST_NAMED(f, text)						\
static void f(void);							\
static struct tap_case f##_case = { text, f, NULL };			\
static void __attribute__((constructor)) f##_add(void)			\
{									\
	tap_add(&f##_case);						\
}									\
static void f(void)

/* one edit adds a test: TEST(name, "what has to be true") { ... } */
#define TEST(f, text) TEST_NAMED(test_##f, text)

#define CHECK(cond) do {						\
	if (!(cond))							\
		tap_fail(__FILE__, __LINE__, "%s", #cond);		\
} while (0)

#define CHECK_EQ(a, b) do {						\
	long long __a = (long long)(a), __b = (long long)(b);		\
	if (__a != __b)							\
		tap_fail(__FILE__, __LINE__,				\
			 "%s is %lld (%#llx), not %s = %lld (%#llx)",	\
			 #a, __a, __a, #b, __b, __b);			\
} while (0)

#define CHECK_STR(a, b) do {						\
	if (strcmp(a, b))						\
		tap_fail(__FILE__, __LINE__, "%s is \"%s\", not \"%s\"",	\
			 #a, a, b);					\
} while (0)

#endif
