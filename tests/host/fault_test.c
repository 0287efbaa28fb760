// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cycle when something goes wrong: a frame, the application, the port,
 * memory.
 */
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/string.h>
#include "../../kmod/cycle_int.h"
#include "../../kmod/plan.h"
#include "../../kmod/xfer.h"
#include "bench.h"

#define CYCLE	1000000

static struct bench *in_op(const char *slaves, u32 n, u32 groups, u32 app_miss,
			   u32 reaction)
{
	struct bench *b = bench_new(slaves, NULL);
	struct cfg c;

	REQUIRE(bench_wait_scanned(b, n, 8000));
	bench_cfg(b, &c, CYCLE, app_miss, reaction, 0, groups);
	REQUIRE(!bench_set_config(b, &c));
	cfg_end(&c);
	REQUIRE(!bench_activate(b));
	REQUIRE(bench_wait_state(b, KECAT_AL_OP, n, 8000));
	bench_cycles(b, 20);
	return b;
}

static u64 output(struct bench *b, u32 slave, u32 entry)
{
	u64 v = ~0ULL;

	CHECK_EQ(sim_segment_get_output(b->v->seg, slave, entry, &v), 0);
	return v;
}

static u8 al_state(struct bench *b, u32 slave)
{
	return sim_al_state(&b->v->seg->slave[slave]);
}

/* ---- one frame of several ---- */

struct drop {
	u64 cycle;
	u32 plan;
	bool done;
};

static bool drop_one(struct vnic *v, struct vnic_frame *f)
{
	struct drop *d = v->ctx;

	if (!f->cyclic || f->cycle != d->cycle || f->plan != d->plan)
		return true;
	d->done = true;
	return false;
}

static u32 groups_of_frame(const struct kecat_plan_layout *p, u32 frame)
{
	u32 i, groups = 0;

	for (i = 0; i < p->ndgrams; i++)
		if (p->dgram[i].frame == frame && p->dgram[i].group < KECAT_MAX_GROUPS)
			groups |= 1u << p->dgram[i].group;
	return groups;
}

static void check_wkc(struct bench *b, const struct kecat_in_hdr *h, u32 missing)
{
	const struct kecat_plan *p = b->m->plan;
	u32 g;

	CHECK_EQ(h->groups_valid, ((1u << p->groups) - 1) & ~missing);
	for (g = 0; g < p->groups; g++) {
		CHECK_EQ(h->wkc_expected[g], p->wkc_full[g]);
		if (missing >> g & 1)
			CHECK(h->wkc[g] < h->wkc_expected[g]);
		else
			CHECK_EQ(h->wkc[g], h->wkc_expected[g]);
	}
}

/* in each of the frames once: only its groups suffer, and for one cycle */
TEST(one_frame_of_many_is_lost)
{
	struct bench *b = in_op("big*2,node*100", 102, 4, 0, 0);
	const struct kecat_in_hdr *h;
	struct drop d = { 0 };
	const struct kecat_plan_layout *l = b->m->cycle->lay;
	u32 i, frames = l->nframes;

	CHECK(b->m->plan->in_len + b->m->plan->out_len >= 4000);
	CHECK(frames >= 3);
	b->v->ctx = &d;
	b->v->before = drop_one;
	for (i = 0; i < frames; i++) {
		u32 missing = groups_of_frame(l, i);

		d = (struct drop) { .cycle = b->seen + 3, .plan = i };
		while (b->seen < d.cycle + 3) {
			CHECK_EQ(bench_wait(b, 50 * CYCLE), 0);
			h = bench_inputs(b);
			CHECK_EQ(h->cycle, b->seen);
			check_wkc(b, h, h->cycle == d.cycle ? missing : 0);
		}
		CHECK(d.done);
	}
	b->v->before = NULL;
	/* until the table has given them up */
	bench_cycles(b, 60);
	CHECK_EQ(bench_status(b)->frames_lost, frames);
	CHECK_EQ(bench_status(b)->wkc_errors, 0);
	printf("# %u bytes in, %u out, %u frames of %u datagrams\n",
	       b->m->plan->in_len, b->m->plan->out_len, frames, l->ndgrams);
	bench_free(b);
}

static bool skew_once(struct vnic *v, struct vnic_frame *f)
{
	struct drop *d = v->ctx;

	if (f->cyclic && f->cycle == d->cycle && !d->done) {
		d->done = true;
		v->seg->slave[1].fault.wkc_skew = 1000;
	} else {
		v->seg->slave[1].fault.wkc_skew = 0;
	}
	return true;
}

