/* SPDX-License-Identifier: GPL-2.0-only */
/* 6.5 took mac_pton() out of kernel.h; newer kernels do not bring it by themselves. */
#ifndef KECAT_COMPAT_HEX_H
#define KECAT_COMPAT_HEX_H

#include <linux/kernel.h>

#ifdef __has_include	/* sparse has none: it sees the old place */
#if __has_include(<linux/hex.h>)
#include <linux/hex.h>
#endif
#endif

#endif
