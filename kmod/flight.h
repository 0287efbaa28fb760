/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Frames on the wire.  Tags are given in sequence; a frame's slot is its tag
 * modulo the table, so an answer finds its slot without a search, and the
 * oldest frame is always the next one to give up.
 */
#ifndef KECAT_FLIGHT_H
#define KECAT_FLIGHT_H

#include <linux/types.h>

#define KECAT_FLIGHT_SLOTS	1024	/* power of two */

enum kecat_flight_kind {
	KECAT_FLIGHT_FREE,
	KECAT_FLIGHT_CYCLIC,
	KECAT_FLIGHT_ACYCLIC,
	KECAT_FLIGHT_PROBE,	/* nobody needs the answer, but it tells of the cable */
};

struct kecat_flight_slot {
	u32 tag;
	u8 kind;
	u8 side;	/* port that it left by */
	bool awaited;	/* the port's frames are expected to come back */
	u16 ref;	/* cyclic: frame of the plan; acyclic: element of the pool */
	u64 sent_ns;
	u64 cycle;
};

/**
 * struct kecat_flight - table
 * @next:   tag of the next frame
 * @oldest: no frame with a tag before this one is out
 */
struct kecat_flight {
	u32 next;
	u32 oldest;
	struct kecat_flight_slot slot[KECAT_FLIGHT_SLOTS];
};

static inline struct kecat_flight_slot *kecat_flight_at(struct kecat_flight *f,
							u32 tag)
{
	return &f->slot[tag % KECAT_FLIGHT_SLOTS];
}

/* frames that it takes */
static inline u32 kecat_flight_room(const struct kecat_flight *f)
{
	return KECAT_FLIGHT_SLOTS - (f->next - f->oldest);
}

/* caller has seen that there is room */
static inline struct kecat_flight_slot *
kecat_flight_launch(struct kecat_flight *f, u8 kind, u16 ref, u64 now, u64 cycle)
{
	struct kecat_flight_slot *s = kecat_flight_at(f, f->next);

	s->tag = f->next++;
	s->kind = kind;
	s->side = 0;
	s->awaited = true;
	s->ref = ref;
	s->sent_ns = now;
	s->cycle = cycle;
	return s;
}

/* the slot of a frame that is out, or NULL: never sent, or answered already */
static inline struct kecat_flight_slot *kecat_flight_find(struct kecat_flight *f,
							  u32 tag)
{
	struct kecat_flight_slot *s = kecat_flight_at(f, tag);

	return s->kind != KECAT_FLIGHT_FREE && s->tag == tag ? s : NULL;
}

/* landed or given up; lets @oldest run on */
static inline void kecat_flight_land(struct kecat_flight *f,
				     struct kecat_flight_slot *s)
{
	s->kind = KECAT_FLIGHT_FREE;
	while (f->oldest != f->next &&
	       kecat_flight_at(f, f->oldest)->kind == KECAT_FLIGHT_FREE)
		f->oldest++;
}

/* the oldest frame if it is out for longer than @lost_ns, else NULL */
static inline struct kecat_flight_slot *
kecat_flight_overdue(struct kecat_flight *f, u64 now, u64 lost_ns)
{
	struct kecat_flight_slot *s = kecat_flight_at(f, f->oldest);

	if (f->oldest == f->next || now - s->sent_ns < lost_ns)
		return NULL;
	return s;
}

#endif
