// SPDX-License-Identifier: GPL-2.0-only
/* The wrapped system calls: /dev/kecat0 is ours, all else goes on as before. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "../../userspace/tool/sysfs.h"
#include "fake.h"

#define NODE "/dev/kecat0"

static bool ours[64];
static int probe_fd = -1;	/* drivers_probe of the sysfs that is not there */
static int unbind_fd = -1;
static int mode;
static bool nonblock;

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
ssize_t __real_write(int fd, const void *buf, size_t len);
ssize_t __real_read(int fd, void *buf, size_t len);
int __real_ioctl(int fd, unsigned long cmd, ...);
off_t __real_lseek(int fd, off_t off, int whence);
void *__real_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off);
int __real_munmap(void *at, size_t len);

int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *buf, size_t len);
ssize_t __wrap_write(int fd, const void *buf, size_t len);
int __wrap_ioctl(int fd, unsigned long cmd, ...);
off_t __wrap_lseek(int fd, off_t off, int whence);
void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off);
int __wrap_munmap(void *at, size_t len);

bool fake_is(const char *word)
{
	const char *env = getenv("FAKE");

	return env && strstr(env, word);
}

__attribute__((constructor)) static void redirect_sysfs(void)
{
	if (getenv("FAKE_SYSFS"))
		sysfs_root = getenv("FAKE_SYSFS");
}

static int result(int err)
{
	if (!err)
		return 0;
	errno = -err;
	return -1;
}

static bool is_ours(int fd)
{
	return fd >= 0 && fd < 64 && ours[fd];
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

static void device_path(char path[PATH_MAX], const char *pci, const char *file)
{
	snprintf(path, PATH_MAX, "%s/bus/pci/devices/%s/%s", sysfs_root, pci, file);
}

/* drivers_probe: the driver of driver_override, else the ordinary one */
static void bind(const char *pci)
{
	char path[PATH_MAX], name[64] = "", target[PATH_MAX];
	const char *ordinary = getenv("FAKE_DRIVER");
	FILE *file;

	device_path(path, pci, "driver_override");
	file = fopen(path, "re");
	if (file && fgets(name, sizeof(name), file))
		name[strcspn(name, "\n")] = '\0';
	if (file)
		fclose(file);
	if (fake_is("no-probe") && name[0])
		return;
	snprintf(target, sizeof(target), "../../drivers/%s",
		 name[0] ? name : ordinary ? ordinary : "e1000e");
	device_path(path, pci, "driver");
	if (symlink(target, path))
		abort();
}

/* A driver forgets the device, or takes it, as writes to sysfs do */
ssize_t __wrap_write(int fd, const void *buf, size_t len)
{
	char path[PATH_MAX], pci[64];

	if (fd < 0 || (fd != probe_fd && fd != unbind_fd))
		return __real_write(fd, buf, len);
	snprintf(pci, sizeof(pci), "%.*s", (int)len, (const char *)buf);
	if (fd == probe_fd) {
		bind(pci);
		return len;
	}
	device_path(path, pci, "driver");
	return unlink(path) ? -1 : (ssize_t)len;
}

int __wrap_open(const char *path, int flags, ...)
{
	int fd;

	if (strncmp(path, "/dev/kecat", 10)) {
		va_list ap;
		int perm;

		va_start(ap, flags);
		perm = flags & O_CREAT ? va_arg(ap, int) : 0;
		va_end(ap);
		fd = __real_open(path, flags, perm);
		if (ends_with(path, "/drivers_probe"))
			probe_fd = fd;
		if (ends_with(path, "/unbind"))
			unbind_fd = fd;
		return fd;
	}
	if (strcmp(path, NODE) || fake_is("absent"))
		return result(-ENOENT);
	if (fake_is("forbidden"))
		return result(-EACCES);
	fd = __real_open("/dev/null", O_RDONLY);
	if (fd < 0 || fd >= 64)
		return result(-EMFILE);
	ours[fd] = true;
	mode = flags & O_ACCMODE;
	nonblock = flags & O_NONBLOCK;
	return fd;
}

int __wrap_close(int fd)
{
	if (is_ours(fd))
		ours[fd] = false;
	if (fd == probe_fd)
		probe_fd = -1;
	if (fd == unbind_fd)
		unbind_fd = -1;
	return __real_close(fd);
}

ssize_t __wrap_read(int fd, void *buf, size_t len)
{
	long n;

	if (!is_ours(fd))
		return __real_read(fd, buf, len);
	n = fake_events(buf, len);
	if (!n)
		return result(nonblock ? -EAGAIN : -EINTR);
	return n;
}

off_t __wrap_lseek(int fd, off_t off, int whence)
{
	if (!is_ours(fd))
		return __real_lseek(fd, off, whence);
	return off || whence != SEEK_SET ? result(-EINVAL) : result(fake_rewind());
}

void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	void *mem;

	if (!is_ours(fd))
		return __real_mmap(at, len, prot, flags, fd, off);
	mem = off ? NULL : fake_map(len);
	if (mem)
		return mem;
	errno = EINVAL;
	return MAP_FAILED;
}

