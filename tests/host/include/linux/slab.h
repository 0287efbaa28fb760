/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stand-in for the kernel header: every allocation is counted, refused now and
 * then when a test asks for it, and reported when it is still there at the end
 * of a test (rt/slab.c).
 */
#ifndef HOST_LINUX_SLAB_H
#define HOST_LINUX_SLAB_H

#include <linux/gfp.h>
#include <linux/overflow.h>
#include <linux/types.h>

enum host_mem { HOST_KMALLOC, HOST_KVMALLOC, HOST_VMALLOC, HOST_PAGES };

void *host_alloc(size_t size, gfp_t gfp, enum host_mem kind, const char *file,
		 int line);
void *host_realloc(const void *p, size_t size, gfp_t gfp, const char *file,
		   int line);
void host_free(const void *p, enum host_mem kind);
size_t ksize(const void *p);

#define HOST_ALLOC(n, gfp, kind) host_alloc(n, gfp, kind, __FILE__, __LINE__)
#define kmalloc(n, gfp)		HOST_ALLOC(n, gfp, HOST_KMALLOC)
#define kzalloc(n, gfp)		HOST_ALLOC(n, (gfp) | __GFP_ZERO, HOST_KMALLOC)
#define kmalloc_array(n, s, gfp) kmalloc(size_mul(n, s), gfp)
#define kcalloc(n, s, gfp)	kzalloc(size_mul(n, s), gfp)
#define kmalloc_node(n, gfp, node) kmalloc(n, gfp)
#define kzalloc_node(n, gfp, node) kzalloc(n, gfp)
#define krealloc(p, n, gfp)	host_realloc(p, n, gfp, __FILE__, __LINE__)
#define kvmalloc(n, gfp)	HOST_ALLOC(n, gfp, HOST_KVMALLOC)
#define kvzalloc(n, gfp)	HOST_ALLOC(n, (gfp) | __GFP_ZERO, HOST_KVMALLOC)
#define kvmalloc_array(n, s, gfp) kvmalloc(size_mul(n, s), gfp)
#define kvcalloc(n, s, gfp)	kvzalloc(size_mul(n, s), gfp)
#define kvmemdup(p, n, gfp) \
	({ size_t __n = (n); void *__p = kvmalloc(__n, gfp); \
	   if (__p) memcpy(__p, p, __n); __p; })
#define kfree(p)		host_free(p, HOST_KMALLOC)
#define kvfree(p)		host_free(p, HOST_KVMALLOC)
#define kfree_sensitive(p)	kfree(p)
#define kvfree_sensitive(p, n)	kvfree(p)


struct kmem_cache;

#endif
