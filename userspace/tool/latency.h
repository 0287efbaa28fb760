/* SPDX-License-Identifier: GPL-2.0-only */
/* The account of a master's latencies, and ways to show it. */
#ifndef KECAT_TOOL_LATENCY_H
#define KECAT_TOOL_LATENCY_H

#include <stdio.h>

#include "../lib/kecat.h"

struct latency {
	struct kecat_latency row[KECAT_LAT_COUNT];
	uint64_t hist[KECAT_LAT_COUNT][KECAT_HIST_BUCKETS];
};

/* kecat_percentile(), but a bucket ends above what was really seen */
uint64_t latency_share(const struct kecat_latency *l, const uint64_t *hist,
		       uint32_t ppm);

/* what a row is the time of, in a few words */
const char *latency_explain(uint32_t row);

/*
 * @n bins of equal width on a logarithmic scale from *@from to *@to, which are
 * widened to what was seen.  The highest bin, 0 if nothing was counted.
 */
uint64_t latency_bins(const struct kecat_latency *l, const uint64_t *hist,
		      uint64_t *bin, int n, double *from, double *to);

/* bars for a terminal */
void latency_draw(const struct kecat_latency *l, const uint64_t *hist);

/* a picture of all rows; -errno */
int latency_svg(const struct latency *l, const char *path);

#endif
