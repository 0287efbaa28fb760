// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/setup.c
#include <errno.h>
#include <string.h>
#include "setup.h"
#include "tap.h"

static struct kecat_sii_info sii;
static struct kecat_scfg cfg;
static struct kecat_setup su;
static struct kecat_mbx_setup mbx;
static struct ec_sm sm[KECAT_SETUP_SMS];
static struct ec_fmmu fmmu[KECAT_SETUP_FMMUS];
static u8 bad;

static void begin(void)
{
	memset(&sii, 0, sizeof(sii));
	memset(&cfg, 0, sizeof(cfg));
	su = (struct kecat_setup) {
		.sii = &sii, .cfg = &cfg, .sms = 8, .fmmus = 8, .ram_kb = 8,
		.mailbox = true,
	};
	sii.mbx_out = 0x1000;
	sii.mbx_out_size = 128;
	sii.mbx_in = 0x1080;
	sii.mbx_in_size = 128;
}

static struct kecat_smcfg *config_sm(u8 index, u8 dir, u16 start, u16 len)
{
	struct kecat_smcfg *c = &cfg.sm[cfg.sms++];

	c->c.index = index;
	c->c.dir = dir;
	c->c.start = start;
	c->len = len;
	return c;
}

static void sii_sm(u8 i, u16 start, u16 len, u8 control, u8 enable, u8 type)
{
	sii.sm[i] = (struct kecat_sii_sm) {
		.start = start, .len = len, .control = control,
		.enable = enable, .type = type,
	};
	if (sii.nsms <= i)
		sii.nsms = i + 1;
}

TEST(mailbox, "the mailbox is that of the SII, each part replaced by an override")
{
	begin();
	CHECK_EQ(kecat_setup_mbx(&su, false, &mbx), 0);
	CHECK_EQ(mbx.out, 0x1000);
	CHECK_EQ(mbx.in_size, 128);
	cfg.c.mbx_out_size = 64;
	cfg.c.mbx_in = 0x1200;
	CHECK_EQ(kecat_setup_mbx(&su, false, &mbx), 0);
	CHECK_EQ(mbx.out_size, 64);
	CHECK_EQ(mbx.in, 0x1200);
	/* SII wrong, configuration right */
	sii.mbx_out = sii.mbx_out_size = sii.mbx_in = sii.mbx_in_size = 0xffff;
	CHECK_EQ(kecat_setup_mbx(&su, false, &mbx), -EINVAL);
	cfg.c.mbx_out = 0x1000;
	cfg.c.mbx_in_size = 64;
	CHECK_EQ(kecat_setup_mbx(&su, false, &mbx), 0);
}

TEST(no_mailbox, "a device without one has none")
{
	begin();
	sii.mbx_out_size = sii.mbx_in_size = 0;
	CHECK_EQ(kecat_setup_mbx(&su, false, &mbx), 0);
	CHECK_EQ(mbx.out_size, 0);
	CHECK_EQ(mbx.out, 0);
	/* but BOOT cannot do without */
	CHECK_EQ(kecat_setup_mbx(&su, true, &mbx), -EINVAL);
	sii.boot_out = 0x1000;
	sii.boot_out_size = 512;
	sii.boot_in = 0x1400;
	sii.boot_in_size = 512;
	CHECK_EQ(kecat_setup_mbx(&su, true, &mbx), 0);
	CHECK_EQ(mbx.in, 0x1400);
}

TEST(mailbox_category, "where the header is empty the sync manager category tells")
{
	begin();
	sii.mbx_out = sii.mbx_out_size = sii.mbx_in = sii.mbx_in_size = 0;
	sii_sm(0, 0x1000, 256, 0x26, 1, 1);
	sii_sm(1, 0x1100, 256, 0x22, 1, 2);
	CHECK_EQ(kecat_setup_mbx(&su, false, &mbx), 0);
	CHECK_EQ(mbx.in, 0x1100);
	CHECK_EQ(mbx.out_size, 256);
}

static int try_mbx(u16 out, u16 out_size, u16 in, u16 in_size)
{
	sii.mbx_out = out;
	sii.mbx_out_size = out_size;
	sii.mbx_in = in;
	sii.mbx_in_size = in_size;
	return kecat_setup_mbx(&su, false, &mbx);
}

