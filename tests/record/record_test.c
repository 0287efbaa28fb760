// SPDX-License-Identifier: GPL-2.0-only
/*
 * What kecat record makes of a recording and of a trace, both made up here: 60
 * cycles of 1 ms, in three of which somebody is late; and the application in some.
 *
 * usage: record_test DIRECTORY ROUNDS    writes exports, damages the trace ROUNDS times
 */
#include <stdlib.h>
#include <string.h>

#include "../../userspace/tool/record.h"

#define CYCLES	60
#define MS	1000000ull
#define START	(5000000000ull)
#define SNAP	64
#define FRAME	(sizeof(struct kecat_record_frame) + SNAP)
#define PID	77
#define PAGE	4096u
#define COMMON	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static int n, bad;

static void check(const char *name, bool good)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++n, name);
	bad |= !good;
}

/* ---- a trace ---- */

enum { SWITCH = 300, TIMER_IN, TIMER_OUT, VECTOR_IN, VECTOR_OUT, IRQ_IN, IRQ_OUT, SOFT_IN, SOFT_OUT };

static struct blob blob;
static uint8_t page[PAGE];
static uint32_t fill;
static uint64_t last;

static void format(const char *name, int id, const char *fields)
{
	char text[1024];
	int len = snprintf(text, sizeof(text), "%s\nname: x\nID: %d\nformat:\n" COMMON "%s",
			   name, id, fields);

	blob_add(&blob, BLOB_FORMAT, 0, text, (uint32_t)len);
}

static void formats(void)
{
	uint64_t id = 1;
	static const char head[] =
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
	static const char symbols[] = "00000000c0001000 lab_thief_burn [lab_thief]\n"
				      "00000000c0002000 kecat_tick_fired [kecat]\n";

	blob_add(&blob, BLOB_ID, 0, &id, sizeof(id));
	blob_add(&blob, BLOB_PAGE_FORMAT, 0, head, sizeof(head) - 1);
	format("sched/sched_switch", SWITCH,
	       "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	       "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	       "\tfield:char next_comm[16];\toffset:28;\tsize:16;\tsigned:0;\n"
	       "\tfield:pid_t next_pid;\toffset:44;\tsize:4;\tsigned:1;\n");
	format("timer/hrtimer_expire_entry", TIMER_IN,
	       "\tfield:void * hrtimer;\toffset:8;\tsize:8;\tsigned:0;\n"
	       "\tfield:s64 now;\toffset:16;\tsize:8;\tsigned:1;\n"
	       "\tfield:void * function;\toffset:24;\tsize:8;\tsigned:0;\n");
	format("timer/hrtimer_expire_exit", TIMER_OUT,
	       "\tfield:void * hrtimer;\toffset:8;\tsize:8;\tsigned:0;\n");
	format("irq_vectors/local_timer_entry", VECTOR_IN, "\tfield:int vector;\toffset:8;\tsize:4;\tsigned:1;\n");
	format("irq_vectors/local_timer_exit", VECTOR_OUT, "\tfield:int vector;\toffset:8;\tsize:4;\tsigned:1;\n");
	format("irq/irq_handler_entry", IRQ_IN,
	       "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
	       "\tfield:__data_loc char[] name;\toffset:12;\tsize:4;\tsigned:1;\n");
	format("irq/irq_handler_exit", IRQ_OUT, "\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n");
	blob_add(&blob, BLOB_SYMBOLS, 0, symbols, sizeof(symbols) - 1);
}

static void flush(void)
{
	uint64_t commit = fill - 16;

	if (!fill)
		return;
	memcpy(page + 8, &commit, sizeof(commit));
	blob_add(&blob, BLOB_PAGE, 0, page, PAGE);
	fill = 0;
}

static void put32(uint32_t v)
{
	memcpy(page + fill, &v, sizeof(v));
	fill += 4;
}

