/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Check of the process data: outputs of one slave are wired to inputs of
 * another, each cycle publishes another pattern, and inputs have to show one
 * of the patterns that can have arrived by then, whole.
 */
#ifndef KECAT_TOOL_LOOP_H
#define KECAT_TOOL_LOOP_H

#include "../lib/kecat.h"
#include "busfile.h"

#define LOOP_RING	64	/* sets that are remembered, power of two */
#define LOOP_DELAY_MAX	16

struct piece {
	uint32_t offset;	/* bits, in the image */
	uint32_t bits;
};

struct lane {
	uint32_t slave;
	uint32_t group;
	uint32_t bits;
	uint32_t pieces;
	struct piece *piece;
};

struct loop_state {
	struct lane out;
	struct lane in;
	bool armed;		/* the loop was seen closed: from now on it counts */
	uint32_t streak;
	uint32_t window[LOOP_DELAY_MAX + 1];	/* out_cycle of the last valid cycles */
	uint32_t filled;
	uint64_t checked;
	uint64_t mismatches;
	uint64_t first_cycle;	/* of the first mismatch */
	uint64_t delay[LOOP_DELAY_MAX + 2];	/* sets behind; the last: more */
};

struct loop_check {
	struct kecat *k;
	struct loop_state *loop;
	int loops;
	uint32_t delay;		/* longest way round, in cycles */
	uint32_t sequence;
	uint32_t sent[LOOP_RING];	/* sequence of each set, by its number */
	uint64_t last_cycle;
	uint32_t bad_cycles;	/* in a row */
};

/* 0, or an exit code after a message; active handle */
int loop_create(struct loop_check *lc, struct kecat *k, const struct kecat_conf *conf,
		const struct loop_pair *pair, int pairs, uint32_t delay);
void loop_destroy(struct loop_check *lc);
/* between kecat_wait() and kecat_publish(), and after it */
void loop_inputs(struct loop_check *lc);
void loop_outputs(struct loop_check *lc);
void loop_published(struct loop_check *lc);

uint64_t loop_mismatches(const struct loop_check *lc);
/* every loop is closed now */
bool loop_complete(const struct loop_check *lc);

#endif
