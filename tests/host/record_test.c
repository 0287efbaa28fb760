// SPDX-License-Identifier: GPL-2.0-only
/* The flight recorder: what it keeps, what freezes it, who may read it when. */
#include <linux/string.h>
#include "../../kmod/cycle_int.h"
#include "call.h"

#define CYCLE	1000000
#define FRAME	sizeof(struct kecat_record_frame)

static struct bench *in_op(const char *slaves, u32 n)
{
	struct bench *b = bench_new(slaves, NULL);

	REQUIRE(bench_wait_scanned(b, n, 8000));
	REQUIRE(!bench_configure(b, CYCLE, 1, 0));
	REQUIRE(!bench_activate(b));
	REQUIRE(bench_wait_state(b, KECAT_AL_OP, n, 8000));
	bench_cycles(b, 20);
	return b;
}

static long arm(struct bench *b, struct kecat_record_arm *a)
{
	return CALL(b->f, RECORD_ARM, a);
}

static struct kecat_record_state state(struct bench *b)
{
	struct kecat_record_state s = {};

	CHECK_EQ(CALL(b->f, RECORD_STATE, &s), 0);
	return s;
}

static long hand(struct bench *b)
{
	return host_ioctl(b->f, KECAT_IOC_RECORD_FREEZE, NULL);
}

/* records in user memory of exactly their size */
static long read_at(struct bench *b, u32 what, u64 id, u32 from, u32 count, u32 elem,
		    void *to, u32 *got)
{
	void *user = host_user_alloc((size_t)count * elem + 1);
	struct kecat_record_read r = {
		.what = what, .id = id, .from = from, .count = count,
		.elem = elem, .ptr = (uintptr_t)user,
	};
	long ret = CALL(b->f, RECORD_READ, &r);

	if (!ret) {
		memcpy(to, user, (size_t)r.count * elem);
		*got = r.count;
	}
	host_user_free(user);
	return ret;
}

static struct kecat_record_cycle cyc[256];
static u8 frames[512 * (FRAME + 64)];

static u32 read_cycles(struct bench *b)
{
	u32 got = 0;

	REQUIRE(!read_at(b, KECAT_RECORD_CYCLES, state(b).id, 0, ARRAY_SIZE(cyc),
			 sizeof(*cyc), cyc, &got));
	return got;
}

/* cycles until it is frozen */
static void until_frozen(struct bench *b, u32 max)
{
	while (state(b).state != KECAT_RECORD_FROZEN && max--)
		bench_cycles(b, 1);
	CHECK_EQ(state(b).state, KECAT_RECORD_FROZEN);
}

/* one after the other, and each partitioned */
static void are_whole(u32 n)
{
	u32 i, k;

	for (i = 0; i < n; i++) {
		CHECK(!i || cyc[i].cycle == cyc[i - 1].cycle + 1);
		for (k = 0; k < KECAT_LAT_TOTAL; k++)
			CHECK(cyc[i].at[k + 1] >= cyc[i].at[k]);
		for (k = KECAT_LAT_TOTAL + 1; k < KECAT_RECORD_AT; k++)
			CHECK_EQ(cyc[i].at[k], 0);
		CHECK_EQ(cyc[i].cpu, 0);
	}
}

/* ---- the ring ---- */

