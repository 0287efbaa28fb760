// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cable redundancy: the use cases of ETG.1500 FPCR_101, and rings that open and
 * close at the worst moment.  Inputs are the number of the cycle, so data of
 * another cycle, of nobody, or of two is seen.
 */
#include <linux/string.h>
#include "../../kmod/cycle_int.h"
#include "../../kmod/ring.h"
#include "../../kmod/xfer.h"
#include "bench.h"

#define CYCLE	1000000
#define SLAVES	7
#define RING	"slaves coupler,node*6\nring\n"
#define COUPLER	0

struct show {
	u64 cycle;	/* newest that the slaves know of */
	u64 at;		/* in this one the cable changes .. */
	u32 frames;	/* .. when so many cyclic frames have passed */
	const char *change[2];
};

static struct show show;

static bool step(struct vnic *v, struct vnic_frame *f)
{
	u32 i;

	if (!f->cyclic)
		return true;
	if (f->cycle != show.cycle) {
		show.cycle = f->cycle;
		vnic_set_inputs(v, (u32)f->cycle);
	}
	if (f->cycle != show.at || show.frames--)
		return true;
	for (i = 0; i < ARRAY_SIZE(show.change) && show.change[i]; i++)
		vnic_fault(v, "%s", show.change[i]);
	show.at = 0;
	return true;
}

/* .. since long enough to show its outputs */
static bool in_op(struct bench *b, u32 slave)
{
	const struct sim_slave *s = &b->v->seg->slave[slave];

	return s->powered && (s->esc.mem[0x130] & 0x1f) == KECAT_AL_OP;
}

/* one cycle of the application; false: its data is not valid */
static bool turn(struct bench *b)
{
	const struct kecat_in_hdr *h;
	u64 seen = b->seen;
	static u32 away;
	u32 i;

	for (i = 0; i < b->shm->out_len; i += 4)
		sim_put32(bench_outputs(b) + i, (u32)b->seen + 1);
	bench_publish(b);
	CHECK_EQ(bench_wait(b, 50 * CYCLE), 0);
	h = bench_inputs(b);
	/* outputs are as old as the application was away */
	away = b->seen > seen + 1 ? 2 : away - !!away;
	if (h->groups_valid != 1)
		return false;
	for (i = 0; i < SLAVES; i++) {
		if (i == COUPLER || !(b->shm->live[0] >> i & 1))
			continue;
		CHECK_EQ(bench_input(b, h, i), (u32)h->cycle);
		if (!away && in_op(b, i) && (u32)bench_output(b, i) + 1 < (u32)h->cycle)
			host_fail(__FILE__, __LINE__, "cycle %llu: slave %u has outputs of %llu",
				  (unsigned long long)h->cycle, i,
				  (unsigned long long)bench_output(b, i));
	}
	return true;
}

/* cycles of @n whose data was not valid */
static u32 invalid(struct bench *b, u32 n)
{
	u32 bad = 0;

	for (; n; n--)
		bad += !turn(b);
	return bad;
}

static const struct kecat_ring *ring(struct bench *b)
{
	static struct kecat_ring *r;

	if (!r)
		r = host_user_alloc(sizeof(*r));
	r->size = sizeof(*r);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_RING, r), 0);
	return r;
}

static void is_broken(struct bench *b, u32 front, u32 back, u32 port)
{
	CHECK_EQ(ring(b)->state, KECAT_RING_BROKEN);
	CHECK_EQ(ring(b)->front, front);
	CHECK_EQ(ring(b)->back, back);
	CHECK_EQ(ring(b)->port, port);
}

static void is_closed_with(struct bench *b, u32 slaves)
{
	CHECK_EQ(ring(b)->state, KECAT_RING_CLOSED);
	CHECK_EQ(ring(b)->front, slaves);
	CHECK_EQ(ring(b)->back, 0);
}

static void is_closed(struct bench *b)
{
	is_closed_with(b, SLAVES);
}

