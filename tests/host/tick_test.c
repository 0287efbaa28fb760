// SPDX-License-Identifier: GPL-2.0-only
/* Whose time a cycle runs in: the thread's, an interrupt's, the application's. */
#include <linux/ktime.h>
#include "bench.h"
#include "../../kmod/cycle_int.h"
#include "../../kmod/frame.h"

#define CYCLE_NS	1000000ULL

static struct bench *up(u32 flags, u32 app_miss, u32 reaction)
{
	struct bench *b;
	struct cfg c;

	host_params.long_interrupts = true;
	b = bench_new("coupler,node*3,do8", NULL);
	REQUIRE(bench_wait_scanned(b, 5, 5000));
	b->deadline_ns = flags & KECAT_BUS_RX_SLEEP ? CYCLE_NS - 50000 : 0;
	bench_cfg(b, &c, CYCLE_NS, app_miss, reaction, flags, 1);
	REQUIRE(!bench_set_config(b, &c));
	cfg_end(&c);
	REQUIRE(!bench_activate(b));
	return b;
}

static void clean(struct bench *b)
{
	CHECK_EQ(bench_status(b)->frames_lost, 0);
	CHECK_EQ(bench_status(b)->frames_late, 0);
	CHECK_EQ(bench_status(b)->frames_foreign, 0);
	CHECK_EQ(bench_status(b)->wkc_errors, 0);
}

/* to OP and through so many cycles, each valid, with the inputs of that cycle */
static void follow(struct bench *b, u32 cycles)
{
	const struct kecat_in_hdr *h;
	u64 seen;
	u32 i;

	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 5000));
	bench_cycles(b, 3);
	seen = bench_inputs(b)->cycle;
	for (i = 1; i <= cycles; i++) {
		vnic_set_inputs(b->v, i);
		REQUIRE(!bench_wait(b, 100 * CYCLE_NS));
		h = bench_inputs(b);
		CHECK_EQ(h->cycle, seen + i);
		CHECK_EQ(h->groups_valid, 1);
		memcpy(bench_outputs(b), &i, sizeof(i));
		bench_publish(b);
	}
	clean(b);
	CHECK_EQ(bench_status(b)->overruns, 0);
}

static void down(struct bench *b)
{
	CHECK_EQ(bench_deactivate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_PREOP, 5, 5000));
	CHECK_EQ(bench_status(b)->frames_lost, 0);
	bench_free(b);
}

TEST(interrupt)
{
	struct bench *b = up(KECAT_BUS_TICK_IRQ, 0, KECAT_LOSS_SAFEOP);

	follow(b, 500);
	CHECK_EQ(b->m->cycle->tick_by, KECAT_TICK_INTERRUPT);
	down(b);
}

TEST(interrupts_for_sending_and_receiving)
{
	struct bench *b = up(KECAT_BUS_TICK_IRQ | KECAT_BUS_RX_SLEEP, 0,
			     KECAT_LOSS_SAFEOP);

	follow(b, 500);
	down(b);
}

TEST(thread_that_sleeps_until_the_deadline)
{
	struct bench *b = up(KECAT_BUS_RX_SLEEP, 0, KECAT_LOSS_SAFEOP);
	const struct kecat_in_hdr *h;

	follow(b, 500);
	REQUIRE(!bench_wait(b, 100 * CYCLE_NS));
	h = bench_inputs(b);
	CHECK(h->received_ns - h->tick_ns >= CYCLE_NS - 50000);
	down(b);
}

/* the thread gets everything back, and can lend it again */
TEST(interrupt_comes_and_goes)
{
	struct bench *b = up(KECAT_BUS_TICK_IRQ, 0, KECAT_LOSS_SAFEOP);
	u32 i;

	for (i = 0; i < 20; i++) {
		bench_cycles(b, 1 + i % 4);
		CHECK_EQ(bench_deactivate(b), 0);
		host_sleep(i * 100000);
		REQUIRE(!bench_activate(b));
	}
	follow(b, 20);
	/* .. also when the port goes under it */
	bench_unregister(b);
	bench_free(b);
}

