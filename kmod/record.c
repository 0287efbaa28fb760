// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the cyclic thread does here is copying and comparing: no lock, no loop
 * over more than the phases of a cycle or the bytes of a frame.
 */
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include "cycle.h"
#include "cycle_int.h"
#include "image.h"
#include "record.h"
#include "trace.h"

#define STAMPS		(KECAT_LAT_TOTAL + 1)
#define ASKED_FOR	(KECAT_RECORD_ON_OVERRUN | KECAT_RECORD_ON_LOST |	\
			 KECAT_RECORD_ON_LATE | KECAT_RECORD_ON_WKC |		\
			 KECAT_RECORD_ON_APP)

static_assert(STAMPS <= KECAT_RECORD_AT);
static_assert(KECAT_RECORD_MAX_SNAP % 8 == 0);
static_assert(KECAT_RECORD_CYCLIC == KECAT_FLIGHT_CYCLIC);
static_assert(KECAT_RECORD_ACYCLIC == KECAT_FLIGHT_ACYCLIC);
static_assert(KECAT_RECORD_PROBE == KECAT_FLIGHT_PROBE);

/* ---- making one ---- */

/* as much as the caller likes: that there is not so much is an answer to him alone */
#define RING_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

static bool all_zero(const struct kecat_record_arm *arm)
{
	u32 i;

	for (i = 0; i < KECAT_RECORD_STAMPS; i++)
		if (arm->limit_ns[i])
			return false;
	return !(arm->post | arm->frames | arm->snap | arm->triggers | arm->holdoff);
}

static int check(const struct kecat_record_arm *arm)
{
	u32 i;

	if (arm->flags || arm->id || (arm->triggers & ~ASKED_FOR))
		return -EINVAL;
	if (!arm->cycles)
		return all_zero(arm) ? 0 : -EINVAL;
	if (arm->cycles > KECAT_RECORD_MAX_CYCLES || arm->post >= arm->cycles ||
	    arm->frames > KECAT_RECORD_MAX_FRAMES ||
	    arm->snap > KECAT_RECORD_MAX_SNAP)
		return -EINVAL;
	for (i = STAMPS; i < KECAT_RECORD_STAMPS; i++)
		if (arm->limit_ns[i])
			return -EINVAL;
	return 0;
}

static void free_record(struct kref *ref)
{
	struct kecat_record *r = container_of(ref, struct kecat_record, ref);

	kvfree(r->cycle);
	kvfree(r->frame);
	kfree(r);
}

void kecat_record_put(struct kecat_record *r)
{
	if (r)
		kref_put(&r->ref, free_record);
}

static void set_up(struct kecat_record *r, const struct kecat_record_arm *arm)
{
	u32 i;

	kref_init(&r->ref);
	r->set = *arm;
	r->set.snap = round_up(arm->snap, 8);
	r->frame_size = sizeof(struct kecat_record_frame) + r->set.snap;
	r->state = KECAT_RECORD_ARMED;
	r->phase = KECAT_ALL;
	for (i = 0; i < STAMPS; i++) {
		r->limited |= !!arm->limit_ns[i];
		if (!arm->limit_ns[i])
			r->set.limit_ns[i] = U64_MAX;
	}
}

/**
 * kecat_record_create - a ring, empty
 * @arm: what is wanted; its id is filled in
 * @to:  filled in; NULL if none is wanted
 *
 * Context: may sleep.
 */
int kecat_record_create(struct kecat_record_arm *arm, struct kecat_record **to)
{
	static atomic64_t last_id;
	struct kecat_record *r;
	int err = check(arm);

	*to = NULL;
	if (err || !arm->cycles)
		return err;
	r = kzalloc(sizeof(*r), GFP_KERNEL_ACCOUNT);
	if (!r)
		return -ENOMEM;
	set_up(r, arm);
	err = -E2BIG;
	if ((u64)arm->cycles * sizeof(*r->cycle) +
	    (u64)arm->frames * r->frame_size > KECAT_RECORD_MAX_BYTES)
		goto err_put;
	err = -ENOMEM;
	r->cycle = kvcalloc(arm->cycles, sizeof(*r->cycle), RING_GFP);
	if (arm->frames)
		r->frame = kvcalloc(arm->frames, r->frame_size, RING_GFP);
	if (!r->cycle || (arm->frames && !r->frame))
		goto err_put;
	r->set.id = atomic64_inc_return(&last_id);
	arm->id = r->set.id;
	*to = r;
	return 0;

err_put:
	kecat_record_put(r);
	return err;
}

