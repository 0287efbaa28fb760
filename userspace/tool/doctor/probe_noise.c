// SPDX-License-Identifier: GPL-2.0-only
/* Who else wants the CPU: interrupts, soft interrupts, tasks, work. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "tree.h"

#define NOT_FAIR(policy) ((policy) == 1 || (policy) == 2 || (policy) == 6)
#define RATE		10	/* a second: what a quiet CPU stays below */
#define NAMES_LEN	200

static const char *next_line(const char *s)
{
	s = strchr(s, '\n');
	return s && s[1] ? s + 1 : NULL;
}

/* The column of a CPU in a table whose first line names them, -1: none */
static int column_of(const char *table, int cpu)
{
	char name[16];
	int column = 0;

	snprintf(name, sizeof(name), "CPU%d", cpu);
	for (const char *s = table; *s && *s != '\n'; column++) {
		size_t n;

		s += strspn(s, " \t");
		n = strcspn(s, " \t\n");
		if (!n)
			break;
		if (n == strlen(name) && !strncmp(s, name, n))
			return column;
		s += n;
	}
	return -1;
}

/* "LABEL: n n n": the number in @column; false if the line has none such */
static bool cell(const char *line, int column, char label[16], uint64_t *v)
{
	const char *colon;
	char *end;

	line += strspn(line, " \t");
	colon = strpbrk(line, ":\n");
	if (!colon || *colon != ':')
		return false;
	snprintf(label, 16, "%.*s", (int)(colon - line), line);
	line = colon + 1;
	for (int i = 0;; i++, line = end) {
		line += strspn(line, " \t");
		if (!isdigit((unsigned char)*line))
			return false;
		*v = strtoull(line, &end, 10);
		if (i == column)
			return true;
	}
}

static uint64_t cell_of(const char *table, int column, const char *wanted)
{
	char label[16];
	uint64_t v;

	for (const char *s = table; s; s = next_line(s))
		if (cell(s, column, label, &v) && !strcmp(label, wanted))
			return v;
	return 0;
}

static void add_name(char names[NAMES_LEN], const char *fmt, const char *name, uint64_t n)
{
	size_t len = strlen(names);

	if (len + 40 > NAMES_LEN)
		return;
	if (len)
		len += sprintf(names + len, ", ");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(names + len, NAMES_LEN - len, fmt, name, n);
#pragma GCC diagnostic pop
}

/*
 * What grew between the two looks by more than @least, of the lines that @wanted
 * takes: the sum, and names with counts.  -1: no two looks.
 */
static int64_t growth(char *const look[2], int cpu, bool (*wanted)(const char *label),
		      uint64_t least, char names[NAMES_LEN])
{
	int column = look[0] && look[1] ? column_of(look[0], cpu) : -1;
	char label[16];
	uint64_t now;
	int64_t sum = 0;

	*names = '\0';
	if (column < 0 || column_of(look[1], cpu) != column)
		return -1;
	for (const char *s = look[1]; s; s = next_line(s)) {
		uint64_t before;

		if (!cell(s, column, label, &now) || !wanted(label))
			continue;
		before = cell_of(look[0], column, label);
		if (now <= before + least)
			continue;
		sum += now - before;
		add_name(names, "%s %" PRIu64, label, now - before);
	}
	return sum;
}

static bool is_device(const char *label)
{
	return isdigit((unsigned char)*label);
}

/* LOC is our own timer, MCP polls machine checks */
static bool is_ipi(const char *label)
{
	static const char *const names[] = {
		"NMI", "PMI", "IWI", "RES", "CAL", "TLB", "MCE", "THR", "TRM", NULL
	};

	for (int i = 0; names[i]; i++)
		if (!strcmp(label, names[i]))
			return true;
	return false;
}

static bool is_any(const char *label)
{
	return *label;
}

static void no_looks(struct finding *f, const char *path, char *const look[2])
{
	if (!look[0])
		found(f, SKIP, "/%s is not readable", path);
	else
		found(f, SKIP, "needs two looks at /%s: --seconds", path);
}

/* CPUs that do other work than this one */
static void housekeeping(const struct exam *e, struct cpus *c)
{
	char text[128];
	struct cpus isolated;

	*c = e->online;
	if (!tree_line(text, sizeof(text), "sys/devices/system/cpu/isolated") &&
	    cpus_list(&isolated, text))
		cpus_remove(c, &isolated);
	cpus_set(c, e->cpu, false);
	if (cpus_first(c) < 0) {	/* all others are isolated */
		*c = e->online;
		cpus_set(c, e->cpu, false);
	}
	if (cpus_first(c) < 0)	/* there is no other */
		cpus_set(c, 0, true);
}