TEST(mailbox_refused, "no mailbox of no size, too long, outside the memory, or overlapping")
{
	begin();
	CHECK_EQ(try_mbx(0x1000, 0, 0x1100, 128), -EINVAL);
	CHECK_EQ(try_mbx(0x1000, 128, 0x1100, 0), -EINVAL);
	CHECK_EQ(try_mbx(0x1000, 7, 0x1100, 128), -EINVAL);
	CHECK_EQ(try_mbx(0x1000, 1487, 0x2000, 128), -EINVAL);
	CHECK_EQ(try_mbx(0x0800, 128, 0x1100, 128), -EINVAL);
	CHECK_EQ(try_mbx(0x2fc0, 128, 0x1100, 128), -EINVAL);
	CHECK_EQ(try_mbx(0xffff, 0xffff, 0xffff, 0xffff), -EINVAL);
	CHECK_EQ(try_mbx(0x1000, 128, 0x107f, 128), -EINVAL);
	CHECK_EQ(try_mbx(0x107f, 128, 0x1000, 128), -EINVAL);
	CHECK_EQ(try_mbx(0x1000, 128, 0x1000, 128), -EINVAL);
	CHECK_EQ(try_mbx(0x1080, 128, 0x1000, 128), 0);
	su.ram_kb = 0;
	CHECK_EQ(try_mbx(0xff80, 128, 0x1000, 128), 0);
	CHECK_EQ(try_mbx(0xff81, 128, 0x1000, 128), -EINVAL);
	su.sms = 1;
	CHECK_EQ(try_mbx(0x1000, 128, 0x1080, 128), -EINVAL);
}

TEST(mailbox_sms, "SM0 and SM1: control byte of the SII if it is one of a mailbox")
{
	begin();
	CHECK_EQ(kecat_setup_mbx(&su, false, &mbx), 0);
	kecat_setup_mbx_sms(&su, &mbx, sm);
	CHECK_EQ(sm[0].control, 0x26);
	CHECK_EQ(sm[1].control, 0x22);
	CHECK_EQ(sm[0].activate, 1);
	CHECK_EQ(sm[1].start, 0x1080);
	sii_sm(0, 0x1000, 128, 0x36, 1, 1);
	sii_sm(1, 0x1080, 128, 0x20, 1, 2);	/* not a mailbox */
	kecat_setup_mbx_sms(&su, &mbx, sm);
	CHECK_EQ(sm[0].control, 0x36);
	CHECK_EQ(sm[1].control, 0x22);
}

TEST(process_data, "process data: what is configured, else what the SII says")
{
	begin();
	sii_sm(2, 0x1100, 0, 0x64, 1, 3);
	sii_sm(3, 0x1180, 0, 0x20, 1, 4);
	config_sm(2, KECAT_DIR_OUT, 0, 6);
	config_sm(3, KECAT_DIR_IN, 0x1400, 4)->c.control = 0x30;
	CHECK_EQ(kecat_setup_sms(&su, sm, &bad), 0);
	CHECK_EQ(sm[2].start, 0x1100);
	CHECK_EQ(sm[2].len, 6);
	CHECK_EQ(sm[2].control, 0x64);
	CHECK_EQ(sm[2].activate, 1);
	CHECK_EQ(sm[3].start, 0x1400);
	CHECK_EQ(sm[3].control, 0x30);
	CHECK_EQ(sm[4].activate, 0);
}

TEST(empty, "a sync manager without data is written disabled and gets no FMMU")
{
	u32 logical[KECAT_CFG_MAX_SMS] = { 0x10000, 0x10000 };

	begin();
	sii_sm(2, 0x1100, 8, 0x64, 1, 3);
	sii_sm(3, 0x1180, 8, 0x20, 1, 4);
	config_sm(2, KECAT_DIR_OUT, 0, 0);
	config_sm(3, KECAT_DIR_IN, 0, 4);
	CHECK_EQ(kecat_setup_sms(&su, sm, &bad), 0);
	CHECK_EQ(sm[2].activate, 0);
	CHECK_EQ(sm[2].len, 0);
	CHECK_EQ(sm[3].activate, 1);
	CHECK_EQ(kecat_setup_fmmus(&su, logical, fmmu, &bad), 0);
	CHECK_EQ(fmmu[0].physical, 0x1180);
	CHECK_EQ(fmmu[1].active, 0);
}

