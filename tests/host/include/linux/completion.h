/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_COMPLETION_H
#define HOST_LINUX_COMPLETION_H

#include <linux/swait.h>

struct completion {
	unsigned int done;
	struct swait_queue_head wait;
};

#define COMPLETION_INITIALIZER(n) \
	{ 0, __SWAIT_QUEUE_HEAD_INITIALIZER((n).wait) }
#define DECLARE_COMPLETION(n)	struct completion n = COMPLETION_INITIALIZER(n)
#define COMPLETION_INITIALIZER_ONSTACK(n) \
	(*({ init_completion(&n); &n; }))
#define DECLARE_COMPLETION_ONSTACK(n)	DECLARE_COMPLETION(n)
#define init_completion(c) do {						\
	(c)->done = 0;							\
	init_swait_queue_head(&(c)->wait);				\
} while (0)

static inline void reinit_completion(struct completion *c)
{
	c->done = 0;
}

void complete(struct completion *c);
void complete_all(struct completion *c);
long host_wait_completion(struct completion *c, unsigned int state,
			  long timeout, const char *file, int line);
#define host_wfc(c, s, t)	host_wait_completion(c, s, t, __FILE__, __LINE__)
#define wait_for_completion(c) \
	((void)host_wfc(c, TASK_UNINTERRUPTIBLE, MAX_SCHEDULE_TIMEOUT))
#define wait_for_completion_io	wait_for_completion
#define wait_for_completion_timeout(c, t) \
	((unsigned long)host_wfc(c, TASK_UNINTERRUPTIBLE, t))
#define wait_for_completion_interruptible(c) \
	host_wfc_int(host_wfc(c, TASK_INTERRUPTIBLE, MAX_SCHEDULE_TIMEOUT))
#define wait_for_completion_killable(c) \
	host_wfc_int(host_wfc(c, TASK_KILLABLE, MAX_SCHEDULE_TIMEOUT))
#define wait_for_completion_state(c, s) \
	host_wfc_int(host_wfc(c, s, MAX_SCHEDULE_TIMEOUT))
#define wait_for_completion_interruptible_timeout(c, t) \
	host_wfc(c, TASK_INTERRUPTIBLE, t)
#define wait_for_completion_killable_timeout(c, t) \
	host_wfc(c, TASK_KILLABLE, t)
static inline int host_wfc_int(long r) { return r < 0 ? (int)r : 0; }
bool try_wait_for_completion(struct completion *c);
bool completion_done(struct completion *c);

#endif
