/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_NOSPEC_H
#define HOST_LINUX_NOSPEC_H
#define array_index_nospec(i, n)	((i) < (n) ? (i) : 0)
#endif
