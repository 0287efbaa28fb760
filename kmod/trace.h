/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM kecat

#if !defined(KECAT_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define KECAT_TRACE_H

#include <linux/tracepoint.h>
#include "../uapi/kecat.h"

#ifndef KECAT_TRACE_SENT
#define KECAT_TRACE_SENT	0
#define KECAT_TRACE_BACK	1
#define KECAT_TRACE_LATE	2
#define KECAT_TRACE_LOST	3
#endif

/* stamps: scheduled, running, doorbell, frames back, published, done */
TRACE_EVENT(kecat_cycle,
	TP_PROTO(int master, u64 cycle, const u64 *at, u32 groups_valid),
	TP_ARGS(master, cycle, at, groups_valid),
	TP_STRUCT__entry(
		__field(int, master)
		__field(u64, cycle)
		__array(u64, at, KECAT_LAT_TOTAL + 1)
		__field(u32, groups_valid)
	),
	TP_fast_assign(
		__entry->master = master;
		__entry->cycle = cycle;
		memcpy(__entry->at, at, sizeof(__entry->at));
		__entry->groups_valid = groups_valid;
	),
	TP_printk("master=%d cycle=%llu tick=%llu wake=%llu send=%llu wait=%llu publish=%llu acyclic=%llu groups_valid=%#x",
		  __entry->master, __entry->cycle, __entry->at[0],
		  __entry->at[1] - __entry->at[0],
		  __entry->at[2] - __entry->at[1],
		  __entry->at[3] - __entry->at[2],
		  __entry->at[4] - __entry->at[3],
		  __entry->at[5] - __entry->at[4], __entry->groups_valid)
);

/* kind: enum kecat_flight_kind; what: KECAT_TRACE_* */
TRACE_EVENT(kecat_frame,
	TP_PROTO(int master, u32 tag, int kind, int what, unsigned int len),
	TP_ARGS(master, tag, kind, what, len),
	TP_STRUCT__entry(
		__field(int, master)
		__field(u32, tag)
		__field(int, kind)
		__field(int, what)
		__field(unsigned int, len)
	),
	TP_fast_assign(
		__entry->master = master;
		__entry->tag = tag;
		__entry->kind = kind;
		__entry->what = what;
		__entry->len = len;
	),
	TP_printk("master=%d tag=%u %s %s len=%u", __entry->master,
		  __entry->tag, __entry->kind == 1 ? "cyclic" : "acyclic",
		  __print_symbolic(__entry->what, { 0, "sent" }, { 1, "back" },
				   { 2, "late" }, { 3, "lost" }),
		  __entry->len)
);

TRACE_EVENT(kecat_state,
	TP_PROTO(int master, u32 position, u8 old, u8 now, u16 code),
	TP_ARGS(master, position, old, now, code),
	TP_STRUCT__entry(
		__field(int, master)
		__field(u32, position)
		__field(u8, old)
		__field(u8, now)
		__field(u16, code)
	),
	TP_fast_assign(
		__entry->master = master;
		__entry->position = position;
		__entry->old = old;
		__entry->now = now;
		__entry->code = code;
	),
	TP_printk("master=%d slave=%u al=%#x->%#x code=%#x", __entry->master,
		  __entry->position, __entry->old, __entry->now, __entry->code)
);

/* the flight recorder froze; reasons: KECAT_RECORD_ON_* */
TRACE_EVENT(kecat_record,
	TP_PROTO(int master, u32 reasons, u64 cycle),
	TP_ARGS(master, reasons, cycle),
	TP_STRUCT__entry(
		__field(int, master)
		__field(u32, reasons)
		__field(u64, cycle)
	),
	TP_fast_assign(
		__entry->master = master;
		__entry->reasons = reasons;
		__entry->cycle = cycle;
	),
	TP_printk("master=%d reasons=%#x cycle=%llu", __entry->master,
		  __entry->reasons, __entry->cycle)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
