/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_VMALLOC_H
#define HOST_LINUX_VMALLOC_H
#include <linux/slab.h>
struct vm_area_struct;
#define vmalloc(n)	HOST_ALLOC(n, GFP_KERNEL, HOST_VMALLOC)
#define vzalloc(n)	HOST_ALLOC(n, GFP_KERNEL | __GFP_ZERO, HOST_VMALLOC)
#define vmalloc_user(n)	vzalloc(n)
#define vmalloc_array(n, s) vmalloc(size_mul(n, s))
#define vcalloc(n, s)	vzalloc(size_mul(n, s))
#define vfree(p)	host_free(p, HOST_VMALLOC)
int remap_vmalloc_range(struct vm_area_struct *vma, void *addr,
			unsigned long pgoff);
int remap_vmalloc_range_partial(struct vm_area_struct *vma, unsigned long uaddr,
				void *addr, unsigned long pgoff,
				unsigned long size);
#endif
