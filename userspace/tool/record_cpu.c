// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who had the CPU: interrupts on top of softirqs on top of tasks, as the events
 * tell of it, once as slices that lie in each other, once as pieces of whoever
 * was innermost.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

#define DEPTH	16

struct open {
	uint64_t from;
	uint8_t kind;	/* EV_*_IN */
	uint16_t name;
};

struct state {
	struct cpu_time *t;
	const struct blob *b;
	int32_t pid;
	struct open irq[DEPTH];	/* may lie in each other */
	unsigned int depth;
	struct open soft, task;
	bool in_soft, in_task;
	uint64_t since;		/* the innermost has the CPU */
	bool began;
	int err;
};

static uint16_t name_of(struct state *s, const char *text)
{
	struct cpu_time *t = s->t;

	for (uint32_t i = 0; i < t->names; i++)
		if (!strcmp(t->name[i], text))
			return (uint16_t)i;
	if (t->names == NAMES_MAX)
		return NAME_UNKNOWN;
	snprintf(t->name[t->names], sizeof(*t->name), "%s", text);
	return (uint16_t)t->names++;
}

static void *grow(void *list, size_t n, size_t *room, size_t elem)
{
	void *more;

	if (n < *room)
		return list;
	*room = 2 * *room + 1024;
	more = realloc(list, *room * elem);
	if (!more)
		*room = n;
	return more;
}

static void add_slice(struct state *s, uint8_t track, const struct open *o, uint64_t to)
{
	struct cpu_time *t = s->t;
	struct slice *more = grow(t->slice, t->slices, &t->slice_room, sizeof(*more));

	if (!more) {
		s->err = -ENOMEM;
		return;
	}
	t->slice = more;
	if (to >= o->from)
		more[t->slices++] = (struct slice){ o->from, to, o->name, track };
}

static uint16_t innermost(const struct state *s)
{
	if (s->depth)
		return s->irq[s->depth - 1].name;
	if (s->in_soft)
		return s->soft.name;
	return s->in_task ? s->task.name : NAME_UNKNOWN;
}

/* the innermost had the CPU until now */
static void cut(struct state *s, uint64_t now)
{
	struct cpu_time *t = s->t;
	struct piece *more = grow(t->piece, t->pieces, &t->piece_room, sizeof(*more));

	if (!more) {
		s->err = -ENOMEM;
		return;
	}
	t->piece = more;
	if (s->began && now > s->since)
		more[t->pieces++] = (struct piece){ s->since, now, innermost(s) };
	s->since = now;
	s->began = true;
}

static void enter(struct state *s, const struct ev *ev, const char *text)
{
	if (s->depth < DEPTH)
		s->irq[s->depth++] = (struct open){ ev->ns, ev->kind, name_of(s, text) };
}

/* out of the innermost of its kind, and of what was not left properly in it */
static void leave(struct state *s, uint8_t kind, uint64_t now)
{
	unsigned int d = s->depth;

	while (d && s->irq[d - 1].kind != kind)
		d--;
	for (; d && s->depth >= d; s->depth--)
		add_slice(s, TRACK_IRQ, &s->irq[s->depth - 1], now);
}

static void end_task(struct state *s, uint64_t now)
{
	if (s->in_soft)
		add_slice(s, TRACK_SOFTIRQ, &s->soft, now);
	if (s->in_task)
		add_slice(s, TRACK_TASK, &s->task, now);
	s->in_soft = false;
	s->in_task = false;
}

static uint16_t task_name(struct state *s, int32_t pid, const char *comm)
{
	char text[64];

	if (pid == s->pid)
		return NAME_SELF;
	if (!pid)
		return NAME_IDLE;
	snprintf(text, sizeof(text), "%s [%d]", comm, pid);
	return name_of(s, text);
}

static void switch_task(struct state *s, const struct ev *ev)
{
	/* nothing of an interrupt outlives it, whatever was lost */
	for (; s->depth; s->depth--)
		add_slice(s, TRACK_IRQ, &s->irq[s->depth - 1], ev->ns);
	end_task(s, ev->ns);
	s->task = (struct open){ ev->ns, ev->kind, task_name(s, ev->num, ev->name) };
	s->in_task = true;
}

static void timer(struct state *s, const struct ev *ev)
{
	char func[48], text[64];

	blob_symbol(s->b, ev->ptr, func, sizeof(func));
	/* the one that wakes the cyclic thread, or is the cycle */
	if (!strcmp(func, "kecat_tick_fired [kecat]")) {
		if (s->depth < DEPTH)
			s->irq[s->depth++] = (struct open){ ev->ns, ev->kind, NAME_SELF };
		return;
	}
	snprintf(text, sizeof(text), "timer %s", func);
	enter(s, ev, text);
}

