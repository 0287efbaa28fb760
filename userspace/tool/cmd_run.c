// SPDX-License-Identifier: GPL-2.0-only
/*
 * kecat run: configure, activate, wait for OP, exchange process data, check
 * it, and account for what happened.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "run.h"
#include "out.h"

#define ULL(x)		((unsigned long long)(x))
#define NSEC_PER_SEC	1000000000ull
#define DEFAULT_CYCLE_NS 1000000u
#define OP_TIMEOUT_MS	30000u
#define LIVE_NS		250000000ull
#define MIN_WAIT_NS	(2 * NSEC_PER_SEC)

const struct opt run_opts[] = {
	{ "cycles", 'n', "N", "end after N cycles in OP (0: until interrupted)" },
	{ "cycle-us", 'c', "US", "cycle time" },
	{ "deadline-us", 0, "US", "answers later than this are late" },
	{ "spin-us", 0, "US", "the master spins so long before each tick" },
	{ "tick", 0, "WHO", "thread, interrupt or application: in whose time a cycle runs" },
	{ "receive", 0, "HOW", "poll, or asleep until the deadline" },
	{ "group-per-slave", 'g', NULL, "without FILE: a sync group for each slave" },
	{ "applied", 'a', NULL, "use the configuration that is applied already" },
	{ "check-loop", 'l', NULL, "check that inputs follow outputs" },
	{ "loop", 0, "OUT:IN,...", "slaves wired to one another, with --check-loop" },
	{ "loop-delay", 0, "N", "cycles that the way round may take (2)" },
	{ "timeout", 't', "MS", "time for all slaves to reach OP (30000)" },
	{ "poll", 0, NULL, "spin on the mapped counter, do not sleep" },
	{ "prio", 'p', "N", "SCHED_FIFO priority of this program" },
	{ "cpu", 0, "N", "CPU of this program" },
	{ NULL, 0, NULL, NULL }
};

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

/* ---- set-up ---- */

static int parse_loops(struct run *r, const char *text)
{
	char *copy = strdup(text), *save = NULL;
	int ret = copy ? 0 : -1;

	for (char *p = copy ? strtok_r(copy, ",", &save) : NULL; p && !ret;
	     p = strtok_r(NULL, ",", &save)) {
		char *colon = strchr(p, ':');
		uint64_t from, to;

		if (!colon || r->file.loops >= MAX_LOOPS)
			ret = -1;
		if (ret)
			break;
		*colon = '\0';
		if (!parse_uint(p, KECAT_MAX_SLAVES - 1, &from) ||
		    !parse_uint(colon + 1, KECAT_MAX_SLAVES - 1, &to))
			ret = -1;
		else
			r->file.loop[r->file.loops++] = (struct loop_pair){ from, to };
	}
	free(copy);
	return ret;
}

static int get_conf(struct run *r, int argc, char **argv)
{
	unsigned int flags = opt_has(r->c, "group-per-slave") ? KECAT_SCAN_GROUPS : 0;
	uint64_t cycle = DEFAULT_CYCLE_NS;
	int ret;

	if (argc > 1 || (argc && opt_has(r->c, "applied")))
		return usage_error(r->c, "too many arguments");
	if (argc) {
		ret = busfile_load(argv[0], &r->file);
		if (ret)
			return ret;
	}
	ret = open_master(r->c, KECAT_RDWR);
	if (ret)
		return ret;
	r->k = r->c->k;
	if (opt_has(r->c, "applied"))
		ret = kecat_get_config(r->k, &r->file.conf);
	else if (!argc)
		ret = kecat_conf_from_scan(r->k, cycle, flags, &r->file.conf);
	return ret ? fail(r->c, ret, argc ? "%s" : "scan", argc ? argv[0] : "") : 0;
}

/* what a word of an option means for the flags of the bus */
struct choice {
	const char *word;
	uint32_t flag;
};

static const struct choice ticks[] = {
	{ "thread", 0 },
	{ "interrupt", KECAT_BUS_TICK_IRQ },
	{ "application", KECAT_BUS_TICK_APP },
	{ NULL, KECAT_BUS_TICK_IRQ | KECAT_BUS_TICK_APP },
};