/* cycles that take longer than there is time leave some of it to others */
static bool slow(struct vnic *v, struct vnic_frame *f)
{
	return !f->cyclic;
}

/* cycles of so many periods, of which no frame comes back until nearly the end */
static u64 overlong(u32 flags, u32 periods, u64 *overruns)
{
	struct bench *b;
	struct cfg c;
	u64 n;

	host_params.long_interrupts = true;
	b = bench_new("coupler,node*3,do8", NULL);
	REQUIRE(bench_wait_scanned(b, 5, 5000));
	b->deadline_ns = CYCLE_NS - 1000;
	bench_cfg(b, &c, CYCLE_NS, 0, KECAT_LOSS_SAFEOP, flags, 1);
	REQUIRE(!bench_set_config(b, &c));
	cfg_end(&c);
	b->v->before = slow;
	REQUIRE(!bench_activate(b));
	host_sleep(10 * CYCLE_NS);
	n = b->m->count.cycles;
	*overruns = b->m->count.overruns;
	host_sleep(periods * CYCLE_NS);
	n = b->m->count.cycles - n;
	*overruns = b->m->count.overruns - *overruns;
	CHECK_EQ(bench_deactivate(b), 0);
	b->v->before = NULL;
	bench_free(b);
	return n;
}

TEST(interrupt_leaves_time)
{
	u64 overruns, n = overlong(KECAT_BUS_TICK_IRQ, 100, &overruns);

	/* every other tick is missed, and counted */
	CHECK(n >= 49 && n <= 51);
	CHECK(overruns >= 49 && overruns <= 51);
}

/* .. and so does the thread that stands in for an application */
TEST(stand_in_leaves_time)
{
	u64 overruns, n = overlong(KECAT_BUS_TICK_APP, 160, &overruns);

	/* 17 sixteenths each */
	CHECK(n >= 145 && n <= 152);
}

/* nobody else's interrupt, or a driver that must not be called in one */
TEST(interrupt_needs_the_driver)
{
	struct bench *b = bench_new("coupler,do8", NULL);

	REQUIRE(bench_wait_scanned(b, 2, 5000));
	b->v->nic.hard = false;
	CHECK_EQ(bench_configure(b, CYCLE_NS, 1, KECAT_BUS_TICK_IRQ), 0);
	CHECK_EQ(bench_activate(b), -EOPNOTSUPP);
	CHECK_EQ(bench_configure(b, CYCLE_NS, 1, KECAT_BUS_RX_SLEEP), 0);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 2, 5000));
	bench_free(b);
}

/* ---- the application's ---- */

static void exchanges(struct bench *b, u32 n)
{
	u64 at = host_now() + CYCLE_NS, seen = 0, sent;
	const struct kecat_in_hdr *h;
	u32 i;

	for (i = 0; i < n; i++, at += CYCLE_NS) {
		sent = b->m->count.frames_sent;
		REQUIRE(!bench_exchange(b, at));
		h = bench_inputs(b);
		/* this very call's */
		CHECK_EQ(h->cycle, b->exchange->cycle);
		/* not before the deadline, where the call sleeps until then */
		if (b->m->cycle->rx_sleep)
			CHECK(h->received_ns - h->tick_ns >= b->deadline_ns);
		/* the first one takes over from the master */
		if (i)
			CHECK_EQ(h->tick_ns, at);
		CHECK(b->m->count.frames_sent > sent);
		if (i)
			CHECK_EQ(h->cycle, seen + 1);
		seen = h->cycle;
	}
}

