/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One EtherCAT slave controller: what its hardware does with a datagram, and
 * what its process data interface (PDI) offers to the application behind it.
 *
 * Pure: no clock, no allocation after esc_init(), no service of any system.
 * Time is the argument of whoever drives the chip, in ns of one common time.
 */
#ifndef KECAT_SIM_ESC_H
#define KECAT_SIM_ESC_H

#include "sim_os.h"

#define ESC_PORTS	4
#define ESC_FMMU_MAX	16
#define ESC_SM_MAX	16
#define ESC_REG_SIZE	0x1000
#define ESC_DATA_MAX	1500	/* longest payload of a datagram */

enum esc_cmd {
	ESC_NOP, ESC_APRD, ESC_APWR, ESC_APRW, ESC_FPRD, ESC_FPWR, ESC_FPRW,
	ESC_BRD, ESC_BWR, ESC_BRW, ESC_LRD, ESC_LWR, ESC_LRW, ESC_ARMW,
	ESC_FRMW,
};

enum esc_reg {
	ESC_R_TYPE		= 0x0000,
	ESC_R_STATION		= 0x0010,
	ESC_R_ALIAS		= 0x0012,
	ESC_R_WRITE_PROT	= 0x0020,
	ESC_R_ESC_RESET		= 0x0040,
	ESC_R_DL_CTRL		= 0x0100,
	ESC_R_DL_STATUS		= 0x0110,
	ESC_R_AL_CTRL		= 0x0120,
	ESC_R_AL_STATUS		= 0x0130,
	ESC_R_AL_CODE		= 0x0134,
	ESC_R_PDI_CTRL		= 0x0140,
	ESC_R_ESC_CONF		= 0x0141,
	ESC_R_PDI_CONF		= 0x0150,
	ESC_R_EVENT_MASK	= 0x0200,
	ESC_R_EVENT		= 0x0210,
	ESC_R_AL_EVENT		= 0x0220,
	ESC_R_ERR_COUNT		= 0x0300,
	ESC_R_WD_DIV		= 0x0400,
	ESC_R_WD_PDI		= 0x0410,
	ESC_R_WD_SM		= 0x0420,
	ESC_R_WD_STATUS		= 0x0440,
	ESC_R_WD_COUNT		= 0x0442,
	ESC_R_SII_CONF		= 0x0500,
	ESC_R_SII_PDI		= 0x0501,
	ESC_R_SII_CTRL		= 0x0502,
	ESC_R_SII_ADDR		= 0x0504,
	ESC_R_SII_DATA		= 0x0508,
	ESC_R_FMMU		= 0x0600,
	ESC_R_SM		= 0x0800,
	ESC_R_DC_RX		= 0x0900,
	ESC_R_DC_TIME		= 0x0910,
	ESC_R_DC_RX_PU		= 0x0918,
	ESC_R_DC_OFFSET		= 0x0920,
	ESC_R_DC_DELAY		= 0x0928,
	ESC_R_DC_DIFF		= 0x092c,
	ESC_R_DC_SPEED		= 0x0930,
	ESC_R_DC_CUC		= 0x0980,
	ESC_R_DC_ACT		= 0x0981,
	ESC_R_DC_PULSE		= 0x0982,
	ESC_R_DC_ACT_STATUS	= 0x0984,
	ESC_R_DC_START		= 0x0990,
	ESC_R_DC_SYNC1		= 0x0998,
	ESC_R_DC_CYCLE0		= 0x09a0,
	ESC_R_DC_CYCLE1		= 0x09a4,
	ESC_R_DC_LATCH		= 0x09a8,
	ESC_R_DIG_OUT		= 0x0f00,
	ESC_R_USER_RAM		= 0x0f80,
	ESC_R_RAM		= 0x1000,
};

enum esc_al_state {
	ESC_INIT = 1, ESC_PREOP = 2, ESC_BOOT = 3, ESC_SAFEOP = 4, ESC_OP = 8,
};

#define ESC_AL_MASK		0x0f
#define ESC_AL_ERROR		0x10	/* status: error; control: acknowledge */
#define ESC_AL_ID_REQ		0x20

#define ESC_CONF_EMULATION	BIT(0)	/* in ESC_R_ESC_CONF */

