// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tree.h"

#define CHUNK	65536

static int root_fd = -1, record_fd = -1;
static bool live, later;

int tree_open(const char *root, const char *record)
{
	live = !root;
	root_fd = open(root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root_fd < 0)
		return -errno;
	if (!record)
		return 0;
	if (mkdir(record, 0777) && errno != EEXIST)
		return -errno;
	record_fd = open(record, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return record_fd < 0 ? -errno : 0;
}

void tree_close(void)
{
	if (root_fd >= 0)
		close(root_fd);
	if (record_fd >= 0)
		close(record_fd);
	root_fd = -1;
	record_fd = -1;
}

bool tree_live(void)
{
	return live;
}

void tree_later(bool on)
{
	later = on;
}

/* @path, in the directory of the later look if that is where it belongs */
static const char *place(char buf[TREE_PATH], const char *path, bool apart)
{
	if (!later || !apart)
		return path;
	return snprintf(buf, TREE_PATH, "later/%s", path) < TREE_PATH ? buf : "";
}

static int open_below(int fd, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)flags | O_CLOEXEC | O_NONBLOCK,
		.mode = flags & O_CREAT ? 0666 : 0,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	if (flags & O_PATH)
		how.flags &= ~(uint64_t)O_NONBLOCK;
	return syscall(SYS_openat2, fd, path, &how, sizeof(how));
}

#define PATH_OF(fmt)							\
	({								\
		va_list ap;						\
		int n_;							\
									\
		va_start(ap, fmt);					\
		n_ = vsnprintf(path, sizeof(path), fmt, ap);		\
		va_end(ap);						\
		n_ > 0 && (size_t)n_ < sizeof(path);			\
	})

/* Directories on the way to @path are made */
static void make_parents(const char *path)
{
	char dir[TREE_PATH];

	for (const char *s = strchr(path, '/'); s; s = strchr(s + 1, '/')) {
		snprintf(dir, sizeof(dir), "%.*s", (int)(s - path), path);
		mkdirat(record_fd, dir, 0777);
	}
}

void tree_keep(const char *path, const void *data, size_t len)
{
	const char *p = data;
	char buf[TREE_PATH];
	int fd;

	if (record_fd < 0)
		return;
	path = place(buf, path, true);
	make_parents(path);
	fd = open_below(record_fd, path, O_WRONLY | O_CREAT | O_TRUNC);
	if (fd < 0)
		return;
	while (len) {
		ssize_t n = write(fd, p, len);

		if (n <= 0)
			break;
		p += n;
		len -= n;
	}
	close(fd);
}

/* Text ends at the first NUL; *@len is what was there */
static char *read_all(int fd, size_t *len)
{
	size_t room = 0;
	char *buf = NULL;

	for (*len = 0;;) {
		ssize_t n;

		if (*len + CHUNK >= room) {
			char *more = realloc(buf, room + 2 * CHUNK);

			if (!more)
				break;
			buf = more;
			room += 2 * CHUNK;
		}
		n = read(fd, buf + *len, CHUNK);
		if (n < 0)
			break;
		*len += n;
		if (!n) {
			buf[*len] = '\0';
			return buf;
		}
		if (*len > TREE_MAX) {
			errno = EFBIG;
			break;
		}
	}
	free(buf);
	return NULL;
}

static char *read_file(const char *path)
{
	char buf[TREE_PATH];
	int fd = open_below(root_fd, place(buf, path, !live), O_RDONLY), err;
	struct stat st;
	char *text = NULL;
	size_t len;

	if (fd < 0)
		return NULL;
	errno = EINVAL;
	/* those of the kernel have no size, or that of a page */
	if (fstat(fd, &st))
		st.st_mode = 0;
	if (S_ISREG(st.st_mode) && st.st_size > TREE_MAX)
		errno = EFBIG;
	else if (S_ISREG(st.st_mode))
		text = read_all(fd, &len);
	err = errno;
	close(fd);
	errno = err;
	if (text)
		tree_keep(path, text, len);
	return text;
}

