// SPDX-License-Identifier: GPL-2.0-only
/*
 * kecat attach, kecat detach: hand one port from its ordinary driver to
 * kecat's and back, with the kernel's own driver_override.  Other ports of the
 * same driver are not touched.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"
#include "module.h"
#include "out.h"
#include "sysfs.h"

#define DRIVER_PREFIX	"kecat_"
#define WAIT_MS		20
#define WAIT_TRIES	500
#define WAIT_MAX_S	3600
#define WHY_LEN		512

const struct opt attach_opts[] = {
	{ "force", 'f', NULL, "also if the interface is up and has an address" },
	{ "driver", 'd', "NAME", "kecat driver, if the port has no ordinary one now" },
	{ "bus", 'b', "FILE", "then apply this configuration" },
	{ "wait", 'w', "S", "wait so many seconds for the port to appear (0)" },
	{ "file", 'F', "FILE", "attach all ports of a file, see kecat.conf(5)" },
	{ NULL, 0, NULL, NULL }
};

const struct opt detach_opts[] = {
	{ "all", 'a', NULL, "all ports that are attached" },
	{ NULL, 0, NULL, NULL }
};

static void list_candidates(void)
{
	struct port *list;
	int n = sysfs_ports(&list);

	if (n <= 0)
		fputs("This machine shows no PCI network port.\n", stderr);
	else
		fputs("Ports of this machine:\n", stderr);
	for (int i = 0; i < n; i++)
		fprintf(stderr, "  %-13s %-10s %-18s %s\n", list[i].pci,
			list[i].ifname[0] ? list[i].ifname : "-",
			list[i].mac[0] ? list[i].mac : "-",
			list[i].driver[0] ? list[i].driver : "(no driver)");
	free(list);
}

/* An address that somebody may be reaching this machine by */
static bool in_use(const char *ifname, char text[INET6_ADDRSTRLEN])
{
	struct ifaddrs *all, *a;
	bool found = false;

	if (!*ifname || getifaddrs(&all))
		return false;
	for (a = all; a && !found; a = a->ifa_next) {
		const struct sockaddr *sa = a->ifa_addr;

		if (strcmp(a->ifa_name, ifname) || !sa || !(a->ifa_flags & IFF_UP))
			continue;
		if (sa->sa_family == AF_INET) {
			inet_ntop(AF_INET, &((const struct sockaddr_in *)sa)->sin_addr,
				  text, INET6_ADDRSTRLEN);
			found = true;
		} else if (sa->sa_family == AF_INET6) {
			const struct in6_addr *ip = &((const struct sockaddr_in6 *)sa)->sin6_addr;

			if (IN6_IS_ADDR_LINKLOCAL(ip))
				continue;
			inet_ntop(AF_INET6, ip, text, INET6_ADDRSTRLEN);
			found = true;
		}
	}
	freeifaddrs(all);
	return found;
}

static int load_module(const char *name)
{
	pid_t pid;
	int status;

	if (sysfs_exists("bus/pci/drivers/%s", name))
		return 0;
	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid) {
		execlp("modprobe", "modprobe", name, NULL);
		_exit(127);
	}
	if (waitpid(pid, &status, 0) < 0)
		return -errno;
	return sysfs_exists("bus/pci/drivers/%s", name) ? 0 : -ENOENT;
}

/* The master whose port is @nic, or -1 */
static int find_master(const char *nic)
{
	for (unsigned int i = 0; i < KECAT_MAX_MASTERS; i++) {
		struct kecat_status st;
		struct kecat *k;
		bool found;

		if (kecat_open(i, KECAT_RDONLY, &k))
			continue;
		found = !kecat_get_status(k, &st) && !strcmp(st.nic, nic);
		kecat_close(k);
		if (found)
			return i;
	}
	return -1;
}

static int wait_master(const char *nic)
{
	int master = find_master(nic);

	for (int i = 0; master < 0 && i < WAIT_TRIES; i++) {
		poll(NULL, 0, WAIT_MS);
		master = find_master(nic);
	}
	return master;
}

/* Let @driver (NULL: whichever fits) take the device from whoever has it */
static int rebind(const char *pci, const char *driver)
{
	int ret = sysfs_write(driver ? driver : "\n",
			      "bus/pci/devices/%s/driver_override", pci);

	if (ret)
		return ret;
	if (sysfs_exists("bus/pci/devices/%s/driver", pci))
		ret = sysfs_write(pci, "bus/pci/devices/%s/driver/unbind", pci);
	return ret ? ret : sysfs_write(pci, "bus/pci/drivers_probe");
}

/* The port is @driver's, or an exit status after a message */
static int hand_over(struct ctx *c, const struct port *p, const char *driver)
{
	char now[PORT_NAME], why[WHY_LEN];
	int ret;

	ret = load_module(driver);
	if (ret && module_is_absent(driver, why, sizeof(why))) {
		error("%s is not built for this kernel: %s", driver, out_clean(why));
		return EXIT_FAIL;
	}
	if (ret) {
		error("there is no driver %s: kecat has none for '%s' ports, or its modules are not installed (modprobe %s says more)",
		      driver, p->driver[0] ? p->driver : "such", driver);
		return EXIT_FAIL;
	}
	ret = rebind(p->pci, driver);
	sysfs_driver(p->pci, now);
	if (ret || strcmp(now, driver)) {
		rebind(p->pci, NULL);
		if (ret)
			return fail(c, ret, "cannot hand %s over", p->pci);
		error("%s did not take %s: the kernel log says why; the port was given back",
		      driver, p->pci);
		return EXIT_FAIL;
	}
	return 0;
}