TEST(application)
{
	struct bench *b = up(KECAT_BUS_TICK_APP, 0, KECAT_LOSS_SAFEOP);
	const struct kecat_in_hdr *h;
	u64 i, missed;

	/* nobody calls yet: the master brings them up all the same */
	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 5000));
	exchanges(b, 300);
	CHECK_EQ(bench_inputs(b)->groups_valid, 1);
	missed = b->m->count.app_missed;
	/* outputs go out in the call that publishes them, inputs come back in it */
	for (i = 1; i < 50; i++) {
		memset(bench_outputs(b), (int)i, b->shm->out_len);
		REQUIRE(!bench_exchange(b, 0));
		h = bench_inputs(b);
		CHECK_EQ(h->groups_valid, 1);
		CHECK_EQ(bench_output(b, 1) & 0xff, i);
		host_sleep(CYCLE_NS / 2);
	}
	clean(b);
	CHECK_EQ(bench_status(b)->overruns, 0);
	CHECK_EQ(b->m->count.app_missed, missed);
	down(b);
}

TEST(application_that_sleeps_in_the_call)
{
	struct bench *b = up(KECAT_BUS_TICK_APP | KECAT_BUS_RX_SLEEP, 0,
			     KECAT_LOSS_SAFEOP);

	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 5000));
	exchanges(b, 100);
	CHECK_EQ(bench_inputs(b)->groups_valid, 1);
	clean(b);
	down(b);
}

/* the master goes on, counts, and reacts; the application may come back */
TEST(application_that_stops)
{
	struct bench *b = up(KECAT_BUS_TICK_APP, 10, KECAT_LOSS_ZERO);
	u64 cycles;

	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 5000));
	memset(bench_outputs(b), 0x55, b->shm->out_len);
	exchanges(b, 10);
	CHECK_EQ(bench_output(b, 1) & 0xff, 0x55);
	cycles = b->m->count.cycles;
	host_sleep(6 * CYCLE_NS);
	/* it begins nearly three cycles after the last call */
	CHECK_EQ(b->m->count.cycles - cycles, 4);
	CHECK_EQ(bench_output(b, 1) & 0xff, 0x55);
	exchanges(b, 10);
	CHECK_EQ(bench_events(b, KECAT_EV_APP_LOSS, KECAT_ALL, KECAT_ALL), 0);
	host_sleep(15 * CYCLE_NS);
	CHECK_EQ(bench_output(b, 1), 0);
	CHECK_EQ(bench_events(b, KECAT_EV_APP_LOSS, KECAT_ALL, 2), 1);
	clean(b);
	CHECK_EQ(bench_status(b)->overruns, 0);
	down(b);
}

static u64 zeros_at;

static bool until_zeros(struct vnic *v, struct vnic_frame *f)
{
	u32 i;

	/* the outputs of the nodes, in the first datagram behind the tag */
	for (i = 0; f->cyclic && i < 24; i++)
		if (f->data[KECAT_FRAME_BODY + EC_DGRAM_HDR + i])
			return true;
	if (f->cyclic && !zeros_at)
		zeros_at = host_now();
	return true;
}

/* zeros are there within a cycle or two of the death, not when a call is due */
TEST(application_that_dies)
{
	struct bench *b = up(KECAT_BUS_TICK_APP, 0, KECAT_LOSS_ZERO);
	u64 from;

	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 5000));
	exchanges(b, 5);
	memset(bench_outputs(b), 0x55, b->shm->out_len);
	REQUIRE(!bench_exchange(b, 0));
	CHECK_EQ(bench_output(b, 1) & 0xff, 0x55);
	b->v->ctx = &from;
	b->v->before = until_zeros;
	from = host_now();
	zeros_at = 0;
	bench_close(b);
	CHECK(zeros_at && zeros_at - from < 3 * CYCLE_NS / 2);
	b->v->before = NULL;
	bench_free(b);
}

