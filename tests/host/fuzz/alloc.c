// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <linux/slab.h>

void *host_alloc(size_t size, gfp_t gfp, enum host_mem kind, const char *file,
		 int line)
{
	return gfp & __GFP_ZERO ? calloc(1, size) : malloc(size);
}

void host_free(const void *p, enum host_mem kind)
{
	free((void *)p);
}
