// SPDX-License-Identifier: GPL-2.0-only
/* The calls of /dev/kecat<N>: what they refuse, what they answer, who may. */
#include <linux/string.h>
#include "call.h"

#define CYCLE	1000000

static struct bench *scanned(const char *slaves, u32 n)
{
	struct bench *b = bench_new(slaves, NULL);

	REQUIRE(bench_wait_scanned(b, n, 5000));
	return b;
}

static struct bench *active(const char *slaves, u32 n)
{
	struct bench *b = scanned(slaves, n);

	REQUIRE(!bench_configure(b, CYCLE, 1, 0));
	REQUIRE(!bench_activate(b));
	REQUIRE(bench_wait_state(b, KECAT_AL_OP, n, 8000));
	return b;
}

static struct file *open_as(struct bench *b, unsigned int flags)
{
	struct file *f = host_open(b->m->index, flags);

	REQUIRE(!IS_ERR(f));
	return f;
}

/* ---- the table ---- */

struct shape {
	const char *name;
	unsigned int cmd;
	u32 size;
	u32 min;	/* what the call cannot do without */
	bool write;
};

#define SHAPE(name, type, last, w)					\
	{ #name, KECAT_IOC_##name, sizeof(struct type),			\
	  offsetof(struct type, last) + sizeof(((struct type *)0)->last), w }
static const struct shape shapes[] = {
	SHAPE(VERSION, kecat_version, abi, false),
	SHAPE(STATUS, kecat_status, phase, false),
	SHAPE(SLAVE_INFO, kecat_slave_info, position, false),
	SHAPE(SLAVE_PDOS, kecat_array, ptr, false),
	SHAPE(SDO_UPLOAD, kecat_sdo, ptr, false),
	SHAPE(SDO_DOWNLOAD, kecat_sdo, ptr, true),
	SHAPE(REG_READ, kecat_reg, ptr, false),
	SHAPE(REG_WRITE, kecat_reg, ptr, true),
	SHAPE(SII_READ, kecat_sii, ptr, false),
	SHAPE(STATE, kecat_state, timeout_ms, true),
	SHAPE(CONFIG_SET, kecat_config, ptr, true),
	SHAPE(CONFIG_GET, kecat_config, ptr, false),
	SHAPE(ACTIVATE, kecat_activate, flags, true),
	{ "DEACTIVATE", KECAT_IOC_DEACTIVATE, 0, 0, true },
	SHAPE(LAYOUT, kecat_array, ptr, false),
	SHAPE(WAIT, kecat_wait, timeout_ns, false),
	SHAPE(EXCHANGE, kecat_exchange, cycle, true),
	{ "RESCAN", KECAT_IOC_RESCAN, 0, 0, true },
	SHAPE(SNAPSHOT, kecat_snapshot, out_ptr, false),
	SHAPE(LATENCY, kecat_latency, buckets, false),
	SHAPE(RECORD_ARM, kecat_record_arm, cycles, true),
	SHAPE(RECORD_STATE, kecat_record_state, state, false),
	SHAPE(RECORD_READ, kecat_record_read, ptr, false),
	{ "RECORD_FREEZE", KECAT_IOC_RECORD_FREEZE, 0, 0, true },
};

static long call_shape(struct file *f, const struct shape *s, u32 size)
{
	u8 arg[2 * PAGE_SIZE] = {};

	memcpy(arg, &size, sizeof(size));
	return call_sized(f, s->cmd, arg, max(size, 4U));
}

static void answers(struct file *f, const struct shape *s, u32 size, long want)
{
	long got = call_shape(f, s, size);

	if (got != want)
		host_fail(__FILE__, __LINE__, "%s with size %u answers %ld, not %ld",
			  s->name, size, got, want);
}

