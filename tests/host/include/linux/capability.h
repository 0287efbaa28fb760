/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_CAPABILITY_H
#define HOST_LINUX_CAPABILITY_H
#define CAP_SYS_RAWIO	17
#define CAP_SYS_ADMIN	21
#define CAP_NET_ADMIN	12
#define capable(c)	true
#endif
