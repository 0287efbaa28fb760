/* SPDX-License-Identifier: GPL-2.0-only */
/* Configuration blobs, as an application makes them. */
#ifndef HOST_CFG_H
#define HOST_CFG_H

#include <linux/types.h>
#include "../../uapi/kecat.h"

/**
 * struct cfg - a blob under construction
 * @b:   user memory
 * @len: used
 * @room: of @b
 */
struct cfg {
	u8 *b;
	u32 len;
	u32 room;
};

void cfg_begin(struct cfg *c);
void cfg_end(struct cfg *c);
void *cfg_add(struct cfg *c, u16 type, const void *payload, u32 len);
struct kecat_cfg_bus *cfg_bus(struct cfg *c, u64 cycle_ns, u32 app_miss,
			      u32 on_app_loss, u32 flags);
void cfg_slave(struct cfg *c, u32 position, u16 group, u32 vendor, u32 product,
	       u32 flags);
void cfg_sm(struct cfg *c, u8 index, u8 dir, u16 len);
void cfg_sdo(struct cfg *c, u32 transition, u16 index, u8 subindex,
	     const void *data, u32 len);

#endif
