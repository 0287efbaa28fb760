// SPDX-License-Identifier: GPL-2.0-only
/* The little that the runtime wants of the machine it runs on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *os_stack_alloc(size_t size);
void os_stack_free(void *stack, size_t size);
int os_fork(void);
int os_wait(int pid);
void *os_shared(size_t n);
void os_backtrace(void);
void os_show_code(void **at, int n);
unsigned long long os_clock_ns(void);
void os_time_limit(unsigned int seconds);
long os_read_file(const char *path, void *to, size_t room);

#define GUARD	4096

/* below it a page that faults */
void *os_stack_alloc(size_t size)
{
	char *p = mmap(NULL, size + GUARD, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p, GUARD, PROT_NONE)) {
		perror("stack");
		exit(99);
	}
	return p + GUARD;
}

void os_stack_free(void *stack, size_t size)
{
	munmap((char *)stack - GUARD, size + GUARD);
}

int os_fork(void)
{
	fflush(stdout);
	return fork();
}

int os_wait(int pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void *os_shared(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(99);
	return p;
}

/* function and line of each address, as far as the tool for that is there */
void os_show_code(void **at, int n)
{
	char cmd[2048], line[256];
	Dl_info self;
	FILE *p;
	int i, len;

	if (n <= 0 || !dladdr((void *)os_show_code, &self))
		return;
	len = snprintf(cmd, sizeof(cmd), "addr2line -spfie /proc/%d/exe",
		       (int)getpid());
	for (i = 0; i < n; i++)
		len += snprintf(cmd + len, sizeof(cmd) - len, " %#tx",
				(char *)at[i] - (char *)self.dli_fbase - 1);
	fflush(stdout);
	p = popen(cmd, "r");
	while (p && fgets(line, sizeof(line), p))
		printf("#     %s", line);
	if (p)
		pclose(p);
	fflush(stdout);
}

void os_backtrace(void)
{
	void *at[40];
	int n = backtrace(at, 40);

	os_show_code(at + 2, n - 2);
}

unsigned long long os_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void hang(int sig)
{
	(void)sig;
	printf("# hangs: no virtual time passes, or far too much of it\n");
	os_backtrace();
	_exit(98);
}

void os_time_limit(unsigned int seconds)
{
	signal(SIGALRM, hang);
	alarm(seconds);
}

long os_read_file(const char *path, void *to, size_t room)
{
	FILE *f = fopen(path, "rb");
	long n;

	if (!f)
		return -1;
	n = (long)fread(to, 1, room, f);
	fclose(f);
	return n;
}