static const char *softirq_name(int32_t vec, char *buf, size_t room)
{
	static const char *const names[] = {
		"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET",
		"SCHED", "HRTIMER", "RCU",
	};

	if (vec >= 0 && (size_t)vec < sizeof(names) / sizeof(*names))
		snprintf(buf, room, "softirq %s", names[vec]);
	else
		snprintf(buf, room, "softirq %d", vec);
	return buf;
}

/* told of when it was over: it had the CPU before */
static void nmi(struct state *s, const struct ev *ev)
{
	struct open o = { ev->ns - ev->ptr, ev->kind, name_of(s, "NMI") };

	if (s->began && o.from < s->since)
		o.from = s->since;
	cut(s, o.from);
	if (s->depth < DEPTH && !s->err)
		s->irq[s->depth++] = o;
	cut(s, ev->ns);
	leave(s, EV_NMI, ev->ns);
}

static void take(struct state *s, const struct ev *ev)
{
	char text[64];

	if (ev->kind == EV_NMI) {
		nmi(s, ev);
		return;
	}
	if (ev->kind == EV_SWITCH && !s->in_task && s->began) {
		/* who ran so far is told of now */
		s->task = (struct open){ s->since, EV_SWITCH,
					 task_name(s, ev->before, ev->from) };
		s->in_task = true;
	}
	cut(s, ev->ns);
	switch (ev->kind) {
	case EV_IRQ_IN:
		snprintf(text, sizeof(text), "irq %d %s", ev->num, ev->name);
		enter(s, ev, text);
		break;
	case EV_VECTOR_IN:
		snprintf(text, sizeof(text), "vector %s", ev->name);
		enter(s, ev, text);
		break;
	case EV_TIMER_IN:
		timer(s, ev);
		break;
	case EV_IRQ_OUT:
	case EV_VECTOR_OUT:
	case EV_TIMER_OUT:
		leave(s, ev->kind - 1, ev->ns);
		break;
	case EV_SOFTIRQ_IN:
		s->soft = (struct open){ ev->ns, ev->kind,
			name_of(s, softirq_name(ev->num, text, sizeof(text))) };
		s->in_soft = true;
		break;
	case EV_SOFTIRQ_OUT:
		if (s->in_soft)
			add_slice(s, TRACK_SOFTIRQ, &s->soft, ev->ns);
		s->in_soft = false;
		break;
	case EV_SWITCH:
		switch_task(s, ev);
		break;
	case EV_LOST:
		s->depth = 0;
		s->in_soft = false;
		s->in_task = false;
	}
}

/* by track and time, what holds another before it */
static int compare(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to > y->to ? -1 : x->to < y->to;
}

/*
 * Tracing stops as the recording does.  Who had the CPU when the last event came
 * has had it until then, unless the trace ended long before.
 */
static uint64_t traced_until(const struct kecat_recording *r, uint64_t last)
{
	const struct kecat_record_cycle *c;
	uint64_t end;

	if (!r->st.have_cycles || !last)
		return last;
	c = &r->cycle[r->st.have_cycles - 1];
	end = c->at[KECAT_LAT_TOTAL];
	return end > last && end - last < r->st.cycle_ns ? end : last;
}

int cpu_time_build(const struct blob *b, const struct evs *e, unsigned int cpu,
		   const struct kecat_recording *r, struct cpu_time *t)
{
	struct state s = { .t = t, .b = b, .pid = r->st.pid };
	uint64_t last = 0;

	memset(t, 0, sizeof(*t));
	t->name = calloc(NAMES_MAX, sizeof(*t->name));
	if (!t->name)
		return -ENOMEM;
	name_of(&s, "unknown");
	name_of(&s, "kecat itself");
	name_of(&s, "idle");
	for (size_t i = 0; i < e->n && !s.err; i++) {
		/* an order that is none is no order of one CPU */
		if (e->ev[i].cpu != cpu || e->ev[i].ns < last)
			continue;
		last = e->ev[i].ns;
		take(&s, &e->ev[i]);
	}
	last = traced_until(r, last);
	if (!s.err) {
		cut(&s, last);
		for (; s.depth; s.depth--)
			add_slice(&s, TRACK_IRQ, &s.irq[s.depth - 1], last);
		end_task(&s, last);
		if (t->slices)
			qsort(t->slice, t->slices, sizeof(*t->slice), compare);
	}
	if (s.err)
		cpu_time_free(t);
	return s.err;
}

void cpu_time_free(struct cpu_time *t)
{
	free(t->name);
	free(t->slice);
	free(t->piece);
	memset(t, 0, sizeof(*t));
}