TEST(every_call_knows_its_sizes)
{
	struct bench *b = scanned("coupler,do8", 2);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shapes); i++) {
		const struct shape *s = &shapes[i];

		if (!s->size)
			continue;
		answers(b->f, s, 0, -EINVAL);
		answers(b->f, s, s->min - 1, -EINVAL);
		answers(b->f, s, PAGE_SIZE + 1, -E2BIG);
		/* whatever it answers to zeros, shorter or longer is the same */
		answers(b->f, s, s->min, call_shape(b->f, s, s->size));
		answers(b->f, s, s->size + 8, call_shape(b->f, s, s->size));
	}
	bench_free(b);
}

TEST(what_is_unknown_behind_a_struct_has_to_be_zero)
{
	struct bench *b = scanned("coupler", 1);
	u8 arg[sizeof(struct kecat_status) + 8] = {};
	u32 size = sizeof(arg);

	memcpy(arg, &size, sizeof(size));
	CHECK_EQ(call_sized(b->f, KECAT_IOC_STATUS, arg, size), 0);
	arg[size - 1] = 1;
	CHECK_EQ(call_sized(b->f, KECAT_IOC_STATUS, arg, size), -E2BIG);
	bench_free(b);
}

TEST(a_short_struct_gets_only_its_part)
{
	struct bench *b = active("coupler,do8", 2);
	u32 arg[4] = { 8, 77, 77, 77 };
	u32 *user = host_user_alloc(sizeof(arg));

	memcpy(user, arg, sizeof(arg));
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_STATUS, user), 0);
	CHECK_EQ(user[0], 8);
	CHECK_EQ(user[1], KECAT_PHASE_ACTIVE);
	CHECK_EQ(user[2], 77);
	host_user_free(user);
	bench_free(b);
}

TEST(unknown_commands)
{
	struct bench *b = scanned("coupler", 1);
	struct kecat_status s = { .size = sizeof(s) };
	static const unsigned int cmds[] = {
		_IOWR(KECAT_IOC_MAGIC, 0, struct kecat_status),
		_IOWR(KECAT_IOC_MAGIC, 22, struct kecat_status),
		_IOWR(KECAT_IOC_MAGIC, 255, struct kecat_status),
		_IOR(KECAT_IOC_MAGIC, 2, struct kecat_status),
		_IOW(KECAT_IOC_MAGIC, 2, struct kecat_status),
		_IO(KECAT_IOC_MAGIC, 2),
		_IOWR(KECAT_IOC_MAGIC + 1, 2, struct kecat_status),
		_IOC(_IOC_NONE, KECAT_IOC_MAGIC, 14, 4),
		_IOWR(KECAT_IOC_MAGIC, 14, struct kecat_status),
		0, ~0u,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cmds); i++)
		if (call_sized(b->f, cmds[i], &s, sizeof(s)) != -ENOTTY)
			host_fail(__FILE__, __LINE__, "0x%x is known", cmds[i]);
	/* a struct that has grown has another size in the command */
	CHECK_EQ(call_sized(b->f, _IOC(_IOC_READ | _IOC_WRITE, KECAT_IOC_MAGIC, 2, 8),
			    &s, sizeof(s)), 0);
	bench_free(b);
}

TEST(bad_addresses)
{
	struct bench *b = scanned("coupler", 1);
	size_t i;
	u32 *user;

	for (i = 0; i < ARRAY_SIZE(shapes); i++)
		if (shapes[i].size)
			CHECK_EQ(host_ioctl(b->f, shapes[i].cmd, NULL), -EFAULT);
	/* the size can be read, the rest not */
	user = host_user_alloc(sizeof(*user));
	for (i = 0; i < ARRAY_SIZE(shapes); i++) {
		*user = shapes[i].size;
		if (shapes[i].size)
			CHECK_EQ(host_ioctl(b->f, shapes[i].cmd, user), -EFAULT);
	}
	host_user_free(user);
	bench_free(b);
}

TEST(reading_and_writing_need_a_file_open_for_it)
{
	struct bench *b = scanned("coupler", 1);
	struct file *r = open_as(b, O_RDONLY), *w = open_as(b, O_WRONLY);
	struct kecat_latency l = { .flags = KECAT_LATENCY_RESET };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shapes); i++)
		answers(shapes[i].write ? r : w, &shapes[i], shapes[i].size,
			-EACCES);
	CHECK_EQ(CALL(r, LATENCY, &l), -EACCES);
	CHECK_EQ(CALL(b->f, LATENCY, &l), 0);
	host_close(r);
	host_close(w);
	bench_free(b);
}