int __wrap_munmap(void *at, size_t len)
{
	return __real_munmap(at, len);
}

static int version(struct kecat_version *v)
{
	v->abi = fake_is("other-abi") ? 0x00020000 : KECAT_ABI;
	v->features = KECAT_FEAT_RT;
	memset(v->release, fake_is("hostile") ? 0x1b : 0, sizeof(v->release));
	if (!fake_is("hostile"))
		strcpy(v->release, "1.2.3");
	return 0;
}

/* All that change something need an open for writing, as in the kernel */
static bool allowed(unsigned long cmd)
{
	switch (cmd) {
	case KECAT_IOC_SDO_DOWNLOAD:
	case KECAT_IOC_REG_WRITE:
	case KECAT_IOC_STATE:
	case KECAT_IOC_CONFIG_SET:
	case KECAT_IOC_ACTIVATE:
	case KECAT_IOC_DEACTIVATE:
	case KECAT_IOC_RESCAN:
	case KECAT_IOC_RECORD_ARM:
	case KECAT_IOC_RECORD_FREEZE:
		return mode == O_RDWR;
	}
	return true;
}

static int call(unsigned long cmd, void *arg)
{
	/* every struct carries its size in front */
	if (_IOC_SIZE(cmd) && *(uint32_t *)arg != _IOC_SIZE(cmd))
		return -EINVAL;
	if (!allowed(cmd))
		return -EACCES;
	switch (cmd) {
	case KECAT_IOC_VERSION:
		return version(arg);
	case KECAT_IOC_STATUS:
		return fake_status(arg);
	case KECAT_IOC_SLAVE_INFO:
		return fake_slave_info(arg);
	case KECAT_IOC_SLAVE_PDOS:
		return fake_slave_pdos(arg);
	case KECAT_IOC_SDO_UPLOAD:
		return fake_sdo(arg, false);
	case KECAT_IOC_SDO_DOWNLOAD:
		return fake_sdo(arg, true);
	case KECAT_IOC_REG_READ:
		return fake_reg(arg, false);
	case KECAT_IOC_REG_WRITE:
		return fake_reg(arg, true);
	case KECAT_IOC_SII_READ:
		return fake_sii(arg);
	case KECAT_IOC_STATE:
		return fake_state(arg);
	case KECAT_IOC_CONFIG_SET:
		return fake_config_set(arg);
	case KECAT_IOC_CONFIG_GET:
		return fake_config_get(arg);
	case KECAT_IOC_ACTIVATE:
		return fake_activate(arg);
	case KECAT_IOC_DEACTIVATE:
		return fake_deactivate();
	case KECAT_IOC_LAYOUT:
		return fake_layout(arg);
	case KECAT_IOC_WAIT:
		return fake_wait(arg);
	case KECAT_IOC_RING:
		return fake_ring(arg);
	case KECAT_IOC_RECORD_STATE:
		return fake_record_state(arg);
	case KECAT_IOC_RECORD_READ:
		return fake_record_read(arg);
	case KECAT_IOC_RECORD_FREEZE:
		return 0;
	case KECAT_IOC_LATENCY:
		return fake_latency(arg);
	case KECAT_IOC_RESCAN:
		return 0;
	}
	return -ENOTTY;
}

int __wrap_ioctl(int fd, unsigned long cmd, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, cmd);
	arg = va_arg(ap, void *);
	va_end(ap);
	return is_ours(fd) ? result(call(cmd, arg)) : __real_ioctl(fd, cmd, arg);
}
