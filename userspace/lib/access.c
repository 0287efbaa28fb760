// SPDX-License-Identifier: LGPL-2.1-or-later
/* Slow access to one slave: SDOs, registers, SII. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "priv.h"

#define SII_MAX		(128 * 1024)
#define REG_MAX		1024u

int kecat_sdo(struct kecat *k, bool write, struct kecat_sdo *sdo, void *data)
{
	uint32_t room = sdo->len;
	int ret;

	sdo->size = sizeof(*sdo);
	sdo->ptr = (uintptr_t)data;
	sdo->abort_code = 0;
	k->detail[0] = '\0';
	ret = kecat_call(k, write ? KECAT_IOC_SDO_DOWNLOAD : KECAT_IOC_SDO_UPLOAD,
			 sdo);
	k->abort_code = ret == -EREMOTEIO ? sdo->abort_code : 0;
	if (ret == -EREMOTEIO)
		kecat_set_detail(k, "SDO 0x%04x:%02x of slave %u: 0x%08x %s",
				 sdo->index, sdo->subindex, sdo->position,
				 sdo->abort_code, kecat_abort_text(sdo->abort_code));
	if (!ret && !write && sdo->len > room)
		ret = -EPROTO;
	return ret;
}

uint32_t kecat_abort_code(const struct kecat *k)
{
	return k->abort_code;
}

ssize_t kecat_upload(struct kecat *k, uint32_t position, uint16_t index,
		     uint8_t subindex, void *buf, size_t room)
{
	struct kecat_sdo sdo = {
		.position = position, .index = index, .subindex = subindex,
		.len = room > KECAT_MAX_SDO ? KECAT_MAX_SDO : room,
	};
	int ret = kecat_sdo(k, false, &sdo, buf);

	return ret ? ret : (ssize_t)sdo.len;
}

int kecat_download(struct kecat *k, uint32_t position, uint16_t index,
		   uint8_t subindex, const void *data, size_t len)
{
	struct kecat_sdo sdo = {
		.position = position, .index = index, .subindex = subindex,
		.len = len,
	};

	if (len > KECAT_MAX_SDO)
		return -EINVAL;
	return kecat_sdo(k, true, &sdo, (void *)data);
}

static int upload_uint(struct kecat *k, uint32_t position, uint16_t index,
		       uint8_t subindex, size_t bytes, uint64_t *value)
{
	uint8_t buf[8] = { 0 };
	ssize_t n = kecat_upload(k, position, index, subindex, buf, sizeof(buf));

	if (n == -ENOSPC || (n >= 0 && (size_t)n != bytes))
		return -EMSGSIZE;
	*value = kecat_get(buf, 0, 64);
	return n < 0 ? (int)n : 0;
}

static int download_uint(struct kecat *k, uint32_t position, uint16_t index,
			 uint8_t subindex, size_t bytes, uint64_t value)
{
	uint8_t buf[8];

	kecat_set(buf, 0, 64, value);
	return kecat_download(k, position, index, subindex, buf, bytes);
}

#define TYPED(name, type)						\
int kecat_upload_##name(struct kecat *k, uint32_t position,		\
			uint16_t index, uint8_t subindex, type *value)	\
{									\
	uint64_t v;							\
	int ret = upload_uint(k, position, index, subindex,		\
			      sizeof(type), &v);			\
									\
	if (!ret)							\
		*value = (type)v;					\
	return ret;							\
}									\
									\
int kecat_download_##name(struct kecat *k, uint32_t position,		\
			  uint16_t index, uint8_t subindex, type value)	\
{									\
	return download_uint(k, position, index, subindex,		\
			     sizeof(type), value);			\
}

TYPED(u8, uint8_t)
TYPED(u16, uint16_t)
TYPED(u32, uint32_t)
TYPED(u64, uint64_t)

static int reg(struct kecat *k, unsigned long cmd, uint32_t position,
	       uint16_t address, void *data, uint32_t len)
{
	struct kecat_reg r = {
		.size = sizeof(r), .position = position, .address = address,
		.len = len, .ptr = (uintptr_t)data,
	};
	int ret;

	if (!len || len > REG_MAX)
		return -EINVAL;
	ret = kecat_call(k, cmd, &r);
	return ret ? ret : (int)(r.wkc & 0xffff);
}

int kecat_reg_read(struct kecat *k, uint32_t position, uint16_t address,
		   void *buf, uint32_t len)
{
	return reg(k, KECAT_IOC_REG_READ, position, address, buf, len);
}

int kecat_reg_write(struct kecat *k, uint32_t position, uint16_t address,
		    const void *data, uint32_t len)
{
	return reg(k, KECAT_IOC_REG_WRITE, position, address, (void *)data, len);
}

ssize_t kecat_sii_read(struct kecat *k, uint32_t position, uint8_t **buf)
{
	struct kecat_sii s = { .size = sizeof(s), .position = position };
	uint8_t *mem = calloc(1, SII_MAX);
	int ret;

	if (!mem)
		return -ENOMEM;
	s.ptr = (uintptr_t)mem;
	ret = kecat_call(k, KECAT_IOC_SII_READ, &s);
	if (!ret && s.words > SII_MAX / 2)
		ret = -EPROTO;
	if (ret) {
		free(mem);
		return ret;
	}
	*buf = mem;
	return 2 * (ssize_t)s.words;
}
