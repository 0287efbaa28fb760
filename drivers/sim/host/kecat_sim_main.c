// SPDX-License-Identifier: GPL-2.0-only
/* kecat-sim: a simulated segment as a program. */
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "sim_host.h"

#define FLUSH_MS	200
#define BURST		64	/* frames before other descriptors are looked at */

struct options {
	const char *listen, *peer, *listen2, *peer2, *udp, *tap, *ifname;
	const char *slaves, *segment, *pcap, *control;
	struct devices devices;
	bool list;
};

static const char help[] =
"usage: kecat-sim [LINK] [SEGMENT] [options]\n"
"\n"
"A simulated EtherCAT segment at the far end of a network interface.\n"
"\n"
"Link, one of:\n"
"  --listen PATH [--peer PATH]  unix datagrams, as QEMU's -netdev dgram\n"
"  --listen2 PATH [--peer2 PATH]  and the same for the other end of a ring\n"
"  --udp [ADDR:]PORT[,ADDR:PORT]  UDP datagrams: our end, then theirs\n"
"  --tap NAME                   a TAP interface that is made for it\n"
"  --ifname NAME                an interface of this machine, raw\n"
"Segment, one of:\n"
"  --slaves LIST                e.g. coupler,do8*2,di8*2,ai2,drive\n"
"  --segment FILE               description with topology and wires\n"
"Options:\n"
"  --devices DIR                more device descriptions, *.dev\n"
"  --device FILE                one more device description\n"
"  --pcap FILE                  capture of requests and answers\n"
"  --control PATH               socket for fault commands; - is stdin\n"
"  --max-gap US                 time of the segment goes on at most so much from\n"
"                               frame to frame: a master whose clock stands still\n"
"                               while we wait must not trip a watchdog\n"
"  --list                       names of the devices that are known\n"
"  --help                       this text\n";

u64 host_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000u + (u64)t.tv_nsec;
}

/* Time of the segment: the host's, in steps of at most --max-gap. */
static u64 max_gap_ns = ~0ull;

static u64 segment_now(void)
{
	static u64 host, now;
	u64 t = host_now();

	now += !host ? t : t - host < max_gap_ns ? t - host : max_gap_ns;
	host = t;
	return now;
}

/* A descriptor that becomes readable when the program has to end. */
static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static int complain(const char *what, int err)
{
	fprintf(stderr, "kecat-sim: %s: %s\n", what, strerror(-err));
	return err;
}

enum {
	O_LISTEN = 256, O_PEER, O_LISTEN2, O_PEER2, O_UDP, O_TAP, O_IFNAME, O_SLAVES, O_SEGMENT,
	O_DEVICES, O_DEVICE, O_PCAP, O_CONTROL, O_MAX_GAP, O_LIST, O_HELP,
};

static const struct option longopts[] = {
	{ "listen", required_argument, NULL, O_LISTEN },
	{ "peer", required_argument, NULL, O_PEER },
	{ "listen2", required_argument, NULL, O_LISTEN2 },
	{ "peer2", required_argument, NULL, O_PEER2 },
	{ "udp", required_argument, NULL, O_UDP },
	{ "tap", required_argument, NULL, O_TAP },
	{ "ifname", required_argument, NULL, O_IFNAME },
	{ "slaves", required_argument, NULL, O_SLAVES },
	{ "segment", required_argument, NULL, O_SEGMENT },
	{ "devices", required_argument, NULL, O_DEVICES },
	{ "device", required_argument, NULL, O_DEVICE },
	{ "pcap", required_argument, NULL, O_PCAP },
	{ "control", required_argument, NULL, O_CONTROL },
	{ "max-gap", required_argument, NULL, O_MAX_GAP },
	{ "list", no_argument, NULL, O_LIST },
	{ "help", no_argument, NULL, O_HELP },
	{ NULL, 0, NULL, 0 },
};

static int add_devices(struct options *o, int opt, const char *arg)
{
	int ret = opt == O_DEVICE ? devices_add_file(&o->devices, arg) :
				    devices_add_dir(&o->devices, arg);

	return ret ? complain(arg, ret) : 0;
}

static int set_max_gap(const char *arg)
{
	char *end;
	unsigned long us = strtoul(arg, &end, 10);

	if (*end || end == arg || !us || us > 1000000)
		return complain("--max-gap: 1..1000000 us are expected", -EINVAL);
	max_gap_ns = us * 1000ull;
	return 0;
}

static int take_option(struct options *o, int opt, const char *arg)
{
	switch (opt) {
	case O_LISTEN:
		o->listen = arg;
		return 0;
	case O_PEER:
		o->peer = arg;
		return 0;
	case O_LISTEN2:
		o->listen2 = arg;
		return 0;
	case O_PEER2:
		o->peer2 = arg;
		return 0;
	case O_UDP:
		o->udp = arg;
		return 0;
	case O_TAP:
		o->tap = arg;
		return 0;
	case O_IFNAME:
		o->ifname = arg;
		return 0;
	case O_SLAVES:
		o->slaves = arg;
		return 0;
	case O_SEGMENT:
		o->segment = arg;
		return 0;
	case O_PCAP:
		o->pcap = arg;
		return 0;
	case O_CONTROL:
		o->control = arg;
		return 0;
	case O_MAX_GAP:
		return set_max_gap(arg);
	case O_LIST:
		o->list = true;
		return 0;
	case O_DEVICES:
	case O_DEVICE:
		return add_devices(o, opt, arg);
	}
	return -EINVAL;
}

