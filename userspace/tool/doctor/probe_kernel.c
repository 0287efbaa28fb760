// SPDX-License-Identifier: GPL-2.0-only
/* The kernel, its clock, what it does to real-time threads, memory. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "tree.h"

#define FAIR_SERVER	"sys/kernel/debug/sched/fair_server"

void probe_rt(struct exam *e, struct finding *f)
{
	int64_t realtime = 0;
	bool rt = (!tree_number(&realtime, "sys/kernel/realtime") && realtime == 1) ||
		has_word(e->kernel, "PREEMPT_RT");

	if (!e->kernel[0]) {
		unreadable(f, "proc/sys/kernel/version", -ENOENT);
		return;
	}
	found(f, rt ? PASS : FAIL, "Linux %s, %s", e->release, e->kernel);
	if (!rt)
		mend(f, "apt install linux-image-rt-amd64 and boot it");
}

void probe_debug(struct exam *e, struct finding *f)
{
	static const char *const options[] = {
		"PROVE_LOCKING", "LOCKDEP", "DEBUG_PREEMPT", "KASAN", "DEBUG_OBJECTS",
		"DEBUG_ATOMIC_SLEEP", "DEBUG_PAGEALLOC_ENABLE_DEFAULT", "KCSAN", NULL
	};
	char *text = tree_read("boot/config-%s", e->release), list[200] = "", line[64];

	if (!text)
		text = tree_read("lib/modules/%s/config", e->release);
	if (!text) {
		found(f, SKIP, "no /boot/config-%s", e->release);
		return;
	}
	for (int i = 0; options[i]; i++) {
		size_t len = strlen(list);

		snprintf(line, sizeof(line), "CONFIG_%s=y", options[i]);
		if (has_word(text, line))
			snprintf(list + len, sizeof(list) - len, " %s", options[i]);
	}
	free(text);
	found(f, *list ? FAIL : PASS, *list ? "kernel has%s" : "none of them%s", list);
	if (*list)
		mend(f, "boot a kernel without these options");
}

void probe_clock(struct exam *e, struct finding *f)
{
#define CLOCK "sys/devices/system/clocksource/clocksource0/"
	char now[32], all[128];
	int ret = tree_line(now, sizeof(now), CLOCK "current_clocksource");

	if (ret || !*now) {
		unreadable(f, CLOCK "current_clocksource", ret ? ret : -ENODATA);
		return;
	}
	tree_line(all, sizeof(all), CLOCK "available_clocksource");
	found(f, strcmp(now, "tsc") && strcmp(now, "arch_sys_counter") ? FAIL : PASS,
	      "%s, of: %s", now, all);
	if (f->verdict == PASS)
		return;
	if (has_word(all, "tsc")) {
		mend_write(f, true, "tsc", CLOCK "current_clocksource");
	} else {
		mend(f, "dmesg | grep -i tsc says why the kernel gave tsc up");
		mend_boot(e, f, "tsc=reliable");
	}
}

/* The flags of the first processor stand for all */
void probe_tsc(struct exam *e, struct finding *f)
{
	char *text = tree_read("proc/cpuinfo"), *flags = text ? strstr(text, "\nflags") : NULL;
	bool constant, nonstop;

	(void)e;
	if (!flags) {
		found(f, SKIP, "/proc/cpuinfo shows no flags");
		free(text);
		return;
	}
	flags[1 + strcspn(flags + 1, "\n")] = '\0';
	constant = has_word(flags, "constant_tsc");
	nonstop = has_word(flags, "nonstop_tsc");
	free(text);
	found(f, constant && nonstop ? PASS : WARN, "%sconstant, %s in sleep states",
	      constant ? "" : "not ", nonstop ? "goes on" : "stops");
	if (!constant)
		mend(f, "fix the frequency: cpupower frequency-set -g performance");
	if (!nonstop)
		mend_boot(e, f, "processor.max_cstate=1");
}

/* Since 6.12 without RT_GROUP_SCHED the fair server is there instead */
static bool has_fair_server(const struct exam *e)
{
	return tree_exists(FAIR_SERVER) || e->version[0] > 6 ||
	       (e->version[0] == 6 && e->version[1] >= 12);
}

