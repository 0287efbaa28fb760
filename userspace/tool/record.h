/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Flight recorder: what the kernel's tracing says beside a recording, put
 * together, and written out.  What comes from tracefs is kept as a blob, see
 * record_trace.c; everything behind it takes that blob for hostile.
 */
#ifndef KECAT_TOOL_RECORD_H
#define KECAT_TOOL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../lib/kecat.h"

/* ---- record_blob.c: a blob is chunks, each a head and bytes padded to 8 ---- */

#define BLOB_ID		1	/* u64: the ring that it belongs to */
#define BLOB_PAGE_FORMAT 2	/* text of events/header_page */
#define BLOB_FORMAT	3	/* "group/name\n" and the text of its format */
#define BLOB_PAGE	4	/* arg: CPU; a page of the trace buffer */
#define BLOB_SYMBOLS	5	/* lines "address name", hexadecimal */

struct blob {
	uint8_t *data;
	size_t len;
	size_t room;
};

struct chunk {
	uint32_t type;
	uint32_t arg;
	uint32_t len;
	uint32_t pad;
};

/* 0 or -ENOMEM */
int blob_add(struct blob *b, uint32_t type, uint32_t arg, const void *data,
	     uint32_t len);
/* from *@at on, 0 first; NULL at the end or where it makes no sense */
const struct chunk *blob_next(const struct blob *b, size_t *at, const uint8_t **data);

/* ---- record_events.c: events of a blob ---- */

enum ev_kind {
	EV_IRQ_IN, EV_IRQ_OUT, EV_VECTOR_IN, EV_VECTOR_OUT, EV_TIMER_IN,
	EV_TIMER_OUT, EV_SOFTIRQ_IN, EV_SOFTIRQ_OUT, EV_SWITCH, EV_NMI,
	EV_LOST,	/* some are missing before this one */
	/* of the way of a packet, ev_path_names */
	EV_RAISE, EV_WAKING, EV_QUEUE, EV_XMIT, EV_SENT, EV_RECEIVE,
};

/**
 * struct ev - one
 * @ns:   CLOCK_MONOTONIC
 * @kind: enum ev_kind
 * @cpu:  ..
 * @num:  irq, softirq, or process that runs from now on, or is woken
 * @by:   process that it happened in, or was interrupted by it
 * @before: SWITCH: process that ran until now
 * @ptr:  TIMER_IN: its function; NMI: ns that it took
 * @name: irq handler, vector, process, or interface, as it came
 * @from: SWITCH: name of the process that ran until now
 */
struct ev {
	uint64_t ns;
	uint8_t kind;
	uint16_t cpu;
	int32_t num;
	int32_t by;
	int32_t before;
	uint64_t ptr;
	char name[24];
	char from[17];
};

struct evs {
	struct ev *ev;
	size_t n;
	size_t room;
};

/* in order of each CPU; 0 or -ENOMEM */
int evs_read(const struct blob *b, struct evs *e);
/* "group/name" of what the recorder wants; NULL ends */
extern const char *const ev_names[];
/* .. and of what tells of a packet's way through the kernel */
extern const char *const ev_path_names[];
/* the name of an address in the blob's symbols, or its number */
void blob_symbol(const struct blob *b, uint64_t addr, char *buf, size_t room);

/* ---- record_cpu.c: who had a CPU when ---- */

#define TRACK_IRQ	0
#define TRACK_SOFTIRQ	1
#define TRACK_TASK	2
#define TRACKS		3

struct slice {
	uint64_t from;
	uint64_t to;
	uint16_t name;
	uint8_t track;
};

/* what was innermost; one after the other, without overlap */
struct piece {
	uint64_t from;
	uint64_t to;
	uint16_t name;
};

#define NAME_UNKNOWN	0	/* nothing is known of that time */
#define NAME_SELF	1	/* the cyclic thread, its timer */
#define NAME_IDLE	2
#define NAMES_MAX	1024

struct cpu_time {
	char (*name)[64];
	uint32_t names;
	struct slice *slice;
	size_t slices, slice_room;
	struct piece *piece;
	size_t pieces, piece_room;
};

/* of one CPU, while @r was recorded; 0 or -ENOMEM */
int cpu_time_build(const struct blob *b, const struct evs *e, unsigned int cpu,
		   const struct kecat_recording *r, struct cpu_time *t);
void cpu_time_free(struct cpu_time *t);

/* ---- record_late.c: whose fault it was ---- */

#define THIEVES	4

