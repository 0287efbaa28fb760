/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_KSTRTOX_H
#define HOST_LINUX_KSTRTOX_H
#include <linux/types.h>
int kstrtoull(const char *s, unsigned int base, unsigned long long *res);
int kstrtoll(const char *s, unsigned int base, long long *res);
int kstrtouint(const char *s, unsigned int base, unsigned int *res);
int kstrtoint(const char *s, unsigned int base, int *res);
int kstrtobool(const char *s, bool *res);
#endif
