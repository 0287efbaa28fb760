// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the application did.  Each record has what was known of it when that cycle's
 * frames had gone: so what it made of one cycle's inputs is told in later records,
 * in several where it was late.  Where a cycle got no fresh outputs, one of three
 * took longer than it usually does: the inputs came late, the application had them
 * late, or it worked on them for long.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

/* less than this is no news, ns */
#define NOISE_NS	1000

static uint64_t after(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

/* the record of the inputs that record @i tells of; false: it tells of none that can be */
static bool told(const struct kecat_recording *r, uint32_t i, uint32_t *inputs)
{
	const struct kecat_record_cycle *c = &r->cycle[i];
	uint64_t back = c->cycle - c->app_cycle;

	if (!c->app_cycle || !back || back > i)
		return false;
	*inputs = i - (uint32_t)back;
	return r->cycle[*inputs].cycle == c->app_cycle &&
	       c->app_taken_ns >= r->cycle[*inputs].at[KECAT_LAT_PUBLISH] &&
	       c->app_taken_ns <= c->at[KECAT_LAT_WAIT];
}

/* the work that record @i tells of, APP_NONE if of none */
static uint32_t listen(const struct kecat_recording *r, struct apps *a, uint32_t i)
{
	const struct kecat_record_cycle *c = &r->cycle[i];
	struct app_work *w = a->works ? &a->work[a->works - 1] : NULL;
	uint64_t done = c->app_done_ns <= c->at[KECAT_LAT_WAIT] ? c->app_done_ns : 0;
	uint32_t inputs;

	if (!told(r, i, &inputs))
		return APP_NONE;
	if (w && (inputs < w->cycle || c->app_taken_ns < w->taken))
		return APP_NONE;
	if (!w || inputs > w->cycle) {
		/* the end of the one before is told as long as this one has none */
		if (w && !w->done && done >= w->taken && done < c->app_taken_ns)
			w->done = done;
		w = &a->work[a->works++];
		*w = (struct app_work){ .cycle = inputs, .taken = c->app_taken_ns };
	}
	if (!w->done && done >= w->taken)
		w->done = done;
	return a->works - 1;
}

/* when a work was over; *@known: or at the latest */
static uint64_t end_of(const struct kecat_recording *r, const struct apps *a, uint32_t work,
		       bool *known)
{
	const struct app_work *w = &a->work[work];

	*known = w->done;
	if (w->done)
		return w->done;
	if (work + 1 < a->works)
		return w[1].taken;
	return r->cycle[r->st.have_cycles - 1].at[KECAT_LAT_WAIT];
}

uint64_t app_end(const struct kecat_recording *r, const struct apps *a, uint32_t work)
{
	const struct app_work *w = &a->work[work];
	bool known;
	uint64_t end = end_of(r, a, work, &known);

	/* some have the next inputs before they have made these outputs */
	if (work + 1 < a->works && end > w[1].taken)
		end = w[1].taken;
	return end > w->taken ? end : w->taken;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint64_t median(uint64_t *all, uint32_t n)
{
	if (!n)
		return 0;
	qsort(all, n, sizeof(*all), compare);
	return all[n / 2];
}

static uint64_t came_ns(const struct kecat_record_cycle *c)
{
	return after(c->at[KECAT_LAT_PUBLISH], c->at[0]);
}

static void learn(const struct kecat_recording *r, struct apps *a, uint64_t *all)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->st.have_cycles; i++)
		all[i] = came_ns(&r->cycle[i]);
	a->usual.came = median(all, r->st.have_cycles);
	for (uint32_t i = 0; i < a->works; i++)
		all[i] = after(a->work[i].taken,
			       r->cycle[a->work[i].cycle].at[KECAT_LAT_PUBLISH]);
	a->usual.taken = median(all, a->works);
	for (uint32_t i = 0; i < a->works; i++)
		if (a->work[i].done)
			all[n++] = a->work[i].done - a->work[i].taken;
	a->usual.worked = median(all, n);
}

/*
 * The work whose outputs were not there in record @i, @told in it: that which was not
 * over, or if it was over and its outputs were taken before, the one behind it.
 */
static uint32_t missing(const struct kecat_recording *r, const struct apps *a, uint32_t i,
			uint32_t told)
{
	const struct app_work *w;

	if (told == APP_NONE)
		return APP_NONE;
	w = &a->work[told];
	if (!w->done || !i || w->done > r->cycle[i - 1].at[KECAT_LAT_WAIT])
		return told;
	return told + 1;
}