/* a mailbox is asked: of the first node, and of the last */
static void mailboxes_answer(struct bench *b)
{
	struct kecat_sdo *sdo = host_user_alloc(sizeof(*sdo));
	u32 *data = host_user_alloc(sizeof(*data)), i;

	for (i = 1; i < SLAVES; i += SLAVES - 2) {
		*sdo = (struct kecat_sdo) {
			.size = sizeof(*sdo), .position = i, .index = 0x1018,
			.subindex = 1, .ptr = (uintptr_t)data, .len = sizeof(*data),
		};
		CHECK_EQ(host_ioctl(b->f, KECAT_IOC_SDO_UPLOAD, sdo), 0);
		CHECK_EQ(*data, NODE_VENDOR);
	}
	host_user_free(sdo);
	host_user_free(data);
}

static struct bench *scanned(void)
{
	struct bench *b = bench_new(NULL, RING);

	memset(&show, 0, sizeof(show));
	bench_join(b);
	REQUIRE(bench_wait_scanned(b, SLAVES, 8000));
	b->v->before = step;
	b->second->before = step;
	return b;
}

static void activate(struct bench *b)
{
	REQUIRE(!bench_configure(b, CYCLE, 1, 0));
	REQUIRE(!bench_activate(b));
	REQUIRE(bench_wait_state(b, KECAT_AL_OP, SLAVES, 8000));
	CHECK_EQ(invalid(b, 200), 0);
	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
}

static struct bench *running(void)
{
	struct bench *b = scanned();

	activate(b);
	is_closed(b);
	return b;
}

/* nobody was lost, nobody has left OP, and no data was bad */
static void undisturbed(struct bench *b)
{
	CHECK_EQ(bench_status(b)->slaves_op, SLAVES);
	CHECK_EQ(bench_status(b)->slaves, SLAVES);
	CHECK_EQ(bench_status(b)->slaves_error, 0);
	CHECK_EQ(bench_status(b)->wkc_errors, 0);
	mailboxes_answer(b);
}

static void cut(struct bench *b, const char *where)
{
	vnic_fault(b->v, "%s", where);
}

TEST(closed_ring)
{
	struct bench *b = running();
	u64 sent[2] = { b->v->count.sent, b->second->count.sent };

	CHECK_EQ(invalid(b, 1000), 0);
	undisturbed(b);
	CHECK_EQ(bench_status(b)->frames_lost, 0);
	/* the second port sent as many as the first one */
	CHECK_EQ(b->v->count.sent - sent[0], b->second->count.sent - sent[1]);
	CHECK_EQ(bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL), 0);
	bench_free(b);
}

/* @spared: what the repair may cost */
static void breaks(const char *open, const char *close, u32 front, u32 port,
		   u32 spared)
{
	struct bench *b = running();

	cut(b, open);
	CHECK_EQ(invalid(b, 1500), 0);
	is_broken(b, front, SLAVES - front, port);
	undisturbed(b);
	CHECK_EQ(bench_events(b, KECAT_EV_RING, KECAT_ALL, KECAT_RING_BROKEN), 1);
	cut(b, close);
	CHECK(invalid(b, 1500) <= spared);
	is_closed(b);
	CHECK_EQ(invalid(b, 1500), 0);
	CHECK_EQ(bench_status(b)->slaves_op, SLAVES);
	CHECK_EQ(bench_events(b, KECAT_EV_SLAVE_LOST, KECAT_ALL, KECAT_ALL), 0);
	mailboxes_answer(b);
	bench_free(b);
}

TEST(break_between_slaves_and_repair)
{
	breaks("3 unplug 1", "3 plug 1", 4, 1, 0);
	breaks("0 unplug 1", "0 plug 1", 1, 1, 0);
	breaks("5 unplug 1", "5 plug 1", 6, 1, 0);
}

/*
 * The slave opens its port 0 while nothing is sent to it: that the link is up is
 * seen by the frame that arrives there, unprocessed.
 */
TEST(break_at_the_first_port_and_repair)
{
	breaks("0 unplug 0", "0 plug 0", 0, KECAT_ALL, 1);
}

TEST(break_at_the_second_port_and_repair)
{
	breaks("6 unplug 1", "6 plug 1", SLAVES, KECAT_ALL, 0);
}

/*
 * A driver whose PHY is asked once a second sees the link when the last slave
 * has long opened its port.  What arrives there tells earlier.
 */
