/* SPDX-License-Identifier: GPL-2.0-only */
/* 6.12 moved the header. */
#ifndef KECAT_COMPAT_UNALIGNED_H
#define KECAT_COMPAT_UNALIGNED_H

#ifdef __has_include	/* sparse has none: it sees the old place */
#if __has_include(<linux/unaligned.h>)
#define KECAT_UNALIGNED_MOVED
#endif
#endif

#ifdef KECAT_UNALIGNED_MOVED
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

#endif
