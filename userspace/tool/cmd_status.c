// SPDX-License-Identifier: GPL-2.0-only
/* kecat masters, status, rescan */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cmd.h"
#include "out.h"

static const char *mac_text(const struct kecat_status *st, char buf[18])
{
	snprintf(buf, 18, "%02x:%02x:%02x:%02x:%02x:%02x", st->mac[0],
		 st->mac[1], st->mac[2], st->mac[3], st->mac[4], st->mac[5]);
	return buf;
}

int cmd_masters(struct ctx *c, int argc, char **argv)
{
	bool failed = false;
	int found = 0;
	char mac[18];

	(void)argv;
	if (argc)
		return usage_error(c, "too many arguments");
	out_begin(c->json);
	out_open("masters", '[');
	for (unsigned int i = 0; i < KECAT_MAX_MASTERS; i++) {
		struct kecat_status st;
		struct kecat *k;

		int ret = kecat_open(i, KECAT_RDONLY, &k);

		if (ret == -ENOENT)
			continue;
		if (ret) {
			fail(c, ret, "/dev/kecat%u", i);
			failed = true;
			continue;
		}
		if (!kecat_get_status(k, &st)) {
			out_open(NULL, '{');
			out_uint("master", "/dev/kecat%-3" PRIu64, i);
			out_str("port", " %-13s", st.nic);
			out_str("driver", " %-13s", st.driver);
			out_str("mac", " %s", mac_text(&st, mac));
			out_bool("link", "  link %-4s", st.link, "up", "down");
			out_uint("slaves", " %4" PRIu64 " slaves", st.slaves_present);
			out_bool("active", "  %s\n", st.phase == KECAT_PHASE_ACTIVE,
				 "active", "idle");
			out_close();
			found++;
		}
		kecat_close(k);
	}
	out_close();
	if (out_end() || failed)
		return EXIT_FAIL;
	if (found)
		return EXIT_OK;
	error("no master: attach a port (kecat attach eth1) or load the simulator (kecat sim load)");
	return EXIT_NODEV;
}

static void show_port(struct ctx *c, const struct kecat_status *st)
{
	char mac[18];

	out_uint("master", "Master %" PRIu64 "\n", c->master);
	out_str("port", "  Port              %s", st->nic);
	out_str("driver", ", driver %s", st->driver);
	out_str("mac", ", %s\n", mac_text(st, mac));
	out_str("mode", *st->mode ? "  Mode              %s\n" : NULL, st->mode);
	out_bool("link", "  Link              %s", st->link, "up", "DOWN");
	out_uint("speed", st->link ? ", %" PRIu64 " Mbit/s\n" : NULL, st->speed);
	if (!st->link)
		out_text(": check the cable and the power of the first slave\n");
}

/* nothing, for a master with one port */
static void show_ring(const struct kecat_ring *r)
{
	static const char *const states[] = { "none", "closed", "broken" };
	bool known = r->state < sizeof(states) / sizeof(*states);
	char text[128];

	if (!r->nic[0] && r->state == KECAT_RING_NONE)
		return;
	out_open("ring", '{');
	out_str("state", NULL, known ? states[r->state] : "unknown");
	out_str("port", "  Second port       %s", r->nic[0] ? r->nic : "gone");
	out_str("driver", ", driver %s", r->driver);
	out_bool("link", ", link %s\n", r->link, "up", "DOWN");
	out_uint("front", NULL, r->front);
	out_uint("back", NULL, r->back);
	if (r->port != KECAT_ALL)
		out_uint("slave_port", NULL, r->port);
	kecat_ring_describe(r, text, sizeof(text));
	out_str("text", "  Cable             %s\n", text);
	out_close();
}

static void show_slaves(const struct kecat_status *st)
{
	out_uint("slaves_present", "  Slaves            %" PRIu64 " present", st->slaves_present);
	out_uint("slaves", " of %" PRIu64 " known", st->slaves);
	out_uint("slaves_op", ", %" PRIu64 " in OP", st->slaves_op);
	out_uint("slaves_error", ", %" PRIu64 " with a problem", st->slaves_error);
	out_bool("scanning", "%s\n", st->scanning, ", working", "");
	out_uint("scan_gen", NULL, st->scan_gen);
	out_uint("config_slaves", "  Configuration     %" PRIu64 " slaves", st->config_slaves);
	out_uint("config_gen", " (number %" PRIu64 ")\n", st->config_gen);
}