static const struct choice ways[] = {
	{ "poll", 0 },
	{ "asleep", KECAT_BUS_RX_SLEEP },
	{ NULL, KECAT_BUS_RX_SLEEP },
};

static int choose(struct run *r, const char *name, const struct choice *c,
		  uint32_t *flags)
{
	const char *word = opt_str(r->c, name);
	uint32_t chosen = 0;
	bool known = false;

	if (!word)
		return 0;
	for (; c->word; c++)
		if (!strcmp(c->word, word)) {
			chosen = c->flag;
			known = true;
		}
	if (!known)
		return usage_error(r->c, "option --%s: '%s' is not known", name, word);
	*flags = (*flags & ~c->flag) | chosen;
	return 0;
}

static int override(struct run *r)
{
	struct kecat_cfg_bus *bus = kecat_conf_bus(r->file.conf);
	uint64_t cycle = bus->cycle_ns, deadline = bus->deadline_ns;
	uint64_t spin = bus->spin_ns;

	if (opt_us(r->c, "cycle-us", &cycle) ||
	    opt_us(r->c, "deadline-us", &deadline) ||
	    opt_us(r->c, "spin-us", &spin))
		return EXIT_USAGE;
	if (spin > UINT32_MAX)
		return usage_error(r->c, "option --spin-us: too long");
	if (choose(r, "tick", ticks, &bus->flags) ||
	    choose(r, "receive", ways, &bus->flags))
		return EXIT_USAGE;
	r->ticks = bus->flags & KECAT_BUS_TICK_APP;
	bus->cycle_ns = cycle;
	bus->deadline_ns = deadline;
	bus->spin_ns = spin;
	r->cycle_ns = cycle;
	r->wait_ns = 100 * cycle > MIN_WAIT_NS ? 100 * cycle : MIN_WAIT_NS;
	return 0;
}

static void count_slaves(struct run *r)
{
	struct kecat_element e = { 0 };

	while (kecat_conf_next(r->file.conf, &e)) {
		if (!e.slv)
			continue;
		r->slaves++;
		r->required += !(e.slv->flags & KECAT_CFGS_OPTIONAL);
	}
}

static int options(struct run *r)
{
	struct ctx *c = r->c;

	r->timeout_ms = OP_TIMEOUT_MS;
	r->poll = opt_has(c, "poll");
	r->live = on_terminal(STDERR_FILENO);
	return opt_uint(c, "cycles", UINT64_MAX, &r->cycles_wanted) ||
	       opt_uint(c, "timeout", 3600000, &r->timeout_ms) ? EXIT_USAGE : 0;
}

/* Real-time settings of this program, as far as they are asked for */
static int realtime(struct run *r)
{
	uint64_t prio = 0, cpu = UINT64_MAX;
	struct sched_param sp;
	cpu_set_t set;

	if (opt_uint(r->c, "prio", 99, &prio) ||
	    opt_uint(r->c, "cpu", CPU_SETSIZE - 1, &cpu))
		return EXIT_USAGE;
	if (cpu != UINT64_MAX) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			return fail(r->c, -errno, "CPU %" PRIu64, cpu);
	}
	if (!prio)
		return 0;
	sp.sched_priority = prio;
	if (sched_setscheduler(0, SCHED_FIFO, &sp) || mlockall(MCL_CURRENT | MCL_FUTURE))
		return fail(r->c, -errno, "priority %" PRIu64, prio);
	return 0;
}

static void groups_in_use(struct run *r)
{
	const struct kecat_layout *lay;
	int n = kecat_get_layout(r->k, &lay);

	for (int i = 0; i < n; i++)
		if (lay[i].len && lay[i].group < KECAT_MAX_GROUPS)
			r->groups |= 1u << lay[i].group;
}

