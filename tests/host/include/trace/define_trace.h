/* SPDX-License-Identifier: GPL-2.0-only */
/* nothing to define: see linux/tracepoint.h */
