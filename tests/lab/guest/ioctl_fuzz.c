// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random calls on a master's device, always the same for a seed: ioctls with
 * random structs, sizes and pointers, reads, mappings, seeks, polls.
 *
 * usage: ioctl_fuzz DEVICE SEED CALLS PROCESSES
 *
 * The processes share one open file.  What is checked here: an answer is 0 or
 * an errno that exists, nothing is written behind what the caller said is his,
 * and in between the master still tells its status; once the port is gone,
 * every call says so.  The rest is for KASAN and its relatives.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../../../uapi/kecat.h"
#include "../../../uapi/kecat_record.h"
#include "../../../uapi/kecat_shm.h"

#define PAGE		4096
#define DATA		(64 * PAGE)	/* room for bulk data */
#define CANARY		0x6b
#define ERRNO_MAX	133		/* EHWPOISON, the last that exists */
#define STATUS_EVERY	50

#define CHECK(cond, ...) do {						\
	if (!(cond)) {							\
		printf("seed %llu call %u: ", seed, call);		\
		printf(__VA_ARGS__);					\
		printf("\n");						\
		exit(1);						\
	}								\
} while (0)

static unsigned long long seed, state;
static unsigned int call;
static int fd;
/* both end at a page that is not there */
static unsigned char *arg_end, *data, *data_end;
static unsigned char *read_only;
static unsigned int answers[ERRNO_MAX + 1];

