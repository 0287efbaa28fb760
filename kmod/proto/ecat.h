/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What ETG.1000.4 (data link) and ETG.1000.6 (application layer) put on the
 * wire: constants and packed structs, nothing else.
 */
#ifndef KECAT_PROTO_ECAT_H
#define KECAT_PROTO_ECAT_H

#include <linux/types.h>
#include <linux/build_bug.h>

#define EC_ETHERTYPE		0x88a4
#define EC_ETH_HDR		14	/* destination, source, EtherType */
#define EC_FRAME_HDR		2
#define EC_TYPE_DLPDU		1
#define EC_LEN_MASK		0x07ff
/* Ethernet payload of 1500 bytes less the EtherCAT header */
#define EC_DGRAM_ROOM		1498
#define EC_DGRAM_HDR		10
#define EC_WKC_LEN		2
#define EC_DGRAM_OVERHEAD	(EC_DGRAM_HDR + EC_WKC_LEN)
#define EC_DATA_MAX		(EC_DGRAM_ROOM - EC_DGRAM_OVERHEAD)
/* the ESC sets this bit of the first source address byte in what it returns */
#define EC_SRC_RETURNED		0x02

/* ETG.1000.4 5.4: the commands */
enum ec_cmd {
	EC_NOP = 0,
	EC_APRD = 1,
	EC_APWR = 2,
	EC_APRW = 3,
	EC_FPRD = 4,
	EC_FPWR = 5,
	EC_FPRW = 6,
	EC_BRD = 7,
	EC_BWR = 8,
	EC_BRW = 9,
	EC_LRD = 10,
	EC_LWR = 11,
	EC_LRW = 12,
	EC_ARMW = 13,
	EC_FRMW = 14,
};

struct ec_dgram_hdr {
	u8 cmd;
	u8 idx;
	__le16 adp;	/* adp and ado together are the logical address */
	__le16 ado;
	__le16 len;	/* 10:0 length, 14 circulating, 15 more follows */
	__le16 irq;
} __packed;
static_assert(sizeof(struct ec_dgram_hdr) == EC_DGRAM_HDR);

#define EC_DGRAM_CIRC		0x4000
#define EC_DGRAM_MORE		0x8000

/* registers */
#define EC_REG_TYPE		0x0000
#define EC_REG_FMMUS		0x0004
#define EC_REG_SMS		0x0005
#define EC_REG_FEATURES		0x0008
#define EC_REG_STATION		0x0010
#define EC_REG_ALIAS		0x0012
#define EC_REG_DL_CONTROL	0x0100
#define EC_REG_DL_STATUS	0x0110
#define EC_REG_AL_CONTROL	0x0120
#define EC_REG_AL_STATUS	0x0130
#define EC_REG_AL_CODE		0x0134
#define EC_REG_PDI_CONTROL	0x0140
#define EC_REG_ESC_CONFIG	0x0141
#define EC_REG_RX_ERRORS	0x0300
#define EC_REG_WD_DIVIDER	0x0400
#define EC_REG_WD_PDI		0x0410
#define EC_REG_WD_PD		0x0420
#define EC_REG_SII_CONFIG	0x0500
#define EC_REG_SII_CONTROL	0x0502
#define EC_REG_SII_ADDRESS	0x0504
#define EC_REG_SII_DATA		0x0508
#define EC_REG_FMMU		0x0600
#define EC_REG_SM		0x0800
#define EC_REG_DC_PORT_TIME	0x0900
#define EC_REG_DC_TIME		0x0910
#define EC_REG_DC_RECV_TIME	0x0918
#define EC_REG_DC_OFFSET	0x0920
#define EC_REG_DC_DELAY		0x0928
#define EC_REG_DC_DIFF		0x092c
#define EC_REG_DC_SPEED_START	0x0930
#define EC_REG_DC_CYC_UNIT	0x0980
#define EC_REG_DC_ACTIVATION	0x0981
#define EC_REG_DC_START		0x0990
#define EC_REG_DC_SYNC0		0x09a0
#define EC_REG_DC_SYNC1		0x09a4

#define EC_FEAT_DC		0x0004
#define EC_FEAT_DC64		0x0008
#define EC_FEAT_NO_LRW		0x0200	/* ETG.1000.4: LRW not supported */
#define EC_ESC_EMULATION	0x01	/* 0x0141: AL status follows AL control */

#define EC_AL_ACK		0x10	/* AL control: acknowledge the error */
#define EC_AL_ERROR		0x10	/* AL status: error indication */
#define EC_AL_STATE_MASK	0x0f

/* DL status, 0x0110 */
#define EC_DL_PORT_LINK(p)	(0x0010 << (p))
#define EC_DL_PORT_CLOSED(p)	(0x0100 << (2 * (p)))
#define EC_DL_PORT_COMM(p)	(0x0200 << (2 * (p)))

/* SII interface, 0x0502 */
#define EC_SII_READ		0x0100
#define EC_SII_WRITE		0x0200
#define EC_SII_RELOAD		0x0400
#define EC_SII_READ8		0x0040	/* 8 bytes a read */
#define EC_SII_ERR_CHECKSUM	0x0800
#define EC_SII_ERR_LOADING	0x1000
#define EC_SII_ERR_ACK		0x2000
#define EC_SII_ERR_WRITE_EN	0x4000
#define EC_SII_BUSY		0x8000

struct ec_sm {
	__le16 start;
	__le16 len;
	u8 control;
	u8 status;
	u8 activate;
	u8 pdi;
} __packed;
static_assert(sizeof(struct ec_sm) == 8);

#define EC_SM_MODE_MASK		0x03
#define EC_SM_MODE_BUFFERED	0x00
#define EC_SM_MODE_MAILBOX	0x02
#define EC_SM_DIR_WRITE		0x04	/* written by the master */
#define EC_SM_IRQ_PDI		0x20
#define EC_SM_WATCHDOG		0x40
#define EC_SM_STAT_FULL		0x08	/* mailbox full, either direction */
#define EC_SM_ENABLE		0x01
#define EC_SM_REPEAT_REQ	0x02	/* activate byte */
#define EC_SM_REPEAT_ACK	0x02	/* PDI byte */

struct ec_fmmu {
	__le32 logical;
	__le16 len;
	u8 log_start_bit;
	u8 log_stop_bit;
	__le16 physical;
	u8 phys_start_bit;
	u8 type;	/* 1 read by the master, 2 written */
	u8 active;
	u8 reserved[3];
} __packed;
static_assert(sizeof(struct ec_fmmu) == 16);

#define EC_FMMU_READ		0x01
#define EC_FMMU_WRITE		0x02

/* mailbox, ETG.1000.4 5.6 */
struct ec_mbx_hdr {
	__le16 len;
	__le16 address;
	u8 channel;	/* 5:0 channel, 7:6 priority */
	u8 type;	/* 3:0 EC_MBX_*, 6:4 counter */
} __packed;
static_assert(sizeof(struct ec_mbx_hdr) == 6);

#define EC_MBX_ERR		0x00
#define EC_MBX_AOE		0x01
#define EC_MBX_EOE		0x02
#define EC_MBX_COE		0x03
#define EC_MBX_FOE		0x04
#define EC_MBX_SOE		0x05
#define EC_MBX_VOE		0x0f

#endif
