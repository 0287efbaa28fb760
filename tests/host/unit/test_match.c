// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/match.c
#include <errno.h>
#include <string.h>
#include "match.h"
#include "tap.h"

#define MAX	32

static struct kecat_scfg elem[MAX];
static struct kecat_cfg cfg = { .slave = elem };
static struct kecat_mslave s[MAX];
static u32 n;

static void begin(void)
{
	memset(elem, 0, sizeof(elem));
	memset(s, 0, sizeof(s));
	cfg.slaves = 0;
	n = 0;
}

static struct kecat_cfg_slave *element(u32 position, u32 product, u32 flags)
{
	struct kecat_cfg_slave *c = &elem[cfg.slaves++].c;

	c->position = position;
	c->vendor = product ? 2 : 0;
	c->product = product;
	c->flags = flags;
	return c;
}

static struct kecat_mslave *slave(u32 product, u16 alias)
{
	s[n] = (struct kecat_mslave) {
		.scanned = true, .alias = alias, .elem = -1,
		.ident = { true, 2, product, 5, 77 },
	};
	return &s[n++];
}

TEST(positions, "elements go to their positions, in whatever order they come")
{
	begin();
	element(2, 3, 0);
	element(0, 1, 0);
	element(1, 2, 0);
	slave(1, 0);
	slave(2, 0);
	slave(3, 0);
	CHECK_EQ(kecat_match(&cfg, s, n), 0);
	CHECK_EQ(s[0].elem, 1);
	CHECK_EQ(s[1].elem, 2);
	CHECK_EQ(s[2].elem, 0);
	CHECK_EQ(s[0].problem, KECAT_PROBLEM_NONE);
}

TEST(identity, "each field that must match is named when it does not")
{
	struct kecat_ident id = { true, 2, 1, 5, 77 };
	struct kecat_cfg_slave c = { .vendor = 2, .product = 1 };

	CHECK_EQ(kecat_match_identity(&c, &id), 0);
	c.flags = KECAT_CFGS_REVISION | KECAT_CFGS_SERIAL;
	c.revision = 5;
	c.serial = 77;
	CHECK_EQ(kecat_match_identity(&c, &id), 0);
	c.serial = 78;
	CHECK_EQ(kecat_match_identity(&c, &id), 4);
	c.revision = 6;
	CHECK_EQ(kecat_match_identity(&c, &id), 3);
	c.product = 9;
	CHECK_EQ(kecat_match_identity(&c, &id), 2);
	c.vendor = 9;
	CHECK_EQ(kecat_match_identity(&c, &id), 1);
	/* without the flags they are of no matter */
	c = (struct kecat_cfg_slave) { .vendor = 2, .product = 1, .serial = 5 };
	CHECK_EQ(kecat_match_identity(&c, &id), 0);
}

TEST(unreadable, "a device that cannot be read fits only who asks for nothing")
{
	struct kecat_ident id = { .valid = false };
	struct kecat_cfg_slave c = {};

	CHECK_EQ(kecat_match_identity(&c, &id), 0);
	c.flags = KECAT_CFGS_SERIAL;
	CHECK_EQ(kecat_match_identity(&c, &id), 4);
	c.product = 1;
	CHECK_EQ(kecat_match_identity(&c, &id), 2);
}

TEST(wrong_device, "another device gets no element, and says why")
{
	begin();
	element(0, 1, 0);
	slave(2, 0);
	CHECK_EQ(kecat_match(&cfg, s, n), 0);
	CHECK_EQ(s[0].elem, -1);
	CHECK_EQ(s[0].problem, KECAT_PROBLEM_IDENTITY);
	CHECK_EQ(s[0].detail, 2);
}

TEST(surplus, "a slave that no element is for")
{
	begin();
	element(0, 1, 0);
	slave(1, 0);
	slave(2, 0);
	CHECK_EQ(kecat_match(&cfg, s, n), 0);
	CHECK_EQ(s[1].problem, KECAT_PROBLEM_UNCONFIGURED);
	CHECK_EQ(kecat_match(NULL, s, n), 0);
	CHECK_EQ(s[0].elem, -1);
	CHECK_EQ(s[1].problem, KECAT_PROBLEM_NONE);
}

