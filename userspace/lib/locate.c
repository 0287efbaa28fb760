// SPDX-License-Identifier: LGPL-2.1-or-later
/* Where an object lies in the image, and values of any width in it. */
#include <errno.h>

#include "priv.h"

static const struct kecat_layout *find_sm(const struct kecat_layout *lay,
					  uint32_t layouts, uint32_t slave,
					  uint8_t sm)
{
	for (uint32_t i = 0; i < layouts; i++)
		if (lay[i].slave == slave && lay[i].sm == sm)
			return &lay[i];
	return NULL;
}

int kecat_conf_locate(const struct kecat_conf *c,
		      const struct kecat_layout *lay, uint32_t layouts,
		      uint32_t slave, uint16_t index, uint8_t subindex,
		      struct kecat_loc *loc)
{
	const struct kecat_layout *sm = NULL;
	struct kecat_element e = { 0 };
	uint64_t bit = 0;

	while (kecat_conf_next(c, &e)) {
		if (e.slave != slave)
			continue;
		if (e.sm) {
			sm = find_sm(lay, layouts, slave, e.sm->index);
			bit = 0;
		}
		if (!e.entry)
			continue;
		if (sm && index && e.entry->index == index &&
		    e.entry->subindex == subindex &&
		    bit + e.entry->bits <= 8ull * sm->len) {
			loc->dir = sm->dir;
			loc->group = sm->group;
			loc->offset = 8 * sm->offset + bit;
			loc->bits = e.entry->bits;
			return 0;
		}
		bit += e.entry->bits;
	}
	return -ENOENT;
}

int kecat_locate(struct kecat *k, uint32_t slave, uint16_t index,
		 uint8_t subindex, struct kecat_loc *loc)
{
	size_t len;
	int ret;

	if (!k->map.shm)
		return -ENOTCONN;
	ret = kecat_conf_locate(k->conf, k->layout, k->layouts, slave, index,
				subindex, loc);
	if (ret)
		return ret;
	len = loc->dir == KECAT_DIR_OUT ? k->map.out_len : k->map.in_len;
	return (uint64_t)loc->offset + loc->bits <= 8ull * len ? 0 : -EPROTO;
}

uint64_t kecat_get(const uint8_t *image, uint32_t offset, uint32_t bits)
{
	uint64_t value = 0;
	uint32_t done = 0;

	if (bits > 64)
		bits = 64;
	while (done < bits) {
		uint32_t at = offset + done;
		uint32_t n = 8 - at % 8;
		uint64_t part;

		if (n > bits - done)
			n = bits - done;
		part = image[at / 8] >> at % 8 & ((1u << n) - 1);
		value |= part << done;
		done += n;
	}
	return value;
}

int64_t kecat_get_signed(const uint8_t *image, uint32_t offset, uint32_t bits)
{
	uint64_t value = kecat_get(image, offset, bits);

	if (bits && bits < 64 && value >> (bits - 1))
		value |= ~0ull << bits;
	return (int64_t)value;
}

void kecat_set(uint8_t *image, uint32_t offset, uint32_t bits, uint64_t value)
{
	uint32_t done = 0;

	if (bits > 64)
		bits = 64;
	while (done < bits) {
		uint32_t at = offset + done;
		uint32_t n = 8 - at % 8;
		uint8_t mask;

		if (n > bits - done)
			n = bits - done;
		mask = ((1u << n) - 1) << at % 8;
		image[at / 8] = (image[at / 8] & ~mask) |
				((value >> done << at % 8) & mask);
		done += n;
	}
}