/* ---- flags, reserved fields, lengths ---- */

TEST(unknown_flags_and_reserved_fields)
{
	struct bench *b = scanned("coupler,node", 2);
	u8 *user = host_user_alloc(64);

#define REFUSED(name, type, ...) do {					\
	struct type c = { __VA_ARGS__ };				\
	CHECK_EQ(CALL(b->f, name, &c), -EINVAL);			\
} while (0)
	REFUSED(SDO_UPLOAD, kecat_sdo, .position = 1, .index = 0x1000,
		.len = 4, .ptr = (u64)user, .reserved = 1);
	REFUSED(SDO_UPLOAD, kecat_sdo, .position = 1, .index = 0x1000,
		.len = 4, .ptr = (u64)user, .flags = 2);
	REFUSED(SDO_UPLOAD, kecat_sdo, .position = 1, .index = 0x1000,
		.len = KECAT_MAX_SDO + 1, .ptr = (u64)user);
	REFUSED(SDO_DOWNLOAD, kecat_sdo, .position = 1, .index = 0x2000,
		.len = 4, .ptr = (u64)user, .reserved = 1ULL << 63);
	REFUSED(SDO_DOWNLOAD, kecat_sdo, .position = 1, .index = 0x2000,
		.len = 0, .ptr = (u64)user);
	REFUSED(REG_READ, kecat_reg, .len = 2, .ptr = (u64)user, .reserved = 1);
	REFUSED(REG_READ, kecat_reg, .len = 0, .ptr = (u64)user);
	REFUSED(REG_READ, kecat_reg, .len = 1025, .ptr = (u64)user);
	REFUSED(REG_READ, kecat_reg, .address = 0xffff, .len = 2, .ptr = (u64)user);
	REFUSED(REG_READ, kecat_reg, .address = 0xffffffff, .len = 2, .ptr = (u64)user);
	REFUSED(REG_WRITE, kecat_reg, .address = 0x10000, .len = 1, .ptr = (u64)user);
	REFUSED(SII_READ, kecat_sii, .word = 0x10000, .words = 1, .ptr = (u64)user);
	REFUSED(SII_READ, kecat_sii, .word = 1, .words = 0x10000, .ptr = (u64)user);
	REFUSED(SII_READ, kecat_sii, .words = 0xffffffff, .ptr = (u64)user);
	REFUSED(SII_READ, kecat_sii, .word = 1, .words = 0, .ptr = (u64)user);
	REFUSED(STATE, kecat_state, .state = 0);
	REFUSED(STATE, kecat_state, .state = 5);
	REFUSED(STATE, kecat_state, .state = KECAT_AL_PREOP | KECAT_AL_ERROR);
	REFUSED(CONFIG_SET, kecat_config, .flags = 2);
	REFUSED(CONFIG_SET, kecat_config, .len = KECAT_MAX_CONFIG + 1);
	REFUSED(CONFIG_GET, kecat_config, .flags = KECAT_CONFIG_VERIFY);
	REFUSED(ACTIVATE, kecat_activate, .flags = 1);
	REFUSED(WAIT, kecat_wait, .flags = 1);
	REFUSED(EXCHANGE, kecat_exchange, .flags = 1);
	REFUSED(SNAPSHOT, kecat_snapshot, .flags = 1);
	REFUSED(LATENCY, kecat_latency, .phase = KECAT_LAT_COUNT);
	REFUSED(LATENCY, kecat_latency, .flags = 2);
	REFUSED(SLAVE_PDOS, kecat_array, .elem = 47, .ptr = (u64)user);
	REFUSED(LAYOUT, kecat_array, .elem = 23, .ptr = (u64)user);
	REFUSED(LAYOUT, kecat_array, .elem = 24, .position = 1, .ptr = (u64)user);
