// SPDX-License-Identifier: GPL-2.0-only
/* The slow side: what happens to slaves, one at a time, must not touch others. */
#include "bench.h"
#include "../../kmod/bus.h"

#define CYCLE	1000000

static struct bench *in_op(const char *slaves, u32 n, u32 flags)
{
	struct bench *b = bench_new(slaves, NULL);

	REQUIRE(bench_wait_scanned(b, n, 5000));
	REQUIRE(!bench_configure(b, CYCLE, 1, flags));
	REQUIRE(!bench_activate(b));
	REQUIRE(bench_wait_state(b, KECAT_AL_OP, n, 8000));
	bench_cycles(b, 20);
	return b;
}

static u64 wkc_errors(struct bench *b)
{
	return bench_status(b)->wkc_errors;
}

/* ---- scanning ---- */

TEST(scan_shows_the_tree)
{
	struct bench *b = bench_new("coupler,do8,di8", NULL);

	CHECK(bench_wait_scanned(b, 3, 5000));
	CHECK_EQ(bench_info(b, 0)->neighbour[0], 0xffff);
	CHECK_EQ(bench_info(b, 0)->neighbour[1], 1);
	CHECK_EQ(bench_info(b, 1)->neighbour[0], 0);
	CHECK_EQ(bench_info(b, 1)->neighbour[1], 2);
	CHECK_EQ(bench_info(b, 2)->neighbour[1], 0xffff);
	bench_free(b);
}

TEST(stations_are_unique)
{
	struct bench *b = bench_new("coupler,do8*5,node*4", NULL);
	u32 i, k;

	CHECK(bench_wait_scanned(b, 10, 5000));
	for (i = 0; i < 10; i++)
		for (k = 0; k < i; k++)
			CHECK(b->m->slave[i]->station != b->m->slave[k]->station);
	bench_free(b);
}

TEST(second_master_takes_over_what_the_first_left_in_op)
{
	struct bench *b = in_op("coupler,do8,node*2", 4, 0);

	bench_close(b);
	bench_unregister(b);
	REQUIRE(!kecat_nic_register(&b->v->nic));
	b->registered = true;
	b->m = b->v->nic.core;
	bench_open(b);
	CHECK(bench_wait_scanned(b, 4, 5000));
	CHECK_EQ(bench_configure(b, CYCLE, 1, 0), 0);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 4, 8000));
	bench_free(b);
}

TEST(rescan_forgets_and_finds)
{
	struct bench *b = bench_new("coupler,do8,node", NULL);
	u32 gen;

	CHECK(bench_wait_scanned(b, 3, 5000));
	gen = bench_status(b)->scan_gen;
	CHECK_EQ(vnic_fault(b->v, "1 unplug 1"), 0);
	CHECK(bench_wait_problem(b, 2, KECAT_PROBLEM_MISSING, 1000));
	CHECK_EQ(bench_status(b)->slaves, 3);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_RESCAN, NULL), 0);
	CHECK_EQ(bench_status(b)->slaves, 2);
	CHECK(bench_status(b)->scan_gen > gen);
	CHECK(bench_wait_scanned(b, 2, 5000));
	bench_free(b);
}

TEST(rescan_is_refused_while_active)
{
	struct bench *b = in_op("coupler,do8", 2, 0);

	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_RESCAN, NULL), -EBUSY);
	CHECK(bench_data_valid(b));
	bench_free(b);
}

TEST(unreadable_eeprom_leaves_a_device_that_reaches_preop)
{
	struct bench *b = bench_new("coupler,do8*2", NULL);
	int i;

	CHECK(bench_wait_scanned(b, 3, 5000));
	CHECK_EQ(vnic_fault(b->v, "1 sii stuck"), 0);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_RESCAN, NULL), 0);
	CHECK(bench_wait_scanned(b, 3, 9000));
	/* given up, after some tries */
	for (i = 0; i < 900 && !(bench_info(b, 1)->flags & KECAT_SLAVE_SII_BAD); i++)
		host_sleep(10000000);
	CHECK(bench_info(b, 1)->flags & KECAT_SLAVE_SII_BAD);
	CHECK(bench_wait_scanned(b, 3, 9000));
	CHECK_EQ(bench_info(b, 1)->problem, KECAT_PROBLEM_SII);
	CHECK_EQ(bench_info(b, 2)->problem, KECAT_PROBLEM_NONE);
	bench_free(b);
}

