/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of kecat-sim, the far end of somebody's network interface. */
#ifndef KECAT_SIM_HOST_H
#define KECAT_SIM_HOST_H

#include <stdarg.h>
#include <sys/types.h>
#include <sys/socket.h>

#include "segment.h"

#define FRAME_MAX	1536

/** struct link - where frames come from and answers go to */
struct link {
	int fd;
	bool packet;	/* AF_PACKET: also sees what we send */
	bool fixed;	/* answers go to @peer, else to whoever asked */
	struct sockaddr_storage peer;
	socklen_t peer_len;
	const char *unlink;
};

int link_unix(struct link *l, const char *path, const char *peer);
int link_udp(struct link *l, const char *spec);
int link_tap(struct link *l, const char *name);
int link_packet(struct link *l, const char *name);
ssize_t link_recv(struct link *l, void *buf, size_t size);
void link_send(struct link *l, const void *buf, size_t len);
void link_close(struct link *l);

/* pcap.c */
struct pcap;
struct pcap *pcap_open(const char *path);
void pcap_add(struct pcap *p, u64 mono_ns, const void *data, size_t len);
bool pcap_flush(struct pcap *p);
bool pcap_dirty(const struct pcap *p);
void pcap_close(struct pcap *p);

/* control.c */
#define CONTROL_CLIENTS	4
struct control;
struct control *control_open(const char *path);
int control_fds(struct control *c, int fds[CONTROL_CLIENTS + 1]);
void control_ready(struct control *c, int fd, struct sim_segment *seg, u64 now);
void control_close(struct control *c);

/* files.c */
struct devices {
	struct sim_devtext *dev;
	unsigned int n;
	const char *dir;
};

char *file_text(const char *path);
int devices_add_file(struct devices *d, const char *path);
int devices_add_dir(struct devices *d, const char *dir);
void devices_free(struct devices *d);
int devices_load_sii(void *ctx, const char *name, u8 **data, u32 *size);

u64 host_now(void);

#endif
