/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_STRING_H
#define HOST_LINUX_STRING_H

#include <linux/types.h>
#include <linux/errno.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *p, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
#ifdef HOST_FREESTANDING
void *memchr(const void *p, int c, size_t n);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t n);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
char *strstr(const char *a, const char *b);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t n);
char *strcat(char *to, const char *from);
char *strsep(char **s, const char *ct);
size_t strspn(const char *s, const char *a);
size_t strcspn(const char *s, const char *a);
#else
#include <string.h>
#endif

ssize_t host_strscpy(char *to, const char *from, size_t n);
void *memchr_inv(const void *p, int c, size_t n);
#define strscpy_2(to, from)	host_strscpy(to, from, sizeof(to))
#define strscpy_3(to, from, n)	host_strscpy(to, from, n)
#define host_strscpy_n(a, b, c, name, ...) name
#define strscpy(...) \
	host_strscpy_n(__VA_ARGS__, strscpy_3, strscpy_2, )(__VA_ARGS__)
ssize_t strscpy_pad(char *to, const char *from, size_t n);

#define memzero_explicit(p, n)	memset(p, 0, n)
#define memset32(p, v, n) \
	do { for (size_t __i = 0; __i < (n); __i++) ((u32 *)(p))[__i] = (v); } while (0)
#define mem_is_zero(p, n)	(!memchr_inv(p, 0, n))
#define memset_after(obj, v, m)						\
	memset((u8 *)(obj) + offsetofend(typeof(*(obj)), m), v,		\
	       sizeof(*(obj)) - offsetofend(typeof(*(obj)), m))

void *kmemdup(const void *p, size_t n, gfp_t gfp);
char *kstrdup(const char *s, gfp_t gfp);
char *kstrndup(const char *s, size_t n, gfp_t gfp);

static inline bool strstarts(const char *s, const char *p)
{
	return !__builtin_strncmp(s, p, __builtin_strlen(p));
}

static inline const char *kbasename(const char *path)
{
	const char *t = __builtin_strrchr(path, '/');

	return t ? t + 1 : path;
}

#include <linux/stddef.h>

/* but for a newline at the end of either */
static inline bool sysfs_streq(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (!*a || (*a == '\n' && !a[1])) && (!*b || (*b == '\n' && !b[1]));
}
#endif
