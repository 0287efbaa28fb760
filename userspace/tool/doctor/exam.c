// SPDX-License-Identifier: GPL-2.0-only
/* What the checks look at: the CPU, the port, the kernel, counters at two times. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmd.h"
#include "../out.h"
#include "doctor.h"
#include "tree.h"

#define OURS		"kecat_"
#define MSR_SMI_COUNT	0x34

/* A recorded tree has the counter of the MSR as a line of text */
static int64_t read_smis(const struct exam *e)
{
	char path[64], text[32];
	uint64_t v;

	snprintf(path, sizeof(path), "kecat/smi_count%d", e->cpu);
	if (!tree_live()) {
		int64_t n;

		return tree_number(&n, "%s", path) ? -1 : n;
	}
	if (tree_bytes(&v, sizeof(v), MSR_SMI_COUNT, "dev/cpu/%d/msr", e->cpu) != sizeof(v))
		return -1;
	v &= UINT32_MAX;
	snprintf(text, sizeof(text), "%" PRIu64 "\n", v);
	tree_keep(path, text, strlen(text));
	return v;
}

static void look(struct exam *e, int which)
{
	free(e->interrupts[which]);
	free(e->softirqs[which]);
	free(e->tasks[which]);
	tree_later(which);
	e->interrupts[which] = tree_read("proc/interrupts");
	e->softirqs[which] = tree_read("proc/softirqs");
	e->tasks[which] = tasks_text(e->cpu);
	e->smis[which] = read_smis(e);
	tree_later(false);
}

static void choose_cpu(struct exam *e, int cpu)
{
	struct cpus c;
	int64_t v;
	char *text;

	e->cpu = cpu;
	e->cpu_from = "--cpu";
	if (cpu >= 0)
		return;
	e->cpu = tasks_cycle_cpu();
	e->cpu_from = "the cyclic thread runs there";
	if (e->cpu >= 0)
		return;
	if (!tree_number(&v, "sys/module/kecat/parameters/cpu") && v >= 0 && v < CPUS_MAX) {
		e->cpu = v;
		e->cpu_from = "parameter cpu of kecat";
		return;
	}
	text = tree_read("sys/devices/system/cpu/isolated");
	if (text)
		text[strcspn(text, "\n")] = '\0';
	if (text && cpus_list(&c, text))
		e->cpu = cpus_first(&c);
	free(text);
	e->cpu_from = "the first isolated one";
	if (e->cpu >= 0)
		return;
	for (unsigned int i = 0; i < CPUS_MAX; i++)
		if (cpus_has(&e->online, i))
			e->cpu = i;
	e->cpu_from = "the last one, none is isolated";
}

/* The port of the master, if it runs here */
static bool port_of_master(struct exam *e, unsigned int master)
{
	struct kecat_status st;
	struct kecat *k;
	bool known;

	if (!tree_live() || kecat_open(master, KECAT_RDONLY, &k))
		return false;
	known = !kecat_get_status(k, &st) && st.nic[0];
	kecat_close(k);
	if (!known)
		return false;
	return !sysfs_find_port(st.nic, &e->port) ||
	       !sysfs_find_netdev(st.nic, e->port.ifname);
}

/* The first one that a driver of kecat has */
static void attached_port(struct exam *e)
{
	struct port *list;
	int n = sysfs_ports(&list);

	for (int i = 0; i < n && !e->port.pci[0]; i++)
		if (!strncmp(list[i].driver, OURS, strlen(OURS)))
			e->port = list[i];
	free(list);
}

