// SPDX-License-Identifier: GPL-2.0-only
/* What a device says of itself: registers, SII, mapping. */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat/unaligned.h"
#include "bringup.h"
#include "bus.h"
#include "master.h"
#include "pdo.h"
#include "sii.h"
#include "slave.h"
#include "xfer.h"
#include "proto/ecat.h"

#define SII_IDENT_WORD		0x08
#define SII_IDENT_WORDS		8
#define SII_FLAG_NO_LRW		0x02	/* general category */
#define MBX_COE			0x04	/* SII word 0x1c */
/* CoE details: the mapping may differ from what the SII says */
#define COE_PDO_ASSIGN		0x04
#define COE_PDO_CONFIG		0x08
#define COE_PDO_UPLOAD		0x10
/* a busy or faulty EEPROM gets so many more chances */
#define SII_TRIES		2

/* ---- registers ---- */

struct reg_values {
	u8 type[10];
	u8 alias[2];
	u8 dl_status[2];
	u8 config[2];
	u8 time[8];
};

static void keep_registers(struct kecat_slave *s, const struct reg_values *v,
			   bool dc)
{
	s->esc_type = v->type[0];
	s->esc_revision = v->type[1];
	s->esc_build = get_unaligned_le16(v->type + 2);
	s->fmmus = v->type[4];
	s->sms = v->type[5];
	s->ram_kb = v->type[6];
	s->ports = v->type[7];
	s->features = get_unaligned_le16(v->type + 8);
	s->alias = get_unaligned_le16(v->alias);
	s->dl_status = get_unaligned_le16(v->dl_status);
	s->emulated = v->config[1] & EC_ESC_EMULATION;
	/* the feature bit is set on parts that have receive times only */
	s->dc = dc;
	s->dc64 = dc && (s->features & EC_FEAT_DC64);
	s->no_lrw = s->features & EC_FEAT_NO_LRW;
}

static int read_registers(struct kecat_slave *s)
{
	struct reg_values v = {};
	struct kecat_dgram dg[] = {
		{ EC_FPRD, s->station, EC_REG_TYPE, sizeof(v.type), v.type },
		{ EC_FPRD, s->station, EC_REG_ALIAS, sizeof(v.alias), v.alias },
		{ EC_FPRD, s->station, EC_REG_DL_STATUS, sizeof(v.dl_status), v.dl_status },
		{ EC_FPRD, s->station, EC_REG_PDI_CONTROL, sizeof(v.config), v.config },
		{ EC_FPRD, s->station, EC_REG_DC_TIME, sizeof(v.time), v.time },
	};
	int err = kecat_xfer(s->master, dg, ARRAY_SIZE(dg), 0);

	if (err)
		return err;
	if (dg[0].wkc != 1)
		return -ENXIO;
	keep_registers(s, &v, dg[ARRAY_SIZE(dg) - 1].wkc == 1);
	return 0;
}

/*
 * Whoever it belonged to before: it may not answer in our exchange for as long
 * as reading its EEPROM takes.
 */
static int first_contact(struct kecat_slave *s)
{
	int err = read_registers(s);

	if (err)
		return err;
	err = kecat_slave_leave_exchange(s);
	/* whether it is still there is seen next; it may have none */
	return err == -ENXIO ? 0 : err;
}

/* ---- SII ---- */

void kecat_slave_identify(struct kecat_slave *s)
{
	u8 b[2 * SII_IDENT_WORDS];
	int err = first_contact(s);

	if (!err)
		err = kecat_slave_lock(s, &s->sii_lock);
	if (!err) {
		err = kecat_sii_read(s, SII_IDENT_WORD, SII_IDENT_WORDS, b);
		mutex_unlock(&s->sii_lock);
	}
	s->ident = (struct kecat_ident) {
		.valid = !err,
		.vendor = err ? 0 : get_unaligned_le32(b),
		.product = err ? 0 : get_unaligned_le32(b + 4),
		.revision = err ? 0 : get_unaligned_le32(b + 8),
		.serial = err ? 0 : get_unaligned_le32(b + 12),
	};
}

/* takes @entry over, which is shortened to what is in use */
static void keep_pdos(struct kecat_slave *s, struct kecat_pdo_entry *entry,
		      u32 n, bool coe)
{
	struct kecat_pdo_entry *old, *fit = NULL;

	if (n)
		fit = kvmalloc_array(n, sizeof(*fit), GFP_KERNEL);
	if (fit) {
		memcpy(fit, entry, n * sizeof(*fit));
		kvfree(entry);
		entry = fit;
	}
	mutex_lock(&s->lock);
	old = s->pdos;
	s->pdos = entry;
	s->npdos = n;
	s->pdo_coe = coe;
	mutex_unlock(&s->lock);
	kvfree(old);
}