static uint64_t random64(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static unsigned int below(unsigned int n)
{
	return random64() % n;
}

static unsigned int one_in(unsigned int n)
{
	return !below(n);
}

/* pages of memory with none behind them */
static unsigned char *guarded(size_t bytes, unsigned char **end)
{
	unsigned char *p = mmap(NULL, bytes + PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED && !mprotect(p + bytes, PAGE, PROT_NONE),
	      "no memory");
	*end = p + bytes;
	return p;
}

/* ---- arguments ---- */

struct shape {
	unsigned long cmd;
	unsigned int size;
	unsigned int seldom;	/* one in so many times that it comes up */
};

#define SHAPE(name, type) { KECAT_IOC_##name, sizeof(struct type), 1 }
static const struct shape shapes[] = {
	SHAPE(VERSION, kecat_version), SHAPE(STATUS, kecat_status),
	SHAPE(SLAVE_INFO, kecat_slave_info), SHAPE(SLAVE_PDOS, kecat_array),
	SHAPE(SDO_UPLOAD, kecat_sdo), SHAPE(SDO_DOWNLOAD, kecat_sdo),
	SHAPE(REG_READ, kecat_reg), SHAPE(REG_WRITE, kecat_reg),
	SHAPE(SII_READ, kecat_sii), SHAPE(STATE, kecat_state),
	SHAPE(CONFIG_SET, kecat_config), SHAPE(CONFIG_GET, kecat_config),
	SHAPE(ACTIVATE, kecat_activate), { KECAT_IOC_DEACTIVATE, 0, 4 },
	SHAPE(LAYOUT, kecat_array), SHAPE(WAIT, kecat_wait),
	SHAPE(EXCHANGE, kecat_exchange), { KECAT_IOC_RESCAN, 0, 40 }, SHAPE(SNAPSHOT, kecat_snapshot),
	SHAPE(LATENCY, kecat_latency), SHAPE(RECORD_ARM, kecat_record_arm),
	SHAPE(RECORD_STATE, kecat_record_state), SHAPE(RECORD_READ, kecat_record_read),
	{ KECAT_IOC_RECORD_FREEZE, 0, 1 },
};

static uint64_t any_pointer(void)
{
	static const uint64_t bad[] = {
		0, 1, 0x7ffffffff000ull, 0x0000800000000000ull,
		0xffff888000000000ull, 0xffffffff81000000ull, ~0ull,
	};

	switch (below(8)) {
	case 0:
		return bad[below(sizeof(bad) / sizeof(*bad))];
	case 1:
		return (uintptr_t)read_only;
	case 2:
		return (uintptr_t)data_end - below(64);
	default:
		return (uintptr_t)data + (one_in(3) ? below(8) : 0);
	}
}

static uint32_t any_length(void)
{
	static const uint32_t some[] = {
		0, 1, 2, 4, 8, 48, 64, 128, 1024, 1025, 4096, 65535, 65536,
		65537, 0x10000000, 0x7fffffff, 0x80000000, 0xffffffff,
	};

	return one_in(2) ? below(300) : some[below(sizeof(some) / sizeof(*some))];
}

static uint32_t any_position(void)
{
	if (one_in(8))
		return KECAT_ALL;
	return one_in(8) ? random64() : below(8);
}

/* a sound configuration of one slave, with some bytes changed now and then */
static uint32_t make_config(unsigned char *to)
{
	struct {
		struct kecat_cfg_tlv tb;
		struct kecat_cfg_bus bus;
		struct kecat_cfg_tlv ts;
		struct kecat_cfg_slave slave;
		uint32_t pad;
		struct kecat_cfg_tlv tm;
		struct kecat_cfg_sm sm;
	} c = {
		.tb = { KECAT_CFG_BUS, 0, sizeof(c.bus) },
		.bus = { .cycle_ns = 1000000 + below(10) * 1000000,
			 .app_miss = below(4), .on_app_loss = below(3),
			 .flags = one_in(2) ? below(16) : KECAT_BUS_TICK_APP },
		.ts = { KECAT_CFG_SLAVE, 0, sizeof(c.slave) },
		.slave = { .position = below(4), .group = below(3) },
		.tm = { KECAT_CFG_SM, 0, sizeof(c.sm) },
		.sm = { .index = below(4), .dir = below(2), .len = below(40) },
	};
	unsigned int n = one_in(3) ? below(4) : 0;

	while (n--)
		((unsigned char *)&c)[below(sizeof(c))] = random64();
	memcpy(to, &c, sizeof(c));
	return sizeof(c);
}

static void fill_sdo(struct kecat_sdo *c)
{
	static const uint16_t objects[] = { 0x1000, 0x1018, 0x1c12, 0x1a00, 0x2000 };

	c->position = any_position();
	c->index = one_in(3) ? random64() : objects[below(5)];
	c->subindex = below(4);
	c->flags = one_in(4) ? 1 : one_in(16) ? random64() : 0;
	c->timeout_ms = 1 + below(20);
	c->len = any_length();
	c->reserved = one_in(32);
	c->ptr = any_pointer();
}

static void fill_reg(struct kecat_reg *c)
{
	c->position = any_position();
	c->address = one_in(16) ? random64() : below(0x10100);
	c->len = one_in(4) ? any_length() : 1 + below(16);
	c->reserved = one_in(32);
	c->ptr = any_pointer();
}

static void fill_config(struct kecat_config *c, int set)
{
	c->flags = one_in(8) ? KECAT_CONFIG_VERIFY : one_in(16) ? random64() : 0;
	c->ptr = one_in(4) ? any_pointer() : (uintptr_t)data;
	c->len = any_length();
	if (set && !one_in(4)) {
		c->len = make_config(data);
		c->ptr = (uintptr_t)data;
	}
}

static void fill_snapshot(struct kecat_snapshot *c)
{
	c->flags = one_in(32);
	c->in_len = any_length();
	c->out_len = any_length();
	c->in_ptr = any_pointer();
	c->out_ptr = any_pointer();
}

static void fill_record_arm(struct kecat_record_arm *c)
{
	c->cycles = one_in(8) ? any_length() : below(200);
	c->post = one_in(8) ? any_length() : below(c->cycles % KECAT_RECORD_MAX_CYCLES + 1);
	c->frames = one_in(8) ? any_length() : below(200);
	c->snap = one_in(8) ? any_length() : below(KECAT_RECORD_MAX_SNAP + 1);
	c->triggers = one_in(8) ? random64() : below(0x40) & ~KECAT_RECORD_ON_LIMIT;
	c->holdoff = one_in(8) ? random64() : below(20);
	c->id = one_in(32);
	c->limit_ns[below(one_in(4) ? KECAT_RECORD_STAMPS : KECAT_LAT_COUNT)] =
		one_in(2) ? below(100000) : 0;
}

/* the ring that is there, as far as it can be known beforehand */
static void fill_record_read(struct kecat_record_read *c)
{
	struct kecat_record_state st = { .size = sizeof(st) };

	ioctl(fd, KECAT_IOC_RECORD_STATE, &st);
	c->what = one_in(16) ? random64() : below(2);
	c->id = one_in(16) ? random64() : st.id;
	c->from = one_in(4) ? any_length() : below(20);
	c->count = one_in(2) ? any_length() : below(20);
	c->elem = one_in(16) ? any_length() : c->what ? st.frame_size :
		  sizeof(struct kecat_record_cycle);
	c->pad = one_in(32);
	c->ptr = any_pointer();
}

/* long ago, now, soon, or at the end of time */
static uint64_t any_instant(void)
{
	struct timespec t;

	if (one_in(4))
		return one_in(2) ? 0 : random64();
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec + below(4000000) - 2000000;
}

/* what is likely to get past the first checks */
static void fill_sound(unsigned long cmd, void *arg)
{
	struct kecat_array *a = arg;
	struct kecat_wait *w = arg;
	struct kecat_state *s = arg;
	struct kecat_latency *l = arg;
	struct kecat_sii *e = arg;

	switch (cmd) {
	case KECAT_IOC_SLAVE_INFO:
		((struct kecat_slave_info *)arg)->position = any_position();
		break;
	case KECAT_IOC_SLAVE_PDOS:
	case KECAT_IOC_LAYOUT:
		a->position = cmd == KECAT_IOC_LAYOUT ? one_in(8) : any_position();
		a->count = any_length();
		a->elem = one_in(16) ? any_length() : cmd == KECAT_IOC_LAYOUT ?
			  sizeof(struct kecat_layout) : sizeof(struct kecat_pdo_entry);
		a->ptr = any_pointer();
		break;
	case KECAT_IOC_SDO_UPLOAD:
	case KECAT_IOC_SDO_DOWNLOAD:
		fill_sdo(arg);
		break;
	case KECAT_IOC_REG_READ:
	case KECAT_IOC_REG_WRITE:
		fill_reg(arg);
		break;
	case KECAT_IOC_SII_READ:
		e->position = any_position();
		e->word = one_in(2) ? below(128) : any_length();
		e->words = one_in(4) ? any_length() : 1 + below(8);
		e->ptr = any_pointer();
		break;
	case KECAT_IOC_STATE:
		s->position = any_position();
		s->state = one_in(8) ? random64() : 1u << below(4);
		s->timeout_ms = below(20);
		break;
	case KECAT_IOC_CONFIG_SET:
	case KECAT_IOC_CONFIG_GET:
		fill_config(arg, cmd == KECAT_IOC_CONFIG_SET);
		break;
	case KECAT_IOC_WAIT:
		w->flags = one_in(16);
		w->cycle = one_in(4) ? random64() : 0;
		w->timeout_ns = one_in(4) ? 0 : below(2000000);
		break;
	case KECAT_IOC_EXCHANGE:
		((struct kecat_exchange *)arg)->flags = one_in(16);
		((struct kecat_exchange *)arg)->at_ns = any_instant();
		break;
	case KECAT_IOC_SNAPSHOT:
		fill_snapshot(arg);
		break;
	case KECAT_IOC_RECORD_ARM:
		fill_record_arm(arg);
		break;
	case KECAT_IOC_RECORD_READ:
		fill_record_read(arg);
		break;
	case KECAT_IOC_LATENCY:
		l->phase = one_in(8) ? random64() : below(6);
		l->flags = one_in(16) ? random64() : one_in(8);
		l->buckets = any_length();
		l->ptr = any_pointer();
		break;
	}
}

/* A time-out that nobody wants to sit out. */
static void bound_times(unsigned long cmd, void *arg)
{
	if (cmd == KECAT_IOC_STATE)
		((struct kecat_state *)arg)->timeout_ms &= 31;
	/* 0 would be a second */
	if (cmd == KECAT_IOC_SDO_UPLOAD || cmd == KECAT_IOC_SDO_DOWNLOAD)
		((struct kecat_sdo *)arg)->timeout_ms = 1 + below(30);
	if (cmd == KECAT_IOC_WAIT)
		((struct kecat_wait *)arg)->timeout_ns &= (1 << 21) - 1;
}

static uint32_t any_size(unsigned int known)
{
	switch (below(16)) {
	case 0:
		return below(known + 1);
	case 1:
		return known + 8 * below(4);
	case 2:
		return any_length();
	default:
		return known;
	}
}

static void summary(const char *end)
{
	int e;

	printf("seed %llu: %u calls, %s;", seed, call, end);
	for (e = 0; e <= ERRNO_MAX; e++)
		if (answers[e])
			printf(" %s %u", e ? strerrorname_np(e) : "ok", answers[e]);
	printf("\n");
}

/* ---- calls ---- */

/* the alarm may come while it looks, and then it has not said anything */
static int poll_now(struct pollfd *p)
{
	int ret;

	do
		ret = poll(p, 1, 0);
	while (ret < 0 && errno == EINTR);
	return ret;
}

/* the port was taken away: nothing else may work from now on */
static void check_gone(void)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };
	unsigned char arg[1024];
	unsigned int i;
	ssize_t n;

	for (i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		memset(arg, 0, sizeof(arg));
		memcpy(arg, &shapes[i].size, sizeof(shapes[i].size));
		CHECK(ioctl(fd, shapes[i].cmd, arg) == -1 && errno == ENODEV,
		      "gone, but ioctl 0x%lx: %m", shapes[i].cmd);
	}
	/* the events that are left say why */
	do
		n = read(fd, data, DATA);
	while (n > 0 || (n < 0 && errno == EINTR));
	CHECK(n == -1 && errno == ENODEV, "gone, but read: %m");
	CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED &&
	      errno == ENODEV, "gone, but mmap: %m");
	CHECK(poll_now(&p) == 1 && p.revents == (POLLERR | POLLHUP),
	      "gone, but poll: 0x%x", p.revents);
	summary("port gone");
	exit(0);
}