static void late_link(struct bench *b, struct vnic *v, const char *open,
		      const char *close)
{
	v->link_lag_ns = 700000000;
	cut(b, open);
	CHECK_EQ(invalid(b, 1500), 0);
	cut(b, close);
	CHECK(invalid(b, 300) <= 1);
	CHECK(!READ_ONCE(v->nic.link));
	CHECK_EQ(invalid(b, 1500), 0);
	is_closed(b);
	CHECK_EQ(bench_status(b)->slaves_op, SLAVES);
	v->link_lag_ns = 0;
}

TEST(a_port_is_used_before_its_driver_sees_the_link)
{
	struct bench *b = running();

	late_link(b, b->v, "0 unplug 0", "0 plug 0");
	late_link(b, b->second, "6 unplug 1", "6 plug 1");
	bench_free(b);
}

/* the break wanders: two ends of a slave are never off at once */
TEST(the_break_moves)
{
	struct bench *b = running();

	cut(b, "2 unplug 1");
	CHECK_EQ(invalid(b, 500), 0);
	is_broken(b, 3, 4, 1);
	cut(b, "2 plug 1");
	CHECK_EQ(invalid(b, 3), 0);
	cut(b, "4 unplug 1");
	CHECK_EQ(invalid(b, 500), 0);
	is_broken(b, 5, 2, 1);
	undisturbed(b);
	bench_free(b);
}

TEST(start_and_stop_with_a_break)
{
	struct bench *b = bench_new(NULL, RING);

	memset(&show, 0, sizeof(show));
	cut(b, "3 unplug 1");
	bench_join(b);
	REQUIRE(bench_wait_scanned(b, SLAVES, 8000));
	b->v->before = step;
	b->second->before = step;
	activate(b);
	/* nobody has seen by which port they were connected */
	is_broken(b, 4, 3, KECAT_ALL);
	undisturbed(b);
	CHECK_EQ(bench_deactivate(b), 0);
	REQUIRE(bench_wait_state(b, KECAT_AL_PREOP, SLAVES, 8000));
	activate(b);
	cut(b, "3 plug 1");
	CHECK_EQ(invalid(b, 1500), 0);
	is_closed(b);
	undisturbed(b);
	bench_free(b);
}

/* positions behind the break are found from the other side, and in order */
TEST(positions_with_a_break)
{
	struct bench *b = scanned();
	u32 i;

	cut(b, "3 unplug 1");
	host_sleep(500000000);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_RESCAN, NULL), 0);
	REQUIRE(bench_wait_scanned(b, SLAVES, 8000));
	is_broken(b, 4, 3, 1);
	for (i = 0; i < SLAVES; i++)
		CHECK_EQ(bench_info(b, i)->station,
			 sim_get16(b->v->seg->slave[i].esc.mem + 0x10));
	for (i = 0; i < SLAVES; i++)
		CHECK_EQ(bench_info(b, i)->product, b->v->seg->slave[i].desc->product);
	activate(b);
	undisturbed(b);
	bench_free(b);
}

/*
 * Whoever was master before gave addresses.  The second port sees a part first
 * and gives it some that the rest has too; then the first port finds that rest.
 */
static void old_addresses(const char *first, const char *then)
{
	struct bench *b = bench_new(NULL, RING);
	u32 i;

	for (i = 0; i < SLAVES; i++)
		sim_put16(b->v->seg->slave[i].esc.mem + 0x10, 1001 + i);
	cut(b, "2 unplug 1");
	cut(b, "0 unplug 0");
	bench_join(b);
	REQUIRE(bench_wait_scanned(b, SLAVES - 3, 8000));
	memset(&show, 0, sizeof(show));
	b->v->before = step;
	b->second->before = step;
	cut(b, first);
	host_sleep(1000000000);
	cut(b, then);
	REQUIRE(bench_wait_scanned(b, SLAVES, 8000));
	host_sleep(1000000000);
	for (i = 0; i < SLAVES; i++) {
		CHECK_EQ(bench_info(b, i)->station,
			 sim_get16(b->v->seg->slave[i].esc.mem + 0x10));
		CHECK_EQ(bench_info(b, i)->product, b->v->seg->slave[i].desc->product);
	}
	activate(b);
	is_closed(b);
	bench_free(b);
}

