// SPDX-License-Identifier: GPL-2.0-only
/* What the kernel counts meanwhile, and the order of what was measured. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "compare.h"

#define IRQS_MAX	256

uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- interrupts ---- */

struct irqs {
	unsigned long num[IRQS_MAX];
	size_t n;
};

static void add_irq(struct irqs *q, unsigned long num)
{
	for (size_t i = 0; i < q->n; i++)
		if (q->num[i] == num)
			return;
	if (q->n < IRQS_MAX)
		q->num[q->n++] = num;
}

static void add_irqs_of(struct irqs *q, const char *device, const char *up)
{
	char path[PATH_MAX + 32];
	struct dirent *d;
	unsigned long num;
	FILE *f;
	DIR *dir;

	snprintf(path, sizeof(path), "%s%s/irq", device, up);
	f = fopen(path, "re");
	if (f && fscanf(f, "%lu", &num) == 1 && num)
		add_irq(q, num);
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "%s%s/msi_irqs", device, up);
	dir = opendir(path);
	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.')
			add_irq(q, strtoul(d->d_name, NULL, 10));
	if (dir)
		closedir(dir);
}

static uint64_t sum_of(const char *p)
{
	uint64_t sum = 0;
	char *end;

	for (;;) {
		unsigned long long v = strtoull(p, &end, 10);

		if (end == p)
			return sum;
		sum += v;
		p = end;
	}
}

static uint64_t count_irqs(const struct irqs *q)
{
	FILE *f = fopen("/proc/interrupts", "re");
	uint64_t sum = 0;
	char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0) {
		char *end;
		unsigned long num = strtoul(line, &end, 10);

		if (end == line || *end != ':')
			continue;
		for (size_t i = 0; i < q->n; i++)
			if (q->num[i] == num)
				sum += sum_of(end + 1);
	}
	free(line);
	if (f)
		fclose(f);
	return sum;
}

static uint64_t count_softirqs(void)
{
	FILE *f = fopen("/proc/softirqs", "re");
	uint64_t sum = 0;
	char *line = NULL;
	size_t room = 0;

	while (f && getline(&line, &room, f) > 0) {
		const char *colon = strchr(line, ':');

		if (colon && (strstr(line, "NET_RX:") || strstr(line, "NET_TX:")))
			sum += sum_of(colon + 1);
	}
	free(line);
	if (f)
		fclose(f);
	return sum;
}

void counts_read(const struct compare *p, struct counts *n)
{
	struct irqs q = { .n = 0 };

	/* a virtual function of a bus on PCI has its interrupts one up */
	add_irqs_of(&q, p->device, "");
	if (!q.n)
		add_irqs_of(&q, p->device, "/..");
	n->irqs = count_irqs(&q);
	n->softirqs = count_softirqs();
}

void counts_since(const struct compare *p, const struct counts *before, struct result *r)
{
	struct counts now;

	counts_read(p, &now);
	/* a line that goes takes its count with it */
	r->irqs = now.irqs > before->irqs ? now.irqs - before->irqs : 0;
	r->softirqs = now.softirqs - before->softirqs;
}

/* ---- this program ---- */

static cpu_set_t cpus_before;
static bool pinned;

int realtime_begin(const struct compare *p, int prio)
{
	struct sched_param fifo = { .sched_priority = prio };
	cpu_set_t set;

	pinned = p->cpu >= 0 && !sched_getaffinity(0, sizeof(cpus_before), &cpus_before);
	if (pinned) {
		CPU_ZERO(&set);
		CPU_SET((size_t)p->cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			return -errno;
	}
	if (mlockall(MCL_CURRENT | MCL_FUTURE) || sched_setscheduler(0, SCHED_FIFO, &fifo))
		return -errno;
	return 0;
}

void realtime_end(void)
{
	struct sched_param none = { 0 };

	sched_setscheduler(0, SCHED_OTHER, &none);
	if (pinned)
		sched_setaffinity(0, sizeof(cpus_before), &cpus_before);
	pinned = false;
}

/* ---- order ---- */

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void result_sort(struct result *r)
{
	if (r->n)
		qsort(r->ns, r->n, sizeof(*r->ns), ascending);
}

uint64_t result_share(const struct result *r, uint32_t ppm)
{
	uint64_t rank = ((uint64_t)r->n * ppm + 999999) / 1000000;

	if (!r->n)
		return 0;
	return r->ns[rank ? rank - 1 : 0];
}

uint32_t pick_worst(const uint64_t *ns, uint32_t n)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < n; i++)
		if (ns[i] > ns[best])
			best = i;
	return best;
}

uint32_t pick_median(const uint64_t *ns, uint32_t n)
{
	struct result r = { .n = n };
	uint64_t median;
	uint32_t i = 0;

	r.ns = malloc(n * sizeof(*ns));
	if (!r.ns)
		return 0;
	memcpy(r.ns, ns, n * sizeof(*ns));
	result_sort(&r);
	median = result_share(&r, 500000);
	free(r.ns);
	while (i + 1 < n && ns[i] != median)
		i++;
	return i;
}
