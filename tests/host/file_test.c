// SPDX-License-Identifier: GPL-2.0-only
/* An open file: whose outputs, its mapping, cycles, events, and the port's end. */
#include <linux/mm.h>
#include <linux/poll.h>
#include "call.h"
#include "../../kmod/mon.h"

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

static long map(struct file *f, size_t n, unsigned long flags, unsigned long off)
{
	return PTR_ERR(host_mmap(f, n, VM_READ, flags, off));
}

/* ---- whose outputs ---- */

TEST(one_owner)
{
	struct bench *b = active("coupler,do8", 2);
	struct file *f = open_as(b, O_RDWR);
	struct kecat_activate a = {};

	CHECK_EQ(CALL(f, ACTIVATE, &a), -EBUSY);
	CHECK_EQ(CALL(b->f, ACTIVATE, &a), -EBUSY);
	CHECK_EQ(host_ioctl(f, KECAT_IOC_DEACTIVATE, NULL), -EBUSY);
	CHECK_EQ(map(f, PAGE_SIZE, VM_SHARED, 0), -EACCES);
	/* closing another file changes nothing, closing the owner's does */
	host_close(f);
	CHECK_EQ(bench_status(b)->phase, KECAT_PHASE_ACTIVE);
	f = open_as(b, O_RDWR | O_NONBLOCK);
	bench_close(b);
	b->f = f;
	CHECK_EQ(bench_status(b)->phase, KECAT_PHASE_IDLE);
	CHECK_EQ(bench_status(b)->owner_pid, 0);
	CHECK_EQ(bench_events(b, KECAT_EV_APP_LOSS, KECAT_ALL, 1), 1);
	/* idle: nothing to end, and that is no error */
	CHECK_EQ(host_ioctl(f, KECAT_IOC_DEACTIVATE, NULL), 0);
	bench_free(b);
}

TEST(nothing_without_activation)
{
	struct bench *b = scanned("coupler,do8", 2);
	struct kecat_wait w = { .timeout_ns = 1000 };
	struct kecat_snapshot s = {};
	struct kecat_activate a = {};

	CHECK_EQ(CALL(b->f, ACTIVATE, &a), -ENOENT);
	CHECK_EQ(map(b->f, PAGE_SIZE, VM_SHARED, 0), -ENOTCONN);
	CHECK_EQ(CALL(b->f, WAIT, &w), -ENOTCONN);
	CHECK_EQ(CALL(b->f, SNAPSHOT, &s), -ENOTCONN);
	bench_free(b);
}

TEST(mapping)
{
	struct bench *b = active("coupler,do8", 2);
	struct kecat_shm *shm;

	CHECK_EQ(map(b->f, PAGE_SIZE, 0, 0), -EINVAL);
	CHECK_EQ(map(b->f, PAGE_SIZE, VM_SHARED, 1), -EINVAL);
	CHECK_EQ(map(b->f, b->shm->size + 1, VM_SHARED, 0), -EINVAL);
	shm = host_mmap(b->f, PAGE_SIZE, VM_READ, VM_SHARED, 0);
	REQUIRE(!IS_ERR(shm));
	/* it outlives the exchange, and the application sees the end in it */
	CHECK_EQ(shm->state, KECAT_PHASE_ACTIVE);
	b->shm = NULL;
	CHECK_EQ(bench_deactivate(b), 0);
	CHECK_EQ(shm->magic, KECAT_SHM_MAGIC);
	CHECK_EQ(shm->state, KECAT_PHASE_IDLE);
	/* the next activation has memory of its own */
	CHECK_EQ(bench_activate(b), 0);
	CHECK(b->shm != shm);
	CHECK_EQ(shm->state, KECAT_PHASE_IDLE);
	/* it was mapped twice */
	host_munmap(shm);
	host_munmap(shm);
	bench_free(b);
}

/* ---- cycles ---- */