static void note(long ret, const char *what)
{
	int e = ret < 0 ? errno : 0;

	CHECK(ret >= -1, "%s answered %ld", what, ret);
	CHECK(e >= 0 && e <= ERRNO_MAX, "%s: errno %d does not exist", what, e);
	answers[e]++;
}

static void call_ioctl(void)
{
	const struct shape *s = &shapes[below(sizeof(shapes) / sizeof(*shapes))];
	unsigned char struct_[1024] = {}, *arg;
	unsigned long cmd = s->cmd;
	uint32_t size = any_size(s->size), room, i;
	long ret;

	if (!one_in(s->seldom))
		return;
	if (one_in(8))
		for (i = 0; i < s->size; i++)
			struct_[i] = random64();
	else
		fill_sound(cmd, struct_);
	bound_times(cmd, struct_);
	memcpy(struct_, &size, sizeof(size));
	/* all that the caller owns lies right before the missing page */
	room = size < s->size ? size : s->size;
	arg = arg_end - room - (one_in(2) ? 64 : 0);
	memset(arg, CANARY, arg_end - arg);
	memcpy(arg, struct_, room);
	ret = ioctl(fd, cmd, one_in(64) ? (void *)(uintptr_t)any_pointer() : arg);
	note(ret, "ioctl");
	CHECK(!ret || ret == -1, "ioctl 0x%lx answered %ld", cmd, ret);
	for (i = room; arg + i < arg_end; i++)
		CHECK(arg[i] == CANARY, "ioctl 0x%lx wrote %u bytes behind %u",
		      cmd, i - room, room);
}

