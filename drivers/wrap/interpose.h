/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Last include before the stock driver's text: from here on these kernel names
 * mean ours.  All kernel headers have been read before (their guards keep them
 * out of the text), so nothing but the driver is affected.  No include guard:
 * a wrapper includes this once, on purpose.
 *
 * A name that is missing here compiles without a word; denylist and
 * check-symbols find it in the object.
 */
#include "compat.h"

#undef register_netdev
#define register_netdev(nd)		kecat_wrap_register_netdev(nd)
#undef unregister_netdev
#define unregister_netdev(nd)		kecat_wrap_unregister_netdev(nd)

#undef request_irq
#define request_irq(irq, fn, fl, nm, d)	kecat_wrap_request_irq(irq, fn, fl, nm, d)
#undef free_irq
#define free_irq(irq, d)		kecat_wrap_free_irq(irq, d)

#undef netif_wake_queue
#define netif_wake_queue(nd)		kecat_wrap_wake_queue(nd)
/* in transmit and clean-up routines of igb and igc that are not reached */
#undef netif_wake_subqueue
#define netif_wake_subqueue(nd, n)	kecat_wrap_wake_queue(nd)
/* from 6.9 on; the transmit routines that use them are not reached */
#undef netif_subqueue_maybe_stop
#define netif_subqueue_maybe_stop(nd, n, room, stop, start)	\
	kecat_wrap_queue_runs(nd, room)
#undef netif_subqueue_completed_wake
#define netif_subqueue_completed_wake(nd, n, pkts, bytes, room, start)	\
	kecat_wrap_queue_runs(nd, room)
#undef netif_device_attach
#define netif_device_attach(nd)		kecat_wrap_device_attach(nd)
#undef netif_device_detach
#define netif_device_detach(nd)		kecat_wrap_device_detach(nd)

#undef pci_register_driver
#define pci_register_driver(drv)	\
	kecat_wrap_pci_register(drv, THIS_MODULE, KBUILD_MODNAME)
#undef pci_unregister_driver
#define pci_unregister_driver(drv)	kecat_wrap_pci_unregister(drv)

/* no modalias: the module is never loaded instead of the stock one */
#undef MODULE_DEVICE_TABLE
#define MODULE_DEVICE_TABLE(type, name)
#undef MODULE_DESCRIPTION
#define MODULE_DESCRIPTION(text)	\
	MODULE_INFO(description, "polled for kecat: " text)
