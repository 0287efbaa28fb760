/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process image that an application maps: control page, three input and
 * three output buffers (see kecat_shm.h).  The cyclic thread is the only one
 * that exchanges buffers on the kernel's side.
 */
#ifndef KECAT_IMAGE_H
#define KECAT_IMAGE_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/kref.h>
#include <linux/types.h>
#include "../uapi/kecat_shm.h"
#include "plan.h"

struct vm_area_struct;

/**
 * struct kecat_image - a mapped image
 * @ref:      the master's, and one per mapping
 * @mem:      what is mapped (vmalloc_user)
 * @size:     of @mem
 * @in_len:   bytes
 * @out_len:  bytes
 * @in_off:   own copies of the buffers' places: the mapped ones are hostile
 * @out_off:  ..
 * @in_own:   input buffer that the cyclic thread fills next
 * @out_own:  output buffer that the cyclic thread sends
 * @out_taken: output sets taken so far
 * @in_stage: inputs as they come in, per side
 * @in_last:  inputs of each group's last valid cycle, apart from the mapping
 * @out_last: outputs as last sent, for observers
 * @zeros:    outputs when nobody answers for them
 */
struct kecat_image {
	struct kref ref;
	void *mem;
	u32 size;
	u32 in_len;
	u32 out_len;
	u32 in_off[3];
	u32 out_off[3];
	u32 in_own;
	u32 out_own;
	u32 out_taken;
	u8 *in_stage[KECAT_SIDES];
	u8 *in_last;
	u8 *out_last;
	u8 *zeros;
};

/**
 * struct kecat_app_times - what the application says of its work, not checked
 * @cycle:    whose inputs it has
 * @taken_ns: since when
 * @done_ns:  when it had made its last outputs
 */
struct kecat_app_times {
	u64 cycle;
	u64 taken_ns;
	u64 done_ns;
};

static inline struct kecat_shm *kecat_image_shm(const struct kecat_image *img)
{
	return img->mem;
}

/* a mapped index is the application's word: anything but 0..2 counts as 0 */
static inline u32 kecat_image_index(u32 mid)
{
	mid &= 3;
	return mid < 3 ? mid : 0;
}

/**
 * kecat_image_take_outputs - make the newest outputs the current ones
 * @img: image
 *
 * Context: cyclic thread.
 * Return: true if there was a fresh set.
 */
static inline bool kecat_image_take_outputs(struct kecat_image *img)
{
	struct kecat_shm *s = kecat_image_shm(img);

	if (!(READ_ONCE(s->out_mid) & KECAT_MID_FRESH))
		return false;
	/* pairs with the application's xchg that published the set */
	img->out_own = kecat_image_index(xchg(&s->out_mid, img->out_own));
	img->out_taken++;
	return true;
}

/* the application can still write to it: content may change, never the place */
static inline const u8 *kecat_image_outputs(const struct kecat_image *img)
{
	return (const u8 *)img->mem + img->out_off[img->out_own];
}

/* anything: the application can write to it, also now */
static inline void kecat_image_app_times(const struct kecat_image *img,
					 struct kecat_app_times *t)
{
	const struct kecat_shm *s = img->mem;

	/* pairs with the application's store: its time is there before it */
	t->cycle = smp_load_acquire(&s->taken_cycle);
	t->taken_ns = READ_ONCE(s->taken_ns);
	t->done_ns = READ_ONCE(s->done_ns);
}

int kecat_image_create(const struct kecat_plan *p, u64 cycle_ns,
		       struct kecat_image **out);
void kecat_image_get(struct kecat_image *img);
void kecat_image_put(struct kecat_image *img);	/* NULL is fine */
int kecat_image_mmap(struct kecat_image *img, struct vm_area_struct *vma);

/* cyclic thread */
void kecat_image_publish(struct kecat_image *img, const struct kecat_in_hdr *h);
void kecat_image_show_live(struct kecat_image *img, const u64 *live);

/* control side */
void kecat_image_set_op(struct kecat_image *img, u32 slaves_op);
void kecat_image_release(struct kecat_image *img);

#endif
