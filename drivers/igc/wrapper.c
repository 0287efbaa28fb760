// SPDX-License-Identifier: GPL-2.0-only
/*
 * kecat_igc: the stock igc driver, unmodified, with a polled data path.
 *
 * One translation unit on purpose: our part sees the statics and types of the
 * driver's text, and the driver's text sees our replacements.
 */
#include "headers.h"	/* generated: the <> includes of stock/igc_main.c */

/* LED devices want a registered interface as their parent */
#undef CONFIG_IGC_LEDS

#include "stock/igc.h"
#include "wrap.h"
#include "interpose.h"

#define adv_hw			igc_hw
#define adv_reg_ims		IGC_IMS
#define adv_reg_eims		IGC_EIMS
#include "adv_interpose.h"

/* a descriptor is written back at once; adv_port_open() looks if it worked */
#undef IGC_TX_WTHRESH		/* until 6.13 */
#define IGC_TX_WTHRESH		0
#undef IGC_RX_WTHRESH
#define IGC_RX_WTHRESH		1
#undef IGC_TXDCTL_WTHRESH
#define IGC_TXDCTL_WTHRESH(x)	0
#undef IGC_RXDCTL_WTHRESH
#define IGC_RXDCTL_WTHRESH	1

/* the clock unmasks an interrupt of its own */
#define igc_ptp_init(adapter)		do { } while (0)
#define igc_ptp_reset(adapter)		do { } while (0)
#define igc_ptp_suspend(adapter)	do { } while (0)
#define igc_ptp_stop(adapter)		do { } while (0)
#define igc_ptp_tx_hang(adapter)	do { } while (0)

#include "stock/igc_main.c"

#define adv_adapter		igc_adapter
#define adv_ring		igc_ring
#define adv_rx_buffer		igc_rx_buffer
#define adv_tx_desc		igc_adv_tx_desc
#define adv_rx_desc		igc_adv_rx_desc
#define adv_tx_desc_at		IGC_TX_DESC
#define adv_rx_desc_at		IGC_RX_DESC
#define adv_desc_unused		igc_desc_unused
#define adv_rx_bufsz		igc_rx_bufsz
#define adv_rx_buffer_write	IGC_RX_BUFFER_WRITE
#define adv_txd_stat_dd		IGC_TXD_STAT_DD
#define adv_txd_paylen_shift	IGC_ADVTXD_PAYLEN_SHIFT
#define adv_txd_command							\
	(IGC_ADVTXD_DTYP_DATA | IGC_ADVTXD_DCMD_DEXT |			\
	 IGC_ADVTXD_DCMD_IFCS | IGC_ADVTXD_DCMD_EOP | IGC_ADVTXD_DCMD_RS)
#define adv_rxd_stat_dd		IGC_RXD_STAT_DD
#define adv_rxd_stat_eop	IGC_RXD_STAT_EOP
#define adv_rxd_errors		IGC_RXDEXT_STATERR_RXE
#define adv_reg_icr		IGC_ICR
#define adv_reg_status		IGC_STATUS
#define adv_reg_txdctl		IGC_TXDCTL
#define adv_reg_rxdctl		IGC_RXDCTL
#define adv_icr_link		(IGC_ICR_LSC | IGC_ICR_RXSEQ)
#define adv_icr_drsta		IGC_ICR_DRSTA
#define adv_status_lu		IGC_STATUS_LU
#define adv_fc_none		igc_fc_none
#define adv_media_copper	igc_media_type_copper
#define adv_reset		igc_reset
#define adv_reset_task		igc_reset_task
#define adv_open		igc_open
#define adv_close		igc_close
#define adv_get_stats64		igc_get_stats64

/* The driver keeps it off by itself, unless ethtool asks. */
static void adv_forbid_eee(struct igc_adapter *adapter)
{
	adapter->hw.dev_spec._base.eee_enable = false;
	adapter->flags &= ~IGC_FLAG_EEE;
}

#include "adv.h"
#include "adv_poll.c"
#include "adv_control.c"
