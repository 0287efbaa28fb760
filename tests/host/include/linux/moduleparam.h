/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_MODULEPARAM_H
#define HOST_LINUX_MODULEPARAM_H
#include <linux/build_bug.h>
#define module_param(n, t, p)		static_assert(1)
#define module_param_named(n, v, t, p)	static_assert(1)
#define module_param_array(n, t, c, p)	static_assert(1)
#define module_param_string(n, s, l, p)	static_assert(1)
#define module_param_cb(n, o, a, p)	static_assert(1)
#define kernel_param_lock(m)		((void)(m))
#define kernel_param_unlock(m)		((void)(m))
#define MODULE_PARM_DESC(n, d)		static_assert(1)
#endif
