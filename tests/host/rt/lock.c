// SPDX-License-Identifier: GPL-2.0-only
/*
 * Locks, and the rules they come with: order of classes, who may sleep where,
 * what the cyclic thread must not do.
 */
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include "host.h"

#define CLASSES	256

static struct lock_class_key *class_key[CLASSES];
static const char *class_name[CLASSES];
static u64 after[CLASSES][CLASSES / 64];	/* [a] bit b: b was taken under a */
static int classes;

static int class_of(struct lockdep_map *map)
{
	struct lock_class_key *key = map->key ? map->key : &map->own;

	if (key->id)
		return key->id;
	if (++classes >= CLASSES)
		host_fatal(__FILE__, __LINE__, "too many lock classes");
	key->id = classes;
	class_key[key->id] = key;
	class_name[key->id] = map->name;
	return key->id;
}

static bool leads_to(int from, int to, u64 *seen)
{
	int i;

	if (from == to)
		return true;
	seen[from / 64] |= 1ULL << (from % 64);
	for (i = 1; i <= classes; i++)
		if (after[from][i / 64] >> (i % 64) & 1 &&
		    !(seen[i / 64] >> (i % 64) & 1) && leads_to(i, to, seen))
			return true;
	return false;
}

static void check_order(struct lockdep_map *map, const char *file, int line)
{
	struct task_struct *t = current;
	int new = class_of(map), i;

	for (i = 0; i < t->nheld; i++) {
		int held = class_of(t->held[i].map);
		u64 seen[CLASSES / 64] = { 0 };

		if (after[held][new / 64] >> (new % 64) & 1)
			continue;
		if (leads_to(new, held, seen))
			host_fail(file, line, "lock order: %s is taken under %s, elsewhere the other way round",
				  class_name[new], class_name[held]);
		after[held][new / 64] |= 1ULL << (new % 64);
	}
}

void host_lock_order(struct lockdep_map *map)
{
	check_order(map, __FILE__, __LINE__);
}

static void held_add(struct lockdep_map *map, int how)
{
	struct task_struct *t = current;

	if (host_context() != HOST_TASK)
		return;
	if (t->nheld == HOST_HELD_MAX)
		host_fatal(__FILE__, __LINE__, "too many locks held");
	t->held[t->nheld++] = (struct host_held) { map, how };
}

static void held_del(struct lockdep_map *map)
{
	struct task_struct *t = current;
	int i;

	if (host_context() != HOST_TASK)
		return;
	for (i = t->nheld - 1; i >= 0 && t->held[i].map != map; i--)
		;
	if (i < 0) {
		host_fail(__FILE__, __LINE__, "%s is given back by %s, who does not hold it",
			  map->name, t->comm);
		return;
	}
	for (t->nheld--; i < t->nheld; i++)
		t->held[i] = t->held[i + 1];
}

int host_held(const struct lockdep_map *map)
{
	int i;

	for (i = 0; i < current->nheld; i++)
		if (current->held[i].map == map)
			return current->held[i].how;
	return 0;
}

void host_hold_check(void)
{
	int i;

	for (i = 0; i < current->nheld; i++)
		host_fail(__FILE__, __LINE__, "%s still holds %s", current->comm,
			  current->held[i].map->name);
}

/* ---- who may sleep ---- */

void host_might_sleep(const char *file, int line)
{
	if (host_exempt())
		return;
	if (host_context() != HOST_TASK)
		host_fatal(file, line, "sleeps in an interrupt");
	if (current->atomic || current->spins)
		host_fatal(file, line, "sleeps while atomic");
	if (current->__state != TASK_RUNNING)
		host_fail(file, line, "sleeps inside a wait (state %x)",
			  current->__state);
}

static void sleeping_lock(const char *file, int line)
{
	host_might_sleep(file, line);
	if (current->cyclic && !host_exempt())
		host_fail(file, line, "the cyclic thread takes a sleeping lock");
}

void host_wait_allowed(const char *file, int line)
{
	if (current->cyclic && !host_exempt())
		host_fail(file, line, "the cyclic thread waits on a wait queue");
}

