/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_HRTIMER_H
#define HOST_LINUX_HRTIMER_H

#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/wait.h>
#include <host/node.h>

enum hrtimer_mode {
	HRTIMER_MODE_ABS = 0x00,
	HRTIMER_MODE_REL = 0x01,
	HRTIMER_MODE_PINNED = 0x02,
	HRTIMER_MODE_SOFT = 0x04,
	HRTIMER_MODE_HARD = 0x08,
	HRTIMER_MODE_ABS_PINNED = 0x02,
	HRTIMER_MODE_REL_PINNED = 0x03,
	HRTIMER_MODE_ABS_SOFT = 0x04,
	HRTIMER_MODE_REL_SOFT = 0x05,
	HRTIMER_MODE_ABS_HARD = 0x08,
	HRTIMER_MODE_REL_HARD = 0x09,
	HRTIMER_MODE_ABS_PINNED_HARD = 0x0a,
	HRTIMER_MODE_REL_PINNED_HARD = 0x0b,
};

enum hrtimer_restart { HRTIMER_NORESTART, HRTIMER_RESTART };

struct hrtimer {
	struct host_node node;
	ktime_t expires;
	enum hrtimer_restart (*function)(struct hrtimer *t);
	bool is_hard, running;
	u32 magic;
};

#define HOST_HRTIMER_MAGIC	0x68727469

void hrtimer_setup(struct hrtimer *t,
		   enum hrtimer_restart (*fn)(struct hrtimer *t),
		   int clock, enum hrtimer_mode mode);
#define hrtimer_init(t, clock, mode)	hrtimer_setup(t, NULL, clock, mode)
#define hrtimer_setup_on_stack		hrtimer_setup
#define hrtimer_init_on_stack		hrtimer_init
#define destroy_hrtimer_on_stack(t)	((void)(t))
static inline void hrtimer_set_expires(struct hrtimer *t, ktime_t when)
{
	t->expires = when;
}
void hrtimer_start(struct hrtimer *t, ktime_t when, enum hrtimer_mode mode);
#define hrtimer_start_range_ns(t, w, d, m)	hrtimer_start(t, w, m)
#define hrtimer_start_expires(t, m)	hrtimer_start(t, (t)->expires, m)
int hrtimer_cancel(struct hrtimer *t);
int hrtimer_try_to_cancel(struct hrtimer *t);
u64 hrtimer_forward(struct hrtimer *t, ktime_t now, ktime_t interval);
#define hrtimer_forward_now(t, i)	hrtimer_forward(t, ktime_get(), i)
static inline bool hrtimer_active(const struct hrtimer *t)
{
	return t->node.pos || t->running;
}
static inline bool hrtimer_is_queued(const struct hrtimer *t) { return t->node.pos; }
#define hrtimer_callback_running(t)	((t)->running)
#define hrtimer_get_expires(t)		((t)->expires)
#define hrtimer_get_expires_ns(t)	((t)->expires)
#define hrtimer_set_expires(t, k)	((void)((t)->expires = (k)))
#define hrtimer_add_expires_ns(t, n)	((void)((t)->expires += (n)))
#define hrtimer_cb_get_time(t)		ktime_get()
#define hrtimer_get_remaining(t)	((t)->expires - ktime_get())
#define hrtimer_resolution		1U
int schedule_hrtimeout(ktime_t *expires, enum hrtimer_mode mode);
#define schedule_hrtimeout_range(e, d, m)	schedule_hrtimeout(e, m)
#define schedule_hrtimeout_range_clock(e, d, m, c) schedule_hrtimeout(e, m)

struct hrtimer_sleeper {
	struct hrtimer timer;
	struct task_struct *task;
};
void hrtimer_setup_sleeper_on_stack(struct hrtimer_sleeper *s, int clock,
				    enum hrtimer_mode mode);
#define hrtimer_sleeper_start_expires(s, m) \
	hrtimer_start(&(s)->timer, (s)->timer.expires, m)

#endif
