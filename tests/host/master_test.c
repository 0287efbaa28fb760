// SPDX-License-Identifier: GPL-2.0-only
/* The whole master on a simulated segment, nothing broken. */
#include <linux/sched/isolation.h>
#include "bench.h"
#include "../../kmod/cycle.h"
#include "../../kmod/proto/ecat.h"
#include "../../kmod/xfer.h"
#include "../../kmod/frame.h"

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

/* ---- a master that leaves the slaves alone ---- */

/* what a slave may be touched by: nothing, and a reading broadcast */
static bool only_looks(struct vnic *v, struct vnic_frame *f)
{
	u32 at = KECAT_FRAME_START, more = EC_DGRAM_MORE;
	u64 *frames = v->ctx;

	for (; more; at += EC_DGRAM_OVERHEAD + (more & 0x7ff), more &= EC_DGRAM_MORE) {
		const struct ec_dgram_hdr *h = (const void *)(f->data + at);

		CHECK(h->cmd == EC_NOP || h->cmd == EC_BRD);
		more = le16_to_cpu(h->len);
	}
	/* as long as those of tests/bench/rawsock.c and of kecat compare */
	CHECK_EQ(f->len, at == f->len ? at : 0);
	CHECK(f->len == 16 + 16 + 12 + 1400 || f->len == 16 + 16 + 12 + 1400 + 14);
	++*frames;
	return true;
}

TEST(quiet)
{
	struct kecat_cfg_fill fill = { .frames = 3, .bytes = 1400 };
	u64 frames = 0, cyclic;
	struct bench *b;
	struct cfg c;

	strcpy(kecat_quiet, "vnic");
	b = bench_new("coupler,do8,di8*2,node", NULL);
	/* the next one is like all others, whatever became of who asked for this */
	CHECK_EQ(kecat_quiet[0], '\0');
	REQUIRE(b->m->quiet);
	b->v->ctx = &frames;
	b->v->before = only_looks;
	host_sleep(2000000000);
	CHECK_EQ(frames, 0);
	CHECK(bench_status(b)->link);
	CHECK_EQ(bench_status(b)->slaves, 0);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_RESCAN, NULL), -EPERM);
	cfg_begin(&c);
	cfg_bus(&c, 1000000, 0, KECAT_LOSS_SAFEOP, 0);
	cfg_add(&c, KECAT_CFG_FILL, &fill, sizeof(fill));
	REQUIRE(!bench_set_config(b, &c));
	cfg_end(&c);
	REQUIRE(!bench_activate(b));
	CHECK_EQ(bench_status(b)->cyclic_frames, 3);
	bench_cycles(b, 100);
	cyclic = bench_status(b)->cycle;
	CHECK_EQ(bench_status(b)->frames_lost + bench_status(b)->wkc_errors, 0);
	CHECK(bench_status(b)->frames_received >= 3 * cyclic - 3);
	CHECK_EQ(bench_deactivate(b), 0);
	host_sleep(500000000);
	CHECK_EQ(frames, bench_status(b)->frames_sent);
	CHECK_EQ(bench_status(b)->xfers, 0);
	bench_free(b);
}

/* ---- where it runs ---- */

static int warnings(unsigned long isolated, int cpu, u32 of)
{
	struct bench *b;
	int n;

	host_isolated_cpus = isolated;
	kecat_cpu = cpu;
	b = bench_new("coupler,do8", NULL);
	REQUIRE(bench_wait_scanned(b, 2, 5000));
	REQUIRE(!bench_configure(b, 1000000, 1, 0));
	REQUIRE(!bench_activate(b));
	n = bench_events(b, KECAT_EV_CPU, KECAT_ALL, of);
	REQUIRE(!bench_deactivate(b));
	bench_free(b);
	host_isolated_cpus = 0;
	kecat_cpu = -1;
	return n;
}

TEST(cpu_that_others_use)
{
	CHECK_EQ(warnings(0, -1, 0), 1);
	/* bound to one of the two that are isolated, or free to leave them */
	CHECK_EQ(warnings(BIT(2) | BIT(3), 3, KECAT_ALL), 0);
	CHECK_EQ(warnings(BIT(2) | BIT(3), -1, 0), 1);
	CHECK_EQ(warnings(BIT(2) | BIT(3), 1, 1), 1);
	CHECK_EQ(warnings(BIT(0) | BIT(1), -1, 2), 1);
}

/* where supervisor and worker may run */
static unsigned long house(unsigned long isolated, int cpu)
{
	struct bench *b;
	unsigned long on;

	host_isolated_cpus = isolated;
	kecat_cpu = cpu;
	b = bench_new("coupler,do8", NULL);
	REQUIRE(bench_wait_scanned(b, 2, 5000));
	on = b->m->supervisor->cpus_ptr->bits[0];
	CHECK_EQ(b->m->slave[1]->task->cpus_ptr->bits[0], on);
	bench_free(b);
	host_isolated_cpus = 0;
	kecat_cpu = -1;
	return on;
}

TEST(others_stay_off_isolated_cpus)
{
	CHECK_EQ(house(0, -1), 0xf);
	CHECK_EQ(house(0, 2), 0xb);
	CHECK_EQ(house(BIT(2) | BIT(3), 3), 0x3);
	CHECK_EQ(house(BIT(1), -1), 0xd);
	/* nowhere to go */
	CHECK_EQ(house(0xf, 0), 0xe);
}

