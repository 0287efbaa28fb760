// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same datagrams by a raw socket, as masters in user space send them:
 * AF_PACKET, SCHED_FIFO 99, memory locked, blocking receive.
 *
 * usage: rawsock INTERFACE ROUNDS FRAMES BYTES
 *        rawsock INTERFACE slaves LIST
 *
 * Sends FRAMES frames laid out as kecat's, with BYTES bytes of process data each,
 * a round a millisecond.  Prints, of the time from the first send() to the return
 * of the last recv(): least, median, mean and most, in ns; and how often a round
 * this process was switched away from, but for its sleep.  In the lab's virtual
 * time a nanosecond is an instruction.  The second form tells tests/bench/wire.c
 * what the segment is.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ETHERTYPE	0x88a4
#define FRAMES_MAX	16
#define FRAME_MAX	1514
#define DATA_MAX	1456
#define WARM_UP		20
#define PERIOD_NS	1000000

#ifndef PACKET_IGNORE_OUTGOING
#define PACKET_IGNORE_OUTGOING	23
#endif

static struct {
	uint16_t len;
	uint8_t data[FRAME_MAX];
} frame[FRAMES_MAX];
static unsigned int frames;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int open_socket(const char *name)
{
	struct sockaddr_ll a = { .sll_family = AF_PACKET, .sll_protocol = htons(ETHERTYPE) };
	struct packet_mreq m = { .mr_type = PACKET_MR_PROMISC };
	struct timeval patience = { .tv_sec = 1 };
	int fd = socket(AF_PACKET, SOCK_RAW, htons(ETHERTYPE)), one = 1;

	a.sll_ifindex = (int)if_nametoindex(name);
	m.mr_ifindex = a.sll_ifindex;
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof(a)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &m, sizeof(m)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)))
		die(name);
	return fd;
}

static uint8_t *datagram(uint8_t *p, uint8_t cmd, uint32_t address, uint16_t len, int more)
{
	uint16_t flags = htole16(len | (more ? 0x8000 : 0));

	p[0] = cmd;
	address = htole32(address);
	memcpy(p + 2, &address, 4);
	memcpy(p + 6, &flags, 2);
	return p + 10 + len + 2;
}

/* NOP with a tag, LRW with the process data, BRD of the AL status in the last frame */
static void build_frames(unsigned int n, uint16_t bytes)
{
	for (frames = 0; frames < n; frames++) {
		uint8_t *d = frame[frames].data, *p = d + 16;
		int last = frames + 1 == n;
		uint16_t len;

		memset(d, 0xff, 6);
		memcpy(d + 6, "\x02\x00\x00\x00\x00\x01\x88\xa4", 8);
		p = datagram(p, 0, 0x09000000, 4, 1);
		p = datagram(p, 12, 0x10000 + frames * bytes, bytes, last);
		if (last)
			p = datagram(p, 7, 0x01300000, 2, 0);
		len = (uint16_t)(p - d - 16);
		d[14] = (uint8_t)len;
		d[15] = (uint8_t)(0x10 | len >> 8);
		frame[frames].len = len + 16 < 60 ? 60 : (uint16_t)(len + 16);
	}
}

/* the text is padded with zeros */
static void select_segment(int fd, const char *list)
{
	uint8_t d[FRAME_MAX] = "\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x01\x88\xb5";

	snprintf((char *)d + 14, sizeof(d) - 14, "%s", list);
	if (send(fd, d, 14 + strlen(list) + 60, 0) < 0)
		die("send");
}

/* all out, then all back; false: something was lost */
static int round_trip(int fd)
{
	static uint8_t back[FRAME_MAX];
	unsigned int i;

	for (i = 0; i < frames; i++)
		if (send(fd, frame[i].data, frame[i].len, 0) != frame[i].len)
			die("send");
	for (i = 0; i < frames; i++)
		if (recv(fd, back, sizeof(back), 0) < 0)
			return 0;
	return 1;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static long switches(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return r.ru_nvcsw + r.ru_nivcsw;
}

int main(int argc, char **argv)
{
	struct sched_param fifo = { .sched_priority = 99 };
	uint64_t *took, sum = 0, bytes = 0;
	struct timespec next;
	int fd, i, rounds, lost = 0;
	long before;

	if (argc < 4) {
		fputs("usage: rawsock INTERFACE ROUNDS FRAMES BYTES\n"
		      "       rawsock INTERFACE slaves LIST\n", stderr);
		return 2;
	}
	fd = open_socket(argv[1]);
	if (!strcmp(argv[2], "slaves")) {
		select_segment(fd, argv[3]);
		return 0;
	}
	if (argc < 5 || atoi(argv[3]) < 1 || atoi(argv[3]) > FRAMES_MAX || atoi(argv[4]) > DATA_MAX) {
		fputs("rawsock: too much\n", stderr);
		return 2;
	}
	build_frames((unsigned int)atoi(argv[3]), (uint16_t)atoi(argv[4]));
	rounds = atoi(argv[2]);
	took = calloc((size_t)rounds, sizeof(*took));
	if (!took)
		die("memory");
	if (sched_setscheduler(0, SCHED_FIFO, &fifo) || mlockall(MCL_CURRENT | MCL_FUTURE))
		die("real time");
	for (i = 0; i < WARM_UP; i++)
		round_trip(fd);
	clock_gettime(CLOCK_MONOTONIC, &next);
	before = switches();
	for (i = 0; i < rounds; i++) {
		next.tv_nsec += PERIOD_NS;
		next.tv_sec += next.tv_nsec / 1000000000;
		next.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		took[i] = now();
		lost += !round_trip(fd);
		took[i] = now() - took[i];
		sum += took[i];
	}
	before = switches() - before;
	qsort(took, (size_t)rounds, sizeof(*took), compare);
	for (i = 0; i < (int)frames; i++)
		bytes += frame[i].len;
	printf("frames=%u bytes=%llu lost=%d min=%llu median=%llu mean=%llu max=%llu switches=%.3f\n",
	       frames, (unsigned long long)bytes, lost, (unsigned long long)took[0],
	       (unsigned long long)took[rounds / 2],
	       (unsigned long long)(sum / (uint64_t)rounds),
	       (unsigned long long)took[rounds - 1], (double)before / rounds - 1);
	return lost != 0;
}