#undef REFUSED
	host_user_free(user);
	bench_free(b);
}

TEST(no_such_slave)
{
	struct bench *b = scanned("coupler", 1);
	u8 *user = host_user_alloc(64);
	struct kecat_slave_info i = { .position = 1 };
	struct kecat_array a = { .position = KECAT_ALL,
				 .elem = sizeof(struct kecat_pdo_entry) };
	struct kecat_sdo d = { .position = 1, .index = 0x1000, .len = 4,
			       .ptr = (u64)user };
	struct kecat_reg r = { .position = 1, .len = 1, .ptr = (u64)user };
	struct kecat_sii e = { .position = 1024, .words = 1, .ptr = (u64)user };
	struct kecat_state s = { .position = 1, .state = KECAT_AL_PREOP };

	CHECK_EQ(CALL(b->f, SLAVE_INFO, &i), -ENODEV);
	CHECK_EQ(CALL(b->f, SLAVE_PDOS, &a), -ENODEV);
	CHECK_EQ(CALL(b->f, SDO_UPLOAD, &d), -ENODEV);
	CHECK_EQ(CALL(b->f, SDO_DOWNLOAD, &d), -ENODEV);
	CHECK_EQ(CALL(b->f, REG_READ, &r), -ENODEV);
	CHECK_EQ(CALL(b->f, REG_WRITE, &r), -ENODEV);
	CHECK_EQ(CALL(b->f, SII_READ, &e), -ENODEV);
	CHECK_EQ(CALL(b->f, STATE, &s), -ENODEV);
	host_user_free(user);
	bench_free(b);
}

/* ---- what they answer ---- */

TEST(version)
{
	struct bench *b = scanned("coupler", 1);
	struct kecat_version v = {};

	CHECK_EQ(CALL(b->f, VERSION, &v), 0);
	CHECK_EQ(v.abi, KECAT_ABI);
	CHECK_EQ(v.master, b->m->index);
	CHECK(v.release[0] && !v.release[31]);
	bench_free(b);
}

TEST(registers)
{
	struct bench *b = scanned("coupler,do8,node", 3);
	u8 *user = host_user_alloc(1024);
	struct kecat_reg r = { .position = 1, .address = 0x0010, .len = 2,
			       .ptr = (u64)user };

	CHECK_EQ(CALL(b->f, REG_READ, &r), 0);
	CHECK_EQ(r.wkc, 1);
	CHECK_EQ(user[0] | user[1] << 8, b->m->slave[1]->station);
	r.position = KECAT_ALL;
	CHECK_EQ(CALL(b->f, REG_READ, &r), 0);
	CHECK_EQ(r.wkc, 3);
	/* memory of one slave, up to the most bytes a call can have */
	memset(user, 0x3c, 1024);
	r = (struct kecat_reg){ .position = 2, .address = 0x1400, .len = 4,
				.ptr = (u64)user };
	CHECK_EQ(CALL(b->f, REG_WRITE, &r), 0);
	CHECK_EQ(r.wkc, 1);
	memset(user, 0, 1024);
	CHECK_EQ(CALL(b->f, REG_READ, &r), 0);
	CHECK_EQ(user[3], 0x3c);
	r.len = 1024;
	CHECK_EQ(CALL(b->f, REG_READ, &r), 0);
	/* nobody has memory there */
	r.address = 0xff00;
	r.len = 16;
	CHECK_EQ(CALL(b->f, REG_READ, &r), -ENXIO);
	CHECK_EQ(r.wkc, 0);
	r.position = KECAT_ALL;
	CHECK_EQ(CALL(b->f, REG_READ, &r), 0);
	CHECK_EQ(r.wkc, 0);
	/* answered, but it has nowhere to go */
	r.address = 0;
	r.ptr = (u64)user + 1020;
	CHECK_EQ(CALL(b->f, REG_READ, &r), -EFAULT);
	CHECK_EQ(CALL(b->f, REG_WRITE, &r), -EFAULT);
	host_user_free(user);
	bench_free(b);
}

