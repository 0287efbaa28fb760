// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interface as its owner left it.  While kecat has the port it may be gone
 * altogether, and what comes back is a new one with the driver's defaults.
 */
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "compare.h"

#define IPV6		"/proc/sys/net/ipv6/conf/%s/disable_ipv6"
#define ETHERNET	"1"	/* ARPHRD_ETHER */
#define WAIT_MS		20
#define BACK_TRIES	500
#define CARRIER_TRIES	500
#define SETTLE_MS	200

static const char *const files[IFACE_FILES] = {
	"threaded", "mtu", "tx_queue_len", "gro_flush_timeout", "napi_defer_hard_irqs",
};

/* ---- who uses it? ---- */

/* a line of the kernel's tables of routes names the interface, first or last */
static bool routed(const char *path, const char *ifname, bool *by_default)
{
	char line[512], first[64], second[64];
	FILE *f = fopen(path, "re");
	bool found = false;

	while (f && fgets(line, sizeof(line), f)) {
		const char *end = strrchr(line, ' ');

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%63s %63s", first, second) != 2)
			continue;
		/* IPv6: link-local and multicast ones come with the interface */
		if (end && !strcmp(end + 1, ifname)) {
			if (!strncmp(first, "fe80", 4) || !strncmp(first, "ff", 2))
				continue;
			*by_default |= strspn(first, "0") == 32 && !strcmp(second, "00");
			found = true;
		} else if (!strcmp(first, ifname)) {
			*by_default |= !strcmp(second, "00000000");
			found = true;
		}
	}
	if (f)
		fclose(f);
	return found;
}

void iface_refuse(const char *ifname, char *why, size_t room, bool *never)
{
	char type[16], address[INET6_ADDRSTRLEN];
	bool by_default = false, route;

	*why = '\0';
	*never = false;
	if (sysfs_read(type, sizeof(type), "class/net/%s/type", ifname) || strcmp(type, ETHERNET)) {
		*never = true;
		snprintf(why, room, "is no Ethernet interface");
		return;
	}
	if (attach_in_use(ifname, address, sizeof(address))) {
		snprintf(why, room, "has the address %s: you may be connected through it", address);
		return;
	}
	route = routed("/proc/net/route", ifname, &by_default);
	route |= routed("/proc/net/ipv6_route", ifname, &by_default);
	if (route)
		snprintf(why, room, "has %s", by_default ?
			 "the default route: this machine reaches others through it" : "routes");
	else if (sysfs_exists("class/net/%s/master", ifname))
		snprintf(why, room, "belongs to a bridge or bond");
}

/* ---- up and down ---- */

static int flags(const char *ifname, short *value, bool set)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), ret;
	struct ifreq ifr = { 0 };

	if (fd < 0)
		return -errno;
	snprintf(ifr.ifr_name, IFNAMSIZ, "%.*s", IFNAMSIZ - 1, ifname);
	ifr.ifr_flags = *value;
	ret = ioctl(fd, set ? SIOCSIFFLAGS : SIOCGIFFLAGS, &ifr) ? -errno : 0;
	*value = ifr.ifr_flags;
	close(fd);
	return ret;
}

static int set_up(const char *ifname, bool up)
{
	short value = 0;
	int ret = flags(ifname, &value, false);

	if (ret || !!(value & IFF_UP) == up)
		return ret;
	value = (short)(up ? value | IFF_UP : value & ~IFF_UP);
	return flags(ifname, &value, true);
}

static void ipv6(const char *ifname, char *value, size_t room, bool write)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), IPV6, ifname);
	f = fopen(path, write ? "we" : "re");
	if (!f) {
		if (!write)
			*value = '\0';
		return;
	}
	if (write)
		fprintf(f, "%s\n", value);
	else if (!fgets(value, (int)room, f))
		*value = '\0';
	value[strcspn(value, "\n")] = '\0';
	fclose(f);
}

/* ---- as it was ---- */

void iface_save(struct iface *i, const char *ifname)
{
	short value = 0;

	memset(i, 0, sizeof(*i));
	snprintf(i->name, sizeof(i->name), "%s", ifname);
	i->up = !flags(ifname, &value, false) && (value & IFF_UP);
	for (int k = 0; k < IFACE_FILES; k++)
		if (sysfs_read(i->value[k], sizeof(i->value[k]), "class/net/%s/%s", ifname, files[k]))
			i->value[k][0] = '\0';
	ipv6(ifname, i->ipv6, sizeof(i->ipv6), false);
	i->touched = true;
}

static int wait_carrier(const char *ifname)
{
	char value[8];

	for (int n = 0; n < CARRIER_TRIES && !compare_stop; n++) {
		if (!sysfs_read(value, sizeof(value), "class/net/%s/carrier", ifname) && *value == '1') {
			/* the first slave's port opens a little later */
			poll(NULL, 0, SETTLE_MS);
			return 0;
		}
		poll(NULL, 0, WAIT_MS);
	}
	return compare_stop ? -EINTR : -ENOLINK;
}

int iface_up(struct iface *i)
{
	char off[] = "1";
	int ret;

	/* nobody's neighbour discovery among the frames */
	if (!i->up && i->ipv6[0])
		ipv6(i->name, off, sizeof(off), true);
	ret = set_up(i->name, true);
	return ret ? ret : wait_carrier(i->name);
}

bool iface_has_threaded(const struct iface *i)
{
	return i->value[0][0];
}

int iface_set_threaded(const struct iface *i, bool on)
{
	return sysfs_write(on ? "1" : "0", "class/net/%s/%s", i->name, files[0]);
}

/* also what was made anew has its name a moment later */
static int wait_back(const char *ifname)
{
	for (int n = 0; n < BACK_TRIES; n++) {
		if (sysfs_exists("class/net/%s", ifname))
			return 0;
		poll(NULL, 0, WAIT_MS);
	}
	return -ENODEV;
}

int iface_restore(struct iface *i)
{
	char value[32];
	int ret, err;

	if (!i->touched)
		return 0;
	ret = wait_back(i->name);
	if (ret)
		return ret;
	for (int k = 0; k < IFACE_FILES; k++) {
		if (!i->value[k][0] ||
		    sysfs_read(value, sizeof(value), "class/net/%s/%s", i->name, files[k]) ||
		    !strcmp(value, i->value[k]))
			continue;
		err = sysfs_write(i->value[k], "class/net/%s/%s", i->name, files[k]);
		if (!ret)
			ret = err;
	}
	err = set_up(i->name, i->up);
	if (i->ipv6[0])
		ipv6(i->name, i->ipv6, sizeof(i->ipv6), true);
	return ret ? ret : err;
}
