// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device descriptions that are built in: files of devices/, taken in as
 * they are.  A new one needs its line in BUILT_IN.
 */
#include "sim_desc.h"

#define BUILT_IN(X) \
	X(coupler) X(di8) X(do8) X(dio8) X(ai2) X(drive) X(big)

/* ends with a zero byte, so the file is a string */
#define TAKE_IN(key)						\
	asm(".pushsection .rodata\n"				\
	    "sim_dev_" #key ":\n"				\
	    ".incbin \"devices/" #key ".dev\"\n"		\
	    ".byte 0\n"						\
	    ".popsection");					\
	extern const char sim_dev_##key[];

BUILT_IN(TAKE_IN)

#define ROW(key) { #key, sim_dev_##key },

const struct sim_devtext sim_devtab[] = { BUILT_IN(ROW) };
const unsigned int sim_devtab_len = ARRAY_SIZE(sim_devtab);
