/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_IOCTL_H
#define HOST_LINUX_IOCTL_H
#include <asm/ioctl.h>
#endif
