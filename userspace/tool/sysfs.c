// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sysfs.h"

#define PCI_CLASS_ETHERNET "0x0200"

const char *sysfs_root = "/sys";

static int vpath(char path[PATH_MAX], const char *fmt, va_list ap)
{
	int n = snprintf(path, PATH_MAX, "%s/", sysfs_root);
	int m = vsnprintf(path + n, PATH_MAX - n, fmt, ap);

	return m < 0 || n + m >= PATH_MAX ? -ENAMETOOLONG : 0;
}

int sysfs_read(char *buf, size_t room, const char *fmt, ...)
{
	char path[PATH_MAX];
	ssize_t n;
	va_list ap;
	int fd, ret;

	va_start(ap, fmt);
	ret = vpath(path, fmt, ap);
	va_end(ap);
	if (ret)
		return ret;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, buf, room - 1);
	ret = n < 0 ? -errno : 0;
	close(fd);
	buf[n < 0 ? 0 : n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return ret;
}

int sysfs_write(const char *value, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	int fd, ret;

	va_start(ap, fmt);
	ret = vpath(path, fmt, ap);
	va_end(ap);
	if (ret)
		return ret;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, value, strlen(value)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

bool sysfs_path(char *buf, size_t room, const char *fmt, ...)
{
	char path[PATH_MAX], real[PATH_MAX];
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = vpath(path, fmt, ap);
	va_end(ap);
	if (ret || !realpath(path, real) || strlen(real) >= room)
		return false;
	strcpy(buf, real);
	return true;
}

bool sysfs_exists(const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	int ret;

	va_start(ap, fmt);
	ret = vpath(path, fmt, ap);
	va_end(ap);
	return !ret && !access(path, F_OK);
}

void sysfs_driver(const char *pci, char driver[PORT_NAME])
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *name;
	ssize_t n;

	driver[0] = '\0';
	snprintf(path, sizeof(path), "%s/bus/pci/devices/%s/driver", sysfs_root, pci);
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return;
	target[n] = '\0';
	name = strrchr(target, '/');
	snprintf(driver, PORT_NAME, "%.*s", PORT_NAME - 1, name ? name + 1 : target);
}

/* The network interface of a PCI device, if its driver made one */
static void fill_netdev(struct port *p)
{
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/bus/pci/devices/%s/net", sysfs_root, p->pci);
	dir = opendir(path);
	if (!dir)
		return;
	while ((d = readdir(dir)))
		if (d->d_name[0] != '.')
			snprintf(p->ifname, PORT_NAME, "%.*s", PORT_NAME - 1, d->d_name);
	closedir(dir);
	sysfs_read(p->mac, PORT_NAME, "bus/pci/devices/%s/net/%s/address",
		   p->pci, p->ifname);
}

static bool is_nic(const char *pci)
{
	char class[PORT_NAME];

	return !sysfs_read(class, sizeof(class), "bus/pci/devices/%s/class", pci) &&
	       !strncmp(class, PCI_CLASS_ETHERNET, strlen(PCI_CLASS_ETHERNET));
}

static int by_address(const void *a, const void *b)
{
	return strcmp(((const struct port *)a)->pci, ((const struct port *)b)->pci);
}

int sysfs_ports(struct port **list)
{
	struct port *ports = NULL, *more;
	char path[PATH_MAX];
	struct dirent *d;
	int n = 0;
	DIR *dir;

	*list = NULL;
	snprintf(path, sizeof(path), "%s/bus/pci/devices", sysfs_root);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while ((d = readdir(dir))) {
		if (d->d_name[0] == '.' || !is_nic(d->d_name))
			continue;
		more = realloc(ports, (n + 1) * sizeof(*ports));
		if (!more)
			break;
		ports = more;
		memset(&ports[n], 0, sizeof(*ports));
		snprintf(ports[n].pci, PORT_NAME, "%.*s", PORT_NAME - 1, d->d_name);
		sysfs_driver(ports[n].pci, ports[n].driver);
		fill_netdev(&ports[n]);
		n++;
	}
	closedir(dir);
	if (n)
		qsort(ports, n, sizeof(*ports), by_address);
	*list = ports;
	return n;
}

static bool matches(const struct port *p, const char *text)
{
	return !strcasecmp(p->pci, text) || !strcmp(p->ifname, text) ||
	       !strcasecmp(p->mac, text) ||
	       (!strncmp(p->pci, "0000:", 5) && !strcasecmp(p->pci + 5, text));
}

int sysfs_find_port(const char *text, struct port *p)
{
	struct port *list;
	int n = sysfs_ports(&list);
	int ret = -ENODEV;

	for (int i = 0; i < n && *text; i++) {
		if (!matches(&list[i], text))
			continue;
		*p = list[i];
		ret = 0;
		break;
	}
	free(list);
	return n < 0 ? n : ret;
}

int sysfs_find_netdev(const char *text, char ifname[PORT_NAME])
{
	char path[PATH_MAX], mac[PORT_NAME];
	struct dirent *d;
	int ret = -ENODEV;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/class/net", sysfs_root);
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (ret && (d = readdir(dir))) {
		if (d->d_name[0] == '.')
			continue;
		if (strcmp(d->d_name, text) &&
		    (sysfs_read(mac, sizeof(mac), "class/net/%s/address", d->d_name) ||
		     strcasecmp(mac, text)))
			continue;
		snprintf(ifname, PORT_NAME, "%.*s", PORT_NAME - 1, d->d_name);
		ret = 0;
	}
	closedir(dir);
	return ret;
}
