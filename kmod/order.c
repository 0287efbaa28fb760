// SPDX-License-Identifier: GPL-2.0-only
#include <linux/string.h>
#include <linux/minmax.h>
#include "../uapi/kecat.h"
#include "order.h"

/* station addresses that we give away; the first is what tools expect */
#define FIRST_STATION	1001
#define LAST_STATION	0xefff

/**
 * kecat_ident_equal - could this be the same device?
 * @a: one
 * @b: other; two that could not be read are not equal
 */
bool kecat_ident_equal(const struct kecat_ident *a, const struct kecat_ident *b)
{
	return a->valid && b->valid && a->vendor == b->vendor &&
	       a->product == b->product && a->revision == b->revision &&
	       a->serial == b->serial;
}

static u32 distance(u32 a, u32 b)
{
	return a > b ? a - b : b - a;
}

/* how many of its old neighbours record @k would have at place @i */
static int neighbours(const struct kecat_known *known, u32 nknown, u32 k,
		      const struct kecat_seen *seen, u32 nseen, u32 i)
{
	int n = 0;

	if (k && i)
		n += known[k - 1].station == seen[i - 1].station;
	if (k + 1 < nknown && i + 1 < nseen)
		n += known[k + 1].station == seen[i + 1].station;
	return n;
}

/* of the devices that carry the record's address, the most likely one */
static s32 find_seen(const struct kecat_known *known, u32 nknown, u32 k,
		     const struct kecat_seen *seen, u32 nseen)
{
	u32 i, at, bus = known[k].bus;
	u32 off, best_off = 0;
	int rank, best_rank = 0;
	s32 best = -1;

	for (i = 0; i < nseen; i++) {
		if (seen[i].station != known[k].station)
			continue;
		rank = neighbours(known, nknown, k, seen, nseen, i);
		at = known[k].behind ? nseen - 1 - i : i;
		off = distance(at, bus);
		if (best < 0 || rank > best_rank ||
		    (rank == best_rank && off < best_off)) {
			best = i;
			best_rank = rank;
			best_off = off;
		}
	}
	return best;
}

/**
 * kecat_order_keep - devices that still carry the address we gave them
 * @known:  records, in order
 * @nknown: their number
 * @seen:   devices, in order of the frame
 * @nseen:  their number
 * @keep:   out, per device: its record, or -1: unknown, needs a new address
 *
 * A foreign device may carry the same address as one of ours.
 * Return: number of devices kept.
 */
u32 kecat_order_keep(const struct kecat_known *known, u32 nknown,
		     const struct kecat_seen *seen, u32 nseen, s32 *keep)
{
	u32 i, kept = 0;
	s32 at;

	for (i = 0; i < nseen; i++)
		keep[i] = -1;
	for (i = 0; i < nknown; i++) {
		at = -1;
		if (known[i].station)
			at = find_seen(known, nknown, i, seen, nseen);
		if (at < 0 || keep[at] >= 0)
			continue;
		keep[at] = i;
		kept++;
	}
	return kept;
}

/* state of one merge */
struct merger {
	const struct kecat_known *known;
	const struct kecat_seen *seen;
	const s32 *keep;
	struct kecat_place *place;
	u32 nknown, nseen, room;
	u32 n;			/* places filled */
	u32 next;		/* first record not yet looked at */
	u32 spare;		/* missing records that there is room for */
	u64 kept[KECAT_MAX_SLAVES / 64];	/* bit per record */
};

static void put(struct merger *mg, s32 known, s32 seen, bool fresh)
{
	if (mg->n == mg->room)
		return;
	if (seen < 0) {
		if (!mg->spare)
			return;
		mg->spare--;
	}
	mg->place[mg->n++] = (struct kecat_place) {
		.known = known, .seen = seen, .fresh = fresh,
	};
}

static bool is_kept(const struct merger *mg, u32 known)
{
	return mg->kept[known / 64] >> (known % 64) & 1;
}

static u32 count_missing(const struct merger *mg, u32 from, u32 to)
{
	u32 n = 0;

	for (; from < to; from++)
		n += !is_kept(mg, from);
	return n;
}

