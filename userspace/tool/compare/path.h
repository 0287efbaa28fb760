/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the time of a round went that a program spent between its send() and the
 * return of its recv(): pieces without gap or overlap, cut at what the kernel's
 * trace points tell of.  Pure.
 */
#ifndef KECAT_TOOL_PATH_H
#define KECAT_TOOL_PATH_H

#include "../record.h"

#define PATH_PIECES	12

/**
 * struct path - one round
 * @from:    before send(), CLOCK_MONOTONIC
 * @to:      behind recv()
 * @pieces:  of @piece; the first begins at @from
 * @piece:   what took so long
 * @open_ns: of it that nothing in the trace explains; no piece has it
 *
 * The pieces and @open_ns add up to @to - @from.
 */
struct path {
	uint64_t from;
	uint64_t to;
	uint32_t pieces;
	struct {
		const char *name;
		uint64_t ns;
	} piece[PATH_PIECES];
	uint64_t open_ns;
};

/* events of all CPUs by time, and which CPU lost some until when */
struct stream {
	const struct ev **ev;
	size_t n;
};

/* 0 or -ENOMEM; @e has to stay.  What the clock contradicts is left out. */
int stream_make(struct stream *s, const struct evs *e);
void stream_free(struct stream *s);

/* the events between @from and @to are all there, on each CPU */
bool stream_whole(const struct stream *s, uint64_t from, uint64_t to);

/* way of the last frame of the round that process @pid sent by @ifname and got back */
void path_find(const struct stream *s, uint64_t from, uint64_t to, int32_t pid,
	       const char *ifname, struct path *p);

#endif
