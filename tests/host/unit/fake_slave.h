/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A slave behind kecat_xfer(): two mailbox sync managers as an ESC has them, an
 * application that answers, an SDO server, and frames that get lost on either
 * side of it.
 */
#ifndef UNIT_FAKE_SLAVE_H
#define UNIT_FAKE_SLAVE_H

#include <linux/types.h>
#include "master.h"
#include "slave.h"
#include "mbx.h"

#define FAKE_QUEUE	64
#define FAKE_STATION	0x1001
#define FAKE_OUT	0x1000
#define FAKE_IN		0x1800

struct fake;

struct fake_telegram {
	u16 len;	/* mailbox header included */
	u8 b[KECAT_MBX_MAX];
};

struct fake_object {
	u16 index;
	u8 subindex;
	bool complete;	/* answers complete access only */
	bool fixed;	/* cannot be written: abort 0x06010002 */
	u32 refuse;	/* abort code for any access, 0 = none */
	u32 len;
	u32 room;
	u8 *data;
	u32 writes;
};

/* frames to lose: how many, after letting @skip of that kind pass */
struct fake_loss {
	int skip;
	int count;
};

/**
 * struct fake - the slave and what the test wants of it
 * @partial: gives and takes parts of a mailbox
 * @repeats: knows the repeat request
 * @checks:  drops a request with the counter of the one before
 * @counts:  0 its telegrams carry no counter, 1 they count, 2 always 5
 * @stubborn: takes no request while its own telegram is not read
 * @gone:    does not answer
 * @delay_ns: from request to answer
 * @app:     handles a request; the SDO server if not set
 * @segments: SDO server: answers even short objects in segments
 */
struct fake {
	struct kecat_slave s;
	struct kecat_master m;

	u16 out_size, in_size;
	bool enabled, partial, repeats, checks, stubborn, gone, segments;
	int counts;
	u64 delay_ns;
	void (*app)(struct fake *f, u8 type, const u8 *data, u16 len);

	struct fake_loss out_before, out_after, in_before, in_after;
	int random_loss;	/* of 1000 frames */
	u64 seed;

	struct fake_object *objects;
	int nobjects;
	struct {
		struct fake_object *o;
		bool up;
		u32 at, size;
		u8 toggle;
	} sdo;

	u8 out_mem[KECAT_MBX_MAX], in_mem[KECAT_MBX_MAX];
	bool out_full, out_open, in_full, in_open;
	u8 act, pdi;
	u64 due;
	u8 in_counter, last_request;
	struct fake_telegram queue[FAKE_QUEUE], last, shown;
	int queued;
	bool has_last;

	/* what happened */
	unsigned int xfers, bytes, requests, dropped, repeat_asked, aborts;
	unsigned int lost;
	u32 abort_code;
	unsigned int events;
	u32 event[4];
};

void fake_init(struct fake *f, u16 out_size, u16 in_size);
void fake_exit(struct fake *f);
/* a telegram of the slave; @type without counter, which is added */
void fake_say(struct fake *f, u8 type, const void *data, u16 len);
/* .. as given, with its header */
void fake_say_raw(struct fake *f, const void *telegram, u16 len);
/* .. one SDO answer of 10 bytes */
void fake_say_sdo(struct fake *f, u8 cmd, u16 index, u8 subindex, u32 value);
/* lets the slave finish what it was sent */
void fake_settle(struct fake *f);
u32 fake_rnd(struct fake *f, u32 below);

/* fake_sdo.c */
void fake_sdo_server(struct fake *f, u8 type, const u8 *data, u16 len);
void fake_object(struct fake *f, u16 index, u8 subindex, const void *data,
		 u32 len, u32 room);
struct fake_object *fake_find(struct fake *f, u16 index, u8 subindex,
			      bool complete);

#endif
