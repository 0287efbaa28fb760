// SPDX-License-Identifier: GPL-2.0-only
/* kecat record */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd.h"
#include "file.h"
#include "out.h"
#include "record.h"

#define CYCLES		1000
#define POST		100
#define FRAMES		4000
#define TRACE_KB	4096
#define LATE_NS		20000
#define REPORT_MAX	100

const struct opt record_opts[] = {
	{ "cycles", 'n', "N", "arm: keep so many cycles (1000)" },
	{ "post", 'p', "N", "arm: of these behind the trigger (100)" },
	{ "frames", 0, "N", "arm: keep so many frames (4000; 0: none)" },
	{ "snap", 0, "BYTES", "arm: keep so much of each frame (all)" },
	{ "on", 0, "WHAT,...", "arm: overrun, lost, late, wkc, app, none (overrun,lost,wkc)" },
	{ "over", 0, "PHASE=US,...", "arm: also when a phase, or total, takes longer" },
	{ "holdoff", 0, "N", "arm: no trigger in the first N cycles" },
	{ "no-trace", 0, NULL, "arm: do not have the kernel trace the CPU" },
	{ "trace-kb", 0, "N", "arm: memory for tracing, each CPU (4096)" },
	{ "timeout", 't', "MS", "wait: at most so long (for ever)" },
	{ "late-us", 'l', "US", "report, export: late is so much more than usual (20)" },
	{ "pcapng", 0, "FILE", "export: the frames" },
	{ "perfetto", 0, "FILE", "export: cycles, wire and CPU, for ui.perfetto.dev" },
	{ NULL, 0, NULL, NULL }
};

/* ---- arm ---- */

static const struct { const char *name; uint32_t bit; } triggers[] = {
	{ "overrun", KECAT_RECORD_ON_OVERRUN }, { "lost", KECAT_RECORD_ON_LOST },
	{ "late", KECAT_RECORD_ON_LATE }, { "wkc", KECAT_RECORD_ON_WKC },
	{ "app", KECAT_RECORD_ON_APP }, { "none", 0 },
};

static bool trigger_of(const char *word, struct kecat_record_arm *a)
{
	for (size_t i = 0; i < sizeof(triggers) / sizeof(*triggers); i++)
		if (!strcmp(word, triggers[i].name)) {
			a->triggers |= triggers[i].bit;
			return true;
		}
	return false;
}

static bool limit_of(const char *word, struct kecat_record_arm *a)
{
	const char *eq = strchr(word, '=');
	uint64_t ns;

	for (uint32_t p = 0; eq && p <= KECAT_LAT_TOTAL; p++) {
		const char *name = kecat_phase_name(p);

		if (strlen(name) != (size_t)(eq - word) || strncmp(word, name, eq - word))
			continue;
		if (!parse_us(eq + 1, &ns) || !ns)
			return false;
		a->limit_ns[p] = ns;
		return true;
	}
	return false;
}

/* each word of a list with commas; an exit code */
static int each(struct ctx *c, const char *opt, struct kecat_record_arm *a,
		bool (*fn)(const char *word, struct kecat_record_arm *a))
{
	char *list = strdup(opt_str(c, opt)), *at = list, *word;
	int ret = EXIT_OK;

	while (list && ret == EXIT_OK && (word = strsep(&at, ",")))
		if (!fn(word, a))
			ret = usage_error(c, "option --%s: '%s' is not understood", opt, word);
	free(list);
	return list ? ret : EXIT_FAIL;
}

static int take_number(struct ctx *c, const char *opt, uint64_t max, uint32_t *to)
{
	uint64_t v = *to;

	if (opt_uint(c, opt, max, &v))
		return EXIT_USAGE;
	*to = (uint32_t)v;
	return EXIT_OK;
}

