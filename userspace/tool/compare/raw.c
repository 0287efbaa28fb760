// SPDX-License-Identifier: GPL-2.0-only
/*
 * As masters in user space do it: AF_PACKET, a real-time priority, memory locked,
 * send() and a recv() that blocks.  Frames have the layout of kecat's: a NOP with a
 * tag, a NOP with data that is nobody's, in the last one a broadcast read of the AL
 * status.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "compare.h"

#define ETHERTYPE	0x88a4
#define NOP		0
#define APRD		1
#define BRD		7
#define AL_STATUS	0x0130
#define MORE		0x8000
#define HEAD		16		/* Ethernet and EtherCAT */
#define DGRAM_HEAD	10
#define TAG_AT		(HEAD + DGRAM_HEAD)
#define FRAME_MIN	60
#define FRAME_MAX	1514
#define PATIENCE_NS	50000000ull	/* then a round is lost */
#define WARM_ROUNDS	20		/* in a row */
#define WARM_NS		5000000000ull
#define LOST_IN_A_ROW	20

#ifndef PACKET_IGNORE_OUTGOING
#define PACKET_IGNORE_OUTGOING	23
#endif

struct frame {
	uint16_t len;
	uint8_t data[FRAME_MAX];
};

struct raw {
	int fd;
	uint8_t mac[6];
	uint32_t seq;
	uint64_t cycle_ns;
	uint32_t frames;
	struct frame frame[COMPARE_FRAMES];
};

/* ---- frames ---- */

static uint8_t *datagram(uint8_t *p, uint8_t cmd, uint32_t address, uint32_t len, bool more)
{
	uint16_t flags = htole16((uint16_t)(len | (more ? MORE : 0)));

	p[0] = cmd;
	address = htole32(address);
	memcpy(p + 2, &address, 4);
	memcpy(p + 6, &flags, 2);
	return p + DGRAM_HEAD + len + 2;
}

static uint8_t *begin(struct frame *f, const uint8_t *mac)
{
	memset(f, 0, sizeof(*f));
	memset(f->data, 0xff, 6);
	memcpy(f->data + 6, mac, 6);
	f->data[12] = ETHERTYPE >> 8;
	f->data[13] = ETHERTYPE & 0xff;
	return datagram(f->data + HEAD, NOP, 0x09000000, 4, true);
}

static void end(struct frame *f, const uint8_t *p)
{
	uint32_t len = (uint32_t)(p - f->data) - HEAD;

	f->data[14] = (uint8_t)len;
	f->data[15] = (uint8_t)(0x10 | len >> 8);
	f->len = (uint16_t)(len + HEAD < FRAME_MIN ? FRAME_MIN : len + HEAD);
}

static void set_tag(struct frame *f, uint32_t tag)
{
	tag = htole32(tag);
	memcpy(f->data + TAG_AT, &tag, sizeof(tag));
}

static void build(struct raw *r, uint32_t frames, uint32_t bytes)
{
	for (r->frames = 0; r->frames < frames; r->frames++) {
		struct frame *f = &r->frame[r->frames];
		bool last = r->frames + 1 == frames;
		uint8_t *p = begin(f, r->mac);

		p = datagram(p, NOP, 0, bytes, last);
		if (last)
			p = datagram(p, BRD, AL_STATUS << 16, 2, false);
		end(f, p);
	}
}

/* ---- socket ---- */

static int open_socket(struct raw *r, const char *ifname)
{
	struct timeval patience = { .tv_usec = PATIENCE_NS / 1000 };
	struct sockaddr_ll a = { .sll_family = AF_PACKET, .sll_protocol = htons(ETHERTYPE) };
	socklen_t len = sizeof(a);
	int one = 1;

	a.sll_ifindex = (int)if_nametoindex(ifname);
	if (!a.sll_ifindex)
		return -errno;
	r->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, htons(ETHERTYPE));
	if (r->fd < 0 || bind(r->fd, (struct sockaddr *)&a, sizeof(a)) ||
	    setsockopt(r->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) ||
	    getsockname(r->fd, (struct sockaddr *)&a, &len))
		return -errno;
	/* kernels before 4.20 do not know it */
	setsockopt(r->fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one));
	memcpy(r->mac, a.sll_addr, sizeof(r->mac));
	return 0;
}

int raw_open(struct compare *p, struct raw **out)
{
	struct raw *r = calloc(1, sizeof(*r));
	int ret;

	if (!r)
		return -ENOMEM;
	r->fd = -1;
	r->cycle_ns = p->cycle_ns;
	ret = open_socket(r, p->ifname);
	if (ret) {
		raw_close(r);
		return ret;
	}
	build(r, p->frames, p->bytes);
	p->frame_len = r->frame[0].len;
	*out = r;
	return 0;
}

