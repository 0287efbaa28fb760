// SPDX-License-Identifier: GPL-2.0-only
/* What a run amounted to. */
#include <inttypes.h>
#include <stdlib.h>

#include "latency.h"
#include "out.h"
#include "run.h"

#define SINCE(r, field) ((r)->after.field - (r)->before.field)

/* Sum of the phases minus the whole: 0, or time that nobody accounts for */
static int64_t unaccounted(const struct run *r)
{
	int64_t sum = 0;

	for (int p = 0; p < KECAT_LAT_TOTAL; p++)
		sum += r->lat1[p].sum_ns - r->lat0[p].sum_ns;
	return sum - (int64_t)(r->lat1[KECAT_LAT_TOTAL].sum_ns -
			       r->lat0[KECAT_LAT_TOTAL].sum_ns);
}

static void show_phase(struct run *r, uint32_t phase)
{
	uint64_t *hist = malloc(KECAT_HIST_BUCKETS * sizeof(*hist));
	struct kecat_latency lat;

	if (!hist || kecat_get_latency(r->k, phase, 0, &lat, hist)) {
		free(hist);
		return;
	}
	for (uint32_t b = 0; b < KECAT_HIST_BUCKETS; b++)
		hist[b] -= r->hist0[phase][b];
	out_open(NULL, '{');
	out_str("phase", "  %-10s", kecat_phase_name(phase));
	out_ns("p50_ns", "%10s", latency_share(&lat, hist, 500000));
	out_ns("p99_ns", "%10s", latency_share(&lat, hist, 990000));
	out_ns("p999_ns", "%10s", latency_share(&lat, hist, 999000));
	out_ns("p99999_ns", "%10s", latency_share(&lat, hist, 999990));
	out_ns("p100_ns", "%10s\n", latency_share(&lat, hist, 1000000));
	out_close();
	free(hist);
}

static void show_latency(struct run *r)
{
	out_text("\nTime (us)         p50       p99     p99.9   p99.999       max\n");
	out_open("latency", '[');
	for (uint32_t p = 0; p < KECAT_LAT_COUNT; p++)
		show_phase(r, p);
	out_close();
	out_bool("accounted", NULL, r->accounted, "", "");
	out_int("unaccounted_ns", r->accounted ? "Not accounted for %" PRId64 " ns\n" : NULL,
		r->accounted ? unaccounted(r) : 0);
}

static void show_loops(const struct run *r)
{
	if (!r->loop.loops)
		return;
	out_open("loops", '[');
	for (int i = 0; i < r->loop.loops; i++) {
		const struct loop_state *l = &r->loop.loop[i];

		out_open(NULL, '{');
		out_uint("from", "Loop %" PRIu64, l->out.slave);
		out_uint("to", ":%-3" PRIu64, l->in.slave);
		out_uint("bits", " %" PRIu64 " bit", l->in.bits < l->out.bits ?
			 l->in.bits : l->out.bits);
		out_uint("checked", ", %" PRIu64 " cycles checked", l->checked);
		out_uint("mismatches", ", %" PRIu64 " mismatches", l->mismatches);
		out_uint("first_mismatch_cycle", l->mismatches ?
			 ", first in cycle %" PRIu64 : NULL, l->first_cycle);
		out_bool("closed", "%s\n", l->armed, "", l->checked ?
			 ": no longer closed at the end" : ": outputs never came back");
		out_open("delays", '[');
		for (int d = 0; d < LOOP_DELAY_MAX + 2; d++)
			out_uint("", NULL, l->delay[d]);
		out_close();
		out_close();
	}
	out_close();
}

int run_summary(struct run *r)
{
	bool ok = r->op >= r->required && !loop_mismatches(&r->loop) &&
		  loop_complete(&r->loop);

	out_begin(r->c->json);
	out_uint("slaves", "Slaves            %" PRIu64, r->slaves);
	out_uint("op", ", %" PRIu64 " in OP at the end\n", r->op);
	out_uint("cycles", "Cycles            %" PRIu64, r->cycles);
	out_ns("cycle_ns", " of %s us", r->cycle_ns);
	out_uint("app_skipped", ", %" PRIu64 " missed by this program", r->skipped);
	out_uint("invalid", ", %" PRIu64 " with data that is not valid\n", r->invalid);
	out_uint("lost", "Frames            %" PRIu64 " lost", SINCE(r, frames_lost));
	out_uint("late", ", %" PRIu64 " late", SINCE(r, frames_late));
	out_uint("foreign", ", %" PRIu64 " foreign", SINCE(r, frames_foreign));
	out_uint("tx_full", ", %" PRIu64 " not sent\n", SINCE(r, tx_full));
	out_uint("wkc_errors", "Errors            %" PRIu64 " working counters", SINCE(r, wkc_errors));
	out_uint("overruns", ", %" PRIu64 " overruns", SINCE(r, overruns));
	out_uint("app_missed", ", %" PRIu64 " cycles without fresh outputs", (uint32_t)SINCE(r, app_missed));
	out_uint("irqs", ", %" PRIu64 " interrupts of the port\n",
		 SINCE(r, nic_interrupts));
	out_bool("checked", NULL, r->loop.loops, "", "");
	out_uint("app_mismatch", NULL, loop_mismatches(&r->loop));
	show_loops(r);
	show_latency(r);
	out_bool("ok", "\n%s\n", ok, "OK", "NOT OK");
	if (out_end())
		return EXIT_FAIL;
	return ok ? EXIT_OK : EXIT_CHECK;
}