static int start(struct run *r)
{
	uint64_t delay = 2;
	int ret;

	ret = kecat_configure(r->k, r->file.conf);
	if (ret)
		return fail(r->c, ret, "configuration refused");
	ret = kecat_activate(r->k);
	if (ret)
		return fail(r->c, ret, "cannot activate");
	groups_in_use(r);
	if (!opt_has(r->c, "check-loop"))
		return 0;
	if (opt_has(r->c, "loop")) {
		r->file.loops = 0;
		if (parse_loops(r, opt_str(r->c, "loop")))
			return usage_error(r->c, "option --loop: pairs like 1:2,3:4 are expected");
	}
	if (opt_uint(r->c, "loop-delay", LOOP_DELAY_MAX, &delay))
		return EXIT_USAGE;
	if (!r->file.loops)
		return usage_error(r->c, "--check-loop needs --loop OUT:IN, or 'loop:' in the file");
	return loop_create(&r->loop, r->k, r->file.conf, r->file.loop,
			   r->file.loops, delay);
}

/* ---- one cycle ---- */

/* this program gives the tick: what was made in the last cycle goes, and comes back */
static int exchange_at_tick(struct run *r)
{
	uint64_t now = now_ns();
	int n;

	r->next_ns += r->cycle_ns;
	if (now > r->next_ns + r->cycle_ns)
		r->next_ns = now;
	n = kecat_exchange(r->k, r->next_ns);
	if (n < 0)
		return n;
	loop_published(&r->loop);
	loop_inputs(&r->loop);
	loop_outputs(&r->loop);
	return n;
}

static int cycle(struct run *r)
{
	int n;

	if (r->ticks)
		return exchange_at_tick(r);
	n = r->poll ? kecat_spin(r->k, r->wait_ns) : kecat_wait(r->k, r->wait_ns);
	if (n < 0)
		return n;
	loop_inputs(&r->loop);
	loop_outputs(&r->loop);
	kecat_publish(r->k);
	loop_published(&r->loop);
	return n;
}

/* ---- up to OP ---- */

static void explain_slaves(struct run *r)
{
	struct kecat_slave_info s;
	char text[256];

	for (uint32_t i = 0; !kecat_get_slave(r->k, i, &s); i++) {
		bool op = (s.al_state & 0x1f) == KECAT_AL_OP;

		if (!s.problem && (op || s.config_index == KECAT_ALL))
			continue;
		kecat_problem_describe(s.problem, s.detail, text, sizeof(text));
		error("  slave %u %s: %s%s%s", i, out_clean(s.name),
		      s.flags & KECAT_SLAVE_PRESENT ? kecat_al_name(s.al_state) : "absent",
		      s.problem ? ", " : "", s.problem ? out_clean(text) : "");
	}
}

static void progress(struct run *r, uint32_t op, bool done)
{
	if (r->live)
		fprintf(stderr, "\r%u of %u slaves in OP%s", op, r->slaves,
			done ? "\n" : " ");
}

static bool all_up(struct run *r, uint32_t op)
{
	struct kecat_status st;

	if (op >= r->slaves)
		return true;
	/* optional ones may be absent: then nobody works on them any more */
	return op >= r->required && !kecat_get_status(r->k, &st) && !st.scanning &&
	       op >= st.slaves_present;
}

static int wait_op(struct run *r)
{
	uint64_t end = now_ns() + r->timeout_ms * 1000000;
	uint64_t next = 0;
	uint32_t op = 0;

	while (!stop) {
		uint64_t now = now_ns();
		int n = cycle(r);

		if (n < 0 && n != -EINTR)
			return fail(r->c, n, "while the slaves came up");
		op = kecat_slaves_op(r->k);
		if (now >= next || op >= r->slaves) {
			next = now + LIVE_NS / 10;
			progress(r, op, false);
			if (all_up(r, op))
				break;
		}
		if (now < end)
			continue;
		progress(r, op, true);
		error("only %u of %u slaves reached OP in %" PRIu64 " ms:", op,
		      r->slaves, r->timeout_ms);
		explain_slaves(r);
		return EXIT_CHECK;
	}
	progress(r, op, true);
	return 0;
}

/* ---- in OP ---- */

