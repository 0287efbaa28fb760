// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../out.h"
#include "compare.h"

static void show_count(const char *key, uint64_t count, uint32_t rounds)
{
	out_uint(key, NULL, count);
	out_text(" %9.3f", rounds ? (double)count / rounds : 0.0);
}

/* ---- where the time went ---- */

static uint64_t piece_of(const struct path *p, const char *name, bool *found)
{
	for (uint32_t i = 0; i < p->pieces; i++)
		if (!strcmp(p->piece[i].name, name)) {
			*found = true;
			return p->piece[i].ns;
		}
	return 0;
}

static uint64_t sum_of(const struct path *p)
{
	uint64_t sum = p->open_ns;

	for (uint32_t i = 0; i < p->pieces; i++)
		sum += p->piece[i].ns;
	return sum;
}

static void json_path(const char *key, const struct path *p)
{
	out_open(key, '{');
	out_ns("end_to_end_ns", NULL, p->to - p->from);
	out_ns("sum_ns", NULL, sum_of(p));
	out_ns("unexplained_ns", NULL, p->open_ns);
	out_open("pieces", '[');
	for (uint32_t i = 0; i < p->pieces; i++) {
		out_open(NULL, '{');
		out_str("name", NULL, p->piece[i].name);
		out_ns("ns", NULL, p->piece[i].ns);
		out_close();
	}
	out_close();
	out_close();
}

static void text_row(const char *name, uint64_t median, uint64_t worst)
{
	out_text("  %-46s", name);
	out_ns(NULL, " %10s", median);
	out_ns(NULL, " %10s\n", worst);
}

/* in the order of both: a piece that only one has stands where it has it */
static void text_pieces(const struct path *a, const struct path *b)
{
	uint32_t i = 0, k = 0;

	while (i < a->pieces || k < b->pieces) {
		bool in_a = false, in_b = false;
		const char *name;

		if (k < b->pieces)
			piece_of(a, b->piece[k].name, &in_a);
		if (k < b->pieces && (!in_a || i == a->pieces)) {
			name = b->piece[k++].name;
			if (!in_a)
				text_row(name, 0, piece_of(b, name, &in_b));
			continue;
		}
		name = a->piece[i++].name;
		text_row(name, piece_of(a, name, &in_a), piece_of(b, name, &in_b));
		if (in_b)
			k++;
	}
}

static void show_paths(const struct result *r, bool traced)
{
	if (!r->paths) {
		if (!r->why_not[0] && r->why_no_path[0])
			out_text("\n%s: no breakdown: %s\n", r->text, r->why_no_path);
		return;
	}
	if (traced)
		out_text("\n%s, where the time of a round went; %u other rounds, with tracing, which takes time itself\n",
			 r->text, r->paths);
	else
		out_text("\n%s, where the time of a round went; of the same rounds\n", r->text);
	if (r->torn)
		out_text("  (%u more rounds are left out: events of them were lost)\n", r->torn);
	out_text("  %-46s %10s %10s\n", "us", "median", "worst");
	text_pieces(&r->median, &r->worst);
	text_row("not explained by the trace", r->median.open_ns, r->worst.open_ns);
	text_row("sum", sum_of(&r->median), sum_of(&r->worst));
	text_row("end to end", r->median.to - r->median.from, r->worst.to - r->worst.from);
}

/* ---- the table ---- */

static void show_way(const struct result *r, bool traced)
{
	out_open(NULL, '{');
	out_str("name", NULL, r->name);
	out_text("%-32s", r->text);
	if (r->why_not[0]) {
		out_str("not_measured_because", " not measured: %s\n", r->why_not);
		out_close();
		return;
	}
	out_ns("min_ns", " %9s", result_share(r, 0));
	out_ns("p50_ns", " %9s", result_share(r, 500000));
	out_ns("p99_ns", " %9s", result_share(r, 990000));
	out_ns("p999_ns", " %9s", result_share(r, 999000));
	out_ns("max_ns", " %9s", result_share(r, 1000000));
	out_uint("rounds", NULL, r->rounds);
	out_uint("lost", " %6" PRIu64, r->rounds - r->n);
	show_count("switches", r->switches, r->rounds);
	show_count("irqs", r->irqs, r->rounds);
	show_count("softirqs", r->softirqs, r->rounds);
	out_text("\n");
	if (out_is_json()) {
		out_bool("traced", NULL, traced && r->paths, "", "");
		if (r->why_no_path[0])
			out_str("not_traced_because", NULL, r->why_no_path);
		out_uint("breakdown_rounds", NULL, r->paths);
		out_uint("breakdown_torn", NULL, r->torn);
		if (r->paths) {
			json_path("median", &r->median);
			json_path("worst", &r->worst);
		}
	}
	out_close();
}

