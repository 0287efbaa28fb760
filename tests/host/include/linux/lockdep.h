/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stand-in for the kernel header.  Order of classes, ownership and context
 * are checked for real (rt/lock.c).
 */
#ifndef HOST_LINUX_LOCKDEP_H
#define HOST_LINUX_LOCKDEP_H

#include <linux/bug.h>

struct lock_class_key {
	int id;		/* 0 = not seen yet */
};

struct lockdep_map {
	struct lock_class_key *key;
	struct lock_class_key own;	/* of statically initialised locks */
	const char *name;
};

#define HOST_DEP_INIT(n)	{ .name = #n }

int host_held(const struct lockdep_map *map);
#define lockdep_is_held(l)		host_held(&(l)->dep)
#define lockdep_is_held_type(l, r)	host_held(&(l)->dep)
#define lockdep_assert_held(l)		WARN_ON(!lockdep_is_held(l))
#define lockdep_assert_held_once(l)	WARN_ON(!lockdep_is_held(l))
#define lockdep_assert_held_write(l)	WARN_ON(host_held(&(l)->dep) != 1)
#define lockdep_assert_held_read(l)	WARN_ON(host_held(&(l)->dep) != 2)
#define lockdep_assert_not_held(l)	WARN_ON(lockdep_is_held(l))
#define lockdep_assert(c)		WARN_ON(!(c))
#define lockdep_assert_once(c)		WARN_ON(!(c))
#define lockdep_assert_irqs_enabled()	((void)0)
#define lockdep_assert_irqs_disabled()	((void)0)
#define lockdep_assert_none_held_once()	((void)0)
#define lockdep_register_key(k)		((void)(k))
#define lockdep_unregister_key(k)	((void)(k))
#define lockdep_set_class(l, k)		((void)((l)->dep.key = (k)))
#define lockdep_set_class_and_name(l, k, n) lockdep_set_class(l, k)
#define lockdep_set_subclass(l, n)	((void)(l))

#endif
