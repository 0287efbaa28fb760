// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls of uapi/kecat.h: a table, and a short function for each.
 *
 * The arguments are fetched before and stored after the function.  A function
 * copies bulk data from or to the process only while it holds no lock (see
 * chardev.c), so a process that does not let its pages come in holds up nobody.
 */
#include <linux/kernel.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/nospec.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "../uapi/kecat.h"
#include "bus.h"
#include "call.h"
#include "config.h"
#include "cycle.h"
#include "file.h"
#include "image.h"
#include "info.h"
#include "plan.h"
#include "slave.h"
#include "version.h"

/* ---- locks and references ---- */

/* the port stays until kecat_call_leave() */
int kecat_call_enter(struct kecat_file *f)
{
	if (down_read_killable(&f->m->dev_rwsem))
		return -EINTR;
	if (f->m->dev)
		return 0;
	up_read(&f->m->dev_rwsem);
	return -ENODEV;
}

void kecat_call_leave(struct kecat_file *f)
{
	up_read(&f->m->dev_rwsem);
}

/* .. and the configuration */
int kecat_call_enter_config(struct kecat_file *f)
{
	int err = kecat_call_enter(f);

	if (err)
		return err;
	if (!mutex_lock_killable(&f->m->config_lock))
		return 0;
	kecat_call_leave(f);
	return -EINTR;
}

void kecat_call_leave_config(struct kecat_file *f)
{
	mutex_unlock(&f->m->config_lock);
	kecat_call_leave(f);
}

int kecat_call_get_slave(struct kecat_file *f, u32 position, struct kecat_slave **s)
{
	int err = kecat_call_enter(f);

	if (err)
		return err;
	*s = kecat_bus_get(f->m, position);
	kecat_call_leave(f);
	return *s ? 0 : -ENODEV;
}

/* ---- what is there ---- */

static int do_version(struct kecat_file *f, union kecat_arg *a)
{
	a->version = (struct kecat_version){
		.abi = KECAT_ABI,
		.features = IS_ENABLED(CONFIG_PREEMPT_RT) ? KECAT_FEAT_RT : 0,
		.master = f->m->index,
		.release = KECAT_RELEASE,
	};
	return 0;
}

static int do_status(struct kecat_file *f, union kecat_arg *a)
{
	int err = kecat_call_enter_config(f);

	if (err)
		return err;
	kecat_info_status(f->m, &a->status);
	kecat_call_leave_config(f);
	return 0;
}

static int do_slave_info(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_slave *s;
	int err = kecat_call_get_slave(f, a->slave.position, &s);

	if (err)
		return err;
	kecat_info_slave(s, &a->slave);
	kecat_slave_put(s);
	return 0;
}

/* @n elements of @size bytes there are at @list, of which @room were made */
static int store_array(struct kecat_array *a, const void *list, u32 room, u32 n,
		       size_t size)
{
	a->count = n;
	return kecat_to_user(a->ptr, list, min(room, n) * size);
}

static int do_slave_pdos(struct kecat_file *f, union kecat_arg *a)
{
	u32 room = min_t(u32, a->array.count,
			 KECAT_CFG_MAX_ENTRIES + KECAT_CFG_MAX_PDOS);
	struct kecat_pdo_entry *list;
	struct kecat_slave *s;
	int err;
	u32 n;

	if (a->array.elem != sizeof(*list))
		return -EINVAL;
	err = kecat_call_get_slave(f, a->array.position, &s);
	if (err)
		return err;
	err = -ENOMEM;
	list = kvcalloc(room, sizeof(*list), GFP_KERNEL);
	if (list) {
		n = kecat_info_pdos(s, list, room);
		err = store_array(&a->array, list, room, n, sizeof(*list));
	}
	kvfree(list);
	kecat_slave_put(s);
	return err;
}

