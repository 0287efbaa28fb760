// SPDX-License-Identifier: GPL-2.0-only
/* Distributed clocks: measured, set, and left alone where nobody asked. */
#include "bench.h"
#include "../../kmod/bus.h"

#define CYCLE	1000000

/* each element of the blob that is @product gets its SYNC0 */
static void use_dc(struct cfg *c, u32 product, s32 shift)
{
	u32 at = 0;

	while (at < c->len) {
		struct kecat_cfg_tlv *t = (void *)(c->b + at);
		struct kecat_cfg_slave *s = (void *)(t + 1);

		if (t->type == KECAT_CFG_SLAVE && s->product == product) {
			s->flags |= KECAT_CFGS_DC;
			s->dc_activate = 0x0300;
			s->dc_shift_ns = shift;
		}
		at += sizeof(*t) + ALIGN(t->len, 8);
	}
}

/* largest distance of a clock from the first one's, now */
static u64 worst_clock(struct bench *b)
{
	const struct sim_segment *seg = b->v->seg;
	u64 worst = 0, now = host_now();
	u32 i;

	for (i = 1; i < seg->count; i++) {
		s64 d;

		if (seg->slave[i].esc.chip.dc < ESC_DC_32)
			continue;
		d = esc_dc_system(&seg->slave[i].esc, now) -
		    esc_dc_system(&seg->slave[0].esc, now);
		worst = max_t(u64, worst, d < 0 ? -d : d);
	}
	return worst;
}

TEST(clocks_agree_after_the_scan)
{
	struct bench *b = bench_new("coupler,do8,drive*3", NULL);

	CHECK(bench_wait_scanned(b, 5, 5000));
	host_sleep(300000000);
	CHECK(b->m->slave[4]->dc_ready);
	CHECK(bench_info(b, 1)->flags & KECAT_SLAVE_PRESENT);
	CHECK(!(bench_info(b, 1)->flags & KECAT_SLAVE_DC));
	CHECK(bench_info(b, 4)->flags & KECAT_SLAVE_DC64);
	CHECK(bench_info(b, 4)->delay_ns > bench_info(b, 2)->delay_ns);
	/* 12 ppm apart, put right every 100 ms: less each time */
	CHECK(worst_clock(b) < 5000);
	host_sleep(20000000000ULL);
	printf("# clocks within %llu ns\n", (unsigned long long)worst_clock(b));
	CHECK(worst_clock(b) < 200);
	bench_free(b);
}

TEST(sync0_of_all_in_phase_ahead_and_only_where_asked)
{
	struct bench *b = bench_new("coupler,do8,drive*3", NULL);
	const struct sim_segment *seg = b->v->seg;
	struct cfg c;
	u32 i;

	CHECK_EQ(vnic_fault(b->v, "2 drift 20000"), 0);
	CHECK_EQ(vnic_fault(b->v, "4 drift -20000"), 0);
	CHECK(bench_wait_scanned(b, 5, 5000));
	/* for long enough that the clocks would be far apart */
	host_sleep(20000000000ULL);
	bench_cfg(b, &c, CYCLE, 0, KECAT_LOSS_SAFEOP, 0, 1);
	use_dc(&c, seg->slave[2].desc->product, 250000);
	CHECK_EQ(bench_set_config(b, &c), 0);
	cfg_end(&c);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 9000));
	CHECK(bench_data_valid(b));
	for (i = 2; i < 5; i++) {
		CHECK(seg->slave[i].esc.dc.sync_on);
		CHECK_EQ(seg->slave[i].esc.dc.sync_start % CYCLE, 250000);
	}
	CHECK(!seg->slave[0].esc.dc.sync_on);
	printf("# clocks within %llu ns\n", (unsigned long long)worst_clock(b));
	CHECK(worst_clock(b) < 20000);
	bench_free(b);
}

TEST(running_clocks_are_left_alone_when_one_joins)
{
	struct bench *b = bench_new("coupler,do8,drive*3", NULL);
	const struct sim_segment *seg = b->v->seg;
	u64 offset;
	struct cfg c;

	CHECK(bench_wait_scanned(b, 5, 5000));
	bench_cfg(b, &c, CYCLE, 0, KECAT_LOSS_SAFEOP, 0, 1);
	use_dc(&c, seg->slave[2].desc->product, 0);
	CHECK_EQ(bench_set_config(b, &c), 0);
	cfg_end(&c);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 9000));
	offset = sim_get64(seg->slave[3].esc.mem + 0x0920);
	CHECK_EQ(vnic_fault(b->v, "4 power off"), 0);
	CHECK(bench_wait_problem(b, 4, KECAT_PROBLEM_MISSING, 1000));
	CHECK_EQ(vnic_fault(b->v, "4 power on"), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 9000));
	CHECK(offset == sim_get64(seg->slave[3].esc.mem + 0x0920));
	CHECK(seg->slave[4].esc.dc.sync_on);
	CHECK(worst_clock(b) < 3000);
	bench_free(b);
}