TEST(empty_eeprom_is_named)
{
	struct bench *b = bench_new("coupler,do8", NULL);

	CHECK(bench_wait_scanned(b, 2, 5000));
	CHECK_EQ(vnic_fault(b->v, "1 sii erased"), 0);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_RESCAN, NULL), 0);
	CHECK(bench_wait_problem(b, 1, KECAT_PROBLEM_SII, 3000));
	CHECK_EQ(bench_info(b, 1)->detail, ENODATA);
	bench_free(b);
}

TEST(no_memory_is_survived)
{
	struct bench *b = bench_new("coupler,do8*3,node*6", NULL);
	u32 every;

	CHECK(bench_wait_scanned(b, 10, 5000));
	for (every = 1; every < 30; every++) {
		host_mem_refuse(every, every);
		host_ioctl(b->f, KECAT_IOC_RESCAN, NULL);
		host_sleep(300000000);
		host_mem_refuse(0, 0);
		CHECK(bench_wait_scanned(b, 10, 40000));
	}
	bench_free(b);
}

/* ---- coming and going in OP ---- */

TEST(cut_cable_leaves_the_rest_in_op_and_heals)
{
	struct bench *b = in_op("coupler,do8,node*4", 6, 0);
	u64 errors;

	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	CHECK_EQ(vnic_fault(b->v, "3 unplug 1"), 0);
	CHECK(bench_wait_problem(b, 5, KECAT_PROBLEM_MISSING, 1000));
	CHECK_EQ(bench_info(b, 3)->al_state, KECAT_AL_OP);
	CHECK_EQ(bench_info(b, 3)->transitions, bench_info(b, 2)->transitions);
	CHECK(bench_data_valid(b));
	CHECK_EQ(bench_status(b)->slaves, 6);
	CHECK_EQ(bench_status(b)->slaves_present, 4);
	CHECK_EQ(bench_events(b, KECAT_EV_SLAVE_LOST, KECAT_ALL, KECAT_ALL), 2);
	errors = wkc_errors(b);
	CHECK_EQ(vnic_fault(b->v, "3 plug 1"), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 6, 5000));
	CHECK(bench_data_valid(b));
	CHECK_EQ(bench_info(b, 5)->problem, KECAT_PROBLEM_NONE);
	CHECK_EQ(bench_events(b, KECAT_EV_SLAVE_BACK, KECAT_ALL, KECAT_ALL), 2);
	CHECK_EQ(b->v->count.lost, bench_status(b)->frames_lost);
	/* the ones that come back still answer logical addresses at first */
	CHECK(wkc_errors(b) - errors < 200);
	bench_free(b);
}

TEST(power_cycle_keeps_record_and_costs_the_others_nothing)
{
	struct bench *b = in_op("coupler,do8,node*3", 5, 0);
	u16 station = bench_info(b, 4)->station;
	u64 errors;

	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	CHECK_EQ(vnic_fault(b->v, "4 power off"), 0);
	CHECK(bench_wait_problem(b, 4, KECAT_PROBLEM_MISSING, 1000));
	CHECK(bench_data_valid(b));
	errors = wkc_errors(b);
	CHECK_EQ(vnic_fault(b->v, "4 power on"), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 8000));
	CHECK(bench_data_valid(b));
	CHECK_EQ(bench_info(b, 4)->station, station);
	CHECK_EQ(bench_status(b)->slaves, 5);
	CHECK_EQ(bench_events(b, KECAT_EV_SLAVE_BACK, 4, station), 1);
	CHECK_EQ(wkc_errors(b), errors);
	bench_free(b);
}

TEST(short_power_cycle_is_noticed)
{
	struct bench *b = in_op("coupler,node*3", 4, 0);

	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	CHECK_EQ(vnic_fault(b->v, "3 power cycle"), 0);
	bench_cycles(b, 200);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 4, 8000));
	CHECK(bench_data_valid(b));
	CHECK_EQ(bench_events(b, KECAT_EV_SLAVE_BACK, 3, KECAT_ALL), 1);
	bench_free(b);
}