/* Does somebody use this interrupt?  Its directory has one of its user's name */
static bool has_user(const char *irq, char name[40])
{
	static const char *const own[] = {
		"affinity_hint", "effective_affinity", "effective_affinity_list", "node",
		"smp_affinity", "smp_affinity_list", "spurious", NULL
	};
	char path[TREE_PATH], **names;
	int n = tree_names(&names, "proc/irq/%s", irq);

	*name = '\0';
	for (int i = 0; i < n && !*name; i++) {
		bool file = false;

		for (int k = 0; own[k]; k++)
			file |= !strcmp(names[i], own[k]);
		if (file)
			continue;
		snprintf(name, 40, "%.39s", names[i]);
		snprintf(path, sizeof(path), "proc/irq/%s/%s", irq, names[i]);
		tree_keep(path, "", 0);
	}
	if (n >= 0)
		tree_free_names(names, n);
	return *name;
}

static bool irq_comes(const struct exam *e, const char *irq, const char *file)
{
	char text[128];
	struct cpus c;

	return !tree_line(text, sizeof(text), "proc/irq/%s/%s", irq, file) &&
	       cpus_list(&c, text) && cpus_has(&c, e->cpu);
}

static void mend_irqs(struct finding *f, const char *irqs, const char *list)
{
	mend(f, "for i in %s; do echo %s >/proc/irq/$i/smp_affinity_list; done", irqs, list);
}

/* Those that the kernel manages itself refuse to be moved; the boot parameter helps */
void probe_affinity(struct exam *e, struct finding *f)
{
	char here[NAMES_LEN] = "", all[NAMES_LEN] = "", name[40], list[64], **irqs;
	int n = tree_names(&irqs, "proc/irq"), may = 0;
	struct cpus rest;

	if (n < 0) {
		unreadable(f, "proc/irq", n);
		return;
	}
	housekeeping(e, &rest);
	cpus_format(&rest, list, sizeof(list));
	for (int i = 0; i < n; i++) {
		size_t len = strlen(all), used = strlen(here);

		if (!is_device(irqs[i]) || !has_user(irqs[i], name) ||
		    !irq_comes(e, irqs[i], "smp_affinity_list"))
			continue;
		if (irq_comes(e, irqs[i], "effective_affinity_list"))
			snprintf(here + used, sizeof(here) - used, "%s%s (%s)",
				 used ? ", " : "", irqs[i], name);
		may++;
		snprintf(all + len, sizeof(all) - len, "%s%s", len ? " " : "", irqs[i]);
		remedy(f, list, "proc/irq/%s/smp_affinity_list", irqs[i]);
	}
	tree_free_names(irqs, n);
	if (!may)
		found(f, PASS, "none");
	else if (*here)
		found(f, FAIL, "these do: %s", here);
	else
		found(f, WARN, "%d may, none does now", may);
	if (!may)
		return;
	mend_irqs(f, all, list);
	mend_boot(e, f, "irqaffinity=%s", list);
}

void probe_interrupts(struct exam *e, struct finding *f)
{
	char names[NAMES_LEN];
	int64_t n = growth(e->interrupts, e->cpu, is_device, 0, names);

	if (n < 0) {
		no_looks(f, "proc/interrupts", e->interrupts);
		return;
	}
	found(f, n ? FAIL : PASS, n ? "IRQ and number: %s" : "none%s", names);
	if (n)
		mend(f, "echo LIST >/proc/irq/N/smp_affinity_list, as row irq-affinity says");
}

void probe_ipis(struct exam *e, struct finding *f)
{
	char names[NAMES_LEN];
	int64_t n = growth(e->interrupts, e->cpu, is_ipi, (uint64_t)RATE * e->seconds, names);

	if (n < 0) {
		no_looks(f, "proc/interrupts", e->interrupts);
		return;
	}
	found(f, n ? WARN : PASS, n ? "in %2$u s: %1$s" : "fewer than 10 a second%s", names,
	      e->seconds);
	if (n)
		mend(f, "isolate the CPU (row isolated); perf record -e irq_vectors:* -C %d says who", e->cpu);
}

void probe_softirqs(struct exam *e, struct finding *f)
{
	char names[NAMES_LEN];
	int64_t n = growth(e->softirqs, e->cpu, is_any, (uint64_t)RATE * e->seconds, names);

	if (n < 0) {
		no_looks(f, "proc/softirqs", e->softirqs);
		return;
	}
	found(f, n ? WARN : PASS, n ? "in %2$u s: %1$s" : "fewer than 10 a second%s", names,
	      e->seconds);
	if (n)
		mend(f, "isolate the CPU and move its interrupts away (rows isolated, nohz-full, irq-affinity)");
}

/* ---- tasks, one a line; see tasks.c ---- */

struct task_line {
	long pid;
	char comm[40], state;
	int kthread, policy, bound;
	unsigned long switches;
};

static bool parse_task(const char *s, struct task_line *t)
{
	return sscanf(s, "%ld %39s %c %d %d %d %lu", &t->pid, t->comm, &t->state, &t->kthread,
		      &t->policy, &t->bound, &t->switches) == 7;
}

static bool find_task(const char *text, long pid, struct task_line *t)
{
	for (; text && *text; text = next_line(text))
		if (parse_task(text, t) && t->pid == pid)
			return true;
	return false;
}

static bool is_cycle(const struct task_line *t)
{
	return t->kthread && !strncmp(t->comm, "kecat", 5) && isdigit((unsigned char)t->comm[5]);
}