static int read_settings(struct ctx *c, struct kecat_record_arm *a)
{
	*a = (struct kecat_record_arm){
		.cycles = CYCLES, .frames = FRAMES, .snap = KECAT_RECORD_MAX_SNAP,
	};
	if (take_number(c, "cycles", KECAT_RECORD_MAX_CYCLES, &a->cycles))
		return EXIT_USAGE;
	if (!a->cycles)
		return usage_error(c, "option --cycles: at least 1");
	a->post = a->cycles > POST ? POST : a->cycles - 1;
	if (take_number(c, "post", a->cycles - 1, &a->post) ||
	    take_number(c, "frames", KECAT_RECORD_MAX_FRAMES, &a->frames) ||
	    take_number(c, "snap", KECAT_RECORD_MAX_SNAP, &a->snap) ||
	    take_number(c, "holdoff", UINT32_MAX, &a->holdoff))
		return EXIT_USAGE;
	if (!opt_has(c, "on"))
		a->triggers = KECAT_RECORD_ON_OVERRUN | KECAT_RECORD_ON_LOST |
			      KECAT_RECORD_ON_WKC;
	else if (each(c, "on", a, trigger_of))
		return EXIT_USAGE;
	return opt_has(c, "over") ? each(c, "over", a, limit_of) : EXIT_OK;
}

static void begin_trace(struct ctx *c)
{
	uint64_t kb = TRACE_KB;
	struct kecat_status st;
	const char *why = NULL;
	int ret;

	if (opt_has(c, "no-trace") || opt_uint(c, "trace-kb", 1 << 20, &kb)) {
		trace_end(c->master);
		return;
	}
	ret = kecat_get_status(c->k, &st);
	if (!ret && !trace_begin(c->master, st.cpu, (unsigned int)kb, &why)) {
		out_bool("traced", "tracing the CPU %s\n", true, "as well", "");
		return;
	}
	out_bool("traced", NULL, false, "", "");
	out_str("not_traced_because", "without tracing: %s\n", ret ? kecat_strerror(ret) : why);
}

static int do_arm(struct ctx *c)
{
	struct kecat_record_arm a;
	int ret = read_settings(c, &a);

	if (ret)
		return ret;
	ret = open_master(c, KECAT_RDWR);
	if (ret)
		return ret;
	out_begin(c->json);
	/* first: what is traced reaches over all that is recorded */
	begin_trace(c);
	ret = kecat_record_arm(c->k, &a);
	if (ret) {
		trace_end(c->master);
		return fail(c, ret, "arm");
	}
	out_uint("id", "recorder %" PRIu64 " armed", a.id);
	out_uint("cycles", ": the last %" PRIu64 " cycles", a.cycles);
	out_uint("post", ", %" PRIu64 " of them behind the trigger\n", a.post);
	return out_end() ? EXIT_FAIL : EXIT_OK;
}

/* ---- status, wait, freeze, off ---- */

static const char *state_name(uint32_t state)
{
	static const char *const names[] = { "off", "armed", "triggered", "frozen" };

	return state < 4 ? names[state] : "unknown";
}

static void show_state(const struct kecat_record_state *st)
{
	char why[128];

	out_str("state", "%s\n", state_name(st->state));
	if (st->state == KECAT_RECORD_OFF)
		return;
	out_uint("id", "recorder %" PRIu64 "\n", st->id);
	out_uint("have_cycles", "cycles   %" PRIu64, st->have_cycles);
	out_uint("cycles", " of %" PRIu64, st->cycles);
	out_uint("post", ", %" PRIu64 " behind the trigger\n", st->post);
	out_uint("have_frames", "frames   %" PRIu64, st->have_frames);
	out_uint("frames", " of %" PRIu64, st->frames);
	out_uint("snap", ", up to %" PRIu64 " bytes\n", st->snap);
	kecat_record_reasons(st->triggers, why, sizeof(why));
	out_str("triggers", "triggers %s\n", why);
	out_open("limits", '[');
	for (uint32_t p = 0; p <= KECAT_LAT_TOTAL; p++) {
		if (!st->limit_ns[p])
			continue;
		out_open(NULL, '{');
		out_str("phase", "         %s", kecat_phase_name(p));
		out_ns("ns", " over %s us\n", st->limit_ns[p]);
		out_close();
	}
	out_close();
	if (st->state < KECAT_RECORD_TRIGGERED)
		return;
	kecat_record_reasons(st->reasons, why, sizeof(why));
	out_str("reason", "by       %s", why);
	out_uint("trigger_cycle", " in cycle %" PRIu64, st->trigger_cycle);
	if (st->phase <= KECAT_LAT_TOTAL) {
		out_str("phase", ": %s", kecat_phase_name(st->phase));
		out_ns("value_ns", " %s us", st->value_ns);
	}
	out_text("\n");
}