void raw_close(struct raw *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	free(r);
}

/* a frame of this round, by its tag; what came too late is of no use any more */
static bool is_answer(const uint8_t *back, ssize_t len, uint32_t first, uint32_t frames)
{
	uint32_t tag;

	if (len < TAG_AT + 4)
		return false;
	memcpy(&tag, back + TAG_AT, sizeof(tag));
	return le32toh(tag) - first < frames;
}

/* one answer; *@len its length.  0 or -errno, -EAGAIN: there is none */
static int receive(struct raw *r, uint32_t first, uint32_t frames, uint64_t until,
		   uint8_t *back, ssize_t *len)
{
	do {
		*len = recv(r->fd, back, FRAME_MAX, 0);
		if (*len < 0)
			return -errno;
		if (is_answer(back, *len, first, frames))
			return 0;
	} while (now_ns() < until);
	return -EAGAIN;
}

/* all out, then all back */
static int round_trip(struct raw *r, struct span *s)
{
	static uint8_t back[FRAME_MAX];
	uint32_t first = r->seq + 1, i;
	uint64_t from;
	ssize_t len;
	int ret = 0;

	for (i = 0; i < r->frames; i++)
		set_tag(&r->frame[i], ++r->seq);
	s->to = 0;
	from = now_ns();
	for (i = 0; i < r->frames; i++)
		if (send(r->fd, r->frame[i].data, r->frame[i].len, 0) < 0)
			return -errno;
	for (i = 0; !ret && i < r->frames; i++)
		ret = receive(r, first, r->frames, from + PATIENCE_NS, back, &len);
	s->from = from;
	if (!ret)
		s->to = now_ns();
	return ret == -EAGAIN ? 0 : ret;
}

/* ---- who is there ---- */

/* one datagram; its working counter, -EAGAIN: nothing came back */
static int ask(struct raw *r, uint8_t cmd, uint32_t address, uint8_t al[2])
{
	uint8_t back[FRAME_MAX], *p;
	struct frame f;
	uint32_t tag = ++r->seq;
	ssize_t len;
	int ret;

	p = begin(&f, r->mac);
	p = datagram(p, cmd, address, 2, false);
	end(&f, p);
	set_tag(&f, tag);
	if (send(r->fd, f.data, f.len, 0) < 0)
		return -errno;
	ret = receive(r, tag, 1, now_ns() + PATIENCE_NS, back, &len);
	if (ret)
		return ret;
	if (len < p - f.data)
		return -EAGAIN;
	memcpy(al, back + (p - f.data) - 4, 2);
	return back[p - f.data - 2] | back[p - f.data - 1] << 8;
}

int raw_look(struct raw *r, struct look *l)
{
	uint8_t al[2];
	int n = ask(r, BRD, AL_STATUS << 16, al);

	memset(l, 0, sizeof(*l));
	if (n < 0)
		return n;
	l->slaves = n > KECAT_MAX_SLAVES ? KECAT_MAX_SLAVES : (uint32_t)n;
	for (uint32_t i = 0; i < l->slaves; i++) {
		n = ask(r, APRD, AL_STATUS << 16 | (uint16_t)-i, al);
		if (n < 0)
			return n;
		l->al[i] = n == 1 ? al[0] & 0x1f : 0;
	}
	return 0;
}

/* ---- rounds ---- */

int raw_warm_up(struct raw *r)
{
	uint64_t until = now_ns() + WARM_NS;
	struct span s;
	int ret = 0;

	for (int good = 0; !ret && good < WARM_ROUNDS; good = s.to ? good + 1 : 0) {
		if (now_ns() > until)
			return -ETIMEDOUT;
		ret = compare_stop ? -EINTR : round_trip(r, &s);
	}
	return ret;
}

static uint64_t switches(void)
{
	struct rusage u;

	getrusage(RUSAGE_THREAD, &u);
	return (uint64_t)u.ru_nvcsw + (uint64_t)u.ru_nivcsw;
}

int raw_rounds(struct raw *r, uint32_t n, struct span *span, uint64_t *total)
{
	uint64_t next = now_ns(), before;
	int lost = 0, ret = 0;

	*total = 0;
	for (uint32_t i = 0; !ret && i < n; i++) {
		struct timespec t;

		next += r->cycle_ns;
		t = (struct timespec){ (time_t)(next / 1000000000), (long)(next % 1000000000) };
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
		if (compare_stop)
			return -EINTR;
		before = switches();
		ret = round_trip(r, &span[i]);
		*total += switches() - before;
		lost = span[i].to ? 0 : lost + 1;
		if (lost == LOST_IN_A_ROW)
			return -ETIMEDOUT;
		/* a lost round took longer than a cycle: they are not made up for */
		if (!span[i].to)
			next = now_ns();
	}
	return ret;
}
