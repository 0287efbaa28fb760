// SPDX-License-Identifier: GPL-2.0-only
#include <linux/string.h>
#include "cfg.h"
#include "host.h"

void cfg_begin(struct cfg *c)
{
	c->room = 4096;
	c->b = host_user_alloc(c->room);
	c->len = 0;
}

void cfg_end(struct cfg *c)
{
	host_user_free(c->b);
	c->b = NULL;
}

static void grow(struct cfg *c)
{
	u8 *b = host_user_alloc(2 * c->room);

	memcpy(b, c->b, c->len);
	host_user_free(c->b);
	c->b = b;
	c->room *= 2;
}

/* the payload of the new element, until the next one is added */
void *cfg_add(struct cfg *c, u16 type, const void *payload, u32 len)
{
	struct kecat_cfg_tlv t = { .type = type, .len = len };
	u8 *at;

	while (c->len + sizeof(t) + ALIGN(len, 8) > c->room)
		grow(c);
	at = c->b + c->len;
	memcpy(at, &t, sizeof(t));
	memset(at + sizeof(t), 0, ALIGN(len, 8));
	memcpy(at + sizeof(t), payload, len);
	c->len += sizeof(t) + ALIGN(len, 8);
	return at + sizeof(t);
}

struct kecat_cfg_bus *cfg_bus(struct cfg *c, u64 cycle_ns, u32 app_miss,
			      u32 on_app_loss, u32 flags)
{
	struct kecat_cfg_bus b = {
		.cycle_ns = cycle_ns, .app_miss = app_miss,
		.on_app_loss = on_app_loss, .flags = flags,
	};

	return cfg_add(c, KECAT_CFG_BUS, &b, sizeof(b));
}

void cfg_slave(struct cfg *c, u32 position, u16 group, u32 vendor, u32 product,
	       u32 flags)
{
	struct kecat_cfg_slave s = {
		.position = position, .group = group, .vendor = vendor,
		.product = product, .flags = flags,
	};

	cfg_add(c, KECAT_CFG_SLAVE, &s, sizeof(s));
}

void cfg_sm(struct cfg *c, u8 index, u8 dir, u16 len)
{
	struct kecat_cfg_sm s = { .index = index, .dir = dir, .len = len };

	cfg_add(c, KECAT_CFG_SM, &s, sizeof(s));
}

void cfg_sdo(struct cfg *c, u32 transition, u16 index, u8 subindex,
	     const void *data, u32 len)
{
	struct kecat_cfg_sdo s = {
		.index = index, .subindex = subindex, .transition = transition,
		.len = len,
	};
	u8 both[sizeof(s) + 64];

	if (len > 64)
		host_fatal(__FILE__, __LINE__, "SDO too long");
	memcpy(both, &s, sizeof(s));
	memcpy(both + sizeof(s), data, len);
	cfg_add(c, KECAT_CFG_SDO, both, sizeof(s) + len);
}
