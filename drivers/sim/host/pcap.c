// SPDX-License-Identifier: GPL-2.0-only
/* A capture file with nanoseconds; both directions in one stream. */
#include <time.h>

#include "sim_host.h"

#define MAGIC_NS	0xa1b23c4du
#define ETHERNET	1

struct pcap {
	FILE *f;
	u64 offset;	/* wall clock minus monotonic clock */
	bool dirty;
};

static void head(u8 h[24])
{
	memset(h, 0, 24);
	sim_put32(h, MAGIC_NS);
	sim_put16(h + 4, 2);
	sim_put16(h + 6, 4);
	sim_put32(h + 16, FRAME_MAX);
	sim_put32(h + 20, ETHERNET);
}

struct pcap *pcap_open(const char *path)
{
	struct pcap *p = calloc(1, sizeof(*p));
	struct timespec real;
	u8 h[24];

	if (!p)
		return NULL;
	p->f = fopen(path, "wbe");
	if (!p->f) {
		free(p);
		return NULL;
	}
	clock_gettime(CLOCK_REALTIME, &real);
	p->offset = (u64)real.tv_sec * 1000000000u + (u64)real.tv_nsec -
		    host_now();
	head(h);
	fwrite(h, sizeof(h), 1, p->f);
	p->dirty = true;
	return p;
}

void pcap_add(struct pcap *p, u64 mono_ns, const void *data, size_t len)
{
	u64 t = mono_ns + p->offset;
	u8 h[16];

	sim_put32(h, (u32)(t / 1000000000u));
	sim_put32(h + 4, (u32)(t % 1000000000u));
	sim_put32(h + 8, (u32)len);
	sim_put32(h + 12, (u32)len);
	fwrite(h, sizeof(h), 1, p->f);
	fwrite(data, len, 1, p->f);
	p->dirty = true;
}

bool pcap_dirty(const struct pcap *p)
{
	return p && p->dirty;
}

/* Return: false if the file could not be written. */
bool pcap_flush(struct pcap *p)
{
	p->dirty = false;
	return !fflush(p->f) && !ferror(p->f);
}

void pcap_close(struct pcap *p)
{
	if (!p)
		return;
	fclose(p->f);
	free(p);
}
