/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests: each runs in a process of its own, as the main thread of a run. */
#ifndef HOST_TAP_H
#define HOST_TAP_H

#include <linux/kernel.h>
#include "host.h"

struct tap_test {
	const char *name;
	void (*fn)(void);
	struct tap_test *next;
};

void tap_add(struct tap_test *t);
u64 tap_seed(void);			/* KECAT_SEED, else 1 */
u64 tap_number(const char *env, u64 otherwise);
void tap_params(void);			/* what a run starts with */

#define TEST(fname)							\
	static void fname(void);					\
	static struct tap_test tap_##fname = { #fname, fname, NULL };	\
	__attribute__((constructor)) static void tap_reg_##fname(void)	\
	{								\
		tap_add(&tap_##fname);					\
	}								\
	static void fname(void)

#define CHECK(c) ({							\
	bool __ok = !!(c);						\
	if (!__ok)							\
		host_fail(__FILE__, __LINE__, "CHECK(%s)", #c);		\
	__ok; })
#define CHECK_EQ(a, b) ({						\
	long long __a = (long long)(a), __b = (long long)(b);		\
	if (__a != __b)							\
		host_fail(__FILE__, __LINE__, "%s is %lld (0x%llx), not %lld (%s)", \
			  #a, __a, (unsigned long long)__a, __b, #b);	\
	__a == __b; })
#define REQUIRE(c) \
	do { if (!(c)) host_fatal(__FILE__, __LINE__, "REQUIRE(%s)", #c); } while (0)

#endif