TEST(waiting)
{
	struct bench *b = active("coupler,do8", 2);
	struct kecat_wait w = { .timeout_ns = 10 * CYCLE };

	CHECK_EQ(CALL(b->f, WAIT, &w), 0);
	w.timeout_ns = 0;
	CHECK_EQ(CALL(b->f, WAIT, &w), -EAGAIN);
	w.timeout_ns = CYCLE / 100;
	w.cycle += 5;
	CHECK_EQ(CALL(b->f, WAIT, &w), -ETIMEDOUT);
	w.cycle -= 5;
	w.timeout_ns = ~0ULL;
	CHECK_EQ(CALL(b->f, WAIT, &w), 0);
	bench_free(b);
}

TEST(polling)
{
	struct bench *b = scanned("coupler,do8", 2);
	unsigned int cycle = EPOLLIN | EPOLLRDNORM;

	CHECK_EQ(host_poll(b->f), EPOLLPRI);
	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	CHECK_EQ(host_poll(b->f), 0);
	CHECK_EQ(host_poll_wait(b->f, EPOLLIN | EPOLLPRI, 20000000), 0);
	CHECK_EQ(bench_configure(b, CYCLE, 1, 0), 0);
	CHECK_EQ(bench_activate(b), 0);
	CHECK_EQ(host_poll_wait(b->f, EPOLLIN, 2 * CYCLE), EPOLLIN);
	CHECK_EQ(bench_wait(b, 0), 0);
	CHECK_EQ(host_poll(b->f) & cycle, 0);
	CHECK_EQ(host_poll_wait(b->f, EPOLLIN, 2 * CYCLE), EPOLLIN);
	/* that it ended is news, until it was heard; idle there is none to see */
	CHECK_EQ(bench_wait(b, 0), 0);
	CHECK_EQ(bench_deactivate(b), 0);
	CHECK_EQ(host_poll(b->f) & cycle, cycle);
	CHECK_EQ(bench_wait(b, 0), -ENOTCONN);
	CHECK_EQ(host_poll(b->f) & cycle, 0);
	/* numbers start anew */
	CHECK_EQ(bench_activate(b), 0);
	CHECK_EQ(host_poll_wait(b->f, EPOLLIN, 2 * CYCLE), EPOLLIN);
	bench_free(b);
}

static int ender(void *arg)
{
	struct bench *b = arg;

	host_sleep(5 * CYCLE);
	return bench_deactivate(b);
}

/* ..also to who sleeps in poll() when somebody else ends it */
TEST(polling_ends_with_the_cycle)
{
	struct bench *b = scanned("coupler,do8", 2);
	struct task_struct *t;
	int i;

	CHECK_EQ(bench_configure(b, CYCLE, 1, 0), 0);
	CHECK_EQ(bench_activate(b), 0);
	CHECK_EQ(bench_wait(b, 2 * CYCLE), 0);
	t = host_spawn("ender", ender, b);
	for (i = 0; i < 2000; i++) {
		CHECK_EQ(host_poll_wait(b->f, EPOLLIN, 1000 * CYCLE), EPOLLIN);
		if (bench_wait(b, 0) == -ENOTCONN)
			break;
	}
	CHECK(i < 2000);
	CHECK_EQ(host_join(t), 0);
	bench_free(b);
}

