// SPDX-License-Identifier: GPL-2.0-only
/*
 * The same datagrams by a raw socket, as masters in user space send them:
 * AF_PACKET, SCHED_FIFO 99, memory locked, blocking receive.
 *
 * usage: rawsock INTERFACE ROUNDS FRAMES FILE
 *
 * FILE holds the frames of a cycle as kecat sends them, each behind its length
 * (two bytes, little endian); FRAMES = 0: all of them.  Without a file it sends
 * one broadcast read.  Prints, of the time from the first send() to the return
 * of the last recv(): least and mean, in ns, and context switches of this
 * process a round.  In the lab's virtual time a nanosecond is an instruction.
 */
#include <arpa/inet.h>
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
#define WARM_UP		20

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

static void load_frames(const char *path, unsigned int wanted)
{
	FILE *f = fopen(path, "rb");
	uint8_t len[2];

	if (!f)
		die(path);
	while (frames < FRAMES_MAX && (!wanted || frames < wanted) &&
	       fread(len, 1, 2, f) == 2) {
		frame[frames].len = (uint16_t)(len[0] | len[1] << 8);
		if (frame[frames].len > FRAME_MAX ||
		    fread(frame[frames].data, 1, frame[frames].len, f) != frame[frames].len)
			die(path);
		frames++;
	}
	fclose(f);
}

/* broadcast read of the type register */
static void one_frame(void)
{
	static const uint8_t brd[] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0, 0, 0, 0, 0x01, 0x88, 0xa4,
		0x0e, 0x10, 0x07, 0, 0, 0, 0, 0, 0x02, 0, 0, 0,
	};

	memcpy(frame[0].data, brd, sizeof(brd));
	frame[0].len = 60;
	frames = 1;
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

static long switches(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return r.ru_nvcsw + r.ru_nivcsw;
}

int main(int argc, char **argv)
{
	struct sched_param fifo = { .sched_priority = 99 };
	uint64_t least = UINT64_MAX, sum = 0, bytes = 0;
	int fd, i, rounds, lost = 0;
	long before;

	if (argc < 3) {
		fprintf(stderr, "usage: rawsock INTERFACE ROUNDS [FRAMES FILE]\n");
		return 2;
	}
	if (argc > 4)
		load_frames(argv[4], (unsigned int)atoi(argv[3]));
	else
		one_frame();
	fd = open_socket(argv[1]);
	rounds = atoi(argv[2]);
	if (sched_setscheduler(0, SCHED_FIFO, &fifo) || mlockall(MCL_CURRENT | MCL_FUTURE))
		die("real time");
	for (i = 0; i < WARM_UP; i++)
		round_trip(fd);
	before = switches();
	for (i = 0; i < rounds; i++) {
		uint64_t t = now();

		lost += !round_trip(fd);
		t = now() - t;
		sum += t;
		if (t < least)
			least = t;
	}
	before = switches() - before;
	for (i = 0; i < (int)frames; i++)
		bytes += frame[i].len;
	printf("frames=%u bytes=%llu lost=%d min=%llu mean=%llu switches=%.3f\n", frames,
	       (unsigned long long)bytes, lost, (unsigned long long)least,
	       (unsigned long long)(sum / (uint64_t)rounds), (double)before / rounds);
	return lost != 0;
}
