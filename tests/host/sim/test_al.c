// SPDX-License-Identifier: GPL-2.0-only
/* State machine, status codes, EEPROM. */
#include "bench.h"
#include "tap.h"

#define AL(state, code)	((u32)(code) << 16 | (state))
#define ERR(state, code) AL((state) | ESC_AL_ERROR, code)

#define DO	1001
#define AI	1002
#define DRIVE	1003

static struct bench mixed(void)
{
	struct bench b = bench_list("do8,ai2,drive");

	bench_address(&b);
	return b;
}

static void drive_images(struct bench *b)
{
	bench_sm(b, DRIVE, 2, 0x1200, 7, 0x64);
	bench_sm(b, DRIVE, 3, 0x1400, 11, 0x20);
	bench_fmmu(b, DRIVE, 0, 0, 7, 0, 7, 0x1200, 0, 2);
	bench_fmmu(b, DRIVE, 1, 7, 11, 0, 7, 0x1400, 0, 1);
}

static void emulation_mirrors(void)
{
	struct bench b = mixed();

	wr16(&b, DO, ESC_R_AL_CTRL, 0x0011);
	CHECK_EQ(rd16(&b, DO, ESC_R_AL_STATUS), 0x0011);
	wr16(&b, DO, ESC_R_AL_CTRL, 0x0008);
	CHECK_EQ(rd16(&b, DO, ESC_R_AL_STATUS), 0x0008);
	bench_close(&b);
}

static void way_up_and_down(void)
{
	struct bench b = mixed();
	u8 d[18] = { 0 };

	CHECK_EQ(bench_preop(&b, DRIVE), AL(ESC_PREOP, 0));
	drive_images(&b);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_SAFEOP), AL(ESC_SAFEOP, 0));
	wr16(&b, DRIVE, ESC_R_AL_CTRL, ESC_OP);
	bench_wait(&b, 2000);
	/* the watchdog is on: not before outputs came */
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_STATUS), ESC_SAFEOP);
	CHECK_EQ(lxfer(&b, ESC_LRW, 0, d, 18), 3);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_STATUS), ESC_OP);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_SAFEOP), AL(ESC_SAFEOP, 0));
	CHECK_EQ(bench_al(&b, DRIVE, ESC_INIT), AL(ESC_INIT, 0));
	bench_close(&b);
}

static void no_outputs_no_op(void)
{
	struct bench b = mixed();

	bench_preop(&b, DRIVE);
	drive_images(&b);
	bench_al(&b, DRIVE, ESC_SAFEOP);
	wr16(&b, DRIVE, ESC_R_AL_CTRL, ESC_OP);
	bench_wait(&b, 1100);
	bench_wait(&b, 600000);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_STATUS), ESC_SAFEOP | ESC_AL_ERROR);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_CODE), 0x001b);
	bench_close(&b);
}

static void watchdog_leaves_op(void)
{
	struct bench b = mixed();
	u8 d[18] = { 0 };

	bench_preop(&b, DRIVE);
	drive_images(&b);
	bench_al(&b, DRIVE, ESC_SAFEOP);
	lxfer(&b, ESC_LRW, 0, d, 18);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_OP), AL(ESC_OP, 0));
	bench_wait(&b, 101000);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_STATUS), ESC_SAFEOP | ESC_AL_ERROR);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_CODE), 0x001b);
	/* not without acknowledge; then it goes on */
	CHECK_EQ(bench_al(&b, DRIVE, ESC_OP), ERR(ESC_SAFEOP, 0x001b));
	CHECK_EQ(bench_al(&b, DRIVE, ESC_SAFEOP | 0x10), AL(ESC_SAFEOP, 0));
	lxfer(&b, ESC_LRW, 0, d, 18);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_OP), AL(ESC_OP, 0));
	bench_close(&b);
}

