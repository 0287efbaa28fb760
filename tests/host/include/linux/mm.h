/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOST_LINUX_MM_H
#define HOST_LINUX_MM_H
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <asm/page.h>
#define VM_READ		0x1UL
#define VM_WRITE	0x2UL
#define VM_EXEC		0x4UL
#define VM_SHARED	0x8UL
#define VM_MAYREAD	0x10UL
#define VM_MAYWRITE	0x20UL
#define VM_IO		0x4000UL
#define VM_DONTCOPY	0x20000UL
#define VM_DONTEXPAND	0x40000UL
#define VM_DONTDUMP	0x4000000UL
#define VM_PFNMAP	0x400UL
struct vm_area_struct;
struct vm_operations_struct {
	void (*open)(struct vm_area_struct *vma);
	void (*close)(struct vm_area_struct *vma);
	int (*may_split)(struct vm_area_struct *vma, unsigned long addr);
	int (*mremap)(struct vm_area_struct *vma);
};
struct vm_area_struct {
	unsigned long vm_start, vm_end, vm_flags, vm_pgoff;
	const struct vm_operations_struct *vm_ops;
	void *vm_private_data;
	struct file *vm_file;
	void *host_mem;		/* what was mapped */
};
#define vm_flags_set(v, f)	((void)((v)->vm_flags |= (f)))
#define vm_flags_clear(v, f)	((void)((v)->vm_flags &= ~(f)))
#define vma_pages(v)		(((v)->vm_end - (v)->vm_start) >> PAGE_SHIFT)
bool is_vmalloc_addr(const void *p);
#endif
