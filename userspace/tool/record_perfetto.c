// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chrome's trace format, which the Perfetto UI and its trace processor open: slices
 * (X) that lie in each other or one behind the other on each track, counters (C),
 * names (M).  Times are microseconds of CLOCK_MONOTONIC, to the nanosecond.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

#define PID_MASTER	1
#define PID_CPU		2
#define TID_CYCLE	1
#define TID_APP		2
#define TID_WIRE	10	/* and one for each frame that is out at a time */
#define LANES		24
#define TID_TRACK	1	/* of the CPU: irq, softirq, task */
#define TID_OPEN	9

struct json {
	FILE *f;
	bool some;
	const struct export *x;
	uint64_t from, to;	/* that is recorded */
	uint32_t app_at;	/* of the application's late ones, the next */
};

static void text(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s; s++) {
		unsigned char ch = (unsigned char)*s;

		if (ch == '"' || ch == '\\')
			fprintf(f, "\\%c", ch);
		else if (ch < 0x20 || ch >= 0x7f)
			fprintf(f, "\\u%04x", ch);
		else
			putc(ch, f);
	}
	putc('"', f);
}

static void time_of(FILE *f, const char *key, uint64_t ns)
{
	fprintf(f, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned int)(ns % 1000));
}

static void number(FILE *f, const char *key, uint64_t v)
{
	fprintf(f, ",\"%s\":%" PRIu64, key, v);
}

static void event(struct json *j, const char *ph, int pid, int tid, const char *name)
{
	fprintf(j->f, "%s\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d,\"name\":",
		j->some ? "," : "", ph, pid, tid);
	text(j->f, name);
	j->some = true;
}

/* without its end: arguments may follow */
static void slice(struct json *j, int pid, int tid, const char *name, const char *cat,
		  uint64_t from, uint64_t to)
{
	event(j, "X", pid, tid, name);
	fprintf(j->f, ",\"cat\":\"%s\"", cat);
	time_of(j->f, "ts", from);
	time_of(j->f, "dur", to - from);
}

static void label(struct json *j, const char *what, int pid, int tid, const char *name)
{
	event(j, "M", pid, tid, what);
	fputs(",\"args\":{\"name\":", j->f);
	text(j->f, name);
	fputs("}}", j->f);
}

static void counter(struct json *j, const char *name, uint64_t at, uint64_t value)
{
	event(j, "C", PID_MASTER, 0, name);
	time_of(j->f, "ts", at);
	fprintf(j->f, ",\"args\":{\"value\":%" PRIu64 "}}", value);
}

/* ---- cycles ---- */

static uint64_t clamp(uint64_t v, uint64_t low)
{
	return v < low ? low : v;
}

/* what late phases of the cycle were due to */
static void thieves(struct json *j, uint32_t i)
{
	const struct lates *l = j->x->lates;
	char buf[512];

	for (size_t k = 0; k < l->n; k++) {
		char key[48];

		if (l->late[k].cycle != i)
			continue;
		late_describe(&l->late[k], j->x->cpu, buf, sizeof(buf));
		snprintf(key, sizeof(key), "%s_late", kecat_phase_name(l->late[k].phase));
		fputc(',', j->f);
		text(j->f, key);
		fprintf(j->f, ":%" PRIu64 ".%03u", l->late[k].ns / 1000,
			(unsigned int)(l->late[k].ns % 1000));
		snprintf(key, sizeof(key), "%s_thief", kecat_phase_name(l->late[k].phase));
		fputc(',', j->f);
		text(j->f, key);
		fputc(':', j->f);
		text(j->f, buf);
	}
}

/* why there were no outputs for the cycle */
static void app_thief(struct json *j, uint32_t i)
{
	const struct export *x = j->x;
	const struct app_late *l;
	char buf[1024];

	if (!x->apps || j->app_at == x->apps->lates || x->apps->late[j->app_at].cycle != i)
		return;
	l = &x->apps->late[j->app_at++];
	app_describe(x->rec, x->apps, l, x->lates, x->cpu, buf, sizeof(buf));
	fprintf(j->f, ",\"app_missed\":%u,\"app_late\":%" PRIu64 ".%03u,\"app_thief\":",
		l->missed, l->ns / 1000, (unsigned int)(l->ns % 1000));
	text(j->f, buf);
}

