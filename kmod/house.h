/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KECAT_HOUSE_H
#define KECAT_HOUSE_H

struct task_struct;

int kecat_house_init(void);
struct task_struct *kecat_house_start(struct task_struct *task);

#endif
