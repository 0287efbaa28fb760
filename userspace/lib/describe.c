// SPDX-License-Identifier: LGPL-2.1-or-later
/* Problems and events as sentences. */
#include <stdio.h>
#include <string.h>

#include "priv.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const problems[] = {
	[KECAT_PROBLEM_NONE] = "none",
	[KECAT_PROBLEM_MISSING] = "missing",
	[KECAT_PROBLEM_IDENTITY] = "identity",
	[KECAT_PROBLEM_SII] = "sii",
	[KECAT_PROBLEM_AL] = "al",
	[KECAT_PROBLEM_AL_TIMEOUT] = "al-timeout",
	[KECAT_PROBLEM_MBX] = "mailbox",
	[KECAT_PROBLEM_SDO] = "sdo",
	[KECAT_PROBLEM_PDO] = "pdo",
	[KECAT_PROBLEM_UNCONFIGURED] = "unconfigured",
	[KECAT_PROBLEM_XFER] = "transfer",
};

static const char *const events[] = {
	[KECAT_EV_LINK] = "link",
	[KECAT_EV_SCAN] = "scan",
	[KECAT_EV_SLAVE_FOUND] = "slave-found",
	[KECAT_EV_SLAVE_LOST] = "slave-lost",
	[KECAT_EV_SLAVE_BACK] = "slave-back",
	[KECAT_EV_SLAVE_STATE] = "slave-state",
	[KECAT_EV_SLAVE_PROBLEM] = "slave-problem",
	[KECAT_EV_EMERGENCY] = "emergency",
	[KECAT_EV_WKC] = "wkc",
	[KECAT_EV_WKC_OK] = "wkc-ok",
	[KECAT_EV_OVERRUN] = "overrun",
	[KECAT_EV_FRAME_LOST] = "frame-lost",
	[KECAT_EV_APP_LOSS] = "app-loss",
	[KECAT_EV_PHASE] = "phase",
	[KECAT_EV_TOPOLOGY] = "topology",
	[KECAT_EV_FRAME_LATE] = "frame-late",
	[KECAT_EV_RING] = "ring",
	[KECAT_EV_PORT] = "port",
	[KECAT_EV_RECORD] = "record",
	[KECAT_EV_CPU] = "cpu",
};

static const char *const port_ends[] = {
	[KECAT_PORT_TAKEN_BACK] = "taken back",
	[KECAT_PORT_DOWN] = "its interface was set down",
	[KECAT_PORT_RENAMED] = "its interface was renamed",
	[KECAT_PORT_GONE] = "its interface is gone",
};

const char *kecat_problem_text(uint32_t problem)
{
	return problem < COUNT(problems) ? problems[problem] : "unknown";
}

const char *kecat_event_name(uint32_t type)
{
	return type && type < COUNT(events) ? events[type] : "unknown";
}

/* errno travels as its number; some put the minus sign in front */
static const char *errno_text(uint32_t detail)
{
	const char *text = strerrordesc_np(detail > 0x7fffffff ? -detail : detail);

	return text ? text : "unknown error";
}

int kecat_problem_describe(uint32_t problem, uint32_t detail, char *buf,
			   size_t room)
{
	static const char *const field[] = {
		"device", "vendor", "product", "revision", "serial number",
	};

	switch (problem) {
	case KECAT_PROBLEM_NONE:
		return snprintf(buf, room, "no problem");
	case KECAT_PROBLEM_MISSING:
		return snprintf(buf, room, "does not answer: cable, power or port");
	case KECAT_PROBLEM_IDENTITY:
		return snprintf(buf, room, "another device than configured: %s differs",
				field[detail < COUNT(field) ? detail : 0]);
	case KECAT_PROBLEM_SII:
		return snprintf(buf, room, "SII not readable: %s", errno_text(detail));
	case KECAT_PROBLEM_AL:
		return snprintf(buf, room, "refused a state, AL status code 0x%04x: %s",
				detail, kecat_al_code_text(detail));
	case KECAT_PROBLEM_AL_TIMEOUT:
		return snprintf(buf, room, "did not reach %s in time",
				kecat_al_name(detail));
	case KECAT_PROBLEM_MBX:
		return snprintf(buf, room, "mailbox does not answer: %s",
				errno_text(detail));
	case KECAT_PROBLEM_SDO:
		return snprintf(buf, room, "start-up SDO refused, abort code 0x%08x: %s",
				detail, kecat_abort_text(detail));
	case KECAT_PROBLEM_PDO:
		return snprintf(buf, room, "PDO mapping 0x%04x refused at entry %u",
				detail >> 16, detail & 0xffff);
	case KECAT_PROBLEM_UNCONFIGURED:
		return snprintf(buf, room, "not in the configuration");
	case KECAT_PROBLEM_XFER:
		return snprintf(buf, room, "register access failed: %s",
				errno_text(detail));
	}
	return snprintf(buf, room, "problem %u, detail 0x%x", problem, detail);
}