static void refused(void)
{
	struct bench b = mixed();

	CHECK_EQ(bench_al(&b, DRIVE, ESC_OP), ERR(ESC_INIT, 0x0011));
	CHECK_EQ(bench_al(&b, DRIVE, ESC_INIT | 0x10), AL(ESC_INIT, 0));
	CHECK_EQ(bench_al(&b, DRIVE, 7), ERR(ESC_INIT, 0x0012));
	CHECK_EQ(bench_al(&b, DRIVE, ESC_INIT), AL(ESC_INIT, 0));
	CHECK_EQ(bench_al(&b, DRIVE, ESC_PREOP), ERR(ESC_INIT, 0x0016));
	bench_al(&b, DRIVE, ESC_INIT);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_BOOT), ERR(ESC_INIT, 0x0015));
	CHECK_EQ(bench_al(&b, AI, ESC_BOOT), ERR(ESC_INIT, 0x0013));
	bench_close(&b);
}

static void bootstrap(void)
{
	struct bench b = mixed();

	bench_sm(&b, DRIVE, 0, 0x1000, 256, 0x26);
	bench_sm(&b, DRIVE, 1, 0x1100, 256, 0x22);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_BOOT), AL(ESC_BOOT, 0));
	CHECK_EQ(bench_al(&b, DRIVE, ESC_PREOP), ERR(ESC_BOOT, 0x0011));
	CHECK_EQ(bench_al(&b, DRIVE, ESC_INIT), AL(ESC_INIT, 0));
	bench_close(&b);
}

static void wrong_images(void)
{
	struct bench b = mixed();

	bench_preop(&b, DRIVE);
	drive_images(&b);
	bench_sm(&b, DRIVE, 2, 0x1200, 6, 0x64);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_SAFEOP), ERR(ESC_PREOP, 0x001d));
	bench_al(&b, DRIVE, ESC_PREOP | 0x10);
	bench_sm(&b, DRIVE, 2, 0x1200, 7, 0x64);
	bench_sm(&b, DRIVE, 3, 0x1410, 11, 0x20);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_SAFEOP), ERR(ESC_PREOP, 0x001e));
	bench_al(&b, DRIVE, ESC_PREOP | 0x10);
	/* an SM that is enabled for an empty image */
	CHECK_EQ(bench_preop(&b, AI), AL(ESC_PREOP, 0));
	bench_sm(&b, AI, 2, 0x1100, 2, 0x24);
	bench_sm(&b, AI, 3, 0x1180, 8, 0x20);
	CHECK_EQ(bench_al(&b, AI, ESC_SAFEOP), ERR(ESC_PREOP, 0x001d));
	bench_al(&b, AI, ESC_PREOP | 0x10);
	bench_sm(&b, AI, 2, 0x1100, 0, 0x24);
	CHECK_EQ(bench_al(&b, AI, ESC_SAFEOP), AL(ESC_SAFEOP, 0));
	bench_close(&b);
}

static void channel_switched_off_while_running(void)
{
	struct bench b = mixed();

	bench_preop(&b, DRIVE);
	drive_images(&b);
	bench_al(&b, DRIVE, ESC_SAFEOP);
	wr8(&b, DRIVE, ESC_R_SM + 30, 0);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_STATUS), ESC_PREOP | ESC_AL_ERROR);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_CODE), 0x001e);
	wr8(&b, DRIVE, ESC_R_SM + 6, 0);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_STATUS), ESC_INIT | ESC_AL_ERROR);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_CODE), 0x0016);
	bench_close(&b);
}

static void control_is_locked_until_read(void)
{
	struct bench b = mixed();

	CHECK_EQ(wr16(&b, DRIVE, ESC_R_AL_CTRL, ESC_INIT), 1);
	CHECK_EQ(wr16(&b, DRIVE, ESC_R_AL_CTRL, ESC_INIT), 0);
	bench_wait(&b, 1100);
	CHECK_EQ(wr16(&b, DRIVE, ESC_R_AL_CTRL, ESC_INIT), 1);
	bench_close(&b);
}

