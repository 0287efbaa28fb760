// SPDX-License-Identifier: GPL-2.0-only
/*
 * pcapng: a section, an interface for each port, an enhanced packet block for each
 * frame; nanoseconds, direction flags, Ethernet.
 */
#include <inttypes.h>
#include <string.h>

#include "record.h"

#define SECTION		0x0a0d0d0au
#define INTERFACE	1u
#define PACKET		6u
#define ORDER_MAGIC	0x1a2b3c4du
#define LINK_ETHERNET	1
#define OPT_END		0
#define OPT_COMMENT	1
#define OPT_IF_NAME	2
#define OPT_IF_TSRESOL	9
#define OPT_USERAPPL	4
#define OPT_FLAGS	2
#define BLOCK_MAX	4096

struct block {
	uint8_t data[BLOCK_MAX];
	size_t len;
};

static void raw(struct block *b, const void *p, size_t n)
{
	if (n > BLOCK_MAX - 8 - b->len)
		n = BLOCK_MAX - 8 - b->len;
	memcpy(b->data + b->len, p, n);
	b->len += n;
}

static void u32(struct block *b, uint32_t v)
{
	raw(b, &v, sizeof(v));
}

static void u16(struct block *b, uint16_t v)
{
	raw(b, &v, sizeof(v));
}

static void padded(struct block *b, const void *p, size_t n)
{
	raw(b, p, n);
	raw(b, "\0\0\0", -n & 3);
}

static void option(struct block *b, uint16_t code, const void *p, size_t n)
{
	u16(b, code);
	u16(b, (uint16_t)n);
	padded(b, p, n);
}

static void begin(struct block *b, uint32_t type)
{
	b->len = 0;
	u32(b, type);
	u32(b, 0);
}

static bool end(struct block *b, FILE *f)
{
	uint32_t len;

	option(b, OPT_END, "", 0);
	len = (uint32_t)b->len + 4;
	memcpy(b->data + b->len, &len, sizeof(len));
	memcpy(b->data + 4, &len, sizeof(len));
	return fwrite(b->data, len, 1, f) == 1;
}

static bool section(FILE *f, struct block *b)
{
	static const int64_t unknown = -1;

	begin(b, SECTION);
	u32(b, ORDER_MAGIC);
	u16(b, 1);
	u16(b, 0);
	raw(b, &unknown, sizeof(unknown));
	option(b, OPT_USERAPPL, "kecat record", 12);
	return end(b, f);
}

static bool interface(FILE *f, struct block *b, const struct export *x, int port)
{
	static const uint8_t nanoseconds = 9;
	char name[32];

	begin(b, INTERFACE);
	u16(b, LINK_ETHERNET);
	u16(b, 0);
	u32(b, x->rec->st.snap);
	snprintf(name, sizeof(name), "kecat%u port %d", x->master, port);
	option(b, OPT_IF_NAME, name, strlen(name));
	option(b, OPT_IF_TSRESOL, &nanoseconds, 1);
	return end(b, f);
}

static bool packet(FILE *f, struct block *b, const struct export *x, uint32_t i)
{
	static const char *const kinds[] = { "foreign", "cyclic", "acyclic", "probe" };
	const uint8_t *data;
	const struct kecat_record_frame *h = kecat_record_frame_at(x->rec, i, &data);
	uint64_t ns = h->time_ns + (uint64_t)x->realtime;
	uint32_t flags = h->dir == KECAT_RECORD_SENT ? 2 : 1;
	char text[96];

	begin(b, PACKET);
	u32(b, h->port & 1);
	u32(b, (uint32_t)(ns >> 32));
	u32(b, (uint32_t)ns);
	u32(b, h->cap);
	u32(b, h->len);
	padded(b, data, h->cap);
	snprintf(text, sizeof(text), "cycle %" PRIu64 ", %s, tag %u, at %" PRIu64 " ns",
		 (uint64_t)h->cycle, h->kind < 4 ? kinds[h->kind] : "unknown", h->tag,
		 (uint64_t)h->time_ns);
	option(b, OPT_COMMENT, text, strlen(text));
	option(b, OPT_FLAGS, &flags, sizeof(flags));
	return end(b, f);
}

bool pcapng_write(FILE *f, const void *arg)
{
	const struct export *x = arg;
	struct block b;
	bool good = section(f, &b) && interface(f, &b, x, 0) && interface(f, &b, x, 1);

	for (uint32_t i = 0; good && i < x->rec->st.have_frames; i++)
		good = packet(f, &b, x, i);
	return good && !ferror(f);
}
