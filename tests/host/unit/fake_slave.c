// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <string.h>
#include "fake_slave.h"
#include "mon.h"
#include "rt.h"
#include "tap.h"
#include "xfer.h"

#define LOSS_NS		50000000	/* until a frame counts as lost */
#define FRAME_NS	30000

u32 fake_rnd(struct fake *f, u32 below)
{
	f->seed = f->seed * 6364136223846793005ull + 1442695040888963407ull;
	return (f->seed >> 33) % below;
}

void fake_init(struct fake *f, u16 out_size, u16 in_size)
{
	rt_reset();
	memset(f, 0, sizeof(*f));
	f->s.master = &f->m;
	f->s.station = FAKE_STATION;
	f->s.position = 3;
	f->out_size = out_size;
	f->in_size = in_size;
	f->enabled = true;
	f->partial = true;
	f->repeats = true;
	f->checks = true;
	f->counts = 1;
	f->delay_ns = 100000;
	f->act = EC_SM_ENABLE;
	f->app = fake_sdo_server;
	memset(f->in_mem, 0xa5, sizeof(f->in_mem));
	kecat_mbx_init(&f->s);
	mutex_init(&f->s.lock);
}

void fake_exit(struct fake *f)
{
	int i;

	kecat_mbx_exit(&f->s);
	for (i = 0; i < f->nobjects; i++)
		kfree(f->objects[i].data);
	kfree(f->objects);
	CHECK_EQ(rt_allocated(), 0);
}

void fake_say_raw(struct fake *f, const void *telegram, u16 len)
{
	struct fake_telegram *t = &f->queue[f->queued++];

	CHECK(f->queued <= FAKE_QUEUE);
	t->len = len;
	memcpy(t->b, telegram, len);
}

void fake_say(struct fake *f, u8 type, const void *data, u16 len)
{
	u8 b[KECAT_MBX_MAX];
	struct ec_mbx_hdr *h = (void *)b;

	memset(h, 0, sizeof(*h));
	if (f->counts == 1)
		f->in_counter = f->in_counter % 7 + 1;
	else
		f->in_counter = f->counts ? 5 : 0;
	h->len = cpu_to_le16(len);
	h->type = type | f->in_counter << 4;
	CHECK(len + sizeof(*h) <= f->in_size);
	memcpy(b + sizeof(*h), data, len);
	fake_say_raw(f, b, sizeof(*h) + len);
}

void fake_say_sdo(struct fake *f, u8 cmd, u16 index, u8 subindex, u32 value)
{
	u8 b[10] = { 0, 0x30, cmd, index, index >> 8, subindex, value,
		     value >> 8, value >> 16, value >> 24 };

	fake_say(f, EC_MBX_COE, b, sizeof(b));
}

/* The application puts its next telegram into an empty send mailbox. */
static void feed(struct fake *f)
{
	if (f->in_full || !f->queued)
		return;
	f->shown = f->queue[0];
	memmove(f->queue, f->queue + 1, --f->queued * sizeof(f->queue[0]));
	/* behind the telegram lies what was there before */
	memcpy(f->in_mem, f->shown.b, f->shown.len);
	f->in_full = true;
	f->in_open = false;
}

static void run(struct fake *f)
{
	const struct ec_mbx_hdr *h = (const void *)f->out_mem;
	u8 counter;
	u16 len;

	if (f->out_full && rt_now() >= f->due && !(f->stubborn && f->in_full)) {
		f->out_full = false;
		counter = h->type >> 4 & 7;
		len = le16_to_cpu(h->len);
		CHECK(len + sizeof(*h) <= f->out_size);
		CHECK(counter);
		if (f->checks && counter == f->last_request) {
			f->dropped++;
		} else {
			f->last_request = counter;
			f->requests++;
			f->app(f, h->type & 15, f->out_mem + sizeof(*h), len);
		}
	}
	feed(f);
}

void fake_settle(struct fake *f)
{
	rt_advance(f->delay_ns + 1);
	run(f);
}

/* SM1's repeat request: what was read last comes back, then what it displaced */
static void set_activate(struct fake *f, u8 act)
{
	bool asked = (act ^ f->act) & EC_SM_REPEAT_REQ;

	f->act = act;
	if (!asked || !f->repeats)
		return;
	f->repeat_asked++;
	if (f->has_last) {
		if (f->in_full) {
			CHECK(f->queued < FAKE_QUEUE);
			memmove(f->queue + 1, f->queue,
				f->queued++ * sizeof(f->queue[0]));
			f->queue[0] = f->shown;
		}
		memmove(f->queue + 1, f->queue,
			f->queued++ * sizeof(f->queue[0]));
		f->queue[0] = f->last;
		f->in_full = false;
		feed(f);
	}
	f->pdi = act & EC_SM_REPEAT_REQ;
}

/* Bytes [from, to) of a mailbox: may they be accessed?  Opens it. */
static bool may(struct fake *f, bool *open, bool full, u16 from, u16 to, u16 size)
{
	if (!f->enabled || !full || to > size)
		return false;
	if (!f->partial && (from || to != size))
		return false;
	if (!from)
		*open = true;
	return *open;
}

static u16 out_access(struct fake *f, u16 from, const u8 *data, u16 len)
{
	if (!may(f, &f->out_open, !f->out_full, from, from + len, f->out_size))
		return 0;
	memcpy(f->out_mem + from, data, len);
	if (from + len == f->out_size) {
		f->out_open = false;
		f->out_full = true;
		f->due = rt_now() + f->delay_ns;
	}
	return 1;
}

