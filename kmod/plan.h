/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The plan of a cycle: which frames with which datagrams move which bytes of
 * the image.  Pure; made at activation from the configuration, then only the
 * live state of the slaves changes.
 */
#ifndef KECAT_PLAN_H
#define KECAT_PLAN_H

#include <linux/if_ether.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "config.h"
#include "frame.h"

#define KECAT_PLAN_MAX_FRAMES	128
#define KECAT_NO_GROUP		0xff
#define KECAT_NO_DGRAM		0xffff

/* a slave's part of a datagram */
struct kecat_pmember {
	u16 slave;		/* index in the configuration */
	u16 wkc;		/* what it adds */
	u32 in_offset;		/* image */
	u16 in_len;
	u16 in_pos;		/* in the datagram's data */
};

/**
 * struct kecat_pdgram - a cyclic datagram
 * @cmd:       EC_LRW, EC_LRD, EC_LWR or EC_BRD (AL status of all slaves)
 * @group:     sync group; EC_BRD has none
 * @frame:     which frame
 * @hdr:       offset of its header in the frame
 * @len:       bytes of data
 * @out_len:   the first so many of them are outputs
 * @in_len:    the next so many are inputs
 * @out_offset: image
 * @in_offset: image
 * @logical:   address of the first byte
 * @wkc_full:  if all members take part
 * @wkc:       expected now; control side writes, cyclic thread reads
 * @all_live:  .. all members take part: one copy instead of one each
 */
struct kecat_pdgram {
	u8 cmd;
	u8 group;
	u16 frame;
	u16 hdr;
	u16 len;
	u16 out_len;
	u16 in_len;
	u32 out_offset;
	u32 in_offset;
	u32 logical;
	u16 wkc_full;
	u16 wkc;
	bool all_live;
	u32 first_member;
	u32 members;
};

struct kecat_pframe {
	u16 len;		/* without padding to the minimum */
	u16 send_len;		/* with it */
	u16 dgrams;
	u32 first_dgram;
	u8 *image;		/* the frame as built once; tag and data to be filled in */
};

/**
 * struct kecat_plan - frames and datagrams of a cycle
 * @lock:       @live and what follows from it
 * @live_gen:   raised with each change of @live
 * @nframes:    frames a cycle
 * @ndgrams:    datagrams a cycle
 * @nmembers:   elements of @member
 * @nslaves:    configured slaves
 * @groups:     highest sync group in use + 1
 * @in_len:     bytes of the input image
 * @out_len:    bytes of the output image
 * @wkc_full:   per group, if all slaves take part
 * @in_group_offset: where a group's inputs lie in the image
 * @in_group_len: .. bytes
 * @frame:      by number
 * @dgram:      in order of the wire
 * @member:     by datagram
 * @sm_logical: logical address of each configured SM,
 *              [slave * KECAT_CFG_MAX_SMS + i]
 * @slave_dgram: the one or two datagrams that a slave is part of
 * @live:       per configured slave
 */
struct kecat_plan {
	raw_spinlock_t lock;
	u32 live_gen;
	u32 nframes;
	u32 ndgrams;
	u32 nmembers;
	u32 nslaves;
	u32 groups;
	u32 in_len;
	u32 out_len;
	u16 wkc_full[KECAT_MAX_GROUPS];
	u32 in_group_offset[KECAT_MAX_GROUPS];
	u32 in_group_len[KECAT_MAX_GROUPS];
	struct kecat_pframe *frame;
	struct kecat_pdgram *dgram;
	struct kecat_pmember *member;
	u32 *sm_logical;
	u16 (*slave_dgram)[2];
	bool *live;
};

/*
 * @no_lrw: per configured slave, what the scan found; NULL = none.
 * 0, -EMSGSIZE (a slave's data does not fit a frame), -ENOMEM, -E2BIG (too
 * many frames).  Context: may sleep.
 */
int kecat_plan_build(const struct kecat_cfg *cfg, const bool *no_lrw,
		     const u8 *src, struct kecat_plan **out);
void kecat_plan_free(struct kecat_plan *p);
void kecat_plan_set_live(struct kecat_plan *p, u32 slave, bool live);

#endif
