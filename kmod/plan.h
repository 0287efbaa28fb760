/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a cycle sends.  The plan gives every byte of process data its logical
 * address, once, at activation.  A layout is the frames that move the bytes of
 * those slaves that take part right now; it is made anew each time that one
 * joins or leaves.  Pure.
 *
 * No logical address of a slave that takes no part is ever sent.  A working
 * counter is a sum and cannot tell who answered; but if only those are
 * addressed who are expected, and none adds more than its share, the expected
 * sum means that each of them did its part.  Else a device that comes back
 * with its FMMUs still on could stand in for one that has just dropped out.
 */
#ifndef KECAT_PLAN_H
#define KECAT_PLAN_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/if_ether.h>
#include <linux/types.h>
#include "config.h"
#include "frame.h"

/*
 * Most that the largest image, cut as often as 1024 slaves can cut it, fills:
 * two frames that follow each other hold more than one frame's room.
 */
#define KECAT_PLAN_MAX_FRAMES	256
#define KECAT_NO_GROUP		0xff
/* in kecat_plan.handed: not taken yet */
#define KECAT_LAYOUT_NEW	0x4
/* ports of a master: both ends of a ring, or one end of a line */
#define KECAT_SIDES		2

/**
 * struct kecat_piece - a slave's bytes in one direction
 * @slave:   index in the configuration
 * @len:     bytes
 * @out:     outputs
 * @offset:  in the image
 * @logical: address
 */
struct kecat_piece {
	u16 slave;
	u16 len;
	bool out;
	u32 offset;
	u32 logical;
};

/**
 * struct kecat_area - pieces of a group without a gap: outputs, then inputs
 * @first:  of its pieces
 * @pieces: how many
 * @group:  sync group
 * @lrw:    outputs and inputs may share a datagram
 */
struct kecat_area {
	u32 first;
	u32 pieces;
	u8 group;
	bool lrw;
};

/**
 * struct kecat_pdgram - a cyclic datagram
 * @cmd:       EC_LRW, EC_LRD, EC_LWR, EC_NOP (fill) or EC_BRD (AL status of all slaves)
 * @group:     sync group; EC_BRD has none
 * @frame:     which frame
 * @hdr:       offset of its header in the frame
 * @len:       bytes of data
 * @out_len:   the first so many of them are outputs
 * @in_len:    the next so many are inputs
 * @wkc:       expected
 * @out_offset: image
 * @in_offset: image
 * @logical:   address of the first byte
 * @want:      header of an answer; the ring's mark is to be looked at in a line
 * @from:      this cycle: bit per side whose answer has its inputs, 0 = none
 * @got:       this cycle: working counter per side
 */
struct kecat_pdgram {
	u8 cmd;
	u8 group;
	u16 frame;
	u16 hdr;
	u16 len;
	u16 out_len;
	u16 in_len;
	u16 wkc;
	u32 out_offset;
	u32 in_offset;
	u32 logical;
	struct kecat_dgram_want want;
	u8 from;
	u16 got[KECAT_SIDES];
};

/* how a frame came back to which of the master's ports, if it did */
enum kecat_return {
	KECAT_NOT_BACK,
	KECAT_HOME,		/* to the one that it left by */
	KECAT_CROSSED,		/* through the whole ring, to the other one */
};

struct kecat_pframe {
	u16 len;		/* without padding to the minimum */
	u16 send_len;		/* with it */
	u8 back[KECAT_SIDES];	/* this cycle: enum kecat_return */
	struct kecat_pdgram *dgram;	/* the first one */
	struct kecat_pdgram *behind;	/* what follows the last one */
	u8 *image;		/* the frame as built once; tag and data to be filled in */
};

/**
 * struct kecat_plan_layout - frames and datagrams of a cycle
 * @gen:     differs from that of any other layout of the plan
 * @nframes: frames a cycle
 * @ndgrams: datagrams a cycle
 * @live:    bit per configured slave: takes part
 * @wkc:     expected, per group
 * @frame:   by number
 * @dgram:   in order of the wire
 */
struct kecat_plan_layout {
	u32 gen;
	u32 nframes;
	u32 ndgrams;
	u64 live[KECAT_MAX_SLAVES / 64];
	u16 wkc[KECAT_MAX_GROUPS];
	struct kecat_pframe *frame;
	struct kecat_pdgram *dgram;
};

/**
 * struct kecat_plan - process data of an activation
 * @npieces:    elements of @piece
 * @nareas:     elements of @area
 * @nslaves:    configured slaves
 * @groups:     highest sync group in use + 1
 * @in_len:     bytes of the input image
 * @out_len:    bytes of the output image
 * @wkc_full:   per group, if all slaves take part
 * @frames_full: frames a cycle, if all slaves take part
 * @max_frames: .. in the worst case
 * @fill:       frames of a cycle that are no slave's
 * @piece:      by area, in order of their addresses
 * @area:       by group
 * @sm_logical: logical address of each configured SM,
 *              [slave * KECAT_CFG_MAX_SMS + i]
 * @lrw:        per configured slave: an LRW may move its data
 * @src:        MAC address of the port
 * @live:       control side: who takes part in the newest layout
 * @gen:        control side: of the newest layout
 * @layout:     three of them: one is the control side's to write, one is the
 *              cyclic thread's, one lies between them
 * @spare:      the control side's
 * @own:        the cyclic thread's
 * @handed:     the one between, and KECAT_LAYOUT_NEW; exchanged by both sides
 */
struct kecat_plan {
	u32 npieces;
	u32 nareas;
	u32 nslaves;
	u32 groups;
	u32 in_len;
	u32 out_len;
	u16 wkc_full[KECAT_MAX_GROUPS];
	u32 frames_full;
	u32 max_frames;
	struct kecat_cfg_fill fill;
	struct kecat_piece *piece;
	struct kecat_area *area;
	u32 *sm_logical;
	bool *lrw;
	u8 src[ETH_ALEN];

	u64 live[KECAT_MAX_SLAVES / 64];
	u32 gen;
	struct kecat_plan_layout layout[3];
	u32 spare;
	u32 own;
	u32 handed;
};

/*
 * @no_lrw: per configured slave, what the scan found; NULL = none.
 * @logical: in: where logical addresses may start; out: where the next plan's
 * may.  0, -EMSGSIZE (a slave's data does not fit a frame), -ENOMEM.
 * Context: may sleep.
 */
int kecat_plan_build(const struct kecat_cfg *cfg, const bool *no_lrw,
		     const u8 *src, u32 *logical, struct kecat_plan **out);
void kecat_plan_free(struct kecat_plan *p);

/* layout.c; the first two are the plan's own */
int kecat_layout_create(struct kecat_plan *p);
void kecat_layout_destroy(struct kecat_plan *p);
/* control side, one at a time */
void kecat_plan_set_live(struct kecat_plan *p, u32 slave, bool live);

/**
 * kecat_plan_take - the newest layout
 * @p: plan
 *
 * Context: the cyclic thread, between two cycles; real-time safe.
 */
static inline struct kecat_plan_layout *kecat_plan_take(struct kecat_plan *p)
{
	/* pairs with kecat_plan_set_live() */
	if (READ_ONCE(p->handed) & KECAT_LAYOUT_NEW)
		p->own = xchg(&p->handed, p->own) & ~KECAT_LAYOUT_NEW;
	return &p->layout[p->own];
}

#endif
