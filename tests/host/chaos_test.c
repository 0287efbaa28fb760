// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes that do anything at any time, with arguments that make sense or
 * do not, while slaves and wire misbehave and in the end the port goes.
 * Nothing is expected of the answers; the kernel has to stay whole, nothing
 * may hang, nothing may leak.
 */
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/string.h>
#include "bench.h"

#define SLAVES	"coupler,node*3,drive,di8,do8,ai2"
#define NSLAVES	8
#define BUF	4096

struct chaos {
	struct bench *b;
	bool stop;
	u64 calls, good;
};

static u32 any_position(void)
{
	if (host_chance(50000))
		return (u32)host_rand();
	return host_chance(50000) ? KECAT_ALL : (u32)host_rand_below(NSLAVES + 1);
}

/* a struct of the right size with some of its fields right */
static void fill(u8 *arg, u32 cmd, u8 *buf)
{
	static const u64 numbers[] = { 0, 1, 2, 4, 8, 16, 127, 255, 1024, 4096,
				       65536, 0x7fffffff, ~0ULL };
	u32 size = _IOC_SIZE(cmd), i;

	memset(arg, 0, size);
	for (i = 4; i + 4 <= size; i += 4)
		if (host_chance(250000))
			sim_put32(arg + i, (u32)numbers[host_rand_below(ARRAY_SIZE(numbers))]);
	sim_put32(arg, host_chance(20000) ? (u32)host_rand_below(300) : size);
	sim_put32(arg + 4, any_position());
	/* most structs end in a pointer, or have it behind their lengths */
	for (i = 8; i + 8 <= size; i += 8)
		if (host_chance(400000))
			sim_put64(arg + i, host_chance(100000) ?
				  host_rand() : (uintptr_t)buf);
}

static void sensible(u8 *arg, u32 cmd, u8 *buf)
{
	switch (cmd) {
	case KECAT_IOC_SDO_UPLOAD:
	case KECAT_IOC_SDO_DOWNLOAD:
		*(struct kecat_sdo *)arg = (struct kecat_sdo) {
			.size = sizeof(struct kecat_sdo),
			.position = any_position(),
			.index = host_rand() & 1 ? 0x1000 : 0x2000,
			.timeout_ms = 50, .len = 4, .ptr = (uintptr_t)buf,
		};
		break;
	case KECAT_IOC_STATE:
		*(struct kecat_state *)arg = (struct kecat_state) {
			.size = sizeof(struct kecat_state),
			.position = any_position(),
			.state = 1u << host_rand_below(4),
			.timeout_ms = (u32)host_rand_below(300),
		};
		break;
	case KECAT_IOC_REG_READ:
		*(struct kecat_reg *)arg = (struct kecat_reg) {
			.size = sizeof(struct kecat_reg),
			.position = any_position(),
			.address = (u32)host_rand_below(0x1100), .len = 4,
			.ptr = (uintptr_t)buf,
		};
		break;
	case KECAT_IOC_SII_READ:
		*(struct kecat_sii *)arg = (struct kecat_sii) {
			.size = sizeof(struct kecat_sii),
			.position = any_position(), .words = 16,
			.ptr = (uintptr_t)buf,
		};
		break;
	case KECAT_IOC_WAIT:
		*(struct kecat_wait *)arg = (struct kecat_wait) {
			.size = sizeof(struct kecat_wait),
			.timeout_ns = host_rand_below(20000000),
		};
		break;
	}
}

static const u32 calls[] = {
	KECAT_IOC_VERSION, KECAT_IOC_STATUS, KECAT_IOC_SLAVE_INFO,
	KECAT_IOC_SLAVE_PDOS, KECAT_IOC_SDO_UPLOAD, KECAT_IOC_SDO_DOWNLOAD,
	KECAT_IOC_REG_READ, KECAT_IOC_SII_READ, KECAT_IOC_STATE,
	KECAT_IOC_CONFIG_GET, KECAT_IOC_LAYOUT, KECAT_IOC_WAIT,
	KECAT_IOC_SNAPSHOT, KECAT_IOC_LATENCY, KECAT_IOC_EXCHANGE,
};

