// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets one thing of an interface as ethtool does; static, for the lab's guest,
 * which has no ethtool.  usage: ethset INTERFACE rx_usecs|gro|pause NUMBER
 */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static int call(int fd, const char *ifname, void *data)
{
	struct ifreq ifr = { .ifr_data = data };

	strncpy(ifr.ifr_name, ifname, IFNAMSIZ - 1);
	return ioctl(fd, SIOCETHTOOL, &ifr);
}

static int set(int fd, const char *ifname, const char *what, unsigned int value)
{
	struct ethtool_coalesce c = { .cmd = ETHTOOL_GCOALESCE };
	struct ethtool_value gro = { .cmd = ETHTOOL_SGRO, .data = value };
	struct ethtool_pauseparam pause = {
		.cmd = ETHTOOL_SPAUSEPARAM, .rx_pause = value, .tx_pause = value,
	};

	if (!strcmp(what, "gro"))
		return call(fd, ifname, &gro);
	if (!strcmp(what, "pause"))
		return call(fd, ifname, &pause);
	if (strcmp(what, "rx_usecs")) {
		errno = EINVAL;
		return -1;
	}
	if (call(fd, ifname, &c))
		return -1;
	c.cmd = ETHTOOL_SCOALESCE;
	c.rx_coalesce_usecs = value;
	return call(fd, ifname, &c);
}

int main(int argc, char **argv)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (argc != 4 || fd < 0 || set(fd, argv[1], argv[2], strtoul(argv[3], NULL, 10))) {
		perror("ethset");
		return 1;
	}
	return 0;
}