/* whenever it comes, every phase counts the same cycles afterwards */
TEST(latencies_start_anew_together)
{
	struct bench *b = scanned("coupler,do8", 2);
	u32 round, p;

	CHECK_EQ(bench_configure(b, CYCLE, 1, 0), 0);
	for (round = 0; round < 30; round++) {
		struct kecat_latency l = { .flags = KECAT_LATENCY_RESET };
		u64 count = 0, sum = 0, between = 0;

		CHECK_EQ(bench_activate(b), 0);
		bench_cycles(b, 5);
		host_sleep(host_rand_below(CYCLE));
		l.phase = round % KECAT_LAT_COUNT;
		CHECK_EQ(CALL(b->f, LATENCY, &l), 0);
		CHECK(l.count >= 5 || l.phase > KECAT_LAT_TOTAL);
		bench_cycles(b, 3);
		CHECK_EQ(bench_deactivate(b), 0);
		for (p = 0; p < KECAT_LAT_COUNT; p++) {
			l = (struct kecat_latency) { .phase = p };
			CHECK_EQ(CALL(b->f, LATENCY, &l), 0);
			count = p ? count : l.count;
			if (p <= KECAT_LAT_TOTAL)
				CHECK_EQ(l.count, count);
			CHECK(l.count <= count);
			if (p == KECAT_LAT_TOTAL)
				CHECK_EQ(l.sum_ns, sum);
			if (p == KECAT_LAT_PERIOD)
				between = l.count;
			if (p == KECAT_LAT_JITTER)
				CHECK_EQ(l.count, between);
			sum += l.sum_ns;
		}
		/* idle it is at once */
		l = (struct kecat_latency) { .flags = KECAT_LATENCY_RESET };
		CHECK_EQ(CALL(b->f, LATENCY, &l), 0);
		CHECK_EQ(CALL(b->f, LATENCY, &l), 0);
		CHECK_EQ(l.count, 0);
	}
	bench_free(b);
}

/* ---- events ---- */

static u64 make_events(struct bench *b, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		kecat_event(b->m, KECAT_EV_TOPOLOGY, KECAT_ALL, i, 0, 0, 0);
	return b->m->events.seq;
}

TEST(events_are_read_whole_and_in_order)
{
	struct bench *b = scanned("coupler", 1);
	struct kecat_event *e = b->events;
	u64 last;
	u32 i;

	CHECK_EQ(host_read(b->f, e, sizeof(*e) - 1), -EINVAL);
	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	CHECK_EQ(host_read(b->f, e, sizeof(*e)), -EAGAIN);
	last = make_events(b, 21);
	/* an address that takes half an event takes none, and loses none */
	CHECK_EQ(host_read(b->f, (u8 *)(e + 256) - 8, sizeof(*e)), -EFAULT);
	CHECK_EQ(host_read(b->f, e, 2 * sizeof(*e) + 47), 2 * sizeof(*e));
	CHECK_EQ(e[1].arg0, 1);
	CHECK_EQ(host_read(b->f, e + 2, 100 * sizeof(*e)), 19 * sizeof(*e));
	for (i = 0; i < 21; i++)
		CHECK_EQ(e[i].seq, last - 20 + i);
	bench_free(b);
}

TEST(events_that_were_overwritten_are_counted)
{
	struct bench *b = scanned("coupler", 1);
	struct kecat_event *e = b->events;
	u64 last;

	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	last = make_events(b, KECAT_EVENT_RING + 5);
	CHECK_EQ(bench_status(b)->events_lost, 0);
	CHECK_EQ(host_read(b->f, e, sizeof(*e)), sizeof(*e));
	CHECK_EQ(e->seq, last - KECAT_EVENT_RING + 1);
	CHECK_EQ(bench_status(b)->events_lost, 5);
	bench_free(b);
}

TEST(events_from_the_oldest_or_behind_the_newest)
{
	struct bench *b = scanned("coupler", 1);
	struct file *f = open_as(b, O_RDONLY | O_NONBLOCK);
	struct kecat_event *e = b->events;

	/* each file has its own place */
	CHECK_EQ(host_read(f, e, sizeof(*e)), -EAGAIN);
	CHECK_EQ(f->f_op->llseek(f, 0, SEEK_SET), 0);
	CHECK_EQ(host_read(f, e, sizeof(*e)), sizeof(*e));
	CHECK_EQ(e->seq, 1);
	CHECK_EQ(f->f_op->llseek(f, 0, SEEK_END), 0);
	CHECK_EQ(host_read(f, e, sizeof(*e)), -EAGAIN);
	CHECK_EQ(f->f_op->llseek(f, 1, SEEK_SET), -EINVAL);
	CHECK_EQ(f->f_op->llseek(f, 0, SEEK_CUR), -EINVAL);
	host_close(f);
	bench_free(b);
}