/* @p becomes the other end of the ring of the master that @c has open */
static int attach_second(struct ctx *c, const struct port *p, const char *driver)
{
	struct kecat_ring ring;
	int ret = kecat_set_second(c->k, p->pci);

	if (ret)
		return fail(c, ret, "/dev/kecat%u takes no second port", c->master);
	ret = hand_over(c, p, driver);
	for (int i = 0; !ret && i < WAIT_TRIES; i++) {
		ret = kecat_get_ring(c->k, &ring);
		if (ret)
			return fail(c, ret, "/dev/kecat%u", c->master);
		if (!strcmp(ring.nic, p->pci))
			return 0;
		poll(NULL, 0, WAIT_MS);
	}
	kecat_set_second(c->k, "");
	if (ret)
		return ret;
	rebind(p->pci, NULL);
	error("%s has %s, but it did not join /dev/kecat%u: the kernel log says why; it was given back",
	      driver, p->pci, c->master);
	return EXIT_FAIL;
}

static int attach(struct ctx *c, const struct port *p, const char *driver)
{
	int master, ret;

	ret = hand_over(c, p, driver);
	if (ret)
		return ret;
	master = wait_master(p->pci);
	if (master < 0) {
		error("%s has the port, but no master for it appeared: is /dev mounted and the module kecat loaded?",
		      driver);
		return EXIT_FAIL;
	}
	c->master = master;
	return open_master(c, KECAT_RDWR);
}

struct candidate {
	struct port p;
	char driver[PORT_NAME + sizeof(DRIVER_PREFIX)];
};

static bool is_attached(const struct port *p)
{
	return !strncmp(p->driver, DRIVER_PREFIX, strlen(DRIVER_PREFIX));
}

/* A port is there when its driver is, unless another one is asked for */
static int find_port(struct ctx *c, const char *text, struct port *p)
{
	uint64_t seconds = 0;
	int ret;

	if (opt_uint(c, "wait", WAIT_MAX_S, &seconds))
		return EXIT_USAGE;
	for (uint64_t ms = 0;; ms += WAIT_MS) {
		ret = sysfs_find_port(text, p);
		if (!ret && (p->driver[0] || opt_has(c, "driver")))
			return 0;
		if (ms >= seconds * 1000)
			break;
		poll(NULL, 0, WAIT_MS);
	}
	if (!ret)
		return 0;
	error("no network port '%s'", out_clean(text));
	list_candidates();
	return EXIT_NODEV;
}

/* What the user named, if it may be taken; else an exit status after a message */
static int choose(struct ctx *c, const char *name, struct candidate *a)
{
	const char *wanted = opt_str(c, "driver");
	char address[INET6_ADDRSTRLEN];
	struct port *p = &a->p;
	int ret = find_port(c, name, p);

	if (ret)
		return ret;
	if (!wanted && is_attached(p)) {
		error("%s is attached already: /dev/kecat%d", p->pci, find_master(p->pci));
		return EXIT_FAIL;
	}
	if (!wanted && !p->driver[0]) {
		error("%s has no driver: name the one to use, as in --driver kecat_e1000e",
		      p->pci);
		return EXIT_USAGE;
	}
	if (!opt_has(c, "force") && in_use(p->ifname, address)) {
		error("%s is up with address %s: you may be connected through it. Take it down (ip link set %s down) or use --force",
		      p->ifname, address, p->ifname);
		return EXIT_FAIL;
	}
	snprintf(a->driver, sizeof(a->driver), "%s%s", wanted ? "" : DRIVER_PREFIX,
		 wanted ? wanted : p->driver);
	return 0;
}

static void show_attached(struct ctx *c, const struct candidate *a, int n)
{
	out_begin(c->json);
	out_uint("master", NULL, c->master);
	out_str("port", NULL, a[0].p.pci);
	out_str("driver", NULL, a[0].driver);
	if (n > 1) {
		out_str("second_port", NULL, a[1].p.pci);
		out_str("second_driver", NULL, a[1].driver);
	}
	out_text("/dev/kecat%u: %s, driver %s\n", c->master, a[0].p.pci, a[0].driver);
	if (n > 1)
		out_text("  other end of the ring: %s, driver %s\n", a[1].p.pci,
			 a[1].driver);
}

