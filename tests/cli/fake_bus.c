// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three slaves: a coupler, eight outputs, eight inputs that the outputs are
 * wired to.  Words in FAKE:
 *   hostile    names with escape sequences and without end, counts and lengths
 *              larger than the room, unknown numbers everywhere
 *   sick       slave 2 has a problem
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

static const struct {
	uint32_t product;
	const char *name;
	const char *order;
} devices[FAKE_SLAVES] = {
	{ 0x044c2c52, "Coupler", "FK1100" },
	{ 0x07d83052, "8 outputs", "FK2008" },
	{ 0x03f03052, "8 inputs", "FK1008" },
};

int fake_give(struct kecat_array *a, const void *list, uint32_t n, size_t elem)
{
	uint32_t fit = n < a->count ? n : a->count;

	if (a->elem != elem)
		return -EINVAL;
	memcpy((void *)(uintptr_t)a->ptr, list, fit * elem);
	a->count = n;
	return 0;
}

static void make_hostile(struct kecat_slave_info *s)
{
	memset(s->name, 'A', sizeof(s->name));
	memcpy(s->name, "\033]0;owned\007\"\\\n%s%n\xff", 18);
	memset(s->order, 0xff, sizeof(s->order));
	s->al_state = 0xff;
	s->problem = 0xffffffff;
	s->detail = 0xffffffff;
	s->flags = 0xffffffff;
	s->mbx_protocols = 0xffff;
	s->config_index = 0x7fffffff;
}

int fake_slave_info(struct kecat_slave_info *s)
{
	uint32_t p = s->position;

	if (p >= FAKE_SLAVES)
		return -ENODEV;
	s->flags = KECAT_SLAVE_PRESENT;
	s->station = 0x1000 + p;
	s->vendor = 2;
	s->product = devices[p].product;
	s->revision = 0x110000;
	s->al_state = fake_op(p) ? KECAT_AL_OP : KECAT_AL_PREOP;
	s->al_target = KECAT_AL_PREOP;
	s->config_index = KECAT_ALL;
	s->esc_type = 0x11;
	s->fmmus = 8;
	s->sms = 8;
	for (int i = 0; i < 4; i++)
		s->neighbour[i] = 0xffff;
	strcpy(s->name, devices[p].name);
	strcpy(s->order, devices[p].order);
	if (p == 1) {
		s->flags |= KECAT_SLAVE_MBX;
		s->mbx_protocols = 4;
	}
	if (p == 2 && fake_is("sick")) {
		s->al_state = KECAT_AL_SAFEOP | KECAT_AL_ERROR;
		s->al_code = 0x1b;
		s->problem = KECAT_PROBLEM_AL;
		s->detail = 0x1b;
	}
	if (fake_is("hostile"))
		make_hostile(s);
	return 0;
}

int fake_slave_pdos(struct kecat_array *a)
{
	struct kecat_pdo_entry e[8] = { 0 };
	bool out = a->position == 1;

	if (a->position >= FAKE_SLAVES)
		return -ENODEV;
	if (fake_is("hostile") && a->position == 2) {
		a->count = 0xffffffff;
		return 0;
	}
	for (int i = 0; i < 8; i++) {
		e[i].sm = out ? 0 : 3;
		e[i].dir = out ? KECAT_DIR_OUT : KECAT_DIR_IN;
		e[i].bits = 1;
		e[i].pdo = (out ? 0x1600 : 0x1a00) + i;
		e[i].index = (out ? 0x7000 : 0x6000) + 16 * i;
		e[i].subindex = 1;
		memcpy(e[i].name, "Channel\033[2J", 12);
		if (fake_is("hostile"))
			memset(e[i].name, 'B', sizeof(e[i].name));
	}
	return fake_give(a, e, a->position ? 8 : 0, sizeof(e[0]));
}

/* 0x1018:1 four bytes, 0x1008:0 a text, 0x8000:1 refuses to be written */
int fake_sdo(struct kecat_sdo *s, bool write)
{
	static const uint8_t vendor[4] = { 0x02, 0, 0, 0 };
	static uint8_t stored[2] = { 0xfe, 0xff };
	void *to = (void *)(uintptr_t)s->ptr;

	if (s->position >= FAKE_SLAVES)
		return -ENODEV;
	if (s->position != 1)
		return -EOPNOTSUPP;
	if (fake_is("hostile") && !write) {
		s->len = 0xffffffff;
		return 0;
	}
	if (s->index == 0x1018 && s->subindex == 1 && !write) {
		memcpy(to, vendor, s->len = 4);
		return 0;
	}
	if (s->index == 0x1008 && !write) {
		memcpy(to, "Fake\033[31m", s->len = 9);
		return 0;
	}
	if (s->index == 0x8000) {
		if (write && s->len == 2)
			memcpy(stored, to, 2);
		if (!write)
			memcpy(to, stored, s->len = 2);
		return 0;
	}
	s->abort_code = s->index == 0x1018 ? 0x06010002 : 0x06020000;
	return -EREMOTEIO;
}

int fake_reg(struct kecat_reg *r, bool write)
{
	uint8_t *data = (void *)(uintptr_t)r->ptr;

	if (r->position != KECAT_ALL && r->position >= FAKE_SLAVES)
		return -ENODEV;
	for (uint32_t i = 0; i < r->len && !write; i++)
		data[i] = r->address + i;
	r->wkc = r->address == 0x0f80 ? 0 : r->position == KECAT_ALL ? FAKE_SLAVES : 1;
	return 0;
}

int fake_sii(struct kecat_sii *s)
{
	uint8_t *to = (void *)(uintptr_t)s->ptr;
	const char *path = getenv("FAKE_SII");

	if (s->position >= FAKE_SLAVES)
		return -ENODEV;
	if (fake_is("hostile")) {
		s->words = 0xffffffff;
		return 0;
	}
	s->words = 0x42;
	memset(to, 0, 2 * s->words);
	to[16] = 2;
	to[2 * 0x40] = 0xff;	/* end mark */
	to[2 * 0x40 + 1] = 0xff;
	if (path)
		s->words = fake_load(path, to, 128 * 1024) / 2;
	return 0;
}

int fake_state(struct kecat_state *s)
{
	s->al_state = s->state;
	if (s->state != KECAT_AL_BOOT)
		return 0;
	s->al_state = KECAT_AL_PREOP | KECAT_AL_ERROR;
	s->al_code = 0x13;
	return -EIO;
}

static uint32_t next_event;

int fake_rewind(void)
{
	next_event = 0;
	return fake_is("no-past") ? -ESPIPE : 0;
}

/* one of each type, and two that nobody knows */
long fake_events(void *buf, size_t room)
{
	struct kecat_event *ev = buf;
	long n = 0;

	while ((n + 1) * sizeof(*ev) <= room && next_event < KECAT_EV_FRAME_LATE + 2) {
		memset(&ev[n], 0, sizeof(*ev));
		ev[n].seq = 1 + next_event + (next_event > 3 ? 5 : 0);
		ev[n].time_ns = 1000000000ull + next_event * 1000;
		ev[n].cycle = next_event / 2;
		ev[n].type = ++next_event;
		ev[n].position = next_event % 3 ? 1 : KECAT_ALL;
		ev[n].arg0 = fake_is("hostile") ? 0xffffffff : 1;
		ev[n].arg1 = fake_is("hostile") ? 0xffffffff : 2;
		n++;
	}
	return n * sizeof(*ev);
}
