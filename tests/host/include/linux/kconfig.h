/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_KCONFIG_H
#define HOST_LINUX_KCONFIG_H
#define __ARG_PLACEHOLDER_1 0,
#define __take_second_arg(a, b, ...) b
#define __is_defined(x)		___is_defined(x)
#define ___is_defined(v)	____is_defined(__ARG_PLACEHOLDER_##v)
#define ____is_defined(a)	__take_second_arg(a 1, 0)
#define IS_ENABLED(o)		(__is_defined(o) || __is_defined(o##_MODULE))
#define IS_BUILTIN(o)		__is_defined(o)
#define IS_MODULE(o)		__is_defined(o##_MODULE)
#define IS_REACHABLE(o)		IS_ENABLED(o)
#endif
