/* SPDX-License-Identifier: GPL-2.0-only */
/* A test bench: a segment, its time, and datagrams one by one. */
#ifndef KECAT_TEST_BENCH_H
#define KECAT_TEST_BENCH_H

#include "segment.h"

struct bench {
	struct sim_segment *seg;
	u64 now;
	u16 adp;	/* address word of the last answer */
	u8 frame[1514];
	size_t len;
};

struct bench bench_list(const char *slaves);
struct bench bench_text(const char *text);
void bench_close(struct bench *b);
void bench_wait(struct bench *b, u64 us);
int bench_fault(struct bench *b, const char *command);

/* One datagram; the working counter, or -1 when the frame is lost. */
int xfer(struct bench *b, u8 cmd, u16 adp, u16 ado, void *data, u16 len);
int lxfer(struct bench *b, u8 cmd, u32 addr, void *data, u16 len);

int rd(struct bench *b, u16 station, u16 ado, void *data, u16 len);
int wr(struct bench *b, u16 station, u16 ado, const void *data, u16 len);
u16 rd16(struct bench *b, u16 station, u16 ado);
u32 rd32(struct bench *b, u16 station, u16 ado);
int wr8(struct bench *b, u16 station, u16 ado, u8 v);
int wr16(struct bench *b, u16 station, u16 ado, u16 v);
int wr32(struct bench *b, u16 station, u16 ado, u32 v);

/* Stations 1001, 1002, ... in the order of the ring. */
int bench_address(struct bench *b);
int bench_sm(struct bench *b, u16 station, int i, u16 start, u16 len, u8 ctrl);
int bench_fmmu(struct bench *b, u16 station, int i, u32 log, u16 len,
	       u8 first_bit, u8 last_bit, u16 phys, u8 phys_bit, u8 type);
/* Ask for a state; low word AL status, high word AL status code. */
u32 bench_al(struct bench *b, u16 station, u16 state);
/* INIT to PREOP with the mailboxes of the description. */
u32 bench_preop(struct bench *b, u16 station);
u64 bench_sii(struct bench *b, u16 station, u32 word);

/* One mailbox there and back; length of the answer, 0 for none. */
int bench_mbx(struct bench *b, u16 station, const u8 *rq, u16 len, u8 *rs);
int bench_mbx_counter(struct bench *b, u16 station, const u8 *rq, u16 len,
		      u8 counter, u8 *rs);
/* Upload; length, or minus the abort code's low 31 bits. */
s64 bench_upload(struct bench *b, u16 station, u16 index, u8 sub, bool ca,
		 u8 *to);
/* Download: 0 or the abort code; 1 for no answer. */
u32 bench_download(struct bench *b, u16 station, u16 index, u8 sub, bool ca,
		   const void *from, u32 len);

#endif
