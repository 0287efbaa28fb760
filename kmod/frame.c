// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/if_ether.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include "frame.h"

/**
 * kecat_frame_begin - Ethernet header, EtherCAT header and tag
 * @b:   builder
 * @buf: room for ETH_FRAME_LEN bytes
 * @src: MAC address of the port
 * @tag: identity of the frame
 *
 * Context: any, real-time safe.
 */
void kecat_frame_begin(struct kecat_frame_builder *b, u8 *buf, const u8 *src,
		       u32 tag)
{
	__le32 t = cpu_to_le32(tag);
	u8 *data;

	b->buf = buf;
	b->len = KECAT_FRAME_START;
	b->last = 0;
	memset(buf, 0xff, 6);
	memcpy(buf + 6, src, 6);
	buf[12] = EC_ETHERTYPE >> 8;
	buf[13] = EC_ETHERTYPE & 0xff;
	data = kecat_frame_add(b, EC_NOP, 0, 0, EC_REG_DC_PORT_TIME,
			       KECAT_TAG_LEN);
	memcpy(data, &t, sizeof(t));
}

/**
 * kecat_frame_add - append a datagram
 * @b:   builder
 * @cmd: enum ec_cmd
 * @idx: datagram index
 * @adp: address
 * @ado: offset
 * @len: bytes of data; the caller has made sure that they fit
 *
 * Context: any, real-time safe.
 * Return: where its data goes; not cleared.
 */
u8 *kecat_frame_add(struct kecat_frame_builder *b, u8 cmd, u8 idx, u16 adp,
		    u16 ado, u16 len)
{
	struct ec_dgram_hdr *h = (void *)(b->buf + b->len);

	if (b->last) {
		struct ec_dgram_hdr *prev = (void *)(b->buf + b->last);

		prev->len |= cpu_to_le16(EC_DGRAM_MORE);
	}
	b->last = b->len;
	h->cmd = cmd;
	h->idx = idx;
	h->adp = cpu_to_le16(adp);
	h->ado = cpu_to_le16(ado);
	h->len = cpu_to_le16(len);
	h->irq = 0;
	b->len += EC_DGRAM_HDR + len;
	memset(b->buf + b->len, 0, EC_WKC_LEN);
	b->len += EC_WKC_LEN;
	return (u8 *)(h + 1);
}

/**
 * kecat_frame_end - EtherCAT header and padding
 * @b: builder
 *
 * Context: any, real-time safe.
 * Return: length to send, at least KECAT_FRAME_MIN.
 */
unsigned int kecat_frame_end(struct kecat_frame_builder *b)
{
	u16 hdr = (b->len - KECAT_FRAME_START) | EC_TYPE_DLPDU << 12;

	b->buf[EC_ETH_HDR] = hdr & 0xff;
	b->buf[EC_ETH_HDR + 1] = hdr >> 8;
	if (b->len >= KECAT_FRAME_MIN)
		return b->len;
	memset(b->buf + b->len, 0, KECAT_FRAME_MIN - b->len);
	return KECAT_FRAME_MIN;
}

/**
 * kecat_frame_check - is this one of ours?
 * @frame: what was received
 * @len:   its length, without FCS
 * @src:   MAC address of the port
 * @tag:   out: its tag
 *
 * Looks at everything up to the tag: EtherType, type, length, the source
 * address with or without the bit that an ESC sets, and the NOP itself.
 *
 * Context: any, real-time safe.
 * Return: bytes of datagrams from KECAT_FRAME_START on, or -EBADMSG.
 */
int kecat_frame_check(const u8 *frame, unsigned int len, const u8 *src,
		      u32 *tag)
{
	const u64 returned = EC_SRC_RETURNED;
	const u64 nop_mask = 0xff | 0xffffffffull << 16 | KECAT_WANT_LEN(EC_LEN_MASK);
	const u64 nop = EC_NOP | (u64)EC_REG_DC_PORT_TIME << 32 |
			KECAT_WANT_LEN(KECAT_TAG_LEN);
	unsigned int body;
	u64 from;
	u16 hdr;

	if (len < KECAT_FRAME_BODY)
		return -EBADMSG;
	/* source address and EtherType are eight bytes side by side */
	from = get_unaligned_le32(src) | (u64)get_unaligned_le16(src + 4) << 32 |
	       (u64)(EC_ETHERTYPE >> 8) << 48 | (u64)(EC_ETHERTYPE & 0xff) << 56;
	if ((get_unaligned_le64(frame + ETH_ALEN) ^ from) & ~returned)
		return -EBADMSG;
	hdr = get_unaligned_le16(frame + EC_ETH_HDR);
	body = hdr & EC_LEN_MASK;
	if (hdr >> 12 != EC_TYPE_DLPDU || body < KECAT_TAG_SIZE ||
	    body > len - KECAT_FRAME_START)
		return -EBADMSG;
	if ((get_unaligned_le64(frame + KECAT_FRAME_START) ^ nop) & nop_mask)
		return -EBADMSG;
	*tag = get_unaligned_le32(frame + KECAT_FRAME_TAG);
	return body;
}

/*
 * Slaves count the position of auto-increment and broadcast commands up; the
 * other addresses come back as they were sent.
 */
static bool adp_moves(u8 cmd)
{
	switch (cmd) {
	case EC_APRD:
	case EC_APWR:
	case EC_APRW:
	case EC_BRD:
	case EC_BWR:
	case EC_BRW:
	case EC_ARMW:
		return true;
	}
	return false;
}

/**
 * kecat_dgram_want - what the header of an answer looks like
 * @cmd:  as sent
 * @idx:  as sent
 * @adp:  as sent
 * @ado:  as sent
 * @len:  as sent
 * @flags: EC_DGRAM_MORE: another datagram follows; EC_DGRAM_CIRC: it may have
 *        passed a slave whose port 0 is closed, which marks it
 *
 * In a line no marked frame can come back, so one that does is of somebody else's
 * making.  Behind the break of a ring all do.
 *
 * Context: any, real-time safe.
 */
struct kecat_dgram_want kecat_dgram_want(u8 cmd, u8 idx, u16 adp, u16 ado,
					 u16 len, u16 flags)
{
	u16 look = EC_LEN_MASK | EC_DGRAM_MORE | (~flags & EC_DGRAM_CIRC);

	return (struct kecat_dgram_want) {
		.value = cmd | idx << 8 | (u32)adp << 16 | (u64)ado << 32 |
			 KECAT_WANT_LEN(len | (flags & EC_DGRAM_MORE)),
		.mask = 0xffff | (adp_moves(cmd) ? 0 : 0xffffu << 16) |
			0xffffull << 32 | KECAT_WANT_LEN(look),
	};
}

/**
 * kecat_dgram_answers - does a received header belong to what was sent?
 * @h:     received header; the caller has checked that it lies in the frame
 * @cmd:   for this and all that follow see kecat_dgram_want()
 * @idx:   ..
 * @adp:   ..
 * @ado:   ..
 * @len:   ..
 * @flags: ..
 *
 * Context: any, real-time safe.
 */
bool kecat_dgram_answers(const struct ec_dgram_hdr *h, u8 cmd, u8 idx, u16 adp,
			 u16 ado, u16 len, u16 flags)
{
	struct kecat_dgram_want w = kecat_dgram_want(cmd, idx, adp, ado, len, flags);

	return kecat_dgram_is(h, &w, ~0ull);
}