TEST(a_counter_too_high_is_as_wrong_as_one_too_low)
{
	struct bench *b = in_op("node*4", 4, 1, 0, 0);
	struct drop d = { .cycle = b->seen + 5 };
	const struct kecat_in_hdr *h;

	b->v->ctx = &d;
	b->v->before = skew_once;
	while (b->seen < d.cycle) {
		CHECK_EQ(bench_wait(b, 50 * CYCLE), 0);
		h = bench_inputs(b);
		CHECK_EQ(h->groups_valid, b->seen == d.cycle ? 0 : 1);
	}
	CHECK(d.done);
	CHECK_EQ(bench_status(b)->wkc_errors, 1);
	bench_free(b);
}

static bool mark_once(struct vnic *v, struct vnic_frame *f)
{
	struct drop *d = v->ctx;

	if (f->cyclic && f->cycle == d->cycle && !d->done) {
		d->done = true;
		sim_put16(f->data + KECAT_FRAME_BODY + 6,
			  sim_get16(f->data + KECAT_FRAME_BODY + 6) | EC_DGRAM_CIRC);
	}
	return true;
}

/* only a ring with a break marks frames */
TEST(a_marked_frame_in_a_line_is_foreign)
{
	struct bench *b = in_op("node*4", 4, 1, 0, 0);
	struct drop d = { .cycle = b->seen + 5 };

	b->v->ctx = &d;
	b->v->before = mark_once;
	while (b->seen < d.cycle) {
		CHECK_EQ(bench_wait(b, 50 * CYCLE), 0);
		CHECK_EQ(bench_inputs(b)->groups_valid, b->seen == d.cycle ? 0 : 1);
	}
	CHECK(d.done);
	CHECK_EQ(bench_status(b)->frames_foreign, 1);
	bench_free(b);
}

/* ---- the application ---- */

static void feed(struct bench *b, u32 value, u32 cycles)
{
	u32 i;

	for (; cycles; cycles--) {
		for (i = 0; i < b->shm->out_len; i += 4)
			sim_put32(bench_outputs(b) + i, value);
		bench_publish(b);
		CHECK_EQ(bench_wait(b, 50 * CYCLE), 0);
	}
}

static void starve(struct bench *b, u32 cycles)
{
	for (; cycles; cycles--)
		CHECK_EQ(bench_wait(b, 50 * CYCLE), 0);
}

TEST(missing_outputs_hold)
{
	struct bench *b = in_op("node*3", 3, 1, 10, KECAT_LOSS_HOLD);

	feed(b, 0x11223344, 5);
	CHECK_EQ(output(b, 1, 0), 0x11223344);
	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	starve(b, 300);
	CHECK_EQ(bench_events(b, KECAT_EV_APP_LOSS, KECAT_ALL, 2), 1);
	CHECK_EQ(output(b, 1, 0), 0x11223344);
	CHECK_EQ(al_state(b, 1), KECAT_AL_OP);
	CHECK(bench_status(b)->app_missed >= 10);
	bench_free(b);
}

TEST(missing_outputs_zero)
{
	struct bench *b = in_op("node*3", 3, 1, 10, KECAT_LOSS_ZERO);

	feed(b, 0x11223344, 5);
	starve(b, 9);
	CHECK_EQ(output(b, 1, 0), 0x11223344);
	starve(b, 300);
	CHECK_EQ(output(b, 1, 0), 0);
	CHECK_EQ(al_state(b, 1), KECAT_AL_OP);
	bench_free(b);
}

TEST(missing_outputs_leave_op)
{
	struct bench *b = in_op("node*3", 3, 1, 10, KECAT_LOSS_SAFEOP);

	feed(b, 0x11223344, 5);
	starve(b, 11);
	CHECK_EQ(output(b, 1, 0), 0);
	starve(b, 500);
	CHECK_EQ(al_state(b, 0), KECAT_AL_SAFEOP);
	CHECK_EQ(al_state(b, 2), KECAT_AL_SAFEOP);
	/* inputs are still there */
	CHECK_EQ(bench_inputs(b)->groups_valid, 1);
	bench_free(b);
}

/* what the slaves were told after the process died */
struct after {
	u32 last_out;
	bool op_with_other;	/* in OP with outputs that are neither */
	u32 held;
};

static bool watch_outputs(struct vnic *v, struct vnic_frame *f)
{
	struct after *a = v->ctx;
	u64 now;

	if (!f->cyclic)
		return true;
	sim_segment_get_output(v->seg, 1, 0, &now);
	if (sim_al_state(&v->seg->slave[1]) == KECAT_AL_OP && now != a->held && now)
		a->op_with_other = true;
	a->last_out = (u32)now;
	return true;
}

