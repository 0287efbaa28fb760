// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracefs: an instance of our own, so that nobody else's tracing is touched.  The
 * kernel stops it in the moment in which the recorder freezes, by a trigger on
 * kecat's own trace point.  What it holds is read once, into a file in /run, since
 * reading empties it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"

#define PAGE_MAX	(64u << 10)
#define CPUS_MAX	4096
#define SYMBOLS_MAX	256

static const char *const roots[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

static const char *root(void)
{
	char path[64];

	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		snprintf(path, sizeof(path), "%s/instances", roots[i]);
		if (!access(path, W_OK))
			return roots[i];
	}
	return NULL;
}

static void instance(char *path, size_t room, unsigned int master, const char *file)
{
	char name[24];

	if (master == TRACE_PATH)
		strcpy(name, "kecat-path");
	else
		snprintf(name, sizeof(name), "kecat%u", master);
	snprintf(path, room, "%s/instances/%s%s%s", root() ? root() : "",
		 name, *file ? "/" : "", file);
}

static void kept(char *path, size_t room, unsigned int master)
{
	snprintf(path, room, "/run/kecat%u.trace", master);
}

/* the whole file, with an end; NULL */
static char *slurp(const char *path, size_t *len)
{
	size_t room = 1 << 16, n = 0;
	char *text = malloc(room + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : 0;

	while (text && fd >= 0 && (got = read(fd, text + n, room - n)) > 0) {
		char *more;

		n += (size_t)got;
		if (n < room)
			continue;
		room *= 2;
		more = realloc(text, room + 1);
		if (!more) {
			got = -1;
			break;
		}
		text = more;
	}
	if (fd >= 0)
		close(fd);
	if (got < 0 || !text) {
		free(text);
		return NULL;
	}
	text[n] = '\0';
	*len = n;
	return text;
}

static bool put(unsigned int master, const char *file, const char *text)
{
	char path[160];
	bool good;
	int fd;

	instance(path, sizeof(path), master, file);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return false;
	good = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return good;
}

void trace_end(unsigned int master)
{
	char path[160];

	kept(path, sizeof(path), master);
	unlink(path);
	if (!root())
		return;
	put(master, "tracing_on", "0");
	put(master, "events/kecat/kecat_record/trigger", "!traceoff");
	put(master, "events/enable", "0");
	instance(path, sizeof(path), master, "");
	rmdir(path);
}

static unsigned int enable_events(unsigned int master, const char *const *names)
{
	unsigned int n = 0;

	for (size_t i = 0; names[i]; i++) {
		char file[96];

		snprintf(file, sizeof(file), "events/%s/enable", names[i]);
		n += put(master, file, "1");
	}
	return n;
}

/* hexadecimal, 32 bits a group */
static void set_mask(unsigned int master, int cpu)
{
	char text[CPUS_MAX / 32 * 9 + 16];
	size_t n = 0;

	if (cpu < 0 || cpu >= CPUS_MAX)
		return;
	n += (size_t)snprintf(text, sizeof(text), "%x", 1u << cpu % 32);
	for (int i = 0; i < cpu / 32; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, ",00000000");
	put(master, "tracing_cpumask", text);
}

static void set_size(unsigned int master, int cpu, unsigned int kb)
{
	char file[64], text[16];

	snprintf(text, sizeof(text), "%u", kb);
	snprintf(file, sizeof(file), "per_cpu/cpu%d/buffer_size_kb", cpu);
	if (cpu < 0)
		put(master, "buffer_size_kb", text);
	else
		put(master, file, text);
}

/* not on yet */
static int set_up(unsigned int master, int cpu, unsigned int kb,
		  const char *const *names, const char **why)
{
	char path[160];

	trace_end(master);
	*why = "there is no tracefs to write to: mount -t tracefs none /sys/kernel/tracing, as root; or this kernel has no tracing";
	if (!root())
		return -1;
	instance(path, sizeof(path), master, "");
	*why = "no trace instance can be made";
	if (mkdir(path, 0700) && errno != EEXIST)
		return -1;
	*why = "this kernel's tracing does not know the clock 'mono'";
	if (!put(master, "trace_clock", "mono"))
		goto err_end;
	put(master, "tracing_on", "0");
	set_size(master, cpu, kb);
	set_mask(master, cpu);
	*why = "this kernel has none of the trace events for interrupts and scheduling";
	if (!enable_events(master, names))
		goto err_end;
	return 0;

err_end:
	trace_end(master);
	return -1;
}

static int switch_on(unsigned int master, const char **why)
{
	*why = "tracing cannot be switched on";
	if (!put(master, "tracing_on", "1")) {
		trace_end(master);
		return -1;
	}
	*why = NULL;
	return 0;
}

int trace_begin(unsigned int master, int cpu, unsigned int kb, const char **why)
{
	if (set_up(master, cpu, kb, ev_names, why))
		return -1;
	/* without it the trace goes on, and may have lost the moment when it is read */
	put(master, "events/kecat/kecat_record/trigger", "traceoff");
	return switch_on(master, why);
}

int trace_path_begin(unsigned int kb, const char **why)
{
	if (set_up(TRACE_PATH, -1, kb, ev_path_names, why))
		return -1;
	return switch_on(TRACE_PATH, why);
}

/* ---- taking it ---- */

static int add_formats(struct blob *b, const char *const *names)
{
	char path[160];
	size_t len;
	char *text;
	int ret = 0;

	snprintf(path, sizeof(path), "%s/events/header_page", root());
	text = slurp(path, &len);
	if (text)
		ret = blob_add(b, BLOB_PAGE_FORMAT, 0, text, (uint32_t)len);
	free(text);
	for (size_t i = 0; names[i] && !ret; i++) {
		char *both;
		int n;

		snprintf(path, sizeof(path), "%s/events/%s/format", root(), names[i]);
		text = slurp(path, &len);
		if (!text)
			continue;
		n = asprintf(&both, "%s\n%s", names[i], text);
		ret = n < 0 ? -ENOMEM : blob_add(b, BLOB_FORMAT, 0, both, (uint32_t)n);
		if (n >= 0)
			free(both);
		free(text);
	}
	return ret;
}

static int add_cpu(struct blob *b, unsigned int master, unsigned int cpu)
{
	static uint8_t page[PAGE_MAX];
	char file[64], path[160];
	ssize_t n;
	int fd, ret = 0;

	snprintf(file, sizeof(file), "per_cpu/cpu%u/trace_pipe_raw", cpu);
	instance(path, sizeof(path), master, file);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return 0;
	/* one page at a time, whatever its size is */
	while (!ret && (n = read(fd, page, (size_t)sysconf(_SC_PAGESIZE))) > 0)
		ret = blob_add(b, BLOB_PAGE, cpu, page, (uint32_t)n);
	close(fd);
	return ret;
}

static int add_cpus(struct blob *b, unsigned int master)
{
	char path[160];
	struct dirent *d;
	int ret = 0;
	DIR *dir;

	instance(path, sizeof(path), master, "per_cpu");
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!ret && (d = readdir(dir))) {
		unsigned int cpu;

		if (sscanf(d->d_name, "cpu%u", &cpu) == 1 && cpu < CPUS_MAX)
			ret = add_cpu(b, master, cpu);
	}
	closedir(dir);
	return ret;
}

