// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/string.h>
#include <asm/byteorder.h>
#include "setup.h"

#define RAM_START		0x1000
/* digital I/O without RAM of its own: 0x0f00.. is process data too */
#define LOW_START		0x0f00
#define MBX_MIN			8	/* header and something in it */
#define MBX_MAX			1486

/* where the SII says nothing: ETG.1000.6, as all ESCs come up with */
#define CONTROL_MBX_OUT		(EC_SM_MODE_MAILBOX | EC_SM_DIR_WRITE | EC_SM_IRQ_PDI)
#define CONTROL_MBX_IN		(EC_SM_MODE_MAILBOX | EC_SM_IRQ_PDI)
#define CONTROL_OUT		(EC_SM_DIR_WRITE | EC_SM_IRQ_PDI | EC_SM_WATCHDOG)
#define CONTROL_IN		EC_SM_IRQ_PDI
#define DIR_MASK		0x0c

/* SII sync manager category */
#define SII_SM_VIRTUAL		0x04	/* no hardware behind it, FMMU only */
#define SII_TYPE_MBX_OUT	1
#define SII_TYPE_MBX_IN		2

static bool in_ram(u32 start, u32 len, u32 low, u8 ram_kb)
{
	u32 end = ram_kb ? RAM_START + 1024u * ram_kb : 0x10000;

	return start >= low && len && start + len <= end;
}

static const struct kecat_sii_sm *sii_sm(const struct kecat_setup *su, u8 index)
{
	if (index >= su->sii->nsms || index >= KECAT_SII_MAX_SMS)
		return NULL;
	return &su->sii->sm[index];
}

static void from_category(const struct kecat_setup *su,
			  struct kecat_mbx_setup *mbx)
{
	const struct kecat_sii_sm *out = sii_sm(su, 0), *in = sii_sm(su, 1);

	if (!out || !in || out->type != SII_TYPE_MBX_OUT ||
	    in->type != SII_TYPE_MBX_IN)
		return;
	*mbx = (struct kecat_mbx_setup) {
		.out = out->start, .out_size = out->len,
		.in = in->start, .in_size = in->len,
	};
}

static bool valid_mbx(const struct kecat_setup *su,
		      const struct kecat_mbx_setup *m)
{
	if (su->sms < 2)
		return false;
	if (m->out_size < MBX_MIN || m->out_size > MBX_MAX ||
	    m->in_size < MBX_MIN || m->in_size > MBX_MAX)
		return false;
	if (!in_ram(m->out, m->out_size, RAM_START, su->ram_kb) ||
	    !in_ram(m->in, m->in_size, RAM_START, su->ram_kb))
		return false;
	return m->out + m->out_size <= m->in || m->in + m->in_size <= m->out;
}

/**
 * kecat_setup_mbx - where the mailbox lies
 * @su:   slave
 * @boot: for BOOT
 * @mbx:  out
 *
 * Return: 0, also for "has none"; -EINVAL: no size, too long, outside the
 * memory, or one over the other.
 */
int kecat_setup_mbx(const struct kecat_setup *su, bool boot,
		    struct kecat_mbx_setup *mbx)
{
	const struct kecat_sii_info *sii = su->sii;
	const struct kecat_cfg_slave *c = su->cfg ? &su->cfg->c : NULL;

	if (boot) {
		*mbx = (struct kecat_mbx_setup) {
			.out = sii->boot_out, .out_size = sii->boot_out_size,
			.in = sii->boot_in, .in_size = sii->boot_in_size,
		};
	} else {
		*mbx = (struct kecat_mbx_setup) {
			.out = sii->mbx_out, .out_size = sii->mbx_out_size,
			.in = sii->mbx_in, .in_size = sii->mbx_in_size,
		};
		if (!mbx->out_size && !mbx->in_size)
			from_category(su, mbx);
		if (c && c->mbx_out)
			mbx->out = c->mbx_out;
		if (c && c->mbx_out_size)
			mbx->out_size = c->mbx_out_size;
		if (c && c->mbx_in)
			mbx->in = c->mbx_in;
		if (c && c->mbx_in_size)
			mbx->in_size = c->mbx_in_size;
	}
	if (!mbx->out_size && !mbx->in_size) {
		memset(mbx, 0, sizeof(*mbx));
		return boot ? -EINVAL : 0;
	}
	return valid_mbx(su, mbx) ? 0 : -EINVAL;
}

static u8 mbx_control(const struct kecat_setup *su, u8 index, u8 type, u8 def)
{
	const struct kecat_sii_sm *sm = sii_sm(su, index);

	/* only what is one in the right direction */
	if (sm && sm->type == type &&
	    (sm->control & (EC_SM_MODE_MASK | DIR_MASK)) ==
	    (def & (EC_SM_MODE_MASK | DIR_MASK)))
		return sm->control;
	return def;
}