/* ---- in a sentence ---- */

/* the better of the two, to be fair */
static const struct result *best_socket(const struct compare *p)
{
	const struct result *a = &p->way[WAY_SOCKET], *b = &p->way[WAY_THREADED];

	return b->n && result_share(b, 500000) < result_share(a, 500000) ? b : a;
}

static uint64_t ratio(const struct result *a, const struct result *b, uint32_t ppm)
{
	uint64_t below = result_share(b, ppm);

	return below ? result_share(a, ppm) * 1000 / below : 0;
}

static void show_ratio(const struct compare *p)
{
	const struct result *s = best_socket(p), *k = &p->way[WAY_KECAT];
	const struct result *app = &p->way[WAY_PROGRAM];

	if (!s->n || !k->n)
		return;
	out_open("ratio", '{');
	out_str("of", NULL, s->name);
	out_uint("p50_permille", NULL, ratio(s, k, 500000));
	out_uint("p999_permille", NULL, ratio(s, k, 999000));
	out_uint("max_permille", NULL, ratio(s, k, 1000000));
	out_uint("program_p50_permille", NULL, ratio(s, app, 500000));
	out_close();
	out_text("\nBy the %s the median is", s->text);
	out_ns(NULL, " %s us", result_share(s, 500000));
	out_ns(NULL, ", through kecat %s us", result_share(k, 500000));
	out_text(": the socket takes %.1f times as long, %.1f times at p99.9, %.1f times in the worst round, and %.1f times as long as it takes until a program that sleeps has what kecat received.\n",
		 (double)ratio(s, k, 500000) / 1000, (double)ratio(s, k, 999000) / 1000,
		 (double)ratio(s, k, 1000000) / 1000, (double)ratio(s, app, 500000) / 1000);
}

/* ---- all ---- */

static void show_states(const struct look *l, bool unchanged)
{
	out_open("al_states", '[');
	for (uint32_t i = 0; i < l->slaves; i++)
		out_uint("al", NULL, l->al[i]);
	out_close();
	out_bool("slaves_unchanged", "%s\n", unchanged, "All slaves are in the state that they were in.",
		 "NOT ALL SLAVES ARE IN THE STATE THAT THEY WERE IN.");
}

void compare_show(const struct compare *p, const struct look *l, bool unchanged)
{
	out_str("interface", "%s", p->ifname);
	out_uint("slaves", ": slaves %" PRIu64, l->slaves);
	out_uint("frames", "; frames a round %" PRIu64, p->frames);
	out_uint("bytes", ", data in each %" PRIu64 " bytes", p->bytes);
	out_uint("frame_len", ", the first one %" PRIu64 " bytes", p->frame_len);
	out_ns("cycle_ns", "; a round each %s us\n", p->cycle_ns);
	out_str("driver", "through kecat: %s", p->driver[0] ? p->driver : "-");
	out_str("mode", p->mode[0] ? ", %s\n\n" : "%s\n\n", p->mode);
	out_text("from send to receive, us               min       p50       p99     p99.9       max   lost  switches  NIC irqs  softirqs\n");
	out_open("ways", '[');
	for (int w = 0; w < WAYS; w++)
		show_way(&p->way[w], w < WAY_KECAT);
	out_close();
	out_text("the last three are of a round: context switches of who sends and receives, interrupts of the NIC, NET_RX and NET_TX of the machine\n");
	if (!out_is_json())
		for (int w = 0; w < WAYS; w++)
			show_paths(&p->way[w], w < WAY_KECAT);
	out_text("\n");
	show_states(l, unchanged);
	show_ratio(p);
}