TEST(another_device_in_its_place_is_refused)
{
	struct bench *b = in_op("coupler,do8,node*2", 4, 0);

	CHECK_EQ(vnic_fault(b->v, "3 power off"), 0);
	CHECK(bench_wait_problem(b, 3, KECAT_PROBLEM_MISSING, 1000));
	CHECK_EQ(vnic_fault(b->v, "3 identity 2 0x1234"), 0);
	CHECK_EQ(vnic_fault(b->v, "3 power on"), 0);
	CHECK(bench_wait_problem(b, 3, KECAT_PROBLEM_IDENTITY, 5000));
	CHECK_EQ(bench_info(b, 3)->detail, 1);
	CHECK(bench_wait_state(b, KECAT_AL_PREOP, 1, 5000));
	CHECK_EQ(bench_status(b)->slaves, 4);
	CHECK_EQ(bench_status(b)->slaves_op, 3);
	CHECK(bench_data_valid(b));
	/* and the right one again */
	CHECK_EQ(vnic_fault(b->v, "3 power off"), 0);
	CHECK(bench_wait_problem(b, 3, KECAT_PROBLEM_MISSING, 1000));
	CHECK_EQ(vnic_fault(b->v, "3 sii restore"), 0);
	CHECK_EQ(vnic_fault(b->v, "3 power on"), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 4, 8000));
	CHECK(bench_data_valid(b));
	bench_free(b);
}

TEST(a_stranger_with_the_address_of_a_healthy_one)
{
	struct bench *b = in_op("coupler,do8,node*3", 5, 0);
	struct sim_segment *seg = b->v->seg;
	u16 station = bench_info(b, 2)->station;
	u32 seen = bench_info(b, 2)->transitions;

	CHECK_EQ(vnic_fault(b->v, "4 power off"), 0);
	CHECK(bench_wait_problem(b, 4, KECAT_PROBLEM_MISSING, 1000));
	CHECK_EQ(vnic_fault(b->v, "4 power on"), 0);
	sim_put16(seg->slave[4].esc.mem + 0x10, station);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 8000));
	CHECK_EQ(bench_info(b, 2)->station, station);
	CHECK_EQ(bench_info(b, 2)->transitions, seen);
	CHECK(sim_get16(seg->slave[4].esc.mem + 0x10) != station);
	CHECK(bench_data_valid(b));
	bench_free(b);
}

TEST(all_power_gone_and_back)
{
	struct bench *b = in_op("coupler,do8,node*4", 6, 0);
	int i;

	for (i = 0; i < 6; i++)
		CHECK_EQ(vnic_fault(b->v, "%d power off", i), 0);
	CHECK(bench_wait_problem(b, 0, KECAT_PROBLEM_MISSING, 1000));
	for (i = 0; i < 6; i++)
		CHECK_EQ(vnic_fault(b->v, "%d power on", i), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 6, 9000));
	CHECK_EQ(bench_status(b)->slaves, 6);
	CHECK(bench_data_valid(b));
	bench_free(b);
}

TEST(link_down_and_up)
{
	struct bench *b = in_op("coupler,node*3", 4, 0);

	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	vnic_link(b->v, false);
	CHECK(bench_wait_problem(b, 3, KECAT_PROBLEM_MISSING, 1000));
	CHECK_EQ(bench_status(b)->link, 0);
	vnic_link(b->v, true);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 4, 8000));
	CHECK(bench_data_valid(b));
	CHECK_EQ(bench_events(b, KECAT_EV_LINK, KECAT_ALL, KECAT_ALL), 2);
	bench_free(b);
}