static void record(uint64_t ns, uint16_t id, const uint8_t *body, uint32_t len)
{
	uint64_t delta;

	if (fill + len + 24 > PAGE)
		flush();
	if (!fill) {
		memset(page, 0, sizeof(page));
		last = ns - 5 * MS * 100;	/* far enough for a time extend */
		memcpy(page, &last, sizeof(last));
		fill = 16;
	}
	delta = ns - last;
	last = ns;
	if (delta >> 27) {
		put32(30 | (uint32_t)(delta & 0x7ffffff) << 5);
		put32((uint32_t)(delta >> 27));
		delta = 0;
	}
	/* both ways to tell a length */
	if (len % 8) {
		put32(((len + 3) / 4) | (uint32_t)delta << 5);
	} else {
		put32((uint32_t)delta << 5);
		put32(len + 4);
	}
	memcpy(page + fill, body, len);
	memcpy(page + fill, &id, sizeof(id));
	fill += (len + 3) & ~3u;
}

static void to_task(uint64_t ns, int32_t from, int32_t pid, const char *comm)
{
	uint8_t b[48] = { 0 };

	memcpy(b + 24, &from, 4);
	memcpy(b + 28, comm, strnlen(comm, 16));
	memcpy(b + 44, &pid, 4);
	record(ns, SWITCH, b, sizeof(b));
}

static void timer(uint64_t ns, bool in, uint64_t func)
{
	uint8_t b[32] = { 0 };

	memcpy(b + 24, &func, 8);
	record(ns, in ? TIMER_IN : TIMER_OUT, b, in ? 32 : 16);
}

static void plain(uint64_t ns, uint16_t id, const char *name)
{
	uint8_t b[28] = { 0 };
	uint32_t loc = 16 | (uint32_t)(strlen(name) + 1) << 16;

	b[8] = 17;
	memcpy(b + 12, &loc, 4);
	memcpy(b + 16, name, strlen(name));
	record(ns, id, b, *name ? 28 : 12);
}

/* ---- a recording ---- */

static struct kecat_record_cycle cycle[CYCLES];
static uint8_t frame[2 * CYCLES * FRAME];
static struct kecat_recording rec = { .cycle = cycle, .frame = frame };

static void add_frame(uint64_t ns, uint64_t number, uint8_t dir)
{
	struct kecat_record_frame *f = (void *)(frame + rec.st.have_frames++ * FRAME);

	*f = (struct kecat_record_frame){
		.time_ns = ns, .cycle = number, .tag = (uint32_t)number, .len = 100,
		.cap = SNAP, .dir = dir, .kind = KECAT_RECORD_CYCLIC,
	};
	memset(f + 1, 0xff, 12);
	memcpy((uint8_t *)(f + 1) + 12, "\x88\xa4\x0e\x10", 4);
}

static uint64_t late(int i, uint32_t phase)
{
	if ((i == 30 || i == CYCLES - 1) && phase == KECAT_LAT_WAKE)
		return 200000;	/* a timer's function */
	if (i == 40 && phase == KECAT_LAT_SEND)
		return 50000;	/* another process, and an interrupt in it */
	if (i == 50 && phase == KECAT_LAT_PUBLISH)
		return 90000;	/* nobody */
	return 0;
}