TEST(alias, "an alias is found wherever it is, and positions count from there")
{
	begin();
	element(0, 2, KECAT_CFGS_ALIAS)->alias = 100;
	element(1, 3, KECAT_CFGS_ALIAS)->alias = 100;
	element(5, 3, KECAT_CFGS_ALIAS)->alias = 100;	/* behind the end */
	element(0, 1, KECAT_CFGS_ALIAS)->alias = 7;	/* not there */
	element(0, 1, KECAT_CFGS_ALIAS)->alias = 0;	/* no alias at all */
	slave(1, 0);
	slave(2, 100);
	slave(3, 0);
	CHECK_EQ(kecat_match(&cfg, s, n), 0);
	CHECK_EQ(s[0].elem, -1);
	CHECK_EQ(s[1].elem, 0);
	CHECK_EQ(s[2].elem, 1);
}

TEST(clash, "two elements for one slave are refused, the first keeps it")
{
	begin();
	element(1, 2, 0);
	element(1, 2, 0);
	slave(1, 0);
	slave(2, 0);
	CHECK_EQ(kecat_match(&cfg, s, n), -ENOTUNIQ);
	CHECK_EQ(s[1].elem, 0);
	begin();
	element(0, 1, 0);
	element(0, 1, KECAT_CFGS_ALIAS)->alias = 100;
	slave(1, 100);
	CHECK_EQ(kecat_match(&cfg, s, n), -ENOTUNIQ);
	CHECK_EQ(s[0].elem, 1);
}

TEST(optional, "an optional device that is not there moves those behind it nearer")
{
	begin();
	element(0, 1, 0);
	element(1, 2, KECAT_CFGS_OPTIONAL);
	element(2, 3, 0);
	slave(1, 0);
	slave(3, 0);
	CHECK_EQ(kecat_match(&cfg, s, n), 0);
	CHECK_EQ(s[0].elem, 0);
	CHECK_EQ(s[1].elem, 2);
	CHECK_EQ(s[1].problem, KECAT_PROBLEM_NONE);
	begin();
	element(0, 1, 0);
	element(1, 2, KECAT_CFGS_OPTIONAL);
	element(2, 3, 0);
	slave(1, 0);
	slave(2, 0);
	slave(3, 0);
	CHECK_EQ(kecat_match(&cfg, s, n), 0);
	CHECK_EQ(s[1].elem, 1);
	CHECK_EQ(s[2].elem, 2);
}

TEST(unknown_yet, "before an optional one is known nothing behind it is decided")
{
	begin();
	element(0, 1, 0);
	element(1, 2, KECAT_CFGS_OPTIONAL);
	element(2, 3, 0);
	slave(1, 0);
	slave(2, 0)->scanned = false;
	slave(3, 0);
	CHECK_EQ(kecat_match(&cfg, s, n), 0);
	CHECK_EQ(s[0].elem, 0);
	CHECK_EQ(s[1].elem, -1);
	CHECK_EQ(s[1].problem, KECAT_PROBLEM_NONE);
	CHECK_EQ(s[2].elem, -1);
}

TEST(inserted, "who has its element keeps it when a device is put in front")
{
	begin();
	element(0, 1, 0);
	element(1, 2, 0);
	element(2, 3, 0);
	slave(1, 0)->elem = 0;
	slave(9, 0);
	slave(2, 0)->elem = 1;
	slave(3, 0);	/* came back as a new record */
	CHECK_EQ(kecat_match(&cfg, s, n), 0);
	CHECK_EQ(s[0].elem, 0);
	CHECK_EQ(s[1].elem, -1);
	CHECK_EQ(s[1].problem, KECAT_PROBLEM_UNCONFIGURED);
	CHECK_EQ(s[2].elem, 1);
	CHECK_EQ(s[3].elem, 2);
}

TEST(random, "whatever is there: an element has one slave at most, and fits it")
{
	static const u32 flags[] = {
		0, KECAT_CFGS_OPTIONAL, KECAT_CFGS_ALIAS,
		KECAT_CFGS_ALIAS | KECAT_CFGS_OPTIONAL,
	};
	unsigned int round, i, k;

	srand(9);
	for (round = 0; round < 100000; round++) {
		begin();
		for (i = rand() % 8; i; i--)
			element(rand() % 10, rand() % 4, flags[rand() % 4])->alias =
				rand() % 3;
		for (i = rand() % 8; i; i--) {
			struct kecat_mslave *m = slave(1 + rand() % 3, rand() % 3);

			m->scanned = rand() % 8;
			m->ident.valid = rand() % 8;
		}
		kecat_match(&cfg, s, n);
		for (i = 0; i < n; i++) {
			if (s[i].elem < 0)
				continue;
			CHECK(s[i].elem < (s32)cfg.slaves);
			CHECK(s[i].scanned);
			CHECK_EQ(kecat_match_identity(&elem[s[i].elem].c,
						      &s[i].ident), 0);
			for (k = 0; k < i; k++)
				CHECK(s[k].elem != s[i].elem);
		}
	}
}