TEST(parts_with_old_addresses_join)
{
	old_addresses("0 plug 0", "2 plug 1");
	old_addresses("2 plug 1", "0 plug 0");
}

/* behind the break one restarts: it comes back, the others notice nothing */
TEST(restart_behind_a_break)
{
	struct bench *b = running();

	cut(b, "2 unplug 1");
	CHECK_EQ(invalid(b, 500), 0);
	cut(b, "3 power off");
	invalid(b, 500);
	CHECK_EQ(invalid(b, 500), 0);
	CHECK_EQ(bench_status(b)->slaves_op, SLAVES - 1);
	CHECK_EQ(bench_events(b, KECAT_EV_SLAVE_LOST, KECAT_ALL, KECAT_ALL), 1);
	is_broken(b, 3, 3, 1);
	cut(b, "3 power on");
	invalid(b, 3000);
	CHECK_EQ(invalid(b, 500), 0);
	CHECK_EQ(bench_status(b)->slaves_op, SLAVES);
	CHECK_EQ(bench_events(b, KECAT_EV_SLAVE_BACK, 3, KECAT_ALL), 1);
	is_broken(b, 3, 4, 1);
	bench_free(b);
}

/* a frame of the pair does not come back */
TEST(partner_lost)
{
	struct bench *b = running();

	/* the one that the slaves do not process: nobody needs it */
	b->second->faults.lose = 1000000;
	CHECK_EQ(invalid(b, 1000), 0);
	undisturbed(b);
	/* the account of what is lost ends where nothing else is expected */
	CHECK(bench_status(b)->frames_lost < 30);
	b->second->faults.lose = 0;
	CHECK_EQ(invalid(b, 100), 0);
	/* the other one is the data */
	b->v->faults.lose = 100000;
	CHECK(invalid(b, 1000) > 50);
	b->v->faults.lose = 0;
	CHECK_EQ(invalid(b, 1000), 0);
	CHECK_EQ(bench_status(b)->slaves_op, SLAVES);
	is_closed(b);
	bench_free(b);
}

/* between the two frames of a cycle */
static void changes_between(const char *open, const char *close)
{
	struct bench *b = running();
	u32 i, bad = 0, rounds = 40;

	for (i = 0; i < rounds; i++) {
		show.frames = i % 2;
		show.change[0] = i % 4 < 2 ? open : close;
		show.at = b->seen + 5;
		bad += invalid(b, 150);
		CHECK_EQ(bench_status(b)->slaves_op, SLAVES);
	}
	/* a ring that opens behind one frame and before the other may cost a cycle */
	CHECK(bad <= rounds / 2);
	CHECK_EQ(invalid(b, 1000), 0);
	mailboxes_answer(b);
	bench_free(b);
}

TEST(the_cable_goes_between_two_frames)
{
	changes_between("3 unplug 1", "3 plug 1");
	changes_between("0 unplug 0", "0 plug 0");
	changes_between("6 unplug 1", "6 plug 1");
}

/* one leaves the very moment the ring closes and another one answers twice */
TEST(an_answer_too_many_is_none)
{
	struct bench *b = running();
	u32 i;

	for (i = 0; i < 20; i++) {
		cut(b, "5 unplug 1");
		invalid(b, 500);
		show.frames = 1;
		show.change[0] = "5 plug 1";
		show.change[1] = i % 2 ? "2 power cycle" : "6 power cycle";
		show.at = b->seen + 5;
		/* turn() looks at the data of every cycle that is called valid */
		invalid(b, 3000);
		show.change[1] = NULL;
		CHECK_EQ(bench_status(b)->slaves_op, SLAVES);
	}
	bench_free(b);
}

