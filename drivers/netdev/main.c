// SPDX-License-Identifier: GPL-2.0-only
/*
 * kecat_netdev.ko: any network interface as a port of the master.
 *
 *   echo eth1 >/sys/module/kecat_netdev/parameters/attach
 *   echo eth1 >/sys/module/kecat_netdev/parameters/detach
 *   cat /sys/module/kecat_netdev/parameters/reason
 *
 * A name is that of an interface in the writer's network namespace, or a MAC
 * address.  When a write fails, reason says why.
 */
#include <linux/etherdevice.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/nsproxy.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>

#include "compat/hex.h"
#include "netdev.h"

static bool receive_path;
module_param(receive_path, bool, 0644);
MODULE_PARM_DESC(receive_path, "attach without polling NAPI: frames come by the ordinary receive path");

static DEFINE_MUTEX(ports_lock);
static LIST_HEAD(ports);
static bool closing;
static char reason_text[160];

void port_reason(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(reason_text, sizeof(reason_text), fmt, ap);
	va_end(ap);
}

/* under rtnl */
static struct net_device *find_mac(struct net *net, const u8 *mac)
{
	struct net_device *dev, *found = NULL;

	for_each_netdev(net, dev) {
		if (!ether_addr_equal(dev->dev_addr, mac))
			continue;
		if (found) {
			port_reason("%s and %s have this MAC address: use the name",
				    found->name, dev->name);
			return ERR_PTR(-ENOTUNIQ);
		}
		found = dev;
	}
	return found;
}

/* under rtnl */
static struct net_device *find_interface(const char *name)
{
	struct net *net = current->nsproxy->net_ns;
	struct net_device *dev;
	u8 mac[ETH_ALEN];

	if (mac_pton(name, mac))
		dev = find_mac(net, mac);
	else
		dev = __dev_get_by_name(net, name);
	if (dev)
		return dev;
	port_reason("no network interface %s", name);
	return ERR_PTR(-ENODEV);
}

static int take(struct port *p, const char *name)
{
	struct net_device *dev;
	int err;

	rtnl_lock();
	dev = find_interface(name);
	if (IS_ERR(dev))
		err = PTR_ERR(dev);
	else
		err = port_take(p, dev, !receive_path);
	rtnl_unlock();
	return err;
}

static void give_back(struct port *p)
{
	rtnl_lock();
	port_give_back(p);
	rtnl_unlock();
}

static int attach(const char *name)
{
	struct port *p = port_alloc();
	int err = -ENOMEM;

	if (!p)
		return -ENOMEM;
	err = take(p, name);
	if (err)
		goto err_free;
	err = kecat_nic_register(&p->nic);
	if (err) {
		port_reason("the master refused %s: error %d", name, err);
		goto err_take;
	}
	list_add(&p->node, &ports);
	return 0;

err_take:
	give_back(p);
err_free:
	port_free(p);
	return err;
}

/* the caller holds ports_lock; slaves leave OP while frames still go out */
static void detach(struct port *p, u32 why)
{
	list_del(&p->node);
	p->nic.leaving = why;
	kecat_nic_unregister(&p->nic);
	give_back(p);
	port_free(p);
}

static struct port *find_port(const char *name)
{
	struct port *p;
	u8 mac[ETH_ALEN];
	bool by_mac = mac_pton(name, mac);

	list_for_each_entry(p, &ports, node)
		if (by_mac ? ether_addr_equal(p->nic.mac, mac) :
			     !strcmp(p->nic.name, name))
			return p;
	return NULL;
}

/* ---- commands ---- */

static int attach_set(const char *val, const struct kernel_param *kp)
{
	char name[32];
	int err;

	if (strscpy(name, val, sizeof(name)) < 0)
		return -EINVAL;
	mutex_lock(&ports_lock);
	reason_text[0] = '\0';
	err = closing ? -ESHUTDOWN : attach(strim(name));
	mutex_unlock(&ports_lock);
	return err;
}

static int detach_set(const char *val, const struct kernel_param *kp)
{
	struct port *p;
	char name[32];

	if (strscpy(name, val, sizeof(name)) < 0)
		return -EINVAL;
	mutex_lock(&ports_lock);
	p = find_port(strim(name));
	if (p) {
		detach(p, KECAT_NIC_TAKEN_BACK);
		reason_text[0] = '\0';
	} else {
		port_reason("%s is not attached", strim(name));
	}
	mutex_unlock(&ports_lock);
	return p ? 0 : -ENODEV;
}

static int reason_get(char *buf, const struct kernel_param *kp)
{
	int n;

	mutex_lock(&ports_lock);
	n = sysfs_emit(buf, "%s\n", reason_text);
	mutex_unlock(&ports_lock);
	return n;
}

static const struct kernel_param_ops attach_ops = { .set = attach_set };
static const struct kernel_param_ops detach_ops = { .set = detach_set };
static const struct kernel_param_ops reason_ops = { .get = reason_get };

module_param_cb(attach, &attach_ops, NULL, 0200);
MODULE_PARM_DESC(attach, "write the name or MAC address of an interface to make it a port");
module_param_cb(detach, &detach_ops, NULL, 0200);
MODULE_PARM_DESC(detach, "write the same to give it back");
module_param_cb(reason, &reason_ops, NULL, 0444);
MODULE_PARM_DESC(reason, "why the last command failed");

/* ---- interfaces that go away ---- */

static void reap(struct work_struct *work)
{
	struct port *p, *next;

	/* an interface that is removed is set down first: wait for the whole news */
	rtnl_lock();
	rtnl_unlock();
	mutex_lock(&ports_lock);
	list_for_each_entry_safe(p, next, &ports, node)
		if (READ_ONCE(p->leave))
			detach(p, p->leave);
	mutex_unlock(&ports_lock);
}

static DECLARE_WORK(reap_work, reap);

/* the rest waits for threads that may want rtnl */
static void give_up(struct port *p, u32 why)
{
	if (why > p->leave)
		WRITE_ONCE(p->leave, why);
	schedule_work(&reap_work);
}

static int netdev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct port *p = port_of(dev);

	if (!p)
		return NOTIFY_DONE;
	switch (event) {
	case NETDEV_GOING_DOWN:
		port_let_go(p);
		give_up(p, KECAT_NIC_DOWN);
		break;
	case NETDEV_UNREGISTER:
		port_let_go(p);
		give_up(p, KECAT_NIC_GONE);
		break;
	case NETDEV_CHANGENAME:
		/* whoever configured the old name no longer means this one */
		give_up(p, KECAT_NIC_RENAMED);
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block notifier = { .notifier_call = netdev_event };

static int __init netdev_init(void)
{
	return register_netdevice_notifier(&notifier);
}

static void __exit netdev_exit(void)
{
	struct port *p, *next;

	mutex_lock(&ports_lock);
	closing = true;
	list_for_each_entry_safe(p, next, &ports, node)
		detach(p, KECAT_NIC_TAKEN_BACK);
	mutex_unlock(&ports_lock);
	unregister_netdevice_notifier(&notifier);
	cancel_work_sync(&reap_work);
}

module_init(netdev_init);
module_exit(netdev_exit);

MODULE_DESCRIPTION("kecat: any network interface as an EtherCAT port");
MODULE_LICENSE("GPL");
