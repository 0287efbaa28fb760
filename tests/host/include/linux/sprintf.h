/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_SPRINTF_H
#define HOST_LINUX_SPRINTF_H
#include <linux/types.h>
#include <linux/stdarg.h>
__printf(2, 3) int sprintf(char *to, const char *fmt, ...);
__printf(3, 4) int snprintf(char *to, size_t n, const char *fmt, ...);
int vsnprintf(char *to, size_t n, const char *fmt, va_list ap);
int vsprintf(char *to, const char *fmt, va_list ap);
__printf(3, 4) int scnprintf(char *to, size_t n, const char *fmt, ...);
int vscnprintf(char *to, size_t n, const char *fmt, va_list ap);
__printf(2, 3) char *kasprintf(gfp_t gfp, const char *fmt, ...);
int sscanf(const char *s, const char *fmt, ...);
#endif
