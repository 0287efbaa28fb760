// SPDX-License-Identifier: GPL-2.0-only
/* kecat latency */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "latency.h"
#include "out.h"

const struct opt latency_opts[] = {
	{ "histogram", 'H', NULL, "also draw each row's histogram" },
	{ "jobs", 'J', NULL, "only what a cycle is made of, as a table of jobs" },
	{ "svg", 'S', "FILE", "also draw all histograms into FILE" },
	{ "reset", 'r', NULL, "count anew after showing" },
	{ NULL, 0, NULL, NULL }
};

static const char *const explain[KECAT_LAT_COUNT] = {
	[KECAT_LAT_WAKE] = "tick to thread running",
	[KECAT_LAT_SEND] = "to doorbell rung",
	[KECAT_LAT_WAIT] = "to all frames back",
	[KECAT_LAT_PUBLISH] = "to inputs published",
	[KECAT_LAT_ACYCLIC] = "to acyclic work done",
	[KECAT_LAT_TOTAL] = "the whole cycle",
	[KECAT_LAT_PERIOD] = "from doorbell to doorbell",
	[KECAT_LAT_JITTER] = "how far that is from the cycle time",
	[KECAT_LAT_ROUNDTRIP] = "doorbell to last frame back",
	[KECAT_LAT_TO_APP] = "last frame back to inputs in the application",
	[KECAT_LAT_APP] = "inputs to outputs of the application",
	[KECAT_LAT_ACCOUNT] = "this account itself",
};

/* As users of other masters know it */
static const struct {
	const char *name;
	uint32_t row;
} jobs[] = {
	{ "cycle time", KECAT_LAT_PERIOD },
	{ "total", KECAT_LAT_TOTAL },
	{ "receive", KECAT_LAT_WAIT },
	{ "send", KECAT_LAT_SEND },
	{ "acyclic", KECAT_LAT_ACYCLIC },
	{ "application", KECAT_LAT_APP },
};

const char *latency_explain(uint32_t row)
{
	return explain[row];
}

static uint64_t mean(const struct kecat_latency *l)
{
	return l->count ? l->sum_ns / l->count : 0;
}

static void list_buckets(const uint64_t *hist)
{
	out_open("histogram", '[');
	for (uint32_t b = 0; b < KECAT_HIST_BUCKETS; b++) {
		if (!hist[b])
			continue;
		out_open(NULL, '{');
		out_ns("from_ns", NULL, kecat_hist_low(b));
		out_uint("count", NULL, hist[b]);
		out_close();
	}
	out_close();
}

static void show_row(const struct kecat_latency *l, const uint64_t *hist, bool all)
{
	out_open(NULL, '{');
	out_str("phase", "%-9s", kecat_phase_name(l->phase));
	out_uint("count", NULL, l->count);
	out_ns("sum_ns", " %16s", l->sum_ns);
	out_ns("min_ns", " %9s", l->min_ns);
	out_ns("mean_ns", " %9s", mean(l));
	out_ns("p50_ns", " %9s", latency_share(l, hist, 500000));
	out_ns("p99_ns", " %9s", latency_share(l, hist, 990000));
	out_ns("p999_ns", " %9s", latency_share(l, hist, 999000));
	out_ns("p9999_ns", " %9s", latency_share(l, hist, 999900));
	out_ns("p99999_ns", " %9s", latency_share(l, hist, 999990));
	out_ns("max_ns", " %9s", l->max_ns);
	out_uint("max_cycle", " %10" PRIu64, l->max_cycle);
	out_str(NULL, "  %s\n", explain[l->phase]);
	if (all && out_is_json())
		list_buckets(hist);
	else if (all)
		latency_draw(l, hist);
	out_close();
}

static void show_sum(const struct latency *l)
{
	uint64_t sum = 0;

	for (int p = 0; p < KECAT_LAT_TOTAL; p++)
		sum += l->row[p].sum_ns;
	out_ns(NULL, "rows      %16s", sum);
	out_int("unaccounted_ns", " us in all, %" PRId64 " ns more than the whole\n",
		(int64_t)(sum - l->row[KECAT_LAT_TOTAL].sum_ns));
}

static void show_all(const struct latency *l, bool histogram)
{
	static const char head[] =
		"                       sum       min      mean       p50       p99     p99.9    p99.99   p99.999       max   in cycle\n";

	out_uint("cycles", "%" PRIu64 " cycles; times in us\n", l->row[0].count);
	out_text(head);
	out_open("phases", '[');
	for (uint32_t p = 0; p <= KECAT_LAT_TOTAL; p++)
		show_row(&l->row[p], l->hist[p], histogram);
	out_close();
	show_sum(l);
	out_text("\nbeside that\n");
	out_open("beside", '[');
	for (uint32_t p = KECAT_LAT_TOTAL + 1; p < KECAT_LAT_COUNT; p++)
		show_row(&l->row[p], l->hist[p], histogram);
	out_close();
}

static void show_jobs(const struct latency *l)
{
	out_uint("cycles", "%" PRIu64 " cycles; times in us\n", l->row[0].count);
	out_text("job                min      mean       max\n");
	out_open("jobs", '[');
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		const struct kecat_latency *r = &l->row[jobs[i].row];

		out_open(NULL, '{');
		out_str("job", "%-12s", jobs[i].name);
		out_ns("min_ns", " %9s", r->min_ns);
		out_ns("mean_ns", " %9s", mean(r));
		out_ns("max_ns", " %9s\n", r->max_ns);
		out_close();
	}
	out_close();
}

static int read_all(struct kecat *k, struct latency *l)
{
	struct kecat_latency one;
	int ret = kecat_get_latencies(k, l->row);

	for (uint32_t p = 0; p < KECAT_LAT_COUNT && !ret; p++)
		ret = kecat_get_latency(k, p, 0, &one, l->hist[p]);
	return ret;
}

static int show(struct ctx *c, struct latency *l)
{
	const char *svg = opt_str(c, "svg");
	int ret = read_all(c->k, l);

	if (ret)
		return fail(c, ret, "latency");
	out_begin(c->json);
	if (opt_has(c, "jobs"))
		show_jobs(l);
	else
		show_all(l, opt_has(c, "histogram"));
	if (out_end())
		return EXIT_FAIL;
	ret = svg ? latency_svg(l, svg) : 0;
	if (!ret)
		return EXIT_OK;
	fprintf(stderr, "kecat: %s: %s\n", svg, strerror(-ret));
	return EXIT_FAIL;
}

int cmd_latency(struct ctx *c, int argc, char **argv)
{
	bool reset = opt_has(c, "reset");
	struct latency *l;
	int ret;

	(void)argv;
	if (argc)
		return usage_error(c, "too many arguments");
	ret = open_master(c, reset ? KECAT_RDWR : KECAT_RDONLY);
	if (ret)
		return ret;
	l = calloc(1, sizeof(*l));
	if (!l)
		return fail(c, -ENOMEM, "latency");
	ret = show(c, l);
	free(l);
	if (!ret && reset) {
		int err = kecat_reset_latencies(c->k);

		if (err)
			ret = fail(c, err, "reset");
	}
	return ret;
}