TEST(missing_at_activation_is_reported_and_joins_later)
{
	struct bench *b = bench_new("coupler,node*3", NULL);

	CHECK(bench_wait_scanned(b, 4, 5000));
	CHECK_EQ(vnic_fault(b->v, "2 unplug 1"), 0);
	CHECK(bench_wait_problem(b, 3, KECAT_PROBLEM_MISSING, 1000));
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_RESCAN, NULL), 0);
	CHECK_EQ(bench_status(b)->slaves, 3);
	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	CHECK_EQ(bench_configure(b, CYCLE, 1, 0), 0);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 3, 8000));
	CHECK_EQ(bench_events(b, KECAT_EV_SLAVE_PROBLEM, 3, KECAT_PROBLEM_MISSING), 1);
	CHECK(bench_data_valid(b));
	CHECK_EQ(vnic_fault(b->v, "2 plug 1"), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 4, 8000));
	CHECK(bench_data_valid(b));
	bench_free(b);
}

/* ---- states ---- */

TEST(refusal_is_named_and_tried_again)
{
	struct bench *b = bench_new("coupler,do8,node*3", NULL);
	u32 tries;

	CHECK(bench_wait_scanned(b, 5, 5000));
	CHECK_EQ(vnic_fault(b->v, "3 al refuse 4 0x1e"), 0);
	CHECK_EQ(bench_configure(b, CYCLE, 1, 0), 0);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 4, 5000));
	CHECK(bench_wait_problem(b, 3, KECAT_PROBLEM_AL, 1000));
	CHECK_EQ(bench_info(b, 3)->detail, 0x1e);
	CHECK_EQ(bench_info(b, 3)->al_code, 0x1e);
	CHECK(bench_data_valid(b));
	/* after 1, 2, 4, .. s, and each time from INIT or PREOP on */
	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	bench_cycles(b, 30000);
	tries = bench_events(b, KECAT_EV_SLAVE_STATE, 3, 0x12);
	CHECK(tries >= 3 && tries <= 6);
	CHECK_EQ(vnic_fault(b->v, "3 al ok"), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 40000));
	CHECK_EQ(bench_info(b, 3)->problem, KECAT_PROBLEM_NONE);
	bench_free(b);
}

TEST(one_that_hangs_holds_up_nobody)
{
	struct bench *b = bench_new("coupler,do8,node*4", NULL);
	u64 t;

	CHECK(bench_wait_scanned(b, 6, 5000));
	CHECK_EQ(vnic_fault(b->v, "2 al ignore"), 0);
	CHECK_EQ(bench_configure(b, CYCLE, 1, 0), 0);
	CHECK_EQ(bench_activate(b), 0);
	t = host_now();
	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 8000));
	/* far below the ten seconds that the other one may take */
	CHECK(host_now() - t < 3000000000ULL);
	CHECK(bench_data_valid(b));
	CHECK(bench_wait_problem(b, 2, KECAT_PROBLEM_AL_TIMEOUT, 12000));
	CHECK_EQ(bench_info(b, 2)->detail, KECAT_AL_SAFEOP);
	bench_free(b);
}

TEST(port_goes_while_a_slave_hangs)
{
	struct bench *b = bench_new("coupler,node*3", NULL);
	u64 t;

	CHECK(bench_wait_scanned(b, 4, 5000));
	CHECK_EQ(vnic_fault(b->v, "2 al ignore"), 0);
	CHECK_EQ(bench_configure(b, CYCLE, 1, 0), 0);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 3, 8000));
	t = host_now();
	bench_close(b);
	bench_unregister(b);
	CHECK(host_now() - t < 2000000000ULL);
	bench_free(b);
}

TEST(a_slave_that_falls_is_brought_back)
{
	struct bench *b = in_op("coupler,do8,node*3", 5, 0);

	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	CHECK_EQ(vnic_fault(b->v, "3 al error 4 0x1b"), 0);
	bench_cycles(b, 30);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 5000));
	CHECK_EQ(bench_events(b, KECAT_EV_SLAVE_STATE, 3, 0x14), 1);
	CHECK_EQ(bench_info(b, 3)->al_code, 0x1b);
	CHECK(bench_data_valid(b));
	bench_free(b);
}

