/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The slave information interface (ETG.1000.6 5.4, ETG.2010) as found in an
 * EEPROM image.  Pure: never reads outside the image, never loops, keeps what
 * is usable of a broken one.
 */
#ifndef KECAT_SII_PARSE_H
#define KECAT_SII_PARSE_H

#include <linux/types.h>
#include "../uapi/kecat.h"

#define KECAT_SII_HEADER	0x80	/* bytes before the first category */
#define KECAT_SII_MAX		(128 * 1024)
#define KECAT_SII_MAX_CATS	64
#define KECAT_SII_MAX_SMS	16
#define KECAT_SII_MAX_FMMUS	16
#define KECAT_SII_MAX_ENTRIES	1024

/* kecat_sii_info.faults */
#define KECAT_SII_SHORT		0x01	/* less than the header */
#define KECAT_SII_EMPTY		0x02	/* all 0 or all 0xff: EEPROM not loaded */
#define KECAT_SII_CRC		0x04	/* CRC over words 0..6 is wrong */
#define KECAT_SII_NO_END	0x08	/* no end mark before the image ends */
#define KECAT_SII_OVERRUN	0x10	/* a category is longer than the image */
#define KECAT_SII_STRING	0x20	/* a string index that is not there */
#define KECAT_SII_TOO_MANY	0x40	/* more categories, SMs or entries than kept */

struct kecat_sii_sm {
	u16 start;
	u16 len;
	u8 control;
	u8 status;
	u8 enable;		/* bit 0 enable */
	u8 type;		/* 0 unused 1 mbx out 2 mbx in 3 outputs 4 inputs */
};

struct kecat_sii_info {
	u32 faults;
	u16 pdi_control;
	u16 alias;
	u32 vendor;
	u32 product;
	u32 revision;
	u32 serial;
	u16 boot_out, boot_out_size, boot_in, boot_in_size;
	u16 mbx_out, mbx_out_size, mbx_in, mbx_in_size;
	u16 mbx_protocols;
	u32 bytes;		/* EEPROM size as word 0x3e says */
	u8 coe_details;
	u8 foe_details;
	u8 eoe_details;
	u8 flags;		/* general category: 0 SafeOp 1 not LRW ... */
	s16 ebus_ma;
	u8 nfmmus;
	u8 nsms;
	u8 fmmu[KECAT_SII_MAX_FMMUS];	/* 1 outputs 2 inputs 3 mailbox state */
	struct kecat_sii_sm sm[KECAT_SII_MAX_SMS];
	char name[KECAT_NAME_LEN];
	char order[KECAT_NAME_LEN];
	char group[KECAT_NAME_LEN];
	bool has_dc;		/* a DC category is there */
	u32 nentries;
	struct kecat_pdo_entry *entry;	/* default mapping, room given by the caller */
};

u8 kecat_sii_crc(const u8 *words, unsigned int bytes);
/*
 * Fills in *@info; @entry has room for @max entries (0 and NULL: not wanted).
 * Never fails: look at @info->faults.
 */
void kecat_sii_parse(const u8 *image, size_t len, struct kecat_sii_info *info,
		     struct kecat_pdo_entry *entry, u32 max);
/*
 * Byte offset right behind the last category found so far in @image, for a
 * reader that fetches as it goes: *@done is set at the end mark or when the
 * walk cannot go on.
 */
size_t kecat_sii_extent(const u8 *image, size_t len, bool *done);

#endif
