/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_PREFETCH_H
#define HOST_LINUX_PREFETCH_H
#define prefetch(p)	__builtin_prefetch(p)
#define prefetchw(p)	__builtin_prefetch(p, 1)
#endif
