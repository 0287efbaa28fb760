// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "nic.h"

void die(const char *fmt, ...)
{
	va_list ap;

	fputs("rtl8168: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void address(struct sockaddr_un *a, const char *path)
{
	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	if (strlen(path) >= sizeof(a->sun_path))
		die("%s: too long for a socket", path);
	strcpy(a->sun_path, path);
}

/* Frames are datagrams, as QEMU's "-netdev dgram,local.type=unix" has them. */
static int open_wire(const char *ours, const char *theirs)
{
	struct sockaddr_un a;
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	address(&a, ours);
	unlink(ours);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)))
		die("%s: %s", ours, strerror(errno));
	address(&a, theirs);
	if (connect(fd, (struct sockaddr *)&a, sizeof(a)))
		die("%s: %s", theirs, strerror(errno));
	return fd;
}

static int wait_ms(const struct nic *n)
{
	uint64_t now = now_ns();

	if (!n->tx_at)
		return -1;
	return n->tx_at <= now ? 0 : (int)((n->tx_at - now) / 1000000 + 1);
}

static void loop(struct nic *n, int control)
{
	uint8_t frame[FRAME_MAX];

	for (;;) {
		struct pollfd p[3] = { { vfu_fd(), POLLIN, 0 }, { n->wire, POLLIN, 0 },
				       { control, POLLIN, 0 } };
		ssize_t len;

		if (poll(p, 3, wait_ms(n)) < 0 && errno != EINTR)
			die("poll: %s", strerror(errno));
		if (n->tx_at && now_ns() >= n->tx_at) {
			n->tx_at = 0;
			ring_send(n);
		}
		if (p[1].revents) {
			len = recv(n->wire, frame, sizeof(frame), MSG_DONTWAIT);
			if (len > 0)
				ring_receive(n, frame, (unsigned int)len);
		}
		if (p[2].revents)
			control_serve(control, n);
		if (p[0].revents && !vfu_serve(n))
			return;
	}
}

static bool parse_mac(const char *s, uint8_t *mac)
{
	int end = 0;

	return sscanf(s, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx%n", &mac[0], &mac[1], &mac[2],
		      &mac[3], &mac[4], &mac[5], &end) == 6 && !s[end];
}

int main(int argc, char **argv)
{
	static struct nic nic = { .speed = 100 };
	int listener, control;

	if (argc != 7 || !(nic.chip = chip_find(argv[1])) || !parse_mac(argv[2], nic.mac)) {
		fputs("usage: rtl8168 CHIP MAC SOCKET CONTROL WIRE PEER\n"
		      "  CHIP     one of:", stderr);
		for (const struct chip *c = chips; c->name; c++)
			fprintf(stderr, " %s", c->name);
		fputs("\n  SOCKET   where QEMU's vfio-user-pci finds the device\n"
		      "  CONTROL  datagrams with commands: faults, link, counts (control.c)\n"
		      "  WIRE     our end of the wire, datagrams, and\n"
		      "  PEER     the other one\n", stderr);
		return 2;
	}
	signal(SIGPIPE, SIG_IGN);
	chip_init(&nic);
	nic.wire = open_wire(argv[5], argv[6]);
	control = control_open(argv[4]);
	listener = vfu_listen(argv[3]);
	vfu_accept(listener);
	loop(&nic, control);
	return 0;
}
