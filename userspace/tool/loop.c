// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "loop.h"

#define ARM_STREAK	4	/* matches in a row before a mismatch counts */
#define FORGET_CYCLES	10	/* invalid ones in a row: begin anew */

/* Byte @b of the pattern of set @seq: all bits change from set to set */
static uint8_t pattern(uint32_t seq, uint32_t b)
{
	uint32_t x = seq * 0x9e3779b1u + b * 0x85ebca6bu;

	x ^= x >> 15;
	x *= 0x2c1b3c6du;
	x ^= x >> 12;
	return x ^ x >> 8;
}

/* Walk over a lane in steps that stay inside a byte of the pattern */
#define FOR_EACH_STEP(lane, limit, pos, at, n)					\
	for (uint32_t i_ = 0, pos = 0; i_ < (lane)->pieces && pos < (limit); i_++) \
		for (uint32_t d_ = 0, n, at; d_ < (lane)->piece[i_].bits &&	\
		     pos < (limit) &&						\
		     (n = step((lane)->piece[i_].bits - d_, pos, limit),	\
		      at = (lane)->piece[i_].offset + d_, true);		\
		     d_ += n, pos += n)

static uint32_t step(uint32_t left, uint32_t pos, uint32_t limit)
{
	uint32_t n = 8 - pos % 8;

	if (n > left)
		n = left;
	return n > limit - pos ? limit - pos : n;
}

static uint8_t part(uint32_t seq, uint32_t pos, uint32_t n)
{
	return pattern(seq, pos / 8) >> pos % 8 & ((1u << n) - 1);
}

static void put(const struct lane *l, uint8_t *image, uint32_t seq)
{
	FOR_EACH_STEP(l, l->bits, pos, at, n)
		kecat_set(image, at, n, part(seq, pos, n));
}

static bool shows(const struct lane *l, uint32_t bits, const uint8_t *image,
		  uint32_t seq)
{
	FOR_EACH_STEP(l, bits, pos, at, n)
		if (kecat_get(image, at, n) != part(seq, pos, n))
			return false;
	return true;
}

static int add_piece(struct lane *l, uint32_t offset, uint32_t bits)
{
	struct piece *more = realloc(l->piece, (l->pieces + 1) * sizeof(*more));

	if (!more)
		return -1;
	l->piece = more;
	l->piece[l->pieces++] = (struct piece){ offset, bits };
	l->bits += bits;
	return 0;
}

/* The mapped entries of a slave in one direction, gaps left out */
static int fill_lane(struct lane *l, struct kecat *k, const struct kecat_conf *conf,
		     uint32_t slave, uint32_t dir)
{
	const struct kecat_layout *lay;
	int n = kecat_get_layout(k, &lay);

	l->slave = slave;
	for (int i = 0; i < n; i++) {
		struct kecat_element e = { 0 };
		uint32_t bit = 0;
		bool here = false;

		if (lay[i].slave != slave || lay[i].dir != dir)
			continue;
		l->group = lay[i].group;
		while (kecat_conf_next(conf, &e)) {
			if (e.sm || e.slv)
				here = e.slave == slave && e.sm && e.sm->index == lay[i].sm;
			if (!here || !e.entry)
				continue;
			if (e.entry->index && bit + e.entry->bits <= 8 * lay[i].len &&
			    add_piece(l, 8 * lay[i].offset + bit, e.entry->bits))
				return -1;
			bit += e.entry->bits;
		}
		if (!bit && add_piece(l, 8 * lay[i].offset, 8 * lay[i].len))
			return -1;
	}
	return 0;
}

static int fill_loop(struct loop_check *lc, const struct kecat_conf *conf,
		     const struct loop_pair *p)
{
	struct loop_state *l = &lc->loop[lc->loops++];

	if (fill_lane(&l->out, lc->k, conf, p->from, KECAT_DIR_OUT) ||
	    fill_lane(&l->in, lc->k, conf, p->to, KECAT_DIR_IN)) {
		error("out of memory");
		return EXIT_FAIL;
	}
	if (!l->out.bits || !l->in.bits) {
		error("loop %u:%u: slave %u has no %s", p->from, p->to,
		      l->out.bits ? p->to : p->from, l->out.bits ? "inputs" : "outputs");
		return EXIT_USAGE;
	}
	return 0;
}

