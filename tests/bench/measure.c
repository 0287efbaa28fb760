// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bring a segment up and cycle, in the lab's guest.
 *
 * usage: [TICK=interrupt|application] measure SLAVES CYCLES CYCLE_NS [SPIN_NS [RECORD]]
 *
 * Waits for a master, and from its events takes the time from link up to the
 * last slave's PREOP, and from the activation to the last one's OP.  Then it
 * cycles, an application that takes the inputs and publishes outputs, and
 * prints each phase and what was counted meanwhile.  With RECORD the flight
 * recorder has every one of these cycles, and the phases of each, and of all as
 * the histograms have them, must add up to the time from tick to end.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "kecat.h"

#define EVENTS		64
#define SETTLE		200		/* cycles */
#define PATIENCE_NS	2000000000ull
#define NAP_NS		1000000
#define NAPS		60000
#define RECORD_MORE	1000		/* cycles around those that are measured */

/* tests/bench/wire.c counts from here to the next one */
static void mark(void)
{
	__asm__ volatile("xchg %%rbx, %%rbx" ::: "memory");
}

static struct kecat *k;
static uint32_t tick;		/* KECAT_BUS_TICK_IRQ, _APP, or 0: the master's thread */
static uint64_t next_tick, period;
static uint64_t link_up, preop, op;

static void die(const char *what, int err)
{
	fprintf(stderr, "measure: %s: %s\n", what, kecat_strerror(err));
	exit(1);
}

static void nap(void)
{
	struct timespec t = { 0, NAP_NS };

	nanosleep(&t, NULL);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void take_events(void)
{
	struct kecat_event ev[EVENTS];
	int n, i;

	while ((n = kecat_read_events(k, ev, EVENTS)) > 0)
		for (i = 0; i < n; i++) {
			if (ev[i].type == KECAT_EV_LINK && ev[i].arg0 && !link_up)
				link_up = ev[i].time_ns;
			if (ev[i].type == KECAT_EV_SLAVE_STATE && ev[i].arg0 == KECAT_AL_PREOP)
				preop = ev[i].time_ns;
			if (ev[i].type == KECAT_EV_SLAVE_STATE && ev[i].arg0 == KECAT_AL_OP)
				op = ev[i].time_ns;
		}
}

static uint32_t in_preop(void)
{
	struct kecat_slave_info s;
	uint32_t i, n = 0;

	for (i = 0; !kecat_get_slave(k, i, &s); i++)
		n += s.al_state == KECAT_AL_PREOP && !(s.flags & KECAT_SLAVE_BUSY);
	return n;
}

static uint32_t bring_to_preop(uint32_t wanted)
{
	int i, ret;

	for (i = 0; (ret = kecat_open(0, KECAT_RDWR | KECAT_NONBLOCK, &k)) && i < NAPS; i++)
		nap();
	if (ret)
		die("no master", ret);
	kecat_rewind_events(k);
	for (i = 0; in_preop() != wanted; i++) {
		if (i == NAPS)
			die("not all in PREOP", -ETIMEDOUT);
		take_events();
		nap();
	}
	take_events();
	return wanted;
}

static void exchange(void)
{
	int n;

	next_tick += period;
	if (next_tick < now())
		next_tick = now();
	n = kecat_exchange(k, next_tick);
	if (n < 0)
		die("exchange", n);
	kecat_outputs(k)[0]++;
}

static void one_cycle(void)
{
	int n;

	if (tick == KECAT_BUS_TICK_APP) {
		exchange();
		return;
	}
	n = kecat_wait(k, PATIENCE_NS);
	if (n < 0)
		die("cycle", n);
	kecat_outputs(k)[0]++;
	kecat_publish(k);
}

static uint64_t bring_to_op(uint32_t slaves, uint64_t cycle_ns, uint32_t spin_ns)
{
	struct kecat_conf *conf;
	uint64_t start, until;
	int ret = kecat_conf_from_scan(k, cycle_ns, 0, &conf);

	if (ret)
		die("scan", ret);
	kecat_conf_bus(conf)->spin_ns = spin_ns;
	kecat_conf_bus(conf)->flags |= tick;
	period = cycle_ns;
	ret = kecat_configure(k, conf);
	if (ret)
		die("configuration", ret);
	kecat_conf_free(conf);
	start = now();
	until = start + 60000000000ull;
	ret = kecat_activate(k);
	if (ret)
		die("activation", ret);
	while (kecat_slaves_op(k) != slaves) {
		one_cycle();
		take_events();
		if (now() > until)
			die("not all in OP", -ETIMEDOUT);
	}
	take_events();
	return op - start;
}

static char status_file[64];

static void find_thread(void)
{
	FILE *f = popen("pidof kecat0", "r");
	int pid;

	if (!f || fscanf(f, "%d", &pid) != 1)
		die("no thread kecat0", -ESRCH);
	pclose(f);
	snprintf(status_file, sizeof(status_file), "/proc/%d/status", pid);
}

/*
 * How often the cyclic thread was preempted.  It sleeps between its cycles only, so
 * a switch between sending and receiving is one of these.
 */
static long preemptions(void)
{
	FILE *f = fopen(status_file, "r");
	char line[128];
	long n = -1;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "nonvoluntary_ctxt_switches:", 27))
			n = atol(line + 27);
	if (f)
		fclose(f);
	if (n < 0)
		die("context switches of the thread", -ENOENT);
	return n;
}

