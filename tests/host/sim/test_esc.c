// SPDX-License-Identifier: GPL-2.0-only
/* Commands, working counters, registers, FMMUs, sync managers, watchdog. */
#include "bench.h"
#include "tap.h"

#define DO	1002
#define DI	1003
#define DRIVE	1005

static struct bench mixed(void)
{
	struct bench b = bench_list("coupler,do8,di8,dio8,drive");

	bench_address(&b);
	return b;
}

/* Working counter of each command on one register that all may write. */
static void wkc_of_commands(void)
{
	static const struct {
		u8 cmd;
		u16 adp;
		int wkc;
	} want[] = {
		{ ESC_NOP, 0, 0 }, { ESC_APRD, 0, 1 }, { ESC_APWR, 0, 1 },
		{ ESC_APRW, 0, 3 }, { ESC_APRD, 0xffff, 1 }, { ESC_APRD, 5, 0 },
		{ ESC_APRD, 0xfffb, 0 },
		{ ESC_FPRD, 1001, 1 }, { ESC_FPWR, 1001, 1 },
		{ ESC_FPRW, 1001, 3 }, { ESC_FPRD, 999, 0 }, { ESC_BRD, 0, 5 },
		{ ESC_BWR, 0, 5 }, { ESC_BRW, 0, 15 }, { ESC_ARMW, 0, 5 },
		{ ESC_FRMW, 1003, 5 }, { ESC_FRMW, 999, 5 }, { 15, 0, 0 },
		{ 255, 0, 0 },
	};
	struct bench b = mixed();
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		u8 d[2] = { 0 };

		CHECK_EQ(xfer(&b, want[i].cmd, want[i].adp, ESC_R_USER_RAM, d, 2),
			 want[i].wkc);
	}
	bench_close(&b);
}

static void positions_count_up(void)
{
	struct bench b = mixed();
	u8 d[2] = { 0 };

	xfer(&b, ESC_APRD, 7, 0, d, 2);
	CHECK_EQ(b.adp, 12);
	xfer(&b, ESC_BRD, 0, 0, d, 2);
	CHECK_EQ(b.adp, 5);
	xfer(&b, ESC_ARMW, 0xfffe, 0, d, 2);
	CHECK_EQ(b.adp, 3);
	xfer(&b, ESC_FPRD, 1001, 0, d, 2);
	CHECK_EQ(b.adp, 1001);
	xfer(&b, ESC_FRMW, 1001, 0, d, 2);
	CHECK_EQ(b.adp, 1001);
	bench_close(&b);
}

static void brd_is_or_of_all(void)
{
	struct bench b = mixed();
	u8 d[2] = { 0x80, 0 };

	CHECK_EQ(xfer(&b, ESC_BRD, 0, ESC_R_TYPE, d, 1), 5);
	CHECK_EQ(d[0], 0x80 | 0x11 | 0x12);
	bench_close(&b);
}

static void read_multiple_write(void)
{
	struct bench b = mixed();
	u8 d[2] = { 0 };

	wr16(&b, 1003, ESC_R_USER_RAM, 0x1234);
	/* those before the addressed one get what came in */
	sim_put16(d, 0x5555);
	CHECK_EQ(xfer(&b, ESC_FRMW, 1003, ESC_R_USER_RAM, d, 2), 5);
	CHECK_EQ(sim_get16(d), 0x1234);
	CHECK_EQ(rd16(&b, 1002, ESC_R_USER_RAM), 0x5555);
	CHECK_EQ(rd16(&b, 1003, ESC_R_USER_RAM), 0x1234);
	CHECK_EQ(rd16(&b, 1004, ESC_R_USER_RAM), 0x1234);
	bench_close(&b);
}

static void read_write_exchanges(void)
{
	struct bench b = mixed();
	u8 d[2];

	wr16(&b, 1001, ESC_R_USER_RAM, 0x1111);
	sim_put16(d, 0x2222);
	CHECK_EQ(xfer(&b, ESC_FPRW, 1001, ESC_R_USER_RAM, d, 2), 3);
	CHECK_EQ(sim_get16(d), 0x1111);
	CHECK_EQ(rd16(&b, 1001, ESC_R_USER_RAM), 0x2222);
	bench_close(&b);
}

