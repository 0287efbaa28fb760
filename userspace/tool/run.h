/* SPDX-License-Identifier: GPL-2.0-only */
/* One "kecat run", from the command line to the summary. */
#ifndef KECAT_TOOL_RUN_H
#define KECAT_TOOL_RUN_H

#include "busfile.h"
#include "cmd.h"
#include "loop.h"

struct run {
	struct ctx *c;
	struct kecat *k;
	struct busfile file;
	struct loop_check loop;
	uint64_t cycles_wanted;
	uint64_t timeout_ms;
	uint64_t cycle_ns;
	uint64_t wait_ns;
	uint32_t slaves;
	uint32_t required;	/* slaves that are not optional */
	uint32_t op;		/* in OP at the end */
	uint32_t groups;	/* bit per sync group in use */
	bool poll;
	bool ticks;		/* this program does */
	uint64_t next_ns;	/* the last of them */
	bool live;
	int live_lines;
	/* what happened since all were in OP */
	uint64_t cycles;
	uint64_t skipped;
	uint64_t invalid;
	struct kecat_status before, after;
	struct kecat_latency lat0[KECAT_LAT_COUNT], lat1[KECAT_LAT_COUNT];
	uint64_t hist0[KECAT_LAT_COUNT][KECAT_HIST_BUCKETS];
	bool accounted;		/* lat0 and lat1 are whole */
};

/* prints it; exit code */
int run_summary(struct run *r);

#endif
