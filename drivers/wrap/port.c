// SPDX-License-Identifier: GPL-2.0-only
/*
 * A port made of a net_device that is never registered: its lifetime, its
 * transmit buffers, and the control half of the operation table.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/pm_runtime.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <net/sch_generic.h>
#include "wrap.h"

#define SLOTS_PER_PAGE	(PAGE_SIZE / KECAT_WRAP_SLOT_SIZE)

/* looks, about 100 ms apart, with a frame unsent and none done: a reset */
#define HANG_LOOKS	10

static LIST_HEAD(ports);
static DEFINE_MUTEX(ports_lock);

/**
 * kecat_wrap_find - the port of a device
 * @dev: the PCI function's device
 *
 * The caller keeps the port alive: it is inside a callback of the device's
 * driver, or inside work which the driver cancels before it goes.
 * Return: the port, or NULL when the device has none.
 */
struct kecat_wrap *kecat_wrap_find(struct device *dev)
{
	struct kecat_wrap *port, *found = NULL;

	mutex_lock(&ports_lock);
	list_for_each_entry(port, &ports, node)
		if (&port->pdev->dev == dev)
			found = port;
	mutex_unlock(&ports_lock);
	return found;
}

/* Accepts a partly built set. */
static void free_slots(struct kecat_wrap *port)
{
	unsigned int i;

	for (i = 0; i < KECAT_WRAP_SLOTS && port->slot[i]; i += SLOTS_PER_PAGE)
		dma_free_coherent(&port->pdev->dev, PAGE_SIZE, port->slot[i],
				  port->slot_dma[i]);
}

/* Coherent, so that a cycle has nothing to tell the DMA layer. */
static int alloc_page_of_slots(struct kecat_wrap *port, unsigned int first)
{
	dma_addr_t dma;
	u8 *page = dma_alloc_coherent(&port->pdev->dev, PAGE_SIZE, &dma,
				      GFP_KERNEL);
	unsigned int i;

	if (!page)
		return -ENOMEM;
	for (i = 0; i < SLOTS_PER_PAGE; i++) {
		port->slot[first + i] = page + i * KECAT_WRAP_SLOT_SIZE;
		port->slot_dma[first + i] = dma + i * KECAT_WRAP_SLOT_SIZE;
	}
	return 0;
}

static int alloc_slots(struct kecat_wrap *port)
{
	unsigned int i;
	int err = 0;

	BUILD_BUG_ON(KECAT_WRAP_SLOT_SIZE < KECAT_NIC_FRAME_MAX);
	for (i = 0; i < KECAT_WRAP_SLOTS && !err; i += SLOTS_PER_PAGE)
		err = alloc_page_of_slots(port, i);
	if (err)
		free_slots(port);
	return err;
}

/* What registration would have set up and the stock text relies on. */
static void make_usable(struct net_device *nd, struct pci_dev *pdev)
{
	unsigned int i;

	strscpy(nd->name, pci_name(pdev), sizeof(nd->name));
	/* stock remove and shutdown routines put this one back into the chip */
	if (nd->addr_assign_type == NET_ADDR_PERM)
		memcpy(nd->perm_addr, nd->dev_addr, nd->addr_len);
	set_bit(__LINK_STATE_PRESENT, &nd->state);
	for (i = 0; i < nd->num_tx_queues; i++)
		rcu_assign_pointer(netdev_get_tx_queue(nd, i)->qdisc,
				   &noop_qdisc);
	/* frames reach the master as they were on the wire */
	nd->features &= ~(NETIF_F_HW_VLAN_CTAG_RX | NETIF_F_RXHASH |
			  NETIF_F_RXCSUM);
}

/*
 * Leaving L0s or L1 costs microseconds per doorbell.  Where the firmware keeps
 * ASPM to itself the first call does nothing, so both ends are cleared too,
 * the device's first as the specification asks.
 */
static void forbid_link_sleep(struct pci_dev *pdev)
{
	const u16 bits = PCI_EXP_LNKCTL_ASPMC | PCI_EXP_LNKCTL_CLKREQ_EN;

	pci_disable_link_state(pdev, PCIE_LINK_STATE_L0S | PCIE_LINK_STATE_L1 |
			       PCIE_LINK_STATE_CLKPM);
	pcie_capability_clear_word(pdev, PCI_EXP_LNKCTL, bits);
	if (pdev->bus->self)
		pcie_capability_clear_word(pdev->bus->self, PCI_EXP_LNKCTL,
					   PCI_EXP_LNKCTL_ASPMC);
}

static void init_nic(struct kecat_wrap *port)
{
	struct kecat_nic *nic = &port->nic;

	nic->api = KECAT_NIC_API;
	nic->ops = kecat_wrap_driver.ops;
	nic->parent = &port->pdev->dev;
	nic->priv = port;
	strscpy(nic->name, pci_name(port->pdev), sizeof(nic->name));
	strscpy(nic->driver, KBUILD_MODNAME, sizeof(nic->driver));
	ether_addr_copy(nic->mac, port->nd->dev_addr);
}