/* ---- control side, under config_lock ---- */

void kecat_record_install(struct kecat_master *m, struct kecat_record *r)
{
	struct kecat_record *old = m->record;

	lockdep_assert_held(&m->config_lock);
	if (m->active)
		kecat_cycle_set_record(m, r);
	m->record = r;
	kecat_record_put(old);
}

static void tell(struct kecat_master *m, const struct kecat_record *r)
{
	trace_kecat_record(m->index, r->reasons, r->trigger_cycle);
	kecat_event(m, KECAT_EV_RECORD, KECAT_ALL, r->reasons,
		    (u32)r->trigger_cycle, r->phase,
		    (u32)min_t(u64, r->value_ns, U32_MAX));
}

static void freeze(struct kecat_master *m, struct kecat_record *r)
{
	/* pairs with kecat_record_get(): all that was recorded is there */
	smp_store_release(&r->state, KECAT_RECORD_FROZEN);
	tell(m, r);
}

int kecat_record_freeze(struct kecat_master *m)
{
	struct kecat_record *r = m->record;

	lockdep_assert_held(&m->config_lock);
	if (!r)
		return -ENOENT;
	if (m->active) {
		WRITE_ONCE(r->hand, true);
	} else if (r->state != KECAT_RECORD_FROZEN) {
		r->reasons |= KECAT_RECORD_ON_HAND;
		r->trigger_ns = ktime_get_ns();
		freeze(m, r);
	}
	return 0;
}

void kecat_record_info(struct kecat_master *m, struct kecat_record_state *s)
{
	struct kecat_record *r = m->record;
	u32 size = s->size, i;

	lockdep_assert_held(&m->config_lock);
	*s = (struct kecat_record_state) { .size = size };
	if (!r)
		return;
	s->state = smp_load_acquire(&r->state);
	s->id = r->set.id;
	s->have_cycles = min_t(u64, READ_ONCE(r->cycles), r->set.cycles);
	s->have_frames = min_t(u64, READ_ONCE(r->frames), r->set.frames);
	s->frame_size = r->frame_size;
	s->stamps = STAMPS;
	s->cycles = r->set.cycles;
	s->post = r->set.post;
	s->frames = r->set.frames;
	s->snap = r->set.snap;
	s->triggers = r->set.triggers;
	s->holdoff = r->set.holdoff;
	for (i = 0; i < STAMPS; i++)
		s->limit_ns[i] = r->set.limit_ns[i] == U64_MAX ?
				 0 : r->set.limit_ns[i];
	s->phase = KECAT_ALL;
	s->cycle_ns = READ_ONCE(r->cycle_ns);
	s->deadline_ns = READ_ONCE(r->deadline_ns);
	s->pid = READ_ONCE(r->pid);
	if (s->state < KECAT_RECORD_TRIGGERED)
		return;
	s->reasons = r->reasons;
	s->phase = r->phase;
	s->trigger_cycle = r->trigger_cycle;
	s->trigger_ns = r->trigger_ns;
	s->value_ns = r->value_ns;
}

int kecat_record_get(struct kecat_master *m, u64 id, struct kecat_record **to)
{
	struct kecat_record *r = m->record;

	lockdep_assert_held(&m->config_lock);
	if (!r)
		return -ENOENT;
	if (r->set.id != id)
		return -ESTALE;
	/* pairs with freeze() */
	if (smp_load_acquire(&r->state) != KECAT_RECORD_FROZEN)
		return -EBUSY;
	kref_get(&r->ref);
	*to = r;
	return 0;
}