TEST(calls_that_are_refused)
{
	struct bench *b = bench_new("coupler,node*3,do8", NULL);
	struct file *other;
	u64 tick;

	REQUIRE(bench_wait_scanned(b, 5, 5000));
	CHECK_EQ(bench_exchange(b, 0), -ENOTCONN);
	CHECK_EQ(bench_configure(b, CYCLE_NS, 1, 0), 0);
	REQUIRE(!bench_activate(b));
	CHECK_EQ(bench_exchange(b, 0), -EOPNOTSUPP);
	CHECK_EQ(bench_deactivate(b), 0);
	CHECK_EQ(bench_configure(b, CYCLE_NS, 1, KECAT_BUS_TICK_APP), 0);
	REQUIRE(!bench_activate(b));
	CHECK_EQ(bench_exchange(b, host_now() + 1100000000ULL), -EINVAL);
	CHECK_EQ(bench_exchange(b, U64_MAX), -EINVAL);
	CHECK_EQ(bench_exchange(b, 0), 0);
	/* long ago: now */
	CHECK_EQ(bench_exchange(b, host_now() - 5 * CYCLE_NS), 0);
	CHECK_EQ(bench_exchange(b, 1), 0);
	CHECK_EQ(bench_status(b)->overruns, 0);
	/* later than the last one and past: what was missed is counted */
	tick = b->m->cycle->tick;
	host_sleep(2 * CYCLE_NS + CYCLE_NS / 4);
	CHECK_EQ(bench_exchange(b, tick + CYCLE_NS), 0);
	CHECK_EQ(bench_status(b)->overruns, 1);
	other = host_open(0, O_RDWR);
	REQUIRE(!IS_ERR(other));
	b->exchange->at_ns = 0;
	CHECK_EQ(host_ioctl(other, KECAT_IOC_EXCHANGE, b->exchange), -EACCES);
	host_close(other);
	b->exchange->flags = 1;
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_EXCHANGE, b->exchange), -EINVAL);
	bench_free(b);
}

/* ---- several at once ---- */

struct crowd {
	struct bench *b;
	bool over;
	u32 calls;
	u32 refused;
};

static int caller(void *arg)
{
	struct crowd *w = arg;
	struct kecat_exchange *x = host_user_alloc(sizeof(*x));
	long err;

	while (!w->over) {
		*x = (struct kecat_exchange) {
			.size = sizeof(*x),
			.at_ns = host_now() + host_rand_below(3 * CYCLE_NS),
		};
		err = host_ioctl(w->b->f, KECAT_IOC_EXCHANGE, x);
		current->signal = false;	/* its handler has run */
		if (!err)
			w->calls++;
		else if (err == -ENOTCONN || err == -EACCES || err == -EINTR ||
			 err == -ENODEV)
			w->refused++;
		else
			CHECK_EQ(err, 0);
		host_sleep(host_rand_below(3 * CYCLE_NS));
	}
	host_user_free(x);
	return 0;
}

/* who calls from several threads, while exchange ends and begins and the port goes */
TEST(callers_in_each_other_s_way)
{
	struct bench *b = up(KECAT_BUS_TICK_APP, 0, KECAT_LOSS_SAFEOP);
	struct crowd w = { .b = b };
	struct task_struct *t[3];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(t); i++)
		t[i] = host_spawn("caller", caller, &w);
	for (i = 0; i < 30; i++) {
		host_sleep(host_rand_below(10 * CYCLE_NS));
		host_signal(t[i % ARRAY_SIZE(t)], false);
		CHECK_EQ(bench_deactivate(b), 0);
		host_sleep(host_rand_below(2 * CYCLE_NS));
		REQUIRE(!bench_activate(b));
	}
	CHECK(w.calls > 30);
	CHECK_EQ(bench_status(b)->frames_foreign, 0);
	bench_unregister(b);
	host_sleep(10 * CYCLE_NS);
	w.over = true;
	for (i = 0; i < ARRAY_SIZE(t); i++)
		host_join(t[i]);
	CHECK(w.refused);
	bench_free(b);
}
