/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by poll.c and control.c, which wrapper.c includes. */
#ifndef KECAT_RTL_H
#define KECAT_RTL_H

/**
 * struct rtl - one port
 * @wrap:        what all wrapped drivers share
 * @tp:          the stock driver's
 * @committed:   bytes on the wire since the last doorbell; cyclic thread
 * @sent_by:     when the wire is free of all frames; cyclic thread
 * @rx_dropped:  frames refused by rtl_rx_poll(); cyclic thread
 * @tx_done:     descriptors reclaimed; cyclic thread
 * @tally:       the chip's counters at the last look, see take_tally()
 * @stats:       what they have added up to since the port was started
 */
struct rtl {
	struct kecat_wrap wrap;
	struct rtl8169_private *tp;
	unsigned int committed;
	u64 sent_by;
	u64 rx_dropped;
	unsigned int tx_done;
	struct {
		u64 tx_errors;
		u32 rx_errors;
		u16 rx_missed;
	} tally;
	struct kecat_nic_stats stats;
};

static inline struct rtl *to_rtl(struct kecat_wrap *port)
{
	return container_of(port, struct rtl, wrap);
}

static inline struct rtl *nic_to_rtl(struct kecat_nic *nic)
{
	return container_of(nic, struct rtl, wrap.nic);
}

#endif
