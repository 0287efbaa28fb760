/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies of the cyclic thread.  Process data comes in pieces of some bytes: a
 * call and the start of a string instruction cost more than those.
 */
#ifndef KECAT_COPY_H
#define KECAT_COPY_H

#include <linux/string.h>
#include <linux/types.h>
#include "compat/unaligned.h"

/* from here on memcpy() is as fast */
#define KECAT_COPY_LONG		256

#define KECAT_COPY_AT(type, to, from, at) \
	put_unaligned(get_unaligned((const type *)((from) + (at))), \
		      (type *)((to) + (at)))

/*
 * Like memcpy(): no byte beyond @len is read or written.  What is left of a
 * step is copied with some bytes before it once more, not bit by bit.
 */
static __always_inline void kecat_copy(u8 *to, const u8 *from, u32 len)
{
	u32 i;

	if (len >= KECAT_COPY_LONG) {
		memcpy(to, from, len);
	} else if (len >= 16) {
		for (i = 0; i < len - 16; i += 16) {
			KECAT_COPY_AT(u64, to, from, i);
			KECAT_COPY_AT(u64, to, from, i + 8);
		}
		KECAT_COPY_AT(u64, to, from, len - 16);
		KECAT_COPY_AT(u64, to, from, len - 8);
	} else if (len >= 8) {
		KECAT_COPY_AT(u64, to, from, 0);
		KECAT_COPY_AT(u64, to, from, len - 8);
	} else if (len >= 4) {
		KECAT_COPY_AT(u32, to, from, 0);
		KECAT_COPY_AT(u32, to, from, len - 4);
	} else if (len) {
		to[0] = from[0];
		to[len / 2] = from[len / 2];
		to[len - 1] = from[len - 1];
	}
}

#endif
