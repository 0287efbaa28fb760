/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_LLIST_H
#define HOST_LINUX_LLIST_H

#include <linux/atomic.h>
#include <linux/container_of.h>

struct llist_head {
	struct llist_node *first;
};

struct llist_node {
	struct llist_node *next;
};

#define LLIST_HEAD_INIT(n)	{ NULL }
#define LLIST_HEAD(n)		struct llist_head n = LLIST_HEAD_INIT(n)
#define init_llist_head(h)	((void)((h)->first = NULL))
#define init_llist_node(n)	((void)((n)->next = (n)))
#define llist_on_list(n)	((n)->next != (n))
#define llist_entry(p, t, m)	container_of(p, t, m)
#define llist_empty(h)		(__READ_ONCE((h)->first) == NULL)
#define llist_next(n)		((n)->next)

static inline bool llist_add_batch(struct llist_node *first,
				   struct llist_node *last,
				   struct llist_head *h)
{
	last->next = h->first;
	__WRITE_ONCE(h->first, first);
	return !last->next;
}

static inline bool llist_add(struct llist_node *n, struct llist_head *h)
{
	return llist_add_batch(n, n, h);
}
#define __llist_add	llist_add

static inline struct llist_node *llist_del_all(struct llist_head *h)
{
	return xchg(&h->first, NULL);
}
#define __llist_del_all	llist_del_all

static inline struct llist_node *llist_del_first(struct llist_head *h)
{
	struct llist_node *n = h->first;

	if (n)
		h->first = n->next;
	return n;
}

static inline struct llist_node *llist_reverse_order(struct llist_node *n)
{
	struct llist_node *r = NULL;

	while (n) {
		struct llist_node *next = n->next;

		n->next = r;
		r = n;
		n = next;
	}
	return r;
}

#define llist_for_each(p, n)	for (p = (n); p; p = p->next)
#define llist_for_each_safe(p, t, n) \
	for (p = (n); p && (t = p->next, true); p = t)
#define llist_for_each_entry(p, n, m)					\
	for (p = llist_entry((n), typeof(*p), m); !host_llist_end(&p->m); \
	     p = llist_entry(p->m.next, typeof(*p), m))
#define llist_for_each_entry_safe(p, t, n, m)				\
	for (p = llist_entry((n), typeof(*p), m);			\
	     !host_llist_end(&p->m) &&					\
	     (t = llist_entry(p->m.next, typeof(*p), m), true);		\
	     p = t)

/* keeps the compiler from concluding that a member's address is never NULL */
static inline bool host_llist_end(const struct llist_node *n)
{
	OPTIMIZER_HIDE_VAR(n);
	return !n;
}

#endif