static int blocked_read(void *arg)
{
	struct file *f = arg;
	struct kecat_event *e = host_user_alloc(sizeof(*e));
	int ret = (int)host_read(f, e, sizeof(*e));

	if (ret > 0)
		ret = (int)e->arg0;
	host_user_free(e);
	return ret;
}

TEST(reading_blocks_until_something_happens)
{
	struct bench *b = scanned("coupler", 1);
	struct file *f = open_as(b, O_RDWR);
	struct task_struct *t;

	t = host_spawn("reader", blocked_read, f);
	host_sleep(1000000);
	kecat_event(b->m, KECAT_EV_TOPOLOGY, KECAT_ALL, 4711, 0, 0, 0);
	CHECK_EQ(host_join(t), 4711);
	t = host_spawn("reader", blocked_read, f);
	host_sleep(1000000);
	host_signal(t, false);
	CHECK_EQ(host_join(t), -EINTR);
	host_close(f);
	bench_free(b);
}

/* ---- observers ---- */

TEST(snapshot)
{
	struct bench *b = active("coupler,node", 2);
	u8 *in = host_user_alloc(8), *out = host_user_alloc(8);
	struct kecat_snapshot s = { .in_len = 8, .out_len = 8,
				    .in_ptr = (u64)in, .out_ptr = (u64)out };
	int i;

	for (i = 0; i < 3; i++) {
		memset(bench_outputs(b), 0x5a, 8);
		bench_cycles(b, 1);
	}
	CHECK_EQ(CALL(b->f, SNAPSHOT, &s), 0);
	CHECK_EQ(s.in_len, 8);
	CHECK_EQ(s.out_len, 8);
	CHECK_EQ(out[7], 0x5a);
	CHECK_EQ(s.groups, 1);
	CHECK_EQ(s.groups_valid, 1);
	CHECK_EQ(s.wkc[0], 3);
	CHECK_EQ(s.wkc_expected[0], 3);
	CHECK_EQ(s.wkc_full[0], 3);
	/* lengths alone, less room, an address that is none */
	s = (struct kecat_snapshot){};
	CHECK_EQ(CALL(b->f, SNAPSHOT, &s), 0);
	CHECK_EQ(s.in_len, 8);
	memset(out, 0xee, 8);
	s = (struct kecat_snapshot){ .out_len = 3, .out_ptr = (u64)out };
	CHECK_EQ(CALL(b->f, SNAPSHOT, &s), 0);
	CHECK_EQ(s.out_len, 8);
	CHECK_EQ(out[2], 0x5a);
	CHECK_EQ(out[3], 0xee);
	s = (struct kecat_snapshot){ .in_len = 8, .in_ptr = (u64)in + 1 };
	CHECK_EQ(CALL(b->f, SNAPSHOT, &s), -EFAULT);
	host_user_free(in);
	host_user_free(out);
	bench_free(b);
}

static u64 counted(struct bench *b, u32 row, struct kecat_latency *l)
{
	*l = (struct kecat_latency) { .phase = row };
	CHECK_EQ(CALL(b->f, LATENCY, l), 0);
	return l->count;
}

/* what is between cycles, and a round trip that is no part of the sum */
TEST(latency_between_cycles)
{
	struct bench *b = active("coupler,do8", 2);
	struct kecat_latency l;
	u64 cycles, wait;

	bench_cycles(b, 50);
	CHECK_EQ(bench_deactivate(b), 0);
	cycles = counted(b, KECAT_LAT_WAIT, &l);
	wait = l.sum_ns;
	/* the thread is woken late by some microseconds now and then, no more */
	CHECK_EQ(counted(b, KECAT_LAT_PERIOD, &l), cycles - 1);
	CHECK(l.min_ns > CYCLE * 9 / 10 && l.max_ns < CYCLE * 11 / 10);
	CHECK_EQ(counted(b, KECAT_LAT_JITTER, &l), cycles - 1);
	CHECK(l.max_ns < CYCLE / 10);
	CHECK_EQ(counted(b, KECAT_LAT_ROUNDTRIP, &l), cycles);
	CHECK_EQ(l.sum_ns, wait);
	CHECK_EQ(counted(b, KECAT_LAT_ACCOUNT, &l), cycles - 1);
	bench_free(b);
}

