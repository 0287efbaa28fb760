// SPDX-License-Identifier: GPL-2.0-only
/* The port as a PCI device. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "tree.h"

#define PCI_DIR		"sys/bus/pci/devices"
#define CONFIG_LEN	256
#define CAP_LIST	0x34
#define CAP_EXP		0x10
#define EXP_LNKCTL	0x10
#define EXP_DEVCTL2	0x28
#define ASPM_L0S	1
#define ASPM_L1		2
#define CLKPM		0x100
#define LTR_ENABLE	0x400

struct model {
	uint16_t vendor, first, last;	/* devices from .. to */
	enum verdict verdict;
	bool bursts;		/* e1000e overrides RDTR */
	bool ltr;		/* reports latency tolerance by itself */
	const char *name, *say;
};

static const struct model models[] = {
	{ 0x8086, 0x10d3, 0x10d3, PASS, true, false, "82574L", "good" },
	{ 0x8086, 0x10f6, 0x10f6, PASS, true, false, "82574LA", "good" },
	{ 0x8086, 0x150c, 0x150c, PASS, true, false, "82583V", "good" },
	{ 0x8086, 0x105e, 0x1060, PASS, true, false, "82571EB", "good" },
	{ 0x8086, 0x107d, 0x107f, PASS, true, false, "82572EI", "good" },
	{ 0x8086, 0x10b9, 0x10b9, PASS, true, false, "82572EI", "good" },
	{ 0x8086, 0x1502, 0x1503, FAIL, false, false, "82579",
	  "with management firmware (ME) a doorbell may wait 100 ms: take another port" },
	{ 0x8086, 0x10ea, 0x10f0, WARN, false, false, "82577 or 82578",
	  "wakes slowly from its K1 idle state: measure" },
	{ 0x8086, 0x153a, 0x153b, PASS, false, true, "I217", "good with kecat_e1000e, which handles LTR and K1" },
	{ 0x8086, 0x155a, 0x1559, PASS, false, true, "I218", "good with kecat_e1000e, which handles LTR and K1" },
	{ 0x8086, 0x15a0, 0x15a3, PASS, false, true, "I218", "good with kecat_e1000e, which handles LTR and K1" },
	{ 0x8086, 0x156f, 0x1570, PASS, false, true, "I219", "good with kecat_e1000e, which handles LTR and K1" },
	{ 0x8086, 0x15b7, 0x15be, PASS, false, true, "I219", "good with kecat_e1000e, which handles LTR and K1" },
	{ 0x8086, 0x15d6, 0x15e3, PASS, false, true, "I219", "good with kecat_e1000e, which handles LTR and K1" },
	{ 0x8086, 0x0d4c, 0x0d55, PASS, false, true, "I219", "good with kecat_e1000e, which handles LTR and K1" },
	{ 0x8086, 0x15f9, 0x15fc, PASS, false, true, "I219", "good with kecat_e1000e, which handles LTR and K1" },
	{ 0x8086, 0x1533, 0x1538, PASS, false, false, "I210", "good" },
	{ 0x8086, 0x1539, 0x1539, PASS, false, false, "I211", "good" },
	{ 0x8086, 0x10c9, 0x10c9, PASS, false, false, "82576", "good" },
	{ 0x8086, 0x1521, 0x1524, PASS, false, false, "I350", "good" },
	{ 0x8086, 0x15f2, 0x15f3, PASS, false, false, "I225", "good" },
	{ 0x8086, 0x125b, 0x125c, PASS, false, false, "I226", "good" },
	{ 0x10ec, 0x8167, 0x8169, WARN, false, false, "RTL8169, RTL8110", "PCI, no driver of kecat: a PCIe port is better" },
	{ 0x10ec, 0x8136, 0x8136, WARN, false, false, "RTL810x", "100 Mbit/s part, not tried with kecat" },
	{ 0x10ec, 0x8168, 0x8168, PASS, false, false, "RTL8111, RTL8168",
	  "good from RTL8168E-VL on; dmesg | grep XID names the chip" },
	{ 0x10ec, 0x8125, 0x8125, PASS, false, false, "RTL8125", "good" },
};

static bool read_hex(const struct exam *e, const char *file, uint16_t *v)
{
	int64_t n;

	if (tree_number(&n, PCI_DIR "/%s/%s", e->port.pci, file) || n < 0 || n > UINT16_MAX)
		return false;
	*v = n;
	return true;
}

static const struct model *model_of(const struct exam *e)
{
	uint16_t vendor, device;

	if (!read_hex(e, "vendor", &vendor) || !read_hex(e, "device", &device))
		return NULL;
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (models[i].vendor == vendor && models[i].first <= device &&
		    device <= models[i].last)
			return &models[i];
	return NULL;
}