TEST(keeps_the_last_cycles_whole)
{
	struct bench *b = in_op("node*3", 3);
	struct kecat_record_arm a = { .cycles = 50, .post = 7, .frames = 100, .snap = 60 };
	struct kecat_record_state s;
	u32 got;

	CHECK_EQ(state(b).state, KECAT_RECORD_OFF);
	CHECK_EQ(hand(b), -ENOENT);
	CHECK_EQ(arm(b, &a), 0);
	CHECK(a.id);
	bench_cycles(b, 20);
	s = state(b);
	CHECK_EQ(s.state, KECAT_RECORD_ARMED);
	CHECK(s.have_cycles >= 15 && s.have_cycles < 50);
	CHECK_EQ(s.snap, 64);
	CHECK_EQ(s.frame_size, FRAME + 64);
	CHECK_EQ(read_at(b, KECAT_RECORD_CYCLES, a.id, 0, 1, sizeof(*cyc), cyc, &got), -EBUSY);
	bench_cycles(b, 117);
	CHECK_EQ(state(b).have_cycles, 50);
	CHECK_EQ(hand(b), 0);
	until_frozen(b, 20);
	s = state(b);
	CHECK_EQ(s.reasons, KECAT_RECORD_ON_HAND);
	CHECK_EQ(s.phase, KECAT_ALL);
	CHECK_EQ(s.cycle_ns, CYCLE);
	CHECK_EQ(s.pid, b->m->cycle->task->pid);
	CHECK_EQ(bench_events(b, KECAT_EV_RECORD, KECAT_ALL, KECAT_RECORD_ON_HAND), 1);
	CHECK_EQ(read_cycles(b), 50);
	are_whole(50);
	CHECK_EQ(cyc[49].cycle, s.trigger_cycle + 7);
	CHECK_EQ(cyc[42].reasons, KECAT_RECORD_ON_HAND);
	CHECK_EQ(cyc[43].reasons, 0);
	/* acyclic ones may be among them */
	CHECK(cyc[20].sent >= 1);
	CHECK_EQ(cyc[20].received, cyc[20].sent);
	CHECK_EQ(cyc[20].groups_valid, 1);
	CHECK_EQ(cyc[20].at[0] + CYCLE, cyc[21].at[0]);
	/* nothing is added any more */
	bench_cycles(b, 30);
	CHECK_EQ(read_cycles(b), 50);
	CHECK_EQ(cyc[49].cycle, s.trigger_cycle + 7);
	/* in pieces, and behind the end */
	CHECK_EQ(read_at(b, KECAT_RECORD_CYCLES, a.id, 48, 10, sizeof(*cyc), cyc, &got), 0);
	CHECK_EQ(got, 2);
	CHECK_EQ(cyc[1].cycle, s.trigger_cycle + 7);
	CHECK_EQ(read_at(b, KECAT_RECORD_CYCLES, a.id, 50, 1, sizeof(*cyc), cyc, &got), 0);
	CHECK_EQ(got, 0);
	CHECK_EQ(read_at(b, KECAT_RECORD_CYCLES, a.id, U32_MAX, 1, sizeof(*cyc), cyc, &got), 0);
	CHECK_EQ(got, 0);
	bench_free(b);
}

TEST(frames_are_what_was_on_the_wire)
{
	struct bench *b = in_op("node*3", 3);
	struct kecat_record_arm a = { .cycles = 40, .frames = 33, .snap = 64 };
	const struct kecat_record_frame *f, *last = NULL;
	u32 got = 0, i, pairs = 0;

	CHECK_EQ(arm(b, &a), 0);
	bench_cycles(b, 60);
	CHECK_EQ(hand(b), 0);
	until_frozen(b, 5);
	CHECK_EQ(read_at(b, KECAT_RECORD_FRAMES, a.id, 0, 512, FRAME + 64, frames, &got), 0);
	CHECK_EQ(got, 33);
	for (i = 0; i < got; i++, last = f) {
		const u8 *data;

		f = (void *)(frames + i * (FRAME + 64));
		data = (void *)(f + 1);
		CHECK(!last || f->time_ns >= last->time_ns);
		CHECK_EQ(f->kind, KECAT_RECORD_CYCLIC);
		CHECK(f->len >= 60);
		CHECK_EQ(f->cap, min_t(u32, f->len, 64));
		CHECK(data[12] == 0x88 && data[13] == 0xa4);
		if (last && last->dir == KECAT_RECORD_SENT) {
			CHECK_EQ(f->dir, KECAT_RECORD_RECEIVED);
			CHECK_EQ(f->tag, last->tag);
			CHECK_EQ(f->cycle, last->cycle);
			pairs++;
		}
	}
	CHECK(pairs >= 16);
	/* the size of an element is part of the question */
	CHECK_EQ(read_at(b, KECAT_RECORD_FRAMES, a.id, 0, 1, FRAME + 56, frames, &got), -EINVAL);
	bench_free(b);
}

