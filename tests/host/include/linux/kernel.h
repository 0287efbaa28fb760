/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_KERNEL_H
#define HOST_LINUX_KERNEL_H

#include <linux/stdarg.h>
#include <linux/types.h>
#include <linux/limits.h>
#include <linux/stddef.h>
#include <linux/compiler.h>
#include <linux/container_of.h>
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/align.h>
#include <linux/array_size.h>
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/kconfig.h>
#include <linux/kstrtox.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/sprintf.h>
#include <linux/stringify.h>
#include <asm/byteorder.h>

#define upper_32_bits(n)	((u32)(((n) >> 16) >> 16))
#define lower_32_bits(n)	((u32)((n) & 0xffffffff))
#define u64_to_user_ptr(x)	((void __user *)(uintptr_t)(x))
#define PTR_ALIGN(p, a)		((typeof(p))ALIGN((unsigned long)(p), (a)))
#define READ			0
#define WRITE			1

void host_might_sleep(const char *file, int line);
#define might_sleep()		host_might_sleep(__FILE__, __LINE__)
#define might_sleep_if(c)	do { if (c) might_sleep(); } while (0)
#define might_fault()		might_sleep()
#define cant_sleep()		((void)0)
#define cant_migrate()		((void)0)

#endif