/* the missing records up to @to keep their place */
static void pass_missing(struct merger *mg, u32 to)
{
	for (; mg->next < to; mg->next++)
		if (!is_kept(mg, mg->next))
			put(mg, mg->next, -1, false);
}

/*
 * A record of [mg->next, to) for the unknown device @i: the first of the same
 * identity that leaves enough records for the @after unknown ones behind it.
 */
static s32 find_record(const struct merger *mg, u32 i, u32 to, u32 after)
{
	u32 k, left = count_missing(mg, mg->next, to);

	for (k = mg->next; k < to && left > after; k++) {
		if (is_kept(mg, k))
			continue;
		if (kecat_ident_equal(&mg->known[k].ident, &mg->seen[i].ident))
			return k;
		left--;
	}
	return -1;
}

static s32 first_missing(const struct merger *mg, u32 to)
{
	u32 k;

	for (k = mg->next; k < to; k++)
		if (!is_kept(mg, k))
			return k;
	return -1;
}

/*
 * Unknown devices [from, end) stand where the records [mg->next, to) stood.
 * As long as there are enough records the list must not grow, or everything
 * behind would change its position.
 */
static void fill_gap(struct merger *mg, u32 from, u32 end, u32 to)
{
	u32 i;

	for (i = from; i < end; i++) {
		u32 missing = count_missing(mg, mg->next, to);
		u32 after = end - i - 1;
		bool grows = after + 1 > missing;
		s32 k = find_record(mg, i, to, grows ? 0 : after);
		bool same = k >= 0;

		if (!same && !grows)
			k = first_missing(mg, to);
		if (k < 0) {
			put(mg, -1, i, true);
			continue;
		}
		pass_missing(mg, k);
		put(mg, k, i, !same);
		mg->next = k + 1;
	}
}

/**
 * kecat_order_merge - the new list
 * @known:  records, in order
 * @nknown: their number, at most KECAT_MAX_SLAVES
 * @seen:   devices, in order of the frame
 * @nseen:  their number
 * @keep:   from kecat_order_keep()
 * @place:  out
 * @room:   places there are; at least @nseen.  Missing records that do not fit
 *          are dropped.
 *
 * Present devices stand in the order of the frame.  A missing record stays
 * behind the one it followed.  An unknown device takes the record of a missing
 * one that it equals or whose place it took.
 * Return: number of places.
 */
u32 kecat_order_merge(const struct kecat_known *known, u32 nknown,
		      const struct kecat_seen *seen, u32 nseen, const s32 *keep,
		      struct kecat_place *place, u32 room)
{
	struct merger mg = {
		.known = known, .nknown = nknown, .seen = seen, .nseen = nseen,
		.keep = keep, .place = place, .room = room,
		.spare = room - min(room, nseen),
	};
	u32 i, end;

	for (i = 0; i < nseen; i++)
		if (keep[i] >= 0)
			mg.kept[keep[i] / 64] |= 1ULL << (keep[i] % 64);
	for (i = 0; i < nseen; i = end) {
		u32 to = nknown;

		for (end = i; end < nseen && keep[end] < 0; end++)
			;
		if (end < nseen)
			to = max_t(u32, keep[end], mg.next);
		fill_gap(&mg, i, end, to);
		if (end == nseen)
			break;
		/* one that moved forward past others leaves them where they are */
		if (keep[end] >= (s32)mg.next) {
			pass_missing(&mg, keep[end]);
			mg.next = keep[end] + 1;
		}
		put(&mg, keep[end], end, false);
		end++;
	}
	pass_missing(&mg, nknown);
	return mg.n;
}

/**
 * kecat_order_address - a station address that nobody has
 * @next: where to go on
 * @used: addresses that are taken
 * @n:    their number; far less than there are addresses
 */
u16 kecat_order_address(u16 *next, const u16 *used, u32 n)
{
	bool taken;
	u32 i;
	u16 a;

	do {
		if (*next < FIRST_STATION || *next > LAST_STATION)
			*next = FIRST_STATION;
		a = (*next)++;
		taken = false;
		for (i = 0; i < n && !taken; i++)
			taken = used[i] == a;
	} while (taken);
	return a;
}
