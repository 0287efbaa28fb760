/* SPDX-License-Identifier: GPL-2.0-only */
/* What the calls of ioctl.c and ioctl_slave.c share */
#ifndef KECAT_CALL_H
#define KECAT_CALL_H

#include <linux/types.h>
#include <linux/uaccess.h>
#include "../uapi/kecat.h"
#include "../uapi/kecat_record.h"
#include "file.h"

struct kecat_slave;

/* longest time-out a caller may ask for */
#define KECAT_TIMEOUT_MS_MAX	600000u

/* the struct of a call, whichever it is */
union kecat_arg {
	u32 size;
	struct kecat_version version;
	struct kecat_status status;
	struct kecat_slave_info slave;
	struct kecat_array array;
	struct kecat_sdo sdo;
	struct kecat_reg reg;
	struct kecat_sii sii;
	struct kecat_state state;
	struct kecat_config config;
	struct kecat_activate activate;
	struct kecat_wait wait;
	struct kecat_exchange exchange;
	struct kecat_snapshot snapshot;
	struct kecat_latency latency;
	struct kecat_second second;
	struct kecat_ring ring;
	struct kecat_record_arm record_arm;
	struct kecat_record_state record_state;
	struct kecat_record_read record_read;
};

/*
 * The port stays until leave; with _config, so does what was configured.
 * 0, -ENODEV, -EINTR.
 */
int kecat_call_enter(struct kecat_file *f);
void kecat_call_leave(struct kecat_file *f);
int kecat_call_enter_config(struct kecat_file *f);
void kecat_call_leave_config(struct kecat_file *f);
/* slave by position, with a reference.  0, -ENODEV, -EINTR. */
int kecat_call_get_slave(struct kecat_file *f, u32 position,
			 struct kecat_slave **s);

/* only without a lock */
static inline int kecat_to_user(u64 ptr, const void *from, size_t len)
{
	return copy_to_user(u64_to_user_ptr(ptr), from, len) ? -EFAULT : 0;
}

static inline int kecat_from_user(void *to, u64 ptr, size_t len)
{
	return copy_from_user(to, u64_to_user_ptr(ptr), len) ? -EFAULT : 0;
}

/* ioctl_slave.c */
int kecat_do_sdo_upload(struct kecat_file *f, union kecat_arg *a);
int kecat_do_sdo_download(struct kecat_file *f, union kecat_arg *a);
int kecat_do_reg_read(struct kecat_file *f, union kecat_arg *a);
int kecat_do_reg_write(struct kecat_file *f, union kecat_arg *a);
int kecat_do_sii_read(struct kecat_file *f, union kecat_arg *a);
int kecat_do_state(struct kecat_file *f, union kecat_arg *a);

/* ioctl_record.c */
int kecat_do_record_arm(struct kecat_file *f, union kecat_arg *a);
int kecat_do_record_state(struct kecat_file *f, union kecat_arg *a);
int kecat_do_record_read(struct kecat_file *f, union kecat_arg *a);
int kecat_do_record_freeze(struct kecat_file *f, union kecat_arg *a);

#endif