static uint64_t cycle(struct json *j, uint32_t i, uint64_t free_from)
{
	const struct kecat_recording *r = j->x->rec;
	const struct kecat_record_cycle *c = &r->cycle[i];
	uint32_t last = r->st.stamps - 1;
	/* an overlong one reaches over the next tick: that one is drawn behind it */
	uint64_t from = clamp(c->at[0], free_from), at = from;
	uint64_t to = clamp(c->at[last], from);
	char name[48], why[128];

	snprintf(name, sizeof(name), "cycle %" PRIu64, (uint64_t)c->cycle);
	slice(j, PID_MASTER, TID_CYCLE, name, "cycle", from, to);
	kecat_record_reasons(c->reasons, why, sizeof(why));
	fprintf(j->f, ",\"args\":{\"tick_ns\":%" PRIu64, (uint64_t)c->at[0]);
	number(j->f, "recorder_ns", c->own_ns);
	number(j->f, "cpu", c->cpu);
	number(j->f, "sent", c->sent);
	number(j->f, "received", c->received);
	number(j->f, "lost", c->lost);
	number(j->f, "late", c->late);
	number(j->f, "foreign", c->foreign);
	number(j->f, "wkc_errors", c->wkc_errors);
	number(j->f, "groups_valid", c->groups_valid);
	number(j->f, "out_set", c->out_set);
	fputs(",\"noted\":", j->f);
	text(j->f, why);
	thieves(j, i);
	app_thief(j, i);
	fputs("}}", j->f);
	for (uint32_t p = 0; p < last; p++) {
		uint64_t stop = clamp(c->at[p + 1], at);

		stop = stop > to ? to : stop;
		slice(j, PID_MASTER, TID_CYCLE, kecat_phase_name(p), "phase", at, stop);
		fputc('}', j->f);
		at = stop;
	}
	counter(j, "wake (ns)", from, c->at[1] > c->at[0] ? c->at[1] - c->at[0] : 0);
	counter(j, "frames lost", from, c->lost);
	counter(j, "frames late", from, c->late);
	counter(j, "working counter errors", from, c->wkc_errors);
	return to;
}

static void cycles(struct json *j)
{
	uint64_t free_from = 0;

	label(j, "thread_name", PID_MASTER, TID_CYCLE, "cycle");
	for (uint32_t i = 0; i < j->x->rec->st.have_cycles; i++)
		free_from = cycle(j, i, free_from);
}

/* ---- the application ---- */

/* from having the inputs of a cycle to its outputs being there */
static void application(struct json *j)
{
	const struct kecat_recording *r = j->x->rec;
	const struct apps *a = j->x->apps;
	char name[48];

	if (!a || !a->works)
		return;
	label(j, "thread_name", PID_MASTER, TID_APP, "application");
	for (uint32_t i = 0; i < a->works; i++) {
		const struct app_work *w = &a->work[i];
		const struct kecat_record_cycle *c = &r->cycle[w->cycle];

		snprintf(name, sizeof(name), "inputs of %" PRIu64 "%s", (uint64_t)c->cycle,
			 w->done ? "" : ", no end told");
		slice(j, PID_MASTER, TID_APP, name, "app", w->taken, app_end(r, a, i));
		fprintf(j->f, ",\"args\":{\"cycle\":%" PRIu64, (uint64_t)c->cycle);
		number(j->f, "to_app_ns", w->taken - c->at[KECAT_LAT_PUBLISH]);
		fputs("}}", j->f);
	}
}

/* ---- the wire ---- */

/* the answer to frame @i, or NULL */
static const struct kecat_record_frame *answer(const struct kecat_recording *r, uint32_t i,
					       const struct kecat_record_frame *sent)
{
	const uint8_t *data;

	/* it comes within some cycles, or never */
	for (uint32_t k = i + 1; k < r->st.have_frames && k < i + 1024; k++) {
		const struct kecat_record_frame *f = kecat_record_frame_at(r, k, &data);

		if (f->dir == KECAT_RECORD_RECEIVED && f->kind != KECAT_RECORD_FOREIGN &&
		    f->tag == sent->tag && f->time_ns >= sent->time_ns)
			return f;
	}
	return NULL;
}

