/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_PRINTK_H
#define HOST_LINUX_PRINTK_H

#include <linux/types.h>
#include <linux/stdarg.h>

#ifndef pr_fmt
#define pr_fmt(fmt)	fmt
#endif
#define KERN_ERR	""
#define KERN_WARNING	""
#define KERN_NOTICE	""
#define KERN_INFO	""
#define KERN_DEBUG	""
#define KERN_CONT	""

__printf(2, 3) void host_printk(int level, const char *fmt, ...);
#define _printk(...)	host_printk(4, __VA_ARGS__)
#define printk(...)	host_printk(4, __VA_ARGS__)
#define pr_emerg(fmt, ...)	host_printk(0, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_alert(fmt, ...)	host_printk(1, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_crit(fmt, ...)	host_printk(2, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_err(fmt, ...)	host_printk(3, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_warn(fmt, ...)	host_printk(4, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_notice(fmt, ...)	host_printk(5, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_info(fmt, ...)	host_printk(6, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_debug(fmt, ...)	host_printk(7, pr_fmt(fmt), ##__VA_ARGS__)
#define pr_cont		pr_info
#define pr_err_once	pr_err
#define pr_warn_once	pr_warn
#define pr_info_once	pr_info
#define pr_err_ratelimited	pr_err
#define pr_warn_ratelimited	pr_warn
#define pr_info_ratelimited	pr_info
#define printk_ratelimit()	1
#define dump_stack()		((void)0)

#endif