static void one_cycle(int i)
{
	struct kecat_record_cycle *c = &cycle[i];
	uint64_t at = START + (uint64_t)i * MS;

	*c = (struct kecat_record_cycle){ .cycle = 1000 + (uint64_t)i, .sent = 1, .received = 1, .groups_valid = 1 };
	for (uint32_t p = 0; p <= KECAT_LAT_TOTAL; p++) {
		c->at[p] = at;
		if (p < KECAT_LAT_TOTAL)
			at += 10000 + late(i, p);
	}
	plain(c->at[0] + 1000, VECTOR_IN, "");
	if (i == 30 || i == CYCLES - 1) {
		timer(c->at[0] + 1500, true, 0xc0001000);
		timer(c->at[0] + 201500, false, 0);
	}
	timer(c->at[1] - 5000, true, 0xc0002000);
	timer(c->at[1] - 4000, false, 0);
	plain(c->at[1] - 3000, VECTOR_OUT, "");
	to_task(c->at[1] - 500, 0, PID, "kecat0");
	if (i == 40) {
		to_task(c->at[1] + 2000, PID, 666, "evil\"\033[2J; x");
		plain(c->at[1] + 10000, IRQ_IN, "eth\"7");
		plain(c->at[1] + 30000, IRQ_OUT, "");
		to_task(c->at[1] + 52000, 666, PID, "kecat0");
	}
	add_frame(c->at[2] - 1000, c->cycle, KECAT_RECORD_SENT);
	add_frame(c->at[3] - 1000, c->cycle, KECAT_RECORD_RECEIVED);
	/* behind the last one nothing is traced any more */
	if (i < CYCLES - 1)
		to_task(c->at[KECAT_LAT_TOTAL] + 3000, PID, 0, "swapper/0");
}

/* ---- the application: 20 us after the inputs it has them, 850 us later it is done ---- */

static uint64_t work_ns(int i)
{
	if (i == 20 || i == 45)
		return 1400000;		/* much to do */
	if (i == 46)
		return 100000;		/* done before somebody asks about the one before */
	return i == CYCLES - 3 ? 10 * MS : 850000;	/* not done to the end */
}

/* what it can say when the frames of each cycle have gone */
static void application(void)
{
	uint64_t done = 0, before = 0;
	int i = 0, at = 0;

	while (i < CYCLES && at < CYCLES) {
		uint64_t taken = cycle[i].at[KECAT_LAT_PUBLISH] + 20000;

		if (i == 33)
			taken += 1200000;	/* nobody lets it run */
		if (taken < done)
			taken = done + 1000;
		/* the newest, whatever it waited for */
		while (i + 1 < CYCLES && cycle[i + 1].at[KECAT_LAT_PUBLISH] <= taken)
			i++;
		for (; at < CYCLES && cycle[at].at[KECAT_LAT_WAIT] < taken; at++) {
			struct kecat_record_cycle *c = &cycle[at];

			c->app_done_ns = done <= c->at[KECAT_LAT_WAIT] ? done : before;
		}
		before = done;
		done = taken + work_ns(i);
		for (int k = at; k < CYCLES; k++) {
			cycle[k].app_cycle = cycle[i].cycle;
			cycle[k].app_taken_ns = taken;
		}
		/* a cycle that took its outputs before, and no new ones were there since */
		for (int k = i + 1; k < CYCLES && cycle[k].at[KECAT_LAT_SEND] < done; k++)
			if (cycle[k].at[KECAT_LAT_SEND] > taken)
				cycle[k].reasons |= KECAT_RECORD_ON_APP;
		i++;
	}
	cycle[34].reasons |= KECAT_RECORD_ON_APP;
}

static void make(void)
{
	rec.st = (struct kecat_record_state){
		.state = KECAT_RECORD_FROZEN, .id = 1, .have_cycles = CYCLES,
		.frame_size = FRAME, .snap = SNAP, .stamps = KECAT_LAT_TOTAL + 1,
		.cycles = CYCLES, .frames = 2 * CYCLES, .cycle_ns = MS, .pid = PID,
		.phase = KECAT_ALL,
	};
	formats();
	to_task(START - MS, PID, 0, "swapper/0");
	for (int i = 0; i < CYCLES; i++)
		one_cycle(i);
	application();
	flush();
}

/* ---- looking at it ---- */

struct result {
	struct evs evs;
	struct cpu_time cpu;
	struct lates lates;
	struct apps apps;
	struct export x;
};

