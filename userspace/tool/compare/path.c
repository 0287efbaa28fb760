// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "path.h"

#define NET_RX	3	/* softirq */
#define ANY	(-1)

/* ---- events by time ---- */

static int by_time(const void *a, const void *b)
{
	const struct ev *x = *(const struct ev *const *)a;
	const struct ev *y = *(const struct ev *const *)b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	/* as they came */
	return x < y ? -1 : x > y;
}

int stream_make(struct stream *s, const struct evs *e)
{
	memset(s, 0, sizeof(*s));
	s->ev = calloc(e->n + 1, sizeof(*s->ev));
	if (!s->ev)
		return -ENOMEM;
	for (size_t i = 0; i < e->n; i++)
		s->ev[s->n++] = &e->ev[i];
	qsort(s->ev, s->n, sizeof(*s->ev), by_time);
	return 0;
}

void stream_free(struct stream *s)
{
	free(s->ev);
	memset(s, 0, sizeof(*s));
}

/* the first event that is not before @ns */
static size_t at(const struct stream *s, uint64_t ns)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->ev[mid]->ns < ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* events were lost between the one before on this CPU and this one */
static uint64_t lost_since(const struct stream *s, size_t i)
{
	uint16_t cpu = s->ev[i]->cpu;

	while (i--)
		if (s->ev[i]->cpu == cpu)
			return s->ev[i]->ns;
	return 0;
}

bool stream_whole(const struct stream *s, uint64_t from, uint64_t to)
{
	for (size_t i = at(s, from); i < s->n; i++)
		if (s->ev[i]->kind == EV_LOST && lost_since(s, i) <= to)
			return false;
	return true;
}

/* ---- looking for one ---- */

struct want {
	uint8_t kind;
	int cpu;
	int32_t num;
	int32_t by;
	const char *name;
};

static struct want want(uint8_t kind, int cpu, int32_t num)
{
	return (struct want){ .kind = kind, .cpu = cpu, .num = num, .by = ANY };
}

static bool is_one(const struct ev *ev, const struct want *w)
{
	return ev->kind == w->kind && (w->cpu == ANY || ev->cpu == w->cpu) &&
	       (w->num == ANY || ev->num == w->num) &&
	       (w->by == ANY || ev->by == w->by) &&
	       (!w->name || !strcmp(ev->name, w->name));
}

/* the last one in [low, *high), or NULL; *high becomes its place */
static const struct ev *last(const struct stream *s, size_t low, size_t *high,
			     struct want w)
{
	for (size_t i = *high; i-- > low;)
		if (is_one(s->ev[i], &w)) {
			*high = i;
			return s->ev[i];
		}
	return NULL;
}

static bool any(const struct stream *s, size_t low, size_t high, struct want w)
{
	return last(s, low, &high, w);
}

/* ---- the marks of a way ---- */

enum mark {
	SOCKET, QDISC, DRIVER, IRQ, THREAD_WOKEN, THREAD_RUNS, RAISED, POLLS,
	STACK, WOKEN, RUNS, MARKS
};

/* what ended there */
static const char *const ends[MARKS + 1] = {
	[SOCKET] = "send(): system call, socket",
	[QDISC] = "queueing discipline",
	[DRIVER] = "driver sends, rings the doorbell",
	[IRQ] = "wire; recv() goes to sleep meanwhile",
	[THREAD_WOKEN] = "interrupt, wakes its thread",
	[THREAD_RUNS] = "scheduling of the interrupt's thread",
	[RAISED] = "interrupt handler",
	[POLLS] = "until NAPI runs",
	[STACK] = "NAPI: driver takes the frame",
	[WOKEN] = "stack, packet socket, wakes the program",
	[RUNS] = "scheduling of the program",
	[MARKS] = "recv() returns",
};

struct way {
	const struct stream *s;
	size_t low;		/* events of the round: first, and behind the last */
	size_t high;
	int32_t pid;
	const char *ifname;
	size_t sent;		/* the frame is with the NIC: behind that event */
	bool mark[MARKS];
	uint64_t at[MARKS];
	/* what led to the next mark was before @sent: of an earlier interrupt */
	bool thread_early;
	bool raised_early;
	bool polls_already;
};

static void set(struct way *w, enum mark m, const struct ev *ev)
{
	w->mark[m] = true;
	w->at[m] = ev->ns;
}

/* by the program itself, on its interface */
static struct want own(const struct way *w, uint8_t kind)
{
	return (struct want){
		.kind = kind, .cpu = ANY, .num = ANY, .by = w->pid, .name = w->ifname,
	};
}

/* out: the last frame of the round */
static void find_send(struct way *w)
{
	size_t i = w->high;
	const struct ev *ev;

	w->sent = w->low;
	ev = last(w->s, w->low, &i, own(w, EV_SENT));
	if (!ev)
		return;
	w->sent = i + 1;
	set(w, DRIVER, ev);
	ev = last(w->s, w->low, &i, own(w, EV_XMIT));
	if (ev)
		set(w, QDISC, ev);
	ev = ev ? last(w->s, w->low, &i, own(w, EV_QUEUE)) : NULL;
	if (ev)
		set(w, SOCKET, ev);
}

