/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_KDEV_T_H
#define HOST_LINUX_KDEV_T_H
#define MINORBITS	20
#define MINORMASK	((1U << MINORBITS) - 1)
#define MAJOR(d)	((unsigned int)((d) >> MINORBITS))
#define MINOR(d)	((unsigned int)((d) & MINORMASK))
#define MKDEV(a, b)	(((dev_t)(a) << MINORBITS) | (b))
#endif