static void device_id(void)
{
	struct bench b = mixed();

	bench_preop(&b, DRIVE);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_PREOP | ESC_AL_ID_REQ),
		 AL(ESC_PREOP | ESC_AL_ID_REQ, 0x0042));
	CHECK_EQ(bench_al(&b, DRIVE, ESC_PREOP), AL(ESC_PREOP, 0));
	bench_close(&b);
}

static void al_faults(void)
{
	struct bench b = mixed();

	CHECK_EQ(bench_fault(&b, "2 al refuse 2 0x8001"), 0);
	CHECK_EQ(bench_preop(&b, DRIVE), ERR(ESC_INIT, 0x8001));
	CHECK_EQ(bench_fault(&b, "2 al ok"), 0);
	bench_al(&b, DRIVE, ESC_INIT | 0x10);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_PREOP), AL(ESC_PREOP, 0));
	CHECK_EQ(bench_fault(&b, "2 al error 1 0x0050"), 0);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_STATUS), 0x11);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_AL_CODE), 0x50);
	CHECK_EQ(bench_fault(&b, "2 al ignore"), 0);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_INIT | 0x10), AL(0x11, 0x50));
	bench_close(&b);
}

static void dc_is_checked(void)
{
	struct bench b = mixed();

	bench_preop(&b, DRIVE);
	drive_images(&b);
	wr32(&b, DRIVE, ESC_R_DC_CYCLE0, 1000000);
	/* a start time that has passed */
	wr32(&b, DRIVE, ESC_R_DC_START, 1);
	wr8(&b, DRIVE, ESC_R_DC_ACT, 3);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_SAFEOP), ERR(ESC_PREOP, 0x0030));
	bench_al(&b, DRIVE, ESC_PREOP | 0x10);
	wr8(&b, DRIVE, ESC_R_DC_ACT, 0);
	wr32(&b, DRIVE, ESC_R_DC_START,
	     rd32(&b, DRIVE, ESC_R_DC_TIME) + 50000000);
	wr32(&b, DRIVE, ESC_R_DC_CYCLE0, 100000);
	wr8(&b, DRIVE, ESC_R_DC_ACT, 3);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_SAFEOP), ERR(ESC_PREOP, 0x0035));
	wr32(&b, DRIVE, ESC_R_DC_CYCLE0, 125000);
	bench_al(&b, DRIVE, ESC_PREOP | 0x10);
	CHECK_EQ(bench_al(&b, DRIVE, ESC_SAFEOP), AL(ESC_SAFEOP, 0));
	bench_close(&b);
}

static void sii_is_read(void)
{
	struct bench b = mixed();

	CHECK_EQ((u32)bench_sii(&b, DRIVE, 8), 0x4b454341);
	CHECK_EQ(bench_sii(&b, DRIVE, 10), 0x0002000000000501ull);
	CHECK_EQ(bench_sii(&b, DRIVE, 0x10000), ~0ull);
	bench_close(&b);
}

static void sii_is_busy(void)
{
	struct bench b = mixed();
	u8 d[6] = { 0, 1, 8 };

	CHECK_EQ(wr(&b, DRIVE, ESC_R_SII_CTRL, d, 6), 1);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SII_CTRL), 0x8140);
	CHECK_EQ(wr(&b, DRIVE, ESC_R_SII_CTRL, d, 6), 0);
	bench_wait(&b, 100);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SII_CTRL), 0x0040);
	CHECK_EQ(bench_fault(&b, "2 sii stuck"), 0);
	bench_wait(&b, 1000000);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SII_CTRL) & 0x8000, 0x8000);
	CHECK_EQ(bench_fault(&b, "2 sii restore"), 0);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SII_CTRL) & 0x8000, 0);
	bench_close(&b);
}

