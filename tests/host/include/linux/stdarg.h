/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_STDARG_H
#define HOST_LINUX_STDARG_H
#include <stdarg.h>
#endif
