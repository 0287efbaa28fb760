// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whoever is missing is missing, even if someone else answers in that very
 * cycle: a working counter is a sum, a broadcast's too.
 */
#include <linux/string.h>
#include "../../kmod/plan.h"
#include "bench.h"

#define CYCLE	1000000

/* two leaves that stand before nobody: 2 goes and comes back, 4 goes then */
#define SEGMENT	"slave coupler\n" \
		"slave node at 0.1\n" \
		"slave node at 1.1\n" \
		"slave coupler at 0.2\n" \
		"slave %s at 3.1\n"
#define RETURNS	2
#define GOES	4

struct show {
	u64 cycle;		/* newest that the slaves know of */
	u64 swap;		/* in this one they change places */
	bool unpowered;		/* how 4 goes */
};

static bool live(struct bench *b, u32 slave)
{
	return b->shm->live[0] >> slave & 1;
}

/* inputs are the number of the cycle */
static bool step(struct vnic *v, struct vnic_frame *f)
{
	struct show *s = v->ctx;

	if (!f->cyclic || f->cycle == s->cycle)
		return true;
	s->cycle = f->cycle;
	vnic_set_inputs(v, (u32)f->cycle);
	if (f->cycle == s->swap) {
		vnic_fault(v, "%d plug 0", RETURNS);
		vnic_fault(v, s->unpowered ? "%d power off" : "%d unplug 0", GOES);
	}
	return true;
}

static struct bench *begin(const char *last, struct show *s)
{
	char text[256];
	struct bench *b;

	sprintf(text, SEGMENT, last);
	b = bench_new(NULL, text);
	REQUIRE(bench_wait_scanned(b, 5, 8000));
	REQUIRE(!bench_configure(b, CYCLE, 1, 0));
	REQUIRE(!bench_activate(b));
	REQUIRE(bench_wait_state(b, KECAT_AL_OP, 5, 8000));
	b->v->ctx = s;
	b->v->before = step;
	bench_cycles(b, 20);
	CHECK(bench_data_valid(b));
	return b;
}

/* one application cycle, with outputs that say which */
static const struct kecat_in_hdr *turn(struct bench *b)
{
	u32 i;

	for (i = 0; i < b->shm->out_len; i += 4)
		sim_put32(bench_outputs(b) + i, (u32)b->seen + 1);
	bench_publish(b);
	CHECK_EQ(bench_wait(b, 50 * CYCLE), 0);
	return bench_inputs(b);
}

/* until everything that will happen has happened */
static void stays_valid(struct bench *b)
{
	u32 i;

	for (i = 0; i < 3000; i++)
		CHECK_EQ(turn(b)->groups_valid, 1);
}

static void leave(struct bench *b)
{
	u32 i;

	CHECK_EQ(vnic_fault(b->v, "%d unplug 0", RETURNS), 0);
	for (i = 0; i < 2000 && live(b, RETURNS); i++)
		turn(b);
	CHECK(!live(b, RETURNS));
	for (i = 0; i < 50; i++)
		turn(b);
	CHECK_EQ(turn(b)->groups_valid, 1);
}

static void exchange(bool unpowered)
{
	struct show s = { .unpowered = unpowered };
	struct bench *b = begin("node", &s);
	const struct kecat_in_hdr *h;
	u64 before;
	u32 i, invalid = 0;

	leave(b);
	before = bench_output(b, RETURNS);
	s.swap = b->seen + 3;
	for (i = 0; i < 3000; i++) {
		h = turn(b);
		if (h->cycle >= s.swap && live(b, GOES))
			CHECK_EQ(h->groups_valid, 0);
		invalid += !h->groups_valid;
		if (h->groups_valid && live(b, GOES))
			CHECK_EQ(bench_input(b, h, GOES), (u32)h->cycle);
		if (h->groups_valid && live(b, RETURNS))
			CHECK_EQ(bench_input(b, h, RETURNS), (u32)h->cycle);
		/* nothing reaches it before it was brought up, but the reset's 0 */
		if (!live(b, RETURNS))
			CHECK(bench_output(b, RETURNS) == before || !bench_output(b, RETURNS));
	}
	CHECK(invalid);
	CHECK(!live(b, GOES));
	CHECK(live(b, RETURNS));
	CHECK_EQ(turn(b)->groups_valid, 1);
	CHECK(bench_output(b, RETURNS) + 3 > b->seen);
	bench_free(b);
}

TEST(a_returning_slave_is_no_missing_one)
{
	exchange(false);
}

TEST(a_returning_slave_is_no_unpowered_one)
{
	exchange(true);
}

/* 4 has no process data: only the broadcasts could tell, and do not */
TEST(a_missing_coupler_is_missed)
{
	struct show s = { 0 };
	struct bench *b = begin("coupler", &s);

	leave(b);
	s.swap = b->seen + 3;
	stays_valid(b);
	CHECK(!(bench_info(b, GOES)->flags & KECAT_SLAVE_PRESENT));
	CHECK(bench_info(b, RETURNS)->flags & KECAT_SLAVE_PRESENT);
	CHECK(live(b, RETURNS));
	bench_free(b);
}

/* away while another plan began, its FMMUs still set for the one before */
TEST(a_slave_of_an_old_plan_answers_to_nothing)
{
	struct show s = { 0 };
	struct bench *b = begin("node", &s);
	u32 i;

	leave(b);
	CHECK_EQ(bench_deactivate(b), 0);
	REQUIRE(!bench_activate(b));
	s.cycle = 0;
	for (i = 0; i < 3000 && !live(b, GOES); i++)
		turn(b);
	CHECK(live(b, GOES));
	turn(b);
	vnic_fault(b->v, "%d plug 0", RETURNS);
	stays_valid(b);
	CHECK(live(b, RETURNS));
	bench_free(b);
}
