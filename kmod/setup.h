/* SPDX-License-Identifier: GPL-2.0-only */
/* Sync managers and FMMUs of a slave as they are to be written.  Pure. */
#ifndef KECAT_SETUP_H
#define KECAT_SETUP_H

#include <linux/types.h>
#include "config.h"
#include "sii_parse.h"
#include "proto/ecat.h"

#define KECAT_SETUP_SMS		16
#define KECAT_SETUP_FMMUS	16

/**
 * struct kecat_setup - what is fitted and known
 * @sii:      parsed EEPROM
 * @cfg:      configuration element, or NULL
 * @sms:      sync managers fitted, 0x0005
 * @fmmus:    FMMUs fitted, 0x0004
 * @ram_kb:   0x0006, 0 = does not say
 * @mailbox:  SM0 and SM1 serve it
 */
struct kecat_setup {
	const struct kecat_sii_info *sii;
	const struct kecat_scfg *cfg;
	u8 sms;
	u8 fmmus;
	u8 ram_kb;
	bool mailbox;
};

struct kecat_mbx_setup {
	u16 out, out_size;	/* all 0: no mailbox */
	u16 in, in_size;
};

int kecat_setup_mbx(const struct kecat_setup *su, bool boot,
		    struct kecat_mbx_setup *mbx);
void kecat_setup_mbx_sms(const struct kecat_setup *su,
			 const struct kecat_mbx_setup *mbx, struct ec_sm sm[2]);
int kecat_setup_sms(const struct kecat_setup *su, struct ec_sm *sm, u8 *bad);
int kecat_setup_fmmus(const struct kecat_setup *su, const u32 *logical,
		      struct ec_fmmu *fmmu, u8 *bad);

#endif