struct symbol {
	uint64_t addr;
	bool known;
	char name[80];
};

/* the functions of timers, by name; one of a module that has gone has none */
static int add_symbols(struct blob *b)
{
	static struct symbol want[SYMBOLS_MAX];
	char line[256], *list = NULL;
	size_t n = 0, len = 0;
	struct evs e;
	FILE *f;
	int ret = evs_read(b, &e);

	for (size_t i = 0; !ret && i < e.n; i++) {
		size_t k = 0;

		if (e.ev[i].kind != EV_TIMER_IN)
			continue;
		while (k < n && want[k].addr != e.ev[i].ptr)
			k++;
		if (k == n && n < SYMBOLS_MAX)
			want[n++] = (struct symbol){ .addr = e.ev[i].ptr };
	}
	free(e.ev);
	f = !ret && n ? fopen("/proc/kallsyms", "re") : NULL;
	while (f && fgets(line, sizeof(line), f)) {
		unsigned long long addr;
		char type, name[128], mod[64] = "";

		if (sscanf(line, "%llx %c %127s %63s", &addr, &type, name, mod) < 3 || !addr)
			continue;
		for (size_t k = 0; k < n; k++)
			if (addr == want[k].addr) {
				want[k].known = true;
				snprintf(want[k].name, sizeof(want[k].name), "%.50s%s%.26s",
					 name, *mod ? " " : "", mod);
			}
	}
	if (f)
		fclose(f);
	for (size_t k = 0; k < n && !ret; k++) {
		char *more;
		int got;

		if (!want[k].known)
			continue;
		got = asprintf(&more, "%s%016llx %s\n", list ? list : "",
			       (unsigned long long)want[k].addr, want[k].name);
		free(list);
		list = got < 0 ? NULL : more;
		len = got < 0 ? 0 : (size_t)got;
		ret = got < 0 ? -ENOMEM : 0;
	}
	if (list && !ret)
		ret = blob_add(b, BLOB_SYMBOLS, 0, list, (uint32_t)len);
	free(list);
	return ret;
}

