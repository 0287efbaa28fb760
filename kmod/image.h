/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process image that an application maps: control page, three input and
 * three output buffers (see kecat_shm.h).  The cyclic thread is the only one
 * that exchanges buffers on the kernel's side.
 */
#ifndef KECAT_IMAGE_H
#define KECAT_IMAGE_H

#include <linux/types.h>
#include "../uapi/kecat_shm.h"
#include "plan.h"

struct vm_area_struct;

struct kecat_image {
	void *mem;		/* vmalloc_user */
	u32 size;
	u32 in_len;
	u32 out_len;
	u32 in_off[3];		/* own copies: the mapped ones are hostile */
	u32 out_off[3];
	u32 in_own;
	u32 out_own;
	u32 out_taken;		/* output sets taken so far */
	u8 *in_last;		/* inputs as last received, kept apart from the mapping */
	u8 *zeros;		/* outputs when nobody answers for them */
};

int kecat_image_create(const struct kecat_plan *p, u64 cycle_ns,
		       struct kecat_image **out);
void kecat_image_destroy(struct kecat_image *img);
int kecat_image_mmap(struct kecat_image *img, struct vm_area_struct *vma);

/* cyclic thread */
bool kecat_image_take_outputs(struct kecat_image *img);
const u8 *kecat_image_outputs(const struct kecat_image *img);
void kecat_image_publish(struct kecat_image *img, const struct kecat_in_hdr *h);
void kecat_image_release(struct kecat_image *img);	/* wakes spinning readers: state */

#endif