static void absent_registers_do_not_answer(void)
{
	struct bench b = mixed();
	u8 d[256] = { 0 };

	/* coupler and drive have 8 FMMUs, do8 and di8 3, dio8 4 */
	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_FMMU + 0x20, d, 16), 5);
	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_FMMU + 0x30, d, 16), 3);
	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_FMMU + 0x40, d, 16), 2);
	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_FMMU + 0x80, d, 16), 0);
	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_FMMU, d, 256), 0);
	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_SM + 0x18, d, 8), 5);
	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_SM + 0x20, d, 8), 2);
	/* receive times everywhere, a system time in two of them */
	CHECK_EQ(xfer(&b, ESC_BRD, 0, ESC_R_DC_RX, d, 4), 5);
	CHECK_EQ(xfer(&b, ESC_BRD, 0, ESC_R_DC_TIME, d, 8), 2);
	CHECK_EQ(xfer(&b, ESC_BRD, 0, ESC_R_DC_ACT, d, 1), 2);
	bench_close(&b);
}

static void read_only_registers(void)
{
	struct bench b = mixed();
	u8 d[4] = { 0x55, 0x55, 0x55, 0x55 };

	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_TYPE, d, 4), 0);
	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_AL_STATUS, d, 2), 0);
	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_DC_DIFF, d, 4), 0);
	CHECK_EQ(xfer(&b, ESC_BWR, 0, ESC_R_ALIAS, d, 2), 0);
	CHECK_EQ(rd16(&b, 1001, ESC_R_TYPE), 0x0011);
	bench_close(&b);
}

static void outside_memory(void)
{
	struct bench b = mixed();
	u8 d[64] = { 0 };

	/* 1 KiB of RAM: 0x1000..0x13ff */
	CHECK_EQ(rd(&b, DO, 0x13c0, d, 64), 1);
	CHECK_EQ(rd(&b, DO, 0x13c1, d, 64), 0);
	CHECK_EQ(wr(&b, DO, 0x13c1, d, 64), 0);
	CHECK_EQ(rd(&b, DO, 0xffff, d, 1), 0);
	CHECK_EQ(rd(&b, DO, 0xffff, d, 2), 0);
	CHECK_EQ(rd(&b, DO, 0, d, 0), 0);
	bench_close(&b);
}

static void alias_address(void)
{
	struct bench b = bench_text("slave coupler alias 77\nslave do8\n");

	bench_address(&b);
	CHECK_EQ(rd16(&b, 1001, ESC_R_ALIAS), 77);
	CHECK_EQ(rd16(&b, 77, ESC_R_TYPE), 0xdead);
	wr8(&b, 1001, ESC_R_DL_CTRL + 3, 1);
	CHECK_EQ(rd16(&b, 77, ESC_R_TYPE), 0x0011);
	CHECK_EQ(rd16(&b, 1001, ESC_R_TYPE), 0x0011);
	bench_close(&b);
}

static void station_lost_on_power_cycle(void)
{
	struct bench b = mixed();

	wr16(&b, DO, ESC_R_AL_CTRL, ESC_PREOP);
	CHECK_EQ(bench_fault(&b, "1 power cycle"), 0);
	CHECK_EQ(rd16(&b, DO, 0), 0xdead);
	CHECK_EQ(rd16(&b, 0, ESC_R_AL_STATUS), ESC_INIT);
	bench_close(&b);
}

static void reset_sequence(void)
{
	struct bench b = mixed();

	wr8(&b, DO, ESC_R_ESC_RESET, 'R');
	wr8(&b, DO, ESC_R_ESC_RESET, 'S');
	wr8(&b, DO, ESC_R_ESC_RESET, 'S');
	CHECK_EQ(rd16(&b, DO, 0), 0x0112);
	wr8(&b, DO, ESC_R_ESC_RESET, 'R');
	wr8(&b, DO, ESC_R_ESC_RESET, 'E');
	wr8(&b, DO, ESC_R_ESC_RESET, 'S');
	CHECK_EQ(rd16(&b, DO, 0), 0xdead);
	bench_close(&b);
}

