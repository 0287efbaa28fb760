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

#define KECAT_COPY_ONE(type, to, from) \
	put_unaligned(get_unaligned((const type *)(from)), (type *)(to))

/* like memcpy(), no byte beyond @len is read or written */
static __always_inline void kecat_copy(u8 *to, const u8 *from, u32 len)
{
	if (len >= KECAT_COPY_LONG) {
		memcpy(to, from, len);
		return;
	}
	for (; len >= 16; len -= 16, to += 16, from += 16) {
		KECAT_COPY_ONE(u64, to, from);
		KECAT_COPY_ONE(u64, to + 8, from + 8);
	}
	if (len & 8) {
		KECAT_COPY_ONE(u64, to, from);
		to += 8;
		from += 8;
	}
	if (len & 4) {
		KECAT_COPY_ONE(u32, to, from);
		to += 4;
		from += 4;
	}
	if (len & 2) {
		KECAT_COPY_ONE(u16, to, from);
		to += 2;
		from += 2;
	}
	if (len & 1)
		*to = *from;
}

#endif