static int parse_options(struct options *o, int argc, char **argv)
{
	int opt;

	while ((opt = getopt_long(argc, argv, "", longopts, NULL)) != -1) {
		if (opt == O_HELP) {
			fputs(help, stdout);
			exit(0);
		}
		if (take_option(o, opt, optarg))
			return -EINVAL;
	}
	if (optind < argc)
		return complain(argv[optind], -EINVAL);
	return 0;
}

static void list_devices(const struct options *o)
{
	unsigned int i;

	for (i = 0; i < o->devices.n; i++)
		printf("%s\n", o->devices.dev[i].name);
	for (i = 0; i < sim_devtab_len; i++)
		printf("%s\n", sim_devtab[i].name);
}

static int open_link(struct link *l, const struct options *o)
{
	int ret = -EINVAL;

	if (o->listen)
		ret = link_unix(&l[0], o->listen, o->peer);
	else if (o->udp)
		ret = link_udp(&l[0], o->udp);
	else if (o->tap)
		ret = link_tap(&l[0], o->tap);
	else if (o->ifname)
		ret = link_packet(&l[0], o->ifname);
	if (!ret && o->listen2)
		ret = link_unix(&l[1], o->listen2, o->peer2);
	return ret ? complain("cannot open the link", ret) : 0;
}

static struct sim_segment *open_segment(struct options *o)
{
	struct sim_files files = { devices_load_sii, &o->devices };
	struct sim_config cfg = {
		.slaves = o->slaves ? o->slaves : "coupler,do8,di8,drive",
		.devices = o->devices.dev, .ndevices = o->devices.n,
		.files = &files,
	};
	char *text = NULL;
	struct sim_segment *seg;

	if (o->segment) {
		text = file_text(o->segment);
		if (!text) {
			complain(o->segment, -errno);
			return NULL;
		}
		cfg.text = text;
	}
	seg = sim_segment_create(&cfg, segment_now());
	if (!seg)
		fprintf(stderr, "kecat-sim: %s\n", cfg.error);
	free(text);
	return seg;
}

/*
 * Frames that are there at end @at of the segment; an answer leaves by the end
 * where it arrives.  The applications work behind each.
 */
static void answer_frames(struct link l[2], unsigned int at,
			  struct sim_segment *seg, struct pcap *pcap)
{
	static u8 frame[FRAME_MAX];
	int i;

	for (i = 0; i < BURST; i++) {
		ssize_t n = link_recv(&l[at], frame, sizeof(frame));
		u64 now = segment_now(), done;
		unsigned int port = at;
		size_t len;

		if (n < 0)
			return;
		if (!n)
			continue;
		if (pcap)
			pcap_add(pcap, host_now(), frame, (size_t)n);
		len = sim_segment_process_port(seg, &port, frame, (size_t)n, now, &done);
		if (l[port].fd < 0)
			len = 0;
		if (len)
			link_send(&l[port], frame, len);
		if (pcap && len)
			pcap_add(pcap, host_now(), frame, len);
		sim_segment_tick(seg, now);
	}
}

static void loop(struct link l[2], struct sim_segment *seg, struct pcap *pcap,
		 struct control *ctl, int signals)
{
	struct pollfd pfd[CONTROL_CLIENTS + 4];
	int fds[CONTROL_CLIENTS + 1], i, n, ready;

	for (;;) {
		pfd[0] = (struct pollfd){ l[0].fd, POLLIN, 0 };
		pfd[1] = (struct pollfd){ l[1].fd, POLLIN, 0 };
		pfd[2] = (struct pollfd){ signals, POLLIN, 0 };
		n = control_fds(ctl, fds);
		for (i = 0; i < n; i++)
			pfd[i + 3] = (struct pollfd){ fds[i], POLLIN, 0 };
		ready = poll(pfd, (nfds_t)n + 3, pcap_dirty(pcap) ? FLUSH_MS : -1);
		if (!ready && !pcap_flush(pcap))
			complain("capture file", -errno);
		if (ready <= 0)
			continue;
		if (pfd[2].revents)
			return;
		for (i = 0; i < 2; i++)
			if (pfd[i].revents)
				answer_frames(l, (unsigned int)i, seg, pcap);
		for (i = 0; i < n; i++)
			if (pfd[i + 3].revents)
				control_ready(ctl, fds[i], seg, segment_now());
	}
}

static int serve(struct options *o)
{
	struct link link[2] = { { .fd = -1 }, { .fd = -1 } };
	struct sim_segment *seg = open_segment(o);
	struct control *ctl = NULL;
	struct pcap *pcap = NULL;
	int ret = 1;

	if (!seg || open_link(link, o))
		goto out_close;
	if (o->pcap) {
		pcap = pcap_open(o->pcap);
		if (!pcap) {
			complain(o->pcap, -errno);
			goto out_close;
		}
	}
	if (o->control) {
		ctl = control_open(o->control);
		if (!ctl) {
			complain(o->control, -errno);
			goto out_close;
		}
	}
	fprintf(stderr, "kecat-sim: %u slaves\n", seg->count);
	loop(link, seg, pcap, ctl, open_signals());
	ret = 0;
out_close:
	control_close(ctl);
	pcap_close(pcap);
	link_close(&link[0]);
	link_close(&link[1]);
	sim_segment_destroy(seg);
	return ret;
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	int ret;

	if (parse_options(&o, argc, argv)) {
		fputs("Try 'kecat-sim --help'.\n", stderr);
		return 2;
	}
	if (o.list) {
		list_devices(&o);
		devices_free(&o.devices);
		return 0;
	}
	ret = serve(&o);
	devices_free(&o.devices);
	return ret;
}
