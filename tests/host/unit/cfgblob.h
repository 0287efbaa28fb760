/* SPDX-License-Identifier: GPL-2.0-only */
/* Making configuration blobs: well framed unless the caller spoils them. */
#ifndef UNIT_CFGBLOB_H
#define UNIT_CFGBLOB_H

#include <stdlib.h>
#include <string.h>
#include "../uapi/kecat.h"

struct blob {
	unsigned char *b;
	size_t len;
	size_t room;
};

static inline void blob_reserve(struct blob *b, size_t more)
{
	if (b->len + more <= b->room)
		return;
	b->room = 2 * (b->len + more);
	b->b = realloc(b->b, b->room);
	if (!b->b)
		abort();
}

static inline void blob_free(struct blob *b)
{
	free(b->b);
	memset(b, 0, sizeof(*b));
}

/* Offset of an element of @len bytes, @size of them given, the rest 0. */
static inline size_t blob_add(struct blob *b, unsigned int type,
			      const void *payload, size_t size, size_t len)
{
	struct kecat_cfg_tlv t = { .type = type, .len = len };
	size_t all = sizeof(t) + (len + 7) / 8 * 8, at = b->len;

	blob_reserve(b, all);
	memset(b->b + at, 0, all);
	memcpy(b->b + at, &t, sizeof(t));
	if (size)
		memcpy(b->b + at + sizeof(t), payload, size);
	b->len += all;
	return at;
}

#define BLOB_PUT(b, type, ...)						\
({									\
	typeof(__VA_ARGS__) __v = __VA_ARGS__;				\
	blob_add(b, type, &__v, sizeof(__v), sizeof(__v));		\
})

/* the fields of the struct as arguments; value: offset of the element */
#define PUT_BUS(b, ...)							\
	BLOB_PUT(b, KECAT_CFG_BUS, (struct kecat_cfg_bus){ __VA_ARGS__ })
#define PUT_SLAVE(b, ...)						\
	BLOB_PUT(b, KECAT_CFG_SLAVE, (struct kecat_cfg_slave){ __VA_ARGS__ })
#define PUT_SM(b, ...)							\
	BLOB_PUT(b, KECAT_CFG_SM, (struct kecat_cfg_sm){ __VA_ARGS__ })

static inline size_t put_pdo(struct blob *b, unsigned int index)
{
	return BLOB_PUT(b, KECAT_CFG_PDO,
			(struct kecat_cfg_pdo){ .index = index });
}

static inline size_t put_entry(struct blob *b, unsigned int index,
			       unsigned int subindex, unsigned int bits)
{
	return BLOB_PUT(b, KECAT_CFG_ENTRY, (struct kecat_cfg_entry){
			.index = index, .subindex = subindex, .bits = bits });
}

/* with @c->len bytes of data, 0xa5 each */
static inline size_t put_sdo(struct blob *b, struct kecat_cfg_sdo c)
{
	size_t at = blob_add(b, KECAT_CFG_SDO, &c, sizeof(c),
			     sizeof(c) + c.len);

	memset(b->b + at + sizeof(struct kecat_cfg_tlv) + sizeof(c), 0xa5,
	       c.len);
	return at;
}

/* the payload of an element, to spoil it */
#define PAYLOAD(blob, at, type)						\
	((struct type *)((blob)->b + (at) + sizeof(struct kecat_cfg_tlv)))
#define HEADER(blob, at) ((struct kecat_cfg_tlv *)((blob)->b + (at)))

#endif