TEST(a_slave_that_keeps_falling_has_to_wait)
{
	struct bench *b = in_op("coupler,node*2", 3, 0);
	u32 i, fell;

	for (i = 0; i < 500; i++) {
		if (bench_info(b, 1)->al_state == KECAT_AL_OP)
			CHECK_EQ(vnic_fault(b->v, "1 al error 4 0x1b"), 0);
		bench_cycles(b, 20);
	}
	/* at once, then after 1, 2, 4 s; 20 ms a time without that */
	fell = bench_events(b, KECAT_EV_SLAVE_STATE, 1, 0x14);
	CHECK(fell >= 3 && fell <= 6);
	CHECK(bench_wait_problem(b, 1, KECAT_PROBLEM_AL, 1000));
	CHECK(bench_wait_state(b, KECAT_AL_OP, 3, 40000));
	CHECK(bench_data_valid(b));
	bench_free(b);
}

TEST(fallen_to_init_without_power_loss)
{
	struct bench *b = in_op("coupler,do8,node*3", 5, 0);

	CHECK_EQ(vnic_fault(b->v, "3 al error 1 0x1"), 0);
	bench_cycles(b, 30);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 8000));
	CHECK(bench_data_valid(b));
	bench_free(b);
}

TEST(serial_bring_up)
{
	struct bench *b = in_op("coupler,do8,node*4", 6, KECAT_BUS_SERIAL);

	CHECK(bench_data_valid(b));
	bench_free(b);
}

static int ask_state(struct bench *b, u32 pos, u32 state, u32 timeout_ms)
{
	struct kecat_state *s = host_user_alloc(sizeof(*s));
	int err;

	s->size = sizeof(*s);
	s->position = pos;
	s->state = state;
	s->timeout_ms = timeout_ms;
	err = (int)host_ioctl(b->f, KECAT_IOC_STATE, s);
	host_user_free(s);
	return err;
}

TEST(one_slave_leaves_op_on_request)
{
	struct bench *b = in_op("coupler,node*3", 4, 0);

	CHECK_EQ(ask_state(b, 2, KECAT_AL_SAFEOP, 2000), 0);
	CHECK_EQ(bench_info(b, 2)->al_state, KECAT_AL_SAFEOP);
	bench_cycles(b, 20);
	CHECK_EQ(bench_info(b, 2)->al_state, KECAT_AL_SAFEOP);
	CHECK(bench_data_valid(b));
	CHECK_EQ(ask_state(b, 2, KECAT_AL_INIT, 2000), 0);
	CHECK(bench_data_valid(b));
	CHECK_EQ(bench_info(b, 2)->al_state, KECAT_AL_INIT);
	CHECK_EQ(ask_state(b, 2, KECAT_AL_OP, 5000), 0);
	CHECK(bench_data_valid(b));
	CHECK_EQ(bench_status(b)->slaves_op, 4);
	bench_free(b);
}

TEST(no_way_to_op_without_a_plan)
{
	struct bench *b = bench_new("coupler,node", NULL);

	CHECK(bench_wait_scanned(b, 2, 5000));
	CHECK_EQ(bench_configure(b, CYCLE, 1, 0), 0);
	CHECK_EQ(ask_state(b, 1, KECAT_AL_OP, 1000), -EREMOTEIO);
	CHECK_EQ(bench_info(b, 1)->al_state, KECAT_AL_PREOP);
	CHECK_EQ(ask_state(b, 1, KECAT_AL_PREOP, 1000), 0);
	bench_free(b);
}

TEST(deactivation_trips_no_watchdog)
{
	struct bench *b = in_op("coupler,do8,node*3", 5, 0);

	bench_events(b, KECAT_ALL, KECAT_ALL, KECAT_ALL);
	CHECK_EQ(bench_deactivate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_PREOP, 5, 5000));
	CHECK_EQ(bench_events(b, KECAT_EV_SLAVE_STATE, KECAT_ALL, 0x14), 0);
	bench_free(b);
}

TEST(on_and_off_and_on)
{
	struct bench *b = in_op("coupler,do8,node*3", 5, 0);
	int i;

	for (i = 0; i < 5; i++) {
		CHECK_EQ(bench_deactivate(b), 0);
		/* also before they are all down */
		if (i & 1)
			CHECK(bench_wait_state(b, KECAT_AL_PREOP, 5, 5000));
		CHECK_EQ(bench_activate(b), 0);
		CHECK(bench_wait_state(b, KECAT_AL_OP, 5, 8000));
		CHECK(bench_data_valid(b));
	}
	bench_free(b);
}

/* ---- start-up commands ---- */

