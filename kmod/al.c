// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/jiffies.h>
#include "compat/unaligned.h"
#include "al.h"
#include "slave.h"
#include "wait.h"
#include "xfer.h"
#include "proto/ecat.h"

#define ACK_MS		1000
#define STATE_BITS	(EC_AL_STATE_MASK | EC_AL_ERROR)

/**
 * kecat_al_decode - AL status and code as read
 * @regs: KECAT_AL_REGS bytes from 0x0130
 * @al:   out
 */
void kecat_al_decode(const u8 *regs, struct kecat_al *al)
{
	al->status = regs[0] & STATE_BITS;
	al->code = 0;
	if (al->status & EC_AL_ERROR)
		al->code = get_unaligned_le16(regs + EC_REG_AL_CODE -
					      EC_REG_AL_STATUS);
}

static int read_al(struct kecat_slave *s, struct kecat_al *al)
{
	u8 regs[KECAT_AL_REGS] = {};
	int err = kecat_fprd(s->master, s->station, EC_REG_AL_STATUS, regs,
			     sizeof(regs));

	if (err)
		return err;
	kecat_al_decode(regs, al);
	kecat_slave_set_state(s, al->status, al->code);
	return 0;
}

int kecat_al_read(struct kecat_slave *s)
{
	struct kecat_al al;

	return read_al(s, &al);
}

static int request(struct kecat_slave *s, u8 control)
{
	__le16 reg = cpu_to_le16(control);

	return kecat_fpwr(s->master, s->station, EC_REG_AL_CONTROL, &reg,
			  sizeof(reg));
}

static bool refused(const struct kecat_al *al, const struct kecat_al *old)
{
	if (!(al->status & EC_AL_ERROR))
		return false;
	/* an error that was there before says nothing about this request */
	return !(old->status & EC_AL_ERROR) || al->status != old->status ||
	       al->code != old->code;
}

#define ANY_STATE	0

/* until the slave shows @state without an error, or a new error */
static int await(struct kecat_slave *s, u8 state, const struct kecat_al *old,
		 u32 timeout_ms)
{
	unsigned long until = jiffies + msecs_to_jiffies(timeout_ms);
	struct kecat_pause pause = { .min_us = 200, .max_us = 10000 };
	struct kecat_al al;
	int err;

	for (;;) {
		/* read once more after the time is over: we may have slept long */
		bool last = time_after(jiffies, until);

		err = read_al(s, &al);
		if (err)
			return err;
		if (al.status == state ||
		    (state == ANY_STATE && !(al.status & EC_AL_ERROR)))
			return 0;
		if (refused(&al, old))
			return -EREMOTEIO;
		if (last)
			return -ETIMEDOUT;
		if (kecat_slave_interrupted(s))
			return -EINTR;
		kecat_pause(&pause);
	}
}

/**
 * kecat_al_ack - acknowledge an error
 * @s: slave; nothing happens without its error bit
 *
 * A device that copies AL control to AL status would set the error bit itself
 * (ETG.1500 103), so it is never acknowledged there.
 * Return: 0, -ETIMEDOUT when it ignores that, and others of kecat_al_change().
 */
int kecat_al_ack(struct kecat_slave *s)
{
	struct kecat_al al;
	int err = read_al(s, &al);

	if (err || !(al.status & EC_AL_ERROR) || s->emulated)
		return err;
	err = request(s, (al.status & EC_AL_STATE_MASK) | EC_AL_ACK);
	return err ? err : await(s, ANY_STATE, &al, ACK_MS);
}

/**
 * kecat_al_change - one transition
 * @s:          slave
 * @state:      KECAT_AL_*
 * @timeout_ms: for all of it
 *
 * Ends early when the worker is to do something else.
 */
int kecat_al_change(struct kecat_slave *s, u8 state, u32 timeout_ms)
{
	u8 control = state;
	struct kecat_al al;
	int err = read_al(s, &al);

	if (err)
		return err;
	if (al.status == state)
		return 0;
	if ((al.status & EC_AL_ERROR) && !s->emulated)
		control |= EC_AL_ACK;
	err = request(s, control);
	return err ? err : await(s, state, &al, timeout_ms);
}
