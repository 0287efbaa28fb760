/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What igb and igc share: Intel's advanced descriptors, and drivers that are
 * alike but for their names.  Each wrapper gives the stock driver's names as
 * macros adv_*, then includes this, adv_poll.c and adv_control.c.
 */
#ifndef KECAT_WRAP_ADV_H
#define KECAT_WRAP_ADV_H

/**
 * struct adv - one port
 * @wrap:        what all wrapped drivers share
 * @adapter:     the stock driver's
 * @discarding:  inside a frame of several descriptors; cyclic thread
 * @rx_dropped:  frames refused by adv_rx_poll(); cyclic thread
 * @tx_done:     descriptors reclaimed; cyclic thread
 * @base:        the adapter's counters when the port was started
 */
struct adv {
	struct kecat_wrap wrap;
	struct adv_adapter *adapter;
	bool discarding;
	u64 rx_dropped;
	unsigned int tx_done;
	struct rtnl_link_stats64 base;
};

static inline struct adv *to_adv(struct kecat_wrap *port)
{
	return container_of(port, struct adv, wrap);
}

static inline struct adv *nic_to_adv(struct kecat_nic *nic)
{
	return container_of(nic, struct adv, wrap.nic);
}

#endif
