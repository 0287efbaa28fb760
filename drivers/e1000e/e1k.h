/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by poll.c and control.c, which wrapper.c includes. */
#ifndef KECAT_E1K_H
#define KECAT_E1K_H

/**
 * struct e1k - one port
 * @wrap:        what all wrapped drivers share
 * @adapter:     the stock driver's
 * @discarding:  inside a frame of several descriptors; cyclic thread
 * @rx_dropped:  frames refused by e1k_rx_poll(); cyclic thread
 * @tx_done:     descriptors reclaimed; cyclic thread
 * @base:        the adapter's counters when the port was started
 */
struct e1k {
	struct kecat_wrap wrap;
	struct e1000_adapter *adapter;
	bool discarding;
	u64 rx_dropped;
	unsigned int tx_done;
	struct rtnl_link_stats64 base;
};

static inline struct e1k *to_e1k(struct kecat_wrap *port)
{
	return container_of(port, struct e1k, wrap);
}

static inline struct e1k *nic_to_e1k(struct kecat_nic *nic)
{
	return container_of(nic, struct e1k, wrap.nic);
}

#endif
