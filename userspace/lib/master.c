// SPDX-License-Identifier: LGPL-2.1-or-later
/* The handle, and the calls that look at a master and its slaves. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "priv.h"

#define TERMINATE(text) ((text)[sizeof(text) - 1] = '\0')

int kecat_call(struct kecat *k, unsigned long cmd, void *arg)
{
	return ioctl(k->fd, cmd, arg) < 0 ? -errno : 0;
}

void kecat_set_detail(struct kecat *k, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(k->detail, sizeof(k->detail), fmt, ap);
	va_end(ap);
}

static int check_version(struct kecat *k)
{
	struct kecat_version v;
	int ret = kecat_get_version(k, &v);

	/* ENOTTY: the file is no master at all */
	if (ret)
		return ret == -ENOTTY ? -EPROTO : ret;
	return v.abi >> 16 == KECAT_ABI >> 16 ? 0 : -EPROTO;
}

int kecat_open(unsigned int master, unsigned int flags, struct kecat **out)
{
	int mode = flags & KECAT_RDWR ? O_RDWR : O_RDONLY;
	struct kecat *k;
	char path[32];
	int ret;

	if (flags & ~(KECAT_RDWR | KECAT_NONBLOCK))
		return -EINVAL;
	k = calloc(1, sizeof(*k));
	if (!k)
		return -ENOMEM;
	snprintf(path, sizeof(path), "/dev/kecat%u", master);
	k->fd = open(path, mode | O_CLOEXEC |
		     (flags & KECAT_NONBLOCK ? O_NONBLOCK : 0));
	if (k->fd < 0) {
		ret = -errno;
		goto err_free;
	}
	ret = check_version(k);
	if (ret)
		goto err_close;
	*out = k;
	return 0;

err_close:
	close(k->fd);
err_free:
	free(k);
	return ret;
}

void kecat_close(struct kecat *k)
{
	if (!k)
		return;
	kecat_unmap(k);
	close(k->fd);
	free(k);
}

int kecat_fd(const struct kecat *k)
{
	return k->fd;
}

const char *kecat_detail(const struct kecat *k)
{
	return k->detail;
}

int kecat_get_version(struct kecat *k, struct kecat_version *v)
{
	int ret;

	memset(v, 0, sizeof(*v));
	v->size = sizeof(*v);
	ret = kecat_call(k, KECAT_IOC_VERSION, v);
	TERMINATE(v->release);
	return ret;
}

int kecat_get_ring(struct kecat *k, struct kecat_ring *r)
{
	int ret;

	memset(r, 0, sizeof(*r));
	r->size = sizeof(*r);
	ret = kecat_call(k, KECAT_IOC_RING, r);
	TERMINATE(r->nic);
	TERMINATE(r->driver);
	return ret;
}

int kecat_set_second(struct kecat *k, const char *nic)
{
	struct kecat_second s = { .size = sizeof(s) };

	if (strlen(nic) >= sizeof(s.nic))
		return -EINVAL;
	strcpy(s.nic, nic);
	return kecat_call(k, KECAT_IOC_SECOND, &s);
}

int kecat_get_status(struct kecat *k, struct kecat_status *st)
{
	int ret;

	memset(st, 0, sizeof(*st));
	st->size = sizeof(*st);
	ret = kecat_call(k, KECAT_IOC_STATUS, st);
	TERMINATE(st->nic);
	TERMINATE(st->driver);
	return ret;
}

int kecat_get_slave(struct kecat *k, uint32_t position,
		    struct kecat_slave_info *info)
{
	int ret;

	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	info->position = position;
	ret = kecat_call(k, KECAT_IOC_SLAVE_INFO, info);
	TERMINATE(info->name);
	TERMINATE(info->order);
	return ret;
}

/*
 * A list may grow between two calls, and its length comes from outside: ask
 * with more room a few times, never believe more than was asked for.
 */
static int get_array(struct kecat *k, unsigned long cmd, uint32_t position,
		     size_t elem, uint32_t limit, void **list)
{
	uint32_t room = 64;
	int tries, ret;

	for (tries = 0; tries < 8; tries++) {
		struct kecat_array a = {
			.size = sizeof(a), .position = position,
			.count = room, .elem = elem,
		};
		void *mem = calloc(room, elem);

		if (!mem)
			return -ENOMEM;
		a.ptr = (uintptr_t)mem;
		ret = kecat_call(k, cmd, &a);
		if (!ret && a.count && a.count <= room) {
			*list = mem;
			return a.count;
		}
		free(mem);
		*list = NULL;
		if (ret || !a.count)
			return ret;
		if (a.count > limit)
			return -EPROTO;
		room = a.count;
	}
	return -EAGAIN;
}

int kecat_get_pdos(struct kecat *k, uint32_t position,
		   struct kecat_pdo_entry **list)
{
	void *mem = NULL;
	int n = get_array(k, KECAT_IOC_SLAVE_PDOS, position,
			  sizeof(**list), 65536, &mem);

	*list = mem;
	for (int i = 0; i < n; i++)
		TERMINATE((*list)[i].name);
	return n;
}

/* A sync manager that is not inside the image of its direction */
static bool outside(const struct kecat_map *m, const struct kecat_layout *l)
{
	uint32_t image = l->dir == KECAT_DIR_OUT ? m->out_len : m->in_len;

	return l->dir > KECAT_DIR_IN || l->len > image || l->offset > image - l->len;
}

int kecat_get_layout(struct kecat *k, const struct kecat_layout **list)
{
	void *mem = NULL;
	int n;

	if (!k->map.shm)
		return -ENOTCONN;
	if (!k->layout) {
		n = get_array(k, KECAT_IOC_LAYOUT, 0, sizeof(**list),
			      KECAT_MAX_SLAVES * 16, &mem);
		for (int i = 0; i < n; i++) {
			if (!outside(&k->map, (struct kecat_layout *)mem + i))
				continue;
			free(mem);
			return -EPROTO;
		}
		if (n < 0)
			return n;
		k->layout = mem;
		k->layouts = n;
	}
	*list = k->layout;
	return k->layouts;
}

int kecat_rescan(struct kecat *k)
{
	return kecat_call(k, KECAT_IOC_RESCAN, NULL);
}

int kecat_request_state(struct kecat *k, uint32_t position, uint32_t state,
			uint32_t timeout_ms, uint32_t *al_state,
			uint32_t *al_code)
{
	struct kecat_state s = {
		.size = sizeof(s), .position = position, .state = state,
		.timeout_ms = timeout_ms,
	};
	int ret = kecat_call(k, KECAT_IOC_STATE, &s);

	if (al_state)
		*al_state = s.al_state;
	if (al_code)
		*al_code = s.al_code;
	return ret;
}