static bool analyse(const struct blob *b, struct result *r)
{
	memset(r, 0, sizeof(*r));
	if (evs_read(b, &r->evs) || cpu_time_build(b, &r->evs, 0, &rec, &r->cpu) ||
	    lates_find(&rec, &r->cpu, 20000, &r->lates) || apps_find(&rec, &r->apps))
		return false;
	r->x = (struct export){ .rec = &rec, .cpu = &r->cpu, .lates = &r->lates,
			      .apps = &r->apps, .realtime = 1 };
	return true;
}

static void drop(struct result *r)
{
	free(r->evs.ev);
	cpu_time_free(&r->cpu);
	free(r->lates.late);
	apps_free(&r->apps);
}

static bool says(const struct result *r, size_t i, const char *want)
{
	char text[512];

	if (i >= r->lates.n)
		return false;
	late_describe(&r->lates.late[i], &r->cpu, text, sizeof(text));
	if (!strcmp(text, want))
		return true;
	printf("# %s\n", text);
	return false;
}

/* the application's @i'th: cycle, missed, how late, and why */
static bool app_says(const struct result *r, uint32_t i, const char *want)
{
	const struct app_late *l = &r->apps.late[i];
	char text[1400];
	int n;

	if (i >= r->apps.lates)
		return false;
	n = snprintf(text, sizeof(text), "%llu %u %s%llu ",
		     (unsigned long long)cycle[l->cycle].cycle, l->missed,
		     !l->ended ? "> " : l->at_most ? "< " : "", (unsigned long long)l->ns);
	app_describe(&rec, &r->apps, l, &r->lates, &r->cpu, text + n, sizeof(text) - n);
	if (!strcmp(text, want))
		return true;
	printf("# %s\n", text);
	return false;
}

static bool to_file(const char *dir, const char *name, const void *x,
		    bool (*fn)(FILE *f, const void *x))
{
	char path[512];
	FILE *f;
	bool good;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "we");
	good = f && fn(f, x);
	return f && !fclose(f) && good;
}

static uint64_t state = 1;

static uint32_t below(uint32_t max)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(state >> 33) % max;
}

/* damaged anywhere, it is still walked over inside its bounds */
static bool damage(int rounds)
{
	struct blob b = { .data = malloc(blob.len), .len = blob.len };
	FILE *null = fopen("/dev/null", "we");
	bool good = b.data && null;

	for (int i = 0; i < rounds && good; i++) {
		struct result r;

		memcpy(b.data, blob.data, blob.len);
		b.len = below(8) ? blob.len : below((uint32_t)blob.len + 1);
		for (uint32_t k = below(30); k; k--)
			b.data[below((uint32_t)blob.len)] = (uint8_t)(below(2) ? below(256) : 0xff);
		good = analyse(&b, &r) && perfetto_write(null, &r.x);
		drop(&r);
	}
	free(b.data);
	fclose(null);
	return good;
}

/* whatever was told: its works follow each other, each with inputs that had come */
static bool is_possible(const struct apps *a)
{
	uint64_t free_from = 0, last = 0;

	for (int i = 0; i < CYCLES; i++)
		if (cycle[i].at[KECAT_LAT_WAIT] > last)
			last = cycle[i].at[KECAT_LAT_WAIT];
	for (uint32_t k = 0; k < a->works; k++) {
		const struct app_work *w = &a->work[k];
		uint64_t end = app_end(&rec, a, k);

		if (w->cycle >= CYCLES || w->taken < cycle[w->cycle].at[KECAT_LAT_PUBLISH] ||
		    w->taken < free_from || w->taken > last || end < w->taken)
			return false;
		free_from = end;
	}
	for (uint32_t k = 0; k < a->lates; k++)
		if (a->late[k].cycle >= CYCLES || a->late[k].missed > CYCLES - a->late[k].cycle)
			return false;
	return true;
}