/**
 * struct late - a phase that took longer than it usually does
 * @cycle:  index of the record
 * @phase:  KECAT_LAT_*
 * @ns:     how much longer than the median
 * @traced: the trace reaches over it
 * @thief:  who had the CPU longer than usual in it, the worst first; names of
 *          struct cpu_time
 * @open_ns: that nobody in the trace explains
 * @open_at: where, begin of the longest piece of it
 */
struct late {
	uint32_t cycle;
	uint32_t phase;
	uint64_t ns;
	bool traced;
	struct {
		uint16_t name;
		uint64_t ns;
	} thief[THIEVES];
	uint64_t open_ns;
	uint64_t open_at;
};

struct lates {
	struct late *late;
	size_t n, room;
	uint64_t usual[KECAT_RECORD_STAMPS];	/* median of each phase */
};

/* all phases that took @late_ns more than usual; @t may be NULL.  0 or -ENOMEM */
int lates_find(const struct kecat_recording *r, const struct cpu_time *t,
	       uint64_t late_ns, struct lates *l);
/* a sentence, as snprintf() */
int late_describe(const struct late *l, const struct cpu_time *t, char *buf,
		  size_t room);

/* ---- record_app.c: what the application did ---- */

#define APP_NONE	UINT32_MAX

/**
 * struct app_work - what it made of one cycle's inputs
 * @cycle: index of the record of these
 * @taken: when it had them
 * @done:  when its outputs were there, 0 = that is not told
 */
struct app_work {
	uint32_t cycle;
	uint64_t taken;
	uint64_t done;
};

/**
 * struct app_late - cycles in a row that the same outputs were not there for
 * @cycle:  index of the first one's record
 * @missed: how many
 * @work:   whose outputs: index, behind the last one: the application went on with
 *          nothing, APP_NONE: it does not say.  The others are 0 then.
 * @inputs: index of the record of inputs that it could have had for them
 * @ended:  they came in the end
 * @ns:     so much later than they would have been taken; not @ended: at least
 * @at_most: .. or earlier
 * @more:   how much longer than usual it took until the inputs came, until the
 *          application had them, until it was done
 */
struct app_late {
	uint32_t cycle;
	uint32_t missed;
	uint32_t work;
	uint32_t inputs;
	bool ended;
	bool at_most;
	uint64_t ns;
	struct app_steps {
		uint64_t came;
		uint64_t taken;
		uint64_t worked;
	} more;
};

struct apps {
	struct app_work *work;
	uint32_t works;
	struct app_late *late;
	uint32_t lates;
	struct app_steps usual;		/* medians */
};

/* 0 or -ENOMEM */
int apps_find(const struct kecat_recording *r, struct apps *a);
void apps_free(struct apps *a);
/* when a work was over, as far as that is told; not behind the begin of the next one */
uint64_t app_end(const struct kecat_recording *r, const struct apps *a, uint32_t work);
/* why, a sentence, as snprintf(); @t may be NULL */
int app_describe(const struct kecat_recording *r, const struct apps *a, const struct app_late *l,
		 const struct lates *lates, const struct cpu_time *t, char *buf, size_t room);

/* ---- record_perfetto.c, record_pcapng.c: the whole file; false: not written ---- */

struct export {
	unsigned int master;
	const struct kecat_recording *rec;
	const struct cpu_time *cpu;	/* NULL: nothing was traced */
	unsigned int cpu_number;
	const struct lates *lates;
	const struct apps *apps;
	const char *why_no_trace;
	int64_t realtime;		/* CLOCK_REALTIME - CLOCK_MONOTONIC */
};

/* @x: struct export; for file_write() */
bool perfetto_write(FILE *f, const void *x);
bool pcapng_write(FILE *f, const void *x);

/* ---- record_trace.c: tracefs ---- */

/* begin to trace for a master whose thread is on @cpu (-1: any); 0, or -1 and @why */
int trace_begin(unsigned int master, int cpu, unsigned int kb, const char **why);
void trace_end(unsigned int master);
/*
 * What was traced beside ring @id; asked once more it is still there.  Empty, and
 * @why, if nothing was.
 */
int trace_take(unsigned int master, uint64_t id, struct blob *b, const char **why);
/* an instance that belongs to no master: all CPUs, ev_path_names; trace_end() ends it */
#define TRACE_PATH	KECAT_MAX_MASTERS
int trace_path_begin(unsigned int kb, const char **why);
/* what it has; it stops.  0 or -ENOMEM */
int trace_path_take(struct blob *b);

#endif