/* a lost frame has no round trip */
TEST(latency_of_a_lost_frame)
{
	struct bench *b = active("coupler,do8", 2);
	struct kecat_latency l;
	u64 cycles, whole;

	bench_cycles(b, 10);
	b->v->faults.lose = 1000000;
	bench_cycles(b, 3);
	b->v->faults.lose = 0;
	bench_cycles(b, 10);
	CHECK_EQ(bench_deactivate(b), 0);
	cycles = counted(b, KECAT_LAT_WAIT, &l);
	whole = counted(b, KECAT_LAT_ROUNDTRIP, &l);
	CHECK(cycles - whole >= 2 && cycles - whole <= 4);
	bench_free(b);
}

static void say(struct bench *b, u64 cycle, u64 taken, u64 done)
{
	b->shm->taken_ns = taken;
	b->shm->done_ns = done;
	b->shm->taken_cycle = cycle;
}

/*
 * The application's account of itself counts when it can be true: after the
 * inputs, before now, for the cycle before.
 */
TEST(latency_of_the_application)
{
	static const struct {
		int cycle;
		s64 taken, done;	/* from the arrival of the inputs */
		u32 to_app, app;
	} say_this[] = {
		{ 0, 1000, 5000, 1, 1 },
		{ 0, 0, 0, 1, 1 },
		{ 0, 1000, 999, 1, 0 },			/* done with older ones */
		{ 0, 1000, 2 * CYCLE, 1, 0 },		/* not yet */
		{ 0, -1, 5000, 0, 0 },			/* before they were there */
		{ 0, 2 * CYCLE, 2 * CYCLE, 0, 0 },	/* in the future */
		{ -1, 1000, 5000, 0, 0 },
		{ 1, 1000, 5000, 0, 0 },
		{ 0, S64_MAX / 2, -1, 0, 0 },
	};
	struct bench *b = active("coupler,do8", 2);
	struct kecat_latency l;
	u32 i;

	bench_cycles(b, 10);
	for (i = 0; i < ARRAY_SIZE(say_this); i++) {
		const struct kecat_in_hdr *h;
		u64 to_app = counted(b, KECAT_LAT_TO_APP, &l), sum = l.sum_ns;
		u64 app = counted(b, KECAT_LAT_APP, &l), app_sum = l.sum_ns;

		CHECK_EQ(bench_cycle(b), 0);
		h = bench_inputs(b);
		say(b, h->cycle + say_this[i].cycle,
		    h->received_ns + say_this[i].taken,
		    h->received_ns + say_this[i].done);
		bench_cycles(b, 2);
		CHECK_EQ(counted(b, KECAT_LAT_TO_APP, &l) - to_app, say_this[i].to_app);
		CHECK_EQ(l.sum_ns - sum, say_this[i].to_app ? say_this[i].taken : 0);
		CHECK_EQ(counted(b, KECAT_LAT_APP, &l) - app, say_this[i].app);
		CHECK_EQ(l.sum_ns - app_sum, say_this[i].app ?
			 say_this[i].done - say_this[i].taken : 0);
	}
	bench_free(b);
}

