// SPDX-License-Identifier: GPL-2.0-only
/* kecat events */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "out.h"

#define BATCH 64

const struct opt events_opts[] = {
	{ "follow", 'f', NULL, "wait for more until interrupted" },
	{ NULL, 0, NULL, NULL }
};

/* whom the event is about */
static void show_subject(const struct kecat_event *ev)
{
	bool group = ev->type == KECAT_EV_WKC || ev->type == KECAT_EV_WKC_OK;

	if (group)
		out_uint("group", NULL, ev->position);
	if (ev->position == KECAT_ALL || group)
		out_text("%-10s", "");
	else
		out_uint("position", "slave %-4" PRIu64, ev->position);
}

static void show_event(const struct kecat_event *ev)
{
	char text[256];

	kecat_event_describe(ev, text, sizeof(text));
	out_open(NULL, '{');
	out_uint("seq", "%6" PRIu64, ev->seq);
	out_text(" %8" PRIu64 ".%06" PRIu64, (uint64_t)ev->time_ns / 1000000000,
		 (uint64_t)ev->time_ns / 1000 % 1000000);
	out_uint("time_ns", NULL, ev->time_ns);
	out_uint("cycle", ev->cycle ? "  cycle %-10" PRIu64 : NULL, ev->cycle);
	if (!ev->cycle)
		out_text("%18s", "");
	out_str("type", "  %-14s", kecat_event_name(ev->type));
	show_subject(ev);
	out_str("text", "%s\n", text);
	out_open("args", '[');
	out_uint("", NULL, ev->arg0);
	out_uint("", NULL, ev->arg1);
	out_uint("", NULL, ev->arg2);
	out_uint("", NULL, ev->arg3);
	out_close();
	out_close();
}

/* only there to end the waiting: the document is closed then */
static void on_signal(int sig)
{
	(void)sig;
}

int cmd_events(struct ctx *c, int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = on_signal };
	bool follow = opt_has(c, "follow");
	struct kecat_event ev[BATCH];
	uint64_t next = 0;
	int ret, n;

	(void)argv;
	if (argc)
		return usage_error(c, "too many arguments");
	ret = open_master(c, follow ? KECAT_RDONLY : KECAT_RDONLY | KECAT_NONBLOCK);
	if (ret)
		return ret;
	ret = kecat_rewind_events(c->k);
	if (ret == -ESPIPE && !follow) {
		error("this module shows events only while somebody looks: use --follow");
		return EXIT_FAIL;
	}
	if (ret && ret != -ESPIPE)
		return fail(c, ret, "events");
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	out_begin(c->json);
	out_open("events", '[');
	while ((n = kecat_read_events(c->k, ev, BATCH)) > 0) {
		for (int i = 0; i < n; i++) {
			if (next && ev[i].seq > next)
				out_text("%6s %" PRIu64 " events were overwritten\n",
					 "", (uint64_t)ev[i].seq - next);
			next = ev[i].seq + 1;
			show_event(&ev[i]);
		}
		fflush(stdout);
	}
	out_close();
	if (out_end())
		return EXIT_FAIL;
	return n < 0 && n != -EINTR ? fail(c, n, "events") : EXIT_OK;
}