TEST(eeprom)
{
	struct bench *b = scanned("coupler,do8", 2);
	u8 *user = host_user_alloc(128 * 1024), *part = host_user_alloc(16);
	struct kecat_sii c = { .position = 1, .word = 8, .words = 8,
			       .ptr = (u64)part };
	u32 words;

	CHECK_EQ(CALL(b->f, SII_READ, &c), 0);
	CHECK_EQ(c.words, 8);
	CHECK_EQ(*(u32 *)part, b->m->slave[1]->sii.vendor);
	c = (struct kecat_sii){ .position = 1, .ptr = (u64)user };
	CHECK_EQ(CALL(b->f, SII_READ, &c), 0);
	words = c.words;
	CHECK(words > 64);
	CHECK(!memcmp(user + 16, part, 16));
	CHECK_EQ(2 * words, b->m->slave[1]->sii_len);
	/* room for half of it */
	c = (struct kecat_sii){ .position = 1,
				.ptr = (u64)user + 128 * 1024 - words };
	CHECK_EQ(CALL(b->f, SII_READ, &c), -EFAULT);
	host_user_free(user);
	host_user_free(part);
	bench_free(b);
}

TEST(objects)
{
	struct bench *b = scanned("coupler,node", 2);
	u8 *user = host_user_alloc(4096);
	struct kecat_sdo c = { .position = 1, .index = 0x2000, .len = 4,
			       .ptr = (u64)user };

	memcpy(user, "\x11\x22\x33\x44", 4);
	CHECK_EQ(CALL(b->f, SDO_DOWNLOAD, &c), 0);
	memset(user, 0, 4);
	c.len = 100;
	CHECK_EQ(CALL(b->f, SDO_UPLOAD, &c), 0);
	CHECK_EQ(c.len, 4);
	CHECK_EQ(user[3], 0x44);
	/* too little room, and none */
	c.len = 3;
	CHECK_EQ(CALL(b->f, SDO_UPLOAD, &c), -ENOSPC);
	CHECK_EQ(c.len, 4);
	c.len = 0;
	CHECK_EQ(CALL(b->f, SDO_UPLOAD, &c), -ENOSPC);
	/* refused by the slave, with its reason */
	c.index = 0x7fff;
	c.len = 4;
	CHECK_EQ(CALL(b->f, SDO_UPLOAD, &c), -EREMOTEIO);
	CHECK_EQ(c.abort_code, 0x06020000);
	c.index = 0x2000;
	c.len = 4;
	CHECK_EQ(CALL(b->f, SDO_UPLOAD, &c), 0);
	CHECK_EQ(c.abort_code, 0);
	c.ptr = (u64)user + 4094;
	CHECK_EQ(CALL(b->f, SDO_UPLOAD, &c), -EFAULT);
	CHECK_EQ(CALL(b->f, SDO_DOWNLOAD, &c), -EFAULT);
	/* no mailbox */
	c.position = 0;
	c.ptr = (u64)user;
	CHECK_EQ(CALL(b->f, SDO_UPLOAD, &c), -EOPNOTSUPP);
	host_user_free(user);
	bench_free(b);
}

TEST(mapping_as_scanned)
{
	struct bench *b = scanned("coupler,node", 2);
	struct kecat_pdo_entry *list = host_user_alloc(8 * sizeof(*list));
	struct kecat_array a = { .position = 1, .elem = sizeof(*list) };

	/* how many are there? */
	CHECK_EQ(CALL(b->f, SLAVE_PDOS, &a), 0);
	CHECK_EQ(a.count, 4);
	a.count = 8;
	a.ptr = (u64)list;
	CHECK_EQ(CALL(b->f, SLAVE_PDOS, &a), 0);
	CHECK_EQ(a.count, 4);
	CHECK_EQ(list[0].pdo, 0x1a00);
	CHECK_EQ(list[0].dir, KECAT_DIR_IN);
	CHECK_EQ(list[3].index, 0x7000);
	CHECK_EQ(list[3].subindex, 2);
	CHECK_EQ(list[3].bits, 32);
	CHECK_EQ(list[4].bits, 0);
	/* fewer fit: as many are stored */
	memset(list, 0, 8 * sizeof(*list));
	a.count = 1;
	CHECK_EQ(CALL(b->f, SLAVE_PDOS, &a), 0);
	CHECK_EQ(a.count, 4);
	CHECK_EQ(list[0].bits, 32);
	CHECK_EQ(list[1].bits, 0);
	/* who says he has room for everything is believed as far as it matters */
	a.count = 0xffffffff;
	CHECK_EQ(CALL(b->f, SLAVE_PDOS, &a), 0);
	CHECK_EQ(a.count, 4);
	host_user_free(list);
	bench_free(b);
}

