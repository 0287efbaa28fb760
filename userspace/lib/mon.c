// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events and latency histograms. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "priv.h"

#define LINEAR_NS	100u
#define LINEAR_BUCKETS	1024u
#define OCTAVE_BITS	7
#define FIRST_OCTAVE	16
#define SAME_CYCLE_TRIES 1000

int kecat_read_events(struct kecat *k, struct kecat_event *ev, int max)
{
	ssize_t n;

	if (max < 1)
		return -EINVAL;
	n = read(k->fd, ev, max * sizeof(*ev));
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	return n % sizeof(*ev) ? -EPROTO : (int)(n / sizeof(*ev));
}

int kecat_rewind_events(struct kecat *k)
{
	return lseek(k->fd, 0, SEEK_SET) < 0 ? -errno : 0;
}

int kecat_get_latency(struct kecat *k, uint32_t phase, uint32_t flags,
		      struct kecat_latency *lat, uint64_t *hist)
{
	*lat = (struct kecat_latency){
		.size = sizeof(*lat), .phase = phase, .flags = flags,
		.buckets = hist ? KECAT_HIST_BUCKETS : 0,
		.ptr = (uintptr_t)hist,
	};
	if (hist)
		memset(hist, 0, KECAT_HIST_BUCKETS * sizeof(*hist));
	return kecat_call(k, KECAT_IOC_LATENCY, lat);
}

/* All rows, 1 if the phases are of the same cycles, 0 if one came between */
static int read_all(struct kecat *k, struct kecat_latency *lat)
{
	struct kecat_latency again;
	int ret;

	for (uint32_t p = 0; p < KECAT_LAT_COUNT; p++) {
		ret = kecat_get_latency(k, p, 0, &lat[p], NULL);
		if (ret)
			return ret;
	}
	ret = kecat_get_latency(k, 0, 0, &again, NULL);
	if (ret)
		return ret;
	for (uint32_t p = 0; p <= KECAT_LAT_TOTAL; p++)
		if (lat[p].count != again.count)
			return 0;
	return again.sum_ns == lat[0].sum_ns;
}

int kecat_get_latencies(struct kecat *k, struct kecat_latency *lat)
{
	for (int i = 0; i < SAME_CYCLE_TRIES; i++) {
		int ret = read_all(k, lat);

		if (ret)
			return ret < 0 ? ret : 0;
	}
	return -EAGAIN;
}

int kecat_reset_latencies(struct kecat *k)
{
	struct kecat_latency lat;

	return kecat_get_latency(k, KECAT_LAT_TOTAL, KECAT_LATENCY_RESET, &lat,
				 NULL);
}

uint64_t kecat_hist_low(uint32_t bucket)
{
	uint32_t above, octave;
	uint64_t low;

	if (bucket < LINEAR_BUCKETS)
		return (uint64_t)bucket * LINEAR_NS;
	above = bucket - LINEAR_BUCKETS;
	octave = FIRST_OCTAVE + (above >> OCTAVE_BITS);
	low = (1ull << octave) +
	      ((uint64_t)(above & ((1u << OCTAVE_BITS) - 1)) << (octave - OCTAVE_BITS));
	/* the first octave is used only from where the linear part ends */
	return low < LINEAR_NS * LINEAR_BUCKETS ? LINEAR_NS * LINEAR_BUCKETS : low;
}

/* counters come from outside: their sum may be more than fits */
static uint64_t add_up(uint64_t sum, uint64_t n)
{
	return sum + n < sum ? UINT64_MAX : sum + n;
}

uint64_t kecat_percentile(const uint64_t *hist, uint32_t ppm)
{
	uint64_t total = 0, want, sum = 0;
	uint32_t b;

	if (ppm > 1000000)
		ppm = 1000000;
	for (b = 0; b < KECAT_HIST_BUCKETS; b++)
		total = add_up(total, hist[b]);
	if (!total)
		return 0;
	want = total / 1000000 * ppm + (total % 1000000 * ppm + 999999) / 1000000;
	if (!want)
		want = 1;
	for (b = 0; b < KECAT_HIST_BUCKETS - 1; b++) {
		sum = add_up(sum, hist[b]);
		if (sum >= want)
			break;
	}
	return kecat_hist_low(b + 1);
}