/* its partner is lost: what a slave has answered is not asked again */
TEST(answered_by_one_frame)
{
	struct bench *b = scanned();
	u8 *ram = b->v->seg->slave[1].esc.mem + 0x1f00, word[2] = { 0x34, 0x12 };
	struct kecat_dgram dg = {
		EC_FPRW, bench_info(b, 1)->station, 0x1f00, sizeof(word), word,
	};

	sim_put16(ram, 0x0055);
	b->second->faults.lose = 1000000;
	CHECK_EQ(kecat_xfer(b->m, &dg, 1, 0), 0);
	b->second->faults.lose = 0;
	CHECK_EQ(dg.wkc, 3);
	CHECK_EQ(sim_get16(word), 0x0055);
	CHECK_EQ(sim_get16(ram), 0x1234);
	bench_free(b);
}

TEST(second_port_comes_and_goes)
{
	struct bench *b = bench_new(NULL, RING);
	u32 i;

	memset(&show, 0, sizeof(show));
	cut(b, "6 unplug 1");
	REQUIRE(bench_wait_scanned(b, SLAVES, 8000));
	CHECK_EQ(ring(b)->state, KECAT_RING_NONE);
	b->v->before = step;
	activate(b);
	for (i = 0; i < 5; i++) {
		bench_join(b);
		b->second->before = step;
		cut(b, "6 plug 1");
		CHECK_EQ(invalid(b, 500), 0);
		is_closed(b);
		CHECK_EQ(strcmp(ring(b)->nic, "vnic2"), 0);
		cut(b, "6 unplug 1");
		bench_part(b);
		CHECK_EQ(invalid(b, 500), 0);
		CHECK_EQ(ring(b)->state, KECAT_RING_NONE);
		CHECK_EQ(ring(b)->nic[0], 0);
	}
	undisturbed(b);
	bench_free(b);
}

/* by name; the first one goes before the second */
TEST(second_port_by_name)
{
	struct bench *b = bench_new(NULL, RING);
	struct kecat_second *s = host_user_alloc(sizeof(*s));
	struct vnic *v;

	*s = (struct kecat_second) { .size = sizeof(*s), .nic = "vnic" };
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_SECOND, s), -EINVAL);
	memset(s->nic, 'x', sizeof(s->nic));
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_SECOND, s), -EINVAL);
	strscpy(s->nic, "vnic2", sizeof(s->nic));
	s->flags = 1;
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_SECOND, s), -EINVAL);
	s->flags = 0;
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_SECOND, s), 0);
	v = vnic_new_second(b->v);
	v->start_err = -EIO;
	CHECK_EQ(kecat_nic_register(&v->nic), -EIO);
	v->start_err = 0;
	REQUIRE(!kecat_nic_register(&v->nic));
	CHECK(v->nic.core == b->m);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_SECOND, s), -EBUSY);
	REQUIRE(bench_wait_scanned(b, SLAVES, 8000));
	is_closed(b);
	/* it was said once: the next time the port is a master of its own */
	kecat_nic_unregister(&v->nic);
	REQUIRE(!kecat_nic_register(&v->nic));
	CHECK(v->nic.core != b->m);
	kecat_nic_unregister(&v->nic);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_SECOND, s), 0);
	REQUIRE(!kecat_nic_register(&v->nic));
	CHECK(v->nic.core == b->m);
	bench_close(b);
	bench_unregister(b);
	kecat_nic_unregister(&v->nic);
	vnic_free(v);
	host_user_free(s);
	bench_free(b);
}

/* largest distance of a clock from the reference's, over some seconds */
static u64 worst_clock(struct bench *b)
{
	const struct sim_segment *seg = b->v->seg;
	u64 worst = 0, now;
	u32 t, i;

	for (t = 0; t < 100; t++) {
		host_sleep(37000000);
		now = host_now();
		for (i = 1; i < seg->count; i++) {
			s64 d = esc_dc_system(&seg->slave[i].esc, now) -
				esc_dc_system(&seg->slave[0].esc, now);

			worst = max_t(u64, worst, d < 0 ? -d : d);
		}
	}
	return worst;
}