TEST(start_up_sdo)
{
	struct bench *b = bench_new("coupler,node*2", NULL);
	static const u8 value[4] = { 1, 2, 3, 4 };
	struct cfg c;

	CHECK(bench_wait_scanned(b, 3, 5000));
	/* behind the last slave: its start-up commands */
	bench_cfg(b, &c, CYCLE, 0, KECAT_LOSS_SAFEOP, 0, 1);
	cfg_sdo(&c, KECAT_TR_PS, 0x2000, 0, value, 4);
	cfg_sdo(&c, KECAT_TR_SO, 0x2000, 0, value, 4);
	CHECK_EQ(bench_set_config(b, &c), 0);
	cfg_end(&c);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 3, 8000));
	bench_free(b);
}

TEST(refused_sdo_is_named)
{
	struct bench *b = bench_new("coupler,node*2", NULL);
	static const u8 value[4];
	struct cfg c;

	CHECK(bench_wait_scanned(b, 3, 5000));
	bench_cfg(b, &c, CYCLE, 0, KECAT_LOSS_SAFEOP, 0, 1);
	cfg_sdo(&c, KECAT_TR_PS, 0x1000, 0, value, 4);	/* read only */
	CHECK_EQ(bench_set_config(b, &c), 0);
	cfg_end(&c);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 2, 8000));
	CHECK(bench_wait_problem(b, 2, KECAT_PROBLEM_SDO, 1000));
	CHECK_EQ(bench_info(b, 2)->detail, 0x06010002);
	CHECK(bench_data_valid(b));
	bench_free(b);
}

TEST(silent_mailbox_is_named)
{
	struct bench *b = bench_new("coupler,node*2", NULL);
	static const u8 value[4];
	struct cfg c;

	CHECK(bench_wait_scanned(b, 3, 5000));
	CHECK_EQ(vnic_fault(b->v, "2 mbx silent"), 0);
	bench_cfg(b, &c, CYCLE, 0, KECAT_LOSS_SAFEOP, 0, 1);
	cfg_sdo(&c, KECAT_TR_PS, 0x2000, 0, value, 4);
	CHECK_EQ(bench_set_config(b, &c), 0);
	cfg_end(&c);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_problem(b, 2, KECAT_PROBLEM_MBX, 6000));
	CHECK_EQ(bench_info(b, 2)->detail, ETIMEDOUT);
	CHECK_EQ(bench_info(b, 1)->al_state, KECAT_AL_OP);
	bench_free(b);
}

/* ---- mailbox ---- */

/* the element of slave @pos in the blob */
static struct kecat_cfg_slave *cfg_at(struct cfg *c, u32 pos)
{
	u32 at = 0;

	while (at < c->len) {
		struct kecat_cfg_tlv *t = (void *)(c->b + at);
		struct kecat_cfg_slave *s = (void *)(t + 1);

		if (t->type == KECAT_CFG_SLAVE && s->position == pos)
			return s;
		at += sizeof(*t) + ALIGN(t->len, 8);
	}
	return NULL;
}

TEST(a_wrong_mailbox_in_the_eeprom_is_named_and_overridden)
{
	struct bench *b = bench_new("coupler,node*2", NULL);
	struct kecat_cfg_slave *e;
	struct cfg c;
	int i;

	CHECK(bench_wait_scanned(b, 3, 5000));
	/* words 0x18..0x1b: all the same place, far too long */
	for (i = 0x30; i < 0x38; i++)
		CHECK_EQ(vnic_fault(b->v, "2 sii byte %d 0x10", i), 0);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_RESCAN, NULL), 0);
	CHECK(bench_wait_problem(b, 2, KECAT_PROBLEM_MBX, 3000));
	CHECK_EQ(bench_info(b, 2)->detail, EINVAL);
	CHECK_EQ(bench_info(b, 2)->al_state, KECAT_AL_INIT);
	bench_cfg(b, &c, CYCLE, 0, KECAT_LOSS_SAFEOP, 0, 1);
	e = cfg_at(&c, 2);
	e->mbx_out = 0x1000;
	e->mbx_out_size = 128;
	e->mbx_in = 0x1080;
	e->mbx_in_size = 128;
	CHECK_EQ(bench_set_config(b, &c), 0);
	cfg_end(&c);
	CHECK(bench_wait_scanned(b, 3, 5000));
	CHECK_EQ(bench_info(b, 2)->mbx_in, 0x1080);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 3, 5000));
	bench_free(b);
}