static int do_status(struct ctx *c)
{
	struct kecat_record_state st;
	int ret = open_master(c, KECAT_RDONLY);

	if (ret)
		return ret;
	ret = kecat_record_get_state(c->k, &st);
	if (ret)
		return fail(c, ret, "recorder");
	out_begin(c->json);
	show_state(&st);
	return out_end() ? EXIT_FAIL : EXIT_OK;
}

/* functions of modules have names as long as the modules are there */
static void take_early(struct ctx *c, uint64_t id)
{
	struct blob b;
	const char *why;

	if (!trace_take(c->master, id, &b, &why))
		free(b.data);
}

static int do_wait(struct ctx *c)
{
	uint64_t ms = UINT64_MAX;
	struct kecat_record_state st;
	int ret;

	if (opt_uint(c, "timeout", UINT64_MAX, &ms))
		return EXIT_USAGE;
	ret = open_master(c, KECAT_RDONLY);
	if (ret)
		return ret;
	ret = kecat_record_wait(c->k, ms, &st);
	if (ret == -ETIMEDOUT) {
		error("nothing froze the recorder within %" PRIu64 " ms", ms);
		return EXIT_CHECK;
	}
	if (ret == -ENOENT) {
		error("the recorder is off: kecat record arm");
		return EXIT_FAIL;
	}
	if (ret)
		return fail(c, ret, "recorder");
	take_early(c, st.id);
	out_begin(c->json);
	show_state(&st);
	return out_end() ? EXIT_FAIL : EXIT_OK;
}

static int do_freeze(struct ctx *c)
{
	int ret = open_master(c, KECAT_RDWR);

	if (ret)
		return ret;
	ret = kecat_record_freeze(c->k);
	if (ret == -ENOENT) {
		error("the recorder is off: kecat record arm");
		return EXIT_FAIL;
	}
	return ret ? fail(c, ret, "freeze") : EXIT_OK;
}

static int do_off(struct ctx *c)
{
	struct kecat_record_arm off = { 0 };
	int ret = open_master(c, KECAT_RDWR);

	if (ret)
		return ret;
	trace_end(c->master);
	ret = kecat_record_arm(c->k, &off);
	return ret ? fail(c, ret, "off") : EXIT_OK;
}

/* ---- report, export ---- */

struct all {
	struct kecat_recording rec;
	struct blob blob;
	struct evs evs;
	struct cpu_time cpu;
	bool traced;
	struct lates lates;
	struct apps apps;
	struct export x;
};

static int64_t realtime_offset(void)
{
	struct timespec r, m;

	clock_gettime(CLOCK_MONOTONIC, &m);
	clock_gettime(CLOCK_REALTIME, &r);
	return (int64_t)(r.tv_sec - m.tv_sec) * 1000000000 + r.tv_nsec - m.tv_nsec;
}

