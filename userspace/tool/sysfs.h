/* SPDX-License-Identifier: GPL-2.0-only */
/* Network ports and drivers as sysfs shows them. */
#ifndef KECAT_TOOL_SYSFS_H
#define KECAT_TOOL_SYSFS_H

#include <stdbool.h>
#include <stddef.h>

#define PORT_NAME	32

struct port {
	char pci[PORT_NAME];	/* 0000:03:00.0 */
	char ifname[PORT_NAME];	/* "" if it has no network interface */
	char mac[PORT_NAME];
	char driver[PORT_NAME];	/* "" if unbound */
};

/* "/sys"; tests point it elsewhere */
extern const char *sysfs_root;

/* first line of a file below sysfs_root; -errno */
int sysfs_read(char *buf, size_t room, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int sysfs_write(const char *value, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* where a file or link below sysfs_root really is */
bool sysfs_path(char *buf, size_t room, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
bool sysfs_exists(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* PCI network ports; for free().  Number or -errno */
int sysfs_ports(struct port **list);
/* by interface name, MAC or PCI address (domain may be left out) */
int sysfs_find_port(const char *text, struct port *p);
/* any network interface, by name or MAC, on whichever bus; 0 or -errno */
int sysfs_find_netdev(const char *text, char ifname[PORT_NAME]);
/* name of the driver that holds a PCI device, "" if none */
void sysfs_driver(const char *pci, char driver[PORT_NAME]);

#endif
