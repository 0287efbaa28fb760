/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_STDDEF_H
#define HOST_LINUX_STDDEF_H
#include <stddef.h>
#include <linux/types.h>
#define sizeof_field(t, m)	sizeof(((t *)0)->m)
#define offsetofend(t, m)	(offsetof(t, m) + sizeof_field(t, m))
#define struct_group(name, ...) \
	union { struct { __VA_ARGS__ }; struct { __VA_ARGS__ } name; }
#define DECLARE_FLEX_ARRAY(t, n) struct { struct { } __empty_##n; t n[]; }
#endif
