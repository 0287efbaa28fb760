/* SPDX-License-Identifier: GPL-2.0-only */
/* What the runtime and the tests need of the C library, next to kernel headers. */
#ifndef HOST_LIBC_H
#define HOST_LIBC_H

#include <stdarg.h>
#include <stddef.h>

void *malloc(size_t n);
void *calloc(size_t n, size_t size);
void *realloc(void *p, size_t n);
void *aligned_alloc(size_t align, size_t n);
void free(void *p);
int printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int vprintf(const char *fmt, va_list ap);
int fflush(void *stream);
void exit(int code) __attribute__((noreturn));
void _exit(int code) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
char *getenv(const char *name);
unsigned long long strtoull(const char *s, char **end, int base);
void qsort(void *base, size_t n, size_t size,
	   int (*cmp)(const void *a, const void *b));

/* os.c */
void *os_stack_alloc(size_t size);
void os_stack_free(void *stack, size_t size);
int os_fork(void);
int os_wait(int pid);		/* exit code, or 128 + signal */
void *os_shared(size_t n);	/* with children */
void os_backtrace(void);
void os_show_code(void **at, int n);
unsigned long long os_clock_ns(void);	/* of the machine, for figures only */
void os_time_limit(unsigned int seconds);
long os_read_file(const char *path, void *to, size_t room);

/* ctx.c */
void *ctx_make(void *stack, size_t size, void (*entry)(void));
void ctx_switch(void **save, void *load);

#endif
