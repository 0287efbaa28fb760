// SPDX-License-Identifier: GPL-2.0-only
/* The port as an interface whose packets take the ordinary path. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "doctor.h"
#include "tree.h"

static bool told(const struct exam *e, struct finding *f, const char *key, int64_t *v)
{
	if (line_value(e->ethtool, key, v))
		return true;
	found(f, SKIP, "the driver does not tell");
	return false;
}

void probe_link(struct exam *e, struct finding *f)
{
	int64_t link, speed = 0, duplex = 0;

	if (!told(e, f, "link", &link))
		return;
	if (!link) {
		found(f, WARN, "down");
		mend(f, "ip link set %s up, and connect the first slave's IN port", e->port.ifname);
		return;
	}
	line_value(e->ethtool, "speed", &speed);
	line_value(e->ethtool, "duplex", &duplex);
	found(f, speed == 100 && duplex == 1 ? PASS : WARN, "%" PRId64 " Mbit/s, %s duplex", speed,
	      duplex == 1 ? "full" : "half");
	if (f->verdict != PASS)
		mend(f, "connect an EtherCAT slave directly; else ethtool -s %s speed 100 duplex full autoneg on",
		     e->port.ifname);
}

void probe_pause(struct exam *e, struct finding *f)
{
	int64_t rx, tx = 0;

	if (!told(e, f, "pause_rx", &rx))
		return;
	line_value(e->ethtool, "pause_tx", &tx);
	found(f, rx || tx ? WARN : PASS, "receive %s, send %s", rx ? "on" : "off", tx ? "on" : "off");
	if (rx || tx)
		mend(f, "ethtool -A %s autoneg off rx off tx off", e->port.ifname);
}

/* At another speed than 1000 Mbit/s e1000e forces its modes 1 and 3 to 4000 a second */
void probe_coalescing(struct exam *e, struct finding *f)
{
	int64_t us, frames = 0, adaptive = 0;
	bool itr;

	if (!told(e, f, "rx_usecs", &us))
		return;
	line_value(e->ethtool, "rx_frames", &frames);
	line_value(e->ethtool, "adaptive_rx", &adaptive);
	itr = !strcmp(e->port.driver, "e1000e") && (us == 1 || us == 3);
	found(f, us || adaptive || frames > 1 ? FAIL : PASS, "rx-usecs %" PRId64 ", rx-frames %" PRId64 "%s%s",
	      us, frames, adaptive ? ", adaptive" : "",
	      itr ? ": e1000e's ITR mode, which at 100 Mbit/s is 250 us" : "");
	if (f->verdict == PASS)
		return;
	if (adaptive)
		mend_ethtool(f, "adaptive_rx", "0", "ethtool -C %s adaptive-rx off", e->port.ifname);
	if (us)
		mend_ethtool(f, "rx_usecs", "0", "ethtool -C %s rx-usecs 0", e->port.ifname);
	if (frames > 1)
		mend_ethtool(f, "rx_frames", "1", "ethtool -C %s rx-frames 1", e->port.ifname);
}

void probe_eee(struct exam *e, struct finding *f)
{
	int64_t enabled, active = 0;

	if (!line_value(e->ethtool, "eee_enabled", &enabled)) {
		found(f, e->ethtool ? PASS : SKIP, "the driver knows no EEE");
		return;
	}
	line_value(e->ethtool, "eee_active", &active);
	found(f, active ? FAIL : enabled ? WARN : PASS, "%s, %s", enabled ? "enabled" : "disabled",
	      active ? "active" : "not active");
	if (enabled || active)
		mend_ethtool(f, "eee_enabled", "0", "ethtool --set-eee %s eee off", e->port.ifname);
}

void probe_gro(struct exam *e, struct finding *f)
{
	int64_t on;

	if (!told(e, f, "gro", &on))
		return;
	found(f, on ? WARN : PASS, "GRO %s", on ? "on" : "off");
	if (on)
		mend_ethtool(f, "gro", "0", "ethtool -K %s gro off", e->port.ifname);
}

void probe_promiscuous(struct exam *e, struct finding *f)
{
	int64_t on;

	if (!told(e, f, "promiscuous", &on))
		return;
	/* kecat_netdev sets it itself */
	found(f, on ? WARN : PASS, on ? "promiscuous" : "none");
	if (on)
		mend(f, "stop the capture on %s (kecat_netdev itself may have set it)", e->port.ifname);
}

void probe_managers(struct exam *e, struct finding *f)
{
	static const char *const names[] = {
		"NetworkManager", "systemd-network", "lldpd", "dhclient", "dhcpcd", "connmand", NULL
	};
	char list[160] = "";

	for (int i = 0; names[i]; i++)
		if (tasks_running(names[i]))
			snprintf(list + strlen(list), sizeof(list) - strlen(list), " %s", names[i]);
	found(f, *list ? WARN : PASS, "%s", *list ? list + 1 : "none runs");
	if (strstr(list, "NetworkManager"))
		mend(f, "nmcli device set %s managed no", e->port.ifname);
	if (strstr(list, "systemd-network"))
		mend(f, "[Match] Name=%s and [Link] Unmanaged=yes in /etc/systemd/network/10-kecat.network",
		     e->port.ifname);
	if (*list && !f->mend[0])
		mend(f, "take %s out of their configuration", e->port.ifname);
}