int attach_ports(struct ctx *c, int argc, char **argv, bool again)
{
	struct candidate a[2];
	int ret = 0;

	if (argc < 1 || argc > 2)
		return usage_error(c, argc ? "two ports at most" : "which port?");
	if (again && !sysfs_find_port(argv[0], &a[0].p) && is_attached(&a[0].p))
		return EXIT_OK;
	/* both before anything is changed */
	for (int i = 0; !ret && i < argc; i++)
		ret = choose(c, argv[i], &a[i]);
	if (!ret && argc > 1 && !strcmp(a[0].p.pci, a[1].p.pci)) {
		error("%s and %s are the same port", argv[0], argv[1]);
		ret = EXIT_USAGE;
	}
	if (!ret)
		ret = attach(c, &a[0].p, a[0].driver);
	if (!ret && argc > 1) {
		ret = attach_second(c, &a[1].p, a[1].driver);
		/* half a ring is not what was asked for */
		if (ret)
			rebind(a[0].p.pci, NULL);
	}
	if (ret)
		return ret;
	show_attached(c, a, argc);
	if (out_end())
		return EXIT_FAIL;
	kecat_close(c->k);
	c->k = NULL;
	return opt_has(c, "bus") ? config_apply(c, opt_str(c, "bus")) : EXIT_OK;
}

int cmd_attach(struct ctx *c, int argc, char **argv)
{
	const char *file = opt_str(c, "file");

	if (!file)
		return attach_ports(c, argc, argv, false);
	if (argc)
		return usage_error(c, "a port or a file, not both");
	return portfile_attach(c, file);
}

/* What the user named: a master by number or node, else a port */
static int detach_target(struct ctx *c, const char *text, char pci[PORT_NAME])
{
	const char *number = text;
	struct kecat_status st;
	struct port p;
	uint64_t n;
	int ret;

	if (!strncmp(text, "/dev/kecat", 10))
		number += 10;
	else if (!strncmp(text, "kecat", 5))
		number += 5;
	if (parse_uint(number, KECAT_MAX_MASTERS - 1, &n)) {
		c->master = n;
		ret = open_master(c, KECAT_RDONLY);
		if (ret)
			return ret;
		ret = kecat_get_status(c->k, &st);
		if (ret)
			return fail(c, ret, "/dev/kecat%u", c->master);
		snprintf(pci, PORT_NAME, "%s", st.nic);
		kecat_close(c->k);
		c->k = NULL;
		return 0;
	}
	if (sysfs_find_port(text, &p)) {
		error("neither a master nor a port: '%s'", text);
		list_candidates();
		return EXIT_NODEV;
	}
	snprintf(pci, PORT_NAME, "%s", p.pci);
	return 0;
}

/* The other end of the ring whose master has port @pci goes with it */
static int detach_second(const char *pci, char second[PORT_NAME])
{
	int master = find_master(pci), ret = 0;
	struct kecat_ring ring;
	struct kecat *k;

	*second = '\0';
	if (master < 0 || kecat_open(master, KECAT_RDONLY, &k))
		return 0;
	if (!kecat_get_ring(k, &ring) && ring.nic[0] &&
	    sysfs_exists("bus/pci/devices/%s", ring.nic)) {
		snprintf(second, PORT_NAME, "%s", ring.nic);
		ret = rebind(second, NULL);
	}
	kecat_close(k);
	return ret;
}

static int detach(struct ctx *c, const char *pci)
{
	char driver[PORT_NAME], second[PORT_NAME];
	struct port p;
	int ret;

	if (!sysfs_exists("bus/pci/devices/%s", pci)) {
		error("'%s' is not a PCI port: a simulated one goes with 'kecat sim unload'",
		      out_clean(pci));
		return EXIT_FAIL;
	}
	sysfs_driver(pci, driver);
	if (strncmp(driver, DRIVER_PREFIX, strlen(DRIVER_PREFIX))) {
		error("%s is not attached to kecat (driver: %s)", pci,
		      driver[0] ? driver : "none");
		return EXIT_FAIL;
	}
	ret = detach_second(pci, second);
	if (ret)
		return fail(c, ret, "cannot give %s back", second);
	ret = rebind(pci, NULL);
	if (ret)
		return fail(c, ret, "cannot give %s back", pci);
	out_begin(c->json);
	if (*second)
		out_str("second_port", "%s given back\n", second);
	if (!sysfs_find_port(pci, &p)) {
		out_str("port", "%s", p.pci);
		out_str("driver", " given back, driver %s\n",
			p.driver[0] ? p.driver : "none");
	}
	return out_end() ? EXIT_FAIL : EXIT_OK;
}

static int detach_all(struct ctx *c)
{
	struct port *list;
	int first = EXIT_OK, n = sysfs_ports(&list);

	for (int i = 0; i < n; i++) {
		int ret;

		/* one that was the other end of a ring is gone with it */
		sysfs_driver(list[i].pci, list[i].driver);
		ret = is_attached(&list[i]) ? detach(c, list[i].pci) : EXIT_OK;
		if (!first)
			first = ret;
	}
	free(list);
	return first;
}

int cmd_detach(struct ctx *c, int argc, char **argv)
{
	bool all = opt_has(c, "all");
	char pci[PORT_NAME];
	int ret;

	if (argc != !all)
		return usage_error(c, "which port or master?");
	if (all)
		return detach_all(c);
	ret = detach_target(c, argv[0], pci);
	return ret ? ret : detach(c, pci);
}
