// SPDX-License-Identifier: GPL-2.0-only
/* The CPU of the cyclic thread: isolation, sleep, speed, firmware; measured times. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "tree.h"

#define CPU_DIR		"sys/devices/system/cpu"
#define SLEEP_US	2	/* more is too long to wake up */
#define WAKE_NS		20000
#define SPREAD_NS	5000

/* Is the CPU in the list of a file? below 0: not readable */
static int listed(const struct exam *e, const char *path, char *text, size_t room)
{
	int ret = tree_line(text, room, "%s", path);
	struct cpus c;

	if (ret)
		return ret;
	return cpus_list(&c, text) && cpus_has(&c, e->cpu);
}

void probe_isolated(struct exam *e, struct finding *f)
{
	char text[128], more[128] = "";
	int yes = listed(e, CPU_DIR "/isolated", text, sizeof(text));

	if (yes < 0) {
		unreadable(f, CPU_DIR "/isolated", yes);
		return;
	}
	/* a partition of cgroups that is isolated does the same */
	if (!yes && listed(e, "sys/fs/cgroup/cpuset.cpus.isolated", more, sizeof(more)) > 0)
		yes = 1;
	found(f, yes ? PASS : FAIL, "isolated CPUs: %s%s%s; looked at: %d", *text ? text : "none",
	      *more ? ", by cgroups " : "", more, e->cpu);
	if (!yes)
		mend_boot(e, f, "isolcpus=managed_irq,domain,%d", e->cpu);
}

void probe_nohz(struct exam *e, struct finding *f)
{
	char text[128];
	int yes = listed(e, CPU_DIR "/nohz_full", text, sizeof(text));

	if (yes < 0 && yes != -ENOENT) {
		unreadable(f, CPU_DIR "/nohz_full", yes);
		return;
	}
	found(f, yes > 0 ? PASS : WARN, "CPUs without tick: %s",
	      yes == -ENOENT ? "none, the kernel cannot" : *text ? text : "none");
	if (yes <= 0)
		mend_boot(e, f, "nohz_full=%d", e->cpu);
}

/* nohz_full implies rcu_nocbs */
void probe_rcu(struct exam *e, struct finding *f)
{
	char text[256], value[128] = "";
	struct cpus c;
	bool all = cmdline_value(e, "rcu_nocbs", value, sizeof(value)) && !strcmp(value, "all");
	bool yes = all || (cpus_list(&c, value) && cpus_has(&c, e->cpu)) ||
		listed(e, CPU_DIR "/nohz_full", text, sizeof(text)) > 0;

	if (!e->cmdline[0]) {
		unreadable(f, "proc/cmdline", -ENODATA);
		return;
	}
	found(f, yes ? PASS : WARN, yes ? "moved away from CPU %d" : "processed on CPU %d", e->cpu);
	if (!yes)
		mend_boot(e, f, "rcu_nocbs=%d", e->cpu);
}

void probe_sibling(struct exam *e, struct finding *f)
{
	char path[96], text[64], others[64];
	struct cpus c;
	int ret;

	snprintf(path, sizeof(path), CPU_DIR "/cpu%d/topology/thread_siblings_list", e->cpu);
	ret = tree_line(text, sizeof(text), "%s", path);
	if (ret || !cpus_list(&c, text) || !cpus_has(&c, e->cpu)) {
		unreadable(f, path, ret ? ret : -EINVAL);
		return;
	}
	cpus_set(&c, e->cpu, false);
	cpus_format(&c, others, sizeof(others));
	found(f, *others ? WARN : PASS, *others ? "CPU %s is the other half of the core" :
	      "none online%s", others);
	for (int i = cpus_first(&c); i >= 0; i = cpus_first(&c)) {
		if (i)	/* the boot CPU stays */
			mend_write(f, false, "0", CPU_DIR "/cpu%d/online", i);
		else
			mend(f, "use a CPU of another core, or switch SMT off: boot with nosmt");
		cpus_set(&c, i, false);
	}
}

/* What a CPU may be asked to wait at most: by all, or by this one */
static bool kept_awake(const struct exam *e, char why[96])
{
	char text[32];
	int32_t us;

	if (tree_bytes(&us, sizeof(us), 0, "dev/cpu_dma_latency") == sizeof(us)) {
		tree_keep("dev/cpu_dma_latency", &us, sizeof(us));
		snprintf(why, 96, "/dev/cpu_dma_latency says %d us", us);
		if (us >= 0 && us <= SLEEP_US)
			return true;
	}
	if (tree_line(text, sizeof(text), CPU_DIR "/cpu%d/power/pm_qos_resume_latency_us", e->cpu))
		return false;
	if (!strcmp(text, "n/a")) {
		snprintf(why, 96, "pm_qos_resume_latency_us of CPU %d is n/a", e->cpu);
		return true;
	}
	if (atoi(text) < 1 || atoi(text) > SLEEP_US)
		return false;
	snprintf(why, 96, "pm_qos_resume_latency_us of CPU %d is %s", e->cpu, text);
	return true;
}

struct sleep {
	int states, deep;	/* of the enabled ones, that are too deep */
	int64_t latency;	/* of the deepest enabled one */
	char name[24];
};