static int write_word(struct bench *b, u16 station, u32 word, u16 v, u8 enable)
{
	u8 d[8] = { enable, 2 };

	sim_put32(d + 2, word);
	sim_put16(d + 6, v);
	return wr(b, station, ESC_R_SII_CTRL, d, 8);
}

static void sii_write_and_reload(void)
{
	struct bench b = mixed();
	u8 words[16], d[2] = { 0, 4 };

	write_word(&b, DRIVE, 4, 99, 0);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SII_CTRL) & 0x4000, 0x4000);
	sim_put64(words, bench_sii(&b, DRIVE, 0));
	sim_put64(words + 8, bench_sii(&b, DRIVE, 4));
	CHECK_EQ(esc_sii_crc(words), words[14]);
	sim_put16(words + 8, 99);
	CHECK_EQ(write_word(&b, DRIVE, 4, 99, 1), 1);
	bench_wait(&b, 5000);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_ALIAS), 0);
	/* the checksum does not fit yet: a reload says so */
	wr(&b, DRIVE, ESC_R_SII_CTRL, d, 2);
	bench_wait(&b, 1000);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SII_CTRL) & 0x1800, 0x1800);
	CHECK_EQ(write_word(&b, DRIVE, 7, esc_sii_crc(words), 1), 1);
	bench_wait(&b, 5000);
	wr(&b, DRIVE, ESC_R_SII_CTRL, d, 2);
	bench_wait(&b, 1000);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SII_CTRL) & 0x1800, 0);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_ALIAS), 99);
	bench_close(&b);
}

static void sii_belongs_to_the_application(void)
{
	struct bench b = mixed();
	u8 d[6] = { 0, 1, 8 };

	wr8(&b, DRIVE, ESC_R_SII_CONF, 1);
	CHECK_EQ(wr(&b, DRIVE, ESC_R_SII_CTRL, d, 6), 0);
	wr8(&b, DRIVE, ESC_R_SII_CONF, 0);
	CHECK_EQ(wr(&b, DRIVE, ESC_R_SII_CTRL, d, 6), 1);
	bench_close(&b);
}

static void bad_checksum_at_power_up(void)
{
	struct bench b = mixed();

	CHECK_EQ(bench_fault(&b, "2 sii byte 8 1"), 0);
	CHECK_EQ(bench_fault(&b, "2 power cycle"), 0);
	bench_address(&b);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SII_CTRL) & 0x1800, 0x1800);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_DL_STATUS) & 1, 0);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_PDI_CTRL), 0);
	CHECK_EQ(bench_preop(&b, DRIVE), AL(ESC_INIT, 0));
	bench_close(&b);
}

static const struct tap_case cases[] = {
	{ "emulation mirrors the request", emulation_mirrors },
	{ "INIT to OP and back", way_up_and_down },
	{ "no outputs, no OP: 0x001b", no_outputs_no_op },
	{ "watchdog leaves OP: 0x001b", watchdog_leaves_op },
	{ "refused requests: 0x0011 0x0012 0x0013 0x0015 0x0016", refused },
	{ "bootstrap", bootstrap },
	{ "wrong images: 0x001d 0x001e", wrong_images },
	{ "channel switched off while it runs", channel_switched_off_while_running },
	{ "AL control is locked until the application has read it",
	  control_is_locked_until_read },
	{ "explicit device ID", device_id },
	{ "state machine faults", al_faults },
	{ "clock settings are checked: 0x0030 0x0035", dc_is_checked },
	{ "EEPROM read", sii_is_read },
	{ "EEPROM busy and stuck", sii_is_busy },
	{ "EEPROM write, checksum, reload", sii_write_and_reload },
	{ "EEPROM owned by the application", sii_belongs_to_the_application },
	{ "bad EEPROM checksum at power up", bad_checksum_at_power_up },
};

int main(void)
{
	return tap_cases(cases, ARRAY_SIZE(cases));
}
