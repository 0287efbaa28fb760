/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_TIME64_H
#define HOST_LINUX_TIME64_H
#define MSEC_PER_SEC	1000L
#define USEC_PER_MSEC	1000L
#define NSEC_PER_USEC	1000L
#define NSEC_PER_MSEC	1000000L
#define USEC_PER_SEC	1000000L
#define NSEC_PER_SEC	1000000000L
#ifdef HOST_FREESTANDING
#define CLOCK_REALTIME	0
#define CLOCK_MONOTONIC	1
#define CLOCK_TAI	11
typedef int clockid_t;
#endif
#endif