/* clocks behind a break follow the reference that their frames do not see */
TEST(clocks_with_a_break)
{
	struct bench *b = bench_new(NULL, "slaves coupler,drive*4\nring\n");
	u64 closed, broken;

	bench_join(b);
	REQUIRE(bench_wait_scanned(b, 5, 8000));
	host_sleep(20000000000ULL);
	closed = worst_clock(b);
	cut(b, "2 unplug 1");
	host_sleep(20000000000ULL);
	is_broken(b, 3, 2, 1);
	broken = worst_clock(b);
	printf("# clocks within %llu ns, with a break %llu ns\n",
	       (unsigned long long)closed, (unsigned long long)broken);
	CHECK(closed < 500);
	/* left alone they would have gone 400 us apart */
	CHECK(broken < 5000);
	cut(b, "2 plug 1");
	host_sleep(20000000000ULL);
	CHECK(worst_clock(b) < 500);
	bench_free(b);
}

static void delays(struct bench *b, u32 *d)
{
	u32 i;

	for (i = 0; i < b->v->seg->count; i++)
		d[i] = sim_get32(b->v->seg->slave[i].esc.mem + 0x0928);
}

/*
 * Behind a break nobody knows how far it is to the reference.  Once the ring
 * closes, delays are what they are where it never was open, and stay so when it
 * opens again.
 */
static void delays_after(const char *open, const char *close)
{
	const char *clocks = "slaves coupler,drive,coupler,drive*3\nring\n";
	struct bench *b = bench_new(NULL, clocks);
	u32 want[6], got[6], i;
	u64 before, worst;

	bench_join(b);
	REQUIRE(bench_wait_scanned(b, 6, 8000));
	host_sleep(1000000000);
	is_closed_with(b, 6);
	delays(b, want);
	bench_free(b);

	b = bench_new(NULL, clocks);
	cut(b, open);
	bench_join(b);
	REQUIRE(bench_wait_scanned(b, 6, 8000));
	host_sleep(5000000000ULL);
	before = worst_clock(b);
	cut(b, close);
	/* from the first moment on they come nearer */
	worst = worst_clock(b);
	host_sleep(20000000000ULL);
	is_closed_with(b, 6);
	delays(b, got);
	for (i = 1; i < 6; i++) {
		CHECK(got[i] > got[i - 1]);
		/* clocks count in steps of 10 ns and run apart meanwhile */
		CHECK(abs((int)(got[i] - want[i])) <= 40);
		CHECK_EQ(bench_info(b, i)->delay_ns, got[i]);
	}
	printf("# clocks within %llu ns with the break, %llu ns as it closed, %llu ns after it\n",
	       (unsigned long long)before, (unsigned long long)worst,
	       (unsigned long long)worst_clock(b));
	/* the way is longer than was thought by the sum of the delays */
	CHECK(before < 3000);
	CHECK(worst < 10000);
	CHECK(worst_clock(b) < 500);
	cut(b, open);
	host_sleep(5000000000ULL);
	CHECK_EQ(ring(b)->state, KECAT_RING_BROKEN);
	delays(b, want);
	for (i = 1; i < 6; i++)
		CHECK_EQ(got[i], want[i]);
	/* one that restarts there is set by the others, and measured later */
	cut(b, "4 power off");
	host_sleep(1000000000);
	cut(b, "4 power on");
	host_sleep(5000000000ULL);
	CHECK_EQ(bench_status(b)->slaves, 6);
	CHECK(worst_clock(b) < 5000);
	cut(b, close);
	host_sleep(20000000000ULL);
	is_closed_with(b, 6);
	delays(b, want);
	for (i = 1; i < 6; i++)
		CHECK(abs((int)(got[i] - want[i])) <= 40);
	CHECK(worst_clock(b) < 500);
	bench_free(b);
}

TEST(delays_are_measured_once_the_ring_closes)
{
	delays_after("2 unplug 1", "2 plug 1");
	delays_after("0 unplug 1", "0 plug 1");
	delays_after("0 unplug 0", "0 plug 0");
	delays_after("5 unplug 1", "5 plug 1");
}

/* the ports go while the application cycles and mailboxes are in use */
TEST(ports_go_while_it_runs)
{
	u32 i;

	for (i = 0; i < 20; i++) {
		struct bench *b = running();

		cut(b, "3 unplug 1");
		invalid(b, 300 + 7 * i);
		if (i % 2) {
			cut(b, "3 plug 1");
			invalid(b, 300 + i);
		}
		if (i % 4 < 2)
			bench_part(b);
		bench_unregister(b);
		bench_close(b);
		bench_free(b);
	}
}
