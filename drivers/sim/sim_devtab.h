/* SPDX-License-Identifier: GPL-2.0-only */
/* Texts that sim_devtab.c takes in by the assembler. */
#ifndef KECAT_SIM_DEVTAB_H
#define KECAT_SIM_DEVTAB_H

#define SIM_DEVICE(key) sim_dev_##key[],
extern const char
#include "devices/list.h"
	sim_dev_end[];
#undef SIM_DEVICE

#endif