static void fmmu_bits_do_not_touch_neighbours(void)
{
	struct bench b = bench_list("do8,do8");
	u8 d[1];

	bench_address(&b);
	/* four bits each of one logical byte, at odd places of the register */
	bench_sm(&b, 1001, 0, 0x0f00, 1, 0x44);
	bench_sm(&b, 1002, 0, 0x0f00, 1, 0x44);
	bench_fmmu(&b, 1001, 0, 0x1000, 1, 0, 3, 0x0f00, 4, 2);
	bench_fmmu(&b, 1002, 0, 0x1000, 1, 4, 7, 0x0f00, 1, 2);
	d[0] = 0xa5;
	CHECK_EQ(lxfer(&b, ESC_LWR, 0x1000, d, 1), 2);
	CHECK_EQ(esc_reg(&b.seg->slave[0].esc, 0x0f00)[0], 0x50);
	CHECK_EQ(esc_reg(&b.seg->slave[1].esc, 0x0f00)[0], 0x14);
	d[0] = 0x5a;
	CHECK_EQ(lxfer(&b, ESC_LRW, 0x1000, d, 1), 4);
	CHECK_EQ(esc_reg(&b.seg->slave[0].esc, 0x0f00)[0], 0xa0);
	CHECK_EQ(esc_reg(&b.seg->slave[1].esc, 0x0f00)[0], 0x0a);
	bench_close(&b);
}

static void fmmu_bits_across_bytes(void)
{
	struct bench b = bench_list("di8");
	struct esc *e = &b.seg->slave[0].esc;
	u8 d[3] = { 0xff, 0xff, 0xff };

	bench_address(&b);
	e->mem[0x1010] = 0x9c;
	e->mem[0x1011] = 0x03;
	/* ten bits from bit 6 of the first byte; memory from bit 2 */
	bench_fmmu(&b, 1001, 0, 0x2000, 2, 6, 7, 0x1010, 2, 1);
	CHECK_EQ(lxfer(&b, ESC_LRD, 0x2000, d, 3), 1);
	/* 0x39c >> 2 = 0xe7: its ten bits at bit 6 */
	CHECK_EQ(d[0] | d[1] << 8, (0x0e7 << 6) | 0x3f);
	CHECK_EQ(d[2], 0xff);
	/* a datagram that begins in the middle of the mapping */
	d[0] = 0;
	CHECK_EQ(lxfer(&b, ESC_LRD, 0x2001, d, 1), 1);
	CHECK_EQ(d[0], 0x0e7 >> 2);
	CHECK_EQ(lxfer(&b, ESC_LRD, 0x2002, d, 1), 0);
	CHECK_EQ(lxfer(&b, ESC_LRD, 0x1fff, d, 1), 0);
	bench_close(&b);
}

static void fmmu_at_end_of_address_space(void)
{
	struct bench b = bench_list("di8");
	u8 d[4] = { 0 };

	bench_address(&b);
	bench_fmmu(&b, 1001, 0, 0xfffffffe, 8, 0, 7, 0x1000, 0, 1);
	CHECK_EQ(lxfer(&b, ESC_LRD, 0xfffffffe, d, 2), 1);
	bench_fmmu(&b, 1001, 0, 0xfffffffe, 0xffff, 0, 7, 0xffff, 0, 3);
	CHECK_EQ(lxfer(&b, ESC_LRW, 0xfffffffe, d, 4), 0);
	bench_close(&b);
}