static void call_read(void)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLPRI };
	size_t len = one_in(2) ? any_length() : 48 * below(20);
	long ret = read(fd, (void *)(uintptr_t)any_pointer(), len);

	note(ret, "read");
	CHECK(ret <= 0 || ret % sizeof(struct kecat_event) == 0,
	      "read of %ld bytes: no whole events", ret);
	ret = poll_now(&p);
	CHECK(ret >= 0 && !(p.revents & POLLNVAL), "poll answered %ld, 0x%x",
	      ret, p.revents);
	if (p.revents & POLLERR)
		check_gone();
}

static void call_mmap(void)
{
	static const int prots[] = { PROT_READ, PROT_WRITE, PROT_READ | PROT_WRITE,
				     PROT_NONE, PROT_READ | PROT_EXEC };
	size_t len = PAGE * (1 + below(12));
	off_t off = one_in(4) ? (off_t)PAGE * below(4) : 0;
	int prot = prots[below(5)];
	struct kecat_shm *shm = mmap(NULL, len, prot, one_in(4) ? MAP_PRIVATE :
				     MAP_SHARED, fd, off);
	unsigned int i;

	note(shm == MAP_FAILED ? -1 : 0, "mmap");
	if (shm == MAP_FAILED)
		return;
	CHECK(!(prot & PROT_READ) || shm->magic == KECAT_SHM_MAGIC,
	      "mapping begins with 0x%x", shm->magic);
	/* whatever stands there, the kernel must not believe it */
	if (prot == (PROT_READ | PROT_WRITE))
		for (i = 0; i < len / 64; i++)
			((unsigned char *)shm)[64 + below(len - 64)] = random64();
	if (!one_in(4))
		munmap(shm, len);
}

