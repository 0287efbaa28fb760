// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupt lines of a polled device, kept quiet.
 *
 * A NAPI driver leaves its device masked for as long as somebody polls, but
 * many unmask it inside their poll routine, and some mask it only when the
 * context was theirs to schedule.  So the lines themselves are switched off,
 * under two conditions: nobody else listens on them, and all NAPI contexts of
 * the interface are held.  The second also keeps them from being freed
 * meanwhile: a driver gives a line back after napi_disable() only, which waits
 * until we let go.
 *
 * All calls come from the control side.
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/rcupdate.h>
#include <linux/rtnetlink.h>
#include <linux/string.h>
#include <net/net_namespace.h>

#include "netdev.h"

/* The PCI function whose interrupts are those of the interface alone. */
static struct pci_dev *pci_function(const struct net_device *dev)
{
	struct device *d = dev->dev.parent;

	/* its transport is a function of its own, unlike that of USB or a bus */
	if (d && d->bus && !strcmp(d->bus->name, "virtio"))
		d = d->parent;
	return d && dev_is_pci(d) ? to_pci_dev(d) : NULL;
}

/* under rtnl */
static bool has_siblings(const struct net_device *dev)
{
	struct net_device *other;
	struct net *net;
	bool yes = false;

	down_read(&net_rwsem);
	for_each_net(net)
		for_each_netdev(net, other)
			if (other != dev && other->dev.parent == dev->dev.parent)
				yes = true;
	up_read(&net_rwsem);
	return yes;
}

/**
 * lines_find - which lines may be switched off, if any
 * @p:   port
 * @dev: its interface
 *
 * Context: under rtnl.
 */
void lines_find(struct port *p, const struct net_device *dev)
{
	p->lines.pdev = pci_function(dev);
	p->lines.why_on = NULL;
	if (!p->lines.pdev)
		p->lines.why_on = "not a PCI device";
	else if (has_siblings(dev))
		p->lines.why_on = "several interfaces use them";
	p->lines.before = 0;
	p->lines.before = lines_count(p);
}

/* how many listen: 0, 1, or 2 for more */
static int listeners(unsigned int line)
{
	struct irq_data *data;
	struct irq_desc *desc;
	unsigned long flags;
	int n = 0;

	rcu_read_lock();
	data = irq_get_irq_data(line);
	if (data) {
		desc = irq_data_to_desc(data);
		raw_spin_lock_irqsave(&desc->lock, flags);
		if (desc->action)
			n = desc->action->next ? 2 : 1;
		raw_spin_unlock_irqrestore(&desc->lock, flags);
	}
	rcu_read_unlock();
	return n;
}

/* lines of the device that have a handler; -EBUSY if one has two */
static int collect(struct port *p, unsigned int *lines)
{
	int i, line, n = 0;

	for (i = 0; (line = pci_irq_vector(p->lines.pdev, i)) > 0; i++) {
		int users = listeners(line);

		if (users > 1)
			return -EBUSY;
		if (!users)
			continue;
		if (n == LINE_MAX)
			return -E2BIG;
		lines[n++] = line;
	}
	return n;
}

/**
 * lines_mask - switch the lines off, if they are ours alone
 * @p: port, all contexts of which are held
 *
 * Context: may sleep.
 */
void lines_mask(struct port *p)
{
	int i, n;

	if (p->lines.n || p->lines.why_on)
		return;
	n = collect(p, p->lines.line);
	if (n < 0) {
		p->lines.why_on = n == -EBUSY ? "line shared with another device" :
			"too many lines";
		return;
	}
	for (i = 0; i < n; i++)
		disable_irq_nosync(p->lines.line[i]);
	p->lines.n = n;
}

/**
 * lines_unmask - what came meanwhile is delivered now
 * @p: port
 */
void lines_unmask(struct port *p)
{
	while (p->lines.n)
		enable_irq(p->lines.line[--p->lines.n]);
}

/**
 * lines_leave_on - the lines are needed
 * @p:   port
 * @why: for the user
 */
void lines_leave_on(struct port *p, const char *why)
{
	lines_unmask(p);
	p->lines.why_on = why;
}

/* somebody has come to listen on a line that is switched off */
bool lines_crowded(const struct port *p)
{
	int i;

	for (i = 0; i < p->lines.n; i++)
		if (listeners(p->lines.line[i]) > 1)
			return true;
	return false;
}

/**
 * lines_count - interrupts of the device since lines_find()
 * @p: port
 *
 * Context: may sleep.
 */
u64 lines_count(struct port *p)
{
	u64 sum = 0;
	int i, line;

	if (!p->lines.pdev)
		return 0;
	for (i = 0; (line = pci_irq_vector(p->lines.pdev, i)) > 0; i++) {
		struct irq_data *data;

		rcu_read_lock();
		data = irq_get_irq_data(line);
		if (data)
			sum += READ_ONCE(irq_data_to_desc(data)->tot_count);
		rcu_read_unlock();
	}
	/* a driver that asked for new ones counts from zero */
	if (sum < p->lines.before)
		p->lines.before = 0;
	return sum - p->lines.before;
}