TEST(another_mailbox_in_a_new_configuration_takes_effect)
{
	struct bench *b = bench_new("coupler,node*2", NULL);
	struct cfg c;

	CHECK(bench_wait_scanned(b, 3, 5000));
	CHECK_EQ(bench_info(b, 1)->mbx_in_size, 128);
	bench_cfg(b, &c, CYCLE, 0, KECAT_LOSS_SAFEOP, 0, 1);
	cfg_at(&c, 1)->mbx_in_size = 96;
	cfg_at(&c, 1)->mbx_in = 0x1080;
	cfg_at(&c, 1)->mbx_out = 0x1000;
	cfg_at(&c, 1)->mbx_out_size = 128;
	CHECK_EQ(bench_set_config(b, &c), 0);
	cfg_end(&c);
	host_sleep(300000000);
	CHECK(bench_wait_scanned(b, 3, 5000));
	CHECK_EQ(bench_info(b, 1)->mbx_in_size, 96);
	CHECK_EQ(bench_info(b, 2)->transitions, 2);
	bench_free(b);
}

/* ---- matching ---- */

TEST(optional_slave_is_absent)
{
	struct bench *b = bench_new("coupler,do8,node*2", NULL);
	struct kecat_cfg_slave s = {
		.position = 1, .vendor = 2, .product = 0x77,
		.flags = KECAT_CFGS_OPTIONAL,
	};
	struct cfg c;

	CHECK(bench_wait_scanned(b, 4, 5000));
	bench_cfg(b, &c, CYCLE, 0, KECAT_LOSS_SAFEOP, 0, 1);
	cfg_at(&c, 3)->position++;
	cfg_at(&c, 2)->position++;
	cfg_at(&c, 1)->position++;
	cfg_add(&c, KECAT_CFG_SLAVE, &s, sizeof(s));
	CHECK_EQ(bench_set_config(b, &c), 0);
	cfg_end(&c);
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 4, 5000));
	CHECK_EQ(bench_status(b)->slaves_error, 0);
	CHECK(bench_data_valid(b));
	bench_free(b);
}

TEST(two_elements_for_one_slave_are_refused)
{
	struct bench *b = bench_new("coupler,node*2", NULL);
	struct kecat_cfg_slave *e;
	struct cfg c;

	CHECK(bench_wait_scanned(b, 3, 5000));
	sim_put16(b->v->seg->slave[1].esc.mem + 0x12, 100);
	CHECK_EQ(host_ioctl(b->f, KECAT_IOC_RESCAN, NULL), 0);
	CHECK(bench_wait_scanned(b, 3, 5000));
	bench_cfg(b, &c, CYCLE, 0, KECAT_LOSS_SAFEOP, 0, 1);
	e = cfg_at(&c, 2);
	e->flags |= KECAT_CFGS_ALIAS;
	e->alias = 100;
	e->position = 0;
	CHECK_EQ(bench_set_config(b, &c), 0);
	CHECK_EQ(bench_activate(b), -ENOTUNIQ);
	cfg_end(&c);
	bench_free(b);
}

/* ---- many ---- */

TEST(two_hundred_slaves)
{
	struct bench *b = bench_new("coupler,do8*60,di8*60,node*79", NULL);
	u64 t = host_now();

	CHECK(bench_wait_scanned(b, 200, 20000));
	printf("# 200 slaves in PREOP after %llu ms\n",
	       (unsigned long long)(host_now() - t) / 1000000);
	CHECK_EQ(bench_configure(b, 2 * CYCLE, 1, 0), 0);
	t = host_now();
	CHECK_EQ(bench_activate(b), 0);
	CHECK(bench_wait_state(b, KECAT_AL_OP, 200, 20000));
	printf("# in OP after %llu ms more\n",
	       (unsigned long long)(host_now() - t) / 1000000);
	CHECK(bench_data_valid(b));
	bench_free(b);
}
