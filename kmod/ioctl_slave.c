// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls that work on slaves.  They may take long, so they hold references
 * but no lock, except of what they use on the slave; when the port goes, what
 * they wait for ends with an error.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "bus.h"
#include "call.h"
#include "coe.h"
#include "sii.h"
#include "sii_parse.h"
#include "slave.h"
#include "xfer.h"

#define REG_LEN_MAX	1024

/* ---- objects, registers, EEPROM ---- */

int kecat_do_sdo_upload(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_sdo *c = &a->sdo;
	struct kecat_slave *s;
	u32 room = c->len;
	void *data;
	int err;

	if (c->reserved || (c->flags & ~KECAT_SDO_COMPLETE) ||
	    room > KECAT_MAX_SDO)
		return -EINVAL;
	err = kecat_call_get_slave(f, c->position, &s);
	if (err)
		return err;
	err = -ENOMEM;
	data = kvzalloc(room, GFP_KERNEL);
	if (data)
		err = kecat_coe_upload(s, c->index, c->subindex, c->flags, data,
				       room, &c->len, &c->abort_code,
				       min(c->timeout_ms, KECAT_TIMEOUT_MS_MAX));
	if (!err)
		err = kecat_to_user(c->ptr, data, min(c->len, room));
	kvfree(data);
	kecat_slave_put(s);
	return err;
}

int kecat_do_sdo_download(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_sdo *c = &a->sdo;
	struct kecat_slave *s;
	void *data;
	int err;

	if (c->reserved || (c->flags & ~KECAT_SDO_COMPLETE) ||
	    !c->len || c->len > KECAT_MAX_SDO)
		return -EINVAL;
	data = vmemdup_user(u64_to_user_ptr(c->ptr), c->len);
	if (IS_ERR(data))
		return PTR_ERR(data);
	err = kecat_call_get_slave(f, c->position, &s);
	if (err)
		goto out_free;
	err = kecat_coe_download(s, c->index, c->subindex, c->flags, data,
				 c->len, &c->abort_code,
				 min(c->timeout_ms, KECAT_TIMEOUT_MS_MAX));
	kecat_slave_put(s);
out_free:
	kvfree(data);
	return err;
}

/* one datagram; a single slave that does not answer is an error */
static int access_reg(struct kecat_file *f, struct kecat_reg *r, bool write,
		      void *data)
{
	struct kecat_dgram dg = {
		.cmd = write ? EC_BWR : EC_BRD,
		.ado = r->address, .len = r->len, .data = data,
	};
	struct kecat_slave *s;
	int err;

	if (r->position != KECAT_ALL) {
		err = kecat_call_get_slave(f, r->position, &s);
		if (err)
			return err;
		dg.cmd = write ? EC_FPWR : EC_FPRD;
		dg.adp = s->station;
		kecat_slave_put(s);
	}
	err = kecat_xfer(f->m, &dg, 1, 0);
	r->wkc = dg.wkc;
	if (!err && !dg.wkc && r->position != KECAT_ALL)
		err = -ENXIO;
	return err;
}

