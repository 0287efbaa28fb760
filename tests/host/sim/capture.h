/* SPDX-License-Identifier: GPL-2.0-only */
/* Ethernet frames of a pcapng file, and the datagrams in them. */
#ifndef KECAT_TEST_CAPTURE_H
#define KECAT_TEST_CAPTURE_H

#include "segment.h"

struct frame {
	u64 ns;
	u32 len;
	const u8 *data;
	int answer;	/* index of its answer, -1: none; -2: is an answer */
};

struct capture {
	u8 *file;
	size_t size;
	struct frame *frame;
	int count;
};

struct datagram {
	u8 cmd, idx;
	u16 adp, ado, len, wkc;
	const u8 *data;
};

int capture_load(struct capture *c, const char *path);
void capture_free(struct capture *c);
bool datagram_next(const struct frame *f, size_t *pos, struct datagram *d);

#endif