static void lrw_counts_three(void)
{
	struct bench b = bench_list("dio8");
	u8 d[2] = { 0x81, 0 };

	bench_address(&b);
	bench_sm(&b, 1001, 0, 0x0f00, 1, 0x44);
	bench_sm(&b, 1001, 1, 0x1000, 1, 0x00);
	bench_fmmu(&b, 1001, 0, 0, 1, 0, 7, 0x0f00, 0, 2);
	bench_fmmu(&b, 1001, 1, 1, 1, 0, 7, 0x1000, 0, 1);
	bench_al(&b, 1001, ESC_SAFEOP);
	bench_al(&b, 1001, ESC_OP);
	CHECK_EQ(lxfer(&b, ESC_LRW, 0, d, 2), 3);
	d[0] = 0x81;
	CHECK_EQ(lxfer(&b, ESC_LRW, 0, d, 2), 3);
	CHECK_EQ(d[0], 0x81);
	CHECK_EQ(d[1], 0x81);
	CHECK_EQ(lxfer(&b, ESC_LRD, 0, d, 2), 1);
	CHECK_EQ(lxfer(&b, ESC_LWR, 0, d, 2), 1);
	bench_close(&b);
}

static void mailbox_opens_and_closes(void)
{
	struct bench b = mixed();
	u8 d[256] = { 0 };

	bench_sm(&b, DRIVE, 0, 0x1000, 256, 0x26);
	bench_sm(&b, DRIVE, 1, 0x1100, 256, 0x22);
	/* not from the middle; a piece at a time; full by the last byte */
	CHECK_EQ(wr(&b, DRIVE, 0x1010, d, 4), 0);
	CHECK_EQ(wr(&b, DRIVE, 0x1000, d, 16), 1);
	CHECK_EQ(wr(&b, DRIVE, 0x1010, d, 4), 1);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SM + 5) & 0xff, 0x00);
	CHECK_EQ(wr(&b, DRIVE, 0x10ff, d, 1), 1);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SM + 5) & 0xff, 0x09);
	CHECK_EQ(wr(&b, DRIVE, 0x1000, d, 256), 0);
	CHECK_EQ(rd(&b, DRIVE, 0x1000, d, 256), 0);
	CHECK_EQ(rd(&b, DRIVE, 0x1100, d, 256), 0);
	bench_close(&b);
}

static void mailbox_read_in_pieces(void)
{
	struct bench b = mixed();
	struct esc *e = &b.seg->slave[4].esc;
	u8 d[256] = { 3, 0, 0, 0, 0, 0x13, 1, 2, 3 };

	bench_sm(&b, DRIVE, 1, 0x1100, 256, 0x22);
	CHECK(esc_pdi_sm_write(e, 1, d, 9));
	CHECK(!esc_pdi_sm_write(e, 1, d, 9));
	CHECK_EQ(rd16(&b, DRIVE, 0x1100), 3);
	CHECK_EQ(rd(&b, DRIVE, 0x1100, d, 9), 1);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SM + 13) & 0xff, 0x08);
	CHECK_EQ(rd(&b, DRIVE, 0x11ff, d, 1), 1);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SM + 13) & 0xff, 0x02);
	CHECK_EQ(rd(&b, DRIVE, 0x1100, d, 9), 0);
	bench_close(&b);
}

static void three_buffers_never_tear(void)
{
	struct bench b = mixed();
	struct esc *e = &b.seg->slave[4].esc;
	u8 a[8] = { 1, 1, 1, 1, 1, 1, 1, 1 }, n[8] = { 2, 2, 2, 2, 2, 2, 2, 2 };
	u8 d[8];

	bench_sm(&b, DRIVE, 3, 0x1400, 8, 0x20);
	CHECK_EQ(rd(&b, DRIVE, 0x1400, d, 8), 0);
	CHECK(esc_pdi_sm_write(e, 3, a, 8));
	CHECK_EQ(rd(&b, DRIVE, 0x1400, d, 4), 1);
	/* new data while the master is half through: it stays with the old */
	CHECK(esc_pdi_sm_write(e, 3, n, 8));
	CHECK(esc_pdi_sm_write(e, 3, n, 8));
	CHECK_EQ(rd(&b, DRIVE, 0x1404, d + 4, 4), 1);
	CHECK(!memcmp(d, a, 8));
	CHECK_EQ(rd(&b, DRIVE, 0x1400, d, 8), 1);
	CHECK(!memcmp(d, n, 8));
	bench_close(&b);
}

