// SPDX-License-Identifier: GPL-2.0-only
/* kecat latency */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "cmd.h"
#include "out.h"

const struct opt latency_opts[] = {
	{ "histogram", 'H', NULL, "also every bucket that is not empty" },
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
};

static void show_histogram(const uint64_t *hist)
{
	out_open("histogram", '[');
	for (uint32_t b = 0; b < KECAT_HIST_BUCKETS; b++) {
		if (!hist[b])
			continue;
		out_open(NULL, '{');
		out_ns("from_ns", "             %12s us", kecat_hist_low(b));
		out_uint("count", "  %" PRIu64 "\n", hist[b]);
		out_close();
	}
	out_close();
}

/* A bucket ends above what was really seen */
static uint64_t share(const struct kecat_latency *l, const uint64_t *hist,
		      uint32_t ppm)
{
	uint64_t ns = kecat_percentile(hist, ppm);

	return ns > l->max_ns ? l->max_ns : ns;
}

static void show_phase(const struct kecat_latency *l, const uint64_t *hist,
		       bool all)
{
	uint64_t mean = l->count ? l->sum_ns / l->count : 0;

	out_open(NULL, '{');
	out_str("phase", "%-8s", kecat_phase_name(l->phase));
	out_uint("count", NULL, l->count);
	out_ns("sum_ns", " %17s", l->sum_ns);
	out_ns("min_ns", " %9s", l->count ? l->min_ns : 0);
	out_ns("mean_ns", " %9s", mean);
	out_ns("p50_ns", " %9s", share(l, hist, 500000));
	out_ns("p99_ns", " %9s", share(l, hist, 990000));
	out_ns("p999_ns", " %9s", share(l, hist, 999000));
	out_ns("p9999_ns", NULL, share(l, hist, 999900));
	out_ns("p99999_ns", " %9s", share(l, hist, 999990));
	out_ns("max_ns", " %9s", l->max_ns);
	out_uint("max_cycle", " %10" PRIu64, l->max_cycle);
	out_str(NULL, "  %s\n", explain[l->phase]);
	if (all)
		show_histogram(hist);
	out_close();
}

static void show_sum(const struct kecat_latency *lat)
{
	uint64_t sum = 0;

	for (int p = 0; p < KECAT_LAT_TOTAL; p++)
		sum += lat[p].sum_ns;
	out_ns(NULL, "rows     %17s", sum);
	out_int("unaccounted_ns", " us in all, %" PRId64 " ns more than the whole\n",
		(int64_t)(sum - lat[KECAT_LAT_TOTAL].sum_ns));
}

static int show(struct ctx *c, uint64_t *hist)
{
	struct kecat_latency lat[KECAT_LAT_COUNT], one;
	bool all = opt_has(c, "histogram");
	int ret = kecat_get_latencies(c->k, lat);

	if (ret)
		return fail(c, ret, "latency");
	out_begin(c->json);
	out_uint("cycles", "%" PRIu64 " cycles; times in us\n", lat[0].count);
	out_text("phase                  sum       min      mean       p50       p99     p99.9   p99.999       max   in cycle\n");
	out_open("phases", '[');
	for (uint32_t p = 0; p < KECAT_LAT_COUNT; p++) {
		ret = kecat_get_latency(c->k, p, 0, &one, hist);
		if (ret)
			return fail(c, ret, "histogram");
		show_phase(&lat[p], hist, all);
	}
	out_close();
	show_sum(lat);
	return out_end() ? EXIT_FAIL : EXIT_OK;
}

int cmd_latency(struct ctx *c, int argc, char **argv)
{
	bool reset = opt_has(c, "reset");
	uint64_t *hist;
	int ret;

	(void)argv;
	if (argc)
		return usage_error(c, "too many arguments");
	ret = open_master(c, reset ? KECAT_RDWR : KECAT_RDONLY);
	if (ret)
		return ret;
	hist = malloc(KECAT_HIST_BUCKETS * sizeof(*hist));
	if (!hist)
		return fail(c, -ENOMEM, "latency");
	ret = show(c, hist);
	free(hist);
	if (!ret && reset) {
		int err = kecat_reset_latencies(c->k);

		if (err)
			ret = fail(c, err, "reset");
	}
	return ret;
}
