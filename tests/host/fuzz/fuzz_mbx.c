// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/mbx.c kmod/coe.c kmod/pdo.c tests/host/unit/rt.c
// options: -runs=50000 -max_len=512
/*
 * What a slave may say: the input is cut into the contents of its send mailbox,
 * one after the other, whatever is asked.
 */
#include <linux/errno.h>
#include <string.h>
#include "coe.h"
#include "fuzz.h"
#include "master.h"
#include "pdo.h"
#include "rt.h"
#include "slave.h"
#include "tap.h"
#include "xfer.h"

#define ROOM	48

static struct kecat_master master;
static struct kecat_slave slave;
static const u8 *input;
static size_t left;
static u8 box[KECAT_MBX_MAX];
static bool full;
static u16 in_size;
static u8 asked[12];	/* start of the last request */
/* server command specifiers, by that of the client */
static const u8 answers[] = { 1, 3, 2, 0 };

void tap_fail(const char *file, int line, const char *fmt, ...)
{
	abort();
}

static u8 next(void)
{
	if (!left)
		return 0;
	left--;
	return *input++;
}

/*
 * A byte of flags, a length and that many bytes; behind them lies what was
 * there before.  Flags, so that chance gets further than the first check: bit 0
 * makes it a CoE telegram of that length, bit 1 an SDO answer, bit 2 one for
 * the object that was asked for, bit 3 one to the command.
 */
static void fill(void)
{
	u8 flags, *to = box;
	size_t n, room;

	if (full || !left)
		return;
	flags = next();
	n = next();
	if (flags & 1)
		to += 6;
	room = in_size - (to - box);
	n = n < left ? n : left;
	n = n < room ? n : room;
	memcpy(to, input, n);
	input += n;
	left -= n;
	if (flags & 1)
		memcpy(box, (u8[]){ n, 0, 0, 0, 0, 3 | (flags & 0x70) }, 6);
	if (flags & 2)
		to[1] = 0x30;
	if (flags & 4)
		memcpy(to + 3, asked + 9, 3);
	if (flags & 8)
		to[2] = (to[2] & 0x1f) | answers[asked[8] >> 5 & 3] << 5;
	full = true;
}

static u16 access(struct kecat_dgram *d)
{
	u16 at = d->ado - 0x1800;

	if (d->cmd == EC_FPWR) {
		if (d->ado == 0x1000 && d->len >= sizeof(asked))
			memcpy(asked, d->data, sizeof(asked));
		return 1;
	}
	if (d->ado < 0x1000) {
		memset(d->data, 0, d->len);
		if (d->len == 16) {
			((u8 *)d->data)[6] = 1;
			((u8 *)d->data)[13] = full ? EC_SM_STAT_FULL : 0;
			((u8 *)d->data)[14] = 1;
		} else {
			((u8 *)d->data)[0] = next();
		}
		return 1;
	}
	FUZZ_CHECK(at + d->len <= in_size);
	if (!full)
		return 0;
	memcpy(d->data, box + at, d->len);
	if (at + d->len == in_size)
		full = false;
	return 1;
}

int kecat_xfer(struct kecat_master *m, struct kecat_dgram *dg, int n,
	       unsigned int flags)
{
	int i;

	/* a transaction takes longer the longer nothing is said */
	rt_advance(left ? 100000 : 20000000);
	fill();
	if (left && flags && *input == 0xee) {
		next();
		return -ETIMEDOUT;
	}
	for (i = 0; i < n; i++)
		dg[i].wkc = access(&dg[i]);
	return 0;
}

int kecat_fprd(struct kecat_master *m, u16 station, u16 reg, void *buf, u16 len)
{
	struct kecat_dgram d = {
		.cmd = EC_FPRD, .ado = reg, .len = len, .data = buf
	};

	kecat_xfer(m, &d, 1, 0);
	return d.wkc ? 0 : -ENXIO;
}

int kecat_fpwr(struct kecat_master *m, u16 station, u16 reg, const void *buf,
	       u16 len)
{
	return 0;
}

void kecat_event(struct kecat_master *m, u32 type, u32 position, u32 arg0,
		 u32 arg1, u32 arg2, u32 arg3)
{
}

static void transfer(u8 what)
{
	static struct kecat_pdo_entry entry[ROOM];
	u8 data[ROOM + 1];
	u32 len, code;

	data[ROOM] = 0xa5;
	switch (what & 3) {
	case 0:
		if (!kecat_coe_upload(&slave, 0x1018, 1, what >> 2 & 1, data,
				      ROOM, &len, &code, 100))
			FUZZ_CHECK(len <= ROOM);
		break;
	case 1:
		memset(data, 1, ROOM);
		kecat_coe_download(&slave, 0x1018, 1, 0, data, what % ROOM,
				   &code, 100);
		break;
	case 2:
		kecat_pdo_read(&slave, entry, ROOM, &len);
		FUZZ_CHECK(len <= ROOM);
		break;
	default:
		kecat_mbx_poll(&slave);
	}
	FUZZ_CHECK(data[ROOM] == 0xa5);
}

/* first byte: size of the mailbox; then what to do; then what the slave says */
int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	u8 what;

	input = data;
	left = len;
	rt_reset();
	memset(&slave, 0, sizeof(slave));
	memset(box, 0, sizeof(box));
	full = false;
	slave.master = &master;
	in_size = 16 + 3 * next();
	what = next();
	kecat_mbx_init(&slave);
	mutex_init(&slave.lock);
	if (!kecat_mbx_start(&slave, 0x1000, 40, 0x1800, in_size))
		do
			transfer(what);
		while (left);
	kecat_mbx_exit(&slave);
	FUZZ_CHECK(!rt_allocated());
	return 0;
}
