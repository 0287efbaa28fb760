/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_RWSEM_H
#define HOST_LINUX_RWSEM_H

#include <linux/cleanup.h>
#include <linux/list.h>
#include <linux/lockdep.h>

struct task_struct;

struct rw_semaphore {
	struct task_struct *owner;	/* the writer */
	int readers;
	struct list_head waiters;
	struct lockdep_map dep;
	u32 magic;
};

#define HOST_RWSEM_MAGIC	0x72777365
#define __RWSEM_INITIALIZER(n) {					\
	.waiters = LIST_HEAD_INIT((n).waiters),				\
	.dep = HOST_DEP_INIT(n), .magic = HOST_RWSEM_MAGIC }
#define DECLARE_RWSEM(n)	struct rw_semaphore n = __RWSEM_INITIALIZER(n)

void host_rwsem_init(struct rw_semaphore *s, const char *name,
		     struct lock_class_key *key);
#define init_rwsem(s) do {						\
	static struct lock_class_key __key;				\
	host_rwsem_init(s, #s, &__key);					\
} while (0)
int host_down(struct rw_semaphore *s, bool write, unsigned int state,
	      const char *file, int line);
#define down_read(s)	((void)host_down(s, false, 0, __FILE__, __LINE__))
#define down_write(s)	((void)host_down(s, true, 0, __FILE__, __LINE__))
#define down_read_nested(s, n)	down_read(s)
#define down_write_nested(s, n)	down_write(s)
#define down_read_interruptible(s) \
	host_down(s, false, 1, __FILE__, __LINE__)
#define down_read_killable(s)	host_down(s, false, 2, __FILE__, __LINE__)
#define down_write_killable(s)	host_down(s, true, 2, __FILE__, __LINE__)
int down_read_trylock(struct rw_semaphore *s);
int down_write_trylock(struct rw_semaphore *s);
void up_read(struct rw_semaphore *s);
void up_write(struct rw_semaphore *s);
void downgrade_write(struct rw_semaphore *s);
static inline int rwsem_is_locked(const struct rw_semaphore *s)
{
	return s->owner || s->readers;
}

DEFINE_GUARD(rwsem_read, struct rw_semaphore *, down_read(_T), up_read(_T))
DEFINE_GUARD(rwsem_write, struct rw_semaphore *, down_write(_T), up_write(_T))

#endif