static int describe_state(const struct kecat_event *ev, char *buf, size_t room)
{
	if (!(ev->arg0 & KECAT_AL_ERROR))
		return snprintf(buf, room, "%s, was %s", kecat_al_name(ev->arg0),
				kecat_al_name(ev->arg1));
	return snprintf(buf, room, "%s, was %s: AL status code 0x%04x, %s",
			kecat_al_name(ev->arg0), kecat_al_name(ev->arg1),
			ev->arg2, kecat_al_code_text(ev->arg2));
}

static int describe_problem(const struct kecat_event *ev, char *buf, size_t room)
{
	if (!ev->arg0)
		return snprintf(buf, room, "problem solved");
	return kecat_problem_describe(ev->arg0, ev->arg1, buf, room);
}

static const char *reaction(uint32_t loss)
{
	switch (loss) {
	case KECAT_LOSS_SAFEOP:
		return "zeros, slaves to SAFEOP";
	case KECAT_LOSS_ZERO:
		return "zeros, slaves stay in OP";
	case KECAT_LOSS_HOLD:
		return "last outputs are kept";
	}
	return "unknown reaction";
}

int kecat_ring_describe(const struct kecat_ring *r, char *buf, size_t room)
{
	char port[24] = "";

	if (r->state == KECAT_RING_NONE)
		return snprintf(buf, room, "no second port");
	if (r->state == KECAT_RING_CLOSED)
		return snprintf(buf, room, "ring closed");
	if (r->state != KECAT_RING_BROKEN)
		return snprintf(buf, room, "ring in state %u", r->state);
	if (!r->front && !r->back)
		return snprintf(buf, room, "ring broken: no slave answers");
	if (!r->front)
		return snprintf(buf, room, "ring broken between the first port and slave 0");
	if (!r->back)
		return snprintf(buf, room, "ring broken between slave %u and the second port",
				r->front - 1);
	if (r->port != KECAT_ALL)
		snprintf(port, sizeof(port), " port %u", r->port);
	return snprintf(buf, room, "ring broken between slave %u%s and slave %u port 0",
			r->front - 1, port, r->front);
}

static int describe_ring(const struct kecat_event *ev, char *buf, size_t room)
{
	const struct kecat_ring r = {
		.state = ev->arg0, .front = ev->arg1, .back = ev->arg2,
		.port = ev->arg3,
	};

	return kecat_ring_describe(&r, buf, room);
}

static const struct {
	uint32_t bit;
	const char *text;
} record_reasons[] = {
	{ KECAT_RECORD_ON_OVERRUN, "overrun" },
	{ KECAT_RECORD_ON_LOST, "lost frame" },
	{ KECAT_RECORD_ON_LATE, "late frame" },
	{ KECAT_RECORD_ON_WKC, "wrong working counter" },
	{ KECAT_RECORD_ON_LIMIT, "longer than the limit" },
	{ KECAT_RECORD_ON_APP, "no fresh outputs" },
	{ KECAT_RECORD_ON_HAND, "by hand" },
};

int kecat_record_reasons(uint32_t reasons, char *buf, size_t room)
{
	char all[128];
	int n = 0;

	all[0] = '\0';
	for (size_t i = 0; i < COUNT(record_reasons); i++)
		if (reasons & record_reasons[i].bit)
			n += snprintf(all + n, sizeof(all) - n, "%s%s",
				      n ? ", " : "", record_reasons[i].text);
	return snprintf(buf, room, "%s", n ? all : "nothing");
}

