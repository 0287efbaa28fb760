// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "copy.h"
#include "image.h"
#include "compat/compat.h"

static u32 buffer_size(u32 bytes)
{
	return ALIGN(bytes, 64);
}

static void fill_control(struct kecat_image *img, const struct kecat_plan *p,
			 u64 cycle_ns)
{
	struct kecat_shm *s = kecat_image_shm(img);
	u32 in = buffer_size(sizeof(struct kecat_in_hdr) + p->in_len);
	u32 out = buffer_size(p->out_len);
	u32 off = PAGE_SIZE;
	int i;

	for (i = 0; i < 3; i++, off += in)
		img->in_off[i] = off;
	for (i = 0; i < 3; i++, off += out)
		img->out_off[i] = off;
	*s = (struct kecat_shm) {
		.magic = KECAT_SHM_MAGIC,
		.version = KECAT_SHM_VERSION,
		.size = img->size,
		.in_len = p->in_len,
		.out_len = p->out_len,
		.in_data = sizeof(struct kecat_in_hdr),
		.groups = p->groups,
		.cycle_ns = cycle_ns,
		.in_mid = 1,
		.out_mid = 1,
		.state = KECAT_PHASE_ACTIVE,
	};
	memcpy(s->in_off, img->in_off, sizeof(s->in_off));
	memcpy(s->out_off, img->out_off, sizeof(s->out_off));
}

/**
 * kecat_image_create - memory for a plan's image
 * @p:        plan
 * @cycle_ns: shown to the application
 * @out:      the image, all zero
 *
 * Context: may sleep.
 */
int kecat_image_create(const struct kecat_plan *p, u64 cycle_ns,
		       struct kecat_image **out)
{
	struct kecat_image *img = kzalloc(sizeof(*img), GFP_KERNEL);
	bool staged = true;
	int i;

	if (!img)
		return -ENOMEM;
	BUILD_BUG_ON(sizeof(struct kecat_shm) > PAGE_SIZE);
	kref_init(&img->ref);
	img->in_len = p->in_len;
	img->out_len = p->out_len;
	img->size = PAGE_ALIGN(PAGE_SIZE +
			       3 * buffer_size(sizeof(struct kecat_in_hdr) + p->in_len) +
			       3 * buffer_size(p->out_len));
	img->mem = vmalloc_user(img->size);
	for (i = 0; i < KECAT_SIDES; i++) {
		img->in_stage[i] = kvzalloc(p->in_len + 1, GFP_KERNEL);
		staged = staged && img->in_stage[i];
	}
	img->in_last = kvzalloc(p->in_len + 1, GFP_KERNEL);
	img->zeros = kvzalloc(p->out_len + 1, GFP_KERNEL);
	img->out_last = kvzalloc(p->out_len + 1, GFP_KERNEL);
	if (!img->mem || !staged || !img->in_last || !img->zeros ||
	    !img->out_last) {
		kecat_image_put(img);
		return -ENOMEM;
	}
	fill_control(img, p, cycle_ns);
	*out = img;
	return 0;
}

static void image_free(struct kref *ref)
{
	struct kecat_image *img = container_of(ref, struct kecat_image, ref);
	int i;

	vfree(img->mem);
	for (i = 0; i < KECAT_SIDES; i++)
		kvfree(img->in_stage[i]);
	kvfree(img->in_last);
	kvfree(img->zeros);
	kvfree(img->out_last);
	kfree(img);
}

void kecat_image_get(struct kecat_image *img)
{
	kref_get(&img->ref);
}

void kecat_image_put(struct kecat_image *img)
{
	if (img)
		kref_put(&img->ref, image_free);
}

static void vma_open(struct vm_area_struct *vma)
{
	kecat_image_get(vma->vm_private_data);
}

static void vma_close(struct vm_area_struct *vma)
{
	kecat_image_put(vma->vm_private_data);
}

static const struct vm_operations_struct vma_ops = {
	.open = vma_open,
	.close = vma_close,
};

/**
 * kecat_image_mmap - map the whole image, populated, so that it never faults
 * @img: image
 * @vma: from offset 0, not longer than the image
 *
 * The mapping holds a reference: it stays valid after deactivation.
 */
int kecat_image_mmap(struct kecat_image *img, struct vm_area_struct *vma)
{
	unsigned long size = vma->vm_end - vma->vm_start;
	int err;

	if (vma->vm_pgoff || size > img->size || !(vma->vm_flags & VM_SHARED))
		return -EINVAL;
	/* sets VM_DONTEXPAND and VM_DONTDUMP */
	err = remap_vmalloc_range(vma, img->mem, 0);
	if (err)
		return err;
	vma->vm_private_data = img;
	vma->vm_ops = &vma_ops;
	kecat_image_get(img);
	return 0;
}

/**
 * kecat_image_publish - hand the inputs of a cycle to the application
 * @img: image; @in_last holds the data
 * @h:   what belongs to them
 *
 * Context: cyclic thread.
 */
void kecat_image_publish(struct kecat_image *img, const struct kecat_in_hdr *h)
{
	struct kecat_shm *s = kecat_image_shm(img);
	u8 *buf = (u8 *)img->mem + img->in_off[img->in_own];

	memcpy(buf, h, sizeof(*h));
	kecat_copy(buf + sizeof(*h), img->in_last, img->in_len);
	/* pairs with the reader's xchg: the set is whole before it is seen */
	img->in_own = kecat_image_index(xchg(&s->in_mid, img->in_own | KECAT_MID_FRESH));
	s->tick_ns = h->tick_ns;
	/* pairs with a spinning reader's load of cycle */
	smp_store_release(&s->cycle, h->cycle);
}

/* @live: bit per configured slave */
void kecat_image_show_live(struct kecat_image *img, const u64 *live)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(kecat_image_shm(img)->live); i++)
		WRITE_ONCE(kecat_image_shm(img)->live[i], live[i]);
}

void kecat_image_set_op(struct kecat_image *img, u32 slaves_op)
{
	WRITE_ONCE(kecat_image_shm(img)->slaves_op, slaves_op);
}

/* for readers that spin: no more cycles will come */
void kecat_image_release(struct kecat_image *img)
{
	WRITE_ONCE(kecat_image_shm(img)->state, KECAT_PHASE_IDLE);
}