/* a command that is nearly one of ours */
static void call_unknown(void)
{
	unsigned long cmd = shapes[below(sizeof(shapes) / sizeof(*shapes))].cmd;
	struct kecat_status arg = { .size = any_size(sizeof(arg)) };

	cmd ^= 1ul << below(32);
	note(ioctl(fd, cmd, &arg), "ioctl");
	note(ioctl(fd, random64(), any_pointer()), "ioctl");
}

static void call_other(void)
{
	note(lseek(fd, one_in(4) ? (off_t)random64() : 0, below(4)), "lseek");
	note(write(fd, data, below(100)), "write");
}

static void check_status(void)
{
	struct kecat_status s = { .size = sizeof(s) };
	struct kecat_version v = { .size = sizeof(v) };

	if (ioctl(fd, KECAT_IOC_VERSION, &v)) {
		CHECK(errno == ENODEV, "version: %m");
		check_gone();
	}
	CHECK(v.abi == KECAT_ABI && v.size == sizeof(v), "abi 0x%x", v.abi);
	if (ioctl(fd, KECAT_IOC_STATUS, &s)) {
		CHECK(errno == ENODEV, "status: %m");
		check_gone();
	}
	CHECK(s.size == sizeof(s) && s.slaves <= KECAT_MAX_SLAVES &&
	      s.slaves_present <= KECAT_MAX_SLAVES && s.phase <= 1,
	      "status: %u slaves, %u present, phase %u", s.slaves,
	      s.slaves_present, s.phase);
}

static void alarmed(int sig)
{
	(void)sig;
}

/* long waits end early, as they must */
static void interrupt_often(void)
{
	struct sigaction sa = { .sa_handler = alarmed };
	struct itimerval often = { { 0, 50000 }, { 0, 50000 } };

	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
}

static void run(unsigned int calls)
{
	state = seed;
	interrupt_often();
	for (call = 0; call < calls; call++) {
		switch (below(16)) {
		case 0:
			call_read();
			break;
		case 1:
			call_mmap();
			break;
		case 2:
			call_other();
			break;
		case 3:
			call_unknown();
			break;
		default:
			call_ioctl();
		}
		if (call % STATUS_EVERY == 0)
			check_status();
	}
	check_status();
	CHECK(answers[0] > calls / 20, "only %u calls succeeded", answers[0]);
	summary("all");
}

int main(int argc, char **argv)
{
	unsigned int calls, n, i;
	int status = 0, failed = 0;

	if (argc != 5) {
		fprintf(stderr, "usage: ioctl_fuzz DEVICE SEED CALLS PROCESSES\n");
		return 2;
	}
	seed = strtoull(argv[2], NULL, 0);
	calls = strtoul(argv[3], NULL, 0);
	n = strtoul(argv[4], NULL, 0);
	fd = open(argv[1], O_RDWR | O_NONBLOCK | O_CLOEXEC);
	CHECK(fd >= 0, "%s: %m", argv[1]);
	guarded(PAGE, &arg_end);
	data = guarded(DATA, &data_end);
	read_only = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < n; i++, seed++) {
		fflush(stdout);
		if (!fork()) {
			run(calls);
			exit(0);
		}
	}
	while (n--) {
		if (wait(&status) < 0 || status)
			failed = 1;
		if (WIFSIGNALED(status))
			printf("a process died of signal %d\n", WTERMSIG(status));
	}
	return failed;
}
