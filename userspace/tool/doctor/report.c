// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../cmd.h"
#include "../out.h"
#include "doctor.h"

static const char *const words[] = {
	[PASS] = "pass", [WARN] = "warn", [FAIL] = "fail", [SKIP] = "skip",
};

static void show_remedies(const struct finding *f)
{
	out_open("fixed", '[');
	for (int i = 0; i < f->remedies; i++) {
		const struct remedy *r = &f->remedy[i];
		bool port = !strncmp(r->path, "ethtool/", 8);

		out_open(NULL, '{');
		out_bool("done", "              %s", !r->result, "done: ", "NOT done: ");
		out_str("value", "%s", r->value);
		out_text(port ? " -> %s" : " -> /%s", out_clean(r->path));
		out_str("target", NULL, r->path);
		if (r->result)
			out_str("error", ": %s", strerror(-r->result));
		out_text("\n");
		out_close();
	}
	out_close();
}

/* Is there nothing to say of a whole group but why? */
static bool all_skipped(const struct row *rows, int n)
{
	for (int i = 0; i < n && !strcmp(rows[i].group, rows->group); i++)
		if (rows[i].now.verdict != SKIP || strcmp(rows[i].now.read, rows->now.read))
			return false;
	return true;
}

static void show_row(const struct row *r, bool fixed)
{
	const struct finding *f = &r->now, *first = &r->first;
	bool bad = first->verdict == WARN || first->verdict == FAIL;

	out_open(NULL, '{');
	out_str("group", NULL, r->group);
	out_str("id", NULL, r->check->id);
	out_str("title", NULL, r->check->title);
	out_str("verdict", "  %s", words[f->verdict]);
	out_str(NULL, "  %-18s", r->check->id);
	out_str("read", " %s\n", f->read);
	if (fixed && bad && f->verdict != first->verdict)
		out_str("was", "              was: %s", words[first->verdict]);
	if (fixed && bad && f->verdict != first->verdict)
		out_str("was_read", ", %s\n", first->read);
	out_str("why", bad ? "              %s\n" : NULL, r->check->why);
	if (f->mend[0] && f->verdict != PASS)
		out_str("mend", "              mend: %s\n", f->mend);
	if (fixed && bad && first->remedies)
		show_remedies(first);
	else if (fixed && bad)
		out_text("              not done: nothing that is safe while the machine runs\n");
	out_close();
}

static void show_subject(const struct exam *e)
{
	if (e->cpu >= 0) {
		out_int("cpu", "CPU %" PRId64, e->cpu);
		out_str("cpu_from", " (%s)", e->cpu_from);
	} else {
		out_text("no CPU");
	}
	if (e->port.pci[0])
		out_str("pci", ", port %s", e->port.pci);
	if (e->port.ifname[0])
		out_str("interface", e->port.pci[0] ? " %s" : ", port %s", e->port.ifname);
	if (e->port.driver[0])
		out_str("driver", " (%s)", e->port.driver);
	out_text("\n");
}

static void show_cmdline(const struct exam *e)
{
	char line[CMDLINE_LEN];

	cmdline_merge(e, line, sizeof(line));
	if (!e->boots)
		return;
	out_text("\nKernel command line with all of it (Debian: GRUB_CMDLINE_LINUX in /etc/default/grub, update-grub):\n");
	/* longer than what out_clean() takes in one piece */
	out_str("cmdline", NULL, line);
	out_text("  ");
	for (size_t at = 0; at < strlen(line); at += 100) {
		char piece[101];

		snprintf(piece, sizeof(piece), "%.100s", line + at);
		out_str(NULL, "%s", piece);
	}
	out_text("\n");
}

int report(const struct exam *e, const struct row *rows, int n, bool json, bool fixed)
{
	unsigned int count[4] = { 0 };
	const char *group = "";
	bool silent = false;

	out_begin(json);
	show_subject(e);
	out_open("rows", '[');
	for (int i = 0; i < n; i++) {
		if (strcmp(group, rows[i].group)) {
			group = rows[i].group;
			silent = !json && all_skipped(&rows[i], n - i);
			out_text("%s%s%s\n", group, silent ? ": " : "",
				 silent ? out_clean(rows[i].now.read) : "");
		}
		if (!silent)
			show_row(&rows[i], fixed);
		count[rows[i].now.verdict]++;
	}
	out_close();
	show_cmdline(e);
	out_uint("pass", "\n%" PRIu64 " pass", count[PASS]);
	out_uint("warn", ", %" PRIu64 " warn", count[WARN]);
	out_uint("fail", ", %" PRIu64 " fail", count[FAIL]);
	out_uint("skip", ", %" PRIu64 " skip\n", count[SKIP]);
	return out_end();
}