static int do_layout(struct kecat_file *f, union kecat_arg *a)
{
	u32 room = min_t(u32, a->array.count,
			 KECAT_MAX_SLAVES * KECAT_CFG_MAX_SMS);
	struct kecat_layout *list;
	int err, n = -ENOENT;

	if (a->array.elem != sizeof(*list) || a->array.position)
		return -EINVAL;
	list = kvcalloc(room, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	err = kecat_call_enter_config(f);
	if (err)
		goto out_free;
	if (f->m->cfg)
		n = kecat_info_layout(f->m, list, room);
	kecat_call_leave_config(f);
	err = n < 0 ? n : store_array(&a->array, list, room, n, sizeof(*list));
out_free:
	kvfree(list);
	return err;
}

static int do_rescan(struct kecat_file *f, union kecat_arg *a)
{
	return kecat_bus_rescan(f->m);
}

/* ---- the second port ---- */

static int do_second(struct kecat_file *f, union kecat_arg *a)
{
	int err;

	if (a->second.flags)
		return -EINVAL;
	err = kecat_call_enter(f);
	if (err)
		return err;
	err = kecat_ring_want(f->m, &a->second);
	kecat_call_leave(f);
	return err;
}

static int do_ring(struct kecat_file *f, union kecat_arg *a)
{
	int err = kecat_call_enter(f);

	if (err)
		return err;
	kecat_ring_info(f->m, &a->ring);
	kecat_call_leave(f);
	return 0;
}

/* ---- configuration ---- */

static int parse_user_config(struct kecat_config *c, struct kecat_cfg **cfg)
{
	struct kecat_cfg_error e = { .slave = KECAT_ALL };
	void *blob = vmemdup_user(u64_to_user_ptr(c->ptr), c->len);
	int err;

	if (IS_ERR(blob))
		return PTR_ERR(blob);
	err = kecat_config_parse(blob, c->len, cfg, &e);
	kvfree(blob);
	c->err_offset = e.offset;
	c->err_slave = e.slave;
	c->err_type = e.type;
	static_assert(sizeof(c->message) == sizeof(e.message));
	memcpy(c->message, e.message, sizeof(c->message));
	return err;
}

static int do_config_set(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_config *c = &a->config;
	struct kecat_cfg *cfg = NULL;
	int err = 0;

	if ((c->flags & ~KECAT_CONFIG_VERIFY) || c->len > KECAT_MAX_CONFIG)
		return -EINVAL;
	c->err_offset = 0;
	c->err_slave = KECAT_ALL;
	c->err_type = 0;
	memset(c->message, 0, sizeof(c->message));
	if (c->len)
		err = parse_user_config(c, &cfg);
	if (err)
		return err;
	if (c->flags & KECAT_CONFIG_VERIFY)
		goto out_free;
	err = kecat_call_enter_config(f);
	if (err)
		goto out_free;
	err = kecat_master_set_config(f->m, cfg);
	kecat_call_leave_config(f);
	if (!err)
		return 0;
out_free:
	kecat_config_free(cfg);
	return err;
}

/* *@len is the room, and becomes what there is; *@blob NULL: too little room */
static int copy_config(struct kecat_file *f, u32 *len, u8 **blob)
{
	const struct kecat_cfg *cfg;
	u32 room = *len;
	int err = kecat_call_enter_config(f);

	if (err)
		return err;
	cfg = f->m->cfg;
	*len = cfg ? cfg->len : 0;
	if (!cfg)
		err = -ENOENT;
	else if (room < cfg->len)
		err = -ENOSPC;
	else
		*blob = kvmalloc(cfg->len, GFP_KERNEL);
	if (!err && !*blob)
		err = -ENOMEM;
	if (!err)
		memcpy(*blob, cfg->blob, cfg->len);
	kecat_call_leave_config(f);
	return err;
}

static int do_config_get(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_config *c = &a->config;
	u8 *blob = NULL;
	int err;

	if (c->flags)
		return -EINVAL;
	err = copy_config(f, &c->len, &blob);
	if (!err)
		err = kecat_to_user(c->ptr, blob, c->len);
	kvfree(blob);
	return err;
}

/* ---- cyclic exchange ---- */

static int do_activate(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_activate *c = &a->activate;
	int err;

	if (c->flags)
		return -EINVAL;
	err = kecat_call_enter_config(f);
	if (err)
		return err;
	err = kecat_master_activate(f->m, f);
	if (!err) {
		c->shm_size = f->m->image->size;
		c->image_in = f->m->image->in_len;
		c->image_out = f->m->image->out_len;
		c->frames = f->m->plan->frames_full;
		WRITE_ONCE(f->seen, 0);
	}
	kecat_call_leave_config(f);
	return err;
}

static int do_deactivate(struct kecat_file *f, union kecat_arg *a)
{
	int err = kecat_call_enter_config(f);

	if (err)
		return err;
	if (f->m->owner && f->m->owner != f)
		err = -EBUSY;
	else
		kecat_master_deactivate(f->m, false);
	kecat_call_leave_config(f);
	return err;
}

/* no lock that sleeps, no memory: this is the application's real-time loop */
static int do_wait(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_wait *c = &a->wait;
	int err;

	if (c->flags)
		return -EINVAL;
	err = kecat_cycle_wait(f->m, &c->cycle, c->timeout_ns);
	if (!err)
		WRITE_ONCE(f->seen, c->cycle);
	else if (err == -ENOTCONN)
		WRITE_ONCE(f->seen, 0);
	return err;
}

/* as do_wait(); who the owner is may change meanwhile, as between two calls */
static int do_exchange(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_exchange *c = &a->exchange;
	int err;

	if (c->flags)
		return -EINVAL;
	if (READ_ONCE(f->m->active) && READ_ONCE(f->m->owner) != f)
		return -EACCES;
	err = kecat_cycle_exchange(f->m, c->at_ns, &c->cycle);
	if (!err)
		WRITE_ONCE(f->seen, c->cycle);
	else if (err == -ENOTCONN)
		WRITE_ONCE(f->seen, 0);
	return err;
}

/* both images; *@in and *@out are there when wanted, kvmalloc'ed */
static int take_snapshot(struct kecat_file *f, struct kecat_snapshot *c,
			 u8 **in, u8 **out)
{
	const struct kecat_image *img;
	u32 in_len, out_len;
	int err = kecat_call_enter_config(f);

	if (err)
		return err;
	img = f->m->image;
	err = -ENOTCONN;
	if (!img)
		goto out_leave;
	in_len = img->in_len;
	out_len = img->out_len;
	*in = kvzalloc(in_len + 1, GFP_KERNEL);
	*out = kvzalloc(out_len + 1, GFP_KERNEL);
	err = *in && *out ? kecat_cycle_snapshot(f->m, c, *in, *out) : -ENOMEM;
	c->in_len = in_len;
	c->out_len = out_len;
out_leave:
	kecat_call_leave_config(f);
	return err;
}

static int store_image(u64 ptr, u32 room, const u8 *data, u32 len)
{
	return ptr ? kecat_to_user(ptr, data, min(room, len)) : 0;
}

static int do_snapshot(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_snapshot *c = &a->snapshot;
	u64 in_ptr = c->in_ptr, out_ptr = c->out_ptr;
	u32 in_room = c->in_len, out_room = c->out_len;
	u8 *in = NULL, *out = NULL;
	int err;

	if (c->flags)
		return -EINVAL;
	err = take_snapshot(f, c, &in, &out);
	c->in_ptr = in_ptr;
	c->out_ptr = out_ptr;
	if (!err)
		err = store_image(in_ptr, in_room, in, c->in_len);
	if (!err)
		err = store_image(out_ptr, out_room, out, c->out_len);
	kvfree(in);
	kvfree(out);
	return err;
}

static int do_latency(struct kecat_file *f, union kecat_arg *a)
{
	struct kecat_latency *c = &a->latency;
	struct kecat_phase_hist *h;
	u32 room = c->buckets;
	int err = 0;

	if (c->phase >= KECAT_LAT_COUNT || (c->flags & ~KECAT_LATENCY_RESET))
		return -EINVAL;
	if ((c->flags & KECAT_LATENCY_RESET) && !(f->mode & FMODE_WRITE))
		return -EACCES;
	/* as old as the master; the cyclic thread goes on counting meanwhile */
	h = READ_ONCE(f->m->hist) + array_index_nospec(c->phase, KECAT_LAT_COUNT);
	c->buckets = KECAT_HIST_BUCKETS;
	c->count = READ_ONCE(h->count);
	c->sum_ns = READ_ONCE(h->sum_ns);
	c->min_ns = c->count ? READ_ONCE(h->min_ns) : 0;
	c->max_ns = READ_ONCE(h->max_ns);
	c->max_cycle = READ_ONCE(h->max_cycle);
	if (c->ptr)
		err = kecat_to_user(c->ptr, h->bucket, sizeof(u64) *
				    min_t(u32, room, KECAT_HIST_BUCKETS));
	if (err || !(c->flags & KECAT_LATENCY_RESET))
		return err;
	err = kecat_call_enter_config(f);
	if (err)
		return err;
	kecat_cycle_reset_hist(f->m);
	kecat_call_leave_config(f);
	return 0;
}

/* ---- the table ---- */

/**
 * struct call - one ioctl
 * @cmd:  KECAT_IOC_*; a caller's may have another size of the struct in it
 * @size: of the struct as we know it, 0 = none
 * @min:  what the call cannot do without
 * @mode: FMODE_* the file has to be open for
 * @fn:   does it
 */
struct call {
	unsigned int cmd;
	u16 size;
	u16 min;
	fmode_t mode;
	int (*fn)(struct kecat_file *f, union kecat_arg *a);
};

#define CALL(name, type, last, flag, func)			\
	[_IOC_NR(KECAT_IOC_##name)] = {				\
		.cmd = KECAT_IOC_##name,			\
		.size = sizeof(struct type),			\
		.min = offsetofend(struct type, last),		\
		.mode = FMODE_##flag,				\
		.fn = func,					\
	}
#define CALL_PLAIN(name, flag, func)				\
	[_IOC_NR(KECAT_IOC_##name)] = {				\
		.cmd = KECAT_IOC_##name,			\
		.mode = FMODE_##flag,				\
		.fn = func,					\
	}

static const struct call calls[] = {
	CALL(VERSION, kecat_version, abi, READ, do_version),
	CALL(STATUS, kecat_status, phase, READ, do_status),
	CALL(SLAVE_INFO, kecat_slave_info, position, READ, do_slave_info),
	CALL(SLAVE_PDOS, kecat_array, ptr, READ, do_slave_pdos),
	CALL(SDO_UPLOAD, kecat_sdo, ptr, READ, kecat_do_sdo_upload),
	CALL(SDO_DOWNLOAD, kecat_sdo, ptr, WRITE, kecat_do_sdo_download),
	CALL(REG_READ, kecat_reg, ptr, READ, kecat_do_reg_read),
	CALL(REG_WRITE, kecat_reg, ptr, WRITE, kecat_do_reg_write),
	CALL(SII_READ, kecat_sii, ptr, READ, kecat_do_sii_read),
	CALL(STATE, kecat_state, timeout_ms, WRITE, kecat_do_state),
	CALL(CONFIG_SET, kecat_config, ptr, WRITE, do_config_set),
	CALL(CONFIG_GET, kecat_config, ptr, READ, do_config_get),
	CALL(ACTIVATE, kecat_activate, flags, WRITE, do_activate),
	CALL_PLAIN(DEACTIVATE, WRITE, do_deactivate),
	CALL(LAYOUT, kecat_array, ptr, READ, do_layout),
	CALL(WAIT, kecat_wait, timeout_ns, READ, do_wait),
	CALL(EXCHANGE, kecat_exchange, cycle, WRITE, do_exchange),
	CALL_PLAIN(RESCAN, WRITE, do_rescan),
	CALL(SNAPSHOT, kecat_snapshot, out_ptr, READ, do_snapshot),
	CALL(LATENCY, kecat_latency, buckets, READ, do_latency),
	CALL(SECOND, kecat_second, nic, WRITE, do_second),
	CALL(RING, kecat_ring, state, READ, do_ring),
	CALL(RECORD_ARM, kecat_record_arm, cycles, WRITE, kecat_do_record_arm),
	CALL(RECORD_STATE, kecat_record_state, state, READ, kecat_do_record_state),
	CALL(RECORD_READ, kecat_record_read, ptr, READ, kecat_do_record_read),
	CALL_PLAIN(RECORD_FREEZE, WRITE, kecat_do_record_freeze),
};

/* everything of a command but the size of its struct */
#define CMD_MASK	(~((unsigned int)_IOC_SIZEMASK << _IOC_SIZESHIFT))

static const struct call *find_call(unsigned int cmd)
{
	unsigned int nr = _IOC_NR(cmd);
	const struct call *c;

	if (nr >= ARRAY_SIZE(calls))
		return NULL;
	c = &calls[array_index_nospec(nr, ARRAY_SIZE(calls))];
	if (!c->fn || ((cmd ^ c->cmd) & (c->size ? CMD_MASK : ~0u)))
		return NULL;
	return c;
}

static int call_with(struct kecat_file *f, const struct call *c,
		     void __user *user)
{
	union kecat_arg a;
	u32 size;
	int err;

	if (get_user(size, (u32 __user *)user))
		return -EFAULT;
	if (size < c->min)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(&a, c->size, user, size);
	if (err)
		return err;
	err = c->fn(f, &a);
	/* also with an error: it may come with an explanation */
	a.size = size;
	if (copy_to_user(user, &a, min_t(u32, size, c->size)))
		return -EFAULT;
	return err;
}

/**
 * kecat_ioctl - &file_operations.unlocked_ioctl
 * @file: /dev/kecat<N>
 * @cmd:  KECAT_IOC_*
 * @arg:  address of its struct
 */
long kecat_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct kecat_file *f = file->private_data;
	const struct call *c = find_call(cmd);
	int err;

	if (!c)
		return -ENOTTY;
	if (!kecat_file_alive(f))
		return -ENODEV;
	if (!(f->mode & c->mode))
		return -EACCES;
	if (c->size)
		err = call_with(f, c, (void __user *)arg);
	else
		err = c->fn(f, NULL);
	/* whatever failed because the port went */
	return err && !kecat_file_alive(f) ? -ENODEV : err;
}
