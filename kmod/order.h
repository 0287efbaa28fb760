/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which device on the wire is which of the records we have, and in what order
 * they stand.  Pure.
 */
#ifndef KECAT_ORDER_H
#define KECAT_ORDER_H

#include <linux/types.h>

struct kecat_ident {
	bool valid;		/* the rest could be read */
	u32 vendor;
	u32 product;
	u32 revision;
	u32 serial;
};

/**
 * struct kecat_known - a record
 * @station: address we gave it
 * @bus:     where on the bus it was last, counted without missing ones ..
 * @behind:  .. and from the end: the second port reached it
 * @ident:   as read then
 */
struct kecat_known {
	u16 station;
	u16 bus;
	bool behind;
	struct kecat_ident ident;
};

/**
 * struct kecat_seen - a device on the wire
 * @station: address it answers to now
 * @ident:   needed of the unknown ones only
 */
struct kecat_seen {
	u16 station;
	struct kecat_ident ident;
};

/**
 * struct kecat_place - an entry of the new list
 * @known: record that stands here, -1: none yet
 * @seen:  device that stands here, -1: missing
 * @fresh: the device is not that of the record, which ends
 */
struct kecat_place {
	s32 known;
	s32 seen;
	bool fresh;
};

bool kecat_ident_equal(const struct kecat_ident *a, const struct kecat_ident *b);
u32 kecat_order_keep(const struct kecat_known *known, u32 nknown,
		     const struct kecat_seen *seen, u32 nseen, s32 *keep);
u32 kecat_order_merge(const struct kecat_known *known, u32 nknown,
		      const struct kecat_seen *seen, u32 nseen, const s32 *keep,
		      struct kecat_place *place, u32 room);
u16 kecat_order_address(u16 *next, const u16 *used, u32 n);

#endif