static void die(u32 reaction, u32 expected)
{
	struct bench *b = in_op("node*3", 3, 1, 0, reaction);
	struct after a = { .held = 0x55667788 };
	struct kecat_counters *count = &b->m->count;
	u64 cycles;

	feed(b, 0x55667788, 5);
	CHECK_EQ(output(b, 1, 0), 0x55667788);
	b->v->ctx = &a;
	b->v->before = watch_outputs;
	cycles = count->cycles;
	bench_close(b);
	CHECK(count->cycles > cycles);
	CHECK(!a.op_with_other);
	CHECK_EQ(a.last_out, expected);
	b->v->before = NULL;
	bench_open(b);
	CHECK_EQ(bench_status(b)->phase, KECAT_PHASE_IDLE);
	CHECK(bench_wait_state(b, KECAT_AL_PREOP, 3, 5000));
	bench_free(b);
}

TEST(death_with_hold)
{
	die(KECAT_LOSS_HOLD, 0x55667788);
}

TEST(death_with_zero)
{
	die(KECAT_LOSS_ZERO, 0);
}

TEST(death_with_safeop)
{
	die(KECAT_LOSS_SAFEOP, 0);
}

/* the page belongs to the process: nothing in it may hurt the kernel */
TEST(hostile_control_page)
{
	struct bench *b = in_op("node*3,drive", 4, 2, 0, 0);
	u32 size = b->shm->size, i, k;

	for (i = 0; i < 300; i++) {
		for (k = 0; k < 64; k++)
			((u8 *)b->shm)[host_rand_below(k & 1 ? 256 : size)] =
				(u8)host_rand();
		b->shm->out_mid = (u32)host_rand();
		b->shm->in_mid = (u32)host_rand();
		CHECK_EQ(bench_wait(b, 50 * CYCLE), 0);
	}
	for (i = 0; i < 4; i++)
		CHECK_EQ(al_state(b, i), KECAT_AL_OP);
	CHECK_EQ(bench_deactivate(b), 0);
	bench_free(b);
}

/* ---- the port ---- */

static int waiter(void *arg)
{
	struct bench *b = arg;
	int err;

	do {
		err = bench_wait(b, 10 * NSEC_PER_SEC);
	} while (!err);
	return err;
}

static int sdo_reader(void *arg)
{
	struct bench *b = arg;
	struct kecat_sdo *s = host_user_alloc(sizeof(*s));
	u32 *v = host_user_alloc(4);
	int err;

	do {
		*s = (struct kecat_sdo) {
			.size = sizeof(*s), .position = 1, .index = 0x1000,
			.len = 4, .ptr = (uintptr_t)v,
		};
		err = (int)host_ioctl(b->f, KECAT_IOC_SDO_UPLOAD, s);
	} while (!err);
	host_user_free(v);
	host_user_free(s);
	return err;
}

static int event_reader(void *arg)
{
	struct bench *b = arg;
	struct file *f = host_open(b->m->index, O_RDONLY);
	struct kecat_event *e = host_user_alloc(sizeof(*e));
	ssize_t n;

	do {
		n = host_read(f, e, sizeof(*e));
	} while (n > 0);
	host_user_free(e);
	host_close(f);
	return (int)n;
}

static int poller(void *arg)
{
	struct bench *b = arg;
	struct file *f = host_open(b->m->index, O_RDONLY);
	int ev;

	do {
		ev = host_poll_wait(f, EPOLLIN | EPOLLPRI, 10 * NSEC_PER_SEC);
		host_sleep(100000);
	} while (ev > 0 && !(ev & EPOLLHUP));
	host_close(f);
	return ev;
}

TEST(port_goes_while_active)
{
	struct bench *b = in_op("coupler,node*3,drive", 5, 1, 0, 0);
	struct task_struct *t[4];

	t[0] = host_spawn("waiter", waiter, b);
	t[1] = host_spawn("sdo", sdo_reader, b);
	t[2] = host_spawn("events", event_reader, b);
	t[3] = host_spawn("poll", poller, b);
	host_sleep(20 * CYCLE + host_rand_below(CYCLE));
	bench_unregister(b);
	CHECK_EQ(host_join(t[0]), -ENODEV);
	CHECK_EQ(host_join(t[1]), -ENODEV);
	CHECK_EQ(host_join(t[2]), -ENODEV);
	CHECK(host_join(t[3]) & EPOLLHUP);
	b->status->size = sizeof(*b->status);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_STATUS, b->status), -ENODEV);
	CHECK(IS_ERR(host_open(0, O_RDWR)));
	bench_free(b);
}