static void random_call(struct chaos *c, struct file *f, u8 *arg, u8 *buf)
{
	u32 cmd = calls[host_rand_below(ARRAY_SIZE(calls))];
	long err;

	fill(arg, cmd, buf);
	if (host_rand() & 1)
		sensible(arg, cmd, buf);
	if (host_chance(20000))
		cmd ^= 1u << host_rand_below(32);
	err = host_ioctl(f, cmd, host_chance(10000) ? (void *)host_rand() : arg);
	CHECK(err >= -4095 && err <= 4096);
	c->calls++;
	c->good += !err;
}

static int caller(void *data)
{
	struct chaos *c = data;
	struct file *f = host_open(c->b->m->index, O_RDWR | O_NONBLOCK);
	u8 *arg = host_user_alloc(BUF), *buf = host_user_alloc(BUF);

	while (!c->stop) {
		if (host_chance(20000)) {
			/* opens again: another file, the same process */
			if (!IS_ERR(f))
				host_close(f);
			f = host_open(c->b->m->index, O_RDWR | O_NONBLOCK);
		}
		if (IS_ERR(f)) {
			host_sleep(1000000);
			continue;
		}
		if (host_chance(50000))
			host_read(f, buf, host_rand_below(BUF));
		else if (host_chance(50000))
			host_poll_wait(f, EPOLLIN | EPOLLPRI, host_rand_below(5000000));
		else
			random_call(c, f, arg, buf);
		host_sleep(host_rand_below(300000));
	}
	if (!IS_ERR(f))
		host_close(f);
	host_user_free(arg);
	host_user_free(buf);
	return 0;
}

static void configure(struct bench *b)
{
	struct cfg cfg;

	bench_cfg(b, &cfg, 500000 << host_rand_below(3),
		  (u32)host_rand_below(50), (u32)host_rand_below(3),
		  (u32)host_rand_below(16), 1 + (u32)host_rand_below(4));
	if (host_chance(100000))
		cfg.b[host_rand_below(cfg.len)] ^= 1u << host_rand_below(8);
	bench_set_config(b, &cfg);
	cfg_end(&cfg);
}

static void activate(struct bench *b, struct kecat_activate *a)
{
	void *p;

	b->shm = NULL;
	a->size = sizeof(*a);
	if (host_ioctl(b->f, KECAT_IOC_ACTIVATE, a))
		return;
	p = host_mmap(b->f, a->shm_size, VM_READ | VM_WRITE, VM_SHARED, 0);
	b->shm = IS_ERR(p) ? NULL : p;
	b->in = b->out = 2;
	b->seen = 0;
}

/* with another tick than the application's, the second is an error */
static int turn(struct bench *b)
{
	u64 at = host_rand() & 1 ? host_now() + host_rand_below(2000000) : 0;
	int err = host_rand() & 1 ? bench_cycle(b) : bench_exchange(b, at);

	return err == -EOPNOTSUPP ? 0 : err;
}

/* configures, activates, cycles, ends in one of many ways */
static int owner(void *data)
{
	struct chaos *c = data;
	struct bench b = { .v = c->b->v, .m = c->b->m };
	struct kecat_activate *a = host_user_alloc(sizeof(*a));

	b.wait = host_user_alloc(sizeof(*b.wait));
	b.exchange = host_user_alloc(sizeof(*b.exchange));
	while (!c->stop) {
		u32 n;

		b.f = host_open(b.m->index, O_RDWR | O_NONBLOCK);
		if (IS_ERR(b.f)) {
			host_sleep(1000000);
			continue;
		}
		configure(&b);
		activate(&b, a);
		for (n = (u32)host_rand_below(600); b.shm && n && !c->stop; n--)
			if (turn(&b))
				break;
		if (b.shm && host_rand() & 1) {
			host_munmap(b.shm);
			b.shm = NULL;
		}
		if (host_rand() & 1)
			host_ioctl(b.f, KECAT_IOC_DEACTIVATE, NULL);
		if (host_chance(200000))
			host_ioctl(b.f, KECAT_IOC_RESCAN, NULL);
		/* a mapping holds its file, so it goes first in any case */
		if (b.shm)
			host_munmap(b.shm);
		host_close(b.f);
		host_sleep(host_rand_below(5000000));
	}
	host_user_free(b.wait);
	host_user_free(b.exchange);
	host_user_free(a);
	return 0;
}

