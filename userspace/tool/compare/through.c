// SPDX-License-Identifier: GPL-2.0-only
/*
 * Through kecat: a quiet master, whose configuration has fill in place of slaves.
 * The flight recorder has the stamps of each cycle, so what is compared is not a
 * histogram's; and this program waits for each cycle as an application does.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "compare.h"

#define LINK_TRIES	750
#define LINK_MS		20
#define SETTLE_CYCLES	20		/* in a row, with all frames back */
#define SETTLE_NS	5000000000ull
#define WAIT_NS		2000000000ull
#define RECORD_MORE	1000		/* behind those that are measured, until it freezes */
#define FREEZE_MS	5000

static int wait_link(struct compare *p)
{
	struct kecat_status st;
	int ret = 0;

	for (int i = 0; !ret && i < LINK_TRIES && !compare_stop; i++) {
		ret = kecat_get_status(p->c->k, &st);
		if (!ret && st.link)
			return 0;
		poll(NULL, 0, LINK_MS);
	}
	return compare_stop ? -EINTR : ret ? ret : -ENOLINK;
}

static int configure(struct compare *p)
{
	struct kecat_record_arm arm = { .cycles = (uint32_t)p->cycles + RECORD_MORE };
	struct kecat_conf *conf = kecat_conf_new(p->cycle_ns);
	int ret = conf ? kecat_conf_add_fill(conf, p->frames, p->bytes) : -ENOMEM;

	if (!ret) {
		/* the socket waits longer than this: as much as there is */
		kecat_conf_bus(conf)->deadline_ns = p->cycle_ns - p->cycle_ns / 20;
		ret = kecat_configure(p->c->k, conf);
	}
	kecat_conf_free(conf);
	return ret ? ret : kecat_record_arm(p->c->k, &arm);
}

/* until all frames come back: the first slave's port opens behind the link */
static int settle(struct compare *p)
{
	uint64_t until = now_ns() + SETTLE_NS;
	struct kecat_status st, before;
	int ret = kecat_get_status(p->c->k, &before);

	for (int good = 0; !ret && good < SETTLE_CYCLES; before = st) {
		int n = compare_stop ? -EINTR : kecat_wait(p->c->k, WAIT_NS);

		ret = n < 0 ? n : kecat_get_status(p->c->k, &st);
		good = !ret && st.frames_received > before.frames_received ? good + 1 : 0;
		if (!ret && now_ns() > until)
			ret = -ETIMEDOUT;
	}
	return ret;
}

/* ---- counting ---- */

/*
 * The cyclic thread sleeps between two cycles only, so a switch between sending
 * and receiving is one of those that it did not want.
 */
static uint64_t preemptions(int32_t pid)
{
	char path[64], line[128];
	unsigned long long n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "nonvoluntary_ctxt_switches: %llu", &n) == 1)
			break;
	if (f)
		fclose(f);
	return n;
}

static uint64_t own_switches(void)
{
	struct rusage u;

	getrusage(RUSAGE_THREAD, &u);
	return (uint64_t)u.ru_nvcsw + (uint64_t)u.ru_nivcsw;
}

/* @taken[i]: when this program had the inputs of cycle *@first + i, 0 = never */
static int cycles(struct compare *p, uint64_t *first, uint64_t *taken)
{
	uint64_t i = 0;

	*first = kecat_info(p->c->k)->cycle + 1;
	while (i + 1 < p->cycles) {
		int n = compare_stop ? -EINTR : kecat_wait(p->c->k, WAIT_NS);
		uint64_t now = now_ns();

		if (n < 0)
			return n;
		i = kecat_info(p->c->k)->cycle - *first;
		if (i < p->cycles)
			taken[i] = now;
	}
	return 0;
}

static int count_cycles(struct compare *p, uint64_t *first, uint64_t *taken)
{
	struct result *k = &p->way[WAY_KECAT], *own = &p->way[WAY_PROGRAM];
	struct kecat_record_state st;
	struct counts before;
	int ret = kecat_record_get_state(p->c->k, &st);

	if (ret)
		return ret;
	counts_read(p, &before);
	k->switches = preemptions(st.pid);
	own->switches = own_switches();
	ret = cycles(p, first, taken);
	own->switches = own_switches() - own->switches;
	k->switches = preemptions(st.pid) - k->switches;
	counts_since(p, &before, k);
	own->irqs = k->irqs;
	own->softirqs = k->softirqs;
	return ret;
}

/* ---- what the recorder has of it ---- */

static void add_piece(struct path *p, const char *name, uint64_t ns)
{
	p->piece[p->pieces].name = name;
	p->piece[p->pieces++].ns = ns;
}