TEST(latency)
{
	struct bench *b = active("coupler,do8", 2);
	u64 *bucket = host_user_alloc(KECAT_HIST_BUCKETS * sizeof(*bucket));
	struct kecat_latency l = { .phase = KECAT_LAT_TOTAL };
	u64 n = 0;
	u32 i;

	bench_cycles(b, 20);
	CHECK_EQ(CALL(b->f, LATENCY, &l), 0);
	CHECK_EQ(l.buckets, KECAT_HIST_BUCKETS);
	CHECK(l.count >= 20 && l.min_ns <= l.max_ns && l.max_ns);
	CHECK(l.sum_ns >= l.count * l.min_ns && l.sum_ns <= l.count * l.max_ns);
	/* the histogram has all that was counted */
	l.ptr = (u64)bucket;
	CHECK_EQ(CALL(b->f, LATENCY, &l), 0);
	for (i = 0; i < KECAT_HIST_BUCKETS; i++)
		n += bucket[i];
	CHECK_EQ(n, l.count);
	/* room for two of them */
	memset(bucket, 0xff, 3 * sizeof(*bucket));
	l.buckets = 2;
	CHECK_EQ(CALL(b->f, LATENCY, &l), 0);
	CHECK(bucket[1] != ~0ULL);
	CHECK_EQ(bucket[2], ~0ULL);
	l.ptr = (u64)(bucket + KECAT_HIST_BUCKETS) - 8;
	CHECK_EQ(CALL(b->f, LATENCY, &l), -EFAULT);
	host_user_free(bucket);
	bench_free(b);
}

/* ---- states ---- */

TEST(states_of_one_and_all)
{
	struct bench *b = active("coupler,do8,node", 3);
	struct kecat_state s = { .position = 1, .state = KECAT_AL_SAFEOP,
				 .timeout_ms = 2000 };

	CHECK_EQ(CALL(b->f, STATE, &s), 0);
	CHECK_EQ(s.al_state, KECAT_AL_SAFEOP);
	CHECK_EQ(bench_info(b, 2)->al_state, KECAT_AL_OP);
	s.position = KECAT_ALL;
	s.state = KECAT_AL_PREOP;
	CHECK_EQ(CALL(b->f, STATE, &s), 0);
	CHECK(bench_wait_state(b, KECAT_AL_PREOP, 3, 100));
	/* asked only */
	s.state = KECAT_AL_OP;
	s.timeout_ms = 0;
	CHECK_EQ(CALL(b->f, STATE, &s), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 3, 5000));
	bench_free(b);
}

TEST(a_refused_state_is_told)
{
	struct bench *b = scanned("coupler,node", 2);
	struct kecat_state s = { .position = 1, .state = KECAT_AL_OP,
				 .timeout_ms = 3000 };

	CHECK_EQ(CALL(b->f, STATE, &s), -ENOENT);
	CHECK_EQ(bench_configure(b, CYCLE, 1, 0), 0);
	CHECK_EQ(vnic_fault(b->v, "1 al refuse 8 0x1d"), 0);
	CHECK_EQ(bench_activate(b), 0);
	CHECK_EQ(CALL(b->f, STATE, &s), -EREMOTEIO);
	CHECK_EQ(s.al_code, 0x1d);
	CHECK(s.al_state != KECAT_AL_OP);
	bench_free(b);
}

/* ---- the port goes ---- */

TEST(after_the_port_every_call_says_so)
{
	struct bench *b = active("coupler,do8", 2);
	struct kecat_shm *shm = b->shm;
	struct kecat_event port = {};
	u8 arg[512];
	u32 nr, size;
	ssize_t ret;

	bench_unregister(b);
	for (nr = 1; nr <= 19; nr++) {
		unsigned int dir = nr == 14 || nr == 17 ? _IOC_NONE :
				   _IOC_READ | _IOC_WRITE;

		memset(arg, 0, sizeof(arg));
		size = sizeof(arg);
		memcpy(arg, &size, sizeof(size));
		CHECK_EQ(call_sized(b->f, _IOC(dir, KECAT_IOC_MAGIC, nr, 0), arg,
				    sizeof(arg)), -ENODEV);
	}
	/* but for the events, which say why */
	while ((ret = host_read(b->f, b->events, sizeof(*b->events))) > 0)
		if (b->events[0].type == KECAT_EV_PORT)
			port = b->events[0];
	CHECK_EQ(ret, -ENODEV);
	CHECK_EQ(port.type, KECAT_EV_PORT);
	CHECK_EQ(port.arg0, KECAT_PORT_TAKEN_BACK);
	CHECK_EQ(host_poll(b->f), EPOLLERR | EPOLLHUP);
	CHECK_EQ(map(b->f, PAGE_SIZE, VM_SHARED, 0), -ENODEV);
	/* the mapping is still memory, and tells */
	CHECK_EQ(shm->state, KECAT_PHASE_IDLE);
	/* the number is taken as long as somebody holds the file */
	CHECK_EQ(PTR_ERR(host_open(0, O_RDWR)), -ENODEV);
	bench_free(b);
}