static void keep_image(struct kecat_slave *s, u8 *image, size_t len)
{
	u8 *old;

	mutex_lock(&s->lock);
	old = s->sii_image;
	s->sii_image = image;
	s->sii_len = len;
	mutex_unlock(&s->lock);
	kvfree(old);
}

static int fetch_sii(struct kecat_slave *s, u8 **image, size_t *len)
{
	int err = kecat_slave_lock(s, &s->sii_lock);

	if (err)
		return err;
	err = kecat_sii_fetch(s, image, len);
	mutex_unlock(&s->sii_lock);
	return err;
}

static void use_flags(struct kecat_slave *s)
{
	if (s->sii.flags & SII_FLAG_NO_LRW)
		s->no_lrw = true;
}

static void use_sii(struct kecat_slave *s)
{
	const struct kecat_sii_info *sii = &s->sii;

	s->ident = (struct kecat_ident) {
		.valid = !(sii->faults & (KECAT_SII_SHORT | KECAT_SII_EMPTY)),
		.vendor = sii->vendor,
		.product = sii->product,
		.revision = sii->revision,
		.serial = sii->serial,
	};
	use_flags(s);
}

/*
 * A device without a readable EEPROM is still a device: it can be seen, and
 * told INIT and PREOP.
 */
static int read_sii(struct kecat_slave *s)
{
	struct kecat_pdo_entry *entry;
	u8 *image = NULL;
	size_t len = 0;
	int err;

	entry = kvcalloc(KECAT_SII_MAX_ENTRIES, sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return -ENOMEM;
	memset(&s->sii, 0, sizeof(s->sii));
	s->sii.faults = KECAT_SII_SHORT;
	err = fetch_sii(s, &image, &len);
	if (err == -EINTR || err == -ENXIO || err == -ESHUTDOWN ||
	    err == -ENETDOWN || (err && READ_ONCE(s->failures) < SII_TRIES)) {
		kvfree(entry);
		return err;
	}
	if (!err)
		kecat_sii_parse(image, len, &s->sii, entry,
				KECAT_SII_MAX_ENTRIES);
	s->sii.entry = NULL;
	keep_pdos(s, entry, min_t(u32, s->sii.nentries, KECAT_SII_MAX_ENTRIES),
		  false);
	keep_image(s, image, len);
	use_sii(s);
	if (!err && !s->ident.valid)
		err = -ENODATA;
	kecat_slave_set_sii_error(s, -err);
	return 0;
}

/* ---- CoE ---- */

static bool ask_coe(const struct kecat_slave *s)
{
	if (!s->mbx.ready || !(s->sii.mbx_protocols & MBX_COE))
		return false;
	return !s->npdos || (s->sii.coe_details &
			     (COE_PDO_ASSIGN | COE_PDO_CONFIG | COE_PDO_UPLOAD));
}

/* Once for each power-up.  What the SII says stays when the slave does not tell. */
void kecat_slave_read_pdos(struct kecat_slave *s)
{
	struct kecat_pdo_entry *entry;
	u32 n = 0;
	int err;

	if (s->pdo_asked || !ask_coe(s))
		return;
	entry = kvcalloc(KECAT_SII_MAX_ENTRIES, sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return;
	err = kecat_pdo_read(s, entry, KECAT_SII_MAX_ENTRIES, &n);
	if (err)
		kvfree(entry);
	else
		keep_pdos(s, entry, min_t(u32, n, KECAT_SII_MAX_ENTRIES), true);
	/* who was called away comes back to it */
	s->pdo_asked = err != -EINTR;
}

/* ---- all of it ---- */

static int xfer_problem(struct kecat_slave *s, int err)
{
	if (err != -EINTR) {
		kecat_bus_kick(s->master);
		kecat_slave_set_problem(s, KECAT_PROBLEM_XFER, -err);
	}
	return err;
}

int kecat_slave_scan(struct kecat_slave *s)
{
	int err = first_contact(s);

	if (err)
		return xfer_problem(s, err);
	err = read_sii(s);
	if (err) {
		if (err != -EINTR)
			kecat_slave_set_problem(s, KECAT_PROBLEM_SII, -err);
		return err;
	}
	s->pdo_asked = false;
	s->refresh = false;
	kecat_event(s->master, KECAT_EV_SLAVE_FOUND, READ_ONCE(s->position),
		    s->sii.vendor, s->sii.product, s->station, 0);
	/* pairs with kecat_slave_scanned() */
	smp_store_release(&s->scanned, true);
	return 0;
}

/* its identity is known to be the same; the alias may have been changed */
int kecat_slave_refresh(struct kecat_slave *s)
{
	int err = read_registers(s);

	if (err)
		return xfer_problem(s, err);
	use_flags(s);
	s->pdo_asked = false;
	s->refresh = false;
	return 0;
}