void probe_model(struct exam *e, struct finding *f)
{
	const struct model *m = model_of(e);
	uint16_t vendor = 0, device = 0;

	if (!read_hex(e, "vendor", &vendor) || !read_hex(e, "device", &device)) {
		unreadable(f, PCI_DIR "/PORT/device", -ENOENT);
		return;
	}
	found(f, m ? m->verdict : WARN, "%04x:%04x %s: %s", vendor, device,
	      m ? m->name : "not in the list", m ? m->say : "measure with kecat run and kecat latency");
	if (f->verdict != PASS)
		mend(f, "a card with i210, i226 or RTL8125");
}

void probe_driver(struct exam *e, struct finding *f)
{
	const char *name = e->port.driver;
	bool wrapped = !strncmp(name, "kecat_", 6);

	found(f, wrapped ? PASS : WARN, "%s", *name ? name : "none");
	if (!wrapped)
		mend(f, "kecat attach %s", e->port.ifname[0] ? e->port.ifname : e->port.pci);
}

/* Capabilities of version 1 end before it, and may stand at the end of the space */
static bool has_ltr(const uint8_t config[CONFIG_LEN], unsigned int at)
{
	return at && at + EXP_DEVCTL2 + 1 < CONFIG_LEN && (config[at + 2] & 0xf) >= 2 &&
	       config[at + EXP_DEVCTL2 + 1] << 8 & LTR_ENABLE;
}

/* Place of the PCI Express capability, 0: none */
static unsigned int find_express(const uint8_t *config, int len)
{
	unsigned int at = len > CAP_LIST ? config[CAP_LIST] & ~3u : 0;

	for (int i = 0; i < 48 && at >= 0x40 && at + EXP_LNKCTL + 1 < (unsigned int)len; i++) {
		if (config[at] == CAP_EXP)
			return at;
		at = config[at + 1] & ~3u;
	}
	return 0;
}

static int read_config(const char *pci, uint8_t config[CONFIG_LEN], unsigned int *at)
{
	char path[TREE_PATH];
	int n = tree_bytes(config, CONFIG_LEN, 0, PCI_DIR "/%s/config", pci);

	*at = 0;
	if (n < 0)
		return n;
	snprintf(path, sizeof(path), PCI_DIR "/%s/config", pci);
	tree_keep(path, config, n);
	if (n <= CAP_LIST + 12)	/* without root only the first 64 bytes */
		return -EACCES;
	*at = find_express(config, n);
	return 0;
}

/* The port at the other end of its link: the directory above it */
static bool upstream(const char *pci, char bridge[PORT_NAME])
{
	char path[TREE_PATH];
	const char *s;
	char *end;

	*bridge = '\0';
	if (tree_link(path, sizeof(path), PCI_DIR "/%s", pci))
		return false;
	end = strrchr(path, '/');
	if (!end)
		return false;
	*end = '\0';
	s = strrchr(path, '/');
	if (!s || strlen(s + 1) != strlen("0000:00:00.0") || s[5] != ':')
		return false;
	snprintf(bridge, PORT_NAME, "%.*s", PORT_NAME - 1, s + 1);
	return true;
}

static void show_state(const char *pci, unsigned int ctl, char *buf, size_t room)
{
	size_t n = strlen(buf);

	snprintf(buf + n, room - n, "%s%s:%s%s%s%s", n ? ", " : "", pci,
		 ctl & ASPM_L0S ? " L0s" : "", ctl & ASPM_L1 ? " L1" : "",
		 ctl & CLKPM ? " clock-pm" : "", ctl & (ASPM_L0S | ASPM_L1 | CLKPM) ? "" : " off");
}

/* Files that switch it off are only where the device can sleep */
static void mend_link(struct finding *f, const char *pci)
{
	static const char *const files[] = { "l0s_aspm", "l1_aspm", "l1_1_aspm", "l1_2_aspm", "clkpm", NULL };
	char text[8];

	for (int i = 0; files[i]; i++)
		if (!tree_line(text, sizeof(text), PCI_DIR "/%s/link/%s", pci, files[i]) &&
		    strcmp(text, "0"))
			mend_write(f, true, "0", PCI_DIR "/%s/link/%s", pci, files[i]);
}

void probe_aspm(struct exam *e, struct finding *f)
{
	char said[160] = "", bridge[PORT_NAME];
	const char *ends[2] = { e->port.pci, bridge };
	unsigned int all = 0, seen = 0;
	uint8_t config[CONFIG_LEN];

	upstream(e->port.pci, bridge);
	for (int i = 0; i < 2 && *ends[i]; i++) {
		unsigned int at, ctl;
		int ret = read_config(ends[i], config, &at);

		if (ret) {
			unreadable(f, PCI_DIR "/PORT/config", ret);
			return;
		}
		if (!at)
			continue;
		ctl = config[at + EXP_LNKCTL] | config[at + EXP_LNKCTL + 1] << 8;
		all |= ctl & (ASPM_L0S | ASPM_L1 | CLKPM);
		seen++;
		show_state(ends[i], ctl, said, sizeof(said));
	}
	found(f, all ? FAIL : PASS, "%s", seen ? said : "no PCIe link");
	if (!all)
		return;
	mend_link(f, e->port.pci);
	if (!f->remedies)
		mend_write(f, true, "performance", "sys/module/pcie_aspm/parameters/policy");
	mend_boot(e, f, "pcie_aspm.policy=performance");
}

