// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tasks of one CPU, a line each:
 *	PID COMM STATE KTHREAD POLICY BOUND SWITCHES
 * KTHREAD and BOUND are 0 or 1; BOUND: it may run nowhere else; SWITCHES: how
 * often it got the CPU, of bound kernel threads only.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor.h"
#include "tree.h"

#define PF_KTHREAD	0x00200000

struct task {
	char comm[40];
	char state;
	unsigned int flags;
	int cpu, policy;
};

/* The name may hold anything, parentheses too: it ends at the last one */
static bool parse_stat(struct task *t, const char *text)
{
	const char *name = strchr(text, '('), *s = strrchr(text, ')');
	size_t n = 0;

	if (!name || !s || s < name || s[1] != ' ' || !s[2])
		return false;
	for (name++; name < s && n + 1 < sizeof(t->comm); name++)
		t->comm[n++] = isgraph((unsigned char)*name) ? *name : '_';
	t->comm[n] = '\0';
	t->state = s[2];
	s += 2;
	for (int field = 3; field < 41 && s; field++) {
		if (field == 9)
			t->flags = strtoul(s, NULL, 10);
		if (field == 39)
			t->cpu = atoi(s);
		s = strchr(s, ' ');
		s = s ? s + 1 : NULL;
	}
	if (!s)
		return false;
	t->policy = atoi(s);
	return true;
}

static bool read_task(struct task *t, const char *path)
{
	char *text = tree_read("%s/stat", path);
	bool good = text && parse_stat(t, text);

	free(text);
	return good;
}

static const char *status_line(const char *status, const char *key)
{
	const char *s = strstr(status, key);

	return s ? s + strlen(key) + strspn(s + strlen(key), " \t") : "";
}

static void print_task(FILE *out, const char *pid, const struct task *t, const char *path,
		       unsigned int cpu)
{
	char *status = tree_read("%s/status", path), list[64];
	bool kthread = t->flags & PF_KTHREAD, bound;
	unsigned long switches = 0;

	if (!status)
		return;
	snprintf(list, sizeof(list), "%.60s", status_line(status, "Cpus_allowed_list:"));
	list[strcspn(list, "\n")] = '\0';
	bound = *list && strspn(list, "0123456789") == strlen(list) &&
		strtoul(list, NULL, 10) == cpu;
	if (kthread && bound)
		switches = strtoul(status_line(status, "\nvoluntary_ctxt_switches:"), NULL, 10) +
			strtoul(status_line(status, "\nnonvoluntary_ctxt_switches:"), NULL, 10);
	fprintf(out, "%s %s %c %d %d %d %lu\n", pid, t->comm, t->state, kthread, t->policy,
		bound, switches);
	free(status);
}

static void print_threads(FILE *out, const char *pid, unsigned int cpu)
{
	char path[TREE_PATH], **tids;
	int n = tree_names(&tids, "proc/%s/task", pid);

	for (int i = 0; i < n; i++) {
		struct task t;

		snprintf(path, sizeof(path), "proc/%s/task/%s", pid, tids[i]);
		if (read_task(&t, path) && t.cpu == (int)cpu)
			print_task(out, tids[i], &t, path, cpu);
	}
	if (n >= 0)
		tree_free_names(tids, n);
}

char *tasks_text(unsigned int cpu)
{
	char **pids, *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	int n = tree_names(&pids, "proc");

	if (!out)
		return NULL;
	for (int i = 0; i < n; i++)
		if (isdigit((unsigned char)*pids[i]) &&
		    !(tree_live() && atol(pids[i]) == getpid()))
			print_threads(out, pids[i], cpu);
	if (n >= 0)
		tree_free_names(pids, n);
	if (fclose(out) || n < 0) {
		free(text);
		return NULL;
	}
	return text;
}

static bool is_cycle(const struct task *t)
{
	return t->flags & PF_KTHREAD && !strncmp(t->comm, "kecat", 5) && t->comm[5] &&
	       strspn(t->comm + 5, "0123456789") == strlen(t->comm + 5);
}

int tasks_cycle_cpu(void)
{
	char path[TREE_PATH], **pids;
	int n = tree_names(&pids, "proc"), cpu = -1;

	for (int i = 0; i < n && cpu < 0; i++) {
		struct task t;

		snprintf(path, sizeof(path), "proc/%s", pids[i]);
		if (isdigit((unsigned char)*pids[i]) && read_task(&t, path) && is_cycle(&t) &&
		    t.cpu >= 0 && t.cpu < CPUS_MAX)
			cpu = t.cpu;
	}
	if (n >= 0)
		tree_free_names(pids, n);
	return cpu;
}

bool tasks_running(const char *name)
{
	char path[TREE_PATH], **pids;
	int n = tree_names(&pids, "proc");
	bool yes = false;

	for (int i = 0; i < n && !yes; i++) {
		struct task t;

		snprintf(path, sizeof(path), "proc/%s", pids[i]);
		yes = isdigit((unsigned char)*pids[i]) && read_task(&t, path) &&
		      !strcmp(t.comm, name);
	}
	if (n >= 0)
		tree_free_names(pids, n);
	return yes;
}
