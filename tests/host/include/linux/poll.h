/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_POLL_H
#define HOST_LINUX_POLL_H
#include <linux/fs.h>
#include <linux/wait.h>
#define EPOLLIN		0x001
#define EPOLLPRI	0x002
#define EPOLLOUT	0x004
#define EPOLLERR	0x008
#define EPOLLHUP	0x010
#define EPOLLRDNORM	0x040
#define EPOLLWRNORM	0x100
#define EPOLLRDHUP	0x2000
#define POLLIN		EPOLLIN
#define POLLERR		EPOLLERR
#define POLLHUP		EPOLLHUP
#define POLLRDNORM	EPOLLRDNORM
typedef struct poll_table_struct {
	int n;
	struct wait_queue_head *q[4];
} poll_table;
void poll_wait(struct file *f, wait_queue_head_t *q, poll_table *p);
#endif
