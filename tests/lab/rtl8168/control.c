// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands by a unix datagram socket, one a datagram; the answer goes to the
 * sender: "ok", "ok ANSWER" or "error REASON".
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "nic.h"

#define WORDS	4

int control_open(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (strlen(path) >= sizeof(a.sun_path))
		die("%s: too long for a socket", path);
	strcpy(a.sun_path, path);
	unlink(path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)))
		die("%s: %s", path, strerror(errno));
	return fd;
}

/* Faults that are a number of times, and what else they take. */
static const struct {
	const char *name;
	size_t times, value;
} faults[] = {
#define AT(member)	offsetof(struct faults, member)
	{ "doorbell", AT(doorbell), 0 },
	{ "own", AT(own), 0 },
	{ "overflow", AT(overflow), 0 },
	{ "runt", AT(runt), 0 },
	{ "giant", AT(giant), AT(giant_len) },
	{ "length", AT(length), AT(length_val) },
	{ "dma", AT(dma_us), 0 },
};

static bool number(const char *s, unsigned long max, unsigned long *v)
{
	char *end;

	if (!s || *s < '0' || *s > '9')
		return false;
	*v = strtoul(s, &end, 0);
	return !*end && *v <= max;
}

static const char *fault(struct nic *n, char **w)
{
	unsigned long times, value;

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		char *f = (char *)&n->fault;
		unsigned int v;

		if (strcmp(w[0], faults[i].name))
			continue;
		if (!number(w[1], 1000000, &times))
			return "a number up to 1000000 is wanted";
		if (faults[i].value) {
			if (!number(w[2], FRAME_MAX, &value))
				return "a length up to 16383 is wanted";
			v = (unsigned int)value;
			memcpy(f + faults[i].value, &v, sizeof(v));
		}
		v = (unsigned int)times;
		memcpy(f + faults[i].times, &v, sizeof(v));
		return NULL;
	}
	return "no such command";
}

static const char *set_link(struct nic *n, const char *what)
{
	static const struct {
		const char *name;
		unsigned int speed;
	} speeds[] = { { "off", 0 }, { "on", 100 }, { "100", 100 }, { "1000", 1000 } };

	if (what && !strcmp(what, "flap")) {
		phy_link(n, 0);
		phy_link(n, 100);
		return NULL;
	}
	for (size_t i = 0; what && i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		if (!strcmp(what, speeds[i].name)) {
			phy_link(n, speeds[i].speed);
			return NULL;
		}
	}
	return "off, on, flap, 100 or 1000 is wanted";
}

static const char *tell_counts(struct nic *n, const char *what, char *out, size_t room)
{
	const struct counts *c = &n->count;

	if (what) {
		if (strcmp(what, "zero"))
			return "zero, or nothing, is wanted";
		memset(&n->count, 0, sizeof(n->count));
		n->count.gap_min = UINT64_MAX;
		n->waiting = false;
		return NULL;
	}
	/* a read that each cycle makes is between any two doorbells */
	snprintf(out, room, "reads=%llu writes=%llu doorbells=%llu interrupts=%llu "
		 "cycle_reads=%lld tx=%llu rx=%llu filtered=%llu missed=%llu "
		 "bad_dma=%llu offloads=%llu",
		 (unsigned long long)c->reads, (unsigned long long)c->writes,
		 (unsigned long long)c->doorbells, (unsigned long long)c->interrupts,
		 c->gap_min == UINT64_MAX ? -1ll : (long long)(c->reads_waiting + c->gap_min),
		 (unsigned long long)c->tx, (unsigned long long)c->rx,
		 (unsigned long long)c->filtered, (unsigned long long)c->missed,
		 (unsigned long long)c->bad_dma, (unsigned long long)c->offloads);
	return NULL;
}

static const char *command(struct nic *n, char **w, char *out, size_t room)
{
	unsigned long at;

	if (!w[0])
		return "which command?";
	if (!strcmp(w[0], "counts"))
		return tell_counts(n, w[1], out, room);
	if (!strcmp(w[0], "link"))
		return set_link(n, w[1]);
	if (!strcmp(w[0], "reg") || !strcmp(w[0], "phy")) {
		if (!number(w[1], REGS_SIZE - 4, &at))
			return "an address is wanted";
		snprintf(out, room, "0x%x", *w[0] == 'p' ? n->phy[at >> 1] :
			 get32(n, (unsigned int)at));
		return NULL;
	}
	return fault(n, w);
}

void control_serve(int fd, struct nic *n)
{
	char line[256], text[400] = "", answer[512], *w[WORDS + 1] = {}, *save;
	struct sockaddr_un from;
	socklen_t len = sizeof(from);
	ssize_t got = recvfrom(fd, line, sizeof(line) - 1, 0, (struct sockaddr *)&from, &len);
	const char *wrong;

	if (got < 0)
		return;
	line[got] = '\0';
	w[0] = strtok_r(line, " \n", &save);
	for (unsigned int i = 1; i < WORDS && w[i - 1]; i++)
		w[i] = strtok_r(NULL, " \n", &save);
	wrong = command(n, w, text, sizeof(text));
	snprintf(answer, sizeof(answer), "%s %s", wrong ? "error" : "ok", wrong ? wrong : text);
	sendto(fd, answer, strlen(answer), MSG_DONTWAIT, (struct sockaddr *)&from, len);
}
