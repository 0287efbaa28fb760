// SPDX-License-Identifier: GPL-2.0-only
/* What the ethtool ioctls tell of an interface; what is missing was refused. */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "doctor.h"

static int call(int fd, const char *ifname, unsigned long request, struct ifreq *ifr,
		void *data)
{
	memset(ifr, 0, sizeof(*ifr));
	snprintf(ifr->ifr_name, IFNAMSIZ, "%.*s", IFNAMSIZ - 1, ifname);
	if (data)
		ifr->ifr_data = data;
	return ioctl(fd, request, ifr) ? -errno : 0;
}

static int ethtool(int fd, const char *ifname, void *data)
{
	struct ifreq ifr;

	return call(fd, ifname, SIOCETHTOOL, &ifr, data);
}

static void print_link(FILE *out, int fd, const char *ifname)
{
	struct ethtool_cmd cmd = { .cmd = ETHTOOL_GSET };
	struct ethtool_value up = { .cmd = ETHTOOL_GLINK };
	struct ethtool_pauseparam pause = { .cmd = ETHTOOL_GPAUSEPARAM };
	struct ifreq ifr;

	if (!ethtool(fd, ifname, &up))
		fprintf(out, "link=%u\n", !!up.data);
	if (!ethtool(fd, ifname, &cmd)) {
		fprintf(out, "speed=%d\n", (int)ethtool_cmd_speed(&cmd));
		fprintf(out, "duplex=%u\n", cmd.duplex);
	}
	if (!ethtool(fd, ifname, &pause))
		fprintf(out, "pause_autoneg=%u\npause_rx=%u\npause_tx=%u\n", pause.autoneg,
			pause.rx_pause, pause.tx_pause);
	if (!call(fd, ifname, SIOCGIFFLAGS, &ifr, NULL))
		fprintf(out, "up=%u\npromiscuous=%u\n", !!(ifr.ifr_flags & IFF_UP),
			!!(ifr.ifr_flags & IFF_PROMISC));
}

char *ethtool_text(const char *ifname)
{
	struct ethtool_coalesce c = { .cmd = ETHTOOL_GCOALESCE };
	struct ethtool_eee eee = { .cmd = ETHTOOL_GEEE };
	struct ethtool_value gro = { .cmd = ETHTOOL_GGRO };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char *text = NULL;
	size_t len;
	FILE *out;

	if (fd < 0)
		return NULL;
	out = open_memstream(&text, &len);
	if (!out) {
		close(fd);
		return NULL;
	}
	print_link(out, fd, ifname);
	if (!ethtool(fd, ifname, &c))
		fprintf(out, "rx_usecs=%u\nrx_frames=%u\ntx_usecs=%u\nadaptive_rx=%u\n",
			c.rx_coalesce_usecs, c.rx_max_coalesced_frames, c.tx_coalesce_usecs,
			c.use_adaptive_rx_coalesce);
	if (!ethtool(fd, ifname, &eee))
		fprintf(out, "eee_enabled=%u\neee_active=%u\n", eee.eee_enabled, eee.eee_active);
	if (!ethtool(fd, ifname, &gro))
		fprintf(out, "gro=%u\n", !!gro.data);
	close(fd);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static int set_coalesce(int fd, const char *ifname, const char *key, uint32_t value)
{
	struct ethtool_coalesce c = { .cmd = ETHTOOL_GCOALESCE };
	int ret = ethtool(fd, ifname, &c);

	if (ret)
		return ret;
	c.cmd = ETHTOOL_SCOALESCE;
	if (!strcmp(key, "rx_usecs"))
		c.rx_coalesce_usecs = value;
	else if (!strcmp(key, "rx_frames"))
		c.rx_max_coalesced_frames = value;
	else
		c.use_adaptive_rx_coalesce = value;
	return ethtool(fd, ifname, &c);
}

static int set_eee(int fd, const char *ifname, uint32_t value)
{
	struct ethtool_eee eee = { .cmd = ETHTOOL_GEEE };
	int ret = ethtool(fd, ifname, &eee);

	if (ret)
		return ret;
	eee.cmd = ETHTOOL_SEEE;
	eee.eee_enabled = value;
	return ethtool(fd, ifname, &eee);
}

int ethtool_write(const char *ifname, const char *key, uint32_t value)
{
	struct ethtool_value gro = { .cmd = ETHTOOL_SGRO, .data = value };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int ret;

	if (fd < 0)
		return -errno;
	if (!strcmp(key, "gro"))
		ret = ethtool(fd, ifname, &gro);
	else if (!strcmp(key, "eee_enabled"))
		ret = set_eee(fd, ifname, value);
	else
		ret = set_coalesce(fd, ifname, key, value);
	close(fd);
	return ret;
}