static void say(struct bench *b, u64 cycle, u64 taken, u64 done)
{
	b->shm->taken_ns = taken;
	b->shm->done_ns = done;
	b->shm->taken_cycle = cycle;
}

/* what the application says is recorded where it can be true, in the next cycle */
TEST(what_the_application_says)
{
	static const struct {
		int cycle;		/* from the newest that it can have */
		s64 taken, done;	/* from the arrival of these inputs */
		bool believed, done_believed;
	} say_this[] = {
		{ 0, 1000, 5000, true, true },
		{ 0, 0, 0, true, true },
		{ 0, 1000, -900000, true, true },	/* done with older ones */
		{ 0, 1000, 2 * CYCLE, true, false },	/* in the future */
		{ 0, -1, 5000, false, false },		/* before they were there */
		{ 0, 2 * CYCLE, 2 * CYCLE, false, false },
		{ 1, 1000, 5000, false, false },
		{ S32_MAX, 1000, 5000, false, false },
		{ -2, -1000000, 5000, true, true },	/* late: older ones, still */
		{ -2, 2 * CYCLE, 5000, false, false },
		{ 0, S64_MAX / 2, -1, false, false },
	};
	struct bench *b = in_op("node*2", 2);
	struct kecat_record_arm a = { .cycles = 100 };
	u64 taken[ARRAY_SIZE(say_this)], done[ARRAY_SIZE(say_this)], cycle[ARRAY_SIZE(say_this)];
	u32 n, i;

	CHECK_EQ(arm(b, &a), 0);
	/* of what was in a place before nothing stays */
	for (i = 0; i < a.cycles; i++) {
		CHECK_EQ(bench_cycle(b), 0);
		say(b, bench_inputs(b)->cycle, bench_inputs(b)->received_ns, 1);
	}
	for (i = 0; i < ARRAY_SIZE(say_this); i++) {
		const struct kecat_in_hdr *h;

		CHECK_EQ(bench_cycle(b), 0);
		h = bench_inputs(b);
		cycle[i] = h->cycle;
		taken[i] = h->received_ns + say_this[i].taken;
		done[i] = h->received_ns + say_this[i].done;
		say(b, h->cycle + say_this[i].cycle, taken[i], done[i]);
		bench_cycles(b, 1);
		say(b, 0, 0, 0);
		bench_cycles(b, 1);
	}
	CHECK_EQ(hand(b), 0);
	until_frozen(b, 5);
	n = read_cycles(b);
	for (i = 0; i < ARRAY_SIZE(say_this); i++) {
		const struct kecat_record_cycle *c = cyc;

		while (c < cyc + n && c->cycle != cycle[i] + 1)
			c++;
		REQUIRE(c < cyc + n);
		CHECK_EQ(c->app_cycle, say_this[i].believed ? cycle[i] + say_this[i].cycle : 0);
		CHECK_EQ(c->app_taken_ns, say_this[i].believed ? taken[i] : 0);
		CHECK_EQ(c->app_done_ns, say_this[i].done_believed ? done[i] : 0);
		CHECK_EQ(c[1].app_cycle, 0);
		CHECK_EQ(c[1].app_taken_ns, 0);
		CHECK_EQ(c[1].app_done_ns, 0);
	}
	bench_free(b);
}

/* ---- triggers ---- */

static bool lose(struct vnic *v, struct vnic_frame *f)
{
	u64 *cycle = v->ctx;

	return !f->cyclic || f->cycle != *cycle;
}

