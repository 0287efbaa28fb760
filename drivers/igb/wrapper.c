// SPDX-License-Identifier: GPL-2.0-only
/*
 * kecat_igb: the stock igb driver, unmodified, with a polled data path.
 *
 * One translation unit on purpose: our part sees the statics and types of the
 * driver's text, and the driver's text sees our replacements.
 */
#include "headers.h"	/* generated: the <> includes of stock/igb_main.c */
#include "stock/igb.h"
#include "wrap.h"
#include "interpose.h"

#define adv_hw			e1000_hw
#define adv_reg_ims		E1000_IMS
#define adv_reg_eims		E1000_EIMS
#include "adv_interpose.h"

/* a descriptor is written back at once; adv_port_open() looks if it worked */
#undef IGB_TX_WTHRESH
#define IGB_TX_WTHRESH	0
#undef IGB_RX_WTHRESH
#define IGB_RX_WTHRESH	1

/* the clock unmasks an interrupt of its own; sensors want an interface */
#define igb_ptp_init(adapter)	do { } while (0)
#define igb_sysfs_init(adapter)	0
#define igb_sysfs_exit(adapter)	do { } while (0)

#include "stock/igb_main.c"

#define adv_adapter		igb_adapter
#define adv_ring		igb_ring
#define adv_rx_buffer		igb_rx_buffer
#define adv_tx_desc		e1000_adv_tx_desc
#define adv_rx_desc		e1000_adv_rx_desc
#define adv_tx_desc_at		IGB_TX_DESC
#define adv_rx_desc_at		IGB_RX_DESC
#define adv_desc_unused		igb_desc_unused
#define adv_rx_bufsz		igb_rx_bufsz
#define adv_rx_buffer_write	IGB_RX_BUFFER_WRITE
#define adv_txd_stat_dd		E1000_TXD_STAT_DD
#define adv_txd_paylen_shift	E1000_ADVTXD_PAYLEN_SHIFT
#define adv_txd_command							\
	(E1000_ADVTXD_DTYP_DATA | E1000_ADVTXD_DCMD_DEXT |		\
	 E1000_ADVTXD_DCMD_IFCS | E1000_ADVTXD_DCMD_EOP | E1000_ADVTXD_DCMD_RS)
#define adv_rxd_stat_dd		E1000_RXD_STAT_DD
#define adv_rxd_stat_eop	E1000_RXD_STAT_EOP
#define adv_rxd_errors		E1000_RXDEXT_ERR_FRAME_ERR_MASK
#define adv_reg_icr		E1000_ICR
#define adv_reg_status		E1000_STATUS
#define adv_reg_txdctl		E1000_TXDCTL
#define adv_reg_rxdctl		E1000_RXDCTL
#define adv_icr_link		(E1000_ICR_LSC | E1000_ICR_RXSEQ)
#define adv_icr_drsta		E1000_ICR_DRSTA
#define adv_status_lu		E1000_STATUS_LU
#define adv_fc_none		e1000_fc_none
#define adv_media_copper	e1000_media_type_copper
#define adv_reset		igb_reset
#define adv_reset_task		igb_reset_task
#define adv_open		igb_open
#define adv_close		igb_close
#define adv_get_stats64		igb_get_stats64

static void adv_forbid_eee(struct igb_adapter *adapter)
{
	struct e1000_hw *hw = &adapter->hw;

	hw->dev_spec._82575.eee_disable = true;
	adapter->flags &= ~IGB_FLAG_EEE;
	adapter->eee_advert = 0;
	/* a change of media resets the chip from the watchdog, past the gate */
	hw->dev_spec._82575.mas_capable = false;
}

#include "adv.h"
#include "adv_poll.c"
#include "adv_control.c"