const void *kecat_record_piece(const struct kecat_record *r, u32 what, u32 from,
			       u32 count, u32 *n)
{
	bool cycles = what == KECAT_RECORD_CYCLES;
	u32 room = cycles ? r->set.cycles : r->set.frames;
	u64 made = cycles ? r->cycles : r->frames;
	u32 have = min_t(u64, made, room);
	u32 at = cycles ? r->cycle_at : r->frame_at;

	*n = from < have ? min(count, have - from) : 0;
	if (!*n)
		return NULL;
	/* the oldest is the one that would be overwritten next */
	at = have < room ? from : at + from;
	if (at >= room)
		at -= room;
	*n = min(*n, room - at);
	return cycles ? (const void *)&r->cycle[at] :
			r->frame + (size_t)at * r->frame_size;
}

/* ---- cyclic thread ---- */

/**
 * kecat_record_begin - fill this ring from the next cycle on
 * @c: cyclic thread, active
 * @r: ring, or NULL: none
 */
void kecat_record_begin(struct kecat_cycle *c, struct kecat_record *r)
{
	c->record = NULL;
	if (!r || r->state == KECAT_RECORD_FROZEN)
		return;
	r->cycles = 0;
	r->frames = 0;
	r->cycle_at = 0;
	r->frame_at = 0;
	r->wait = r->set.holdoff;
	r->own_ns = 0;
	r->received_ns = 0;
	r->last = c->m->count;
	r->pid = task_pid_nr(c->task);
	r->cycle_ns = c->bus->cycle_ns;
	r->deadline_ns = c->bus->deadline_ns;
	c->record = r;
}

/* no cycle follows: what was triggered is as complete as it gets */
void kecat_record_end(struct kecat_cycle *c)
{
	struct kecat_record *r = c->record;

	c->record = NULL;
	if (r && r->state == KECAT_RECORD_TRIGGERED)
		freeze(c->m, r);
}

static u16 since(u64 now, u64 before)
{
	return min_t(u64, now - before, U16_MAX);
}

static u32 over_limit(struct kecat_record *r, const u64 *at)
{
	u32 i;

	for (i = 0; i < KECAT_LAT_TOTAL; i++)
		if (at[i + 1] - at[i] > r->set.limit_ns[i])
			return i;
	return at[KECAT_LAT_TOTAL] - at[0] > r->set.limit_ns[KECAT_LAT_TOTAL] ?
	       KECAT_LAT_TOTAL : KECAT_ALL;
}

static u32 met(struct kecat_record *r, const struct kecat_record_cycle *s,
	       u64 app_missed)
{
	u32 on = 0;

	on |= s->overruns ? KECAT_RECORD_ON_OVERRUN : 0;
	on |= s->lost ? KECAT_RECORD_ON_LOST : 0;
	on |= s->late ? KECAT_RECORD_ON_LATE : 0;
	on |= s->wkc_errors ? KECAT_RECORD_ON_WKC : 0;
	on |= app_missed ? KECAT_RECORD_ON_APP : 0;
	if (r->state == KECAT_RECORD_ARMED && READ_ONCE(r->hand))
		on |= KECAT_RECORD_ON_HAND;
	return on;
}

/*
 * What the application has may be of any cycle before: one that is late still has
 * an older one's inputs.  When these came is only known of the last.
 */
static void fill_app(const struct kecat_record *r, struct kecat_record_cycle *s,
		     const struct kecat_stamps *t)
{
	const struct kecat_app_times *a = &t->app;
	u64 sent = t->at[KECAT_LAT_WAIT];
	bool last = a->cycle == s->cycle - 1;

	s->app_cycle = 0;
	s->app_taken_ns = 0;
	s->app_done_ns = 0;
	if (a->cycle >= s->cycle ||
	    !kecat_app_took(a, last ? r->received_ns : 1, sent))
		return;
	s->app_cycle = a->cycle;
	s->app_taken_ns = a->taken_ns;
	s->app_done_ns = a->done_ns <= sent ? a->done_ns : 0;
}

static void fill(struct kecat_cycle *c, struct kecat_record_cycle *s,
		 const struct kecat_stamps *t)
{
	const struct kecat_counters *n = &c->m->count, *o = &c->record->last;

	s->cycle = n->cycles;
	memcpy(s->at, t->at, sizeof(t->at));
	s->own_ns = c->record->own_ns;
	s->overruns = min_t(u64, n->overruns - o->overruns, U32_MAX);
	s->sent = since(n->frames_sent, o->frames_sent);
	s->received = since(n->frames_received, o->frames_received);
	s->lost = since(n->frames_lost, o->frames_lost);
	s->late = since(n->frames_late, o->frames_late);
	s->foreign = since(n->frames_foreign, o->frames_foreign);
	s->wkc_errors = since(n->wkc_errors, o->wkc_errors);
	s->groups_valid = c->groups_valid;
	s->out_set = c->img->out_taken;
	s->cpu = raw_smp_processor_id();
	fill_app(c->record, s, t);
}