static void configure_pdos(struct bench *b)
{
	const struct kecat_cfg_pdo rx = { .index = 0x1600 };
	const struct kecat_cfg_pdo none = { .index = 0x1601 };
	const struct kecat_cfg_entry e = { .index = 0x7000, .subindex = 1, .bits = 32 };
	const struct kecat_cfg_entry gap = { .bits = 32 };
	struct cfg c;

	cfg_begin(&c);
	cfg_bus(&c, CYCLE, 0, 0, 0);
	cfg_slave(&c, 1, 0, 0, 0, 0);
	cfg_sm(&c, 2, KECAT_DIR_OUT, 8);
	cfg_add(&c, KECAT_CFG_PDO, &rx, sizeof(rx));
	cfg_add(&c, KECAT_CFG_ENTRY, &e, sizeof(e));
	cfg_add(&c, KECAT_CFG_ENTRY, &gap, sizeof(gap));
	cfg_add(&c, KECAT_CFG_PDO, &none, sizeof(none));
	CHECK_EQ(bench_set_config(b, &c), 0);
	cfg_end(&c);
}

TEST(mapping_as_configured)
{
	struct bench *b = scanned("coupler,node", 2);
	struct kecat_pdo_entry *list = host_user_alloc(8 * sizeof(*list));
	struct kecat_array a = { .position = 1, .elem = sizeof(*list),
				 .count = 8, .ptr = (u64)list };

	configure_pdos(b);
	CHECK_EQ(CALL(b->f, SLAVE_PDOS, &a), 0);
	CHECK_EQ(a.count, 3);
	CHECK_EQ(list[0].index, 0x7000);
	/* the configuration has no names, the device has */
	CHECK(!strcmp(list[0].name, "Output"));
	CHECK_EQ(list[1].index, 0);
	CHECK_EQ(list[1].bits, 32);
	CHECK(!list[1].name[0]);
	CHECK_EQ(list[2].pdo, 0x1601);
	CHECK_EQ(list[2].bits, 0);
	host_user_free(list);
	bench_free(b);
}

TEST(layout)
{
	struct bench *b = scanned("coupler,do8,node*2", 4);
	struct kecat_layout *list = host_user_alloc(8 * sizeof(*list));
	struct kecat_array a = { .elem = sizeof(*list), .count = 8,
				 .ptr = (u64)list };

	CHECK_EQ(CALL(b->f, LAYOUT, &a), -ENOENT);
	CHECK_EQ(bench_configure(b, CYCLE, 2, 0), 0);
	CHECK_EQ(vnic_fault(b->v, "3 power off"), 0);
	host_sleep(500000000);
	CHECK_EQ(CALL(b->f, LAYOUT, &a), 0);
	CHECK_EQ(a.count, 5);
	CHECK_EQ(list[0].slave, 1);
	CHECK_EQ(list[0].position, 1);
	CHECK_EQ(list[0].offset, 0);
	CHECK_EQ(list[0].len, 1);
	CHECK_EQ(list[0].group, 0);
	CHECK_EQ(list[1].slave, 2);
	CHECK_EQ(list[1].dir, KECAT_DIR_OUT);
	CHECK_EQ(list[1].offset, 1);
	CHECK_EQ(list[2].dir, KECAT_DIR_IN);
	CHECK_EQ(list[2].offset, 0);
	CHECK_EQ(list[3].slave, 3);
	CHECK_EQ(list[3].position, KECAT_ALL);
	CHECK_EQ(list[3].offset, 9);
	CHECK_EQ(list[4].offset, 8);
	CHECK_EQ(list[4].group, 1);
	host_user_free(list);
	bench_free(b);
}

