// SPDX-License-Identifier: GPL-2.0-only
/*
 * A flight recorder that has frozen: 40 cycles, in one of which the thread was
 * late.  Words in FAKE:
 *   hostile    stamps that run backwards, unknown numbers, frames longer than they are
 *   huge       more records than there can be
 *   short      fewer records than it said
 */
#include <errno.h>
#include <string.h>

#include "fake.h"

#define CYCLES	40
#define SNAP	64
#define FRAME	(sizeof(struct kecat_record_frame) + SNAP)
#define ID	7

int fake_record_state(struct kecat_record_state *s)
{
	s->state = KECAT_RECORD_FROZEN;
	s->id = ID;
	s->have_cycles = fake_is("huge") ? 0xffffffff : CYCLES;
	s->have_frames = CYCLES;
	s->frame_size = FRAME;
	s->stamps = KECAT_LAT_TOTAL + 1;
	s->cycles = CYCLES;
	s->frames = CYCLES;
	s->snap = SNAP;
	s->triggers = KECAT_RECORD_ON_OVERRUN;
	s->reasons = KECAT_RECORD_ON_LIMIT;
	s->phase = KECAT_LAT_WAKE;
	s->trigger_cycle = 30;
	s->value_ns = 210000;
	s->cycle_ns = 1000000;
	if (fake_is("hostile")) {
		s->phase = s->reasons = s->triggers = 0xffffffff;
		s->trigger_cycle = s->value_ns = s->cycle_ns = ~0ull;
		memset(s->limit_ns, 0xff, sizeof(s->limit_ns));
	}
	return 0;
}

static uint64_t stamp(uint32_t i, uint32_t p)
{
	return 1000000ull * (i + 1) + p * 10000 + (i == 30 && p ? 200000 : 0);
}

/* it has inputs 20 us after they came, and is done 300 us later; but once 1200 */
static void make_app(struct kecat_record_cycle *c, uint32_t i)
{
	uint32_t of = i == 37 ? 35 : i - 1;

	if (i < 2)
		return;
	c->app_cycle = of;
	c->app_taken_ns = stamp(of, KECAT_LAT_PUBLISH) + 20000;
	c->app_done_ns = c->app_taken_ns + (i == 37 ? 1200000 : 300000);
	if (i == 36) {
		c->app_done_ns = stamp(34, KECAT_LAT_PUBLISH) + 320000;
		c->reasons = KECAT_RECORD_ON_APP;
	}
}

static void make_cycle(struct kecat_record_cycle *c, uint32_t i)
{
	*c = (struct kecat_record_cycle){ .cycle = i, .sent = 1, .received = 1 };
	for (uint32_t p = 0; p <= KECAT_LAT_TOTAL; p++)
		c->at[p] = stamp(i, p);
	make_app(c, i);
	if (fake_is("hostile")) {
		memset(c, i % 2 ? 0xff : 0, sizeof(*c));
		for (uint32_t p = 0; p < KECAT_RECORD_AT; p++)
			c->at[p] = i % 3 ? ~0ull - p * 1000000 : p;
	}
}

static void make_frame(struct kecat_record_frame *f, uint32_t i)
{
	*f = (struct kecat_record_frame){
		.time_ns = 1000000ull * (i + 1), .cycle = i, .tag = i / 2, .len = 60,
		.cap = 60, .dir = i & 1, .kind = KECAT_RECORD_CYCLIC,
	};
	if (fake_is("hostile"))
		memset(f, 0xff, sizeof(*f));
}

int fake_record_read(struct kecat_record_read *r)
{
	uint32_t n = 0, have = fake_is("short") ? CYCLES / 2 : CYCLES;
	uint8_t *to = (void *)(uintptr_t)r->ptr;

	if (r->id != ID)
		return -ESTALE;
	/* in pieces */
	for (; n < r->count && n < 7 && r->from + n < have; n++, to += r->elem) {
		if (r->what == KECAT_RECORD_CYCLES)
			make_cycle((void *)to, r->from + n);
		else
			make_frame((void *)to, r->from + n);
	}
	r->count = n;
	return 0;
}