void probe_throttle(struct exam *e, struct finding *f)
{
	int64_t runtime, period;
	int ret = tree_number(&runtime, "proc/sys/kernel/sched_rt_runtime_us");

	if (!ret)
		ret = tree_number(&period, "proc/sys/kernel/sched_rt_period_us");
	if (ret) {
		unreadable(f, "proc/sys/kernel/sched_rt_runtime_us", ret);
		return;
	}
	if (has_fair_server(e) && runtime >= 0) {
		found(f, PASS, "this kernel has the fair server instead");
		return;
	}
	found(f, runtime >= 0 && runtime < period ? FAIL : PASS,
	      "%" PRId64 " of %" PRId64 " us for real-time threads", runtime, period);
	if (f->verdict != PASS)
		mend_write(f, true, "-1", "proc/sys/kernel/sched_rt_runtime_us");
}

void probe_fair_server(struct exam *e, struct finding *f)
{
	char path[96];
	int64_t ns;
	int ret;

	if (!has_fair_server(e)) {
		found(f, PASS, "kernel has none");
		return;
	}
	snprintf(path, sizeof(path), FAIR_SERVER "/cpu%d/runtime", e->cpu);
	ret = tree_number(&ns, "%s", path);
	if (ret) {
		unreadable(f, path, ret);
		return;
	}
	found(f, ns ? WARN : PASS, "%" PRId64 " us of each second on CPU %d", ns / 1000, e->cpu);
	if (ns)
		mend_write(f, true, "0", "%s", path);
}

void probe_thp(struct exam *e, struct finding *f)
{
	static const char path[] = "sys/kernel/mm/transparent_hugepage/enabled";
	char text[64];
	int ret = tree_line(text, sizeof(text), "%s", path);

	if (ret == -ENOENT) {
		found(f, PASS, "kernel has none");
		return;
	}
	if (ret || !strchr(text, '[')) {
		unreadable(f, path, ret ? ret : -ENODATA);
		return;
	}
	found(f, strstr(text, "[always]") ? WARN : PASS, "%s", text);
	if (f->verdict == PASS)
		return;
	mend_write(f, true, "madvise", "%s", path);
	mend_boot(e, f, "transparent_hugepage=madvise");
}

void probe_swap(struct exam *e, struct finding *f)
{
	char *text = tree_read("proc/swaps"), *s;
	int n = 0;

	(void)e;
	if (!text) {
		if (errno == ENOENT)
			found(f, PASS, "kernel has none");
		else
			unreadable(f, "proc/swaps", -errno);
		return;
	}
	for (s = strchr(text, '\n'); s && s[1]; s = strchr(s + 1, '\n'))
		n++;
	free(text);
	found(f, n ? WARN : PASS, n == 1 ? "%d area" : "%d areas", n);
	if (n)
		mend(f, "swapoff -a, and take it out of /etc/fstab; or mlockall() in the program");
}

static bool limit_of(const char *text, const char *name, char value[24])
{
	const char *s = strstr(text, name);

	*value = '\0';
	return s && sscanf(s + strlen(name), "%23s", value) == 1;
}

void probe_limits(struct exam *e, struct finding *f)
{
	char *text = tree_read("proc/self/limits"), prio[24], lock[24], uid[24];
	char *status = tree_read("proc/self/status");
	bool root = status && limit_of(status, "\nUid:", uid) && !strcmp(uid, "0");

	(void)e;
	free(status);
	if (!text || !limit_of(text, "Max realtime priority", prio) ||
	    !limit_of(text, "Max locked memory", lock)) {
		unreadable(f, "proc/self/limits", -EINVAL);
		free(text);
		return;
	}
	free(text);
	if (root) {
		found(f, PASS, "root has none");
		return;
	}
	found(f, atoi(prio) > 0 && (!strcmp(lock, "unlimited") || atoll(lock) >= 64 << 20) ?
	      PASS : WARN, "real-time priority %s, locked memory %s", prio, lock);
	if (f->verdict == WARN)
		mend(f, "in /etc/security/limits.d/kecat.conf: @kecat - rtprio 95, @kecat - memlock unlimited");
}

void probe_gpu(struct exam *e, struct finding *f)
{
	static const char *const drivers[] = { "nvidia", "nouveau", "i915", "xe", "amdgpu", NULL };
	char *text = tree_read("proc/modules"), line[24];
	const char *which = NULL;

	(void)e;
	if (!text) {
		unreadable(f, "proc/modules", -errno);
		return;
	}
	for (int i = 0; drivers[i] && !which; i++) {
		snprintf(line, sizeof(line), "\n%s ", drivers[i]);
		if (strstr(text, line) || !strncmp(text, line + 1, strlen(line + 1)))
			which = drivers[i];
	}
	free(text);
	found(f, which ? WARN : PASS, "%s", which ? which : "none loaded");
	if (which)
		mend(f, "without a screen: echo blacklist %s >/etc/modprobe.d/kecat-gpu.conf, and boot",
		     which);
}
