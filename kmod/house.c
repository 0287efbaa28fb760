// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the threads run that are not real-time: supervisors and workers have
 * nothing to do on a CPU that somebody has isolated, ours or another's.
 */
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/isolation.h>
#include "compat/compat.h"
#include "cycle.h"
#include "house.h"

static char *list;
module_param_named(housekeeping, list, charp, 0444);
MODULE_PARM_DESC(housekeeping, "CPUs of the threads that are not real-time, e.g. 0-1,4 (default: neither isolated nor cpu=)");

static struct cpumask given;

/**
 * kecat_house_init - read the module's parameter
 *
 * Return: 0, or -EINVAL after a message.
 */
int kecat_house_init(void)
{
	if (!list)
		return 0;
	if (!cpulist_parse(list, &given) && cpumask_intersects(&given, cpu_possible_mask))
		return 0;
	pr_err("kecat: housekeeping=%s: a list of CPUs is expected, e.g. 0-1,4\n", list);
	return -EINVAL;
}

static void choose(struct cpumask *to)
{
	int cpu;

	cpumask_and(to, &given, cpu_online_mask);
	if (list)
		return;
	for_each_online_cpu(cpu)
		if (cpu != kecat_cpu && !kecat_cpu_is_isolated(cpu))
			cpumask_set_cpu(cpu, to);
	if (!cpumask_empty(to))
		return;
	/* all are isolated: then at least not there */
	for_each_online_cpu(cpu)
		if (cpu != kecat_cpu)
			cpumask_set_cpu(cpu, to);
}

/**
 * kecat_house_keep - the calling kernel thread stays on those CPUs
 *
 * By the thread itself: from 6.14 on the kernel gives each its own idea of where
 * to run as it starts.  Where there is no such CPU it runs where it can.
 *
 * Context: may sleep.
 */
void kecat_house_keep(void)
{
	cpumask_var_t cpus;

	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		return;
	choose(cpus);
	if (!cpumask_empty(cpus) && !cpumask_equal(cpus, cpu_online_mask))
		set_cpus_allowed_ptr(current, cpus);
	free_cpumask_var(cpus);
}
