/* SPDX-License-Identifier: GPL-2.0-only */
/* The descriptions that are built in: one SIM_DEVICE() a file. */
SIM_DEVICE(coupler)
SIM_DEVICE(junction)
SIM_DEVICE(di8)
SIM_DEVICE(do8)
SIM_DEVICE(dio8)
SIM_DEVICE(ai2)
SIM_DEVICE(drive)
SIM_DEVICE(big)
