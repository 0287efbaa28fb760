/* SPDX-License-Identifier: GPL-2.0-only */
/* Which element of the configuration is which slave.  Pure. */
#ifndef KECAT_MATCH_H
#define KECAT_MATCH_H

#include <linux/types.h>
#include "config.h"
#include "order.h"

/**
 * struct kecat_mslave - a slave, by position
 * @scanned: what follows is known
 * @alias:   register 0x0012
 * @ident:   from the SII
 * @elem:    in: element it has, -1: none; out: the same
 * @problem: out: KECAT_PROBLEM_IDENTITY, _UNCONFIGURED or _NONE
 * @detail:  out: with it
 */
struct kecat_mslave {
	bool scanned;
	u16 alias;
	struct kecat_ident ident;
	s32 elem;
	u32 problem;
	u32 detail;
};

u32 kecat_match_identity(const struct kecat_cfg_slave *c,
			 const struct kecat_ident *id);
int kecat_match(const struct kecat_cfg *cfg, struct kecat_mslave *s, u32 n);

#endif
