/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_COMPAT_H
#define HOST_LINUX_COMPAT_H
#define compat_ptr(x)	((void *)(unsigned long)(x))
#define in_compat_syscall() false
#endif