static void read_states(const struct exam *e, struct sleep *s)
{
	char **names;
	int n = tree_names(&names, CPU_DIR "/cpu%d/cpuidle", e->cpu);

	memset(s, 0, sizeof(*s));
	for (int i = 0; i < n; i++) {
		int64_t us, off;

		if (tree_number(&us, CPU_DIR "/cpu%d/cpuidle/%s/latency", e->cpu, names[i]) ||
		    tree_number(&off, CPU_DIR "/cpu%d/cpuidle/%s/disable", e->cpu, names[i]))
			continue;
		s->states++;
		if (off || us <= SLEEP_US)
			continue;
		s->deep++;
		if (us < s->latency)
			continue;
		s->latency = us;
		tree_line(s->name, sizeof(s->name), CPU_DIR "/cpu%d/cpuidle/%s/name", e->cpu,
			  names[i]);
	}
	if (n >= 0)
		tree_free_names(names, n);
}

void probe_sleep(struct exam *e, struct finding *f)
{
	char why[96] = "";
	struct sleep s;
	bool awake = kept_awake(e, why);

	read_states(e, &s);
	if (!s.states) {
		found(f, PASS, "no driver for sleep states");
		return;
	}
	if (!s.deep || awake) {
		found(f, PASS, "%s", s.deep ? why : "no deep state is enabled");
		return;
	}
	found(f, FAIL, "%s takes %" PRId64 " us to leave; %s", s.name, s.latency,
	      *why ? why : "nothing forbids it");
	/* 0 would mean no constraint at all */
	mend_write(f, true, "n/a", CPU_DIR "/cpu%d/power/pm_qos_resume_latency_us", e->cpu);
	mend(f, "(n/a is zero latency; 0 means no constraint. While a cycle runs kecat asks for it itself)");
	mend_boot(e, f, "intel_idle.max_cstate=0");
	mend_boot(e, f, "processor.max_cstate=1");
}

void probe_frequency(struct exam *e, struct finding *f)
{
	char governor[32];
	int64_t low = 0, high = 0;
	int ret = tree_line(governor, sizeof(governor), CPU_DIR "/cpu%d/cpufreq/scaling_governor",
			    e->cpu);

	if (ret == -ENOENT) {
		found(f, PASS, "no driver changes it");
		return;
	}
	if (ret) {
		unreadable(f, CPU_DIR "/cpuN/cpufreq/scaling_governor", ret);
		return;
	}
	tree_number(&low, CPU_DIR "/cpu%d/cpufreq/scaling_min_freq", e->cpu);
	tree_number(&high, CPU_DIR "/cpu%d/cpufreq/scaling_max_freq", e->cpu);
	found(f, strcmp(governor, "performance") ? FAIL : PASS,
	      "governor %s, %" PRId64 " to %" PRId64 " MHz", governor, low / 1000, high / 1000);
	if (f->verdict == PASS)
		return;
	mend_write(f, true, "performance", CPU_DIR "/cpu%d/cpufreq/scaling_governor", e->cpu);
	mend_boot(e, f, "cpufreq.default_governor=performance");
}

void probe_smi(struct exam *e, struct finding *f)
{
	int64_t n = e->smis[1] - e->smis[0];

	if (e->smis[0] < 0) {
		found(f, SKIP, "not readable: modprobe msr, as root; AMD has no counter (rtla osnoise shows its HW column)");
		return;
	}
	if (e->smis[1] < 0) {
		found(f, SKIP, "needs two looks: --seconds");
		return;
	}
	found(f, n ? FAIL : PASS, "%" PRId64 " in %u s", n, e->seconds);
	if (n)
		mend(f, "in the firmware setup: USB legacy support, TCO and power reports off");
}

void probe_wake(struct exam *e, struct finding *f)
{
	int64_t ns, cycles;

	if (!line_value(e->cycle, "cycles", &cycles) || !line_value(e->cycle, "wake_max_ns", &ns)) {
		found(f, SKIP, "no cycle ran: kecat run, then look again");
		return;
	}
	found(f, ns < WAKE_NS ? PASS : WARN, "%" PRId64 ".%03d us at most in %" PRId64 " cycles",
	      ns / 1000, (int)(ns % 1000), cycles);
	if (ns >= WAKE_NS)
		mend(f, "the rows that warn or fail; kecat latency shows the cycle, rtla timerlat hist -c %d -P f:95 -d 60s the thief",
		     e->cpu);
}

void probe_wire(struct exam *e, struct finding *f)
{
	int64_t low, high;

	if (!line_value(e->cycle, "wait_min_ns", &low) ||
	    !line_value(e->cycle, "wait_max_ns", &high) || low < 0 || high < low) {
		found(f, SKIP, "no cycle ran: kecat run, then look again");
		return;
	}
	found(f, high - low < SPREAD_NS ? PASS : WARN, "%" PRId64 " to %" PRId64 " ns", low, high);
	if (f->verdict == WARN)
		mend(f, "rows of the port first: aspm, ltr, eee; kecat latency --histogram shows the spread");
}