static bool runs(const struct task_line *t)
{
	return t->state == 'R' && !is_cycle(t);
}

/* Runnable at both looks: one that was caught awake once is no offender */
void probe_runnable(struct exam *e, struct finding *f)
{
	char names[NAMES_LEN] = "";
	struct task_line t, then;

	if (!e->tasks[0] || !e->tasks[1]) {
		no_looks(f, "proc/PID/stat", e->tasks);
		return;
	}
	for (const char *s = e->tasks[1]; s && *s; s = next_line(s)) {
		if (!parse_task(s, &t) || !runs(&t) || !find_task(e->tasks[0], t.pid, &then) ||
		    !runs(&then))
			continue;
		add_name(names, "%s (%" PRIu64 ")", t.comm, t.pid);
		if (strlen(f->mend) < MEND_LEN / 2)
			mend(f, t.bound && t.kthread ? "find out what keeps %s busy" :
			     "move %s away: taskset -p or its unit's CPUAffinity", t.comm);
	}
	found(f, *names ? FAIL : PASS, "%s", *names ? names : "none");
}

/* Of ordinary tasks, and of real-time ones that are no kernel threads */
void probe_guests(struct exam *e, struct finding *f)
{
	char names[NAMES_LEN] = "";
	struct task_line t;
	int n = 0;

	if (!e->tasks[0]) {
		no_looks(f, "proc/PID/stat", e->tasks);
		return;
	}
	for (const char *s = e->tasks[0]; s && *s; s = next_line(s)) {
		if (!parse_task(s, &t) || t.kthread || runs(&t) || NOT_FAIR(t.policy))
			continue;
		add_name(names, "%s", t.comm, 0);
		n++;
	}
	found(f, n ? WARN : PASS, n ? "%d: %s" : "none", n, names);
	if (n)
		mend(f, "isolate the CPU (row isolated); taskset -p for those that are bound to it");
}

void probe_ksoftirqd(struct exam *e, struct finding *f)
{
	static const char *const threads[] = { "ksoftirqd/", "ktimers/", "rcuc/", NULL };
	char names[NAMES_LEN] = "";
	struct task_line t, then;

	if (!e->tasks[0] || !e->tasks[1]) {
		no_looks(f, "proc/PID/status", e->tasks);
		return;
	}
	for (const char *s = e->tasks[1]; s && *s; s = next_line(s)) {
		bool one = false;

		if (!parse_task(s, &t) || !t.kthread || !t.bound)
			continue;
		for (int i = 0; threads[i]; i++)
			one |= !strncmp(t.comm, threads[i], strlen(threads[i]));
		if (one && find_task(e->tasks[0], t.pid, &then) &&
		    t.switches > then.switches + (unsigned long)RATE * e->seconds)
			add_name(names, "%s woke %" PRIu64 " times", t.comm,
				 t.switches - then.switches);
	}
	found(f, *names ? WARN : PASS, "%s", *names ? names : "they sleep");
	if (*names)
		mend(f, "rows softirqs and gro-flush-timeout say what wakes them");
}

void probe_workqueues(struct exam *e, struct finding *f)
{
	static const char path[] = "sys/devices/virtual/workqueue/cpumask";
	char text[1200], want[64];
	struct cpus c;
	int ret = tree_line(text, sizeof(text), "%s", path);

	if (ret || !cpus_mask(&c, text)) {
		unreadable(f, path, ret ? ret : -EINVAL);
		return;
	}
	found(f, cpus_has(&c, e->cpu) ? FAIL : PASS, "unbound work on CPUs of mask %.64s", text);
	if (f->verdict == PASS)
		return;
	housekeeping(e, &c);
	cpus_format_mask(&c, want, sizeof(want));
	mend_write(f, true, want, "%s", path);
}

/* By itself it leaves isolated CPUs alone */
void probe_irqbalance(struct exam *e, struct finding *f)
{
	char text[128], *conf = tree_read("etc/default/irqbalance"), *s, list[64];
	bool banned = false;
	struct cpus c;

	if (!tree_line(text, sizeof(text), "sys/devices/system/cpu/isolated") &&
	    cpus_list(&c, text) && cpus_has(&c, e->cpu))
		banned = true;
	s = conf ? strstr(conf, "\nIRQBALANCE_BANNED_CPULIST=") : NULL;
	if (s) {
		s = strchr(s, '=') + 1;
		snprintf(list, sizeof(list), "%.*s", (int)strcspn(s + (*s == '"'), "\"\n"),
			 s + (*s == '"'));
		banned |= cpus_list(&c, list) && cpus_has(&c, e->cpu);
	}
	free(conf);
	if (!tasks_running("irqbalance")) {
		found(f, PASS, "does not run");
		return;
	}
	found(f, banned ? PASS : FAIL, banned ? "runs, leaves CPU %d alone" :
	      "runs, and CPU %d is not banned", e->cpu);
	if (!banned)
		mend(f, "systemctl disable --now irqbalance; or IRQBALANCE_BANNED_CPULIST=%d in /etc/default/irqbalance",
		     e->cpu);
}
