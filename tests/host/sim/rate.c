// SPDX-License-Identifier: GPL-2.0-only
/* How many frames a second; told, not judged: it depends on the machine. */
#include <time.h>

#include "bench.h"

#define FRAMES	200000

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void measure(const char *slaves)
{
	struct bench b = bench_list(slaves);
	double t;
	int i;

	bench_address(&b);
	t = seconds();
	for (i = 0; i < FRAMES; i++) {
		u8 data[64] = { 0 };

		lxfer(&b, ESC_LRW, 0, data, sizeof(data));
	}
	t = seconds() - t;
	printf("# %u slaves: %.0f frames/s\n", b.seg->count, FRAMES / t);
	bench_close(&b);
}

int main(void)
{
	measure("coupler,do8,di8,drive");
	measure("coupler,do8*3,di8*3,ai2,drive*2");
	measure("coupler,do8*49,di8*50");
	printf("ok 1 - rate\n1..1\n");
	return 0;
}