static int describe_record(const struct kecat_event *ev, char *buf, size_t room)
{
	char why[128];

	kecat_record_reasons(ev->arg0, why, sizeof(why));
	if (ev->arg0 & KECAT_RECORD_ON_LIMIT)
		return snprintf(buf, room, "flight recorder froze: %s in cycle %u (%s %u.%03u us)",
				why, ev->arg1, kecat_phase_name(ev->arg2),
				ev->arg3 / 1000, ev->arg3 % 1000);
	return snprintf(buf, room, "flight recorder froze: %s in cycle %u", why,
			ev->arg1);
}

static int describe_link(const struct kecat_event *ev, char *buf, size_t room)
{
	const char *port = ev->arg2 ? "second port: " : "";

	if (ev->arg0)
		return snprintf(buf, room, "%slink up, %u Mbit/s", port, ev->arg1);
	return snprintf(buf, room, "%slink down: cable or power of the %s slave", port,
			ev->arg2 ? "last" : "first");
}

int kecat_event_describe(const struct kecat_event *ev, char *buf, size_t room)
{
	switch (ev->type) {
	case KECAT_EV_LINK:
		return describe_link(ev, buf, room);
	case KECAT_EV_SCAN:
		return snprintf(buf, room, "scan complete: %u slaves (list %u)",
				ev->arg0, ev->arg1);
	case KECAT_EV_SLAVE_FOUND:
		return snprintf(buf, room, "found, vendor 0x%08x product 0x%08x station 0x%04x",
				ev->arg0, ev->arg1, ev->arg2);
	case KECAT_EV_SLAVE_LOST:
		return snprintf(buf, room, "no longer answers (station 0x%04x): cable or power",
				ev->arg0);
	case KECAT_EV_SLAVE_BACK:
		return snprintf(buf, room, "answers again (station 0x%04x)", ev->arg0);
	case KECAT_EV_SLAVE_STATE:
		return describe_state(ev, buf, room);
	case KECAT_EV_SLAVE_PROBLEM:
		return describe_problem(ev, buf, room);
	case KECAT_EV_EMERGENCY:
		return snprintf(buf, room, "CoE emergency 0x%04x, error register 0x%02x, data %08x %08x",
				ev->arg0 & 0xffff, ev->arg0 >> 16 & 0xff,
				ev->arg1, ev->arg2);
	case KECAT_EV_WKC:
		return snprintf(buf, room, "group %u not valid: working counter %u, expected %u",
				ev->position, ev->arg0, ev->arg1);
	case KECAT_EV_WKC_OK:
		return snprintf(buf, room, "group %u valid again after %u cycles",
				ev->position, ev->arg0);
	case KECAT_EV_OVERRUN:
		return snprintf(buf, room, "cycle began %u.%03u us late, after the next was due",
				ev->arg0 / 1000, ev->arg0 % 1000);
	case KECAT_EV_FRAME_LOST:
		return snprintf(buf, room, "%s frame%s never came back (tag %u)",
				ev->arg1 ? "cyclic" : "acyclic",
				ev->arg2 ? " of the second port" : "", ev->arg0);
	case KECAT_EV_FRAME_LATE:
		return snprintf(buf, room, "cyclic frame came back %u cycles late (tag %u)",
				ev->arg1, ev->arg0);
	case KECAT_EV_APP_LOSS:
		return snprintf(buf, room, "application %s: %s",
				ev->arg0 == 1 ? "died" : "gave no outputs",
				reaction(ev->arg1));
	case KECAT_EV_PHASE:
		return snprintf(buf, room, ev->arg0 == KECAT_PHASE_ACTIVE ?
				"cycle started" : "cycle stopped");
	case KECAT_EV_TOPOLOGY:
		return snprintf(buf, room, "%u slaves answer, before %u",
				ev->arg0, ev->arg1);
	case KECAT_EV_RING:
		return describe_ring(ev, buf, room);
	case KECAT_EV_PORT:
		return snprintf(buf, room, "%s given up: %s",
				ev->arg1 ? "second port" : "port",
				ev->arg0 < COUNT(port_ends) ? port_ends[ev->arg0] : "unknown");
	case KECAT_EV_RECORD:
		return describe_record(ev, buf, room);
	case KECAT_EV_CPU:
		return snprintf(buf, room, "other work can delay the cycle: CPU %u is not isolated; see kecat doctor",
				ev->arg0);
	}
	return snprintf(buf, room, "event %u: %u %u %u %u", ev->type, ev->arg0,
			ev->arg1, ev->arg2, ev->arg3);
}
