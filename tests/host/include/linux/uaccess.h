/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User memory is what host_user_alloc() gave to a test: anything else, and
 * anything that reaches beyond it, faults.
 */
#ifndef HOST_LINUX_UACCESS_H
#define HOST_LINUX_UACCESS_H
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
unsigned long copy_from_user(void *to, const void __user *from, unsigned long n);
unsigned long copy_to_user(void __user *to, const void *from, unsigned long n);
unsigned long clear_user(void __user *to, unsigned long n);
int copy_struct_from_user(void *dst, size_t ksize, const void __user *src,
			  size_t usize);
int copy_struct_to_user(void __user *dst, size_t usize, const void *src,
			size_t ksize, bool *ignored);
int check_zeroed_user(const void __user *from, size_t n);
void *memdup_user(const void __user *src, size_t n);
void *vmemdup_user(const void __user *src, size_t n);
long strncpy_from_user(char *to, const char __user *from, long n);
#define access_ok(p, n)	host_user_ok(p, n)
bool host_user_ok(const void *p, unsigned long n);
#define put_user(x, p) \
	({ typeof(*(p)) __v = (x); copy_to_user(p, &__v, sizeof(__v)) ? -EFAULT : 0; })
#define get_user(x, p) \
	({ typeof(*(p)) __v = 0; \
	   int __e = copy_from_user(&__v, p, sizeof(__v)) ? -EFAULT : 0; \
	   (x) = __v; __e; })
#endif