static void sm_locked_while_on(void)
{
	struct bench b = mixed();

	bench_sm(&b, DRIVE, 2, 0x1200, 4, 0x64);
	CHECK_EQ(wr16(&b, DRIVE, ESC_R_SM + 16, 0x1300), 1);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SM + 16), 0x1200);
	wr8(&b, DRIVE, ESC_R_SM + 22, 0);
	wr16(&b, DRIVE, ESC_R_SM + 16, 0x1300);
	CHECK_EQ(rd16(&b, DRIVE, ESC_R_SM + 16), 0x1300);
	bench_close(&b);
}

static void sm_longer_than_memory_is_off(void)
{
	struct bench b = mixed();
	u8 d[4] = { 0 };

	bench_sm(&b, DO, 1, 0x13f0, 0xffff, 0x26);
	CHECK_EQ(wr(&b, DO, 0x13f0, d, 4), 1);
	bench_sm(&b, DO, 1, 0x0000, 8, 0x26);
	CHECK_EQ(rd16(&b, DO, 0), 0x0112);
	bench_close(&b);
}

static void watchdog_expires(void)
{
	struct bench b = mixed();
	u8 d[1] = { 0xff };

	bench_sm(&b, DO, 0, 0x0f00, 1, 0x44);
	bench_fmmu(&b, DO, 0, 0, 1, 0, 7, 0x0f00, 0, 2);
	CHECK_EQ(rd16(&b, DO, ESC_R_WD_STATUS), 0);
	bench_al(&b, DO, ESC_PREOP);
	bench_al(&b, DO, ESC_SAFEOP);
	bench_al(&b, DO, ESC_OP);
	wr16(&b, DO, ESC_R_WD_SM, 100);		/* 10 ms */
	lxfer(&b, ESC_LWR, 0, d, 1);
	CHECK_EQ(rd16(&b, DO, ESC_R_WD_STATUS), 1);
	bench_wait(&b, 9000);
	CHECK_EQ(rd16(&b, DO, ESC_R_WD_STATUS), 1);
	bench_wait(&b, 1000);
	CHECK_EQ(rd16(&b, DO, ESC_R_WD_STATUS), 0);
	CHECK_EQ(rd16(&b, DO, ESC_R_WD_COUNT), 1);
	lxfer(&b, ESC_LWR, 0, d, 1);
	CHECK_EQ(rd16(&b, DO, ESC_R_WD_STATUS), 1);
	wr8(&b, DO, ESC_R_WD_COUNT, 0);
	CHECK_EQ(rd16(&b, DO, ESC_R_WD_COUNT), 0);
	wr16(&b, DO, ESC_R_WD_SM, 0);
	bench_wait(&b, 1000000);
	CHECK_EQ(rd16(&b, DO, ESC_R_WD_STATUS), 1);
	bench_close(&b);
}

static const struct tap_case cases[] = {
	{ "working counter of each command", wkc_of_commands },
	{ "position counts up", positions_count_up },
	{ "BRD is the OR of all", brd_is_or_of_all },
	{ "read multiple write", read_multiple_write },
	{ "read-write exchanges", read_write_exchanges },
	{ "registers that are not fitted do not answer",
	  absent_registers_do_not_answer },
	{ "read-only registers", read_only_registers },
	{ "outside of memory nobody answers", outside_memory },
	{ "alias as address", alias_address },
	{ "station address is lost on power cycle", station_lost_on_power_cycle },
	{ "reset sequence", reset_sequence },
	{ "FMMU bits do not touch neighbours", fmmu_bits_do_not_touch_neighbours },
	{ "FMMU bits across bytes", fmmu_bits_across_bytes },
	{ "FMMU at the end of the address space", fmmu_at_end_of_address_space },
	{ "LRW counts three", lrw_counts_three },
	{ "mailbox opens on its first and closes on its last byte",
	  mailbox_opens_and_closes },
	{ "mailbox is read in pieces", mailbox_read_in_pieces },
	{ "three buffers never tear", three_buffers_never_tear },
	{ "sync manager is locked while on", sm_locked_while_on },
	{ "sync manager outside of memory stays off", sm_longer_than_memory_is_off },
	{ "watchdog", watchdog_expires },
};

int main(void)
{
	return tap_cases(cases, ARRAY_SIZE(cases));
}