TEST(a_lost_frame_freezes_it)
{
	struct bench *b = in_op("node*3", 3);
	struct kecat_record_arm a = { .cycles = 100, .post = 10, .triggers = KECAT_RECORD_ON_LOST };
	u64 cycle = b->seen + 8;
	u32 n, i;

	b->v->ctx = &cycle;
	b->v->before = lose;
	CHECK_EQ(arm(b, &a), 0);
	until_frozen(b, 200);
	CHECK_EQ(state(b).reasons, KECAT_RECORD_ON_LOST);
	n = read_cycles(b);
	are_whole(n);
	CHECK_EQ(cyc[n - 1].cycle, state(b).trigger_cycle + 10);
	for (i = 0; i < n; i++) {
		CHECK_EQ(cyc[i].lost, cyc[i].cycle == state(b).trigger_cycle);
		CHECK_EQ(cyc[i].groups_valid, cyc[i].cycle != cycle);
	}
	bench_free(b);
}

static bool skew(struct vnic *v, struct vnic_frame *f)
{
	u64 *cycle = v->ctx;

	v->seg->slave[1].fault.wkc_skew = f->cyclic && f->cycle == *cycle ? 1000 : 0;
	return true;
}

TEST(what_was_not_asked_for_is_noted_and_no_trigger)
{
	struct bench *b = in_op("node*3", 3);
	struct kecat_record_arm a = { .cycles = 100, .triggers = KECAT_RECORD_ON_LOST };
	u64 cycle = b->seen + 8;
	u32 n, i, seen = 0;

	b->v->ctx = &cycle;
	b->v->before = skew;
	CHECK_EQ(arm(b, &a), 0);
	bench_cycles(b, 40);
	CHECK_EQ(state(b).state, KECAT_RECORD_ARMED);
	CHECK_EQ(hand(b), 0);
	until_frozen(b, 5);
	n = read_cycles(b);
	for (i = 0; i < n; i++)
		seen += cyc[i].reasons == KECAT_RECORD_ON_WKC && cyc[i].cycle == cycle;
	CHECK_EQ(seen, 1);
	/* and asked for */
	a = (struct kecat_record_arm) { .cycles = 100, .triggers = KECAT_RECORD_ON_WKC };
	cycle = b->seen + 8;
	CHECK_EQ(arm(b, &a), 0);
	until_frozen(b, 100);
	CHECK_EQ(state(b).reasons, KECAT_RECORD_ON_WKC);
	CHECK_EQ(state(b).trigger_cycle, cycle);
	bench_free(b);
}

TEST(a_phase_over_its_limit_freezes_it)
{
	struct bench *b = in_op("node*3", 3);
	struct kecat_record_arm a = { .cycles = 20, .post = 3 };
	struct kecat_record_state s;
	u64 cycle = 0;

	/* an answer that does not come: the wait lasts to the deadline */
	a.limit_ns[KECAT_LAT_WAIT] = CYCLE / 4;
	b->v->ctx = &cycle;
	b->v->before = lose;
	CHECK_EQ(arm(b, &a), 0);
	bench_cycles(b, 30);
	CHECK_EQ(state(b).state, KECAT_RECORD_ARMED);
	cycle = b->seen + 8;
	until_frozen(b, 30);
	s = state(b);
	CHECK_EQ(s.reasons, KECAT_RECORD_ON_LIMIT);
	CHECK_EQ(s.phase, KECAT_LAT_WAIT);
	CHECK_EQ(s.trigger_cycle, cycle);
	CHECK(s.value_ns > CYCLE / 4 && s.value_ns < CYCLE);
	CHECK_EQ(s.limit_ns[KECAT_LAT_WAIT], CYCLE / 4);
	CHECK_EQ(s.limit_ns[KECAT_LAT_TOTAL], 0);
	CHECK_EQ(read_cycles(b), 20);
	CHECK_EQ(cyc[16].cycle, cycle);
	bench_free(b);
}

