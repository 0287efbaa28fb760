// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

#define BLOB_MAX	(1024u << 20)

static size_t padded(uint32_t len)
{
	return ((size_t)len + 7) & ~(size_t)7;
}

int blob_add(struct blob *b, uint32_t type, uint32_t arg, const void *data,
	     uint32_t len)
{
	struct chunk c = { .type = type, .arg = arg, .len = len };
	size_t need = sizeof(c) + padded(len);

	if (b->len + need > BLOB_MAX)
		return -ENOMEM;
	if (b->len + need > b->room) {
		size_t room = 2 * b->room + need + 4096;
		uint8_t *more = realloc(b->data, room);

		if (!more)
			return -ENOMEM;
		b->data = more;
		b->room = room;
	}
	memcpy(b->data + b->len, &c, sizeof(c));
	memcpy(b->data + b->len + sizeof(c), data, len);
	memset(b->data + b->len + sizeof(c) + len, 0, padded(len) - len);
	b->len += need;
	return 0;
}

const struct chunk *blob_next(const struct blob *b, size_t *at, const uint8_t **data)
{
	const struct chunk *c;

	if (b->len - *at < sizeof(*c))
		return NULL;
	c = (const void *)(b->data + *at);
	if (padded(c->len) > b->len - *at - sizeof(*c))
		return NULL;
	*data = b->data + *at + sizeof(*c);
	*at += sizeof(*c) + padded(c->len);
	return c;
}

/* "ffffffffc0401230 name [module]" */
void blob_symbol(const struct blob *b, uint64_t addr, char *buf, size_t room)
{
	const struct chunk *c;
	const uint8_t *data;
	size_t at = 0;
	char want[20];

	snprintf(want, sizeof(want), "%016llx ", (unsigned long long)addr);
	while ((c = blob_next(b, &at, &data))) {
		const char *p = (const char *)data, *end = p + c->len, *nl;

		for (; c->type == BLOB_SYMBOLS && p < end; p = nl + 1) {
			nl = memchr(p, '\n', end - p);
			if (!nl)
				break;
			if (nl - p > 17 && !memcmp(p, want, 17)) {
				snprintf(buf, room, "%.*s", (int)(nl - p - 17), p + 17);
				return;
			}
		}
	}
	snprintf(buf, room, "0x%llx", (unsigned long long)addr);
}
