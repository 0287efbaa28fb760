/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_PROCESSOR_H
#define HOST_LINUX_PROCESSOR_H
/* a turn of a polling loop: virtual time goes on, others may run */
void cpu_relax(void);
#define spin_begin()	((void)0)
#define spin_end()	((void)0)
#define spin_cpu_relax() cpu_relax()
#endif