static int analyse(struct ctx *c, struct all *a)
{
	uint64_t late = LATE_NS;
	uint32_t n = a->rec.st.have_cycles;
	int ret;

	if (opt_us(c, "late-us", &late))
		return EXIT_USAGE;
	a->x = (struct export){
		.master = c->master, .rec = &a->rec, .lates = &a->lates, .apps = &a->apps,
		.cpu_number = n ? a->rec.cycle[n - 1].cpu : 0, .realtime = realtime_offset(),
	};
	ret = trace_take(c->master, a->rec.st.id, &a->blob, &a->x.why_no_trace);
	if (!ret)
		ret = evs_read(&a->blob, &a->evs);
	if (!ret && a->evs.n) {
		ret = cpu_time_build(&a->blob, &a->evs, a->x.cpu_number, &a->rec, &a->cpu);
		if (!ret)
			a->x.cpu = &a->cpu;
	} else if (!ret && !a->x.why_no_trace) {
		a->x.why_no_trace = "the trace is empty";
	}
	if (!ret)
		ret = lates_find(&a->rec, a->x.cpu, late, &a->lates);
	if (!ret)
		ret = apps_find(&a->rec, &a->apps);
	return ret ? fail(c, ret, "trace") : EXIT_OK;
}

static int load(struct ctx *c, struct all *a)
{
	int ret = open_master(c, KECAT_RDONLY);

	memset(a, 0, sizeof(*a));
	if (ret)
		return ret;
	ret = kecat_record_read(c->k, &a->rec);
	if (ret == -ENOENT || ret == -EBUSY) {
		error(ret == -EBUSY ? "the recorder is not frozen yet: kecat record wait, or kecat record freeze" :
		      "the recorder is off: kecat record arm");
		return EXIT_FAIL;
	}
	if (ret)
		return fail(c, ret, "recorder");
	return analyse(c, a);
}

static void unload(struct all *a)
{
	kecat_record_free(&a->rec);
	free(a->blob.data);
	free(a->evs.ev);
	cpu_time_free(&a->cpu);
	free(a->lates.late);
	apps_free(&a->apps);
}

static void show_thieves(const struct all *a, const struct late *l)
{
	out_bool("traced", NULL, l->traced, "", "");
	out_open("thieves", '[');
	for (int i = 0; i < THIEVES && l->thief[i].ns; i++) {
		out_open(NULL, '{');
		out_str("name", NULL, a->cpu.name[l->thief[i].name]);
		out_ns("ns", NULL, l->thief[i].ns);
		out_close();
	}
	out_close();
	out_ns("unexplained_ns", NULL, l->open_ns);
}

static void show_late(const struct all *a, const struct late *l)
{
	char text[512];

	out_open(NULL, '{');
	out_uint("cycle", "cycle %" PRIu64, a->rec.cycle[l->cycle].cycle);
	out_str("phase", ": %s", kecat_phase_name(l->phase));
	out_ns("late_ns", " %s us late: ", l->ns);
	late_describe(l, a->x.cpu, text, sizeof(text));
	out_str("text", "%s\n", text);
	show_thieves(a, l);
	out_close();
}

static void show_app_late(const struct all *a, const struct app_late *l)
{
	char text[1024];

	out_open(NULL, '{');
	out_uint("cycle", "cycle %" PRIu64, a->rec.cycle[l->cycle].cycle);
	out_uint("missed", l->missed > 1 ? ": no outputs of the application in %" PRIu64 " cycles" :
		 NULL, l->missed);
	out_text("%s", l->missed > 1 ? "" : ": no outputs of the application");
	out_bool("ended", NULL, l->ended, "", "");
	out_bool("at_most", NULL, l->at_most, "", "");
	out_ns("late_ns", l->work >= a->apps.works ? NULL : !l->ended ? ", %s us late so far" :
	       l->at_most ? ", at most %s us late" : ", %s us late", l->ns);
	app_describe(&a->rec, &a->apps, l, &a->lates, a->x.cpu, text, sizeof(text));
	out_str("text", ": %s\n", text);
	out_ns("inputs_ns", NULL, l->more.came);
	out_ns("to_app_ns", NULL, l->more.taken);
	out_ns("app_ns", NULL, l->more.worked);
	out_close();
}

