// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose fault it was.  In each phase everybody has the CPU for about so long in
 * cycles that are as usual; in one that is late, whoever had it longer is a thief.
 * What is then still missing nobody in the trace explains.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

/* less than this is no news, ns */
#define NOISE_NS	1000

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t phase_ns(const struct kecat_record_cycle *c, uint32_t phase)
{
	uint64_t from = c->at[phase], to = c->at[phase + 1];

	return to > from ? to - from : 0;
}

static int medians(const struct kecat_recording *r, uint64_t *median)
{
	uint32_t n = r->st.have_cycles;
	uint64_t *all = calloc((size_t)n + 1, sizeof(*all));

	if (!all)
		return -ENOMEM;
	for (uint32_t p = 0; p + 1 < r->st.stamps; p++) {
		for (uint32_t i = 0; i < n; i++)
			all[i] = phase_ns(&r->cycle[i], p);
		qsort(all, n, sizeof(*all), compare);
		median[p] = n ? all[n / 2] : 0;
	}
	free(all);
	return 0;
}

/* first piece that ends behind @ns */
static size_t piece_at(const struct cpu_time *t, uint64_t ns)
{
	size_t low = 0, high = t->pieces;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->piece[mid].to <= ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* @sum by name, of the pieces in a phase; false: the trace does not reach over it */
static bool add_up(const struct cpu_time *t, uint64_t from, uint64_t to,
		   uint64_t *sum, uint64_t *own_at)
{
	uint64_t longest = 0;

	if (!t->pieces || t->piece[0].from > from || t->piece[t->pieces - 1].to < to)
		return false;
	for (size_t i = piece_at(t, from); i < t->pieces && t->piece[i].from < to; i++) {
		const struct piece *p = &t->piece[i];
		uint64_t a = p->from > from ? p->from : from;
		uint64_t b = p->to < to ? p->to : to;

		sum[p->name] += b - a;
		if (p->name > NAME_IDLE || b - a <= longest)
			continue;
		longest = b - a;
		*own_at = a;
	}
	return true;
}

struct usual {
	uint64_t sum[KECAT_RECORD_STAMPS][NAMES_MAX];
	uint64_t n[KECAT_RECORD_STAMPS];
	uint64_t one[NAMES_MAX];
};

static bool is_late(const struct kecat_recording *r, uint32_t i, uint32_t p,
		    const struct lates *l, uint64_t late_ns)
{
	return phase_ns(&r->cycle[i], p) > l->usual[p] + late_ns;
}

static void learn(const struct kecat_recording *r, const struct cpu_time *t,
		  const struct lates *l, uint64_t late_ns, struct usual *u)
{
	uint64_t at;

	for (uint32_t i = 0; i < r->st.have_cycles; i++)
		for (uint32_t p = 0; p + 1 < r->st.stamps; p++)
			if (!is_late(r, i, p, l, late_ns) &&
			    add_up(t, r->cycle[i].at[p], r->cycle[i].at[p + 1],
				   u->sum[p], &at))
				u->n[p]++;
}

static void insert(struct late *l, uint16_t name, uint64_t ns)
{
	for (int i = 0; i < THIEVES; i++) {
		uint16_t other = l->thief[i].name;
		uint64_t other_ns = l->thief[i].ns;

		if (ns <= other_ns)
			continue;
		l->thief[i].name = name;
		l->thief[i].ns = ns;
		name = other;
		ns = other_ns;
	}
}

static void judge(const struct kecat_record_cycle *c, const struct cpu_time *t,
		  struct usual *u, struct late *l)
{
	uint64_t explained = 0;

	memset(u->one, 0, sizeof(u->one));
	l->traced = add_up(t, c->at[l->phase], c->at[l->phase + 1], u->one,
			   &l->open_at);
	if (!l->traced)
		return;
	for (uint32_t i = 0; i < t->names; i++) {
		uint64_t n = u->n[l->phase];
		uint64_t usual = n ? u->sum[l->phase][i] / n : 0;

		/* its own time, and what nobody had, explain nothing */
		if (i == NAME_SELF || i == NAME_UNKNOWN ||
		    u->one[i] < usual + NOISE_NS)
			continue;
		insert(l, (uint16_t)i, u->one[i] - usual);
		explained += u->one[i] - usual;
	}
	l->open_ns = l->ns > explained ? l->ns - explained : 0;
}

static struct late *add(struct lates *l)
{
	if (l->n == l->room) {
		size_t room = 2 * l->room + 64;
		struct late *more = realloc(l->late, room * sizeof(*more));

		if (!more)
			return NULL;
		l->late = more;
		l->room = room;
	}
	memset(&l->late[l->n], 0, sizeof(*l->late));
	return &l->late[l->n++];
}

int lates_find(const struct kecat_recording *r, const struct cpu_time *t,
	       uint64_t late_ns, struct lates *l)
{
	struct usual *u = calloc(1, sizeof(*u));
	int ret;

	memset(l, 0, sizeof(*l));
	ret = u ? medians(r, l->usual) : -ENOMEM;
	if (!ret && t)
		learn(r, t, l, late_ns, u);
	for (uint32_t i = 0; !ret && i < r->st.have_cycles; i++)
		for (uint32_t p = 0; p + 1 < r->st.stamps; p++) {
			struct late *one;

			if (!is_late(r, i, p, l, late_ns))
				continue;
			one = add(l);
			if (!one) {
				ret = -ENOMEM;
				break;
			}
			one->cycle = i;
			one->phase = p;
			one->ns = phase_ns(&r->cycle[i], p) - l->usual[p];
			if (t)
				judge(&r->cycle[i], t, u, one);
		}
	free(u);
	if (ret)
		free(l->late);
	return ret;
}

static const char *open_text(uint32_t phase)
{
	return phase == KECAT_LAT_WAIT ? "waiting for frames" :
	       "that nothing in the trace explains (SMI, hypervisor or a slow bus access?)";
}

int late_describe(const struct late *l, const struct cpu_time *t, char *buf,
		  size_t room)
{
	char text[512];
	int n = 0;

	if (!l->traced)
		return snprintf(buf, room, "nothing was traced at that time");
	text[0] = '\0';
	for (int i = 0; i < THIEVES && l->thief[i].ns; i++)
		n += snprintf(text + n, sizeof(text) - n, "%s%llu.%03llu us in %s",
			      n ? "; " : "", (unsigned long long)l->thief[i].ns / 1000,
			      (unsigned long long)l->thief[i].ns % 1000,
			      t->name[l->thief[i].name]);
	if (l->open_ns >= NOISE_NS)
		snprintf(text + n, sizeof(text) - n, "%s%llu.%03llu us %s", n ? "; " : "",
			 (unsigned long long)l->open_ns / 1000,
			 (unsigned long long)l->open_ns % 1000, open_text(l->phase));
	return snprintf(buf, room, "%s", text[0] ? text : "little by little");
}