/* ---- mutex and rwsem: a queue of threads, served in order ---- */

struct waiter {
	struct list_head entry;
	struct task_struct *task;
	bool write;
	bool granted;
};

static const unsigned int wait_state[] = {
	TASK_UNINTERRUPTIBLE, TASK_INTERRUPTIBLE, TASK_KILLABLE,
};

/* until somebody grants it; -EINTR takes the waiter out */
static int wait_granted(struct list_head *queue, struct waiter *w,
			unsigned int how, const char *file, int line)
{
	w->task = current;
	list_add_tail(&w->entry, queue);
	current->waits_in = file;
	current->waits_line = line;
	for (;;) {
		__set_current_state(wait_state[how]);
		if (w->granted)
			break;
		if (signal_pending_state(current->__state, current)) {
			list_del(&w->entry);
			break;
		}
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	current->waits_in = NULL;
	return w->granted ? 0 : -EINTR;
}

void host_mutex_init(struct mutex *m, const char *name,
		     struct lock_class_key *key)
{
	*m = (struct mutex) {
		.dep = { .key = key, .name = name }, .magic = HOST_MUTEX_MAGIC,
	};
	INIT_LIST_HEAD(&m->waiters);
}

void mutex_destroy(struct mutex *m)
{
	WARN_ON(m->owner || m->magic != HOST_MUTEX_MAGIC);
	m->magic = 0;
}

int host_mutex_lock(struct mutex *m, unsigned int how, bool nested,
		    const char *file, int line)
{
	struct waiter w = { .write = true };

	sleeping_lock(file, line);
	if (m->magic != HOST_MUTEX_MAGIC)
		host_fatal(file, line, "mutex was not initialised");
	if (m->owner == current)
		host_fatal(file, line, "%s is taken twice", m->dep.name);
	if (!nested)
		check_order(&m->dep, file, line);
	host_point();
	if (!m->owner) {
		m->owner = current;
	} else if (wait_granted(&m->waiters, &w, how, file, line)) {
		return -EINTR;
	}
	held_add(&m->dep, 1);
	return 0;
}

int mutex_trylock(struct mutex *m)
{
	if (m->magic != HOST_MUTEX_MAGIC || host_context() != HOST_TASK)
		host_fatal(__FILE__, __LINE__, "mutex_trylock() where it may not be");
	if (current->cyclic && !host_exempt())
		host_fail(__FILE__, __LINE__, "the cyclic thread takes a mutex");
	if (m->owner)
		return 0;
	m->owner = current;
	held_add(&m->dep, 1);
	return 1;
}

static struct waiter *first_waiter(struct list_head *queue)
{
	return list_first_entry_or_null(queue, struct waiter, entry);
}

static void grant(struct waiter *w)
{
	list_del(&w->entry);
	w->granted = true;
	host_try_wake(w->task, ~0u);
}

void mutex_unlock(struct mutex *m)
{
	struct waiter *w = first_waiter(&m->waiters);

	if (m->owner != current)
		host_fail(__FILE__, __LINE__, "%s is given back by %s, who does not hold it",
			  m->dep.name, current->comm);
	held_del(&m->dep);
	m->owner = w ? w->task : NULL;
	if (w)
		grant(w);
	host_point();
}

void host_rwsem_init(struct rw_semaphore *s, const char *name,
		     struct lock_class_key *key)
{
	*s = (struct rw_semaphore) {
		.dep = { .key = key, .name = name }, .magic = HOST_RWSEM_MAGIC,
	};
	INIT_LIST_HEAD(&s->waiters);
}

static bool rwsem_take(struct rw_semaphore *s, struct task_struct *t, bool write)
{
	if (s->owner || (write && s->readers))
		return false;
	if (write)
		s->owner = t;
	else
		s->readers++;
	return true;
}

static void rwsem_serve(struct rw_semaphore *s)
{
	struct waiter *w;

	while ((w = first_waiter(&s->waiters)) &&
	       rwsem_take(s, w->task, w->write))
		grant(w);
	host_point();
}

int host_down(struct rw_semaphore *s, bool write, unsigned int how,
	      const char *file, int line)
{
	struct waiter w = { .write = write };

	sleeping_lock(file, line);
	if (s->magic != HOST_RWSEM_MAGIC)
		host_fatal(file, line, "rwsem was not initialised");
	if (host_held(&s->dep))
		host_fatal(file, line, "%s is taken twice", s->dep.name);
	check_order(&s->dep, file, line);
	host_point();
	/* a waiting writer goes first, as in the kernel */
	if (!list_empty(&s->waiters) || !rwsem_take(s, current, write)) {
		if (wait_granted(&s->waiters, &w, how, file, line)) {
			rwsem_serve(s);
			return -EINTR;
		}
	}
	held_add(&s->dep, write ? 1 : 2);
	return 0;
}

static int down_try(struct rw_semaphore *s, bool write)
{
	if (!list_empty(&s->waiters) || !rwsem_take(s, current, write))
		return 0;
	held_add(&s->dep, write ? 1 : 2);
	return 1;
}

int down_read_trylock(struct rw_semaphore *s)
{
	return down_try(s, false);
}

int down_write_trylock(struct rw_semaphore *s)
{
	return down_try(s, true);
}

void up_read(struct rw_semaphore *s)
{
	held_del(&s->dep);
	if (--s->readers < 0)
		host_fatal(__FILE__, __LINE__, "up_read() without down_read()");
	rwsem_serve(s);
}

void up_write(struct rw_semaphore *s)
{
	held_del(&s->dep);
	if (s->owner != current)
		host_fatal(__FILE__, __LINE__, "up_write() by somebody else");
	s->owner = NULL;
	rwsem_serve(s);
}

void downgrade_write(struct rw_semaphore *s)
{
	held_del(&s->dep);
	s->owner = NULL;
	s->readers++;
	held_add(&s->dep, 2);
	rwsem_serve(s);
}

/* ---- spinlocks: nobody switches while one is held, so none is ever busy ---- */

static void spin_take(void **owner, bool init, struct lockdep_map *dep,
		      const char *file, int line)
{
	if (!init)
		host_fatal(file, line, "spinlock was not initialised");
	if (*owner)
		host_fatal(file, line, "%s is taken twice", dep->name);
	if (host_context() == HOST_TASK)
		check_order(dep, file, line);
	*owner = current;
	held_add(dep, 1);
}

static void spin_give(void **owner, struct lockdep_map *dep)
{
	if (!*owner)
		host_fatal(__FILE__, __LINE__, "%s is given back, but not held",
			   dep->name);
	*owner = NULL;
	held_del(dep);
}

void host_raw_lock(raw_spinlock_t *l, const char *file, int line)
{
	spin_take(&l->owner, l->init, &l->dep, file, line);
	preempt_disable();
}

bool host_raw_trylock(raw_spinlock_t *l)
{
	if (l->owner)
		return false;
	host_raw_lock(l, __FILE__, __LINE__);
	return true;
}

void host_raw_unlock(raw_spinlock_t *l)
{
	preempt_enable();
	spin_give(&l->owner, &l->dep);
}

void host_spin_lock(spinlock_t *l, const char *file, int line)
{
	if (!host_exempt()) {
		if (host_context() == HOST_HARD)
			host_fail(file, line, "spinlock_t in a hard interrupt: sleeps on PREEMPT_RT");
		else if (host_context() == HOST_TASK && current->atomic)
			host_fail(file, line, "spinlock_t under a raw one: sleeps on PREEMPT_RT");
		if (host_context() == HOST_TASK && current->cyclic)
			host_fail(file, line, "the cyclic thread takes a spinlock_t");
	}
	host_point();
	spin_take(&l->owner, l->init, &l->dep, file, line);
	if (host_context() == HOST_TASK)
		current->spins++;
}

bool host_spin_trylock(spinlock_t *l)
{
	if (l->owner)
		return false;
	host_spin_lock(l, __FILE__, __LINE__);
	return true;
}

void host_spin_unlock(spinlock_t *l)
{
	if (host_context() == HOST_TASK)
		current->spins--;
	spin_give(&l->owner, &l->dep);
	host_point();
}