static void show_app(const struct all *a, bool all)
{
	uint32_t n = a->apps.lates > REPORT_MAX && !all ? REPORT_MAX : a->apps.lates;

	out_open("app_late", '[');
	for (uint32_t i = 0; i < n; i++)
		show_app_late(a, &a->apps.late[i]);
	out_close();
	if (n < a->apps.lates)
		out_text("and %u more of the application\n", a->apps.lates - n);
	out_open("app_usual", '{');
	out_ns("inputs_ns", NULL, a->apps.usual.came);
	out_ns("to_app_ns", NULL, a->apps.usual.taken);
	out_ns("app_ns", NULL, a->apps.usual.worked);
	out_close();
}

static int do_report(struct ctx *c)
{
	struct all a;
	size_t n;
	int ret = load(c, &a);

	if (ret)
		goto out;
	n = a.lates.n > REPORT_MAX && !c->json ? REPORT_MAX : a.lates.n;
	out_begin(c->json);
	show_state(&a.rec.st);
	out_str("not_traced_because", a.x.why_no_trace ? "without tracing: %s\n" : NULL,
		a.x.why_no_trace ? a.x.why_no_trace : "");
	out_open("late", '[');
	for (size_t i = 0; i < n; i++)
		show_late(&a, &a.lates.late[i]);
	out_close();
	if (n < a.lates.n)
		out_text("and %zu more\n", a.lates.n - n);
	if (!a.lates.n)
		out_text("no phase of any cycle was late\n");
	show_app(&a, c->json);
	ret = out_end() ? EXIT_FAIL : EXIT_OK;
out:
	unload(&a);
	return ret;
}

static int export_one(struct ctx *c, const struct all *a, const char *opt,
		      bool (*fn)(FILE *f, const void *x))
{
	int ret = 0;

	if (opt_has(c, opt))
		ret = file_write(opt_str(c, opt), fn, &a->x);
	if (!ret)
		return EXIT_OK;
	error("%s: %s", opt_str(c, opt), strerror(-ret));
	return EXIT_FAIL;
}

static int do_export(struct ctx *c)
{
	struct all a;
	int ret;

	if (!opt_has(c, "pcapng") && !opt_has(c, "perfetto"))
		return usage_error(c, "export what: --pcapng FILE, --perfetto FILE");
	ret = load(c, &a);
	if (!ret)
		ret = export_one(c, &a, "pcapng", pcapng_write);
	if (!ret)
		ret = export_one(c, &a, "perfetto", perfetto_write);
	if (!ret) {
		out_begin(c->json);
		out_uint("cycles", "%" PRIu64 " cycles", a.rec.st.have_cycles);
		out_uint("frames", ", %" PRIu64 " frames", a.rec.st.have_frames);
		out_uint("events", ", %" PRIu64 " events of the CPU\n", a.evs.n);
		out_str("not_traced_because", a.x.why_no_trace ? "without tracing: %s\n" : NULL,
			a.x.why_no_trace ? a.x.why_no_trace : "");
		ret = out_end() ? EXIT_FAIL : EXIT_OK;
	}
	unload(&a);
	return ret;
}

int cmd_record(struct ctx *c, int argc, char **argv)
{
	static const struct { const char *name; int (*fn)(struct ctx *c); } words[] = {
		{ "arm", do_arm }, { "status", do_status }, { "wait", do_wait },
		{ "freeze", do_freeze }, { "off", do_off }, { "report", do_report },
		{ "export", do_export },
	};

	if (argc != 1)
		return usage_error(c, argc ? "too many arguments" : "what of the recorder?");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(argv[0], words[i].name))
			return words[i].fn(c);
	return usage_error(c, "no such word: '%s'", argv[0]);
}
