// SPDX-License-Identifier: GPL-2.0-only
/*
 * Commands by a unix stream socket, or by standard input for "-": one line a
 * command, one line back: "ok", "ok ANSWER" or "error REASON".
 */
#include <fcntl.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim_host.h"

struct client {
	int in, out;
	size_t have;
	char buf[256];
};

struct control {
	int listener;
	const char *path;
	struct client client[CONTROL_CLIENTS];
};

static int open_listener(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	size_t len = strlen(path);
	int fd;

	if (len >= sizeof(a.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(a.sun_path, path, len);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	unlink(path);
	if (fd >= 0 && !bind(fd, (struct sockaddr *)&a, sizeof(a)) &&
	    !listen(fd, CONTROL_CLIENTS))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

struct control *control_open(const char *path)
{
	struct control *c = calloc(1, sizeof(*c));
	int i;

	if (!c)
		return NULL;
	c->listener = -1;
	for (i = 0; i < CONTROL_CLIENTS; i++)
		c->client[i].in = -1;
	if (!strcmp(path, "-")) {
		c->client[0].in = STDIN_FILENO;
		c->client[0].out = STDOUT_FILENO;
		return c;
	}
	c->listener = open_listener(path);
	if (c->listener < 0) {
		free(c);
		return NULL;
	}
	c->path = path;
	return c;
}

int control_fds(struct control *c, int fds[CONTROL_CLIENTS + 1])
{
	int i, n = 0;

	if (!c)
		return 0;
	if (c->listener >= 0)
		fds[n++] = c->listener;
	for (i = 0; i < CONTROL_CLIENTS; i++)
		if (c->client[i].in >= 0)
			fds[n++] = c->client[i].in;
	return n;
}

static void accept_client(struct control *c)
{
	int i, fd = accept4(c->listener, NULL, NULL, SOCK_CLOEXEC);

	for (i = 0; fd >= 0 && i < CONTROL_CLIENTS; i++)
		if (c->client[i].in < 0) {
			c->client[i] = (struct client){ fd, fd, 0, "" };
			return;
		}
	if (fd >= 0)
		close(fd);
}

static void answer(struct client *cl, int ret, const char *text)
{
	char line[256];
	int n;

	if (ret)
		n = snprintf(line, sizeof(line), "error %s\n", strerror(-ret));
	else
		n = snprintf(line, sizeof(line), "ok%s%s\n", *text ? " " : "",
			     text);
	if (write(cl->out, line, (size_t)n) < 0 && cl->out != STDOUT_FILENO)
		shutdown(cl->out, SHUT_RDWR);
}

static void run_lines(struct client *cl, struct sim_segment *seg, u64 now)
{
	char *nl, text[128];

	cl->buf[cl->have] = 0;
	while ((nl = strchr(cl->buf, '\n'))) {
		*nl = 0;
		if (*cl->buf)
			answer(cl, sim_segment_fault(seg, cl->buf, now, text,
						     sizeof(text)), text);
		cl->have -= (size_t)(nl + 1 - cl->buf);
		memmove(cl->buf, nl + 1, cl->have + 1);
	}
}

static void read_client(struct client *cl, struct sim_segment *seg, u64 now)
{
	size_t room = sizeof(cl->buf) - 1 - cl->have;
	ssize_t n = room ? read(cl->in, cl->buf + cl->have, room) : 0;

	if (n <= 0) {
		close(cl->in);
		cl->in = -1;
		return;
	}
	cl->have += (size_t)n;
	run_lines(cl, seg, now);
}

void control_ready(struct control *c, int fd, struct sim_segment *seg, u64 now)
{
	int i;

	if (fd == c->listener) {
		accept_client(c);
		return;
	}
	for (i = 0; i < CONTROL_CLIENTS; i++)
		if (c->client[i].in == fd)
			read_client(&c->client[i], seg, now);
}

void control_close(struct control *c)
{
	int i;

	if (!c)
		return;
	for (i = 0; i < CONTROL_CLIENTS; i++)
		if (c->client[i].in > STDERR_FILENO)
			close(c->client[i].in);
	if (c->listener >= 0) {
		close(c->listener);
		unlink(c->path);
	}
	free(c);
}
