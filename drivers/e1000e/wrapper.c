// SPDX-License-Identifier: GPL-2.0-only
/*
 * kecat_e1000e: the stock e1000e driver, unmodified, with a polled data path.
 *
 * One translation unit on purpose: our part sees the statics and types of the
 * driver's text, and the driver's text sees our replacements.
 */
#include "headers.h"	/* generated: the <> includes of stock/netdev.c */
#include "stock/e1000.h"
#include "wrap.h"
#include "interpose.h"

/* IMS unmasks interrupts: the one register that is never written. */
#undef ew32
#define ew32(reg, val)							\
do {									\
	if (E1000_##reg != E1000_IMS)					\
		__ew32(hw, E1000_##reg, (val));				\
} while (0)

#include "stock/netdev.c"

#include "e1k.h"
#include "poll.c"
#include "control.c"
