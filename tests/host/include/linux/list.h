/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_LIST_H
#define HOST_LINUX_LIST_H

#include <linux/container_of.h>
#include <linux/types.h>

/* what list_del() leaves behind: a second use faults, as in the kernel */
#define LIST_POISON1	((void *)0xdead000000000100UL)
#define LIST_POISON2	((void *)0xdead000000000122UL)

#define LIST_HEAD_INIT(n)	{ &(n), &(n) }
#define LIST_HEAD(n)		struct list_head n = LIST_HEAD_INIT(n)

static inline void INIT_LIST_HEAD(struct list_head *l)
{
	l->next = l;
	l->prev = l;
}

static inline void __list_add(struct list_head *n, struct list_head *prev,
			      struct list_head *next)
{
	next->prev = n;
	n->next = next;
	n->prev = prev;
	prev->next = n;
}

static inline void list_add(struct list_head *n, struct list_head *head)
{
	__list_add(n, head, head->next);
}

static inline void list_add_tail(struct list_head *n, struct list_head *head)
{
	__list_add(n, head->prev, head);
}

static inline void __list_del_entry(struct list_head *e)
{
	e->next->prev = e->prev;
	e->prev->next = e->next;
}

static inline void list_del(struct list_head *e)
{
	__list_del_entry(e);
	e->next = LIST_POISON1;
	e->prev = LIST_POISON2;
}

static inline void list_del_init(struct list_head *e)
{
	__list_del_entry(e);
	INIT_LIST_HEAD(e);
}

static inline void list_move(struct list_head *e, struct list_head *head)
{
	__list_del_entry(e);
	list_add(e, head);
}

static inline void list_move_tail(struct list_head *e, struct list_head *head)
{
	__list_del_entry(e);
	list_add_tail(e, head);
}

static inline int list_empty(const struct list_head *h)
{
	return __READ_ONCE(h->next) == h;
}
#define list_empty_careful	list_empty

static inline int list_is_singular(const struct list_head *h)
{
	return !list_empty(h) && h->next == h->prev;
}

static inline int list_is_last(const struct list_head *l,
			       const struct list_head *h)
{
	return l->next == h;
}

static inline int list_is_first(const struct list_head *l,
				const struct list_head *h)
{
	return l->prev == h;
}

static inline void list_replace(struct list_head *old, struct list_head *n)
{
	n->next = old->next;
	n->next->prev = n;
	n->prev = old->prev;
	n->prev->next = n;
}

static inline void list_replace_init(struct list_head *old, struct list_head *n)
{
	list_replace(old, n);
	INIT_LIST_HEAD(old);
}

static inline void __list_splice(const struct list_head *l,
				 struct list_head *prev, struct list_head *next)
{
	l->next->prev = prev;
	prev->next = l->next;
	l->prev->next = next;
	next->prev = l->prev;
}

static inline void list_splice(const struct list_head *l, struct list_head *h)
{
	if (!list_empty(l))
		__list_splice(l, h, h->next);
}

static inline void list_splice_tail(struct list_head *l, struct list_head *h)
{
	if (!list_empty(l))
		__list_splice(l, h->prev, h);
}

static inline void list_splice_init(struct list_head *l, struct list_head *h)
{
	list_splice(l, h);
	INIT_LIST_HEAD(l);
}

static inline void list_splice_tail_init(struct list_head *l,
					 struct list_head *h)
{
	list_splice_tail(l, h);
	INIT_LIST_HEAD(l);
}

#define list_entry(p, t, m)		container_of(p, t, m)
#define list_first_entry(h, t, m)	list_entry((h)->next, t, m)
#define list_last_entry(h, t, m)	list_entry((h)->prev, t, m)
#define list_first_entry_or_null(h, t, m) \
	(list_empty(h) ? NULL : list_first_entry(h, t, m))
#define list_next_entry(p, m)	list_entry((p)->m.next, typeof(*(p)), m)
#define list_prev_entry(p, m)	list_entry((p)->m.prev, typeof(*(p)), m)
#define list_entry_is_head(p, h, m)	(&(p)->m == (h))
#define list_for_each(p, h) \
	for (p = (h)->next; p != (h); p = p->next)
#define list_for_each_safe(p, n, h) \
	for (p = (h)->next, n = p->next; p != (h); p = n, n = p->next)
#define list_for_each_entry(p, h, m)					\
	for (p = list_first_entry(h, typeof(*p), m);			\
	     !list_entry_is_head(p, h, m); p = list_next_entry(p, m))
#define list_for_each_entry_reverse(p, h, m)				\
	for (p = list_last_entry(h, typeof(*p), m);			\
	     !list_entry_is_head(p, h, m); p = list_prev_entry(p, m))
#define list_for_each_entry_safe(p, n, h, m)				\
	for (p = list_first_entry(h, typeof(*p), m),			\
	     n = list_next_entry(p, m);					\
	     !list_entry_is_head(p, h, m); p = n, n = list_next_entry(n, m))
#define list_for_each_entry_continue(p, h, m)				\
	for (p = list_next_entry(p, m);					\
	     !list_entry_is_head(p, h, m); p = list_next_entry(p, m))
#define list_for_each_entry_from(p, h, m) \
	for (; !list_entry_is_head(p, h, m); p = list_next_entry(p, m))
#define list_for_each_entry_rcu(p, h, m, ...)	list_for_each_entry(p, h, m)
#define list_add_rcu		list_add
#define list_add_tail_rcu	list_add_tail
#define list_del_rcu		list_del

static inline size_t list_count_nodes(struct list_head *h)
{
	struct list_head *p;
	size_t n = 0;

	list_for_each(p, h)
		n++;
	return n;
}

#define HLIST_HEAD_INIT		{ .first = NULL }
#define HLIST_HEAD(n)		struct hlist_head n = HLIST_HEAD_INIT
#define INIT_HLIST_HEAD(p)	((p)->first = NULL)

static inline void INIT_HLIST_NODE(struct hlist_node *h)
{
	h->next = NULL;
	h->pprev = NULL;
}

static inline int hlist_empty(const struct hlist_head *h) { return !h->first; }
static inline int hlist_unhashed(const struct hlist_node *h) { return !h->pprev; }

static inline void hlist_add_head(struct hlist_node *n, struct hlist_head *h)
{
	n->next = h->first;
	if (n->next)
		n->next->pprev = &n->next;
	h->first = n;
	n->pprev = &h->first;
}

static inline void hlist_del_init(struct hlist_node *n)
{
	if (!n->pprev)
		return;
	*n->pprev = n->next;
	if (n->next)
		n->next->pprev = n->pprev;
	INIT_HLIST_NODE(n);
}
#define hlist_del	hlist_del_init
#define hlist_entry(p, t, m)	container_of(p, t, m)
#define hlist_entry_safe(p, t, m) \
	({ typeof(p) __p = (p); __p ? hlist_entry(__p, t, m) : NULL; })
#define hlist_for_each_entry(p, h, m)					\
	for (p = hlist_entry_safe((h)->first, typeof(*(p)), m); p;	\
	     p = hlist_entry_safe((p)->m.next, typeof(*(p)), m))
#define hlist_for_each_entry_safe(p, n, h, m)				\
	for (p = hlist_entry_safe((h)->first, typeof(*p), m);		\
	     p && ({ n = p->m.next; 1; });				\
	     p = hlist_entry_safe(n, typeof(*p), m))

#endif
