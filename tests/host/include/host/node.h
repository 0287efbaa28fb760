/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_NODE_H
#define HOST_NODE_H

#include <linux/types.h>

/**
 * struct host_node - something that happens at an instant of virtual time
 * @time: when, in ns
 * @tie:  order among those of the same instant, from the seed
 * @pos:  place in the heap + 1, 0 = not in it
 * @ctx:  context that @fn runs in (enum host_ctx)
 * @fn:   what happens; NULL: the node is a task's
 */
struct host_node {
	u64 time;
	u64 tie;
	unsigned int pos;
	int ctx;
	void (*fn)(struct host_node *n);
};

void host_node_add(struct host_node *n, u64 time);
bool host_node_del(struct host_node *n);

#endif
