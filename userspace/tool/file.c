// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"

/* -errno; closes @fd */
static int fill(int fd, bool (*fn)(FILE *f, const void *arg), const void *arg)
{
	mode_t mask = umask(0);
	FILE *f = fdopen(fd, "w");
	bool good;
	int ret;

	umask(mask);
	if (!f) {
		ret = -errno;
		close(fd);
		return ret;
	}
	errno = 0;
	good = fn(f, arg);
	good = !fflush(f) && !fchmod(fd, 0666 & ~mask) && !fsync(fd) && good;
	ret = good ? 0 : errno ? -errno : -EIO;
	if (fclose(f) && !ret)
		ret = -errno;
	return ret;
}

int file_write(const char *path, bool (*fn)(FILE *f, const void *arg), const void *arg)
{
	char *tmp = NULL;
	int fd, ret;

	if (asprintf(&tmp, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkostemp(tmp, O_CLOEXEC);
	ret = fd < 0 ? -errno : fill(fd, fn, arg);
	if (!ret && rename(tmp, path))
		ret = -errno;
	if (ret && fd >= 0)
		unlink(tmp);
	free(tmp);
	return ret;
}
