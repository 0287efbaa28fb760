/* SPDX-License-Identifier: GPL-2.0-only */
/* PDO assignment and mapping by CoE: 0x1c00, 0x1c10.., 0x16xx, 0x1axx */
#ifndef KECAT_PDO_H
#define KECAT_PDO_H

#include <linux/types.h>
#include "../uapi/kecat.h"
#include "config.h"

struct kecat_slave;

/*
 * Reads what is mapped now.  @entry has room for @max; *@n is the number, also
 * of what was read before an error.  A PDO whose entries the slave does not
 * tell is one element without bits.  -ENOENT: it has no assignment objects at
 * all, what the SII says is in effect; -ENOSPC: more than @max.
 */
int kecat_pdo_read(struct kecat_slave *s, struct kecat_pdo_entry *entry,
		   u32 max, u32 *n);
/*
 * Writes assignment and mapping as the configuration says (KECAT_CFGS_ASSIGN,
 * KECAT_CFGS_MAPPING).  On an error *@detail names the object that was not
 * written, index << 16 | subindex (a PDO and its entry, or 0x1c10 + SM and the
 * place in the assignment), and *@abort is the slave's code with -EREMOTEIO.
 */
int kecat_pdo_write(struct kecat_slave *s, const struct kecat_cfg *cfg,
		    const struct kecat_scfg *sc, u32 *detail, u32 *abort);

#endif
