/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every wrapped driver shares: a port made of a net_device that never
 * gets registered, and a PCI driver that answers to driver_override only.
 *
 * The stock driver's text calls the replacements below through the macros of
 * interpose.h.  The wrapper's own part describes itself in one struct
 * kecat_wrap_driver named kecat_wrap_driver.
 *
 * Lock order: kecat_wrap.lock, then RTNL.  The list of ports has a mutex of
 * its own, a leaf.  kecat_nic_register() and kecat_nic_unregister() are called
 * with none of them held; kecat_nic_quiesce() also with kecat_wrap.lock, so it
 * must not wait for anything but the cyclic thread.
 */
#ifndef KECAT_WRAP_H
#define KECAT_WRAP_H

#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include "kecat_nic.h"

/** KECAT_WRAP_SLOTS - transmit buffers of a port, a power of two */
#define KECAT_WRAP_SLOTS	64
/** KECAT_WRAP_SLOT_SIZE - bytes of one; divides a page */
#define KECAT_WRAP_SLOT_SIZE	2048

/* Why the hardware is not to be touched; bits of kecat_wrap.held. */
enum kecat_wrap_hold {
	KECAT_WRAP_HOLD_PM,
	KECAT_WRAP_HOLD_AER,
	KECAT_WRAP_HOLD_FLR,
	KECAT_WRAP_HOLD_SHUTDOWN,
};

/**
 * struct kecat_wrap - one claimed port
 * @nic:        what the master sees
 * @nd:         the stock driver's net_device, never registered
 * @pdev:       the PCI function
 * @node:       in the list of ports of this module
 * @lock:       serialises everything that touches the hardware outside the
 *              cyclic thread: start, stop, link_poll, get_stats, resets
 * @held:       enum kecat_wrap_hold bits
 * @irqs:       polls that found the device asserting its interrupt
 * @resets:     hardware resets since the port was claimed
 * @registered: the master knows the port
 * @open:       the stock driver's open routine has run
 * @hang_done:  frames done at the last look, see kecat_wrap_hangs()
 * @hang_looks: how often in a row that stood still with a frame unsent
 * @slot:       transmit buffers, coherent, for the life of the port
 * @slot_dma:   their bus addresses
 *
 * First member of the driver's own structure.
 */
struct kecat_wrap {
	struct kecat_nic nic;
	struct net_device *nd;
	struct pci_dev *pdev;
	struct list_head node;
	struct mutex lock;	/* all hardware access but the cyclic */
	unsigned long held;
	u64 irqs;
	u64 resets;
	bool registered;
	bool open;
	unsigned int hang_done;
	unsigned int hang_looks;
	void *slot[KECAT_WRAP_SLOTS];
	dma_addr_t slot_dma[KECAT_WRAP_SLOTS];
};

/**
 * struct kecat_wrap_driver - the wrapper's own part of a driver
 * @port_size: size of the structure that begins with struct kecat_wrap
 * @ops:       table for the master; its control half is kecat_wrap_start() and
 *             the three that follow it, its cyclic half is the driver's
 * @claim:     change the freshly probed device for polled operation: no
 *             vectors, no coalescing, resets through the gate
 * @open:      reset the hardware and call the stock open routine
 * @close:     call the stock stop routine
 * @link_poll: what the link interrupt would have done; returns Mbit/s
 * @get_stats: fill in all but &kecat_nic_stats.interrupts and .resets
 *
 * All but @claim run with &kecat_wrap.lock held, @open and @close under RTNL
 * too.  All may sleep.
 */
struct kecat_wrap_driver {
	size_t port_size;
	const struct kecat_nic_ops *ops;
	int (*claim)(struct kecat_wrap *port);
	int (*open)(struct kecat_wrap *port);
	void (*close)(struct kecat_wrap *port);
	u32 (*link_poll)(struct kecat_wrap *port);
	void (*get_stats)(struct kecat_wrap *port, struct kecat_nic_stats *st);
};

extern const struct kecat_wrap_driver kecat_wrap_driver;

/* The control half of the operation table, for kecat_wrap_driver.ops. */
int kecat_wrap_start(struct kecat_nic *nic);
void kecat_wrap_stop(struct kecat_nic *nic);
void kecat_wrap_link_poll(struct kecat_nic *nic);
void kecat_wrap_get_stats(struct kecat_nic *nic, struct kecat_nic_stats *st);

bool kecat_wrap_hangs(struct kecat_wrap *port, unsigned int done, bool unsent);
struct kecat_wrap *kecat_wrap_find(struct device *dev);
int kecat_wrap_attach(struct kecat_wrap *port);
void kecat_wrap_detach(struct kecat_wrap *port);
void kecat_wrap_hold(struct kecat_wrap *port, enum kecat_wrap_hold why);
void kecat_wrap_release(struct kecat_wrap *port, enum kecat_wrap_hold why);
bool kecat_wrap_reset_begin(struct kecat_wrap *port);
void kecat_wrap_reset_end(struct kecat_wrap *port);

/* Replacements, reached from the stock text through interpose.h. */
int kecat_wrap_register_netdev(struct net_device *nd);
void kecat_wrap_unregister_netdev(struct net_device *nd);
int kecat_wrap_pci_register(struct pci_driver *drv, struct module *owner,
			    const char *modname);
void kecat_wrap_pci_unregister(struct pci_driver *drv);

/* Functions, not empty macros: the stock text's variables stay used. */
static inline int kecat_wrap_request_irq(unsigned int irq,
					 irq_handler_t handler,
					 unsigned long flags, const char *name,
					 void *dev)
{
	return 0;
}

static inline void kecat_wrap_free_irq(unsigned int irq, void *dev)
{
}

/* A driver that cannot have messages falls back to one queue and the pin. */
static inline int kecat_wrap_no_messages(struct pci_dev *pdev)
{
	return -EOPNOTSUPP;
}

/* For what is sent from slots, which stay mapped for the life of the port. */
static inline void kecat_wrap_keep_mapped(struct device *dev, dma_addr_t addr)
{
}

/* Waking a queue schedules its qdisc, which an unregistered device has not. */
static inline void kecat_wrap_wake_queue(struct net_device *nd)
{
	netif_start_queue(nd);
}

/* What the stock text asks after it stopped or woke its queue. */
static inline int kecat_wrap_queue_runs(struct net_device *nd, unsigned int room)
{
	return room > 0;
}

/* The originals wake queues and arm a timer that registration sets up. */
static inline void kecat_wrap_device_attach(struct net_device *nd)
{
	set_bit(__LINK_STATE_PRESENT, &nd->state);
}

static inline void kecat_wrap_device_detach(struct net_device *nd)
{
	clear_bit(__LINK_STATE_PRESENT, &nd->state);
}

#endif