static void show_cycle(const struct kecat_status *st)
{
	bool active = st->phase == KECAT_PHASE_ACTIVE;

	out_bool("active", "  Cycle             %s", active, "active, ", "idle\n");
	out_ns("cycle_ns", active ? "%s us" : NULL, st->cycle_ns);
	out_uint("cyclic_frames", active ? ", %" PRIu64 " frames" : NULL,
		 st->cyclic_frames);
	out_uint("image_out", active ? ", image %" PRIu64 " bytes out" : NULL,
		 st->image_out);
	out_uint("image_in", active ? ", %" PRIu64 " in" : NULL, st->image_in);
	out_int("owner_pid", active ? ", process %" PRId64 "\n" : NULL, st->owner_pid);
	out_int("cpu", "  Thread            CPU %" PRId64, st->cpu);
	out_int("rt_prio", ", priority %" PRId64 "\n", st->rt_prio);
	out_uint("cycles", "  Cycles            %" PRIu64, st->cycle);
	out_uint("overruns", ", %" PRIu64 " overruns", st->overruns);
	out_uint("app_missed", ", %" PRIu64 " without fresh outputs", st->app_missed);
	out_uint("wkc_errors", ", %" PRIu64 " working counter errors\n", st->wkc_errors);
}

static void show_frames(const struct kecat_status *st)
{
	out_uint("frames_sent", "  Frames            %" PRIu64 " sent", st->frames_sent);
	out_uint("frames_received", ", %" PRIu64 " received", st->frames_received);
	out_uint("frames_lost", ", %" PRIu64 " lost", st->frames_lost);
	out_uint("frames_late", ", %" PRIu64 " late", st->frames_late);
	out_uint("frames_foreign", ", %" PRIu64 " foreign", st->frames_foreign);
	out_uint("tx_full", ", %" PRIu64 " not sent (ring full)\n", st->tx_full);
	out_uint("xfers", "  Acyclic           %" PRIu64 " transactions", st->xfers);
	out_uint("xfer_timeouts", ", %" PRIu64 " timed out\n", st->xfer_timeouts);
	out_uint("events_lost", NULL, st->events_lost);
	out_open("port_counters", '{');
	out_uint("rx_errors", "  Port counters     %" PRIu64 " rx errors", st->nic_rx_errors);
	out_uint("rx_missed", ", %" PRIu64 " missed", st->nic_rx_missed);
	out_uint("rx_dropped", ", %" PRIu64 " dropped", st->nic_rx_dropped);
	out_uint("tx_errors", ", %" PRIu64 " tx errors", st->nic_tx_errors);
	out_uint("interrupts", ", %" PRIu64 " interrupts", st->nic_interrupts);
	out_uint("resets", ", %" PRIu64 " resets\n", st->nic_resets);
	out_close();
}

int cmd_status(struct ctx *c, int argc, char **argv)
{
	struct kecat_status st;
	struct kecat_ring ring;
	int ret;

	(void)argv;
	if (argc)
		return usage_error(c, "too many arguments");
	ret = open_master(c, KECAT_RDONLY);
	if (ret)
		return ret;
	ret = kecat_get_status(c->k, &st);
	if (ret)
		return fail(c, ret, "status of master %u", c->master);
	/* a module of before knows of no second port */
	if (kecat_get_ring(c->k, &ring))
		memset(&ring, 0, sizeof(ring));
	out_begin(c->json);
	show_port(c, &st);
	show_ring(&ring);
	show_slaves(&st);
	show_cycle(&st);
	show_frames(&st);
	return out_end() ? EXIT_FAIL : EXIT_OK;
}

int cmd_rescan(struct ctx *c, int argc, char **argv)
{
	struct kecat_status st;
	int ret;

	(void)argv;
	if (argc)
		return usage_error(c, "too many arguments");
	ret = open_master(c, KECAT_RDWR);
	if (ret)
		return ret;
	ret = kecat_rescan(c->k);
	if (!ret)
		ret = kecat_get_status(c->k, &st);
	if (ret)
		return fail(c, ret, "rescan");
	out_begin(c->json);
	out_uint("slaves_present", "%" PRIu64 " slaves\n", st.slaves_present);
	return out_end() ? EXIT_FAIL : EXIT_OK;
}
