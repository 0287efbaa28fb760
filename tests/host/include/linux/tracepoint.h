/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints compile to nothing; their arguments are still type checked. */
#ifndef HOST_LINUX_TRACEPOINT_H
#define HOST_LINUX_TRACEPOINT_H
#include <linux/types.h>
#define PARAMS(args...)		args
#define TP_PROTO(args...)	args
#define TP_ARGS(args...)	args
#define TP_CONDITION(args...)	args
#define DECLARE_TRACE(name, proto, args)				\
	static inline void trace_##name(proto) { }			\
	static inline bool trace_##name##_enabled(void) { return false; }
#define TRACE_EVENT(name, proto, args, tstruct, assign, print)		\
	DECLARE_TRACE(name, PARAMS(proto), PARAMS(args))
#define TRACE_EVENT_CONDITION(name, proto, args, cond, ...)		\
	DECLARE_TRACE(name, PARAMS(proto), PARAMS(args))
#define DECLARE_EVENT_CLASS(name, proto, args, tstruct, assign, print)
#define DEFINE_EVENT(class, name, proto, args)				\
	DECLARE_TRACE(name, PARAMS(proto), PARAMS(args))
#endif