/* at any moment of scan, bring-up and cycle */
TEST(port_goes_at_any_time)
{
	u32 i;

	for (i = 0; i < 60; i++) {
		struct bench *b = bench_new("coupler,node*4,drive,big", NULL);

		host_sleep(host_rand_below(i % 3 ? 60 : 400) * 1000000ULL);
		if (i % 3) {
			bench_configure(b, CYCLE, 2, 0);
			bench_activate(b);
			host_sleep(host_rand_below(100) * 1000000ULL);
		}
		bench_unregister(b);
		bench_free(b);
	}
}

TEST(port_that_cannot_start)
{
	struct bench *b = bench_new("node", NULL);
	struct vnic *v = b->v;

	bench_close(b);
	bench_unregister(b);
	v->start_err = -EIO;
	CHECK_EQ(kecat_nic_register(&v->nic), -EIO);
	v->start_err = 0;
	CHECK_EQ(kecat_nic_register(&v->nic), 0);
	kecat_nic_unregister(&v->nic);
	v->nic.api++;
	CHECK_EQ(kecat_nic_register(&v->nic), -EINVAL);
	bench_free(b);
}

TEST(link_flaps)
{
	struct bench *b = in_op("coupler,node*5", 6, 1, 0, 0);
	u32 i;

	for (i = 0; i < 4; i++) {
		vnic_link(b->v, false);
		bench_cycles(b, 50 + (u32)host_rand_below(500));
		CHECK_EQ(bench_inputs(b)->groups_valid, 0);
		vnic_link(b->v, true);
		CHECK(bench_wait_state(b, KECAT_AL_OP, 6, 8000));
		bench_cycles(b, 50);
		CHECK_EQ(bench_inputs(b)->groups_valid, 1);
	}
	CHECK(bench_events(b, KECAT_EV_LINK, KECAT_ALL, 0) >= 4);
	bench_free(b);
}

TEST(driver_resets_the_port)
{
	struct bench *b = in_op("coupler,node*5", 6, 1, 0, 0);
	u32 i;

	for (i = 0; i < 20; i++) {
		kecat_nic_quiesce(&b->v->nic);
		CHECK(!b->v->nic.busy);
		bench_cycles(b, 1 + i);
		kecat_nic_resume(&b->v->nic);
		bench_cycles(b, 30);
		CHECK_EQ(bench_inputs(b)->groups_valid, 1);
	}
	for (i = 0; i < 6; i++)
		CHECK_EQ(al_state(b, i), KECAT_AL_OP);
	CHECK_EQ(bench_status(b)->frames_lost, 0);
	bench_free(b);
}

/* a transmit ring that is shorter than a cycle's frames */
TEST(full_ring_is_counted)
{
	struct bench *b = in_op("big*2,node*20", 22, 2, 0, 0);
	u64 full;

	b->v->slots = 1;
	full = bench_status(b)->tx_full;
	bench_cycles(b, 10);
	CHECK(bench_status(b)->tx_full > full);
	CHECK(bench_inputs(b)->groups_valid != 3);
	b->v->slots = VNIC_SLOTS;
	bench_cycles(b, 10);
	CHECK_EQ(bench_inputs(b)->groups_valid, 3);
	bench_free(b);
}

TEST(late_thread_is_an_overrun)
{
	struct bench *b = in_op("node*3", 3, 1, 0, 0);
	u64 cycle = b->seen;

	host_params.rt_wake_ns = 5 * CYCLE;
	bench_cycles(b, 200);
	host_params.rt_wake_ns = 1000;
	CHECK(bench_status(b)->overruns > 50);
	CHECK(bench_events(b, KECAT_EV_OVERRUN, KECAT_ALL, KECAT_ALL) > 20);
	bench_cycles(b, 50);
	CHECK_EQ(bench_inputs(b)->groups_valid, 1);
	CHECK(b->seen >= cycle + 250);
	bench_free(b);
}

/* also a thread that never has time to sleep leaves some to others */
TEST(cycle_that_is_too_long_sleeps)
{
	struct bench *b = in_op("node*3", 3, 1, 0, 0);
	const struct kecat_cycle *c = b->m->cycle;
	u64 clock = host_params.clock_ns;

	/* a cycle reads it more than three times */
	host_params.clock_ns = CYCLE / 3;
	host_sleep(500 * 1000000ULL);
	CHECK(host_now() - c->slept_ns < 30 * CYCLE);
	host_params.clock_ns = clock;
	CHECK(bench_status(b)->overruns > 50);
	bench_cycles(b, 50);
	CHECK_EQ(bench_inputs(b)->groups_valid, 1);
	bench_free(b);
}