int loop_create(struct loop_check *lc, struct kecat *k, const struct kecat_conf *conf,
		const struct loop_pair *pair, int pairs, uint32_t delay)
{
	memset(lc, 0, sizeof(*lc));
	lc->k = k;
	lc->delay = delay;
	lc->loop = calloc(pairs, sizeof(*lc->loop));
	if (!lc->loop) {
		error("out of memory");
		return EXIT_FAIL;
	}
	for (int i = 0; i < pairs; i++) {
		int ret = fill_loop(lc, conf, &pair[i]);

		if (ret)
			return ret;
	}
	return 0;
}

void loop_destroy(struct loop_check *lc)
{
	for (int i = 0; i < lc->loops; i++) {
		free(lc->loop[i].out.piece);
		free(lc->loop[i].in.piece);
	}
	free(lc->loop);
	lc->loop = NULL;
	lc->loops = 0;
}

static void forget(struct loop_state *l)
{
	l->armed = false;
	l->streak = 0;
	l->filled = 0;
}

static bool in_op(struct kecat *k, uint32_t slave)
{
	const struct kecat_layout *lay;
	struct kecat_slave_info info;
	int n = kecat_get_layout(k, &lay);

	for (int i = 0; i < n; i++)
		if (lay[i].slave == slave && lay[i].position != KECAT_ALL)
			return !kecat_get_slave(k, lay[i].position, &info) &&
			       info.al_state == KECAT_AL_OP;
	return false;
}

/* Set @number or one that came before it, down to @oldest, is what @l shows */
static bool find_set(struct loop_check *lc, struct loop_state *l, uint32_t number,
		     uint32_t oldest)
{
	uint32_t bits = l->in.bits < l->out.bits ? l->in.bits : l->out.bits;
	const uint8_t *image = kecat_inputs(lc->k);

	for (uint32_t back = 0; back <= number - oldest; back++) {
		if (!shows(&l->in, bits, image, lc->sent[(number - back) % LOOP_RING]))
			continue;
		l->delay[back <= LOOP_DELAY_MAX ? back : LOOP_DELAY_MAX + 1]++;
		return true;
	}
	return false;
}

static void judge(struct loop_check *lc, struct loop_state *l, uint32_t number)
{
	uint32_t oldest;

	/* what went out in the last valid cycles may still be on its way */
	memmove(l->window + 1, l->window, LOOP_DELAY_MAX * sizeof(*l->window));
	l->window[0] = number;
	if (l->filled <= lc->delay) {
		l->filled++;
		return;
	}
	oldest = l->window[lc->delay];
	if (!oldest || number - oldest >= LOOP_RING)
		return;
	if (find_set(lc, l, number, oldest)) {
		l->armed |= ++l->streak >= ARM_STREAK;
		l->checked += l->armed;
		return;
	}
	l->streak = 0;
	if (!l->armed)
		return;
	if (!in_op(lc->k, l->out.slave) || !in_op(lc->k, l->in.slave)) {
		forget(l);
		return;
	}
	if (!l->mismatches++)
		l->first_cycle = kecat_info(lc->k)->cycle;
	l->checked++;
}

void loop_inputs(struct loop_check *lc)
{
	const struct kecat_in_hdr *h;
	bool bad = false;

	if (!lc->loops)
		return;
	h = kecat_info(lc->k);
	if (h->cycle == lc->last_cycle)
		return;
	lc->last_cycle = h->cycle;
	for (int i = 0; i < lc->loops; i++) {
		struct loop_state *l = &lc->loop[i];
		bool valid = h->groups_valid >> l->out.group & 1 &&
			     h->groups_valid >> l->in.group & 1;

		bad |= !valid;
		if (!kecat_live(lc->k, l->out.slave) || !kecat_live(lc->k, l->in.slave) ||
		    (!valid && lc->bad_cycles > FORGET_CYCLES))
			forget(l);
		else if (valid)
			judge(lc, l, h->out_cycle);
	}
	lc->bad_cycles = bad ? lc->bad_cycles + 1 : 0;
}

void loop_outputs(struct loop_check *lc)
{
	if (!lc->loops)
		return;
	lc->sequence++;
	for (int i = 0; i < lc->loops; i++)
		put(&lc->loop[i].out, kecat_outputs(lc->k), lc->sequence);
}

void loop_published(struct loop_check *lc)
{
	if (lc->loops)
		lc->sent[kecat_set_number(lc->k) % LOOP_RING] = lc->sequence;
}

uint64_t loop_mismatches(const struct loop_check *lc)
{
	uint64_t sum = 0;

	for (int i = 0; i < lc->loops; i++)
		sum += lc->loop[i].mismatches;
	return sum;
}

bool loop_complete(const struct loop_check *lc)
{
	for (int i = 0; i < lc->loops; i++)
		if (!lc->loop[i].armed)
			return false;
	return true;
}
