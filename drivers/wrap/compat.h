/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that a stock driver uses and the headers of its own kernel lack.
 *
 * Debian's source of 6.1 is the one without the real-time patches, which had
 * dropped these ahead of 6.3; on 64 bits they are the same.
 */
#ifndef KECAT_WRAP_COMPAT_H
#define KECAT_WRAP_COMPAT_H

#include <linux/u64_stats_sync.h>

#define u64_stats_fetch_begin_irq(s)	u64_stats_fetch_begin(s)
#define u64_stats_fetch_retry_irq(s, n)	u64_stats_fetch_retry(s, n)

#endif
