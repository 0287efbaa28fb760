/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Building and checking EtherCAT frames.  Pure: buffers in, buffers out.
 *
 * Every frame of ours starts with a NOP datagram on 0x0900 whose four data
 * bytes carry the frame's tag.  No slave changes a NOP, so the tag tells an
 * answer from a stale or foreign frame where the 8-bit index cannot.
 */
#ifndef KECAT_FRAME_H
#define KECAT_FRAME_H

#include <linux/types.h>
#include "compat/unaligned.h"
#include "proto/ecat.h"

#define KECAT_TAG_LEN		4
#define KECAT_TAG_SIZE		(EC_DGRAM_OVERHEAD + KECAT_TAG_LEN)
#define KECAT_FRAME_START	(EC_ETH_HDR + EC_FRAME_HDR)
/* offset of the first datagram behind the tag */
#define KECAT_FRAME_BODY	(KECAT_FRAME_START + KECAT_TAG_SIZE)
#define KECAT_FRAME_TAG		(KECAT_FRAME_START + EC_DGRAM_HDR)
/* room for datagrams, headers included, behind the tag */
#define KECAT_FRAME_ROOM	(EC_DGRAM_ROOM - KECAT_TAG_SIZE)
/* longest data of one datagram next to a tag */
#define KECAT_DATA_MAX		(KECAT_FRAME_ROOM - EC_DGRAM_OVERHEAD)
#define KECAT_FRAME_MIN		60

/*
 * A segment has 100 Mbit/s, whatever the port's link.  Around each frame are
 * preamble, FCS and gap.
 */
#define KECAT_WIRE_NS_BYTE	80

static inline u64 kecat_wire_ns(u32 len)
{
	return (8 + len + 4 + 12) * KECAT_WIRE_NS_BYTE;
}

/**
 * struct kecat_frame_builder - a frame under construction
 * @buf:  the frame, room for ETH_FRAME_LEN bytes
 * @len:  bytes used so far
 * @last: offset of the last datagram's header, to chain the next
 */
struct kecat_frame_builder {
	u8 *buf;
	u16 len;
	u16 last;
};

/**
 * struct kecat_dgram_want - the header of an answer, as one word
 * @value: command, index, address, length and flags as sent
 * @mask:  what of it the slaves leave alone
 *
 * Made once, so that a cycle compares a header in one go.
 */
struct kecat_dgram_want {
	u64 value;
	u64 mask;
};

/* where length and flags of a header lie in its word */
#define KECAT_WANT_LEN(flags)	((u64)(flags) << 48)

/* @h is in the frame, the caller has checked; @look: bits that count at all */
static inline bool kecat_dgram_is(const void *h,
				  const struct kecat_dgram_want *w, u64 look)
{
	return !((get_unaligned_le64(h) ^ w->value) & w->mask & look);
}

void kecat_frame_begin(struct kecat_frame_builder *b, u8 *buf, const u8 *src,
		       u32 tag);
u8 *kecat_frame_add(struct kecat_frame_builder *b, u8 cmd, u8 idx, u16 adp,
		    u16 ado, u16 len);
unsigned int kecat_frame_end(struct kecat_frame_builder *b);
int kecat_frame_check(const u8 *frame, unsigned int len, const u8 *src,
		      u32 *tag);
struct kecat_dgram_want kecat_dgram_want(u8 cmd, u8 idx, u16 adp, u16 ado,
					 u16 len, u16 flags);
bool kecat_dgram_answers(const struct ec_dgram_hdr *h, u8 cmd, u8 idx, u16 adp,
			 u16 ado, u16 len, u16 flags);

#endif
