// SPDX-License-Identifier: GPL-2.0-only
/*
 * kecat attach, kecat detach: hand one port from its ordinary driver to
 * kecat's and back, with the kernel's own driver_override.  Other ports of the
 * same driver are not touched.  A port that no driver of ours fits keeps its own
 * and is used through kecat_netdev, under the name of its interface.
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

#include "attach.h"
#include "module.h"
#include "out.h"

#define NETDEV		"kecat_netdev"
#define NETDEV_PARAM	"module/" NETDEV "/parameters/"
#define QUIET_PARAM	"module/kecat/parameters/quiet"
#define WAIT_MS		20
#define WAIT_TRIES	500
#define WAIT_MAX_S	3600
#define WHY_LEN		512

const struct opt attach_opts[] = {
	{ "force", 'f', NULL, "also if the interface is up and has an address" },
	{ "driver", 'd', "NAME", "driver to use; netdev keeps the ordinary one" },
	{ "bus", 'b', "FILE", "then apply this configuration" },
	{ "wait", 'w', "S", "wait so many seconds for the port to appear (0)" },
	{ "quiet", 'q', NULL, "leave the slaves as they are: no scan, no state" },
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

bool attach_in_use(const char *ifname, char *text, size_t room)
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
				  text, (socklen_t)room);
			found = true;
		} else if (sa->sa_family == AF_INET6) {
			const struct in6_addr *ip = &((const struct sockaddr_in6 *)sa)->sin6_addr;

			if (IN6_IS_ADDR_LINKLOCAL(ip))
				continue;
			inet_ntop(AF_INET6, ip, text, (socklen_t)room);
			found = true;
		}
	}
	freeifaddrs(all);
	return found;
}

static bool loaded(const char *name)
{
	return strcmp(name, NETDEV) ? sysfs_exists("bus/pci/drivers/%s", name) :
		sysfs_exists(NETDEV_PARAM "attach");
}

static int load_module(const char *name)
{
	pid_t pid;
	int status;

	if (loaded(name))
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
	return loaded(name) ? 0 : -ENOENT;
}

/* Where a port sits */
struct seat {
	unsigned int master;
	bool second;	/* the other end of a ring */
	char driver[32];
	uint8_t mac[6];
};

static bool is_seat(struct kecat *k, const char *nic, struct seat *s)
{
	struct kecat_status st;
	struct kecat_ring ring;

	if (!kecat_get_status(k, &st) && !strcmp(st.nic, nic)) {
		s->second = false;
		memcpy(s->driver, st.driver, sizeof(s->driver));
		memcpy(s->mac, st.mac, sizeof(s->mac));
		return true;
	}
	/* a module of before knows of no second port */
	if (kecat_get_ring(k, &ring) || strcmp(ring.nic, nic))
		return false;
	s->second = true;
	memcpy(s->driver, ring.driver, sizeof(s->driver));
	memcpy(s->mac, ring.mac, sizeof(s->mac));
	return true;
}

static bool find_seat(const char *nic, struct seat *s)
{
	bool found = false;

	for (unsigned int i = 0; *nic && !found && i < KECAT_MAX_MASTERS; i++) {
		struct kecat *k;

		if (kecat_open(i, KECAT_RDONLY, &k))
			continue;
		found = is_seat(k, nic, s);
		s->master = i;
		kecat_close(k);
	}
	return found;
}