static int choose_port(struct exam *e, unsigned int master, const char *name)
{
	char text[TREE_PATH];
	const struct port *p = &e->port;

	if (name && sysfs_find_port(name, &e->port) &&
	    (memset(&e->port, 0, sizeof(e->port)), sysfs_find_netdev(name, e->port.ifname))) {
		error("no network port '%s'", out_clean(name));
		return EXIT_NODEV;
	}
	if (!name && !port_of_master(e, master))
		attached_port(e);
	e->ours = p->pci[0] && !p->ifname[0] && !strncmp(p->driver, OURS, strlen(OURS));
	if (p->pci[0]) {	/* a recorded tree finds its port by these */
		tree_line(text, sizeof(text), "sys/bus/pci/devices/%s/class", p->pci);
		tree_link(text, sizeof(text), "sys/bus/pci/devices/%s/driver", p->pci);
		if (p->ifname[0])
			tree_line(text, sizeof(text), "sys/bus/pci/devices/%s/net/%s/address",
				  p->pci, p->ifname);
	}
	if (p->ifname[0])
		tree_line(text, sizeof(text), "sys/class/net/%s/address", p->ifname);
	return 0;
}

/* Figures of a running cycle, as lines of text */
static char *cycle_text(unsigned int master)
{
	struct kecat_latency lat[KECAT_LAT_COUNT];
	struct kecat *k;
	char *text = NULL;

	if (kecat_open(master, KECAT_RDONLY, &k))
		return NULL;
	if (!kecat_get_latencies(k, lat) && lat[KECAT_LAT_WAKE].count &&
	    asprintf(&text, "cycles=%" PRIu64 "\nwake_max_ns=%" PRIu64
		     "\nwait_min_ns=%" PRIu64 "\nwait_max_ns=%" PRIu64 "\n",
		     (uint64_t)lat[KECAT_LAT_WAKE].count, (uint64_t)lat[KECAT_LAT_WAKE].max_ns,
		     (uint64_t)lat[KECAT_LAT_WAIT].min_ns,
		     (uint64_t)lat[KECAT_LAT_WAIT].max_ns) < 0)
		text = NULL;
	kecat_close(k);
	return text;
}

/* What ioctls tell on a machine that runs, and files in a recorded tree */
static char *told(const char *path, char *text)
{
	if (!tree_live())
		return tree_read("%s", path);
	if (text)
		tree_keep(path, text, strlen(text));
	return text;
}

static void read_kernel(struct exam *e)
{
	char text[CMDLINE_LEN];

	tree_line(e->release, sizeof(e->release), "proc/sys/kernel/osrelease");
	tree_line(e->kernel, sizeof(e->kernel), "proc/sys/kernel/version");
	if (sscanf(e->release, "%d.%d", &e->version[0], &e->version[1]) != 2)
		memset(e->version, 0, sizeof(e->version));
	tree_line(e->cmdline, sizeof(e->cmdline), "proc/cmdline");
	tree_line(text, sizeof(text), "sys/devices/system/cpu/online");
	cpus_list(&e->online, text);
}

void exam_look(struct exam *e)
{
	char path[64];

	free(e->ethtool);
	e->ethtool = NULL;
	if (e->port.ifname[0]) {
		snprintf(path, sizeof(path), "ethtool/%s", e->port.ifname);
		e->ethtool = told(path, tree_live() ? ethtool_text(e->port.ifname) : NULL);
	}
	if (e->cpu < 0)
		return;
	look(e, 0);
	if (tree_live() && e->seconds)
		poll(NULL, 0, e->seconds * 1000);
	if (e->seconds)
		look(e, 1);
}

int exam_begin(struct exam *e, unsigned int master, int cpu, const char *port)
{
	int ret;

	e->smis[0] = -1;
	e->smis[1] = -1;
	read_kernel(e);
	ret = choose_port(e, master, port);
	if (ret)
		return ret;
	choose_cpu(e, cpu);
	if (cpu >= 0 && cpus_count(&e->online) && !cpus_has(&e->online, cpu)) {
		error("there is no CPU %d: /sys/devices/system/cpu/online has those that are", cpu);
		return EXIT_USAGE;
	}
	e->cycle = told("kecat/cycle", tree_live() ? cycle_text(master) : NULL);
	exam_look(e);
	return 0;
}

void exam_end(struct exam *e)
{
	for (int i = 0; i < 2; i++) {
		free(e->interrupts[i]);
		free(e->softirqs[i]);
		free(e->tasks[i]);
	}
	free(e->ethtool);
	free(e->cycle);
}