static bool is_of(const struct blob *b, uint64_t id)
{
	const struct chunk *c;
	const uint8_t *data;
	uint64_t have;
	size_t at = 0;

	c = blob_next(b, &at, &data);
	if (!c || c->type != BLOB_ID || c->len != sizeof(have))
		return false;
	memcpy(&have, data, sizeof(have));
	return have == id;
}

static void keep(unsigned int master, const struct blob *b)
{
	char path[64], tmp[80];
	bool good;
	int fd;

	kept(path, sizeof(path), master);
	snprintf(tmp, sizeof(tmp), "%s.new", path);
	unlink(tmp);
	fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	good = write(fd, b->data, b->len) == (ssize_t)b->len;
	good = !close(fd) && good;
	if (!good || rename(tmp, path))
		unlink(tmp);
}

int trace_take(unsigned int master, uint64_t id, struct blob *b, const char **why)
{
	char path[160];
	size_t len = 0;
	int ret;

	memset(b, 0, sizeof(*b));
	kept(path, sizeof(path), master);
	b->data = (uint8_t *)slurp(path, &len);
	b->len = b->room = len;
	*why = NULL;
	if (b->data && is_of(b, id))
		return 0;
	free(b->data);
	memset(b, 0, sizeof(*b));
	*why = "nothing was traced ('kecat record arm' as root sets tracing up, where there is a tracefs)";
	if (!root())
		return 0;
	instance(path, sizeof(path), master, "");
	if (access(path, R_OK))
		return 0;
	put(master, "tracing_on", "0");
	ret = blob_add(b, BLOB_ID, 0, &id, sizeof(id));
	if (!ret)
		ret = add_formats(b, ev_names);
	if (!ret)
		ret = add_cpus(b, master);
	if (!ret)
		ret = add_symbols(b);
	if (ret) {
		free(b->data);
		memset(b, 0, sizeof(*b));
		return ret;
	}
	*why = NULL;
	keep(master, b);
	return 0;
}

int trace_path_take(struct blob *b)
{
	int ret;

	memset(b, 0, sizeof(*b));
	put(TRACE_PATH, "tracing_on", "0");
	ret = add_formats(b, ev_path_names);
	if (!ret)
		ret = add_cpus(b, TRACE_PATH);
	if (ret) {
		free(b->data);
		memset(b, 0, sizeof(*b));
	}
	return ret;
}
