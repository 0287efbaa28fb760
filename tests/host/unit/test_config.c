// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/config.c tests/host/unit/rt.c
#include "cfgfix.h"

/* ---- accepted ---- */

TEST(edges, "accepted: the ends of each range")
{
	struct fixture f;

	build(&f);
	BUS->cycle_ns = 50000;
	BUS->deadline_ns = 49999;
	BUS->spin_ns = 50000;
	BUS->lost_ns = 49999;
	BUS->flags = KECAT_BUS_SERIAL;
	check_accepted(&f.b);
	BUS->cycle_ns = 1000000000;
	BUS->deadline_ns = 1;
	BUS->lost_ns = 10000000000ULL;
	BUS->on_app_loss = KECAT_LOSS_SAFEOP;
	check_accepted(&f.b);
	SLAVE->group = 15;
	SLAVE->position = 1023;
	SLAVE->mbx_out_size = 16;
	SLAVE->mbx_in_size = 1486;
	SLAVE->mbx_in = 0x10000 - 1486;
	SLAVE->t_preop_ms = 600000;
	SLAVE->dc_shift_ns = 1000000000;
	memset(SLAVE->name, '~', 31);
	check_accepted(&f.b);
	SLAVE->dc_shift_ns = -1000000000;
	SLAVE->name[3] = ' ';
	/* mailboxes that touch, either way round */
	SLAVE->mbx_in = 0x2000;
	SLAVE->mbx_out = 0x2000 + 1486;
	check_accepted(&f.b);
	SLAVE->mbx_out = 0x2000 - 16;
	check_accepted(&f.b);
	SM(in)->index = 15;
	SM(in)->start = 0x10000 - 5;
	PDO(rx)->index = 0x17ff;
	PDO(tx1)->index = 0x1bff;
	ENTRY(rx_e1)->subindex = 255;
	SDO(sdo_ca)->subindex = 0;
	check_accepted(&f.b);
	blob_free(&f.b);
}

TEST(bus_only, "accepted: a bus without slaves")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct blob b;

	start(&b);
	CHECK_EQ(parse(&b, &cfg, &e), 0);
	CHECK_EQ(cfg->slaves, 0);
	CHECK_EQ(cfg->groups, 0);
	CHECK_EQ(cfg->out_len + cfg->in_len, 0);
	kecat_config_free(cfg);
	blob_free(&b);
}

TEST(fill, "accepted: frames that are no slave's, up to 16 of 1400 bytes")
{
	struct blob b;

	start(&b);
	BLOB_PUT(&b, KECAT_CFG_FILL, (struct kecat_cfg_fill){ .frames = 16, .bytes = 1400 });
	check_accepted(&b);
	blob_free(&b);
}

TEST(alternatives, "accepted: two optional slaves at one place, as alternatives")
{
	struct fixture f;

	build(&f);
	SLAVE->flags |= KECAT_CFGS_OPTIONAL;
	SLAVE1->flags |= KECAT_CFGS_OPTIONAL;
	SLAVE1->position = 0;
	check_accepted(&f.b);
	blob_free(&f.b);
}

TEST(same_pdo, "accepted: two slaves with the same PDOs")
{
	struct blob b;
	u32 i;

	start(&b);
	for (i = 0; i < 2; i++) {
		PUT_SLAVE(&b, .position = i, .flags = KECAT_CFGS_MAPPING);
		PUT_SM(&b, .index = 2, .dir = KECAT_DIR_OUT);
		put_pdo(&b, 0x1600);
	}
	check_accepted(&b);
	blob_free(&b);
}

TEST(all_sms, "accepted: all 16 SMs")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct blob b;
	u32 i;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	for (i = 0; i < 16; i++)
		PUT_SM(&b, .index = i, .dir = i % 2, .len = i);
	CHECK_EQ(parse(&b, &cfg, &e), 0);
	CHECK_EQ(cfg->slave[0].sms, 16);
	CHECK_EQ(cfg->out_len, 2 + 4 + 6 + 8 + 10 + 12 + 14);
	CHECK_EQ(cfg->in_len, 1 + 3 + 5 + 7 + 9 + 11 + 13 + 15);
	CHECK_EQ(cfg->slave[0].sm[15].offset, 1 + 3 + 5 + 7 + 9 + 11 + 13);
	kecat_config_free(cfg);
	blob_free(&b);
}

/* ---- what comes out ---- */