static u16 in_access(struct fake *f, u16 from, u8 *data, u16 len)
{
	if (!may(f, &f->in_open, f->in_full, from, from + len, f->in_size))
		return 0;
	memcpy(data, f->in_mem + from, len);
	if (from + len == f->in_size) {
		f->in_open = false;
		f->in_full = false;
		f->last = f->shown;
		f->has_last = true;
	}
	return 1;
}

static u16 sm_read(struct fake *f, u16 at, u8 *to, u16 len)
{
	struct ec_sm sm[2] = {
		{ cpu_to_le16(FAKE_OUT), cpu_to_le16(f->out_size), 0x26,
		  f->out_full ? EC_SM_STAT_FULL : 0, f->enabled, 0 },
		{ cpu_to_le16(FAKE_IN), cpu_to_le16(f->in_size), 0x22,
		  f->in_full ? EC_SM_STAT_FULL : 0,
		  f->enabled ? f->act : 0, f->pdi },
	};

	CHECK(at + len <= sizeof(sm));
	memcpy(to, (u8 *)sm + at, len);
	return 1;
}

static u16 datagram(struct fake *f, u8 cmd, u16 ado, u8 *data, u16 len)
{
	bool write = cmd == EC_FPWR;

	CHECK(write || cmd == EC_FPRD);
	if (f->gone)
		return 0;
	if (ado >= FAKE_IN) {
		CHECK(!write);
		return in_access(f, ado - FAKE_IN, data, len);
	}
	if (ado >= FAKE_OUT) {
		CHECK(write);
		return out_access(f, ado - FAKE_OUT, data, len);
	}
	CHECK(ado >= EC_REG_SM);
	if (!write)
		return sm_read(f, ado - EC_REG_SM, data, len);
	CHECK_EQ(ado, EC_REG_SM + 8 + 6);
	CHECK_EQ(len, 1);
	set_activate(f, data[0]);
	return 1;
}

static bool lose(struct fake *f, struct fake_loss *l)
{
	if (!l->count || l->skip-- > 0)
		return false;
	l->count--;
	return true;
}

static bool touches(const struct kecat_dgram *dg, int n, u16 from)
{
	return dg[n - 1].ado >= from && dg[n - 1].ado < from + 0x800;
}

/* One frame there and back; false when it is lost. */
static bool frame(struct fake *f, struct kecat_dgram *dg, int n)
{
	bool out = touches(dg, n, FAKE_OUT);
	bool closes = touches(dg, n, FAKE_IN) &&
		dg[n - 1].ado + dg[n - 1].len == FAKE_IN + f->in_size;
	u8 back[3][KECAT_MBX_MAX];
	u16 wkc[3];
	int i;

	CHECK(n <= 3);
	rt_advance(FRAME_NS);
	run(f);
	closes = closes && f->in_full;
	if ((out && lose(f, &f->out_before)) || (closes && lose(f, &f->in_before)) ||
	    (f->random_loss && fake_rnd(f, 1000) < f->random_loss))
		return false;
	for (i = 0; i < n; i++) {
		CHECK_EQ(dg[i].adp, FAKE_STATION);
		CHECK(dg[i].len && dg[i].len <= KECAT_DATA_MAX);
		memcpy(back[i], dg[i].data, dg[i].len);
		wkc[i] = datagram(f, dg[i].cmd, dg[i].ado, back[i], dg[i].len);
		f->bytes += dg[i].len + EC_DGRAM_OVERHEAD;
	}
	run(f);
	if ((out && lose(f, &f->out_after)) || (closes && lose(f, &f->in_after)) ||
	    (f->random_loss && fake_rnd(f, 1000) < f->random_loss))
		return false;
	for (i = 0; i < n; i++) {
		dg[i].wkc = wkc[i];
		if (dg[i].cmd == EC_FPRD)
			memcpy(dg[i].data, back[i], dg[i].len);
	}
	return true;
}

int kecat_xfer(struct kecat_master *m, struct kecat_dgram *dg, int n,
	       unsigned int flags)
{
	struct fake *f = container_of(m, struct fake, m);
	int tries = flags & KECAT_XFER_ONCE ? 1 : 3;

	f->xfers++;
	while (tries--) {
		if (frame(f, dg, n))
			return 0;
		f->lost++;
		rt_advance(LOSS_NS);
	}
	return -ETIMEDOUT;
}

static int one(struct kecat_master *m, u8 cmd, u16 station, u16 reg, void *buf,
	       u16 len)
{
	struct kecat_dgram dg = {
		.cmd = cmd, .adp = station, .ado = reg, .len = len, .data = buf,
	};
	int ret = kecat_xfer(m, &dg, 1, 0);

	if (ret)
		return ret;
	return dg.wkc ? 0 : -ENXIO;
}

int kecat_fprd(struct kecat_master *m, u16 station, u16 reg, void *buf, u16 len)
{
	return one(m, EC_FPRD, station, reg, buf, len);
}

int kecat_fpwr(struct kecat_master *m, u16 station, u16 reg, const void *buf,
	       u16 len)
{
	return one(m, EC_FPWR, station, reg, (void *)buf, len);
}

void kecat_event(struct kecat_master *m, u32 type, u32 position, u32 arg0,
		 u32 arg1, u32 arg2, u32 arg3)
{
	struct fake *f = container_of(m, struct fake, m);

	CHECK_EQ(type, KECAT_EV_EMERGENCY);
	CHECK_EQ(position, f->s.position);
	f->events++;
	f->event[0] = arg0;
	f->event[1] = arg1;
	f->event[2] = arg2;
	f->event[3] = arg3;
}