static void judge(const struct kecat_recording *r, const struct apps *a, struct app_late *l)
{
	uint64_t due = r->cycle[l->cycle].at[KECAT_LAT_SEND], end;
	const struct app_work *w;
	uint32_t inputs;
	bool known;

	if (l->work >= a->works)
		return;
	w = &a->work[l->work];
	end = end_of(r, a, l->work, &known);
	l->ended = known || l->work + 1 < a->works;
	l->at_most = l->ended && !known;
	l->ns = after(end, due);
	/* it could have had the newest ones, which it took no more */
	inputs = l->cycle && w->cycle >= l->cycle ? l->cycle - 1 : w->cycle;
	l->more.came = after(came_ns(&r->cycle[inputs]), a->usual.came);
	l->more.taken = after(after(w->taken, r->cycle[inputs].at[KECAT_LAT_PUBLISH]),
			      a->usual.taken);
	l->more.worked = after(after(end, w->taken), a->usual.worked);
	l->inputs = inputs;
}

/* of each row of cycles that missed the same work one */
static void find_late(const struct kecat_recording *r, struct apps *a, const uint32_t *told)
{
	uint32_t last = 0;

	for (uint32_t i = 0; i < r->st.have_cycles; i++) {
		struct app_late *l = a->lates ? &a->late[a->lates - 1] : NULL;
		uint32_t work = missing(r, a, i, told[i]);

		if (!(r->cycle[i].reasons & KECAT_RECORD_ON_APP))
			continue;
		if (!l || last + 1 != i || l->work != work) {
			l = &a->late[a->lates++];
			*l = (struct app_late){ .cycle = i, .work = work };
		}
		l->missed++;
		last = i;
	}
	for (uint32_t i = 0; i < a->lates; i++)
		judge(r, a, &a->late[i]);
}

int apps_find(const struct kecat_recording *r, struct apps *a)
{
	uint32_t n = r->st.have_cycles;
	uint32_t *told = calloc((size_t)n + 1, sizeof(*told));
	uint64_t *all = calloc((size_t)n + 1, sizeof(*all));

	*a = (struct apps){
		.work = calloc((size_t)n + 1, sizeof(*a->work)),
		.late = calloc((size_t)n + 1, sizeof(*a->late)),
	};
	if (!told || !all || !a->work || !a->late) {
		free(told);
		free(all);
		apps_free(a);
		return -ENOMEM;
	}
	for (uint32_t i = 0; r->st.stamps > KECAT_LAT_PUBLISH && i < n; i++)
		told[i] = listen(r, a, i);
	if (r->st.stamps > KECAT_LAT_PUBLISH) {
		learn(r, a, all);
		find_late(r, a, told);
	}
	free(told);
	free(all);
	return 0;
}

void apps_free(struct apps *a)
{
	free(a->work);
	free(a->late);
	memset(a, 0, sizeof(*a));
}

/* whose fault it was that the inputs came late, if that is known */
static void inputs_late(const struct app_late *l, const struct lates *lates,
			const struct cpu_time *t, char *buf, size_t room)
{
	const struct late *worst = NULL;
	char text[256];

	for (size_t i = 0; i < lates->n; i++)
		if (lates->late[i].cycle == l->inputs && lates->late[i].phase < KECAT_LAT_PUBLISH &&
		    (!worst || lates->late[i].ns > worst->ns))
			worst = &lates->late[i];
	buf[0] = '\0';
	if (!worst)
		return;
	late_describe(worst, t, text, sizeof(text));
	snprintf(buf, room, " (%s: %s)", kecat_phase_name(worst->phase), text);
}

int app_describe(const struct kecat_recording *r, const struct apps *a, const struct app_late *l,
		 const struct lates *lates, const struct cpu_time *t, char *buf, size_t room)
{
	const struct { uint64_t ns; const char *what; } more[] = {
		{ l->more.came, "until the inputs came" },
		{ l->more.taken, "until it had the inputs" },
		{ l->more.worked, "in its own work" },
	};
	char text[1024], why[512];
	int n = 0;

	if (l->work == APP_NONE)
		return snprintf(buf, room, "it does not say what it did");
	if (l->work >= a->works)
		return snprintf(buf, room, "it took no inputs any more");
	inputs_late(l, lates, t, why, sizeof(why));
	n = snprintf(text, sizeof(text), "with the inputs of cycle %" PRIu64 ":",
		     (uint64_t)r->cycle[l->inputs].cycle);
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		if (more[i].ns > NOISE_NS && n < (int)sizeof(text))
			n += snprintf(text + n, sizeof(text) - n, "%s %" PRIu64 ".%03u us more %s%s",
				      text[n - 1] == ':' ? "" : ";", more[i].ns / 1000,
				      (unsigned int)(more[i].ns % 1000), more[i].what,
				      i ? "" : why);
	if (text[n < (int)sizeof(text) ? n - 1 : 0] == ':')
		snprintf(text + n, sizeof(text) - n, " no longer than it usually takes");
	return snprintf(buf, room, "%s", text);
}
