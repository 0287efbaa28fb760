// SPDX-License-Identifier: GPL-2.0-only
/* Taking an interface over, the control side of the port, giving it back. */
#include <linux/ethtool.h>
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/rtnetlink.h>

#include "netdev.h"

struct port *port_alloc(void)
{
	struct port *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return NULL;
	mutex_init(&p->lock);
	INIT_LIST_HEAD(&p->node);
	if (rx_init(p)) {
		port_free(p);
		return NULL;
	}
	return p;
}

void port_free(struct port *p)
{
	tx_exit(p);
	rx_exit(p);
	mutex_destroy(&p->lock);
	kfree(p);
}

static const char *driver_name(const struct net_device *dev)
{
	if (dev->dev.parent && dev->dev.parent->driver)
		return dev->dev.parent->driver->name;
	if (dev->rtnl_link_ops)
		return dev->rtnl_link_ops->kind;
	return "its driver";
}

static int refuse(struct net_device *dev)
{
	if (dev->type != ARPHRD_ETHER || dev->flags & IFF_LOOPBACK) {
		port_reason("%s is no Ethernet interface", dev->name);
		return -EAFNOSUPPORT;
	}
	if (!netif_device_present(dev)) {
		port_reason("%s is suspended or being removed", dev->name);
		return -ENODEV;
	}
	if (netdev_is_rx_handler_busy(dev)) {
		port_reason("%s belongs to a bridge, a bond or kecat: take it out there",
			    dev->name);
		return -EBUSY;
	}
	if (netdev_has_any_upper_dev(dev)) {
		port_reason("%s carries other interfaces (VLAN?): remove them first",
			    dev->name);
		return -EBUSY;
	}
	if (dev->mtu < ETH_DATA_LEN) {
		port_reason("%s has an MTU of %u: EtherCAT frames need %u",
			    dev->name, dev->mtu, ETH_DATA_LEN);
		return -EMSGSIZE;
	}
	return 0;
}

void port_describe(struct port *p)
{
	const struct net_device *dev = p->dev;
	char mode[KECAT_NIC_MODE_LEN] = "", why[64] = "";

	if (p->polled && p->lines.why_on)
		snprintf(why, sizeof(why), " with interrupts (%s)", p->lines.why_on);
	else if (!p->polled)
		snprintf(why, sizeof(why), " (%s)", p->why_not);
	snprintf(mode, sizeof(mode), "%s of %s%s; %s",
		 p->polled ? "NAPI poll" : "receive path", driver_name(dev), why,
		 dev->priv_flags & IFF_TX_SKB_SHARING ?
		 "buffers reused" : "a buffer allocated per frame");
	/* whole, so that who reads meanwhile finds an end */
	memcpy(p->nic.mode, mode, sizeof(mode));
}

static void fill_nic(struct port *p, struct net_device *dev)
{
	p->nic.api = KECAT_NIC_API;
	p->nic.ops = &port_ops;
	p->nic.priv = p;
	p->nic.parent = dev->dev.parent;
	ether_addr_copy(p->nic.mac, dev->dev_addr);
	strscpy(p->nic.name, dev->name, sizeof(p->nic.name));
	strscpy(p->nic.driver, "kecat_netdev", sizeof(p->nic.driver));
}

int port_take(struct port *p, struct net_device *dev, bool want_polled)
{
	int err = refuse(dev);

	if (err)
		return err;
	err = tx_init(p, dev);
	if (err)
		return err;
	p->polled = want_polled && !list_empty(&dev->napi_list);
	p->why_not = want_polled ? "it has no NAPI" : "asked for";
	fill_nic(p, dev);
	err = netdev_rx_handler_register(dev, rx_handler, p);
	if (err) {
		port_reason("%s lets nobody receive its frames: error %d",
			    dev->name, err);
		return err;
	}
	p->was_up = dev->flags & IFF_UP;
	p->was_dormant = netif_dormant(dev);
	/* not operational for IPv6 and network managers, so that they stay silent */
	netif_dormant_on(dev);
	err = dev_set_promiscuity(dev, 1);
	if (err)
		goto err_dormant;
	if (!p->was_up) {
		err = dev_open(dev, NULL);
		if (err) {
			port_reason("%s cannot be set up: error %d", dev->name, err);
			goto err_promiscuity;
		}
	}
	dev_hold(dev);
	p->dev = dev;
	/* its driver has its lines by now */
	lines_find(p, dev);
	port_describe(p);
	return 0;

err_promiscuity:
	dev_set_promiscuity(dev, -1);
err_dormant:
	if (!p->was_dormant)
		netif_dormant_off(dev);
	netdev_rx_handler_unregister(dev);
	return err;
}

