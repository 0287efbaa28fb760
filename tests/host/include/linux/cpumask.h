/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_CPUMASK_H
#define HOST_LINUX_CPUMASK_H
#include <linux/types.h>
#include <linux/bitops.h>
#define NR_CPUS		4
#define nr_cpu_ids	4U
typedef struct cpumask {
	unsigned long bits[1];
} cpumask_t;
extern const struct cpumask host_all_cpus;
#define cpu_possible_mask	(&host_all_cpus)
#define cpu_online_mask		(&host_all_cpus)
#define cpumask_of(c)		(&host_all_cpus)
#define cpumask_first(m)	0U
#define cpu_online(c)		((unsigned int)(c) < nr_cpu_ids)
#define cpu_possible(c)		((unsigned int)(c) < nr_cpu_ids)
#define num_online_cpus()	nr_cpu_ids
#define num_possible_cpus()	nr_cpu_ids
#define smp_processor_id()	0
#define raw_smp_processor_id()	0
#define get_cpu()		({ preempt_disable(); 0; })
#define put_cpu()		preempt_enable()
#define for_each_cpu(c, m)	for ((c) = 0; (c) < 4; (c)++) if ((m)->bits[0] >> (c) & 1)
#define for_each_online_cpu(c)	for ((c) = 0; (c) < 4; (c)++)
#define cpumask_test_cpu(c, m)	cpu_online(c)
#define cpumask_and(d, a, b)	((d)->bits[0] = (a)->bits[0] & (b)->bits[0])
#define cpumask_intersects(a, b) (((a)->bits[0] & (b)->bits[0]) != 0)
#define cpumask_set_cpu(c, m)	((m)->bits[0] |= 1UL << (c))
#define cpumask_empty(m)	(!(m)->bits[0])
#define cpumask_equal(a, b)	((a)->bits[0] == (b)->bits[0])
/* as with CONFIG_CPUMASK_OFFSTACK: it can fail */
typedef struct cpumask *cpumask_var_t;
#define alloc_cpumask_var(m, gfp) \
	((*(m) = kzalloc(sizeof(struct cpumask), gfp)) != NULL)
#define free_cpumask_var(m)	kfree(m)
int cpulist_parse(const char *s, struct cpumask *m);
#endif
