/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * spinlock_t behaves as on PREEMPT_RT: forbidden in hard interrupt context,
 * under a raw spinlock, and in the cyclic thread.
 */
#ifndef HOST_LINUX_SPINLOCK_H
#define HOST_LINUX_SPINLOCK_H

#include <linux/cleanup.h>
#include <linux/irqflags.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/types.h>

struct task_struct;

typedef struct raw_spinlock {
	void *owner;
	bool init;
	struct lockdep_map dep;
} raw_spinlock_t;

typedef struct spinlock {
	void *owner;
	bool init;
	struct lockdep_map dep;
} spinlock_t;

#define __RAW_SPIN_LOCK_UNLOCKED(n) { .init = true, .dep = HOST_DEP_INIT(n) }
#define __SPIN_LOCK_UNLOCKED(n)	    { .init = true, .dep = HOST_DEP_INIT(n) }
#define DEFINE_RAW_SPINLOCK(n)	raw_spinlock_t n = __RAW_SPIN_LOCK_UNLOCKED(n)
#define DEFINE_SPINLOCK(n)	spinlock_t n = __SPIN_LOCK_UNLOCKED(n)

#define host_spin_init(l) do {						\
	static struct lock_class_key __key;				\
	(l)->owner = NULL;						\
	(l)->init = true;						\
	(l)->dep = (struct lockdep_map){ .key = &__key, .name = #l };	\
} while (0)
#define raw_spin_lock_init(l)	host_spin_init(l)
#define spin_lock_init(l)	host_spin_init(l)

void host_raw_lock(raw_spinlock_t *l, const char *file, int line);
bool host_raw_trylock(raw_spinlock_t *l);
void host_raw_unlock(raw_spinlock_t *l);
void host_spin_lock(spinlock_t *l, const char *file, int line);
bool host_spin_trylock(spinlock_t *l);
void host_spin_unlock(spinlock_t *l);

#define raw_spin_lock(l)	host_raw_lock(l, __FILE__, __LINE__)
#define raw_spin_unlock(l)	host_raw_unlock(l)
#define raw_spin_trylock(l)	host_raw_trylock(l)
#define raw_spin_lock_irq(l)	raw_spin_lock(l)
#define raw_spin_unlock_irq(l)	raw_spin_unlock(l)
#define raw_spin_lock_irqsave(l, f)	do { (f) = 0; raw_spin_lock(l); } while (0)
#define raw_spin_unlock_irqrestore(l, f) do { (void)(f); raw_spin_unlock(l); } while (0)
#define raw_spin_lock_bh(l)	raw_spin_lock(l)
#define raw_spin_unlock_bh(l)	raw_spin_unlock(l)
#define raw_spin_is_locked(l)	((l)->owner != NULL)
#define spin_lock(l)		host_spin_lock(l, __FILE__, __LINE__)
#define spin_unlock(l)		host_spin_unlock(l)
#define spin_trylock(l)		host_spin_trylock(l)
#define spin_lock_irq(l)	spin_lock(l)
#define spin_unlock_irq(l)	spin_unlock(l)
#define spin_lock_bh(l)		spin_lock(l)
#define spin_unlock_bh(l)	spin_unlock(l)
#define spin_lock_irqsave(l, f)	do { (f) = 0; spin_lock(l); } while (0)
#define spin_unlock_irqrestore(l, f) do { (void)(f); spin_unlock(l); } while (0)
#define spin_is_locked(l)	((l)->owner != NULL)

DEFINE_GUARD(raw_spinlock, raw_spinlock_t *, raw_spin_lock(_T), raw_spin_unlock(_T))
DEFINE_GUARD(raw_spinlock_irq, raw_spinlock_t *, raw_spin_lock(_T), raw_spin_unlock(_T))
DEFINE_GUARD(raw_spinlock_irqsave, raw_spinlock_t *, raw_spin_lock(_T), raw_spin_unlock(_T))
DEFINE_GUARD(spinlock, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD(spinlock_irq, spinlock_t *, spin_lock(_T), spin_unlock(_T))
DEFINE_GUARD(spinlock_irqsave, spinlock_t *, spin_lock(_T), spin_unlock(_T))

#endif
