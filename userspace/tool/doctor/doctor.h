/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kecat doctor: what is looked at, and what came out.
 *
 * table.c lists the checks.  A check is a file that should hold a certain value,
 * or a probe.  Both fill a finding; fix.c carries out what a finding says can be
 * mended while the machine runs, report.c shows it all.
 */
#ifndef KECAT_DOCTOR_H
#define KECAT_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../sysfs.h"
#include "cpus.h"

enum verdict { PASS, WARN, FAIL, SKIP };

#define READ_LEN	320
#define MEND_LEN	512
#define MAX_REMEDIES	64
#define MAX_BOOT_ARGS	24
#define CMDLINE_LEN	4096

/* Something to write while the machine runs */
struct remedy {
	char path[112];		/* below the root; "ethtool/KEY": of the port */
	char value[40];
	int result;		/* 0 or -errno, once carried out */
};

struct finding {
	enum verdict verdict;
	char read[READ_LEN];	/* what was read, for people */
	char mend[MEND_LEN];	/* commands and parameters, "; " between them */
	struct remedy remedy[MAX_REMEDIES];
	int remedies;
};

/* What the checks look at */
struct exam {
	int cpu;		/* of the cyclic thread, -1: none found */
	const char *cpu_from;	/* who says so */
	struct cpus online;
	struct port port;	/* pci "" and ifname "": none */
	bool ours;		/* kecat has the port, no interface needed */
	unsigned int seconds;	/* between the two looks at counters */
	int version[2];		/* of the kernel */
	char release[80], kernel[160];
	char cmdline[CMDLINE_LEN];
	/* both looks, or NULL; index 1 is the later one */
	char *interrupts[2], *softirqs[2], *tasks[2];
	int64_t smis[2];	/* below 0: not readable */
	char *ethtool;		/* lines KEY=VALUE, or NULL */
	char *cycle;		/* the same of a running cycle */
	char boot[MAX_BOOT_ARGS][128];
	int boots;
};

/* What a check needs to make sense */
#define NEED_CPU	1
#define NEED_PCI	2	/* a port on PCI */
#define NEED_NETDEV	4	/* a port with an ordinary interface */

enum relation { EQUAL, AT_MOST, AT_LEAST };

struct check {
	const char *id;
	const char *title;
	const char *why;	/* one sentence */
	unsigned int needs;
	/* the probe, or the file of @path that should hold @want */
	void (*probe)(struct exam *e, struct finding *f);
	const char *path;	/* {cpu} {if} {pci} stand for their names */
	const char *want;
	enum relation relation;
	enum verdict otherwise;
	bool safe;		/* may be written while the machine runs */
	const char *mend;	/* command instead of writing, names as in path */
	const char *boot;	/* kernel parameter that does it from the start */
	const char *absent;	/* the file need not be there: this is why it passes */
};

struct group {
	const char *name;
	const struct check *checks;	/* ends with id NULL */
};

extern const struct group groups[];	/* ends with name NULL */

/* ---- exam.c ---- */
/* 0 or an exit code after a message; @cpu below 0: find out */
int exam_begin(struct exam *e, unsigned int master, int cpu, const char *port);
void exam_end(struct exam *e);
/* looks at all that changes: twice, @seconds between on a machine that runs */
void exam_look(struct exam *e);

/* ---- report.c ---- */
struct row {
	const char *group;
	const struct check *check;
	struct finding first;	/* before anything was mended */
	struct finding now;
};

/* 0 or -errno */
int report(const struct exam *e, const struct row *rows, int n, bool json, bool fixed);

