// SPDX-License-Identifier: GPL-2.0-only
/*
 * EEPROM access through the ESC.  One read command delivers 4 or 8 bytes,
 * depending on the controller (0x0502 bit 6).
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "sii.h"
#include "sii_parse.h"
#include "slave.h"
#include "wait.h"
#include "xfer.h"
#include "proto/ecat.h"

/* 0x0500: who owns the EEPROM interface */
#define OWNER_MASTER	0x00
#define OWNER_PDI	0x01
#define OWNER_FORCE	0x02	/* take it away from the PDI */

#define CMD_ERRORS	(EC_SII_ERR_ACK | EC_SII_ERR_WRITE_EN)
#define TRIES		5	/* of a command that was answered with an error */
#define BUSY_MS		500	/* an emulated EEPROM is a task of a busy CPU */
#define BUSY_LOOKS	1000
/*
 * The size word may be too small in an otherwise good image: read this much
 * even if it says less.
 */
#define LIMIT_MIN	4096
#define FETCH_START	1024

/* 0x0502..0x050f; controllers with 4 bytes a read end at 0x050b */
struct sii_regs {
	__le16 control;
	__le32 address;
	u8 data[8];
} __packed;
#define REGS_SHORT	10
static_assert(sizeof(struct sii_regs) == 14);

/* state of one use of the interface */
struct sii_user {
	struct kecat_slave *s;
	unsigned int width;	/* bytes a read */
};

static int set_owner(struct kecat_slave *s, u8 owner)
{
	return kecat_fpwr(s->master, s->station, EC_REG_SII_CONFIG, &owner, 1);
}

static int command(struct kecat_slave *s, u16 cmd, u32 word)
{
	struct sii_regs r = {
		.control = cpu_to_le16(cmd),
		.address = cpu_to_le32(word),
	};

	return kecat_fpwr(s->master, s->station, EC_REG_SII_CONTROL, &r,
			  offsetof(struct sii_regs, data));
}

static int wait_idle(struct sii_user *u, struct sii_regs *r)
{
	u64 deadline = ktime_get_ns() + (u64)BUSY_MS * NSEC_PER_MSEC;
	struct kecat_pause pause = { .min_us = 100, .max_us = 1000 };
	u16 len = u->width == 8 ? sizeof(*r) : REGS_SHORT;
	unsigned int looks;
	int ret;

	for (looks = 0; looks < BUSY_LOOKS; looks++) {
		if (kecat_interrupted() || kecat_slave_called_off(u->s))
			return -EINTR;
		ret = kecat_fprd(u->s->master, u->s->station,
				 EC_REG_SII_CONTROL, r, len);
		if (ret)
			return ret;
		if (!(le16_to_cpu(r->control) & EC_SII_BUSY))
			return 0;
		if (ktime_get_ns() >= deadline)
			break;
		kecat_pause(&pause);
	}
	return -EBUSY;
}

/* Any command clears the error bits of the one before; 0 is "none". */
static int clear_errors(struct sii_user *u, struct sii_regs *r)
{
	int ret = command(u->s, 0, 0);

	return ret ? ret : wait_idle(u, r);
}

static int take(struct sii_user *u)
{
	struct sii_regs r;
	int ret;

	u->width = 4;
	ret = set_owner(u->s, OWNER_FORCE);
	if (!ret)
		ret = set_owner(u->s, OWNER_MASTER);
	if (!ret)
		ret = wait_idle(u, &r);
	if (ret)
		return ret;
	if (le16_to_cpu(r.control) & EC_SII_READ8)
		u->width = 8;
	if (le16_to_cpu(r.control) & CMD_ERRORS)
		ret = clear_errors(u, &r);
	return ret;
}

/* The slave's application needs its EEPROM for INIT -> PREOP (AL 0x0032). */
static int give_back(struct sii_user *u, int ret)
{
	int err = set_owner(u->s, OWNER_PDI);

	return ret ? ret : err;
}