/* sync manager, offset in its 8 bytes and bits */
#define ESC_SM_CTRL		4
#define ESC_SM_STATUS		5
#define ESC_SM_ACT		6
#define ESC_SM_PDI		7
#define ESC_SM_MODE_MBX		0x02
#define ESC_SM_DIR_WRITE	0x04
#define ESC_SM_WD		0x40
#define ESC_SM_INT_WRITE	0x01
#define ESC_SM_INT_READ		0x02
#define ESC_SM_FULL		0x08
#define ESC_SM_WRITING		0x80
#define ESC_SM_REPEAT		0x02

/** enum esc_dc_kind - which of the distributed-clock registers answer */
enum esc_dc_kind {
	ESC_DC_NONE,
	ESC_DC_RXTIME,	/* receive times only, whatever the feature bit says */
	ESC_DC_32,
	ESC_DC_64,
};

/** struct esc_chip - what distinguishes one make of controller from another */
struct esc_chip {
	u8 type;
	u8 rev;
	u16 build;
	u8 fmmus;
	u8 sms;
	u8 ram_kb;
	u8 ports;		/* 0x0007, two bits a port */
	u16 features;
	u8 dl_low;		/* bits 0..3 of 0x0110 while the PDI runs */
	u8 dc;			/* enum esc_dc_kind */
	bool sii_8byte;
	u8 sii_low;		/* bits that 0x0502 shows before the first sync manager is on */
	bool sm_writing;	/* SM status tells that a buffer is being written */
	u32 rx_init[ESC_PORTS];	/* 0x0900 before the first latch */
	u32 sii_read_ns;	/* busy time of one EEPROM read */
	u32 sii_write_ns;
	u32 fwd_ns;		/* port 0 -> next port, through the processing unit */
	u32 ret_ns;		/* any other port to the next one */
};

/* What happened since the PDI side looked last. */
#define ESC_EV_AL	BIT(0)	/* AL control was written */
#define ESC_EV_SM_CONF	BIT(1)	/* a sync manager was switched or repeated */
#define ESC_EV_RELOAD	BIT(2)	/* EEPROM was (re)loaded */
#define ESC_EV_RESET	BIT(3)	/* ESC reset sequence was written */
#define ESC_EV_SM(n)	BIT(8 + (n))	/* ECAT closed a buffer of this SM */

struct esc_fmmu {
	bool read, write, bytewise;
	u32 log;
	u16 len;
	u8 first_bit, last_bit, phys_bit;
	u16 phys;
};

struct esc_sm {
	bool active;		/* enabled by the master, not stopped by the PDI */
	bool mailbox, write;
	bool open;		/* mailbox: first byte was accessed */
	bool fresh;		/* buffered: a complete buffer was written once */
	u16 start, len;
	u8 wr, last, rd;	/* buffered: which of the three is whose */
	bool direct;		/* output register or too large for three buffers */
};

struct esc_sii {
	u8 *image;		/* owned by whoever made the slave */
	u32 size;
	bool loaded, crc_error;
	u64 busy_until;
	u8 cmd_error;		/* bits 5,6 of 0x0503 */
	bool stuck;		/* fault: never leaves busy */
};

struct esc_dc {
	u64 boot_local;		/* what the clock shows at power up */
	u64 base_global, base_local;	/* last point where the rate changed */
	s32 drift_ppb, corr_ppb;
	u8 entry;		/* port by which the frame came in */
	u64 arrived[ESC_PORTS];
	u32 latch_frame;	/* frame number whose passage is latched */
	s32 diff;
	u64 last_write;
	u64 sync_start;
	bool sync_on, sync_late;
};

struct esc {
	struct esc_chip chip;
	u8 *mem;
	u32 mem_size;
	u8 nfmmu, nsm;
	u64 now;		/* time of the datagram being executed */
	u32 frame;		/* number of the frame being executed */
	u32 events;
	u8 links;		/* ports with a signal; set by the segment */
	u8 latched_closed;	/* auto-close mode: closed until opened by hand */
	bool pdi_up;
	bool sm_was_on;
	bool al_unread;		/* AL control waits for the application */
	u8 reset_step;
	u64 dl_temp_until;
	u8 dl_saved;
	u64 wd_deadline;
	bool wd_expired, wd_ran;
	struct esc_fmmu fmmu[ESC_FMMU_MAX];
	struct esc_sm sm[ESC_SM_MAX];
	struct esc_sii sii;
	struct esc_dc dc;
	u8 in[ESC_DATA_MAX];	/* scratch: what a read-write command brought */
	u8 part[ESC_DATA_MAX];	/* scratch: bytes of a bitwise mapping */
	u8 mask[ESC_DATA_MAX];
};