TEST(defaults, "defaults are filled in")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct fixture f;

	build(&f);
	CHECK_EQ(parse(&f.b, &cfg, &e), 0);
	CHECK_EQ(cfg->bus.deadline_ns, 750000);
	CHECK_EQ(cfg->bus.lost_ns, 20000000);
	CHECK_EQ(cfg->slave[0].c.t_preop_ms, 3000);
	CHECK_EQ(cfg->slave[0].c.t_safeop_ms, 10000);
	CHECK_EQ(cfg->slave[0].c.t_back_ms, 5000);
	CHECK_EQ(cfg->slave[0].c.dc_sync0_ns, 1000000);
	CHECK_EQ(cfg->slave[1].c.dc_sync0_ns, 0);
	kecat_config_free(cfg);
	BUS->cycle_ns = 10000000;
	SLAVE->t_preop_ms = 1;
	SLAVE->dc_sync0_ns = 123;
	CHECK_EQ(parse(&f.b, &cfg, &e), 0);
	CHECK_EQ(cfg->bus.lost_ns, 40000000);
	CHECK_EQ(cfg->slave[0].c.t_preop_ms, 1);
	CHECK_EQ(cfg->slave[0].c.dc_sync0_ns, 123);
	kecat_config_free(cfg);
	blob_free(&f.b);
}

TEST(layout, "image: groups, then elements, then SMs; each SM on a byte")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct fixture f;

	build(&f);
	CHECK_EQ(parse(&f.b, &cfg, &e), 0);
	CHECK_EQ(cfg->slaves, 3);
	CHECK_EQ(cfg->groups, 2);
	CHECK_EQ(cfg->out_len, 1 + 3);
	CHECK_EQ(cfg->in_len, 6 + 5);
	/* group 0: elements 1 and 2 */
	CHECK_EQ(cfg->slave[1].out_offset, 0);
	CHECK_EQ(cfg->slave[1].out_len, 1);
	CHECK_EQ(cfg->slave[1].in_offset, 0);
	CHECK_EQ(cfg->slave[1].in_len, 6);
	CHECK_EQ(cfg->slave[2].out_len, 0);
	CHECK_EQ(cfg->slave[2].in_len, 0);
	/* group 1: element 0 */
	CHECK_EQ(cfg->slave[0].out_offset, 1);
	CHECK_EQ(cfg->slave[0].out_len, 3);
	CHECK_EQ(cfg->slave[0].in_offset, 6);
	CHECK_EQ(cfg->slave[0].in_len, 5);
	CHECK_EQ(cfg->slave[0].sms, 2);
	CHECK_EQ(cfg->slave[0].sm[0].offset, 1);
	CHECK_EQ(cfg->slave[0].sm[0].bits, 21);
	CHECK_EQ(cfg->slave[0].sm[0].len, 3);
	CHECK_EQ(cfg->slave[0].sm[1].offset, 6);
	CHECK_EQ(cfg->slave[0].sm[1].len, 5);
	kecat_config_free(cfg);
	blob_free(&f.b);
}

TEST(two_sms, "image: two SMs of one direction lie side by side")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct blob b;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	PUT_SM(&b, .index = 2, .dir = KECAT_DIR_IN, .len = 3);
	PUT_SM(&b, .index = 4, .dir = KECAT_DIR_OUT, .len = 7);
	PUT_SM(&b, .index = 5, .dir = KECAT_DIR_IN);
	PUT_SM(&b, .index = 9, .dir = KECAT_DIR_IN, .len = 2);
	CHECK_EQ(parse(&b, &cfg, &e), 0);
	CHECK_EQ(cfg->slave[0].sm[1].offset, 0);
	CHECK_EQ(cfg->slave[0].sm[2].offset, 3);
	CHECK_EQ(cfg->slave[0].sm[2].len, 0);
	CHECK_EQ(cfg->slave[0].sm[3].offset, 3);
	CHECK_EQ(cfg->slave[0].in_len, 5);
	CHECK_EQ(cfg->slave[0].out_len, 7);
	kecat_config_free(cfg);
	blob_free(&b);
}