/* One command: u->width bytes from @word on. */
static int read_chunk(struct sii_user *u, u32 word, u8 *to)
{
	struct sii_regs r;
	unsigned int try;
	int ret;

	for (try = 0; try < TRIES; try++) {
		ret = command(u->s, EC_SII_READ, word);
		if (!ret)
			ret = wait_idle(u, &r);
		if (ret)
			return ret;
		if (!(le16_to_cpu(r.control) & CMD_ERRORS)) {
			memcpy(to, r.data, u->width);
			return 0;
		}
		/* not acknowledged: the EEPROM may still be at its last write */
		ret = clear_errors(u, &r);
		if (ret)
			return ret;
		usleep_range(1000, 2000);
	}
	return -EIO;
}

/* @from and @to are byte offsets, @from is even */
static int read_bytes(struct sii_user *u, u32 from, u32 to, u8 *buf)
{
	u8 chunk[8];
	u32 n;
	int ret;

	for (; from < to; from += n, buf += n) {
		ret = read_chunk(u, from / 2, chunk);
		if (ret)
			return ret;
		n = min(to - from, u->width);
		memcpy(buf, chunk, n);
	}
	return 0;
}

int kecat_sii_read(struct kecat_slave *s, u32 word, u32 words, u8 *buf)
{
	struct sii_user u = { .s = s };
	int ret;

	if (word > KECAT_SII_MAX / 2 || words > KECAT_SII_MAX / 2 - word)
		return -EINVAL;
	ret = take(&u);
	if (!ret)
		ret = read_bytes(&u, 2 * word, 2 * (word + words), buf);
	return give_back(&u, ret);
}

/* Makes room for @want bytes and keeps the @len that are there. */
static int grow(u8 **image, size_t *room, size_t len, size_t want)
{
	size_t n = max_t(size_t, *room, FETCH_START);
	u8 *p;

	if (want <= *room)
		return 0;
	while (n < want)
		n *= 2;
	p = kvmalloc(n, GFP_KERNEL);
	if (!p)
		return -ENOMEM;
	if (len)
		memcpy(p, *image, len);
	kvfree(*image);
	*image = p;
	*room = n;
	return 0;
}

/* What the size word allows; @image holds the header. */
static size_t fetch_limit(const u8 *image)
{
	struct kecat_sii_info *info = kmalloc(sizeof(*info), GFP_KERNEL);
	size_t limit = LIMIT_MIN;

	if (info) {
		kecat_sii_parse(image, KECAT_SII_HEADER, info, NULL, 0);
		limit = clamp_t(size_t, info->bytes, LIMIT_MIN, KECAT_SII_MAX);
		kfree(info);
	}
	return limit;
}

/* Reads on until the end mark, the end of the categories, or the limit. */
static int fetch(struct sii_user *u, u8 **image, size_t *len)
{
	size_t room = 0, limit = KECAT_SII_HEADER, want = KECAT_SII_HEADER;
	bool done = false;
	int ret;

	while (!done && *len < limit) {
		want = min_t(size_t, round_up(want, u->width), limit);
		ret = grow(image, &room, *len, want);
		if (ret)
			return ret;
		ret = read_bytes(u, *len, want, *image + *len);
		if (ret)
			return ret;
		*len = want;
		if (want == KECAT_SII_HEADER)
			limit = fetch_limit(*image);
		want = kecat_sii_extent(*image, *len, &done);
		if (done)
			*len = min(*len, want);
		want = max(want + 4, *len + 4);
	}
	return 0;
}

int kecat_sii_fetch(struct kecat_slave *s, u8 **image, size_t *len)
{
	struct sii_user u = { .s = s };
	int ret;

	*image = NULL;
	*len = 0;
	ret = take(&u);
	if (!ret)
		ret = fetch(&u, image, len);
	ret = give_back(&u, ret);
	if (ret) {
		kvfree(*image);
		*image = NULL;
		*len = 0;
	}
	return ret;
}
