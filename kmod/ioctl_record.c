// SPDX-License-Identifier: GPL-2.0-only
/* The calls of uapi/kecat_record.h */
#include <linux/errno.h>
#include "call.h"
#include "master.h"
#include "record.h"

/* memory is made before the lock is taken: it may be much, and take long */
int kecat_do_record_arm(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_record *r;
	int err = kecat_record_create(&a->record_arm, &r);

	if (err)
		return err;
	err = kecat_call_enter_config(f);
	if (err) {
		kecat_record_put(r);
		return err;
	}
	kecat_record_install(f->m, r);
	kecat_call_leave_config(f);
	return 0;
}

int kecat_do_record_state(struct kecat_file *f, union kecat_arg *a)
{
	int err = kecat_call_enter_config(f);

	if (err)
		return err;
	kecat_record_info(f->m, &a->record_state);
	kecat_call_leave_config(f);
	return 0;
}

int kecat_do_record_freeze(struct kecat_file *f, union kecat_arg *a)
{
	int err = kecat_call_enter_config(f);

	if (err)
		return err;
	err = kecat_record_freeze(f->m);
	kecat_call_leave_config(f);
	return err;
}

/* records copied by one call */
#define AT_ONCE	65536u

/* a frozen ring does not change; the reference keeps it, no lock is held */
static int copy_records(struct kecat_record *r, struct kecat_record_read *c)
{
	u32 count = min(c->count, AT_ONCE), done = 0;

	while (done < count) {
		u32 n;
		const void *p = kecat_record_piece(r, c->what, c->from + done,
						   count - done, &n);

		if (!n)
			break;
		if (kecat_to_user(c->ptr + (u64)done * c->elem, p,
				  (size_t)n * c->elem))
			return -EFAULT;
		done += n;
	}
	c->count = done;
	return 0;
}

int kecat_do_record_read(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_record_read *c = &a->record_read;
	struct kecat_record *r;
	int err;

	if (c->what > KECAT_RECORD_FRAMES || c->pad)
		return -EINVAL;
	err = kecat_call_enter_config(f);
	if (err)
		return err;
	err = kecat_record_get(f->m, c->id, &r);
	kecat_call_leave_config(f);
	if (err)
		return err;
	err = -EINVAL;
	if (c->elem == (c->what == KECAT_RECORD_CYCLES ?
			sizeof(struct kecat_record_cycle) : r->frame_size))
		err = copy_records(r, c);
	kecat_record_put(r);
	return err;
}
