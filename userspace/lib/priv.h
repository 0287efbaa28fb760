/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inside of libkecat: the handle, and what its files share. */
#ifndef KECAT_LIB_PRIV_H
#define KECAT_LIB_PRIV_H

#include "kecat.h"

/*
 * The mapping as checked once at activation.  Offsets and lengths are own
 * copies: whatever is written over the page later, the library stays inside.
 */
struct kecat_map {
	struct kecat_shm *shm;	/* NULL: not active */
	size_t size;
	uint8_t *in[3];		/* a struct kecat_in_hdr each */
	uint8_t *out[3];
	uint32_t in_data;
	uint32_t in_len;
	uint32_t out_len;
	uint32_t in_own;
	uint32_t out_own;
	uint32_t out_number;
};

struct kecat {
	int fd;
	uint32_t abort_code;
	uint64_t seen;		/* newest cycle that the application took */
	struct kecat_map map;
	struct kecat_layout *layout;
	uint32_t layouts;
	struct kecat_conf *conf;	/* as activated */
	char detail[256];
};

/* ioctl that answers -errno */
int kecat_call(struct kecat *k, unsigned long cmd, void *arg);
void kecat_set_detail(struct kecat *k, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* check a mapping of @size bytes and make its buffers the application's */
int kecat_map_init(struct kecat_map *m, void *mem, size_t size);
void kecat_unmap(struct kecat *k);

/* pure: search a configuration and its layout */
int kecat_conf_locate(const struct kecat_conf *c,
		      const struct kecat_layout *lay, uint32_t layouts,
		      uint32_t slave, uint16_t index, uint8_t subindex,
		      struct kecat_loc *loc);

#endif
