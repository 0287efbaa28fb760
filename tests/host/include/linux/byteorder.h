/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_BYTEORDER_H
#define HOST_LINUX_BYTEORDER_H
#include <asm/byteorder.h>
#endif