/* esc.c: life and datagrams */
int esc_init(struct esc *e, const struct esc_chip *chip);
void esc_free(struct esc *e);
void esc_power_on(struct esc *e, u64 now);
void esc_datagram(struct esc *e, u8 *dg, u8 *data, u16 len);

/* esc_regs.c: what lies at an address */
bool esc_read(struct esc *e, u16 addr, u8 *data, u16 len);
bool esc_write(struct esc *e, u16 addr, const u8 *data, u16 len);
u8 *esc_reg(struct esc *e, u16 addr);

/* esc_port.c: ports, loops, link counters */
bool esc_port_open(const struct esc *e, unsigned int port);
void esc_set_links(struct esc *e, u8 links);
void esc_dl_ctrl_write(struct esc *e, u16 addr, const u8 *data, u16 len);
void esc_dl_status_refresh(struct esc *e);
void esc_port_error(struct esc *e, unsigned int port);
bool esc_port_present(const struct esc *e, unsigned int port);

/* esc_fmmu.c */
void esc_fmmu_write(struct esc *e, u16 addr, const u8 *data, u16 len);
void esc_logical(struct esc *e, u8 cmd, u32 addr, u8 *data, u16 len, u8 *wkc);

/* esc_sm.c */
void esc_sm_reset(struct esc *e);
void esc_sm_write(struct esc *e, u16 addr, const u8 *data, u16 len);
bool esc_ram_read(struct esc *e, u16 addr, u8 *data, u16 len);
bool esc_ram_write(struct esc *e, u16 addr, const u8 *data, const u8 *mask,
		   u16 len);
bool esc_pdi_mbx_full(const struct esc *e, unsigned int sm);
bool esc_pdi_sm_read(struct esc *e, unsigned int sm, u8 *data, u16 len);
bool esc_pdi_sm_write(struct esc *e, unsigned int sm, const u8 *data, u16 len);
void esc_pdi_sm_enable(struct esc *e, unsigned int sm, bool on);
void esc_pdi_mbx_open(struct esc *e, unsigned int sm);
void esc_pdi_mbx_clear(struct esc *e, unsigned int sm);
bool esc_pdi_repeat_asked(struct esc *e, unsigned int sm);
void esc_pdi_repeat_ack(struct esc *e, unsigned int sm);

/* esc_wd.c */
void esc_wd_trigger(struct esc *e);
void esc_wd_refresh(struct esc *e, u64 now);
void esc_wd_reset(struct esc *e);

/* esc_al.c */
void esc_al_ctrl_write(struct esc *e, u16 addr, const u8 *data, u16 len);
u8 esc_pdi_al_read(struct esc *e);
void esc_pdi_al_status(struct esc *e, u8 status, u16 code);

/* esc_sii.c */
u8 esc_sii_crc(const u8 *words);
void esc_sii_load(struct esc *e);
void esc_sii_refresh(struct esc *e);
bool esc_sii_conf_write(struct esc *e, u16 addr, const u8 *data, u16 len);
bool esc_sii_write(struct esc *e, u16 addr, const u8 *data, u16 len);

/* esc_dc.c */
void esc_dc_reset(struct esc *e, u64 now);
u64 esc_dc_local(const struct esc *e, u64 now);
u64 esc_dc_system(const struct esc *e, u64 now);
void esc_dc_arrive(struct esc *e, unsigned int port, u64 now, u32 frame);
void esc_dc_latch(struct esc *e);
void esc_dc_time_write(struct esc *e, u16 addr, const u8 *data, u16 len);
void esc_dc_offset_write(struct esc *e, u16 addr, const u8 *data, u16 len);
void esc_dc_speed_write(struct esc *e, u16 addr, const u8 *data, u16 len);
void esc_dc_sync_write(struct esc *e, u16 addr, const u8 *data, u16 len);
void esc_dc_refresh(struct esc *e, u16 addr, u16 len);
bool esc_dc_has(const struct esc *e, u16 addr);
u64 esc_dc_sync0_count(struct esc *e, u64 now);

#endif
