/* SPDX-License-Identifier: GPL-2.0-only */
/* 6.12 moved the header. */
#ifndef KECAT_COMPAT_UNALIGNED_H
#define KECAT_COMPAT_UNALIGNED_H

#if __has_include(<linux/unaligned.h>)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

#endif