/**
 * kecat_wrap_register_netdev - stands in for register_netdev()
 * @nd: the stock driver's device, ready but for the registration
 *
 * Claims the port.  The master hears of it when the probe routine is through,
 * see kecat_wrap_attach(): what follows here in the probe routine may still
 * touch the device.
 * Return: 0 or -errno, on which the stock probe routine undoes its work.
 */
int kecat_wrap_register_netdev(struct net_device *nd)
{
	struct kecat_wrap *port;
	int err;

	if (WARN_ON(!nd->dev.parent || !dev_is_pci(nd->dev.parent)))
		return -EINVAL;
	port = kzalloc(kecat_wrap_driver.port_size, GFP_KERNEL);
	if (!port)
		return -ENOMEM;
	port->nd = nd;
	port->pdev = to_pci_dev(nd->dev.parent);
	/* unless the claim finds that this device is not */
	port->nic.hard = true;
	mutex_init(&port->lock);
	make_usable(nd, port->pdev);
	err = alloc_slots(port);
	if (err)
		goto err_free;
	err = kecat_wrap_driver.claim(port);
	if (err)
		goto err_free_slots;
	/* masks the pin, should the stock text unmask a cause in some way */
	pci_intx(port->pdev, 0);
	/* powered as long as claimed: the stock driver suspends without link */
	pm_runtime_get_noresume(&port->pdev->dev);
	forbid_link_sleep(port->pdev);
	init_nic(port);

	mutex_lock(&ports_lock);
	list_add_tail(&port->node, &ports);
	mutex_unlock(&ports_lock);
	return 0;

err_free_slots:
	free_slots(port);
err_free:
	kfree(port);
	return err;
}

/**
 * kecat_wrap_unregister_netdev - stands in for unregister_netdev()
 * @nd: the device
 *
 * Also right for a device that got registered by a name which interpose.h does
 * not know; kecat_wrap_attach() never ran for it and probe fails.
 */
void kecat_wrap_unregister_netdev(struct net_device *nd)
{
	struct kecat_wrap *port = kecat_wrap_find(nd->dev.parent);

	if (!port) {
		if (nd->reg_state == NETREG_REGISTERED)
			unregister_netdev(nd);
		return;
	}
	kecat_wrap_detach(port);

	mutex_lock(&ports_lock);
	list_del(&port->node);
	mutex_unlock(&ports_lock);
	/* the PCI core holds a reference of its own around probe and remove */
	pm_runtime_put_noidle(&port->pdev->dev);
	pci_intx(port->pdev, 1);
	free_slots(port);
	mutex_destroy(&port->lock);
	kfree(port);
}

/**
 * kecat_wrap_attach - offer a claimed port to the master
 * @port: the port
 *
 * Context: end of the wrapped probe.
 * Return: what kecat_nic_register() says.
 */
int kecat_wrap_attach(struct kecat_wrap *port)
{
	int err = kecat_nic_register(&port->nic);

	port->registered = !err;
	return err;
}

/**
 * kecat_wrap_detach - take a port back from the master
 * @port: the port; not attached is fine
 *
 * Context: beginning of the wrapped remove, or unregistration.
 */
void kecat_wrap_detach(struct kecat_wrap *port)
{
	if (!port->registered)
		return;
	kecat_nic_unregister(&port->nic);
	port->registered = false;
}

static void link_is_down(struct kecat_wrap *port)
{
	WRITE_ONCE(port->nic.link, false);
	WRITE_ONCE(port->nic.speed, 0);
}

/**
 * kecat_wrap_hold - the hardware is about to become unusable
 * @port: the port
 * @why:  the reason; holding twice for one reason counts once
 *
 * Returns with the cyclic thread out, control operations kept away and the
 * link told down.  Context: may sleep.
 */
void kecat_wrap_hold(struct kecat_wrap *port, enum kecat_wrap_hold why)
{
	bool first;

	mutex_lock(&port->lock);
	first = !test_and_set_bit(why, &port->held);
	link_is_down(port);
	mutex_unlock(&port->lock);
	if (first && port->registered)
		kecat_nic_quiesce(&port->nic);
}

/**
 * kecat_wrap_release - undo kecat_wrap_hold()
 * @port: the port
 * @why:  the same reason; nothing happens if it was not held
 *
 * The link comes back by way of link_poll.  A bus reset restores the interrupt
 * pin as it was when the stock driver probed, so it is masked again.
 */
void kecat_wrap_release(struct kecat_wrap *port, enum kecat_wrap_hold why)
{
	bool last;

	mutex_lock(&port->lock);
	last = test_and_clear_bit(why, &port->held);
	port->resets += last;
	pci_intx(port->pdev, 0);
	mutex_unlock(&port->lock);
	if (last && port->registered)
		kecat_nic_resume(&port->nic);
}

/**
 * kecat_wrap_reset_begin - a reset is going to rewrite the rings
 * @port: the port
 *
 * Context: the stock driver's reset work.  The gate is closed inside the lock:
 * stop, and with it kecat_nic_unregister(), waits until the reset is over.
 * Return: false when the device is closed or held; it then needs no reset and
 * kecat_wrap_reset_end() is not to be called.
 */