char *tree_read(const char *fmt, ...)
{
	char path[TREE_PATH];

	if (!PATH_OF(fmt)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return read_file(path);
}

static int read_line(char *buf, size_t room, const char *path)
{
	char *text = read_file(path);
	size_t len;

	*buf = '\0';
	if (!text)
		return -errno;
	len = strcspn(text, "\n");
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	if (len >= room)
		len = room - 1;
	memcpy(buf, text, len);
	buf[len] = '\0';
	free(text);
	return 0;
}

int tree_line(char *buf, size_t room, const char *fmt, ...)
{
	char path[TREE_PATH];

	*buf = '\0';
	return PATH_OF(fmt) ? read_line(buf, room, path) : -ENAMETOOLONG;
}

int tree_number(int64_t *v, const char *fmt, ...)
{
	char path[TREE_PATH], text[64], *end;
	long long n;
	int ret;

	if (!PATH_OF(fmt))
		return -ENAMETOOLONG;
	ret = read_line(text, sizeof(text), path);
	if (ret)
		return ret;
	errno = 0;
	n = strtoll(text, &end, 0);
	if (errno || end == text || *end)
		return -EINVAL;
	*v = n;
	return 0;
}

int tree_bytes(void *buf, size_t room, uint64_t offset, const char *fmt, ...)
{
	char path[TREE_PATH];
	ssize_t n;
	int fd, ret;

	if (!PATH_OF(fmt))
		return -ENAMETOOLONG;
	fd = open_below(root_fd, path, O_RDONLY);
	if (fd < 0)
		return -errno;
	n = pread(fd, buf, room, offset);
	if (n < 0 && errno == ESPIPE)
		n = read(fd, buf, room);
	ret = n < 0 ? -errno : (int)n;
	close(fd);
	return ret;
}

bool tree_exists(const char *fmt, ...)
{
	char path[TREE_PATH];
	int fd = PATH_OF(fmt) ? open_below(root_fd, path, O_PATH) : -1;

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

int tree_link(char *buf, size_t room, const char *fmt, ...)
{
	char path[TREE_PATH];
	ssize_t n;
	int fd;

	if (!PATH_OF(fmt))
		return -ENAMETOOLONG;
	fd = open_below(root_fd, path, O_PATH | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	n = readlinkat(fd, "", buf, room - 1);
	close(fd);
	if (n < 0)
		return -errno;
	buf[n] = '\0';
	if (record_fd >= 0) {
		make_parents(path);
		if (symlinkat(buf, record_fd, path) && errno != EEXIST)
			return 0;	/* the record lacks it; the answer is right */
	}
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int tree_names(char ***names, const char *fmt, ...)
{
	char path[TREE_PATH], buf[TREE_PATH], **list = NULL, **more;
	struct dirent *d;
	int fd, n = 0;
	DIR *dir;

	*names = NULL;
	if (!PATH_OF(fmt))
		return -ENAMETOOLONG;
	fd = open_below(root_fd, place(buf, path, !live), O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return -errno;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	while ((d = readdir(dir))) {
		if (d->d_name[0] == '.')
			continue;
		more = realloc(list, (n + 1) * sizeof(*list));
		if (!more)
			break;
		list = more;
		list[n] = strdup(d->d_name);
		if (!list[n])
			break;
		n++;
	}
	closedir(dir);
	if (n)
		qsort(list, n, sizeof(*list), by_name);
	*names = list;
	return n;
}

void tree_free_names(char **names, int n)
{
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

int tree_write(const char *value, const char *path)
{
	int fd = open_below(root_fd, path, O_WRONLY | O_TRUNC), ret = 0;
	size_t len = strlen(value);

	if (fd < 0)
		return -errno;
	if (write(fd, value, len) != (ssize_t)len)
		ret = errno ? -errno : -EIO;
	close(fd);
	return ret;
}
