// SPDX-License-Identifier: GPL-2.0-only
/* What drivers call: a port comes, a port goes, a frame arrives. */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/module.h>
#include "../drivers/include/kecat_nic.h"
#include "cycle_int.h"
#include "master.h"

static bool complete_ops(const struct kecat_nic_ops *o)
{
	return o && o->start && o->stop && o->link_poll && o->tx_buf &&
	       o->tx_commit && o->tx_kick && o->rx_poll;
}

int kecat_nic_register(struct kecat_nic *nic)
{
	struct kecat_master *m;
	int err;

	if (nic->api != KECAT_NIC_API || !complete_ops(nic->ops))
		return -EINVAL;
	nic->gate = 0;
	nic->busy = 0;
	m = kecat_master_create(nic);
	if (IS_ERR(m))
		return PTR_ERR(m);
	nic->core = m;
	err = kecat_master_start(m);
	if (err) {
		nic->core = NULL;
		kecat_master_put(m);
	}
	return err;
}
EXPORT_SYMBOL_GPL(kecat_nic_register);

void kecat_nic_unregister(struct kecat_nic *nic)
{
	struct kecat_master *m = nic->core;

	kecat_master_stop(m);
	nic->core = NULL;
	kecat_master_put(m);
}
EXPORT_SYMBOL_GPL(kecat_nic_unregister);

/*
 * The gate counts, so that a reset inside a suspend does not open it.  Callers
 * come from different contexts of the driver: the counter is changed atomically.
 */
void kecat_nic_quiesce(struct kecat_nic *nic)
{
	__atomic_add_fetch(&nic->gate, 1, __ATOMIC_SEQ_CST);
	smp_mb();	/* pairs with kecat_nic_enter() */
	while (smp_load_acquire(&nic->busy))	/* pairs with kecat_nic_exit() */
		usleep_range(20, 50);
}
EXPORT_SYMBOL_GPL(kecat_nic_quiesce);

void kecat_nic_resume(struct kecat_nic *nic)
{
	__atomic_sub_fetch(&nic->gate, 1, __ATOMIC_SEQ_CST);
}
EXPORT_SYMBOL_GPL(kecat_nic_resume);

void kecat_nic_rx(struct kecat_nic *nic, const void *data, unsigned int len)
{
	struct kecat_master *m = nic->core;

	kecat_cycle_rx(m->cycle, data, len);
}
EXPORT_SYMBOL_GPL(kecat_nic_rx);