static void pull(struct kecat_record *r, const struct kecat_record_cycle *s,
		 u32 reasons, u32 phase)
{
	const u64 *at = s->at;

	r->reasons = reasons;
	r->phase = phase;
	r->trigger_cycle = s->cycle;
	r->trigger_ns = at[KECAT_LAT_TOTAL];
	r->value_ns = phase == KECAT_ALL ? 0 : phase == KECAT_LAT_TOTAL ?
		      at[KECAT_LAT_TOTAL] - at[0] : at[phase + 1] - at[phase];
	r->left = r->set.post;
	/* pairs with kecat_record_info() */
	smp_store_release(&r->state, KECAT_RECORD_TRIGGERED);
}

/* does this cycle freeze it, or is it the last one behind that which did? */
static bool is_last(struct kecat_record *r, struct kecat_record_cycle *s,
		    u64 app_missed)
{
	u32 phase = r->limited ? over_limit(r, s->at) : KECAT_ALL;
	u32 reasons;

	s->reasons = met(r, s, app_missed);
	if (phase != KECAT_ALL)
		s->reasons |= KECAT_RECORD_ON_LIMIT;
	if (r->state == KECAT_RECORD_TRIGGERED)
		return !--r->left;
	reasons = s->reasons & (r->set.triggers | KECAT_RECORD_ON_LIMIT |
				KECAT_RECORD_ON_HAND);
	if (r->wait) {
		r->wait--;
		reasons &= KECAT_RECORD_ON_HAND;
	}
	if (!reasons)
		return false;
	pull(r, s, reasons, phase);
	return !r->left;
}

/**
 * kecat_record_cycle - the cycle that ends now
 * @c: cyclic thread with a ring
 * @t: its stamps
 */
void kecat_record_cycle(struct kecat_cycle *c, const struct kecat_stamps *t)
{
	struct kecat_record *r = c->record;
	struct kecat_record_cycle *s = &r->cycle[r->cycle_at];

	fill(c, s, t);
	if (c->tick_by == KECAT_TICK_APP && !c->stood_in)
		r->pid = task_pid_nr(current);
	if (++r->cycle_at == r->set.cycles)
		r->cycle_at = 0;
	r->cycles++;
	if (is_last(r, s, c->m->count.app_missed - r->last.app_missed)) {
		c->record = NULL;
		freeze(c->m, r);
		return;
	}
	r->last = c->m->count;
	r->received_ns = t->at[KECAT_LAT_PUBLISH];
	r->own_ns = ktime_get_ns() - t->at[KECAT_LAT_TOTAL];
}

/**
 * kecat_record_frame - a frame, either way
 * @c:     cyclic thread with a ring
 * @port:  0 or 1
 * @dir:   KECAT_RECORD_SENT or _RECEIVED
 * @kind:  KECAT_RECORD_CYCLIC, ..
 * @tag:   that it carries
 * @frame: its bytes
 * @len:   their number, any
 * @now:   when
 */
void kecat_record_frame(struct kecat_cycle *c, u32 port, u8 dir, u8 kind, u32 tag,
			const u8 *frame, unsigned int len, u64 now)
{
	struct kecat_record *r = c->record;
	struct kecat_record_frame *s;

	if (!r->set.frames)
		return;
	s = (void *)(r->frame + (size_t)r->frame_at * r->frame_size);
	if (++r->frame_at == r->set.frames)
		r->frame_at = 0;
	r->frames++;
	*s = (struct kecat_record_frame) {
		.time_ns = now,
		.cycle = c->m->count.cycles,
		.tag = tag,
		.len = min_t(unsigned int, len, U16_MAX),
		.cap = min(len, r->set.snap),
		.port = port, .dir = dir, .kind = kind,
	};
	memcpy(s + 1, frame, s->cap);
}