TEST(control, "direction and watchdog bits are as configured, whatever the SII says")
{
	begin();
	sii_sm(2, 0x1100, 8, 0x20, 1, 3);	/* input control on an output */
	config_sm(2, KECAT_DIR_OUT, 0, 4)->c.flags = KECAT_SM_WATCHDOG_ON;
	config_sm(3, KECAT_DIR_IN, 0x1200, 4)->c.flags = KECAT_SM_WATCHDOG_OFF;
	cfg.sm[1].c.control = 0x64;
	CHECK_EQ(kecat_setup_sms(&su, sm, &bad), 0);
	CHECK_EQ(sm[2].control, 0x64);
	CHECK_EQ(sm[3].control, 0x20);
}

TEST(refused, "a sync manager that is not fitted, has no address, or is the mailbox's")
{
	begin();
	config_sm(8, KECAT_DIR_OUT, 0x1100, 4);
	CHECK_EQ(kecat_setup_sms(&su, sm, &bad), -EINVAL);
	CHECK_EQ(bad, 8);
	begin();
	config_sm(2, KECAT_DIR_OUT, 0, 4);
	CHECK_EQ(kecat_setup_sms(&su, sm, &bad), -EINVAL);
	begin();
	config_sm(1, KECAT_DIR_OUT, 0x1100, 4);
	CHECK_EQ(kecat_setup_sms(&su, sm, &bad), -EINVAL);
	su.mailbox = false;
	CHECK_EQ(kecat_setup_sms(&su, sm, &bad), 0);
	begin();
	config_sm(2, KECAT_DIR_OUT, 0x2fff, 4);
	CHECK_EQ(kecat_setup_sms(&su, sm, &bad), -EINVAL);
	begin();
	config_sm(0, KECAT_DIR_OUT, 0x0f00, 1);	/* digital outputs */
	su.mailbox = false;
	su.ram_kb = 1;
	CHECK_EQ(kecat_setup_sms(&su, sm, &bad), 0);
}

TEST(fmmus, "each sync manager takes the next FMMU, by its own address")
{
	u32 logical[KECAT_CFG_MAX_SMS] = { 0x10000, 0x10006, 0x20000, 0x20004 };

	begin();
	config_sm(2, KECAT_DIR_OUT, 0x1100, 6);
	config_sm(3, KECAT_DIR_IN, 0x1200, 4);
	config_sm(6, KECAT_DIR_OUT, 0x1300, 4);
	config_sm(7, KECAT_DIR_IN, 0x1400, 2);
	sii.nfmmus = 1;		/* fewer than are needed: of no matter */
	CHECK_EQ(kecat_setup_fmmus(&su, logical, fmmu, &bad), 0);
	CHECK_EQ(fmmu[0].logical, 0x10000);
	CHECK_EQ(fmmu[0].len, 6);
	CHECK_EQ(fmmu[0].type, EC_FMMU_WRITE);
	CHECK_EQ(fmmu[0].log_stop_bit, 7);
	CHECK_EQ(fmmu[1].type, EC_FMMU_READ);
	CHECK_EQ(fmmu[2].physical, 0x1300);
	CHECK_EQ(fmmu[3].logical, 0x20004);
	CHECK_EQ(fmmu[3].active, 1);
	CHECK_EQ(fmmu[4].active, 0);
	su.fmmus = 3;
	CHECK_EQ(kecat_setup_fmmus(&su, logical, fmmu, &bad), -ENOSPC);
	CHECK_EQ(bad, 7);
}

TEST(virtual, "a virtual sync manager has an FMMU only")
{
	u32 logical[KECAT_CFG_MAX_SMS] = { 0x10000 };

	begin();
	su.sms = 4;
	sii_sm(4, 0x0998, 8, 0x20, 5, 4);
	config_sm(4, KECAT_DIR_IN, 0, 8);
	CHECK_EQ(kecat_setup_sms(&su, sm, &bad), 0);
	CHECK_EQ(sm[4].activate, 0);
	CHECK_EQ(kecat_setup_fmmus(&su, logical, fmmu, &bad), 0);
	CHECK_EQ(fmmu[0].physical, 0x0998);
}
