/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the user asked for: the parsed, verified configuration blob.  Pure and
 * immutable once parsed.
 */
#ifndef KECAT_CONFIG_H
#define KECAT_CONFIG_H

#include <linux/types.h>
#include "../uapi/kecat.h"

#define KECAT_CFG_MAX_SMS	16
#define KECAT_CFG_MAX_PDOS	4096	/* of the whole bus, as are the next two */
#define KECAT_CFG_MAX_ENTRIES	65536
#define KECAT_CFG_MAX_SDOS	16384

struct kecat_pcfg {		/* a PDO */
	u16 index;
	u16 entries;
	u32 first_entry;	/* in kecat_cfg.entries */
	u32 bits;
};

struct kecat_smcfg {
	struct kecat_cfg_sm c;
	u16 pdos;
	u32 first_pdo;		/* in kecat_cfg.pdos */
	u32 bits;
	u16 len;		/* bytes, final */
	u32 offset;		/* byte offset in the image of its direction */
};

struct kecat_sdocfg {
	u16 index;
	u8 subindex;
	u8 flags;
	u32 transition;
	u32 len;
	const u8 *data;		/* in the blob */
};

struct kecat_scfg {		/* a slave */
	struct kecat_cfg_slave c;
	u16 sms;
	u32 sdos;
	u32 first_sdo;		/* in kecat_cfg.sdos */
	u32 out_offset;		/* image bytes, SMs in order of index */
	u32 out_len;
	u32 in_offset;
	u32 in_len;
	struct kecat_smcfg sm[KECAT_CFG_MAX_SMS];	/* sorted by index */
};

/**
 * struct kecat_cfg - a configuration
 * @blob:    own copy of what the user gave
 * @len:     its length
 * @bus:     with defaults filled in
 * @out_len: bytes of the output image
 * @in_len:  bytes of the input image
 * @slaves:  number of elements in @slave
 *
 * Image order: sync groups ascending, inside a group in order of the elements,
 * inside a slave by SM index; each SM starts on a byte.
 */
struct kecat_cfg {
	u8 *blob;
	u32 len;
	struct kecat_cfg_bus bus;
	u32 out_len;
	u32 in_len;
	u32 groups;		/* highest group in use + 1 */
	u32 slaves;
	u32 npdos;
	u32 nentries;
	u32 nsdos;
	struct kecat_scfg *slave;
	struct kecat_pcfg *pdos;
	struct kecat_cfg_entry *entries;
	struct kecat_sdocfg *sdos;
};

struct kecat_cfg_error {
	u32 offset;
	u32 slave;		/* KECAT_ALL: none */
	u32 type;
	char message[128];
};

/*
 * 0 and *@out, -EINVAL with @err filled in, -ENOMEM.  @blob is kernel memory
 * that may change in no way during the call; the parser keeps its own copy.
 * Context: may sleep.
 */
int kecat_config_parse(const void *blob, u32 len, struct kecat_cfg **out,
		       struct kecat_cfg_error *err);
void kecat_config_free(struct kecat_cfg *cfg);

#endif