/* The master whose first port is @nic, or -1 */
static int find_master(const char *nic)
{
	struct seat s;

	return find_seat(nic, &s) && !s.second ? (int)s.master : -1;
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

/* kecat_netdev says itself why it refuses */
static int netdev_command(struct ctx *c, const char *command, const char *ifname)
{
	char reason[192];
	int ret = sysfs_write(ifname, NETDEV_PARAM "%s", command);

	if (!ret)
		return EXIT_OK;
	if (!sysfs_read(reason, sizeof(reason), NETDEV_PARAM "reason") && *reason)
		error("%s", out_clean(reason));
	else
		fail(c, ret, "cannot %s %s", command, ifname);
	return ret == -ENODEV ? EXIT_NODEV : EXIT_FAIL;
}

/* A port's name is its PCI address, or that of its interface if it kept it */
static bool is_netdev(const char *port)
{
	return sysfs_exists("class/net/%s", port);
}

static int give_back(const char *port)
{
	return is_netdev(port) ? sysfs_write(port, NETDEV_PARAM "detach") :
		rebind(port, NULL);
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
	if (!strcmp(driver, NETDEV))
		return netdev_command(c, "attach", p->pci);
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
	give_back(p->pci);
	error("%s has %s, but it did not join /dev/kecat%u: the kernel log says why; it was given back",
	      driver, p->pci, c->master);
	return EXIT_FAIL;
}

static int take(struct ctx *c, const struct candidate *a)
{
	const struct port *p = &a->p;
	int master, ret;

	ret = hand_over(c, p, a->driver);
	if (ret)
		return ret;
	master = wait_master(p->pci);
	if (master < 0) {
		error("%s has the port, but no master for it appeared: is /dev mounted and the module kecat loaded?",
		      a->driver);
		return EXIT_FAIL;
	}
	c->master = master;
	return open_master(c, KECAT_RDWR);
}

int attach_take(struct ctx *c, const struct candidate *a, bool quiet)
{
	int ret;

	if (!quiet)
		return take(c, a);
	/* the module has to be there before its parameter; hand_over() says why not */
	if (!load_module(a->driver) && sysfs_write(a->p.pci, QUIET_PARAM)) {
		error("the loaded kecat.ko cannot leave slaves alone: install kecat.ko and kecat of one version");
		return EXIT_FAIL;
	}
	ret = take(c, a);
	sysfs_write("\n", QUIET_PARAM);
	return ret;
}

static bool is_wrapped(const struct port *p)
{
	return !strncmp(p->driver, DRIVER_PREFIX, strlen(DRIVER_PREFIX));
}

/*
 * A name alone may be that of another interface by now, or in another network
 * namespace: the address has to fit as well.
 */
static bool is_attached_netdev(const char *ifname, struct seat *s)
{
	char here[PORT_NAME], there[PORT_NAME];

	if (!find_seat(ifname, s) || strcmp(s->driver, NETDEV) ||
	    sysfs_read(here, sizeof(here), "class/net/%s/address", ifname))
		return false;
	snprintf(there, sizeof(there), "%02x:%02x:%02x:%02x:%02x:%02x", s->mac[0],
		 s->mac[1], s->mac[2], s->mac[3], s->mac[4], s->mac[5]);
	return !strcasecmp(here, there);
}

/* By a driver of ours, or by kecat_netdev, which knows it by its interface */
static bool is_attached(const struct port *p)
{
	struct seat s;

	return is_wrapped(p) || is_attached_netdev(p->ifname, &s);
}

/* On PCI, else any other interface: virtio, USB, veth */
static int find_any(const char *text, struct port *p)
{
	memset(p, 0, sizeof(*p));
	return sysfs_find_port(text, p) ? sysfs_find_netdev(text, p->ifname) : 0;
}

/* A port is there when its driver is, unless another one is asked for */
static int find_port(struct ctx *c, const char *text, struct port *p)
{
	uint64_t seconds = 0;
	int ret;

	if (opt_uint(c, "wait", WAIT_MAX_S, &seconds))
		return EXIT_USAGE;
	for (uint64_t ms = 0;; ms += WAIT_MS) {
		ret = find_any(text, p);
		if (!ret && (p->driver[0] || !p->pci[0] || opt_has(c, "driver")))
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

/* Does the port keep its ordinary driver: wished, or there is nothing else? */
static bool want_netdev(const struct port *p, const char *wanted)
{
	char driver[PORT_NAME + sizeof(DRIVER_PREFIX)];

	if (wanted)
		return !strcmp(wanted, "netdev");
	if (!p->pci[0])
		return true;
	snprintf(driver, sizeof(driver), DRIVER_PREFIX "%s", p->driver);
	return p->ifname[0] && p->driver[0] && load_module(driver) &&
	       !load_module(NETDEV);
}

/* Nobody asked for it: a driver that could not be built may be the cause */
static void explain_netdev(const struct port *p)
{
	char driver[PORT_NAME + sizeof(DRIVER_PREFIX)], why[WHY_LEN];

	snprintf(driver, sizeof(driver), DRIVER_PREFIX "%s", p->driver);
	if (module_is_absent(driver, why, sizeof(why)))
		error("%s is not built for this kernel: %s; %s is used through kecat_netdev",
		      driver, out_clean(why), p->ifname);
}

/* Why the port cannot be taken as wished: an exit status after a message, or 0 */
static int refuse(struct ctx *c, const struct port *p, const char *wanted, bool netdev)
{
	char address[INET6_ADDRSTRLEN];

	if (!wanted && is_attached(p)) {
		const char *name = is_wrapped(p) ? p->pci : p->ifname;
		struct seat s;

		if (find_seat(name, &s))
			error("%s is attached already: /dev/kecat%u", name, s.master);
		else
			error("%s is attached already", name);
		return EXIT_FAIL;
	}
	if (netdev && !p->ifname[0]) {
		error("%s has no network interface: load its ordinary driver first", p->pci);
		return EXIT_FAIL;
	}
	if (!netdev && !p->pci[0]) {
		error("%s is no PCI port: only --driver netdev fits", p->ifname);
		return EXIT_USAGE;
	}
	if (!netdev && !wanted && !p->driver[0]) {
		error("%s has no driver: name the one to use, as in --driver kecat_e1000e",
		      p->pci);
		return EXIT_USAGE;
	}
	if (!opt_has(c, "force") && !opt_has(c, "yes") &&
	    attach_in_use(p->ifname, address, sizeof(address))) {
		error("%s is up with address %s: you may be connected through it. Take it down (ip link set %s down) or use --force",
		      p->ifname, address, p->ifname);
		return EXIT_FAIL;
	}
	return 0;
}

int attach_choose(struct ctx *c, const char *name, struct candidate *a)
{
	const char *wanted = opt_str(c, "driver");
	struct port *p = &a->p;
	bool netdev;
	int ret;

	if (wanted && !strncmp(wanted, DRIVER_PREFIX, strlen(DRIVER_PREFIX)))
		wanted += strlen(DRIVER_PREFIX);
	ret = find_port(c, name, p);
	if (ret)
		return ret;
	netdev = want_netdev(p, wanted);
	ret = refuse(c, p, wanted, netdev);
	if (ret)
		return ret;
	if (netdev && !wanted)
		explain_netdev(p);
	if (netdev)
		strcpy(p->pci, p->ifname);
	snprintf(a->driver, sizeof(a->driver), DRIVER_PREFIX "%s",
		 netdev ? "netdev" : wanted ? wanted : p->driver);
	return 0;
}

int attach_back(const struct candidate *a)
{
	char driver[PORT_NAME];
	struct seat s;

	if (is_netdev(a->p.pci))
		return find_seat(a->p.pci, &s) ? give_back(a->p.pci) : 0;
	sysfs_driver(a->p.pci, driver);
	return strncmp(driver, DRIVER_PREFIX, strlen(DRIVER_PREFIX)) ? 0 :
		give_back(a->p.pci);
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
	if (again && !find_any(argv[0], &a[0].p) && is_attached(&a[0].p))
		return EXIT_OK;
	/* both before anything is changed */
	for (int i = 0; !ret && i < argc; i++)
		ret = attach_choose(c, argv[i], &a[i]);
	if (!ret && argc > 1 && !strcmp(a[0].p.pci, a[1].p.pci)) {
		error("%s and %s are the same port", argv[0], argv[1]);
		ret = EXIT_USAGE;
	}
	if (!ret)
		ret = attach_take(c, &a[0], opt_has(c, "quiet"));
	if (!ret && argc > 1) {
		ret = attach_second(c, &a[1].p, a[1].driver);
		/* half a ring is not what was asked for */
		if (ret)
			give_back(a[0].p.pci);
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
	struct seat seat;
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
	if (!sysfs_find_netdev(text, pci) && is_attached_netdev(pci, &seat))
		return 0;
	if (sysfs_find_port(text, &p)) {
		error("neither a master nor a port: '%s'", text);
		list_candidates();
		return EXIT_NODEV;
	}
	/* kecat_netdev knows a port by its interface */
	snprintf(pci, PORT_NAME, "%s", is_attached(&p) && !is_wrapped(&p) ? p.ifname : p.pci);
	return 0;
}

/* The other end of the ring whose master has @pci as its first port goes with it */
static int detach_second(const char *pci, char second[PORT_NAME])
{
	int master = find_master(pci), ret = 0;
	struct kecat_ring ring;
	struct kecat *k;

	*second = '\0';
	if (master < 0 || kecat_open(master, KECAT_RDONLY, &k))
		return 0;
	if (!kecat_get_ring(k, &ring) && ring.nic[0] &&
	    (is_netdev(ring.nic) || sysfs_exists("bus/pci/devices/%s", ring.nic))) {
		snprintf(second, PORT_NAME, "%s", ring.nic);
		ret = give_back(second);
	}
	kecat_close(k);
	return ret;
}

static int detach(struct ctx *c, const char *pci)
{
	char driver[PORT_NAME], second[PORT_NAME];
	struct port p;
	int ret;

	if (!is_netdev(pci) && !sysfs_exists("bus/pci/devices/%s", pci)) {
		error("'%s' is not a PCI port: a simulated one goes with 'kecat sim unload'",
		      out_clean(pci));
		return EXIT_FAIL;
	}
	sysfs_driver(pci, driver);
	if (!is_netdev(pci) && strncmp(driver, DRIVER_PREFIX, strlen(DRIVER_PREFIX))) {
		error("%s is not attached to kecat (driver: %s)", pci,
		      driver[0] ? driver : "none");
		return EXIT_FAIL;
	}
	ret = detach_second(pci, second);
	if (ret)
		return fail(c, ret, "cannot give %s back", second);
	ret = give_back(pci);
	if (ret)
		return fail(c, ret, "cannot give %s back", pci);
	out_begin(c->json);
	if (*second)
		out_str("second_port", "%s given back\n", second);
	if (is_netdev(pci)) {
		out_str("port", "%s given back\n", pci);
	} else if (!sysfs_find_port(pci, &p)) {
		out_str("port", "%s", p.pci);
		out_str("driver", " given back, driver %s\n",
			p.driver[0] ? p.driver : "none");
	}
	return out_end() ? EXIT_FAIL : EXIT_OK;
}

/* The master's ports that kept their ordinary driver, the second one first */
static int detach_netdevs_of(struct ctx *c, struct kecat *k)
{
	struct kecat_status st;
	struct kecat_ring ring;
	int ret = EXIT_OK, err;

	if (!kecat_get_ring(k, &ring) && !strcmp(ring.driver, NETDEV))
		ret = detach(c, ring.nic);
	if (kecat_get_status(k, &st) || strcmp(st.driver, NETDEV))
		return ret;
	err = detach(c, st.nic);
	return ret ? ret : err;
}

/* They need not be on PCI */
static int detach_netdevs(struct ctx *c)
{
	int first = EXIT_OK;

	for (unsigned int i = 0; i < KECAT_MAX_MASTERS; i++) {
		struct kecat *k;
		int ret;

		if (kecat_open(i, KECAT_RDONLY, &k))
			continue;
		ret = detach_netdevs_of(c, k);
		kecat_close(k);
		if (!first)
			first = ret;
	}
	return first;
}

static int detach_all(struct ctx *c)
{
	int first = detach_netdevs(c);
	struct port *list;
	int n = sysfs_ports(&list);

	for (int i = 0; i < n; i++) {
		int ret;

		/* one that was the other end of a ring is gone with it */
		sysfs_driver(list[i].pci, list[i].driver);
		ret = is_wrapped(&list[i]) ? detach(c, list[i].pci) : EXIT_OK;
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