static void break_something(struct bench *b)
{
	static const char * const what[] = {
		"power off", "power on", "power cycle", "unplug 0", "plug 0",
		"mbx silent", "mbx ok", "al error 2 0x1d", "al error 4 0x1b",
		"al ok", "al ignore", "al refuse 8 0x24", "sii garbage",
		"sii restore", "sii stuck", "identity 1 2", "drop 3",
		"corrupt 2", "wkc 3",
	};

	vnic_fault(b->v, "%u %s", (u32)host_rand_below(NSLAVES),
		   what[host_rand_below(ARRAY_SIZE(what))]);
	if (host_chance(100000))
		vnic_link(b->v, b->v->down);
}

static int wrecker(void *data)
{
	struct chaos *c = data;

	while (!c->stop) {
		host_sleep(host_rand_below(30000000));
		if (c->stop)
			break;
		break_something(c->b);
		if (host_chance(50000)) {
			kecat_nic_quiesce(&c->b->v->nic);
			host_sleep(host_rand_below(3000000));
			kecat_nic_resume(&c->b->v->nic);
		}
	}
	return 0;
}

static void one_round(struct chaos *c, u32 ms)
{
	struct task_struct *t[5];
	u32 i, n = 0;

	host_params.long_interrupts = true;
	c->b = bench_new(SLAVES, NULL);
	bench_close(c->b);
	c->stop = false;
	c->b->v->faults = (struct vnic_faults) {
		.lose = 20000, .late = 10000, .twice = 10000, .header = 10000,
		.fcs = 10000, .reorder = 20000, .foreign = 20000,
	};
	t[n++] = host_spawn("owner", owner, c);
	t[n++] = host_spawn("owner2", owner, c);
	t[n++] = host_spawn("caller", caller, c);
	t[n++] = host_spawn("caller2", caller, c);
	t[n++] = host_spawn("wrecker", wrecker, c);
	host_sleep(ms * 1000000ULL);
	if (host_rand() & 1)
		bench_unregister(c->b);
	c->stop = true;
	for (i = 0; i < n; i++) {
		if (host_rand() & 1 && !t[i]->dead)
			host_signal(t[i], true);
		host_join(t[i]);
	}
	bench_free(c->b);
}

static int rescanner(void *data)
{
	struct chaos *c = data;
	struct file *f = host_open(c->b->m->index, O_RDWR);

	while (!c->stop) {
		host_ioctl(f, KECAT_IOC_RESCAN, NULL);
		host_sleep(host_rand_below(20000000));
	}
	host_close(f);
	return 0;
}

/* records go while their workers still use a configuration that goes as well */
TEST(rescans_between_configurations)
{
	struct task_struct *t[2];
	struct chaos c = { 0 };

	c.b = bench_new(SLAVES, NULL);
	bench_close(c.b);
	/* a lost frame holds its worker up */
	c.b->v->faults.lose = 50000;
	t[0] = host_spawn("owner", owner, &c);
	t[1] = host_spawn("rescanner", rescanner, &c);
	host_sleep(30 * NSEC_PER_SEC);
	c.stop = true;
	host_join(t[0]);
	host_join(t[1]);
	bench_free(c.b);
}

TEST(anything_at_any_time)
{
	u32 rounds = (u32)tap_number("KECAT_ROUNDS", 20), i;
	struct chaos c = { 0 };

	host_params.hold_chance = 64;
	for (i = 0; i < rounds && !host_failed; i++)
		one_round(&c, 100 + (u32)host_rand_below(4000));
	printf("# %llu calls, %llu of them succeeded\n", c.calls, c.good);
	CHECK(c.good > c.calls / 20);
}
