// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PCI driver of a wrapped driver: a name of its own, devices only by
 * driver_override, and every way in which the hardware can go away (remove,
 * shutdown, suspend, bus error) closes the gate first.
 */
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include "wrap.h"

/* The stock driver's own, one PCI driver per module. */
static struct pci_driver stock;
static struct pci_error_handlers err_handler;

/*
 * driver_override reaches probe with any device at all, and then with a dummy
 * id that means the first chip of the table.  Such a device is refused here.
 */
static int wrap_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct kecat_wrap *port;
	int err;

	if (!pci_match_id(stock.id_table, pdev)) {
		dev_err(&pdev->dev, "not a device of this driver\n");
		return -ENODEV;
	}
	err = stock.probe(pdev, id);
	if (err)
		return err;
	port = kecat_wrap_find(&pdev->dev);
	if (!port) {
		dev_err(&pdev->dev,
			"probed, but no port was claimed: this kernel's driver registers it in an unknown way\n");
		err = -EOPNOTSUPP;
		goto err_remove;
	}
	err = kecat_wrap_attach(port);
	if (err)
		goto err_remove;
	return 0;

err_remove:
	stock.remove(pdev);
	return err;
}

static void wrap_remove(struct pci_dev *pdev)
{
	struct kecat_wrap *port = kecat_wrap_find(&pdev->dev);

	if (port)
		kecat_wrap_detach(port);
	stock.remove(pdev);
}

/* Never undone: what comes next is power off or another kernel. */
static void wrap_shutdown(struct pci_dev *pdev)
{
	struct kecat_wrap *port = kecat_wrap_find(&pdev->dev);

	if (port)
		kecat_wrap_hold(port, KECAT_WRAP_HOLD_SHUTDOWN);
	stock.shutdown(pdev);
}

static int pm_down(struct device *dev, int (*op)(struct device *dev))
{
	struct kecat_wrap *port = kecat_wrap_find(dev);
	int err;

	if (port)
		kecat_wrap_hold(port, KECAT_WRAP_HOLD_PM);
	err = op ? op(dev) : 0;
	if (err && port)
		kecat_wrap_release(port, KECAT_WRAP_HOLD_PM);
	return err;
}

/* After a failed resume the port stays held: the hardware is in no known state. */
static int pm_up(struct device *dev, int (*op)(struct device *dev))
{
	struct kecat_wrap *port = kecat_wrap_find(dev);
	int err = op ? op(dev) : 0;

	if (!err && port)
		kecat_wrap_release(port, KECAT_WRAP_HOLD_PM);
	return err;
}

static int wrap_suspend(struct device *dev)
{
	return pm_down(dev, stock.driver.pm->suspend);
}

static int wrap_resume(struct device *dev)
{
	return pm_up(dev, stock.driver.pm->resume);
}

static int wrap_freeze(struct device *dev)
{
	return pm_down(dev, stock.driver.pm->freeze);
}

static int wrap_thaw(struct device *dev)
{
	return pm_up(dev, stock.driver.pm->thaw);
}

static int wrap_poweroff(struct device *dev)
{
	return pm_down(dev, stock.driver.pm->poweroff);
}

static int wrap_restore(struct device *dev)
{
	return pm_up(dev, stock.driver.pm->restore);
}

/*
 * System sleep only.  A bound device holds a runtime reference, so the stock
 * runtime callbacks and its prepare (which asks for them) have nothing to do.
 */
static const struct dev_pm_ops pm_ops = {
	.suspend = wrap_suspend,
	.resume = wrap_resume,
	.freeze = wrap_freeze,
	.thaw = wrap_thaw,
	.poweroff = wrap_poweroff,
	.restore = wrap_restore,
};

/* A permanent failure is never followed by resume: the port stays held. */
static pci_ers_result_t wrap_error_detected(struct pci_dev *pdev,
					    pci_channel_state_t state)
{
	struct kecat_wrap *port = kecat_wrap_find(&pdev->dev);

	if (port)
		kecat_wrap_hold(port, KECAT_WRAP_HOLD_AER);
	return stock.err_handler->error_detected(pdev, state);
}

static void wrap_error_resume(struct pci_dev *pdev)
{
	struct kecat_wrap *port = kecat_wrap_find(&pdev->dev);

	stock.err_handler->resume(pdev);
	if (port)
		kecat_wrap_release(port, KECAT_WRAP_HOLD_AER);
}

static void wrap_reset_prepare(struct pci_dev *pdev)
{
	struct kecat_wrap *port = kecat_wrap_find(&pdev->dev);

	if (port)
		kecat_wrap_hold(port, KECAT_WRAP_HOLD_FLR);
	stock.err_handler->reset_prepare(pdev);
}

static void wrap_reset_done(struct pci_dev *pdev)
{
	struct kecat_wrap *port = kecat_wrap_find(&pdev->dev);

	stock.err_handler->reset_done(pdev);
	if (port)
		kecat_wrap_release(port, KECAT_WRAP_HOLD_FLR);
}

static void wrap_err_handler(struct pci_driver *drv)
{
	if (!stock.err_handler)
		return;
	err_handler = *stock.err_handler;
	if (err_handler.error_detected)
		err_handler.error_detected = wrap_error_detected;
	if (err_handler.resume)
		err_handler.resume = wrap_error_resume;
	if (err_handler.reset_prepare)
		err_handler.reset_prepare = wrap_reset_prepare;
	if (err_handler.reset_done)
		err_handler.reset_done = wrap_reset_done;
	drv->err_handler = &err_handler;
}

static bool is_last(const struct pci_device_id *id)
{
	return !id->vendor && !id->subvendor && !id->class_mask;
}

/* The same ids, but matching only after our name went into driver_override. */
static struct pci_device_id *override_only_ids(const struct pci_device_id *ids)
{
	struct pci_device_id *copy;
	size_t n = 0;

	while (!is_last(&ids[n]))
		n++;
	copy = kmemdup(ids, (n + 1) * sizeof(*ids), GFP_KERNEL);
	if (!copy)
		return NULL;
	while (n--)
		copy[n].override_only = 1;
	return copy;
}

/**
 * kecat_wrap_pci_register - stands in for pci_register_driver()
 * @drv:     the stock driver; changed in place
 * @owner:   the module
 * @modname: its name, which becomes the driver's
 *
 * Return: 0 or -errno.
 */
int kecat_wrap_pci_register(struct pci_driver *drv, struct module *owner,
			    const char *modname)
{
	struct pci_device_id *ids = override_only_ids(drv->id_table);
	int err;

	if (!ids)
		return -ENOMEM;
	stock = *drv;
	drv->name = modname;
	drv->id_table = ids;
	drv->probe = wrap_probe;
	drv->remove = wrap_remove;
	if (drv->shutdown)
		drv->shutdown = wrap_shutdown;
	if (drv->driver.pm)
		drv->driver.pm = &pm_ops;
	wrap_err_handler(drv);
	err = __pci_register_driver(drv, owner, modname);
	if (err)
		kfree(ids);
	return err;
}

/**
 * kecat_wrap_pci_unregister - stands in for pci_unregister_driver()
 * @drv: what kecat_wrap_pci_register() was given
 */
void kecat_wrap_pci_unregister(struct pci_driver *drv)
{
	pci_unregister_driver(drv);
	kfree(drv->id_table);
}
