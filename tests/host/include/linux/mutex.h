/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_MUTEX_H
#define HOST_LINUX_MUTEX_H

#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/lockdep.h>

struct task_struct;

struct mutex {
	struct task_struct *owner;
	struct list_head waiters;
	struct lockdep_map dep;
	u32 magic;
};

#define HOST_MUTEX_MAGIC	0x6d757478
#define __MUTEX_INITIALIZER(n) {					\
	.waiters = LIST_HEAD_INIT((n).waiters),				\
	.dep = HOST_DEP_INIT(n), .magic = HOST_MUTEX_MAGIC }
#define DEFINE_MUTEX(n)	struct mutex n = __MUTEX_INITIALIZER(n)

void host_mutex_init(struct mutex *m, const char *name,
		     struct lock_class_key *key);
#define mutex_init(m) do {						\
	static struct lock_class_key __key;				\
	host_mutex_init(m, #m, &__key);					\
} while (0)
#define __mutex_init(m, name, key)	host_mutex_init(m, name, key)
void mutex_destroy(struct mutex *m);
int host_mutex_lock(struct mutex *m, unsigned int state, bool nested,
		    const char *file, int line);
#define mutex_lock(m) \
	((void)host_mutex_lock(m, 0, false, __FILE__, __LINE__))
#define mutex_lock_nested(m, n) \
	((void)host_mutex_lock(m, 0, true, __FILE__, __LINE__))
#define mutex_lock_interruptible(m) \
	host_mutex_lock(m, 1, false, __FILE__, __LINE__)
#define mutex_lock_killable(m) \
	host_mutex_lock(m, 2, false, __FILE__, __LINE__)
#define mutex_lock_io	mutex_lock
int mutex_trylock(struct mutex *m);
void mutex_unlock(struct mutex *m);
static inline bool mutex_is_locked(const struct mutex *m) { return m->owner; }

DEFINE_GUARD(mutex, struct mutex *, mutex_lock(_T), mutex_unlock(_T))

#endif
