// SPDX-License-Identifier: GPL-2.0-only
/* Frames by unix datagram, UDP, TAP, or a network interface. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim_host.h"

#define ETHERTYPE_ECAT	0x88a4

static int unix_addr(struct sockaddr_un *a, const char *path)
{
	size_t len = strlen(path);

	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	if (len >= sizeof(a->sun_path))
		return -ENAMETOOLONG;
	memcpy(a->sun_path, path, len);
	return 0;
}

/**
 * link_unix - one end of QEMU's "-netdev dgram,local.type=unix"
 * @l:    filled in
 * @path: our end
 * @peer: their end; NULL to answer whoever sends
 *
 * Return: 0 or -errno.
 */
int link_unix(struct link *l, const char *path, const char *peer)
{
	struct sockaddr_un a;
	int ret = unix_addr(&a, path);

	if (ret)
		return ret;
	l->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (l->fd < 0)
		return -errno;
	unlink(path);
	if (bind(l->fd, (struct sockaddr *)&a, sizeof(a)))
		return -errno;
	l->unlink = path;
	if (!peer)
		return 0;
	ret = unix_addr(&a, peer);
	memcpy(&l->peer, &a, sizeof(a));
	l->peer_len = sizeof(a);
	l->fixed = true;
	return ret;
}

/* "ADDRESS:PORT" or "PORT" */
static int inet_addr_of(struct sockaddr_in *a, const char *s)
{
	const char *colon = strrchr(s, ':');
	char host[64] = "0.0.0.0";
	u32 port;

	if (colon) {
		if ((size_t)(colon - s) >= sizeof(host))
			return -EINVAL;
		memcpy(host, s, (size_t)(colon - s));
		host[colon - s] = 0;
		s = colon + 1;
	}
	memset(a, 0, sizeof(*a));
	a->sin_family = AF_INET;
	if (sim_number_u32(s, &port) || port > 0xffff ||
	    inet_pton(AF_INET, host, &a->sin_addr) != 1)
		return -EINVAL;
	a->sin_port = htons((u16)port);
	return 0;
}

/**
 * link_udp - frames in UDP datagrams
 * @l:    filled in
 * @spec: "[ADDRESS:]PORT[,ADDRESS:PORT]": ours, then theirs
 *
 * Return: 0 or -errno.
 */
int link_udp(struct link *l, const char *spec)
{
	struct sockaddr_in a, peer;
	const char *comma = strchr(spec, ',');
	char ours[80];
	size_t n = comma ? (size_t)(comma - spec) : strlen(spec);

	if (n >= sizeof(ours))
		return -EINVAL;
	memcpy(ours, spec, n);
	ours[n] = 0;
	if (inet_addr_of(&a, ours) || (comma && inet_addr_of(&peer, comma + 1)))
		return -EINVAL;
	l->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (l->fd < 0 || bind(l->fd, (struct sockaddr *)&a, sizeof(a)))
		return -errno;
	if (comma) {
		memcpy(&l->peer, &peer, sizeof(peer));
		l->peer_len = sizeof(peer);
		l->fixed = true;
	}
	return 0;
}

/**
 * link_tap - a TAP interface; its other side is an interface of this machine
 * @l:    filled in
 * @name: of the interface
 *
 * Return: 0 or -errno.
 */
int link_tap(struct link *l, const char *name)
{
	struct ifreq ifr = { .ifr_flags = IFF_TAP | IFF_NO_PI };
	size_t len = strlen(name);

	if (len >= IFNAMSIZ)
		return -ENAMETOOLONG;
	memcpy(ifr.ifr_name, name, len);
	l->fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (l->fd < 0 || ioctl(l->fd, TUNSETIFF, &ifr))
		return -errno;
	l->peer_len = 0;
	l->fixed = true;
	return 0;
}

/**
 * link_packet - be the slaves behind an interface of this machine
 * @l:    filled in
 * @name: of the interface
 *
 * Return: 0 or -errno.
 */
int link_packet(struct link *l, const char *name)
{
	struct sockaddr_ll a = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETHERTYPE_ECAT),
	};
	struct packet_mreq m = { .mr_type = PACKET_MR_PROMISC };

	a.sll_ifindex = (int)if_nametoindex(name);
	m.mr_ifindex = a.sll_ifindex;
	if (!a.sll_ifindex)
		return -ENODEV;
	l->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, a.sll_protocol);
	if (l->fd < 0 || bind(l->fd, (struct sockaddr *)&a, sizeof(a)) ||
	    setsockopt(l->fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &m, sizeof(m)))
		return -errno;
	l->packet = true;
	memcpy(&l->peer, &a, sizeof(a));
	l->peer_len = sizeof(a);
	l->fixed = true;
	return 0;
}

/**
 * link_recv - next frame, without waiting
 * @l:    link
 * @buf:  filled in
 * @size: its size
 *
 * Return: length, 0 for something to skip, -errno.
 */
ssize_t link_recv(struct link *l, void *buf, size_t size)
{
	struct sockaddr_storage from;
	socklen_t len = sizeof(from);
	ssize_t n;

	if (!l->peer_len && l->fixed)
		n = read(l->fd, buf, size);
	else
		n = recvfrom(l->fd, buf, size, MSG_DONTWAIT,
			     (struct sockaddr *)&from, &len);
	if (n < 0)
		return -errno;
	if (l->packet &&
	    ((struct sockaddr_ll *)&from)->sll_pkttype == PACKET_OUTGOING)
		return 0;
	if (!l->fixed) {
		l->peer = from;
		l->peer_len = len;
	}
	return n;
}

/**
 * link_send - an answer; one that nobody takes is lost, as on a wire
 * @l:   link
 * @buf: frame
 * @len: its length
 */
void link_send(struct link *l, const void *buf, size_t len)
{
	ssize_t n;

	if (!l->peer_len)
		n = write(l->fd, buf, len);
	else
		n = sendto(l->fd, buf, len, MSG_DONTWAIT | MSG_NOSIGNAL,
			   (struct sockaddr *)&l->peer, l->peer_len);
	(void)n;
}

void link_close(struct link *l)
{
	if (l->fd >= 0)
		close(l->fd);
	if (l->unlink)
		unlink(l->unlink);
}