static void fill_sm(struct ec_sm *sm, u16 start, u16 len, u8 control)
{
	*sm = (struct ec_sm) {
		.start = cpu_to_le16(start),
		.len = cpu_to_le16(len),
		.control = control,
		.activate = len ? EC_SM_ENABLE : 0,
	};
}

/**
 * kecat_setup_mbx_sms - SM0 and SM1 for a mailbox
 * @su:  slave
 * @mbx: from kecat_setup_mbx(), there is one
 * @sm:  out
 */
void kecat_setup_mbx_sms(const struct kecat_setup *su,
			 const struct kecat_mbx_setup *mbx, struct ec_sm sm[2])
{
	fill_sm(&sm[0], mbx->out, mbx->out_size,
		mbx_control(su, 0, SII_TYPE_MBX_OUT, CONTROL_MBX_OUT));
	fill_sm(&sm[1], mbx->in, mbx->in_size,
		mbx_control(su, 1, SII_TYPE_MBX_IN, CONTROL_MBX_IN));
}

static u8 pd_control(const struct kecat_smcfg *c, const struct kecat_sii_sm *sii)
{
	bool out = c->c.dir == KECAT_DIR_OUT;
	u8 control = out ? CONTROL_OUT : CONTROL_IN;

	if (c->c.control)
		control = c->c.control;
	else if (sii && sii->control)
		control = sii->control;
	/* the other direction would never answer */
	control &= ~DIR_MASK;
	if (out)
		control |= EC_SM_DIR_WRITE;
	if (c->c.flags & KECAT_SM_WATCHDOG_ON)
		control |= EC_SM_WATCHDOG;
	if (c->c.flags & KECAT_SM_WATCHDOG_OFF)
		control &= ~EC_SM_WATCHDOG;
	return control;
}

static u16 pd_start(const struct kecat_smcfg *c, const struct kecat_sii_sm *sii)
{
	if (c->c.start)
		return c->c.start;
	return sii ? sii->start : 0;
}

/**
 * kecat_setup_sms - the sync managers of process data
 * @su:  slave, with @cfg
 * @sm:  out: KECAT_SETUP_SMS, all that are not configured are off; the first
 *       two are to be left alone with a mailbox
 * @bad: out, on error: index of the sync manager that was refused
 *
 * One without data is written, but disabled: slaves refuse an enabled one of
 * length 0.
 * Return: 0 or -EINVAL: not fitted, no address, outside the memory, or the
 * mailbox's.
 */
int kecat_setup_sms(const struct kecat_setup *su, struct ec_sm *sm, u8 *bad)
{
	const struct kecat_scfg *cfg = su->cfg;
	u32 i;

	memset(sm, 0, KECAT_SETUP_SMS * sizeof(*sm));
	for (i = 0; i < cfg->sms; i++) {
		const struct kecat_smcfg *c = &cfg->sm[i];
		u8 index = c->c.index;
		const struct kecat_sii_sm *sii = sii_sm(su, index);
		u16 start = pd_start(c, sii);

		*bad = index;
		if (index >= KECAT_SETUP_SMS || (su->mailbox && index < 2))
			return -EINVAL;
		if (sii && (sii->enable & SII_SM_VIRTUAL) && start)
			continue;
		if (index >= su->sms ||
		    (c->len && !in_ram(start, c->len, LOW_START, su->ram_kb)))
			return -EINVAL;
		fill_sm(&sm[index], start, c->len, pd_control(c, sii));
	}
	return 0;
}

/**
 * kecat_setup_fmmus - FMMUs of process data
 * @su:      slave, with @cfg
 * @logical: logical address of each configured sync manager
 * @fmmu:    out: KECAT_SETUP_FMMUS, the rest is off
 * @bad:     out, on error: index of the sync manager that has none left
 *
 * Each sync manager takes the next free one and maps its own address; what the
 * SII says of their use is wrong too often.
 * Return: 0 or -ENOSPC.
 */
int kecat_setup_fmmus(const struct kecat_setup *su, const u32 *logical,
		      struct ec_fmmu *fmmu, u8 *bad)
{
	const struct kecat_scfg *cfg = su->cfg;
	u32 i, n = 0;

	memset(fmmu, 0, KECAT_SETUP_FMMUS * sizeof(*fmmu));
	for (i = 0; i < cfg->sms; i++) {
		const struct kecat_smcfg *c = &cfg->sm[i];

		if (!c->len)
			continue;
		*bad = c->c.index;
		if (n == su->fmmus || n == KECAT_SETUP_FMMUS)
			return -ENOSPC;
		fmmu[n++] = (struct ec_fmmu) {
			.logical = cpu_to_le32(logical[i]),
			.len = cpu_to_le16(c->len),
			.log_stop_bit = 7,
			.physical = cpu_to_le16(pd_start(c, sii_sm(su, c->c.index))),
			.type = c->c.dir == KECAT_DIR_OUT ? EC_FMMU_WRITE :
							    EC_FMMU_READ,
			.active = 1,
		};
	}
	return 0;
}