TEST(triggers_do_not_count_while_held_off)
{
	struct bench *b = in_op("node*3", 3);
	struct kecat_record_arm a = {
		.cycles = 20, .triggers = KECAT_RECORD_ON_WKC, .holdoff = 30,
	};
	u64 cycle = b->seen + 10;

	b->v->ctx = &cycle;
	b->v->before = skew;
	CHECK_EQ(arm(b, &a), 0);
	bench_cycles(b, 20);
	CHECK_EQ(state(b).state, KECAT_RECORD_ARMED);
	bench_cycles(b, 15);
	cycle = b->seen + 5;
	until_frozen(b, 20);
	CHECK_EQ(state(b).trigger_cycle, cycle);
	bench_free(b);
}

/* ---- beginning and end ---- */

TEST(armed_while_idle_it_waits_for_the_cycle)
{
	struct bench *b = bench_new("node*2", NULL);
	struct kecat_record_arm a = { .cycles = 100 };

	REQUIRE(bench_wait_scanned(b, 2, 8000));
	CHECK_EQ(arm(b, &a), 0);
	CHECK_EQ(state(b).state, KECAT_RECORD_ARMED);
	CHECK_EQ(state(b).cycle_ns, 0);
	REQUIRE(!bench_configure(b, CYCLE, 1, 0));
	REQUIRE(!bench_activate(b));
	bench_cycles(b, 5);
	CHECK(state(b).have_cycles >= 4);
	REQUIRE(!bench_deactivate(b));
	/* what there was can be had although no cycle follows */
	CHECK_EQ(state(b).state, KECAT_RECORD_ARMED);
	CHECK_EQ(hand(b), 0);
	CHECK_EQ(state(b).state, KECAT_RECORD_FROZEN);
	CHECK(read_cycles(b) >= 4);
	CHECK_EQ(cyc[0].cycle, 1);
	/* frozen, the next activation leaves it alone */
	REQUIRE(!bench_activate(b));
	bench_cycles(b, 200);
	CHECK(read_cycles(b) < 100);
	CHECK_EQ(cyc[0].cycle, 1);
	bench_free(b);
}

TEST(the_end_of_the_cycle_freezes_what_was_triggered)
{
	struct bench *b = in_op("node*2", 2);
	struct kecat_record_arm a = { .cycles = 100000, .post = 90000 };

	CHECK_EQ(arm(b, &a), 0);
	bench_cycles(b, 5);
	CHECK_EQ(hand(b), 0);
	bench_cycles(b, 5);
	CHECK_EQ(state(b).state, KECAT_RECORD_TRIGGERED);
	REQUIRE(!bench_deactivate(b));
	CHECK_EQ(state(b).state, KECAT_RECORD_FROZEN);
	CHECK_EQ(bench_events(b, KECAT_EV_RECORD, KECAT_ALL, KECAT_RECORD_ON_HAND), 1);
	bench_free(b);
}

TEST(armed_again_it_is_another)
{
	struct bench *b = in_op("node*2", 2);
	struct kecat_record_arm a = { .cycles = 20 }, other = { .cycles = 30 };
	struct kecat_record_arm off = {};
	u32 got, i;

	CHECK_EQ(arm(b, &a), 0);
	bench_cycles(b, 5);
	CHECK_EQ(hand(b), 0);
	until_frozen(b, 5);
	CHECK_EQ(arm(b, &other), 0);
	CHECK(other.id != a.id);
	CHECK_EQ(state(b).state, KECAT_RECORD_ARMED);
	CHECK_EQ(read_at(b, KECAT_RECORD_CYCLES, a.id, 0, 1, sizeof(*cyc), cyc, &got), -ESTALE);
	for (i = 0; i < 20; i++) {
		other.id = 0;
		CHECK_EQ(arm(b, &other), 0);
		bench_cycles(b, i % 3);
	}
	CHECK_EQ(arm(b, &off), 0);
	CHECK_EQ(state(b).state, KECAT_RECORD_OFF);
	CHECK_EQ(read_at(b, KECAT_RECORD_CYCLES, a.id, 0, 1, sizeof(*cyc), cyc, &got), -ENOENT);
	bench_cycles(b, 5);
	CHECK(!b->m->cycle->record);
	bench_free(b);
}

