// SPDX-License-Identifier: GPL-2.0-only
/* What drivers call: a port comes, a port goes, a frame arrives. */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/module.h>
#include "../drivers/include/kecat_nic.h"
#include "cycle_int.h"
#include "master.h"
#include "ring.h"

static_assert(KECAT_NIC_TAKEN_BACK == KECAT_PORT_TAKEN_BACK);
static_assert(KECAT_NIC_DOWN == KECAT_PORT_DOWN);
static_assert(KECAT_NIC_RENAMED == KECAT_PORT_RENAMED);
static_assert(KECAT_NIC_GONE == KECAT_PORT_GONE);

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
	atomic_set(&nic->gate, 0);
	nic->busy = 0;
	m = kecat_ring_find(nic);
	nic->second = m;
	if (m) {
		nic->core = m;
		err = kecat_ring_join(m, nic);
		if (err)
			nic->core = NULL;
		return err;
	}
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

	/* before files answer -ENODEV, so that who reads events learns why */
	kecat_event(m, KECAT_EV_PORT, KECAT_ALL, nic->leaving, nic->second, 0, 0);
	if (nic->second) {
		kecat_ring_leave(m, nic);
		nic->core = NULL;
		return;
	}
	kecat_master_stop(m);
	nic->core = NULL;
	kecat_master_put(m);
}
EXPORT_SYMBOL_GPL(kecat_nic_unregister);

/* the gate counts, so that a reset inside a suspend does not open it */
void kecat_nic_quiesce(struct kecat_nic *nic)
{
	atomic_inc(&nic->gate);
	smp_mb__after_atomic();	/* pairs with kecat_nic_enter() */
	while (smp_load_acquire(&nic->busy))	/* pairs with kecat_nic_exit() */
		usleep_range(20, 50);
}
EXPORT_SYMBOL_GPL(kecat_nic_quiesce);

void kecat_nic_resume(struct kecat_nic *nic)
{
	/* rings are whole again before the thread may look at them */
	smp_mb__before_atomic();
	atomic_dec(&nic->gate);
}
EXPORT_SYMBOL_GPL(kecat_nic_resume);

void kecat_nic_rx(struct kecat_nic *nic, const void *data, unsigned int len)
{
	struct kecat_master *m = nic->core;

	kecat_cycle_rx(m->cycle, nic->second, data, len);
}
EXPORT_SYMBOL_GPL(kecat_nic_rx);