/* of a recording, all that the application's part looks at may be anything */
static bool damage_recording(int rounds)
{
	static struct kecat_record_cycle whole[CYCLES];
	FILE *null = fopen("/dev/null", "we");
	bool good = null;

	memcpy(whole, cycle, sizeof(whole));
	for (int i = 0; i < rounds && good; i++) {
		struct result r;
		char text[64];

		memcpy(cycle, whole, sizeof(whole));
		rec.st.stamps = below(4) ? KECAT_LAT_TOTAL + 1 : 2 + below(KECAT_RECORD_AT - 1);
		for (uint32_t k = below(40); k; k--) {
			struct kecat_record_cycle *c = &cycle[below(CYCLES)];
			__u64 *field[] = {
				&c->cycle, &c->app_cycle, &c->app_taken_ns, &c->app_done_ns,
				&c->at[below(KECAT_RECORD_AT)],
			};

			*field[below(5)] = below(3) ? c->at[below(3)] + below(3 * MS) :
					   below(2) ? below(2) - 1ull : c->cycle + below(9) - 4;
			c->reasons = below(2) ? KECAT_RECORD_ON_APP : ~0u;
		}
		good = analyse(&blob, &r) && perfetto_write(null, &r.x) && is_possible(&r.apps);
		for (uint32_t k = 0; good && k < r.apps.lates; k++)
			app_describe(&rec, &r.apps, &r.apps.late[k], &r.lates, &r.cpu,
				     text, sizeof(text));
		drop(&r);
	}
	memcpy(cycle, whole, sizeof(whole));
	rec.st.stamps = KECAT_LAT_TOTAL + 1;
	fclose(null);
	return good;
}

int main(int argc, char **argv)
{
	struct result r;

	if (argc != 3)
		return 2;
	make();
	check("the trace is read", analyse(&blob, &r));
	check("four phases were late", r.lates.n == 4);
	check("a timer's function is named",
	      says(&r, 0, "200.000 us in timer lab_thief_burn [lab_thief]"));
	check("a process and an interrupt are told apart",
	      says(&r, 1, "30.000 us in evil\"\033[2J; x [666]; 20.000 us in irq 17 eth\"7"));
	check("what nobody explains is said to be so",
	      says(&r, 2, "90.000 us that nothing in the trace explains (SMI, hypervisor or a slow bus access?)"));
	check("also in the last cycle, with which the trace ends",
	      says(&r, 3, "200.000 us in timer lab_thief_burn [lab_thief]"));
	check("the application was late seven times", r.apps.lates == 7);
	check("it had much to do",
	      app_says(&r, 0, "1021 1 440000 with the inputs of cycle 1020: 550.000 us more in its own work"));
	check("and so the next inputs late",
	      app_says(&r, 1, "1022 1 291000 with the inputs of cycle 1021: 401.000 us more until it had the inputs") &&
	      app_says(&r, 2, "1023 1 < 143000 with the inputs of cycle 1022: 252.000 us more until it had the inputs"));
	check("its inputs came late, and the thief is named",
	      app_says(&r, 3, "1031 1 < 91000 with the inputs of cycle 1030: 200.000 us more until the inputs came"
		       " (wake: 200.000 us in timer lab_thief_burn [lab_thief])"));
	check("it did not run",
	      app_says(&r, 4, "1034 2 < 1091000 with the inputs of cycle 1033: 1200.000 us more until it had the inputs"));
	check("when it was done was never told",
	      app_says(&r, 5, "1046 1 < 441000 with the inputs of cycle 1045: 551.000 us more in its own work"));
	check("it is not done to the end",
	      app_says(&r, 6, "1058 2 > 1210000 with the inputs of cycle 1057: 1320.000 us more in its own work"));
	check("exported as a trace", to_file(argv[1], "all.json", &r.x, perfetto_write));
	check("exported as frames", to_file(argv[1], "all.pcapng", &r.x, pcapng_write));
	drop(&r);
	check("a damaged trace does no harm", damage(atoi(argv[2])));
	check("nor does a damaged recording", damage_recording(atoi(argv[2])));
	free(blob.data);
	printf("1..%d\n", n);
	return bad;
}
