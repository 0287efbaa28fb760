// SPDX-License-Identifier: LGPL-2.1-or-later
/* The flight recorder. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "priv.h"

#define NAP_MAX_MS	50

int kecat_record_arm(struct kecat *k, struct kecat_record_arm *arm)
{
	arm->size = sizeof(*arm);
	arm->id = 0;
	return kecat_call(k, KECAT_IOC_RECORD_ARM, arm);
}

int kecat_record_get_state(struct kecat *k, struct kecat_record_state *st)
{
	memset(st, 0, sizeof(*st));
	st->size = sizeof(*st);
	return kecat_call(k, KECAT_IOC_RECORD_STATE, st);
}

int kecat_record_freeze(struct kecat *k)
{
	return kecat_call(k, KECAT_IOC_RECORD_FREEZE, NULL);
}

int kecat_record_wait(struct kecat *k, uint64_t timeout_ms,
		      struct kecat_record_state *st)
{
	uint64_t nap = 1;

	for (;;) {
		int ret = kecat_record_get_state(k, st);
		struct timespec ts;

		if (ret)
			return ret;
		if (st->state == KECAT_RECORD_OFF)
			return -ENOENT;
		if (st->state == KECAT_RECORD_FROZEN)
			return 0;
		if (!timeout_ms)
			return -ETIMEDOUT;
		if (nap > timeout_ms)
			nap = timeout_ms;
		ts = (struct timespec){ .tv_nsec = (long)nap * 1000000 };
		if (nanosleep(&ts, NULL))
			return -errno;
		timeout_ms -= nap;
		nap = nap < NAP_MAX_MS / 2 ? 2 * nap : NAP_MAX_MS;
	}
}

/* @n records of @elem bytes */
static int read_all(struct kecat *k, uint64_t id, uint32_t what, void *to,
		    uint32_t n, uint32_t elem)
{
	uint32_t done = 0;

	while (done < n) {
		struct kecat_record_read c = {
			.size = sizeof(c), .what = what, .id = id, .from = done,
			.count = n - done, .elem = elem,
			.ptr = (uintptr_t)to + (uint64_t)done * elem,
		};
		int ret = kecat_call(k, KECAT_IOC_RECORD_READ, &c);

		if (ret)
			return ret;
		if (!c.count || c.count > n - done)
			return -EPROTO;
		done += c.count;
	}
	return 0;
}

/* whoever walks over it relies on these */
static int check(const struct kecat_record_state *st)
{
	if (st->have_cycles > KECAT_RECORD_MAX_CYCLES ||
	    st->have_frames > KECAT_RECORD_MAX_FRAMES ||
	    st->stamps < 2 || st->stamps > KECAT_RECORD_AT ||
	    st->frame_size < sizeof(struct kecat_record_frame) ||
	    st->frame_size > sizeof(struct kecat_record_frame) +
			     KECAT_RECORD_MAX_SNAP || st->frame_size % 8)
		return -EPROTO;
	return 0;
}

int kecat_record_read(struct kecat *k, struct kecat_recording *r)
{
	int ret;

	memset(r, 0, sizeof(*r));
	ret = kecat_record_get_state(k, &r->st);
	if (ret)
		return ret;
	if (r->st.state == KECAT_RECORD_OFF)
		return -ENOENT;
	if (r->st.state != KECAT_RECORD_FROZEN)
		return -EBUSY;
	ret = check(&r->st);
	if (ret)
		return ret;
	/* one more: nothing recorded is no failure of the allocator */
	r->cycle = calloc((size_t)r->st.have_cycles + 1, sizeof(*r->cycle));
	r->frame = calloc((size_t)r->st.have_frames + 1, r->st.frame_size);
	ret = -ENOMEM;
	if (r->cycle && r->frame)
		ret = read_all(k, r->st.id, KECAT_RECORD_CYCLES, r->cycle,
			       r->st.have_cycles, sizeof(*r->cycle));
	if (!ret)
		ret = read_all(k, r->st.id, KECAT_RECORD_FRAMES, r->frame,
			       r->st.have_frames, r->st.frame_size);
	if (ret)
		kecat_record_free(r);
	return ret;
}

void kecat_record_free(struct kecat_recording *r)
{
	free(r->cycle);
	free(r->frame);
	r->cycle = NULL;
	r->frame = NULL;
}

const struct kecat_record_frame *
kecat_record_frame_at(const struct kecat_recording *r, uint32_t i,
		      const uint8_t **data)
{
	struct kecat_record_frame *f =
		(void *)(r->frame + (size_t)i * r->st.frame_size);
	uint32_t room = r->st.frame_size - sizeof(*f);

	if (f->cap > room)
		f->cap = room;
	if (f->cap > f->len)
		f->cap = f->len;
	*data = (const uint8_t *)(f + 1);
	return f;
}