/* ---- what is refused ---- */

TEST(hostile_arguments)
{
	struct bench *b = in_op("node*2", 2);
	const struct kecat_record_arm good = { .cycles = 20, .frames = 10, .snap = 8 };
	struct kecat_record_arm a;
	struct kecat_record_read r;
	u32 i;

#define REFUSES(err, field, value) do {					\
	a = good;							\
	a.field = value;						\
	CHECK_EQ(arm(b, &a), err);					\
} while (0)
	REFUSES(-EINVAL, flags, 1);
	REFUSES(-EINVAL, id, 1);
	REFUSES(-EINVAL, cycles, KECAT_RECORD_MAX_CYCLES + 1);
	REFUSES(-EINVAL, cycles, U32_MAX);
	REFUSES(-EINVAL, cycles, 0);
	REFUSES(-EINVAL, post, 20);
	REFUSES(-EINVAL, frames, KECAT_RECORD_MAX_FRAMES + 1);
	REFUSES(-EINVAL, snap, KECAT_RECORD_MAX_SNAP + 1);
	REFUSES(-EINVAL, snap, U32_MAX);
	REFUSES(-EINVAL, triggers, KECAT_RECORD_ON_LIMIT);
	REFUSES(-EINVAL, triggers, KECAT_RECORD_ON_HAND);
	REFUSES(-EINVAL, triggers, 0x80000000);
	for (i = KECAT_LAT_TOTAL + 1; i < KECAT_RECORD_STAMPS; i++)
		REFUSES(-EINVAL, limit_ns[i], 1);
	a = (struct kecat_record_arm) { .limit_ns[2] = 1 };
	CHECK_EQ(arm(b, &a), -EINVAL);
	a = (struct kecat_record_arm) {
		.cycles = 1, .frames = KECAT_RECORD_MAX_FRAMES, .snap = KECAT_RECORD_MAX_SNAP,
	};
	CHECK_EQ(arm(b, &a), -E2BIG);
	CHECK_EQ(state(b).state, KECAT_RECORD_OFF);
	a = good;
	CHECK_EQ(arm(b, &a), 0);
	bench_cycles(b, 3);
	CHECK_EQ(hand(b), 0);
	until_frozen(b, 5);
	r = (struct kecat_record_read) { .id = a.id, .what = 2, .elem = sizeof(*cyc) };
	CHECK_EQ(CALL(b->f, RECORD_READ, &r), -EINVAL);
	r = (struct kecat_record_read) { .id = a.id, .pad = 1, .elem = sizeof(*cyc) };
	CHECK_EQ(CALL(b->f, RECORD_READ, &r), -EINVAL);
	r = (struct kecat_record_read) { .id = a.id, .elem = 1 };
	CHECK_EQ(CALL(b->f, RECORD_READ, &r), -EINVAL);
	r = (struct kecat_record_read) {
		.id = a.id, .elem = sizeof(*cyc), .count = U32_MAX, .ptr = ~0ULL,
	};
	CHECK_EQ(CALL(b->f, RECORD_READ, &r), -EFAULT);
	bench_free(b);
}

TEST(who_only_looks_arms_nothing)
{
	struct bench *b = in_op("node*2", 2);
	struct file *f = host_open(b->m->index, O_RDONLY);
	struct kecat_record_arm a = { .cycles = 20 };
	struct kecat_record_state s = {};

	REQUIRE(!IS_ERR(f));
	CHECK_EQ(CALL(f, RECORD_ARM, &a), -EACCES);
	CHECK_EQ(host_ioctl(f, KECAT_IOC_RECORD_FREEZE, NULL), -EACCES);
	CHECK_EQ(CALL(f, RECORD_STATE, &s), 0);
	host_close(f);
	bench_free(b);
}
