// SPDX-License-Identifier: GPL-2.0-only
/* The SDO server of the fake slave, written from the point of view of a slave. */
#include <linux/slab.h>
#include <string.h>
#include "fake_slave.h"
#include "tap.h"

#define ABORT_TOGGLE	0x05030000
#define ABORT_COMMAND	0x05040001
#define ABORT_READONLY	0x06010002
#define ABORT_NO_OBJECT	0x06020000
#define ABORT_TOO_LONG	0x06070012

struct fake_object *fake_find(struct fake *f, u16 index, u8 subindex,
			      bool complete)
{
	int i;

	for (i = 0; i < f->nobjects; i++)
		if (f->objects[i].index == index &&
		    f->objects[i].subindex == subindex &&
		    f->objects[i].complete == complete)
			return &f->objects[i];
	return NULL;
}

void fake_object(struct fake *f, u16 index, u8 subindex, const void *data,
		 u32 len, u32 room)
{
	struct fake_object *o, *all;

	all = kzalloc((f->nobjects + 1) * sizeof(*all), 0);
	if (f->nobjects)
		memcpy(all, f->objects, f->nobjects * sizeof(*all));
	kfree(f->objects);
	f->objects = all;
	o = &all[f->nobjects++];
	o->index = index;
	o->subindex = subindex;
	o->len = len;
	o->room = room;
	o->data = kzalloc(room, 0);
	if (data)
		memcpy(o->data, data, len);
}

static void refuse(struct fake *f, u16 index, u8 subindex, u32 code)
{
	u8 b[10] = { 0, 0x20, 0x80, index, index >> 8, subindex, code,
		     code >> 8, code >> 16, code >> 24 };

	f->sdo.o = NULL;
	fake_say(f, EC_MBX_COE, b, sizeof(b));
}

static u32 value_of(const struct fake_object *o)
{
	u32 v = 0, i;

	for (i = 0; i < o->len; i++)
		v |= (u32)o->data[i] << 8 * i;
	return v;
}

static void start_upload(struct fake *f, struct fake_object *o, u8 complete)
{
	u32 room = f->in_size - 6 - 10, n;
	u8 b[KECAT_MBX_MAX] = { 0, 0x30, 0x41 | complete, o->index,
		o->index >> 8, o->subindex, o->len, o->len >> 8, o->len >> 16,
		o->len >> 24 };

	if (o->len && o->len <= 4 && !f->segments) {
		fake_say_sdo(f, 0x43 | (4 - o->len) << 2 | complete, o->index,
			     o->subindex, value_of(o));
		return;
	}
	n = o->len < room ? o->len : room;
	if (f->segments)
		n = 0;
	memcpy(b + 10, o->data, n);
	f->sdo.o = n < o->len ? o : NULL;
	f->sdo.up = true;
	f->sdo.at = n;
	f->sdo.toggle = 0;
	fake_say(f, EC_MBX_COE, b, 10 + n);
}

static void store(struct fake *f, struct fake_object *o, const u8 *data, u32 n)
{
	CHECK(f->sdo.at + n <= o->room);
	memcpy(o->data + f->sdo.at, data, n);
	f->sdo.at += n;
	if (f->sdo.at < f->sdo.size)
		return;
	CHECK_EQ(f->sdo.at, f->sdo.size);
	o->len = f->sdo.size;
	o->writes++;
	f->sdo.o = NULL;
}

static void start_download(struct fake *f, struct fake_object *o, const u8 *d,
			   u16 len)
{
	u8 cmd = d[2];
	u32 size;

	f->sdo.at = 0;
	f->sdo.up = false;
	f->sdo.toggle = 0;
	if (o->fixed) {
		refuse(f, o->index, o->subindex, ABORT_READONLY);
		return;
	}
	size = d[6] | d[7] << 8 | d[8] << 16 | (u32)d[9] << 24;
	if (cmd & 2) {
		CHECK_EQ(len, 10);
		CHECK(cmd & 1);
		f->sdo.size = 4 - (cmd >> 2 & 3);
		store(f, o, d + 6, f->sdo.size);
	} else if (size > o->room) {
		refuse(f, o->index, o->subindex, ABORT_TOO_LONG);
		return;
	} else {
		f->sdo.size = size;
		f->sdo.o = o;
		store(f, o, d + 10, len - 10);
	}
	fake_say_sdo(f, 0x60 | (cmd & 0x10), o->index, o->subindex, 0);
}

static void upload_segment(struct fake *f, u8 cmd)
{
	struct fake_object *o = f->sdo.o;
	u32 n = o->len - f->sdo.at, room = f->in_size - 6 - 3;
	u8 b[KECAT_MBX_MAX] = { 0, 0x30, f->sdo.toggle };

	if ((cmd & 0x10) != f->sdo.toggle) {
		refuse(f, o->index, o->subindex, ABORT_TOGGLE);
		return;
	}
	if (n > room)
		n = room;
	memcpy(b + 3, o->data + f->sdo.at, n);
	f->sdo.at += n;
	f->sdo.toggle ^= 0x10;
	if (n < 7)
		b[2] |= (7 - n) << 1;
	if (f->sdo.at == o->len) {
		b[2] |= 1;
		f->sdo.o = NULL;
	}
	fake_say(f, EC_MBX_COE, b, 3 + (n < 7 ? 7 : n));
}

static void download_segment(struct fake *f, const u8 *d, u16 len)
{
	struct fake_object *o = f->sdo.o;
	u8 b[10] = { 0, 0x30, 0x20 | f->sdo.toggle };
	u32 n = len - 3;

	CHECK(len >= 10);
	if ((d[2] & 0x10) != f->sdo.toggle) {
		refuse(f, o->index, o->subindex, ABORT_TOGGLE);
		return;
	}
	if (n == 7)
		n -= d[2] >> 1 & 7;
	/* the last one says so, and no other */
	CHECK_EQ(f->sdo.at + n == f->sdo.size, d[2] & 1);
	f->sdo.toggle ^= 0x10;
	store(f, o, d + 3, n);
	fake_say(f, EC_MBX_COE, b, sizeof(b));
}

void fake_sdo_server(struct fake *f, u8 type, const u8 *d, u16 len)
{
	struct fake_object *o;
	u16 index;

	CHECK_EQ(type, EC_MBX_COE);
	CHECK(len >= 10);
	CHECK_EQ(d[1] >> 4, 2);
	index = d[3] | d[4] << 8;
	if (d[2] >> 5 == 4) {
		f->aborts++;
		f->abort_code = d[6] | d[7] << 8 | d[8] << 16 | (u32)d[9] << 24;
		f->sdo.o = NULL;
		return;
	}
	if (d[2] >> 5 == 3 || d[2] >> 5 == 0) {
		if (!f->sdo.o || f->sdo.up != (d[2] >> 5 == 3))
			refuse(f, 0, 0, ABORT_COMMAND);
		else if (f->sdo.up)
			upload_segment(f, d[2]);
		else
			download_segment(f, d, len);
		return;
	}
	f->sdo.o = NULL;
	o = fake_find(f, index, d[5], d[2] & 0x10);
	if (!o || o->refuse)
		refuse(f, index, d[5], o ? o->refuse : ABORT_NO_OBJECT);
	else if (d[2] >> 5 == 2)
		start_upload(f, o, d[2] & 0x10);
	else
		start_download(f, o, d, len);
}
