/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_ASM_IOCTL_H
#define HOST_ASM_IOCTL_H
#define _IOC_NRBITS	8
#define _IOC_TYPEBITS	8
#define _IOC_SIZEBITS	14
#define _IOC_DIRBITS	2
#define _IOC_NRMASK	0xff
#define _IOC_TYPEMASK	0xff
#define _IOC_SIZEMASK	0x3fff
#define _IOC_DIRMASK	3
#define _IOC_NRSHIFT	0
#define _IOC_TYPESHIFT	8
#define _IOC_SIZESHIFT	16
#define _IOC_DIRSHIFT	30
#define _IOC_NONE	0U
#define _IOC_WRITE	1U
#define _IOC_READ	2U
#define _IOC(d, t, n, s) \
	(((d) << 30) | ((t) << 8) | (n) | ((unsigned int)(s) << 16))
#define _IOC_TYPECHECK(t)	(sizeof(t))
#define _IO(t, n)	_IOC(_IOC_NONE, (t), (n), 0)
#define _IOR(t, n, s)	_IOC(_IOC_READ, (t), (n), _IOC_TYPECHECK(s))
#define _IOW(t, n, s)	_IOC(_IOC_WRITE, (t), (n), _IOC_TYPECHECK(s))
#define _IOWR(t, n, s)	_IOC(_IOC_READ | _IOC_WRITE, (t), (n), _IOC_TYPECHECK(s))
#define _IOC_DIR(n)	(((n) >> 30) & 3)
#define _IOC_TYPE(n)	(((n) >> 8) & 0xff)
#define _IOC_NR(n)	((n) & 0xff)
#define _IOC_SIZE(n)	(((n) >> 16) & 0x3fff)
#define IOC_IN		(_IOC_WRITE << 30)
#define IOC_OUT		(_IOC_READ << 30)
#define IOC_INOUT	((_IOC_WRITE | _IOC_READ) << 30)
#define IOCSIZE_MASK	(0x3fff << 16)
#define IOCSIZE_SHIFT	16
#endif