static int do_reg(struct kecat_file *f, struct kecat_reg *r, bool write)
{
	u8 *data;
	int err;

	if (r->reserved || !r->len || r->len > REG_LEN_MAX ||
	    r->address > 0x10000 - r->len)
		return -EINVAL;
	data = kzalloc(r->len, GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	err = write ? kecat_from_user(data, r->ptr, r->len) : 0;
	if (!err)
		err = access_reg(f, r, write, data);
	if (!err && !write)
		err = kecat_to_user(r->ptr, data, r->len);
	kfree(data);
	return err;
}

int kecat_do_reg_read(struct kecat_file *f, union kecat_arg *a)
{
	return do_reg(f, &a->reg, false);
}

int kecat_do_reg_write(struct kecat_file *f, union kecat_arg *a)
{
	return do_reg(f, &a->reg, true);
}

/* *@len bytes of the EEPROM, 0 = all; kvmalloc'ed */
static int read_sii(struct kecat_slave *s, u32 word, u8 **data, size_t *len)
{
	int err;

	if (mutex_lock_killable(&s->sii_lock))
		return -EINTR;
	if (!*len) {
		err = kecat_sii_fetch(s, data, len);
	} else {
		*data = kvzalloc(*len, GFP_KERNEL);
		err = *data ? kecat_sii_read(s, word, *len / 2, *data) : -ENOMEM;
	}
	mutex_unlock(&s->sii_lock);
	return err;
}

int kecat_do_sii_read(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_sii *c = &a->sii;
	struct kecat_slave *s;
	u8 *data = NULL;
	size_t len;
	int err;

	if (c->words > KECAT_SII_MAX / 2 ||
	    c->word > KECAT_SII_MAX / 2 - c->words || (!c->words && c->word))
		return -EINVAL;
	err = kecat_call_get_slave(f, c->position, &s);
	if (err)
		return err;
	len = 2 * c->words;
	err = read_sii(s, c->word, &data, &len);
	kecat_slave_put(s);
	c->words = err ? 0 : len / 2;
	if (!err)
		err = kecat_to_user(c->ptr, data, 2 * c->words);
	kvfree(data);
	return err;
}

/* ---- AL states ---- */

static bool valid_state(u32 state)
{
	return state == KECAT_AL_INIT || state == KECAT_AL_PREOP ||
	       state == KECAT_AL_BOOT || state == KECAT_AL_SAFEOP ||
	       state == KECAT_AL_OP;
}

static bool needs_config(u32 state)
{
	return state == KECAT_AL_SAFEOP || state == KECAT_AL_OP;
}

static int wait_slave(struct kecat_slave *s, struct kecat_state *c,
		      ktime_t until)
{
	s64 left = ktime_ms_delta(until, ktime_get());
	int err = kecat_slave_wait(s, c->state, max_t(s64, left, 0));

	c->al_state = READ_ONCE(s->al_state);
	c->al_code = READ_ONCE(s->al_code);
	return err;
}

/* Of all slaves, those that can get there at all */
static bool concerned(const struct kecat_slave *s, const struct kecat_state *c)
{
	if (c->position != KECAT_ALL)
		return true;
	return READ_ONCE(s->present) &&
	       (!needs_config(c->state) || READ_ONCE(s->cfg_index) != KECAT_ALL);
}

/* asks a slave for a state, or (@until) waits for it */
static int state_of_one(struct kecat_file *f, struct kecat_state *c, u32 pos,
			const ktime_t *until)
{
	struct kecat_slave *s;
	int err = kecat_call_get_slave(f, pos, &s);

	if (err)
		return err;
	c->al_state = READ_ONCE(s->al_state);
	c->al_code = READ_ONCE(s->al_code);
	if (concerned(s, c)) {
		if (until)
			err = wait_slave(s, c, *until);
		else
			kecat_slave_want(s, c->state);
	}
	kecat_slave_put(s);
	return err;
}

/* of all slaves the first that fails counts */
static int state_of_all(struct kecat_file *f, struct kecat_state *c,
			const ktime_t *until)
{
	u32 pos;
	int err;

	if (c->position != KECAT_ALL)
		return state_of_one(f, c, c->position, until);
	for (pos = 0; pos < READ_ONCE(f->m->nslaves); pos++) {
		err = state_of_one(f, c, pos, until);
		if (err)
			return err;
	}
	return 0;
}

/* what concerns more than the slaves that are there now */
static int prepare_state(struct kecat_file *f, const struct kecat_state *c)
{
	int err = kecat_call_enter_config(f);

	if (err)
		return err;
	if (needs_config(c->state) && !f->m->cfg)
		err = -ENOENT;
	else if (c->position == KECAT_ALL && f->m->active)
		kecat_bus_want(f->m, c->state);
	kecat_call_leave_config(f);
	return err;
}

int kecat_do_state(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_state *c = &a->state;
	ktime_t until;
	int err;

	if (!valid_state(c->state))
		return -EINVAL;
	err = prepare_state(f, c);
	if (!err)
		err = state_of_all(f, c, NULL);
	if (err || !c->timeout_ms)
		return err;
	until = ktime_add_ms(ktime_get(),
			     min(c->timeout_ms, KECAT_TIMEOUT_MS_MAX));
	return state_of_all(f, c, &until);
}