enum sleeper { IN_WAIT, IN_STATE, IN_SDO, IN_READ, IN_POLL, SLEEPERS };

struct waiter {
	struct file *f;
	enum sleeper how;
	struct task_struct *t;
	u64 ended;
};

static int sleep_in(struct waiter *w, u8 *data)
{
	struct kecat_wait c = { .cycle = ~0ULL >> 1, .timeout_ns = ~0ULL };
	struct kecat_state s = { .position = 1, .state = KECAT_AL_INIT,
				 .timeout_ms = 600000 };
	struct kecat_sdo d = { .position = 2, .index = 0x2000, .len = 4,
			       .timeout_ms = 600000, .ptr = (u64)data };
	int ret;

	switch (w->how) {
	case IN_WAIT:
		return CALL(w->f, WAIT, &c);
	case IN_STATE:
		return CALL(w->f, STATE, &s);
	case IN_SDO:
		return CALL(w->f, SDO_UPLOAD, &d);
	case IN_READ:
		do
			ret = blocked_read(w->f);
		while (ret >= 0);
		return ret;
	default:
		/* for what never comes */
		ret = host_poll_wait(w->f, EPOLLOUT, 600000000000ULL);
		return ret == (EPOLLERR | EPOLLHUP) ? -ENODEV : ret;
	}
}

static int sleeper(void *arg)
{
	struct waiter *w = arg;
	u8 *data = host_user_alloc(4);
	int ret = sleep_in(w, data);

	w->ended = host_now();
	host_user_free(data);
	return ret;
}

TEST(who_sleeps_when_the_port_goes_is_woken)
{
	struct bench *b = active("coupler,node*2", 3);
	struct waiter w[SLEEPERS];
	u64 gone;
	int i;

	CHECK_EQ(vnic_fault(b->v, "2 mbx silent"), 0);
	CHECK_EQ(vnic_fault(b->v, "1 al ignore"), 0);
	for (i = 0; i < SLEEPERS; i++) {
		w[i] = (struct waiter){ .f = open_as(b, O_RDWR), .how = i };
		w[i].t = host_spawn("sleeper", sleeper, &w[i]);
	}
	host_sleep(50000000);
	for (i = 0; i < SLEEPERS; i++)
		CHECK(!w[i].ended);
	gone = host_now();
	bench_unregister(b);
	for (i = 0; i < SLEEPERS; i++) {
		int ret = host_join(w[i].t);

		if (ret != -ENODEV || w[i].ended - gone > 1000000000)
			host_fail(__FILE__, __LINE__, "sleeper %d: %d, after %llu ns",
				  i, ret, w[i].ended - gone);
		host_close(w[i].f);
	}
	bench_free(b);
}

TEST(who_sleeps_when_an_idle_port_goes_is_woken)
{
	struct bench *b = scanned("coupler", 1);
	struct waiter w[] = { { .how = IN_READ }, { .how = IN_POLL } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(w); i++) {
		w[i].f = open_as(b, O_RDWR);
		w[i].t = host_spawn("sleeper", sleeper, &w[i]);
	}
	host_sleep(50000000);
	bench_unregister(b);
	for (i = 0; i < ARRAY_SIZE(w); i++) {
		CHECK_EQ(host_join(w[i].t), -ENODEV);
		host_close(w[i].f);
	}
	bench_free(b);
}