void port_give_back(struct port *p)
{
	struct net_device *dev = p->dev;
	bool registered, untouched = !p->gone;

	if (!dev)
		return;
	port_let_go(p);
	registered = dev->reg_state == NETREG_REGISTERED;
	netdev_rx_handler_unregister(dev);
	if (registered) {
		dev_set_promiscuity(dev, -1);
		/* not if somebody set it down or up meanwhile */
		if (!p->was_up && untouched)
			dev_close(dev);
		if (!p->was_dormant)
			netif_dormant_off(dev);
	}
	mutex_lock(&p->lock);
	p->dev = NULL;
	mutex_unlock(&p->lock);
	dev_put(dev);
}

void port_let_go(struct port *p)
{
	mutex_lock(&p->lock);
	if (!p->gone) {
		WRITE_ONCE(p->nic.link, false);
		if (p->started)
			kecat_nic_quiesce(&p->nic);
		/* from here on the cyclic side uses nothing of the interface */
		WRITE_ONCE(p->gone, true);
		watch_release(p);
		if (p->started)
			kecat_nic_resume(&p->nic);
	}
	mutex_unlock(&p->lock);
}

struct port *port_of(struct net_device *dev)
{
	if (rtnl_dereference(dev->rx_handler) != rx_handler)
		return NULL;
	return rtnl_dereference(dev->rx_handler_data);
}

/* ---- what the master calls ---- */

static int port_start(struct kecat_nic *nic)
{
	struct port *p = to_port(nic);
	int err = 0;

	mutex_lock(&p->lock);
	if (p->gone)
		err = -ENETDOWN;
	p->started = !err;
	watch_start(p);
	mutex_unlock(&p->lock);
	return err;
}

static void port_stop(struct kecat_nic *nic)
{
	struct port *p = to_port(nic);

	mutex_lock(&p->lock);
	p->started = false;
	WRITE_ONCE(nic->link, false);
	/* nobody looks any more whether the driver waits for them */
	watch_release(p);
	mutex_unlock(&p->lock);
}

/* whoever removes an interface holds rtnl and waits for us: try, and try again */
static void read_speed(struct port *p)
{
	struct ethtool_link_ksettings ks;

	if (!rtnl_trylock())
		return;
	if (!__ethtool_get_link_ksettings(p->dev, &ks))
		p->nic.speed = ks.base.speed == (u32)SPEED_UNKNOWN ?
			0 : ks.base.speed;
	rtnl_unlock();
}

static void port_link_poll(struct kecat_nic *nic)
{
	struct port *p = to_port(nic);
	bool link;

	mutex_lock(&p->lock);
	if (!p->gone) {
		link = netif_running(p->dev) && netif_device_present(p->dev) &&
		       netif_carrier_ok(p->dev);
		if (!link)
			nic->speed = 0;
		else if (!nic->speed)
			read_speed(p);
		WRITE_ONCE(nic->link, link);
		if (p->polled)
			watch_round(p);
	}
	mutex_unlock(&p->lock);
}

static void port_get_stats(struct kecat_nic *nic, struct kecat_nic_stats *st)
{
	struct rtnl_link_stats64 hw = {};
	struct port *p = to_port(nic);

	mutex_lock(&p->lock);
	if (!p->gone) {
		dev_get_stats(p->dev, &hw);
		st->interrupts = lines_count(p);
	}
	st->rx_errors = hw.rx_errors;
	st->rx_missed = hw.rx_missed_errors + atomic64_read(&p->rx_missed);
	st->rx_dropped = atomic64_read(&p->rx_dropped);
	st->tx_errors = hw.tx_errors + READ_ONCE(p->tx_errors);
	/* no line to count: what an interrupt, or somebody else, brought */
	if (!p->lines.pdev)
		st->interrupts = atomic64_read(&p->rx_path);
	mutex_unlock(&p->lock);
}

const struct kecat_nic_ops port_ops = {
	.start = port_start,
	.stop = port_stop,
	.link_poll = port_link_poll,
	.get_stats = port_get_stats,
	.tx_buf = tx_buf,
	.tx_commit = tx_commit,
	.tx_kick = tx_kick,
	.rx_poll = rx_poll,
};
