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
#define KECAT_CFG_MAX_SUB	254	/* PDOs of an SM, entries of a PDO */

#define KECAT_CFG_MIN_CYCLE_NS	50000
#define KECAT_CFG_MAX_CYCLE_NS	1000000000
#define KECAT_CFG_MAX_LOST_NS	10000000000ULL
#define KECAT_CFG_MAX_SHIFT_NS	1000000000
#define KECAT_CFG_MAX_T_MS	600000
/* interrupts are off for so long */
#define KECAT_CFG_MAX_IRQ_SPIN_NS	50000ULL
#define KECAT_CFG_MAX_IRQ_POLL_NS	1000000ULL
/* mailbox and CoE header with one SDO request; KECAT_MBX_MAX */
#define KECAT_CFG_MIN_MBX	16
#define KECAT_CFG_MAX_MBX	1486
/* ETG.1000.4: user memory; digital I/O has its process data right before it */
#define KECAT_CFG_RAM		0x1000
#define KECAT_CFG_SM_RAM	0x0f00

#define KECAT_CFG_MAX_FILL	16	/* frames, and bytes in each */
#define KECAT_CFG_MAX_FILL_LEN	1400

#define KECAT_BUS_KNOWN		0xf	/* all KECAT_BUS_* */
#define KECAT_CFGS_KNOWN	0x1ff	/* all KECAT_CFGS_* */

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
 * @fill:    frames that are no slave's; with these there are no slaves
 * @slaves:  number of elements in @slave
 *
 * Image order: sync groups ascending, inside a group in order of the elements,
 * inside a slave by SM index; each SM starts on a byte.
 */
struct kecat_cfg {
	u8 *blob;
	u32 len;
	struct kecat_cfg_bus bus;
	struct kecat_cfg_fill fill;
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

/**
 * struct kecat_cfg_error - what was refused
 * @offset:  of the element in the blob
 * @slave:   number of the slave element it belongs to, or KECAT_ALL
 * @type:    KECAT_CFG_* as it stands there, 0 = none
 * @message: for the user
 */
struct kecat_cfg_error {
	u32 offset;
	u32 slave;
	u32 type;
	char message[128];
};

/* Do the element's own values replace the mailbox of the SII? */
static inline bool kecat_cfg_has_mbx(const struct kecat_cfg_slave *c)
{
	return c->mbx_out || c->mbx_out_size || c->mbx_in || c->mbx_in_size;
}

/*
 * 0 and *@out, -EINVAL with @err filled in, -ENOMEM.  @blob is kernel memory
 * that may change in no way during the call; the parser keeps its own copy.
 * Context: may sleep.
 */
int kecat_config_parse(const void *blob, u32 len, struct kecat_cfg **out,
		       struct kecat_cfg_error *err);
void kecat_config_free(struct kecat_cfg *cfg);

#endif
