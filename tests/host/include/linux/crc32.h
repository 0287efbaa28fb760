/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_CRC32_H
#define HOST_LINUX_CRC32_H
#include <linux/types.h>
u32 crc32_le(u32 crc, const unsigned char *p, size_t n);
#endif
