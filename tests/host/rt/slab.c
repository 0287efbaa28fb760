// SPDX-License-Identifier: GPL-2.0-only
/* Memory that is counted, refused on demand, and missed when it is not freed. */
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "host.h"

#define MAGIC		0x6d656d6f72797321ULL
#define KMALLOC_MAX	(4u << 20)

/* lies right before the memory; of vmalloc memory in a page of its own */
struct mem {
	struct list_head list;
	u64 serial;
	size_t size;
	const char *file;
	u32 line;
	u32 kind;
	void *base;
	u64 magic;
} __aligned(16);

static LIST_HEAD(live);
static u64 serial;
static struct host_mem_stats stats;
static u64 refuse_nth, refuse_every;

void host_mem_stats(struct host_mem_stats *s)
{
	*s = stats;
}

void host_mem_refuse(u64 nth, u64 every)
{
	refuse_nth = nth;
	refuse_every = every;
}

bool host_mem_refused(size_t n)
{
	if (host_exempt() || !refuse_nth || --refuse_nth)
		return false;
	refuse_nth = refuse_every;
	stats.refused++;
	return true;
}

static void check_context(gfp_t gfp, const char *file, int line)
{
	if (host_exempt() || !host_current)
		return;
	if (gfp & __GFP_RECLAIM)
		host_might_sleep(file, line);
	if (current->cyclic && host_context() == HOST_TASK)
		host_fail(file, line, "the cyclic thread allocates or frees");
}

static bool in_pages(enum host_mem kind)
{
	return kind == HOST_VMALLOC || kind == HOST_PAGES;
}

void *host_alloc(size_t size, gfp_t gfp, enum host_mem kind, const char *file,
		 int line)
{
	size_t room = in_pages(kind) ? PAGE_ALIGN(size) : size;
	size_t front = in_pages(kind) ? PAGE_SIZE : sizeof(struct mem);
	struct mem *m;
	char *base, *p;

	check_context(gfp, file, line);
	stats.allocs++;
	if (host_mem_refused(size))
		return NULL;
	if (size > (1UL << 32) || (kind == HOST_KMALLOC && size > KMALLOC_MAX))
		return NULL;
	if (in_pages(kind) && !size)
		return NULL;
	base = in_pages(kind) ? aligned_alloc(PAGE_SIZE, front + room) :
				malloc(front + room);
	if (!base)
		return NULL;
	p = base + front;
	memset(p, gfp & __GFP_ZERO ? 0 : 0x5a, room);
	m = (struct mem *)p - 1;
	*m = (struct mem) {
		.serial = ++serial, .size = size, .file = file, .line = line,
		.kind = kind, .base = base, .magic = MAGIC,
	};
	list_add_tail(&m->list, &live);
	stats.live++;
	stats.live_bytes += size;
	return p;
}

static struct mem *mem_of(const void *p)
{
	struct mem *m = (struct mem *)p - 1;

	if (m->magic != MAGIC)
		host_fatal(__FILE__, __LINE__, "free of what is not allocated");
	return m;
}

void host_free(const void *p, enum host_mem kind)
{
	struct mem *m;

	if (!p)
		return;
	check_context(0, __FILE__, __LINE__);
	m = mem_of(p);
	if (m->kind != kind && kind != HOST_KVMALLOC)
		host_fail(m->file, m->line, "memory is freed by another allocator's function");
	stats.live--;
	stats.live_bytes -= m->size;
	list_del(&m->list);
	m->magic = 0;
	memset((void *)p, 0x6b, m->size);
	free(m->base);
}

size_t ksize(const void *p)
{
	return mem_of(p)->size;
}

bool is_vmalloc_addr(const void *p)
{
	return ((struct mem *)p - 1)->kind == HOST_VMALLOC;
}

void *host_realloc(const void *p, size_t size, gfp_t gfp, const char *file,
		   int line)
{
	void *n;

	if (!p)
		return host_alloc(size, gfp, HOST_KMALLOC, file, line);
	n = host_alloc(size, gfp, HOST_KMALLOC, file, line);
	if (!n)
		return NULL;
	memcpy(n, p, size < ksize(p) ? size : ksize(p));
	host_free(p, HOST_KMALLOC);
	return n;
}

unsigned long __get_free_pages(gfp_t gfp, unsigned int order)
{
	return (unsigned long)HOST_ALLOC(PAGE_SIZE << order, gfp, HOST_PAGES);
}

void free_pages(unsigned long addr, unsigned int order)
{
	host_free((void *)addr, HOST_PAGES);
}

u64 host_mem_mark(void)
{
	return serial;
}

int host_mem_leaks(u64 mark)
{
	struct mem *m;
	int n = 0;

	list_for_each_entry(m, &live, list) {
		if (m->serial <= mark)
			continue;
		n++;
		host_fail(m->file, m->line, "leak of %zu bytes", m->size);
	}
	return n;
}

int remap_vmalloc_range_partial(struct vm_area_struct *vma, unsigned long uaddr,
				void *addr, unsigned long pgoff,
				unsigned long size)
{
	struct mem *m = mem_of(addr);
	unsigned long off = pgoff << PAGE_SHIFT;

	if (m->kind != HOST_VMALLOC || uaddr != vma->vm_start ||
	    size > PAGE_ALIGN(m->size) || off > PAGE_ALIGN(m->size) - size)
		return -EINVAL;
	vma->host_mem = (char *)addr + off;
	vm_flags_set(vma, VM_DONTEXPAND | VM_DONTDUMP);
	return 0;
}

int remap_vmalloc_range(struct vm_area_struct *vma, void *addr,
			unsigned long pgoff)
{
	return remap_vmalloc_range_partial(vma, vma->vm_start, addr, pgoff,
					   vma->vm_end - vma->vm_start);
}