static void wire(struct json *j)
{
	static const char *const kinds[] = { "foreign", "cyclic", "acyclic", "probe" };
	const struct kecat_recording *r = j->x->rec;
	uint64_t busy[LANES] = { 0 };
	unsigned int used = 0;
	char name[64];

	for (uint32_t i = 0; i < r->st.have_frames; i++) {
		const uint8_t *data;
		const struct kecat_record_frame *f = kecat_record_frame_at(r, i, &data), *back;
		unsigned int lane = 0;
		uint64_t to;

		if (f->dir != KECAT_RECORD_SENT)
			continue;
		while (lane < LANES && busy[lane] > f->time_ns)
			lane++;
		if (lane == LANES)
			continue;
		back = answer(r, i, f);
		to = back ? back->time_ns : f->time_ns;
		busy[lane] = to + 1;
		used = lane + 1 > used ? lane + 1 : used;
		snprintf(name, sizeof(name), "%s frame%s", kinds[f->kind & 3],
			 back ? "" : ", no answer");
		slice(j, PID_MASTER, TID_WIRE + (int)lane, name, "wire", f->time_ns, to);
		fprintf(j->f, ",\"args\":{\"tag\":%u,\"bytes\":%u,\"port\":%u,\"cycle\":%" PRIu64 "}}",
			f->tag, f->len, f->port, (uint64_t)f->cycle);
	}
	for (unsigned int lane = 0; lane < used; lane++) {
		snprintf(name, sizeof(name), "on the wire%s", lane ? ", more" : "");
		label(j, "thread_name", PID_MASTER, TID_WIRE + (int)lane, name);
	}
}

/* ---- the CPU ---- */

static void cpu(struct json *j)
{
	static const char *const tracks[TRACKS] = { "interrupts", "softirqs", "running" };
	static const char *const cats[TRACKS] = { "irq", "softirq", "sched" };
	const struct cpu_time *t = j->x->cpu;
	char name[32];

	snprintf(name, sizeof(name), "CPU %u", j->x->cpu_number);
	label(j, "process_name", PID_CPU, 0, name);
	for (int i = 0; i < TRACKS; i++)
		label(j, "thread_name", PID_CPU, TID_TRACK + i, tracks[i]);
	for (size_t i = 0; i < t->slices; i++) {
		const struct slice *s = &t->slice[i];
		uint64_t from = clamp(s->from, j->from);
		uint64_t to = s->to > j->to ? j->to : s->to;

		if (from > to || s->from > j->to)
			continue;
		slice(j, PID_CPU, TID_TRACK + s->track, t->name[s->name], cats[s->track], from, to);
		fputc('}', j->f);
	}
}

/* time that nobody in the trace explains */
static void open_time(struct json *j)
{
	const struct lates *l = j->x->lates;
	uint64_t free_from = 0;

	label(j, "thread_name", PID_CPU, TID_OPEN, "unexplained");
	for (size_t i = 0; i < l->n; i++) {
		const struct late *o = &l->late[i];
		uint64_t from = clamp(o->open_at, free_from);
		bool wait = o->phase == KECAT_LAT_WAIT;

		if (!o->traced || o->open_ns < 1000)
			continue;
		free_from = from + o->open_ns;
		slice(j, PID_CPU, TID_OPEN, wait ? "waiting for frames" :
		      "unexplained: SMI, hypervisor or slow bus?", "gap", from, free_from);
		fprintf(j->f, ",\"args\":{\"phase\":\"%s\"}}", kecat_phase_name(o->phase));
	}
}

bool perfetto_write(FILE *f, const void *arg)
{
	const struct export *x = arg;
	const struct kecat_record_state *st = &x->rec->st;
	struct json j = { .f = f, .x = x };
	char name[32];

	if (st->have_cycles) {
		j.from = x->rec->cycle[0].at[0] - (st->cycle_ns < x->rec->cycle[0].at[0] ?
						   st->cycle_ns : 0);
		j.to = x->rec->cycle[st->have_cycles - 1].at[st->stamps - 1];
	}
	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock\":\"CLOCK_MONOTONIC\",\"tracing\":", f);
	text(f, x->why_no_trace ? x->why_no_trace : "merged in");
	fputs("},\"traceEvents\":[", f);
	snprintf(name, sizeof(name), "kecat%u", x->master);
	label(&j, "process_name", PID_MASTER, 0, name);
	cycles(&j);
	application(&j);
	wire(&j);
	if (x->cpu) {
		cpu(&j);
		open_time(&j);
	}
	fputs("\n]}\n", f);
	return !ferror(f);
}