static void print_phases(void)
{
	struct kecat_latency lat[KECAT_LAT_COUNT];
	int p, ret = kecat_get_latencies(k, lat);

	if (ret)
		die("latencies", ret);
	for (p = 0; p < KECAT_LAT_COUNT; p++)
		if (lat[p].count)
			printf("phase %s count=%" PRIu64 " min=%" PRIu64 " mean=%" PRIu64 " max=%" PRIu64 "\n",
		       kecat_phase_name((uint32_t)p), (uint64_t)lat[p].count, (uint64_t)lat[p].min_ns,
		       (uint64_t)(lat[p].sum_ns / lat[p].count), (uint64_t)lat[p].max_ns);
}

/* ---- every cycle, against what the histograms say of all ---- */

static void record(uint32_t cycles)
{
	struct kecat_record_arm arm = { .cycles = cycles };
	int ret = kecat_record_arm(k, &arm);

	if (ret)
		die("recorder", ret);
}

/* time of a cycle that is in no phase; a phase that ends before it begins is in none */
static uint64_t missing(const struct kecat_record_cycle *c, uint64_t *sum)
{
	uint64_t total = c->at[KECAT_LAT_TOTAL] - c->at[0];
	int64_t rest = (int64_t)total;
	int p;

	sum[KECAT_LAT_TOTAL] += total;
	for (p = 0; p < KECAT_LAT_TOTAL; p++) {
		if (c->at[p + 1] < c->at[p])
			continue;
		sum[p] += c->at[p + 1] - c->at[p];
		rest -= (int64_t)(c->at[p + 1] - c->at[p]);
	}
	return (uint64_t)(rest < 0 ? -rest : rest);
}

static void print_account(void)
{
	uint64_t sum[KECAT_LAT_TOTAL + 1] = { 0 }, unaccounted = 0, differs = 0;
	struct kecat_latency lat[KECAT_LAT_COUNT];
	struct kecat_recording r;
	uint32_t i, n, holes = 0;
	int p, ret;

	ret = kecat_record_freeze(k);
	if (!ret)
		ret = kecat_record_read(k, &r);
	if (ret)
		die("record", ret);
	ret = kecat_get_latencies(k, lat);
	if (ret)
		die("latencies", ret);
	n = (uint32_t)lat[KECAT_LAT_TOTAL].count;
	if (n > r.st.have_cycles)
		die("recorder is too small", -ENOSPC);
	for (i = r.st.have_cycles - n; i < r.st.have_cycles; i++) {
		unaccounted += missing(&r.cycle[i], sum);
		holes += i && r.cycle[i].cycle != r.cycle[i - 1].cycle + 1;
	}
	for (p = 0; p <= KECAT_LAT_TOTAL; p++)
		differs += lat[p].sum_ns > sum[p] ? lat[p].sum_ns - sum[p] : sum[p] - lat[p].sum_ns;
	printf("account cycles=%u holes=%u unaccounted=%" PRIu64 " differs=%" PRIu64 "\n",
	       n, holes, unaccounted, differs);
	kecat_record_free(&r);
}

static uint32_t asked_tick(void)
{
	const char *who = getenv("TICK");

	if (!who)
		return 0;
	return strcmp(who, "interrupt") ? KECAT_BUS_TICK_APP : KECAT_BUS_TICK_IRQ;
}

int main(int argc, char **argv)
{
	struct sched_param fifo = { .sched_priority = 50 };
	struct kecat_status before, after;
	uint32_t slaves, spin;
	uint64_t to_op, cycle_ns;
	long preempted;
	int i, cycles;

	if (argc < 4) {
		fputs("usage: [TICK=interrupt|application] measure SLAVES CYCLES CYCLE_NS [SPIN_NS [RECORD]]\n", stderr);
		return 2;
	}
	tick = asked_tick();
	cycles = atoi(argv[2]);
	cycle_ns = strtoull(argv[3], NULL, 10);
	spin = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : 0;
	slaves = bring_to_preop((uint32_t)atoi(argv[1]));
	mlockall(MCL_CURRENT | MCL_FUTURE);
	sched_setscheduler(0, SCHED_FIFO, &fifo);
	to_op = bring_to_op(slaves, cycle_ns, spin);
	for (i = 0; i < SETTLE; i++)
		one_cycle();
	find_thread();
	if (argc > 5)
		record((uint32_t)cycles + RECORD_MORE);
	kecat_reset_latencies(k);
	one_cycle();
	kecat_get_status(k, &before);
	preempted = preemptions();
	mark();
	for (i = 0; i < cycles; i++)
		one_cycle();
	mark();
	preempted = preemptions() - preempted;
	kecat_get_status(k, &after);
	printf("bringup slaves=%u preop=%" PRIu64 " op=%" PRIu64 "\n", slaves, preop - link_up, to_op);
	print_phases();
	printf("counts cycles=%" PRIu64 " overruns=%" PRIu64 " lost=%" PRIu64 " late=%" PRIu64
	       " wkc=%" PRIu64 " missed=%" PRIu64 " preempted=%ld frames=%" PRIu64 "\n",
	       (uint64_t)(after.cycle - before.cycle), (uint64_t)(after.overruns - before.overruns),
	       (uint64_t)(after.frames_lost - before.frames_lost),
	       (uint64_t)(after.frames_late - before.frames_late),
	       (uint64_t)(after.wkc_errors - before.wkc_errors),
	       (uint64_t)(after.app_missed - before.app_missed), preempted,
	       (uint64_t)(after.frames_sent - before.frames_sent));
	kecat_deactivate(k);
	/* the histograms and the recorder have the same last cycle now */
	if (argc > 5)
		print_account();
	kecat_close(k);
	return 0;
}
