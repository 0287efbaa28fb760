// SPDX-License-Identifier: GPL-2.0-only
/* The whole master on a simulated segment, nothing broken. */
#include "bench.h"

TEST(scan_to_preop)
{
	struct bench *b = bench_new("coupler,do8,di8*2,drive", NULL);

	CHECK(bench_wait_scanned(b, 5, 5000));
	CHECK_EQ(bench_info(b, 4)->product, 0x501);
	CHECK_EQ(bench_status(b)->slaves_error, 0);
	CHECK_EQ(bench_events(b, KECAT_EV_SLAVE_FOUND, KECAT_ALL, KECAT_ALL), 5);
	bench_free(b);
}

TEST(to_op_and_back)
{
	struct bench *b = bench_new("coupler,do8,di8*2,node*2,drive", NULL);

	CHECK(bench_wait_scanned(b, 7, 5000));
	CHECK_EQ(bench_configure(b, 1000000, 1, 0), 0);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 7, 5000));
	bench_cycles(b, 100);
	CHECK_EQ(bench_status(b)->frames_lost, 0);
	CHECK_EQ(bench_status(b)->frames_foreign, 0);
	CHECK_EQ(bench_deactivate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_PREOP, 7, 5000));
	bench_free(b);
}
