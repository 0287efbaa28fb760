/* SPDX-License-Identifier: GPL-2.0-only */
/* Sets of CPUs as the kernel writes them. */
#ifndef KECAT_DOCTOR_CPUS_H
#define KECAT_DOCTOR_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPUS_MAX	8192

struct cpus {
	uint64_t bits[CPUS_MAX / 64];
};

/* "0-3,8"; false and an empty set if it is nothing like that */
bool cpus_list(struct cpus *c, const char *text);
/* "00000000,ffffffff" */
bool cpus_mask(struct cpus *c, const char *text);
bool cpus_has(const struct cpus *c, unsigned int cpu);
void cpus_set(struct cpus *c, unsigned int cpu, bool on);
void cpus_add(struct cpus *c, const struct cpus *more);
void cpus_remove(struct cpus *c, const struct cpus *less);
unsigned int cpus_count(const struct cpus *c);
/* the first one, or -1 */
int cpus_first(const struct cpus *c);
/* "0-3,8", shortened at @room */
void cpus_format(const struct cpus *c, char *buf, size_t room);
/* hexadecimal, words of 32 bits */
void cpus_format_mask(const struct cpus *c, char *buf, size_t room);

#endif
