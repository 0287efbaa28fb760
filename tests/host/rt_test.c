// SPDX-License-Identifier: GPL-2.0-only
/* The runtime itself: if these fail, nothing else here says anything. */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "tap.h"

/* ---- switching ---- */

#define START	1000000

static u64 switches;

/* both begin at the same instant: who comes next is the seed's choice */
static int yielder(void *arg)
{
	int i;

	host_sleep(START - host_now());
	for (i = 0; i < 500000; i++)
		yield();
	CHECK_EQ(host_now(), START);
	switches += current->switches;
	return 7;
}

TEST(switch_cost)
{
	struct task_struct *a, *b;
	u64 from;

	host_params.hold_chance = 0;
	host_params.wake_ns = 0;
	a = host_spawn("a", yielder, NULL);
	b = host_spawn("b", yielder, NULL);
	from = os_clock_ns();
	CHECK_EQ(host_join(a), 7);
	CHECK_EQ(host_join(b), 7);
	CHECK(switches > 400000 && switches < 600000);
	printf("# switch: %llu ns\n", (os_clock_ns() - from) / switches);
}

/* ---- time ---- */

static u64 woke[3];
static int order[3], order_n;

static int sleeper(void *arg)
{
	int i = (int)(long)arg;

	host_sleep((3 - i) * 1000000ULL);
	woke[i] = host_now();
	order[order_n++] = i;
	return 0;
}

TEST(sleep_order)
{
	struct task_struct *t[3];
	int i;

	for (i = 0; i < 3; i++)
		t[i] = host_spawn("s", sleeper, (void *)(long)i);
	for (i = 0; i < 3; i++)
		host_join(t[i]);
	CHECK_EQ(order[0], 2);
	CHECK_EQ(order[2], 0);
	CHECK(woke[0] >= 3000000 && woke[0] < 3100000);
	CHECK(woke[2] >= 1000000 && woke[2] < 1100000);
}

TEST(time_passes_only_on_purpose)
{
	u64 t = host_now();

	CHECK_EQ(host_now(), t);
	cpu_relax();
	CHECK_EQ(host_now(), t + host_params.relax_ns);
	msleep(10);
	CHECK(host_now() >= t + 10000000);
	CHECK(host_now() < t + 20000000);
	t = host_now();
	udelay(3);
	CHECK_EQ(host_now(), t + 3000);
	CHECK_EQ(schedule_timeout_uninterruptible(0), 0);
	CHECK(time_after(jiffies + 1, jiffies));
	CHECK_EQ((u32)INITIAL_JIFFIES, (u32)(-300 * HZ));
}

static int fired;

static enum hrtimer_restart tick(struct hrtimer *t)
{
	fired++;
	CHECK(in_hardirq());
	if (fired == 5)
		return HRTIMER_NORESTART;
	hrtimer_forward(t, hrtimer_get_expires(t), 1000000);
	return HRTIMER_RESTART;
}