static void path_of(const struct kecat_record_cycle *c, uint64_t taken, struct path *p)
{
	memset(p, 0, sizeof(*p));
	p->from = c->at[1];
	p->to = taken ? taken : c->at[3];
	add_piece(p, "frames built, doorbell rung", c->at[2] - c->at[1]);
	add_piece(p, "wire; polled for all the time", c->at[3] - c->at[2]);
	if (!taken)
		return;
	/* the program may run on another CPU before the thread is through */
	if (taken < c->at[4]) {
		add_piece(p, "inputs published, program woken and there", taken - c->at[3]);
		return;
	}
	add_piece(p, "inputs published, program woken", c->at[4] - c->at[3]);
	add_piece(p, "scheduling of the program, inputs taken", taken - c->at[4]);
}

/* rounds of one way, with the cycle that each is of */
struct rounds {
	struct result *r;
	const struct kecat_record_cycle **cycle;
	uint64_t *taken;	/* NULL: until received */
};

static int begin_rounds(struct rounds *l, struct compare *p, int way)
{
	l->r = &p->way[way];
	l->r->rounds = (uint32_t)p->cycles;
	l->r->ns = calloc(p->cycles, sizeof(*l->r->ns));
	l->cycle = calloc(p->cycles, sizeof(*l->cycle));
	l->taken = calloc(p->cycles, sizeof(*l->taken));
	return l->r->ns && l->cycle && l->taken ? 0 : -ENOMEM;
}

static void add_round(struct rounds *l, const struct kecat_record_cycle *c, uint64_t taken)
{
	uint32_t i = l->r->n++;

	l->r->ns[i] = (taken ? taken : c->at[3]) - c->at[1];
	l->cycle[i] = c;
	l->taken[i] = taken;
}

static void end_rounds(struct rounds *l)
{
	struct result *r = l->r;
	uint32_t i;

	if (r->n) {
		i = pick_median(r->ns, r->n);
		path_of(l->cycle[i], l->taken[i], &r->median);
		i = pick_worst(r->ns, r->n);
		path_of(l->cycle[i], l->taken[i], &r->worst);
		r->paths = r->n;
	} else {
		snprintf(r->why_not, sizeof(r->why_not), "no round came back in time");
	}
	result_sort(r);
	free(l->cycle);
	free(l->taken);
}

static bool all_back(const struct compare *p, const struct kecat_record_cycle *c)
{
	return c->sent >= p->frames && c->received >= c->sent && !c->lost && !c->late;
}

static int sort_out(struct compare *p, const struct kecat_recording *rec, uint64_t first,
		    const uint64_t *taken)
{
	struct rounds until_back = { 0 }, until_taken = { 0 };
	int ret = begin_rounds(&until_back, p, WAY_KECAT);

	if (!ret)
		ret = begin_rounds(&until_taken, p, WAY_PROGRAM);
	for (uint32_t i = 0; !ret && i < rec->st.have_cycles; i++) {
		const struct kecat_record_cycle *c = &rec->cycle[i];
		uint64_t k = c->cycle - first;

		if (c->cycle < first || k >= p->cycles || !all_back(p, c))
			continue;
		add_round(&until_back, c, 0);
		if (taken[k] > c->at[3])
			add_round(&until_taken, c, taken[k]);
	}
	end_rounds(&until_back);
	if (until_taken.r)
		end_rounds(&until_taken);
	return ret;
}

/* ---- all of it ---- */

static int exchange(struct compare *p, uint64_t *taken)
{
	struct kecat_recording rec = { 0 };
	struct kecat_record_state state;
	struct kecat_status st;
	uint64_t first;
	int ret = kecat_get_status(p->c->k, &st);

	snprintf(p->driver, sizeof(p->driver), "%.31s", ret ? "" : st.driver);
	snprintf(p->mode, sizeof(p->mode), "%.95s", ret ? "" : st.mode);
	/* less than the cyclic thread, which would be stopped by what it woke */
	if (!ret)
		ret = realtime_begin(p, st.rt_prio > 1 ? st.rt_prio - 1 : 1);
	if (!ret)
		ret = settle(p);
	if (!ret)
		ret = count_cycles(p, &first, taken);
	realtime_end();
	if (!ret)
		ret = kecat_record_freeze(p->c->k);
	if (!ret)
		ret = kecat_record_wait(p->c->k, FREEZE_MS, &state);
	if (!ret)
		ret = kecat_record_read(p->c->k, &rec);
	if (!ret)
		ret = sort_out(p, &rec, first, taken);
	kecat_record_free(&rec);
	return ret;
}

int through_measure(struct compare *p, const struct candidate *a)
{
	uint64_t *taken = calloc(p->cycles, sizeof(*taken));
	int ret = taken ? attach_take(p->c, a, true) : fail(p->c, -ENOMEM, "through kecat");

	if (ret)
		goto out;
	ret = wait_link(p);
	if (!ret)
		ret = configure(p);
	if (!ret)
		ret = kecat_activate(p->c->k);
	if (!ret) {
		ret = exchange(p, taken);
		kecat_deactivate(p->c->k);
	}
	if (ret)
		ret = compare_stop ? EXIT_FAIL : fail(p->c, ret, "through kecat");
out:
	free(taken);
	kecat_close(p->c->k);
	p->c->k = NULL;
	return ret;
}
