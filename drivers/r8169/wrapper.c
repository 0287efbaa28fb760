// SPDX-License-Identifier: GPL-2.0-only
/*
 * kecat_r8169: the stock r8169 driver, unmodified, with a polled data path.
 *
 * One translation unit on purpose: our part sees the statics and types of the
 * driver's text, and the driver's text sees our replacements.  Its headers
 * have no include guard, so they are left to the text itself.
 */
#include "headers.h"	/* generated: the <> includes of stock/r8169_main.c */
#include "wrap.h"
#include "interpose.h"

/* LED devices want a registered interface as their parent */
#undef CONFIG_R8169_LEDS

/*
 * A transmit descriptor in use has its length in tx_skb[], so that the stock
 * clean-up clears it when it stops the chip.  The buffer below it is a slot
 * that stays mapped for the life of the port.
 */
#undef dma_unmap_single
#define dma_unmap_single(dev, addr, len, dir)	kecat_wrap_keep_mapped(dev, addr)

#include "stock/r8169_main.c"

#include "rtl.h"
#include "poll.c"
#include "control.c"