static void live_table(struct run *r)
{
	const struct kecat_in_hdr *h = kecat_info(r->k);
	const uint8_t *in = kecat_inputs(r->k);
	size_t len = kecat_input_len(r->k);
	struct kecat_status st;

	if (kecat_get_status(r->k, &st))
		return;
	if (r->live_lines)
		fprintf(stderr, "\033[%dA", r->live_lines);
	fprintf(stderr, "\033[Kcycle  %-12llu slaves in OP %u of %u, groups valid 0x%04x\n",
		ULL(h->cycle), st.slaves_op, r->slaves, h->groups_valid);
	fprintf(stderr, "\033[Kframes lost %llu, late %llu, working counter errors %llu, overruns %llu\n",
		ULL(st.frames_lost - r->before.frames_lost),
		ULL(st.frames_late - r->before.frames_late),
		ULL(st.wkc_errors - r->before.wkc_errors),
		ULL(st.overruns - r->before.overruns));
	fprintf(stderr, "\033[Kthis program missed %llu cycles", ULL(r->skipped));
	if (r->loop.loops)
		fprintf(stderr, ", loop mismatches %" PRIu64, loop_mismatches(&r->loop));
	fputs("\n\033[Kinputs", stderr);
	for (size_t i = 0; i < len && i < 16; i++)
		fprintf(stderr, " %02x", in[i]);
	fputs(len > 16 ? " ...\n" : "\n", stderr);
	r->live_lines = 4;
}

static int exchange(struct run *r)
{
	uint64_t next = now_ns() + LIVE_NS;

	while (!stop && (!r->cycles_wanted || r->cycles < r->cycles_wanted)) {
		uint64_t seen = kecat_info(r->k)->cycle;
		const struct kecat_in_hdr *h;
		int n = cycle(r);

		if (n == -EINTR)
			continue;
		if (n < 0)
			return fail(r->c, n, "after cycle %" PRIu64, seen);
		h = kecat_info(r->k);
		r->cycles += n;
		r->skipped += n - 1;
		r->invalid += h->cycle != seen && (r->groups & ~h->groups_valid);
		if (r->live && now_ns() >= next) {
			next += LIVE_NS;
			live_table(r);
		}
	}
	return 0;
}

/* Where the account begins: all are in OP */
static int begin(struct run *r)
{
	struct kecat_latency lat;
	int ret = kecat_get_status(r->k, &r->before);

	for (uint32_t p = 0; p < KECAT_LAT_COUNT && !ret; p++)
		ret = kecat_get_latency(r->k, p, 0, &lat, r->hist0[p]);
	if (ret)
		return fail(r->c, ret, "status");
	r->accounted = !kecat_get_latencies(r->k, r->lat0);
	return 0;
}

/* The cycle has stopped: what is read now does not change any more */
static int finish(struct run *r, int ret)
{
	struct kecat_status st;
	int err;

	if (!kecat_get_status(r->k, &st))
		r->op = st.slaves_op;
	err = kecat_deactivate(r->k);
	if (ret)
		return ret;
	if (!err)
		err = kecat_get_status(r->k, &r->after);
	if (err)
		return fail(r->c, err, "at the end");
	r->accounted = r->accounted && !kecat_get_latencies(r->k, r->lat1);
	return run_summary(r);
}

static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = on_signal };

	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
}

static int run(struct run *r, int argc, char **argv)
{
	int ret = options(r);

	if (!ret)
		ret = get_conf(r, argc, argv);
	if (!ret)
		ret = override(r);
	if (!ret)
		ret = realtime(r);
	if (ret)
		return ret;
	count_slaves(r);
	catch_signals();
	ret = start(r);
	if (!ret)
		ret = wait_op(r);
	if (!ret)
		ret = begin(r);
	if (!ret)
		ret = exchange(r);
	return r->k && kecat_inputs(r->k) ? finish(r, ret) : ret;
}

int cmd_run(struct ctx *c, int argc, char **argv)
{
	struct run *r = calloc(1, sizeof(*r));
	int ret;

	if (!r) {
		error("out of memory");
		return EXIT_FAIL;
	}
	r->c = c;
	ret = run(r, argc, argv);
	loop_destroy(&r->loop);
	busfile_free(&r->file);
	free(r);
	return ret;
}