bool kecat_wrap_reset_begin(struct kecat_wrap *port)
{
	mutex_lock(&port->lock);
	if (!port->open || port->held) {
		mutex_unlock(&port->lock);
		return false;
	}
	kecat_nic_quiesce(&port->nic);
	port->resets++;
	link_is_down(port);
	return true;
}

/**
 * kecat_wrap_reset_end - undo kecat_wrap_reset_begin()
 * @port: the port
 */
void kecat_wrap_reset_end(struct kecat_wrap *port)
{
	kecat_nic_resume(&port->nic);
	mutex_unlock(&port->lock);
}

static struct kecat_wrap *to_port(struct kecat_nic *nic)
{
	return container_of(nic, struct kecat_wrap, nic);
}

/**
 * kecat_wrap_start - &kecat_nic_ops.start of every wrapped driver
 * @nic: the port
 *
 * Does what dev_open() does around the stock open routine.  Promiscuous: the
 * wire belongs to EtherCAT, all that comes is the master's to judge.
 * Return: 0, -EIO while the hardware is held, or what the driver says.
 */
int kecat_wrap_start(struct kecat_nic *nic)
{
	struct kecat_wrap *port = to_port(nic);
	struct net_device *nd = port->nd;
	int err = -EIO;

	mutex_lock(&port->lock);
	if (port->held)
		goto unlock;
	rtnl_lock();
	set_bit(__LINK_STATE_START, &nd->state);
	nd->flags |= IFF_UP | IFF_PROMISC;
	err = kecat_wrap_driver.open(port);
	if (err) {
		nd->flags &= ~IFF_UP;
		clear_bit(__LINK_STATE_START, &nd->state);
	}
	port->open = !err;
	port->hang_looks = 0;
	rtnl_unlock();
unlock:
	mutex_unlock(&port->lock);
	return err;
}

/**
 * kecat_wrap_stop - &kecat_nic_ops.stop of every wrapped driver
 * @nic: the port
 */
void kecat_wrap_stop(struct kecat_nic *nic)
{
	struct kecat_wrap *port = to_port(nic);

	mutex_lock(&port->lock);
	if (port->open) {
		rtnl_lock();
		clear_bit(__LINK_STATE_START, &port->nd->state);
		kecat_wrap_driver.close(port);
		port->nd->flags &= ~IFF_UP;
		rtnl_unlock();
		port->open = false;
	}
	link_is_down(port);
	mutex_unlock(&port->lock);
}

/*
 * With neither handler nor vector the only interrupt left is the pin.  Its
 * state shows even while the pin is masked, so an interrupt that was unmasked
 * behind our back is counted although nobody took it.
 */
static bool asserts_interrupt(struct pci_dev *pdev)
{
	u16 status;

	pci_read_config_word(pdev, PCI_STATUS, &status);
	return status != 0xffff && status & PCI_STATUS_INTERRUPT;
}

/**
 * kecat_wrap_hangs - does the transmitter stand still?
 * @port:   the port
 * @done:   frames done so far, any free running count
 * @unsent: the oldest frame is still the hardware's
 *
 * What the stack's transmit watchdog is for registered devices.  For
 * &kecat_wrap_driver.link_poll, which only looks: the indices belong to the
 * cyclic thread, and a finished frame not reclaimed yet is no hang.
 * Return: true when the hardware is to be reset; then the looks begin anew.
 */
bool kecat_wrap_hangs(struct kecat_wrap *port, unsigned int done, bool unsent)
{
	if (netif_carrier_ok(port->nd) && done == port->hang_done && unsent)
		port->hang_looks++;
	else
		port->hang_looks = 0;
	port->hang_done = done;
	if (port->hang_looks < HANG_LOOKS)
		return false;
	port->hang_looks = 0;
	return true;
}

/**
 * kecat_wrap_link_poll - &kecat_nic_ops.link_poll of every wrapped driver
 * @nic: the port
 */
void kecat_wrap_link_poll(struct kecat_nic *nic)
{
	struct kecat_wrap *port = to_port(nic);
	u32 speed;

	mutex_lock(&port->lock);
	if (port->open && !port->held) {
		port->irqs += asserts_interrupt(port->pdev);
		speed = kecat_wrap_driver.link_poll(port);
		WRITE_ONCE(nic->speed, speed);
		WRITE_ONCE(nic->link, netif_carrier_ok(port->nd));
	}
	mutex_unlock(&port->lock);
}

/**
 * kecat_wrap_get_stats - &kecat_nic_ops.get_stats of every wrapped driver
 * @nic: the port
 * @st:  filled in
 */
void kecat_wrap_get_stats(struct kecat_nic *nic, struct kecat_nic_stats *st)
{
	struct kecat_wrap *port = to_port(nic);

	memset(st, 0, sizeof(*st));
	mutex_lock(&port->lock);
	if (port->open && !port->held)
		kecat_wrap_driver.get_stats(port, st);
	st->interrupts = port->irqs;
	st->resets = port->resets;
	mutex_unlock(&port->lock);
}