/* ---- memory ---- */

/* one life of a port and an application; how far it got does not matter */
static void life(void)
{
	struct vnic *v = vnic_new("coupler,node*2,drive", NULL, bench_devices, 1, 1);
	struct kecat_activate *a;
	struct bench b = { .v = v };
	struct cfg c;

	if (kecat_nic_register(&v->nic))
		goto out_free;
	host_sleep(300 * 1000000ULL);
	b.m = v->nic.core;
	b.f = host_open(b.m->index, O_RDWR);
	if (IS_ERR(b.f))
		goto out_unregister;
	bench_cfg(&b, &c, CYCLE, 0, 0, 0, 2);
	bench_set_config(&b, &c);
	cfg_end(&c);
	a = host_user_alloc(sizeof(*a));
	a->size = sizeof(*a);
	if (!host_ioctl(b.f, KECAT_IOC_ACTIVATE, a))
		host_sleep(200 * 1000000ULL);
	host_user_free(a);
	host_close(b.f);
out_unregister:
	kecat_nic_unregister(&v->nic);
out_free:
	vnic_free(v);
}

TEST(every_allocation_may_fail)
{
	struct host_mem_stats s, t;
	u64 n, tried = 0;

	host_exempt_begin();
	REQUIRE(!host_module_init());
	host_exempt_end();
	host_mem_stats(&s);
	life();
	host_mem_stats(&t);
	CHECK_EQ(t.live, s.live);
	n = t.allocs - s.allocs;
	for (; tried < n && !host_failed; tried++) {
		host_mem_stats(&s);
		host_mem_refuse(tried + 1, 0);
		life();
		host_mem_refuse(0, 0);
		host_mem_stats(&t);
		CHECK_EQ(t.live, s.live);
	}
	/* and many of them at once */
	for (tried = 2; tried < 12 && !host_failed; tried++) {
		host_mem_refuse(1 + host_rand_below(40), tried);
		life();
		host_mem_refuse(0, 0);
		host_mem_stats(&t);
		CHECK_EQ(t.live, s.live);
	}
	printf("# each of %llu allocations refused once\n", n);
	host_module_exit();
}

TEST(module_may_fail_to_load)
{
	u32 i;

	for (i = 1; i < 10; i++) {
		host_mem_refuse(i, 0);
		if (!host_module_init())
			break;
	}
	host_mem_refuse(0, 0);
	CHECK(i > 1 && i < 10);
	host_module_exit();
}

/* a port that takes no frames any more holds nobody up for ever */
TEST(transmitter_stands_still)
{
	struct bench *b = bench_new("coupler,do8", NULL);
	u8 type;

	REQUIRE(bench_wait_scanned(b, 2, 8000));
	b->v->slots = 0;
	CHECK_EQ(kecat_fprd(b->m, bench_info(b, 1)->station, 0, &type, 1), -EIO);
	bench_unregister(b);
	bench_free(b);
}

#define RAM	0x1f00

static bool lose_second(struct vnic *v, struct vnic_frame *f)
{
	u32 *frames = v->ctx;

	/* long ones are ours */
	return f->len < 1000 || (*frames)++;
}

/* one frame of a transaction is lost: what the other one has done is not done again */
TEST(what_is_answered_is_not_sent_again)
{
	struct bench *b = bench_new("coupler,node", NULL);
	u8 word[2] = { 0x34, 0x12 }, big[KECAT_DATA_MAX] = {};
	struct kecat_dgram dg[] = {
		{ EC_FPRW, 0, RAM, 2, word },
		{ EC_BRD, 0, 0x1000, sizeof(big), big },
	};
	u8 *ram;
	u32 frames = 0;

	REQUIRE(bench_wait_scanned(b, 2, 8000));
	ram = b->v->seg->slave[1].esc.mem + RAM;
	sim_put16(ram, 0x0055);
	dg[0].adp = bench_info(b, 1)->station;
	b->v->ctx = &frames;
	b->v->before = lose_second;
	CHECK_EQ(kecat_xfer(b->m, dg, ARRAY_SIZE(dg), 0), 0);
	CHECK_EQ(frames, 2);
	CHECK_EQ(sim_get16(word), 0x0055);
	CHECK_EQ(sim_get16(ram), 0x1234);
	bench_free(b);
}
