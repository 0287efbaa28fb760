/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_ALIGN_H
#define HOST_LINUX_ALIGN_H
#define __ALIGN_MASK(x, m)	(((x) + (m)) & ~(m))
#define ALIGN(x, a)		__ALIGN_MASK(x, (typeof(x))(a) - 1)
#define ALIGN_DOWN(x, a)	((x) & ~((typeof(x))(a) - 1))
#define IS_ALIGNED(x, a)	(((x) & ((typeof(x))(a) - 1)) == 0)
#endif