/* Only the ordinary driver: ours asks for 1 us */
void probe_ltr(struct exam *e, struct finding *f)
{
	const struct model *m = model_of(e);
	uint8_t config[CONFIG_LEN];
	unsigned int at;

	if (e->ours) {
		found(f, PASS, "%s keeps it at 1 us", e->port.driver);
	} else if (m && m->ltr) {
		found(f, WARN, "%s with driver %s: 1886 us at 100 Mbit/s", m->name,
		      *e->port.driver ? e->port.driver : "none");
		mend(f, "kecat attach %s; or, of the platform: echo 3 >/sys/kernel/debug/pmc_core/ltr_ignore",
		     e->port.ifname[0] ? e->port.ifname : e->port.pci);
	} else if (read_config(e->port.pci, config, &at)) {
		found(f, SKIP, "/" PCI_DIR "/%s/config: run as root", e->port.pci);
	} else if (has_ltr(config, at)) {
		found(f, WARN, "LTR messages are enabled in the port's PCIe capability");
		mend(f, "setpci -s %s CAP_EXP+28.w=0:0400", e->port.pci);
	} else {
		found(f, PASS, "not used by this port");
	}
}

void probe_iommu(struct exam *e, struct finding *f)
{
	char type[24];
	int ret = tree_line(type, sizeof(type), PCI_DIR "/%s/iommu_group/type", e->port.pci);

	if (ret == -ENOENT) {
		found(f, PASS, "not translated");
		return;
	}
	if (ret || !*type) {
		unreadable(f, PCI_DIR "/PORT/iommu_group/type", ret ? ret : -ENODATA);
		return;
	}
	/* buffers of our drivers stay mapped */
	found(f, strcmp(type, "identity") && !e->ours ? WARN : PASS, "%s", type);
	if (f->verdict == WARN)
		mend_boot(e, f, "iommu=pt");
}

void probe_numa(struct exam *e, struct finding *f)
{
	char text[128];
	struct cpus c;
	int64_t node;
	int ret = tree_number(&node, PCI_DIR "/%s/numa_node", e->port.pci);

	if (ret == -ENOENT || (!ret && node < 0)) {
		found(f, PASS, "one node");
		return;
	}
	if (ret) {
		unreadable(f, PCI_DIR "/PORT/numa_node", ret);
		return;
	}
	ret = tree_line(text, sizeof(text), "sys/devices/system/node/node%" PRId64 "/cpulist", node);
	if (ret || !cpus_list(&c, text)) {
		unreadable(f, "sys/devices/system/node/nodeN/cpulist", ret ? ret : -EINVAL);
		return;
	}
	found(f, cpus_has(&c, e->cpu) ? PASS : WARN, "port at node %" PRId64 ", CPUs %s, not %d",
	      node, text, e->cpu);
	if (f->verdict == PASS)
		found(f, PASS, "port and CPU %d at node %" PRId64, e->cpu, node);
	if (f->verdict == WARN)
		mend(f, "take a CPU of /sys/devices/system/node/node%" PRId64 "/cpulist", node);
}

/* Here, as the list of models is: e1000e's parameters cannot be read back */
void probe_rdtr(struct exam *e, struct finding *f)
{
	const struct model *m = model_of(e);
	char value[32] = "", **names;
	bool set = cmdline_value(e, "e1000e.RxIntDelay", value, sizeof(value));
	int n;

	if (strcmp(e->port.driver, "e1000e")) {
		found(f, PASS, "not e1000e");
		return;
	}
	if (!m || !m->bursts) {
		found(f, PASS, "this chip has no descriptor bursts");
		return;
	}
	n = tree_names(&names, "etc/modprobe.d");
	for (int i = 0; i < n && !set; i++) {
		char *text = tree_read("etc/modprobe.d/%s", names[i]);

		set = text && strstr(text, "options e1000e") && strstr(text, "RxIntDelay=");
		free(text);
	}
	if (n >= 0)
		tree_free_names(names, n);
	found(f, set ? PASS : WARN, set ? "%s: RxIntDelay is given" : "%s, and RxIntDelay is not given",
	      m->name);
	if (!set)
		mend(f, "echo options e1000e RxIntDelay=0,0,0,0 >/etc/modprobe.d/kecat-e1000e.conf, load e1000e anew");
}
