/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_INIT_H
#define HOST_LINUX_INIT_H
#define __init
#define __exit
#define __initdata
#define __initconst
#define __exitdata
#define __refdata
#endif
