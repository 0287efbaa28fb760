// SPDX-License-Identifier: GPL-2.0-only
/* The device descriptions that are built in: files of devices/ as they are. */
#include "sim_desc.h"
#include "sim_devtab.h"

/* A zero byte at the end makes the file a string. */
#define SIM_DEVICE(key)					\
	"sim_dev_" #key ":\n"				\
	".incbin \"devices/" #key ".dev\"\n"		\
	".byte 0\n"

#define BEGIN	".pushsection .rodata\n"
#define END	"sim_dev_end: .byte 0\n.popsection\n"

asm(BEGIN
#include "devices/list.h"
END);
#undef SIM_DEVICE

#define SIM_DEVICE(key) { #key, sim_dev_##key },

const struct sim_devtext sim_devtab[] = {
#include "devices/list.h"
};

const unsigned int sim_devtab_len = ARRAY_SIZE(sim_devtab);