/* what made @ev: an interrupt on that CPU, or the thread of one */
static void find_irq(struct way *w, const struct ev *ev, size_t i)
{
	size_t k = i, t = i;
	const struct ev *irq = last(w->s, w->sent, &k, want(EV_IRQ_IN, ev->cpu, ANY));

	if (irq && !any(w->s, k, i, want(EV_IRQ_OUT, ev->cpu, irq->num))) {
		set(w, IRQ, irq);
		return;
	}
	irq = last(w->s, w->sent, &t, want(EV_SWITCH, ev->cpu, ev->by));
	if (!irq)
		return;
	set(w, THREAD_RUNS, irq);
	irq = last(w->s, w->low, &t, want(EV_WAKING, ANY, ev->by));
	w->thread_early = irq && t < w->sent;
	if (!irq || w->thread_early)
		return;
	set(w, THREAD_WOKEN, irq);
	/* the kernel wakes it behind the handler, in the same interrupt */
	irq = last(w->s, w->sent, &t, want(EV_IRQ_IN, irq->cpu, ANY));
	if (irq)
		set(w, IRQ, irq);
}

/* what made the poll at @i begin; NULL if that is not known */
static const struct ev *find_raise(struct way *w, const struct ev *frame, size_t *i)
{
	size_t k = *i;
	const struct ev *ev = last(w->s, 0, &k, want(EV_SOFTIRQ_IN, frame->cpu, NET_RX));
	struct want raise = want(EV_RAISE, frame->cpu, NET_RX);

	if (!ev || any(w->s, k, *i, want(EV_SOFTIRQ_OUT, frame->cpu, NET_RX))) {
		/* no softirq that lasts: NAPI has a thread */
		k = *i;
		ev = last(w->s, 0, &k, want(EV_SWITCH, frame->cpu, frame->by));
		raise = want(EV_WAKING, ANY, frame->by);
	}
	w->polls_already = ev && k < w->sent;
	if (!ev || w->polls_already)
		return NULL;
	set(w, POLLS, ev);
	*i = k;
	return last(w->s, w->low, i, raise);
}

static void find_poll(struct way *w, const struct ev *frame, size_t i)
{
	const struct ev *ev = find_raise(w, frame, &i);

	w->raised_early = ev && i < w->sent;
	if (!ev || w->raised_early)
		return;
	set(w, RAISED, ev);
	find_irq(w, ev, i);
}

/* back: from the program's running to the interrupt */
static void find_receive(struct way *w)
{
	const struct ev *ev, *woken = NULL;
	struct want taken;
	size_t i = w->high, k;

	ev = last(w->s, w->sent, &i, want(EV_SWITCH, ANY, w->pid));
	if (ev) {
		set(w, RUNS, ev);
		woken = last(w->s, w->sent, &i, want(EV_WAKING, ANY, w->pid));
	}
	if (woken)
		set(w, WOKEN, woken);
	k = woken ? i : w->high;
	taken = want(EV_RECEIVE, woken ? woken->cpu : ANY, ANY);
	taken.name = w->ifname;
	ev = last(w->s, w->sent, &k, taken);
	if (!ev)
		return;
	set(w, STACK, ev);
	find_poll(w, ev, k);
}

/*
 * A piece is explained if it ends at a mark and the way before that is known: a
 * missing mark would have its time shown under the next one's name.
 */
static bool explained(const struct way *w, int m)
{
	switch (m) {
	case SOCKET:
		return true;
	case QDISC:
		return w->mark[SOCKET];
	case DRIVER:
		return w->mark[QDISC];
	case IRQ:
		return w->mark[DRIVER];
	case THREAD_WOKEN:
		return w->mark[IRQ];
	case THREAD_RUNS:
		return w->mark[THREAD_WOKEN] || (w->thread_early && w->mark[DRIVER]);
	case RAISED:
		return w->mark[IRQ] || w->mark[THREAD_RUNS];
	case POLLS:
		return w->mark[RAISED] || (w->raised_early && w->mark[DRIVER]);
	case STACK:
		return w->mark[POLLS] || (w->polls_already && w->mark[DRIVER]);
	case WOKEN:
		return w->mark[STACK];
	case RUNS:
		return w->mark[WOKEN];
	}
	/* it ran when the frame came, or has run again since */
	return w->mark[RUNS] || w->mark[STACK];
}

static const char *piece_name(const struct way *w, int m)
{
	if (m == THREAD_RUNS && w->thread_early)
		return "recv() sleeps; an earlier interrupt's thread";
	if (m == POLLS && w->raised_early)
		return "recv() sleeps; NAPI of an earlier interrupt";
	if (m == STACK && w->polls_already)
		return "wire; NAPI polls already";
	if (m == MARKS && !w->mark[RUNS])
		return "recv(): the frame is there, no sleep";
	return ends[m];
}

static void cut(struct path *p, const struct way *w, int m, uint64_t *since,
		uint64_t until)
{
	if (explained(w, m)) {
		p->piece[p->pieces].name = piece_name(w, m);
		p->piece[p->pieces++].ns = until - *since;
	} else {
		p->open_ns += until - *since;
	}
	*since = until;
}

void path_find(const struct stream *s, uint64_t from, uint64_t to, int32_t pid,
	       const char *ifname, struct path *p)
{
	struct way w = {
		.s = s, .low = at(s, from), .high = at(s, to), .pid = pid, .ifname = ifname,
	};
	uint64_t since = from;

	memset(p, 0, sizeof(*p));
	p->from = from;
	p->to = to;
	find_send(&w);
	find_receive(&w);
	for (int m = 0; m < MARKS; m++) {
		/* clocks of CPUs may differ a little: no piece is negative */
		if (w.mark[m] && w.at[m] < since)
			w.at[m] = since;
		if (w.mark[m])
			cut(p, &w, m, &since, w.at[m]);
	}
	cut(p, &w, MARKS, &since, to);
}