static int spins(unsigned long isolated, u32 spin_ns)
{
	struct bench *b;
	int err;

	host_isolated_cpus = isolated;
	kecat_cpu = 3;
	b = bench_new("coupler,do8", NULL);
	REQUIRE(bench_wait_scanned(b, 2, 5000));
	b->spin_ns = spin_ns;
	REQUIRE(!bench_configure(b, 1000000, 1, 0));
	err = bench_activate(b);
	if (!err) {
		CHECK(bench_wait_state(b, KECAT_AL_OP, 2, 5000));
		bench_cycles(b, 100);
		CHECK_EQ(bench_status(b)->overruns, 0);
		CHECK_EQ(bench_deactivate(b), 0);
	}
	bench_free(b);
	host_isolated_cpus = 0;
	kecat_cpu = -1;
	return err;
}

/* nobody else would run, so not where others have to */
TEST(spinning_through)
{
	CHECK_EQ(spins(0, 500000), 0);
	CHECK_EQ(spins(0, 500001), -EDEADLK);
	CHECK_EQ(spins(BIT(3), 500001), 0);
	CHECK_EQ(spins(BIT(3), 1000000), 0);
}

/* ---- beside the cycle ---- */

/* lateness of cyclic frames while long datagrams go along */
static u64 late_beside(u64 cycle_ns, u16 len, u32 flags)
{
	struct bench *b = bench_new("coupler,node*3,do8", NULL);
	u8 *data = host_user_alloc(len);
	struct kecat_dgram dg[6] = {};
	u64 late;
	u32 i;

	host_params.long_interrupts = true;
	REQUIRE(bench_wait_scanned(b, 5, 5000));
	b->deadline_ns = flags & KECAT_BUS_RX_SLEEP ? cycle_ns * 9 / 10 : 0;
	REQUIRE(!bench_configure(b, cycle_ns, 1, flags));
	REQUIRE(!bench_activate(b));
	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 5000));
	late = bench_status(b)->frames_late;
	for (i = 0; i < 200; i++) {
		u32 k;

		for (k = 0; k < ARRAY_SIZE(dg); k++)
			dg[k] = (struct kecat_dgram) { .cmd = EC_BRD, .ado = 0x1000, .len = len, .data = data };
		CHECK_EQ(kecat_xfer(b->m, dg, ARRAY_SIZE(dg), 0), 0);
		host_sleep(host_rand_below(2 * cycle_ns));
	}
	late = bench_status(b)->frames_late - late;
	bench_free(b);
	host_user_free(data);
	return late;
}

TEST(long_datagrams_wait_for_room)
{
	static const u32 ways[] = {
		0, KECAT_BUS_TICK_IRQ, KECAT_BUS_TICK_APP, KECAT_BUS_RX_SLEEP,
		KECAT_BUS_TICK_IRQ | KECAT_BUS_RX_SLEEP,
		KECAT_BUS_TICK_APP | KECAT_BUS_RX_SLEEP,
	};
	u32 len, i;

	/* what is on the wire for 109 us at most fits into what 125 us leave */
	for (len = 100; len <= 1300; len += 300)
		for (i = 0; i < ARRAY_SIZE(ways); i++)
			CHECK_EQ(late_beside(125000, len, ways[i]), 0);
	CHECK_EQ(late_beside(62500, 300, 0), 0);
	/* and what is longer than a cycle goes nevertheless */
	printf("# of 1200 datagrams that are longer than a cycle %llu made frames late\n",
	       late_beside(62500, 1300, 0));
}

/* ---- how long it takes ---- */

struct way {
	u64 ms;
	u64 trips;	/* frames that were not cyclic */
};

static bool count_acyclic(struct vnic *v, struct vnic_frame *f)
{
	u64 *n = v->ctx;

	*n += !f->cyclic;
	return true;
}

static struct way bring_up(u32 slaves, u32 flags)
{
	struct bench *b;
	struct way w;
	char text[32];
	u64 from;

	snprintf(text, sizeof(text), "node*%u", slaves);
	b = bench_new(text, NULL);
	REQUIRE(bench_wait_scanned(b, slaves, 20000));
	w.trips = 0;
	b->v->ctx = &w.trips;
	b->v->before = count_acyclic;
	REQUIRE(!bench_configure(b, 1000000, 1, flags));
	from = host_now();
	REQUIRE(!bench_activate(b));
	REQUIRE(bench_wait_state(b, KECAT_AL_OP, slaves, 120000));
	w.ms = (host_now() - from) / 1000000;
	bench_free(b);
	return w;
}

TEST(bringup_in_parallel_and_serial)
{
	u32 slaves = (u32)tap_number("KECAT_SLAVES", 64);
	struct way p = bring_up(slaves, 0);
	struct way s = bring_up(slaves, KECAT_BUS_SERIAL);

	printf("bringup: slaves=%u parallel_ms=%llu serial_ms=%llu parallel_roundtrips=%llu serial_roundtrips=%llu\n",
	       slaves, p.ms, s.ms, p.trips, s.trips);
	CHECK(p.ms < s.ms);
	CHECK(p.trips < s.trips);
}
