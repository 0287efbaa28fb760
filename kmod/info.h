/* SPDX-License-Identifier: GPL-2.0-only */
/* What the master knows, in the structs of uapi/kecat.h; context: may sleep */
#ifndef KECAT_INFO_H
#define KECAT_INFO_H

#include <linux/types.h>
#include "../uapi/kecat.h"

struct kecat_master;
struct kecat_slave;

/* caller holds dev_rwsem and config_lock, for these two */
void kecat_info_status(struct kecat_master *m, struct kecat_status *st);
u32 kecat_info_layout(struct kecat_master *m, struct kecat_layout *list,
		      u32 room);

/* caller holds a reference; lists: return how many there are, not only fit */
void kecat_info_slave(struct kecat_slave *s, struct kecat_slave_info *i);
u32 kecat_info_pdos(struct kecat_slave *s, struct kecat_pdo_entry *list,
		    u32 room);

#endif
