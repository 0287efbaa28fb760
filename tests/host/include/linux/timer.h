/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_TIMER_H
#define HOST_LINUX_TIMER_H
#include <linux/jiffies.h>
#include <linux/container_of.h>
#include <host/node.h>
struct timer_list {
	struct host_node node;
	unsigned long expires;
	void (*function)(struct timer_list *t);
};
void timer_setup(struct timer_list *t, void (*fn)(struct timer_list *t),
		 unsigned int flags);
int mod_timer(struct timer_list *t, unsigned long expires);
#define add_timer(t)		((void)mod_timer(t, (t)->expires))
int timer_delete(struct timer_list *t);
#define timer_delete_sync(t)	timer_delete(t)
#define timer_shutdown_sync(t)	timer_delete(t)
#define del_timer(t)		timer_delete(t)
#define del_timer_sync(t)	timer_delete(t)
#define timer_pending(t)	((t)->node.pos != 0)
#define from_timer(v, t, f)	container_of(t, typeof(*v), f)
#define timer_container_of(v, t, f) container_of(t, typeof(*v), f)
#define round_jiffies_relative(j) (j)
#endif