/* ---- configuration ---- */

TEST(configuration_is_kept_as_given)
{
	struct bench *b = scanned("coupler,do8", 2);
	struct kecat_config g = {};
	struct cfg c;
	u8 *user;
	u32 gen;

	CHECK_EQ(CALL(b->f, CONFIG_GET, &g), -ENOENT);
	bench_cfg(b, &c, CYCLE, 3, KECAT_LOSS_HOLD, 0, 2);
	gen = bench_status(b)->config_gen;
	CHECK_EQ(bench_set_config(b, &c), 0);
	CHECK_EQ(bench_status(b)->config_gen, gen + 1);
	CHECK_EQ(bench_status(b)->config_slaves, 2);
	CHECK_EQ(CALL(b->f, CONFIG_GET, &g), -ENOSPC);
	CHECK_EQ(g.len, c.len);
	user = host_user_alloc(c.len);
	g.ptr = (u64)user;
	CHECK_EQ(CALL(b->f, CONFIG_GET, &g), 0);
	CHECK(!memcmp(user, c.b, c.len));
	g.ptr++;
	CHECK_EQ(CALL(b->f, CONFIG_GET, &g), -EFAULT);
	host_user_free(user);
	/* cleared */
	g = (struct kecat_config){ .message = "old" };
	CHECK_EQ(CALL(b->f, CONFIG_SET, &g), 0);
	CHECK(!g.message[0]);
	CHECK_EQ(bench_status(b)->config_slaves, 0);
	CHECK_EQ(CALL(b->f, CONFIG_GET, &g), -ENOENT);
	cfg_end(&c);
	bench_free(b);
}

TEST(configuration_is_taken_whole_or_not_at_all)
{
	struct bench *b = scanned("coupler,do8", 2);
	struct kecat_config s = {};
	struct cfg c, bad;
	u32 gen;

	bench_cfg(b, &c, CYCLE, 0, 0, 0, 1);
	CHECK_EQ(bench_set_config(b, &c), 0);
	gen = bench_status(b)->config_gen;
	bench_cfg(b, &bad, 1, 0, 0, 0, 1);
	s.ptr = (u64)bad.b;
	s.len = bad.len;
	CHECK_EQ(CALL(b->f, CONFIG_SET, &s), -EINVAL);
	CHECK_EQ(s.err_offset, 0);
	CHECK_EQ(s.err_slave, KECAT_ALL);
	CHECK_EQ(s.err_type, KECAT_CFG_BUS);
	CHECK(strstr(s.message, "cycle_ns is 1, allowed are 50000"));
	/* what was in there before does not come back */
	s = (struct kecat_config){ .ptr = (u64)c.b, .len = c.len,
				   .flags = KECAT_CONFIG_VERIFY, .err_offset = 9,
				   .message = "old" };
	CHECK_EQ(CALL(b->f, CONFIG_SET, &s), 0);
	CHECK(!s.message[0] && !s.err_offset);
	CHECK_EQ(bench_status(b)->config_gen, gen);
	s.ptr = 0;
	CHECK_EQ(CALL(b->f, CONFIG_SET, &s), -EFAULT);
	cfg_end(&c);
	cfg_end(&bad);
	bench_free(b);
}

TEST(no_configuration_while_active)
{
	struct bench *b = active("coupler,do8", 2);
	struct kecat_config s = {};

	CHECK_EQ(CALL(b->f, CONFIG_SET, &s), -EBUSY);
	CHECK_EQ(bench_configure(b, CYCLE, 1, 0), -EBUSY);
	CHECK_EQ(bench_status(b)->slaves_op, 2);
	bench_free(b);
}