/* ---- finding.c ---- */
void found(struct finding *f, enum verdict v, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* not readable: why */
void unreadable(struct finding *f, const char *path, int err);
void mend(struct finding *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* what --fix writes */
void remedy(struct finding *f, const char *value, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* said as a command; @safe: --fix writes it too */
void mend_write(struct finding *f, bool safe, const char *value, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void mend_ethtool(struct finding *f, const char *key, const char *value,
		  const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* a kernel parameter, as "key=value" */
void mend_boot(struct exam *e, struct finding *f, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void run_check(struct exam *e, const struct check *c, struct finding *f);
bool has_word(const char *text, const char *word);
/* number of KEY=VALUE among lines */
bool line_value(const char *lines, const char *key, int64_t *v);

/* ---- fix.c ---- */
/* says how many of its remedies were carried out */
int fix(const struct exam *e, struct finding *f);

/* ---- cmdline.c ---- */
/* value of a parameter on the running kernel's command line; NULL: not there */
bool cmdline_value(const struct exam *e, const char *key, char *buf, size_t room);
/* what it has, and what the checks ask for */
void cmdline_merge(const struct exam *e, char *buf, size_t room);

/* ---- ethtool.c ---- */
/* what the driver of an interface tells, as lines KEY=VALUE; for free() */
char *ethtool_text(const char *ifname);
int ethtool_write(const char *ifname, const char *key, uint32_t value);

/* ---- tasks.c ---- */
char *tasks_text(unsigned int cpu);
/* the cyclic thread's CPU, or -1 */
int tasks_cycle_cpu(void);
bool tasks_running(const char *name);

/* ---- probe_kernel.c ---- */
void probe_rt(struct exam *e, struct finding *f);
void probe_debug(struct exam *e, struct finding *f);
void probe_throttle(struct exam *e, struct finding *f);
void probe_fair_server(struct exam *e, struct finding *f);
void probe_thp(struct exam *e, struct finding *f);
void probe_swap(struct exam *e, struct finding *f);
void probe_limits(struct exam *e, struct finding *f);
void probe_gpu(struct exam *e, struct finding *f);
void probe_clock(struct exam *e, struct finding *f);
void probe_tsc(struct exam *e, struct finding *f);

/* ---- probe_cpu.c ---- */
void probe_isolated(struct exam *e, struct finding *f);
void probe_nohz(struct exam *e, struct finding *f);
void probe_rcu(struct exam *e, struct finding *f);
void probe_sibling(struct exam *e, struct finding *f);
void probe_sleep(struct exam *e, struct finding *f);
void probe_frequency(struct exam *e, struct finding *f);
void probe_smi(struct exam *e, struct finding *f);
void probe_wake(struct exam *e, struct finding *f);
void probe_wire(struct exam *e, struct finding *f);

/* ---- probe_noise.c ---- */
void probe_affinity(struct exam *e, struct finding *f);
void probe_interrupts(struct exam *e, struct finding *f);
void probe_ipis(struct exam *e, struct finding *f);
void probe_softirqs(struct exam *e, struct finding *f);
void probe_ksoftirqd(struct exam *e, struct finding *f);
void probe_runnable(struct exam *e, struct finding *f);
void probe_guests(struct exam *e, struct finding *f);
void probe_workqueues(struct exam *e, struct finding *f);
void probe_irqbalance(struct exam *e, struct finding *f);

/* ---- probe_pci.c ---- */
void probe_aspm(struct exam *e, struct finding *f);
void probe_ltr(struct exam *e, struct finding *f);
void probe_driver(struct exam *e, struct finding *f);
void probe_model(struct exam *e, struct finding *f);
void probe_iommu(struct exam *e, struct finding *f);
void probe_numa(struct exam *e, struct finding *f);

/* ---- probe_net.c ---- */
void probe_link(struct exam *e, struct finding *f);
void probe_pause(struct exam *e, struct finding *f);
void probe_coalescing(struct exam *e, struct finding *f);
void probe_rdtr(struct exam *e, struct finding *f);
void probe_eee(struct exam *e, struct finding *f);
void probe_gro(struct exam *e, struct finding *f);
void probe_promiscuous(struct exam *e, struct finding *f);
void probe_managers(struct exam *e, struct finding *f);

#endif
