/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of config.c share */
#ifndef UNIT_CFGFIX_H
#define UNIT_CFGFIX_H

#include <errno.h>
#include <string.h>
#include "cfgblob.h"
#include "config.h"
#include "rt.h"
#include "tap.h"

/* ---- a configuration that uses everything, and where its elements are ---- */

struct fixture {
	struct blob b;
	size_t bus;
	size_t s0, out, rx, rx_e0, rx_gap, rx_e1, in, tx0, tx0_e, tx1, tx1_e;
	size_t sdo, sdo_ca;
	size_t s1, s1_out, s1_pdo, s1_in;
	size_t s2;
};

static inline void build_drive(struct fixture *f)
{
	struct blob *b = &f->b;

	f->s0 = PUT_SLAVE(b, .position = 0, .group = 1, .vendor = 2,
			  .product = 0x1234, .revision = 7,
			  .flags = KECAT_CFGS_ASSIGN | KECAT_CFGS_MAPPING |
				   KECAT_CFGS_REVISION | KECAT_CFGS_WATCHDOG |
				   KECAT_CFGS_DC,
			  .mbx_out = 0x1000, .mbx_out_size = 128,
			  .mbx_in = 0x1080, .mbx_in_size = 128,
			  .wd_divider = 2498, .wd_pd = 1000,
			  .dc_activate = 0x0300, .dc_shift_ns = -5000,
			  .name = "drive");
	f->out = PUT_SM(b, .index = 2, .dir = KECAT_DIR_OUT,
			.flags = KECAT_SM_WATCHDOG_ON, .start = 0x1100,
			.len = 3, .control = 0x64);
	f->rx = put_pdo(b, 0x1600);
	f->rx_e0 = put_entry(b, 0x7000, 1, 16);
	f->rx_gap = put_entry(b, 0, 0, 4);
	f->rx_e1 = put_entry(b, 0x7000, 2, 1);
	f->in = PUT_SM(b, .index = 3, .dir = KECAT_DIR_IN, .control = 0x20);
	f->tx0 = put_pdo(b, 0x1a00);
	f->tx0_e = put_entry(b, 0x6000, 1, 32);
	f->tx1 = put_pdo(b, 0x1a01);
	f->tx1_e = put_entry(b, 0x6010, 1, 8);
	f->sdo = put_sdo(b, (struct kecat_cfg_sdo){ .index = 0x8000,
			 .subindex = 9, .len = 2 });
	f->sdo_ca = put_sdo(b, (struct kecat_cfg_sdo){ .index = 0x8001,
			    .subindex = 1, .flags = KECAT_SDO_COMPLETE,
			    .transition = KECAT_TR_SO, .len = 5 });
}

static inline void build(struct fixture *f)
{
	struct blob *b = &f->b;

	memset(f, 0, sizeof(*f));
	f->bus = PUT_BUS(b, .cycle_ns = 1000000, .spin_ns = 20000,
			 .app_miss = 10, .on_app_loss = KECAT_LOSS_HOLD);
	build_drive(f);
	f->s1 = PUT_SLAVE(b, .position = 1, .name = "digital");
	f->s1_out = PUT_SM(b, .index = 0, .dir = KECAT_DIR_OUT, .start = 0xf00);
	f->s1_pdo = put_pdo(b, 0x0018);
	put_entry(b, 0x7000, 1, 1);
	put_entry(b, 0x7010, 1, 1);
	f->s1_in = PUT_SM(b, .index = 1, .dir = KECAT_DIR_IN, .len = 6);
	f->s2 = PUT_SLAVE(b, .position = 3, .alias = 77,
			  .flags = KECAT_CFGS_ALIAS | KECAT_CFGS_OPTIONAL);
}

static inline int parse(const struct blob *b, struct kecat_cfg **cfg,
		 struct kecat_cfg_error *e)
{
	/* exactly as long as the blob: one byte more read is found */
	void *copy = malloc(b->len);
	int ret;

	memcpy(copy, b->b, b->len);
	*cfg = NULL;
	memset(e, 0x5a, sizeof(*e));
	ret = kecat_config_parse(copy, b->len, cfg, e);
	/* and no pointer into it remains */
	memset(copy, 0xee, b->len);
	free(copy);
	return ret;
}

static inline void check_accepted(struct blob *b)
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	int ret = parse(b, &cfg, &e);

	if (ret)
		tap_note("%s", e.message);
	CHECK_EQ(ret, 0);
	kecat_config_free(cfg);
	CHECK_EQ(rt_allocated(), 0);
}

static inline void check_refused(struct blob *b, size_t at, u32 slave, u32 type,
			  const char *part)
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	int ret = parse(b, &cfg, &e);

	kecat_config_free(cfg);
	CHECK_EQ(ret, -EINVAL);
	CHECK(!cfg);
	CHECK(memchr(e.message, 0, sizeof(e.message)));
	if (!strstr(e.message, part))
		tap_fail(__FILE__, __LINE__, "\"%s\" does not say \"%s\"",
			 e.message, part);
	CHECK_EQ(e.offset, at);
	CHECK_EQ(e.slave, slave);
	CHECK_EQ(e.type, type);
	CHECK_EQ(rt_allocated(), 0);
}

/* the fields of the fixture's elements */
#define BUS	PAYLOAD(&f.b, f.bus, kecat_cfg_bus)
#define SLAVE	PAYLOAD(&f.b, f.s0, kecat_cfg_slave)
#define SLAVE1	PAYLOAD(&f.b, f.s1, kecat_cfg_slave)
#define SLAVE2	PAYLOAD(&f.b, f.s2, kecat_cfg_slave)
#define SM(at)	PAYLOAD(&f.b, f.at, kecat_cfg_sm)
#define PDO(at)	PAYLOAD(&f.b, f.at, kecat_cfg_pdo)
#define ENTRY(at) PAYLOAD(&f.b, f.at, kecat_cfg_entry)
#define SDO(at)	PAYLOAD(&f.b, f.at, kecat_cfg_sdo)

/* the shortest beginning */
static inline void start(struct blob *b)
{
	memset(b, 0, sizeof(*b));
	PUT_BUS(b, .cycle_ns = 1000000);
}

#endif
