// SPDX-License-Identifier: GPL-2.0-only
/* Threads, virtual time, and what happens when. */
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/timer.h>
#include "host.h"

/* of things due at the same instant none is overtaken by more than this */
#define TIE_WINDOW	8

#define STACK_SIZE	(256 * 1024)

struct host_params host_params;
const struct cpumask host_all_cpus = { { 0xf } };
unsigned long host_isolated_cpus;
struct task_struct *host_current;

static struct task_struct idle;		/* the thread that main() runs on */
static LIST_HEAD(tasks);
static u64 now, rng, added;
static pid_t next_pid;
static enum host_ctx context;
static int irq_atomic;
static struct task_struct *reap;	/* dead: its stack is given back by the next */
static void *stack_cache[64];
static unsigned int stacks_cached;

/* ---- random numbers ---- */

void host_seed(u64 seed)
{
	rng = seed * 0x2545f4914f6cdd1dULL + 1;
}

u64 host_rand(void)
{
	u64 z = (rng += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

u64 host_rand_below(u64 n)
{
	return n ? (u64)((unsigned __int128)host_rand() * n >> 64) : 0;
}

bool host_chance(u32 per_million)
{
	return per_million && host_rand_below(1000000) < per_million;
}

/* ---- the heap of what is due ---- */

static struct host_node **heap;
static unsigned int heap_n, heap_room;

static bool before(const struct host_node *a, const struct host_node *b)
{
	return a->time < b->time || (a->time == b->time && a->tie < b->tie);
}

static void heap_set(unsigned int i, struct host_node *n)
{
	heap[i] = n;
	n->pos = i + 1;
}

static void heap_up(unsigned int i, struct host_node *n)
{
	while (i && before(n, heap[(i - 1) / 2])) {
		heap_set(i, heap[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
	heap_set(i, n);
}

static void heap_down(unsigned int i, struct host_node *n)
{
	for (;;) {
		unsigned int k = 2 * i + 1;

		if (k >= heap_n)
			break;
		if (k + 1 < heap_n && before(heap[k + 1], heap[k]))
			k++;
		if (!before(heap[k], n))
			break;
		heap_set(i, heap[k]);
		i = k;
	}
	heap_set(i, n);
}

void host_node_add(struct host_node *n, u64 time)
{
	if (n->pos)
		host_node_del(n);
	if (heap_n == heap_room) {
		heap_room = heap_room ? 2 * heap_room : 256;
		heap = realloc(heap, heap_room * sizeof(*heap));
		if (!heap)
			abort();
	}
	n->time = time > now ? time : now;
	n->tie = ++added + host_rand_below(TIE_WINDOW);
	heap_n++;
	heap_up(heap_n - 1, n);
}

bool host_node_del(struct host_node *n)
{
	unsigned int i = n->pos - 1;
	struct host_node *last;

	if (!n->pos)
		return false;
	n->pos = 0;
	last = heap[--heap_n];
	if (last == n)
		return true;
	if (i && before(last, heap[(i - 1) / 2]))
		heap_up(i, last);
	else
		heap_down(i, last);
	return true;
}

/* ---- contexts ---- */

enum host_ctx host_context(void)
{
	return context;
}

void host_enter(enum host_ctx ctx)
{
	context = ctx;
}

void host_leave(enum host_ctx was)
{
	context = was;
}

static int *atomic_depth(void)
{
	return context == HOST_TASK ? &current->atomic : &irq_atomic;
}

int host_atomic_depth(void)
{
	return *atomic_depth() + (context != HOST_TASK);
}

void preempt_disable(void)
{
	++*atomic_depth();
}

void preempt_enable(void)
{
	if (--*atomic_depth() < 0)
		host_fatal(__FILE__, __LINE__, "preempt_enable() without disable");
}

void host_exempt_begin(void)
{
	current->exempt++;
}

void host_exempt_end(void)
{
	current->exempt--;
}

bool host_exempt(void)
{
	return current->exempt > 0;
}

/* ---- switching ---- */

#ifdef __SANITIZE_ADDRESS__
void __sanitizer_start_switch_fiber(void **save, const void *bottom, size_t n);
void __sanitizer_finish_switch_fiber(void *save, const void **bottom, size_t *n);
void __asan_unpoison_memory_region(const volatile void *p, size_t n);

static void fiber_leave(struct task_struct *from, struct task_struct *to)
{
	__sanitizer_start_switch_fiber(from->dead ? NULL : &from->fiber,
				       to->stack ? to->stack : to->fiber_bottom,
				       to->stack ? to->stack_size : to->fiber_size);
}

static void fiber_arrive(struct task_struct *t)
{
	const void *bottom;
	size_t n;

	__sanitizer_finish_switch_fiber(t->fiber, &bottom, &n);
	if (!idle.fiber_bottom) {
		idle.fiber_bottom = (void *)bottom;
		idle.fiber_size = n;
	}
}

static void fiber_clean(void *stack, size_t n)
{
	__asan_unpoison_memory_region(stack, n);
}
#else
static void fiber_leave(struct task_struct *from, struct task_struct *to)
{
}

static void fiber_arrive(struct task_struct *t)
{
}

static void fiber_clean(void *stack, size_t n)
{
}
#endif

static void *stack_get(void)
{
	void *s = stacks_cached ? stack_cache[--stacks_cached] :
				  os_stack_alloc(STACK_SIZE);

	fiber_clean(s, STACK_SIZE);
	return s;
}

static void stack_put(void *s)
{
	if (stacks_cached < ARRAY_SIZE(stack_cache))
		stack_cache[stacks_cached++] = s;
	else
		os_stack_free(s, STACK_SIZE);
}

static void arrived(void)
{
	struct task_struct *dead = reap;

	fiber_arrive(current);
	context = current->ctx;
	if (!dead)
		return;
	reap = NULL;
	stack_put(dead->stack);
	dead->stack = NULL;
	put_task_struct(dead);
}

static void switch_to(struct task_struct *t)
{
	struct task_struct *from = current;

	if (t == from)
		return;
	host_current = t;
	t->switches++;
	fiber_leave(from, t);
	ctx_switch(&from->sp, t->sp);
	arrived();
}

static void advance(u64 to)
{
	if (to <= now)
		return;
	now = to;
	if (now > host_params.limit_ns)
		host_fatal(__FILE__, __LINE__, "virtual time limit reached");
}

/* runs what is due until a thread is, and switches to it */
static void run_next(void)
{
	current->ctx = context;
	for (;;) {
		struct host_node *n = heap_n ? heap[0] : NULL;

		if (!n) {
			printf("# deadlock: nothing will ever happen again\n");
			host_dump_tasks();
			_exit(97);
		}
		advance(n->time);
		host_node_del(n);
		if (!n->fn) {
			switch_to(container_of(n, struct task_struct, node));
			context = current->ctx;
			return;
		}
		context = n->ctx;
		n->fn(n);
		context = HOST_TASK;
		if (irq_atomic)
			host_fatal(__FILE__, __LINE__,
				   "callback left a lock held");
	}
}

/* the current thread goes on at @when, whatever its state */
static void resume_at(u64 when)
{
	host_node_add(&current->node, when);
	run_next();
}

/* polling, delays: in a thread others run meanwhile */
void host_spend(u64 ns)
{
	u64 until = now + ns;

	if (!heap_n || heap[0]->time > until ||
	    (context != HOST_TASK && !current->interrupt) || current->atomic || current->spins) {
		advance(until);
		return;
	}
	resume_at(until);
}

/* a place where another CPU may be faster */
void host_point(void)
{
	if (!host_params.hold_chance || context != HOST_TASK ||
	    current->atomic || current->spins || current == &idle ||
	    host_exempt())
		return;
	if ((host_rand() & 0xff) < host_params.hold_chance)
		host_spend(host_rand_below(current->cyclic ? 200 : 3000));
}

void cpu_relax(void)
{
	host_spend(host_params.relax_ns);
}

void host_delay_ns(u64 ns)
{
	host_spend(ns);
}

ktime_t ktime_get(void)
{
	advance(now + host_params.clock_ns);
	return (ktime_t)now;
}

u64 local_clock(void)
{
	return now;
}

u64 sched_clock(void)
{
	return now;
}

u64 host_now(void)
{
	return now;
}

unsigned long host_jiffies(void)
{
	return INITIAL_JIFFIES + now / TICK_NSEC;
}

void schedule(void)
{
	if (context != HOST_TASK)
		host_fatal(__FILE__, __LINE__, "schedule() in an interrupt");
	if (current->atomic || current->spins)
		host_fatal(__FILE__, __LINE__, "scheduling while atomic");
	if (signal_pending_state(current->__state, current))
		current->__state = TASK_RUNNING;
	if (current->__state == TASK_RUNNING) {
		resume_at(now);
		return;
	}
	run_next();
}

void yield(void)
{
	current->__state = TASK_RUNNING;
	schedule();
}

int host_cond_resched(void)
{
	host_might_sleep(__FILE__, __LINE__);
	host_point();
	return 0;
}

void host_set_state(unsigned int state)
{
	current->__state = state;
	barrier();
}

/* in an interrupt the current thread is off its CPU, like all others */
static bool on_cpu(const struct task_struct *t)
{
	return t == current && context == HOST_TASK;
}

int host_try_wake(struct task_struct *t, unsigned int state)
{
	u64 late = t->cyclic ? host_params.rt_wake_ns : host_params.wake_ns;

	if (!(t->__state & state))
		return 0;
	t->__state = TASK_RUNNING;
	if (!t->node.pos && !on_cpu(t))
		host_node_add(&t->node, now + host_rand_below(1 + late));
	return 1;
}

int wake_up_process(struct task_struct *t)
{
	return host_try_wake(t, TASK_NORMAL);
}

int wake_up_state(struct task_struct *t, unsigned int state)
{
	return host_try_wake(t, state);
}

/* no parameter of a module is given here */
int cpulist_parse(const char *s, struct cpumask *m)
{
	return -EINVAL;
}

/* ---- birth and death ---- */

static void __noreturn task_exit(int result)
{
	struct task_struct *t = current, *w, *next;

	host_hold_check();
	context = HOST_TASK;
	t->result = result;
	t->dead = true;
	t->__state = TASK_DEAD;
	list_del_init(&t->all);
	list_for_each_entry_safe(w, next, &t->joiners, joining) {
		list_del_init(&w->joining);
		host_try_wake(w, TASK_UNINTERRUPTIBLE);
	}
	reap = t;
	run_next();
	unreachable();
}

void __noreturn kthread_exit(long code)
{
	task_exit((int)code);
}

static void task_entry(void)
{
	struct task_struct *t;

	arrived();
	t = current;
	/* stopped before it ever ran: its function is not called at all */
	if (t->should_stop)
		task_exit(-EINTR);
	task_exit(t->fn(t->data));
}

struct task_struct *host_task_new(const char *name, int (*fn)(void *), void *arg)
{
	struct task_struct *t = calloc(1, sizeof(*t));

	if (!t)
		abort();
	strscpy(t->comm, name, sizeof(t->comm));
	t->pid = t->tgid = ++next_pid;
	t->prio = t->static_prio = 120;
	t->nr_cpus_allowed = 4;
	t->cpus_ptr = &host_all_cpus;
	/* one reference of the thread itself, one of whoever joins it */
	refcount_set(&t->usage, 1);
	t->fn = fn;
	t->data = arg;
	t->__state = TASK_UNINTERRUPTIBLE;
	INIT_LIST_HEAD(&t->joiners);
	INIT_LIST_HEAD(&t->joining);
	list_add_tail(&t->all, &tasks);
	t->stack = stack_get();
	t->stack_size = STACK_SIZE;
	t->sp = ctx_make(t->stack, STACK_SIZE, task_entry);
	return t;
}

struct task_struct *get_task_struct(struct task_struct *t)
{
	refcount_inc(&t->usage);
	return t;
}

void put_task_struct(struct task_struct *t)
{
	if (refcount_dec_and_test(&t->usage))
		free(t);
}

void host_interrupt(int (*fn)(void *arg), void *arg)
{
	struct task_struct *t = host_task_new("interrupt", fn, arg);

	t->ctx = HOST_HARD;
	t->interrupt = true;
	t->__state = TASK_RUNNING;
	host_node_add(&t->node, now);
}

static int task_join(struct task_struct *t)
{
	int result;

	get_task_struct(t);
	while (!t->dead) {
		current->__state = TASK_UNINTERRUPTIBLE;
		list_add_tail(&current->joining, &t->joiners);
		schedule();
		/* whoever woke it */
		list_del_init(&current->joining);
	}
	result = t->result;
	put_task_struct(t);
	return result;
}

/* ---- kernel threads ---- */

struct task_struct *kthread_create(int (*fn)(void *), void *data,
				   const char *fmt, ...)
{
	struct task_struct *t;
	char name[TASK_COMM_LEN];
	va_list ap;

	host_might_sleep(__FILE__, __LINE__);
	if (host_mem_refused(sizeof(*t)))
		return ERR_PTR(-ENOMEM);
	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	t = host_task_new(name, fn, data);
	t->flags = PF_KTHREAD;
	host_point();
	return t;
}

void kthread_bind(struct task_struct *t, unsigned int cpu)
{
	static const struct cpumask one[NR_CPUS] = { { { 1 } }, { { 2 } }, { { 4 } }, { { 8 } } };

	WARN_ON(t->switches);
	t->nr_cpus_allowed = 1;
	t->cpus_ptr = &one[cpu];
}

int kthread_stop(struct task_struct *t)
{
	host_might_sleep(__FILE__, __LINE__);
	WARN_ON(!(t->flags & PF_KTHREAD));
	t->should_stop = true;
	kthread_unpark(t);
	host_try_wake(t, TASK_NORMAL);
	return task_join(t);
}

int kthread_stop_put(struct task_struct *t)
{
	int err = kthread_stop(t);

	put_task_struct(t);
	return err;
}

bool kthread_should_stop(void)
{
	WARN_ON(!(current->flags & PF_KTHREAD));
	return current->should_stop;
}

bool kthread_should_park(void)
{
	return current->should_park;
}

void kthread_parkme(void)
{
	while (current->should_park) {
		current->parked = true;
		current->__state = TASK_UNINTERRUPTIBLE;
		schedule();
	}
	current->parked = false;
}

int kthread_park(struct task_struct *t)
{
	t->should_park = true;
	host_try_wake(t, TASK_NORMAL);
	while (!t->parked && !t->dead)
		schedule_timeout_uninterruptible(1);
	return 0;
}

void kthread_unpark(struct task_struct *t)
{
	if (!t->should_park)
		return;
	t->should_park = false;
	host_try_wake(t, TASK_NORMAL);
}

int sched_setattr_nocheck(struct task_struct *t, const struct sched_attr *a)
{
	if (a->sched_policy == SCHED_FIFO &&
	    (a->sched_priority < 1 || a->sched_priority > 99))
		return -EINVAL;
	t->policy = a->sched_policy;
	t->rt_priority = a->sched_priority;
	t->cyclic = a->sched_policy == SCHED_FIFO;
	return 0;
}

void sched_set_fifo(struct task_struct *t)
{
	const struct sched_attr a = {
		.sched_policy = SCHED_FIFO, .sched_priority = 50,
	};

	sched_setattr_nocheck(t, &a);
}

/* ---- user processes ---- */

struct task_struct *host_spawn(const char *name, int (*fn)(void *), void *arg)
{
	struct task_struct *t = host_task_new(name, fn, arg);

	t->user = true;
	t->mm = (struct mm_struct *)t;
	get_task_struct(t);
	host_try_wake(t, TASK_UNINTERRUPTIBLE);
	return t;
}

int host_join(struct task_struct *t)
{
	int result = task_join(t);

	put_task_struct(t);
	return result;
}

void host_signal(struct task_struct *t, bool fatal)
{
	t->signal = true;
	t->fatal |= fatal;
	host_try_wake(t, TASK_INTERRUPTIBLE | (fatal ? TASK_WAKEKILL : 0));
}

/* ---- a run ---- */

/* where a thread that does not run is: along its frame pointers */
static void show_stack(const struct task_struct *t)
{
#if defined(__x86_64__) && !defined(HOST_UCONTEXT)
	void **frame = t->sp, *at[24];
	int n = 0;

	/* as ctx_switch() left it: five registers, frame pointer, return */
	at[n++] = frame[6];
	for (frame = frame[5]; n < 24 && (char *)frame > (char *)t->stack &&
	     (char *)(frame + 2) < (char *)t->stack + t->stack_size && frame[1];
	     frame = *frame)
		at[n++] = frame[1];
	os_show_code(at, n);
#endif
}

void host_dump_tasks(void)
{
	struct task_struct *t;

	list_for_each_entry(t, &tasks, all) {
		printf("#   %s pid %d state %x%s\n", t->comm, t->pid,
		       t->__state, t->node.pos ? " due" : "");
		if (t->waits_in)
			printf("#     waits at %s:%d\n", t->waits_in,
			       t->waits_line);
		if (t != current && t->switches)
			show_stack(t);
	}
	fflush(NULL);
}

struct run {
	void (*fn)(void *arg);
	void *arg;
};

static int run_main(void *arg)
{
	struct run *r = arg;

	r->fn(r->arg);
	return 0;
}

void host_sched_init(u64 seed)
{
	host_seed(seed);
	now = 0;
	host_current = &idle;
	idle.__state = TASK_RUNNING;
	strscpy(idle.comm, "idle", sizeof(idle.comm));
	refcount_set(&idle.usage, 1);
	INIT_LIST_HEAD(&idle.joining);
}

static void report_left(void)
{
	struct task_struct *t;

	list_for_each_entry(t, &tasks, all)
		host_fail(__FILE__, __LINE__, "thread %s is left", t->comm);
	if (heap_n && list_empty(&tasks))
		host_fail(__FILE__, __LINE__, "%u timers are left", heap_n);
}

void host_run(u64 seed, void (*fn)(void *arg), void *arg)
{
	struct run r = { fn, arg };
	struct task_struct *t;
	u64 mark = host_mem_mark();

	host_sched_init(seed);
	t = host_spawn("main", run_main, &r);
	host_join(t);
	host_work_drain();
	report_left();
	host_mem_leaks(mark);
}