TEST(hrtimer_repeats)
{
	struct hrtimer t;

	hrtimer_setup(&t, tick, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	hrtimer_start(&t, 2000000, HRTIMER_MODE_ABS_HARD);
	host_sleep(2500000);
	CHECK_EQ(fired, 1);
	host_sleep(20000000);
	CHECK_EQ(fired, 5);
	CHECK_EQ(hrtimer_cancel(&t), 0);
	hrtimer_start(&t, ktime_get() + 1000, HRTIMER_MODE_ABS_HARD);
	CHECK_EQ(hrtimer_cancel(&t), 1);
	host_sleep(20000000);
	CHECK_EQ(fired, 5);
}

/* ---- locks ---- */

static DEFINE_MUTEX(lock);
static int inside, taken;

static int locker(void *arg)
{
	int i;

	for (i = 0; i < 1000; i++) {
		mutex_lock(&lock);
		CHECK_EQ(inside++, 0);
		taken++;
		if (get_random_u32() & 1)
			usleep_range(1, 5);
		CHECK_EQ(--inside, 0);
		mutex_unlock(&lock);
	}
	return 0;
}

TEST(mutex_excludes)
{
	struct task_struct *t[4];
	int i;

	for (i = 0; i < 4; i++)
		t[i] = host_spawn("l", locker, NULL);
	for (i = 0; i < 4; i++)
		host_join(t[i]);
	CHECK_EQ(taken, 4000);
	CHECK(!mutex_is_locked(&lock));
}

static DECLARE_RWSEM(sem);
static int readers, max_readers, writers;

static int rw_reader(void *arg)
{
	int i;

	for (i = 0; i < 200; i++) {
		down_read(&sem);
		CHECK_EQ(writers, 0);
		readers++;
		max_readers = max(max_readers, readers);
		usleep_range(1, 20);
		readers--;
		up_read(&sem);
	}
	return 0;
}

static int rw_writer(void *arg)
{
	int i;

	for (i = 0; i < 200; i++) {
		down_write(&sem);
		CHECK_EQ(writers++, 0);
		CHECK_EQ(readers, 0);
		usleep_range(1, 5);
		writers--;
		up_write(&sem);
	}
	return 0;
}

TEST(rwsem_shares_and_excludes)
{
	struct task_struct *t[5];
	int i;

	for (i = 0; i < 5; i++)
		t[i] = host_spawn("rw", i < 3 ? rw_reader : rw_writer, NULL);
	for (i = 0; i < 5; i++)
		host_join(t[i]);
	CHECK(max_readers > 1);
}

/* ---- waiting ---- */

static DECLARE_WAIT_QUEUE_HEAD(queue);
static int value;
static struct completion comp;

static int setter(void *arg)
{
	host_sleep(5000000);
	value = 1;
	wake_up(&queue);
	host_sleep(5000000);
	complete(&comp);
	return 0;
}

TEST(wait_event_and_completion)
{
	struct task_struct *t;
	u64 from;

	init_completion(&comp);
	t = host_spawn("setter", setter, NULL);
	CHECK_EQ(wait_event_timeout(queue, value, 1), 0);
	CHECK(host_now() <= 4100000);
	wait_event(queue, value);
	CHECK(host_now() >= 5000000 && host_now() < 5200000);
	CHECK(wait_event_timeout(queue, value, 100) == 100);
	from = host_now();
	CHECK_EQ(wait_for_completion_timeout(&comp, 1), 0);
	CHECK(host_now() > from);
	wait_for_completion(&comp);
	CHECK(!try_wait_for_completion(&comp));
	complete_all(&comp);
	wait_for_completion(&comp);
	wait_for_completion(&comp);
	host_join(t);
}

static int waits_for_signal(void *arg)
{
	CHECK_EQ(wait_event_interruptible(queue, value == 99), -ERESTARTSYS);
	CHECK_EQ(mutex_lock_killable(&lock), -EINTR);
	return 3;
}

TEST(signals_interrupt)
{
	struct task_struct *t;

	mutex_lock(&lock);
	t = host_spawn("victim", waits_for_signal, NULL);
	host_sleep(1000000);
	host_signal(t, false);
	host_sleep(1000000);
	CHECK(!t->dead);
	host_signal(t, true);
	CHECK_EQ(host_join(t), 3);
	mutex_unlock(&lock);
}

/* ---- threads, works ---- */

static int stoppable(void *arg)
{
	int *n = arg;

	while (!kthread_should_stop()) {
		++*n;
		schedule_timeout_interruptible(HZ);
	}
	return 42;
}

TEST(kthread_stops)
{
	struct task_struct *t;
	int n = 0;

	t = kthread_run(stoppable, &n, "stop%d", 1);
	REQUIRE(!IS_ERR(t));
	ssleep(10);
	CHECK(n >= 9 && n <= 11);
	CHECK_EQ(kthread_stop(t), 42);
	t = kthread_create(stoppable, &n, "never");
	n = 0;
	CHECK_EQ(kthread_stop(t), -EINTR);
	CHECK_EQ(n, 0);
}

static int works;

static void work_fn(struct work_struct *w)
{
	msleep(1);
	works++;
}

static void irq_fn(struct irq_work *w)
{
	value++;
}

TEST(works_run)
{
	struct delayed_work d;
	struct work_struct w;
	struct irq_work i;

	INIT_WORK(&w, work_fn);
	INIT_DELAYED_WORK(&d, work_fn);
	schedule_work(&w);
	schedule_delayed_work(&d, HZ);
	CHECK(flush_work(&w));
	CHECK_EQ(works, 1);
	ssleep(2);
	CHECK_EQ(works, 2);
	schedule_delayed_work(&d, HZ);
	CHECK(cancel_delayed_work_sync(&d));
	value = 0;
	init_irq_work(&i, irq_fn);
	CHECK(irq_work_queue(&i));
	CHECK(!irq_work_queue(&i));
	irq_work_sync(&i);
	CHECK_EQ(value, 1);
}

/* ---- rules are enforced ---- */

/* @fn must fail the run or end it */
static void must_fail(void (*fn)(void), const char *what)
{
	int pid, code;

	fflush(NULL);
	pid = os_fork();
	if (!pid) {
		host_quiet = 1;
		fn();
		_exit(host_failed ? 0 : 55);
	}
	code = os_wait(pid);
	if (code == 55)
		host_fail(__FILE__, __LINE__, "not noticed: %s", what);
}

static DEFINE_MUTEX(lock_a);
static DEFINE_MUTEX(lock_b);
static DEFINE_RAW_SPINLOCK(raw);
static DEFINE_SPINLOCK(spin);

static void wrong_order(void)
{
	mutex_lock(&lock_a);
	mutex_lock(&lock_b);
	mutex_unlock(&lock_b);
	mutex_unlock(&lock_a);
	mutex_lock(&lock_b);
	mutex_lock(&lock_a);
}

static void sleep_atomic(void)
{
	raw_spin_lock(&raw);
	msleep(1);
}

static void spin_in_raw(void)
{
	raw_spin_lock(&raw);
	spin_lock(&spin);
}

static void twice(void)
{
	mutex_lock(&lock_a);
	mutex_lock(&lock_a);
}

static void not_mine(void)
{
	mutex_unlock(&lock_a);
}

static void cyclic_allocates(void)
{
	current->cyclic = true;
	kfree(kmalloc(8, GFP_ATOMIC));
}

static void cyclic_locks(void)
{
	current->cyclic = true;
	mutex_lock(&lock_a);
}

static void cyclic_wakes(void)
{
	current->cyclic = true;
	wake_up(&queue);
}

static void stray_free(void)
{
	void *p = kmalloc(8, GFP_KERNEL);

	vfree(p);
}

static void nested_sleep(void)
{
	set_current_state(TASK_INTERRUPTIBLE);
	mutex_lock(&lock_a);
}

static void under_user_copy(void)
{
	down_write(&sem);
	mutex_lock(&lock_a);
	up_write(&sem);
	mutex_unlock(&lock_a);
	mutex_lock(&lock_a);
	down_write(&sem);
}

static void assert_not_held(void)
{
	lockdep_assert_held(&lock_a);
}

TEST(rules_are_enforced)
{
	must_fail(wrong_order, "two orders of two locks");
	must_fail(sleep_atomic, "sleeping under a raw spinlock");
	must_fail(spin_in_raw, "a sleeping spinlock under a raw one");
	must_fail(twice, "a mutex taken twice");
	must_fail(not_mine, "a mutex given back by somebody else");
	must_fail(cyclic_allocates, "the cyclic thread allocates");
	must_fail(cyclic_locks, "the cyclic thread takes a mutex");
	must_fail(cyclic_wakes, "the cyclic thread takes a wait queue's lock");
	must_fail(stray_free, "vfree() of kmalloc() memory");
	must_fail(nested_sleep, "a sleeping lock inside a wait");
	must_fail(under_user_copy, "two orders of a mutex and a rwsem");
	must_fail(assert_not_held, "lockdep_assert_held()");
}

TEST(memory_is_counted_and_refused)
{
	struct host_mem_stats a, b;
	void *p, *q;

	host_mem_stats(&a);
	p = kzalloc(100, GFP_KERNEL);
	q = vmalloc_user(5000);
	host_mem_stats(&b);
	CHECK_EQ(b.live - a.live, 2);
	CHECK(!memchr_inv(p, 0, 100));
	CHECK(((unsigned long)q & 4095) == 0);
	kfree(p);
	vfree(q);
	host_mem_refuse(2, 0);
	p = kmalloc(1, GFP_KERNEL);
	q = kmalloc(1, GFP_KERNEL);
	CHECK(p && !q);
	kfree(p);
	host_mem_stats(&b);
	CHECK_EQ(b.live, a.live);
	CHECK_EQ(b.refused - a.refused, 1);
}

TEST(user_memory_has_bounds)
{
	char *u = host_user_alloc(16), k[32];

	CHECK_EQ(copy_from_user(k, u, 16), 0);
	CHECK_EQ(copy_from_user(k, u + 8, 16), 8);
	CHECK_EQ(copy_to_user(u + 15, k, 2), 1);
	CHECK_EQ(copy_from_user(k, NULL, 1), 1);
	CHECK_EQ(copy_from_user(u, k, 1), 1);
	u[8] = 1;
	CHECK_EQ(copy_struct_from_user(k, 8, u, 16), -E2BIG);
	u[8] = 0;
	CHECK_EQ(copy_struct_from_user(k, 8, u, 16), 0);
	CHECK_EQ(copy_struct_from_user(k, 32, u, 16), 0);
	host_user_free(u);
}

struct item {
	struct llist_node node;
	int v;
};

TEST(llist_walks)
{
	struct item it[3] = { { .v = 1 }, { .v = 2 }, { .v = 3 } }, *p, *n;
	LLIST_HEAD(head);
	int sum = 0, i;

	for (i = 0; i < 3; i++)
		CHECK_EQ(llist_add(&it[i].node, &head), i == 0);
	llist_for_each_entry_safe(p, n, llist_reverse_order(llist_del_all(&head)), node)
		sum = sum * 10 + p->v;
	CHECK_EQ(sum, 123);
	CHECK(llist_empty(&head));
}

static u64 chaos_hash;

static int chaos(void *arg)
{
	u64 id = (u64)(long)arg;
	int i;

	for (i = 0; i < 200; i++) {
		mutex_lock(&lock);
		chaos_hash = chaos_hash * 31 + id;
		mutex_unlock(&lock);
		usleep_range(1, 50);
	}
	return 0;
}

static u64 chaos_run(u64 seed)
{
	struct task_struct *t[4];
	int i;

	host_seed(seed);
	chaos_hash = 0;
	for (i = 0; i < 4; i++)
		t[i] = host_spawn("c", chaos, (void *)(long)(i + 1));
	for (i = 0; i < 4; i++)
		host_join(t[i]);
	return chaos_hash;
}

TEST(seed_decides)
{
	u64 a = chaos_run(5), b = chaos_run(6);

	CHECK(a != b);
	CHECK_EQ(chaos_run(5), a);
	CHECK_EQ(chaos_run(6), b);
}