TEST(contents, "PDOs, entries and commands are found where they belong")
{
	const struct kecat_scfg *s;
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct fixture f;

	build(&f);
	CHECK_EQ(parse(&f.b, &cfg, &e), 0);
	CHECK_EQ(cfg->npdos, 4);
	CHECK_EQ(cfg->nentries, 7);
	CHECK_EQ(cfg->nsdos, 2);
	s = &cfg->slave[0];
	CHECK_STR(s->c.name, "drive");
	CHECK_EQ(s->sm[0].c.control, 0x64);
	CHECK_EQ(s->sm[1].pdos, 2);
	CHECK_EQ(s->sm[1].first_pdo, 1);
	CHECK_EQ(cfg->pdos[2].index, 0x1a01);
	CHECK_EQ(cfg->pdos[2].entries, 1);
	CHECK_EQ(cfg->pdos[2].first_entry, 4);
	CHECK_EQ(cfg->pdos[2].bits, 8);
	CHECK_EQ(cfg->entries[4].index, 0x6010);
	CHECK_EQ(cfg->slave[1].sm[0].first_pdo, 3);
	CHECK_EQ(cfg->pdos[3].bits, 2);
	CHECK_EQ(s->sdos, 2);
	CHECK_EQ(s->first_sdo, 0);
	CHECK_EQ(cfg->slave[1].sdos, 0);
	CHECK_EQ(cfg->sdos[1].index, 0x8001);
	CHECK_EQ(cfg->sdos[1].flags, KECAT_SDO_COMPLETE);
	CHECK_EQ(cfg->sdos[1].transition, KECAT_TR_SO);
	CHECK_EQ(cfg->sdos[1].len, 5);
	CHECK_EQ(cfg->sdos[1].data[4], 0xa5);
	kecat_config_free(cfg);
	blob_free(&f.b);
}

TEST(sdo_between, "a command between an SM and its PDOs does not part them")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct blob b;

	start(&b);
	PUT_SLAVE(&b, .position = 0);
	PUT_SM(&b, .index = 2, .dir = KECAT_DIR_OUT);
	put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x2000, .len = 1 });
	put_pdo(&b, 0x1600);
	put_sdo(&b, (struct kecat_cfg_sdo){ .index = 0x2001, .len = 1 });
	put_entry(&b, 0x7000, 1, 8);
	CHECK_EQ(parse(&b, &cfg, &e), 0);
	CHECK_EQ(cfg->slave[0].sm[0].len, 1);
	CHECK_EQ(cfg->slave[0].sdos, 2);
	kecat_config_free(cfg);
	blob_free(&b);
}

TEST(round_trip, "the blob is kept as it was given, and parses to the same again")
{
	struct kecat_cfg *cfg, *again;
	struct kecat_cfg_error e;
	struct fixture f;
	struct blob copy;

	build(&f);
	CHECK_EQ(parse(&f.b, &cfg, &e), 0);
	CHECK_EQ(cfg->len, f.b.len);
	CHECK(!memcmp(cfg->blob, f.b.b, f.b.len));
	copy = (struct blob){ .b = cfg->blob, .len = cfg->len };
	CHECK_EQ(parse(&copy, &again, &e), 0);
	CHECK(!memcmp(&cfg->bus, &again->bus, sizeof(cfg->bus)));
	CHECK(!memcmp(cfg->slave, again->slave,
		      cfg->slaves * sizeof(*cfg->slave)));
	CHECK(!memcmp(cfg->pdos, again->pdos, cfg->npdos * sizeof(*cfg->pdos)));
	kecat_config_free(cfg);
	kecat_config_free(again);
	CHECK_EQ(rt_allocated(), 0);
	blob_free(&f.b);
}

TEST(truncated, "refused or parsed, but never read beyond: the blob cut at each byte")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct fixture f;
	size_t n;
	int good = 0;

	build(&f);
	for (n = 1; n < f.b.len; n++) {
		struct blob cut = { .b = f.b.b, .len = n };

		if (parse(&cut, &cfg, &e)) {
			CHECK(e.offset <= n);
			CHECK(e.message[0]);
			continue;
		}
		/* only between two elements is there an end */
		CHECK_EQ(n % 8, 0);
		kecat_config_free(cfg);
		good++;
	}
	/* 20 ends; twice the SM of 3 bytes has PDOs, but too few entries yet */
	CHECK_EQ(good, 18);
	CHECK_EQ(rt_allocated(), 0);
	blob_free(&f.b);
}

TEST(no_memory, "each allocation may fail: -ENOMEM and nothing left behind")
{
	struct kecat_cfg_error e;
	struct kecat_cfg *cfg;
	struct fixture f;
	int n, ret;

	build(&f);
	for (n = 1; ; n++) {
		rt_fail_alloc(n);
		ret = parse(&f.b, &cfg, &e);
		rt_fail_alloc(0);
		if (!ret)
			break;
		CHECK_EQ(ret, -ENOMEM);
		CHECK_EQ(rt_allocated(), 0);
	}
	/* the struct, the blob, four arrays */
	CHECK_EQ(n, 7);
	kecat_config_free(cfg);
	blob_free(&f.b);
}
