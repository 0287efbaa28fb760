// SPDX-License-Identifier: GPL-2.0-only
/*
 * Histograms as pictures.  Both scales are logarithmic: the one time in a
 * million is what they are looked at for.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "latency.h"
#include "out.h"

#define BARS		20
#define BAR_LEN		48

#define SVG_BINS	160
#define SVG_WIDTH	640	/* of the picture of one row */
#define SVG_HEIGHT	90
#define SVG_LEFT	120
#define SVG_PITCH	140

uint64_t latency_share(const struct kecat_latency *l, const uint64_t *hist,
		       uint32_t ppm)
{
	uint64_t ns = kecat_percentile(hist, ppm);

	return ns > l->max_ns ? l->max_ns : ns;
}

static int bin_of(double ns, double from, double to, int n)
{
	int i = (int)(n * log(ns / from) / log(to / from));

	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

uint64_t latency_bins(const struct kecat_latency *l, const uint64_t *hist,
		      uint64_t *bin, int n, double *from, double *to)
{
	uint64_t most = 0;

	memset(bin, 0, n * sizeof(*bin));
	/* the finest step of the histogram */
	*from = l->min_ns > 100 ? l->min_ns : 100;
	*to = l->max_ns > *from * 1.01 ? l->max_ns : *from * 1.01;
	for (uint32_t b = 0; b < KECAT_HIST_BUCKETS; b++) {
		uint64_t *to_bin;

		if (!hist[b])
			continue;
		to_bin = &bin[bin_of(kecat_hist_low(b) + 50.0, *from, *to, n)];
		*to_bin += hist[b];
		if (*to_bin > most)
			most = *to_bin;
	}
	return most;
}

/* 0..@max; 1 is seen */
static double height(uint64_t count, uint64_t most, double max)
{
	return count ? max * log(count + 1.0) / log(most + 1.0) : 0;
}

void latency_draw(const struct kecat_latency *l, const uint64_t *hist)
{
	static const char bar[BAR_LEN + 1] =
		"################################################";
	uint64_t bin[BARS], most;
	double from, to;

	most = latency_bins(l, hist, bin, BARS, &from, &to);
	if (!most)
		return;
	for (int i = 0; i < BARS; i++) {
		int len = (int)ceil(height(bin[i], most, BAR_LEN));

		out_text("  %10.3f us %12" PRIu64 " %.*s\n",
			 from * pow(to / from, (double)i / BARS) / 1000,
			 bin[i], len, bar);
	}
}

/* ---- SVG ---- */

/* 1, 10, 100 us ..: lines to read the scale by */
static void svg_scale(FILE *f, int top, double from, double to)
{
	for (double ns = 100; ns <= 1e10; ns *= 10) {
		double x = SVG_LEFT + SVG_WIDTH * log(ns / from) / log(to / from);

		if (ns < from || ns > to)
			continue;
		fprintf(f, "<line class=\"s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>\n",
			x, x, top, top + SVG_HEIGHT);
		fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g us</text>\n",
			x, top + SVG_HEIGHT + 12, ns / 1000);
	}
}

static void svg_row(FILE *f, int top, const struct kecat_latency *l,
		    const uint64_t *hist)
{
	const double step = (double)SVG_WIDTH / SVG_BINS;
	uint64_t bin[SVG_BINS], most;
	double from, to;

	most = latency_bins(l, hist, bin, SVG_BINS, &from, &to);
	fprintf(f, "<text class=\"n\" x=\"8\" y=\"%d\">%s</text>\n", top + 14,
		kecat_phase_name(l->phase));
	fprintf(f, "<text x=\"8\" y=\"%d\">%llu times</text>\n", top + 32, l->count);
	fprintf(f, "<text x=\"8\" y=\"%d\">p99.99 %.3f us</text>\n", top + 48,
		latency_share(l, hist, 999900) / 1000.0);
	fprintf(f, "<text x=\"8\" y=\"%d\">max %.3f us</text>\n", top + 64,
		l->max_ns / 1000.0);
	fprintf(f, "<text x=\"%d\" y=\"%d\">%s</text>\n", SVG_LEFT, top - 6,
		latency_explain(l->phase));
	fprintf(f, "<rect class=\"f\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
		SVG_LEFT, top, SVG_WIDTH, SVG_HEIGHT);
	if (!most)
		return;
	svg_scale(f, top, from, to);
	for (int i = 0; i < SVG_BINS; i++) {
		double h = height(bin[i], most, SVG_HEIGHT - 4);

		if (bin[i])
			fprintf(f, "<rect class=\"b\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
				SVG_LEFT + i * step, top + SVG_HEIGHT - h, step, h);
	}
}

static bool svg_all(FILE *f, const void *arg)
{
	const struct latency *l = arg;

	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n",
		SVG_LEFT + SVG_WIDTH + 20, KECAT_LAT_COUNT * SVG_PITCH + 20);
	fputs("<style>text { font: 11px sans-serif } .n { font-weight: bold }\n", f);
	fputs(".f { fill: none; stroke: #999 } .s { stroke: #ccc } .b { fill: #269 }</style>\n", f);
	fputs("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", f);
	for (uint32_t p = 0; p < KECAT_LAT_COUNT; p++)
		svg_row(f, 24 + (int)p * SVG_PITCH, &l->row[p], l->hist[p]);
	return fputs("</svg>\n", f) >= 0 && !ferror(f);
}

int latency_svg(const struct latency *l, const char *path)
{
	return file_write(path, svg_all, l);
}
