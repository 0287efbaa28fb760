/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The elements of a bus configuration, as KECAT_IOC_CONFIG_SET and _GET carry it.
 */
#ifndef _UAPI_KECAT_CONFIG_H
#define _UAPI_KECAT_CONFIG_H

#include <linux/types.h>

/*
 * The configuration blob: a sequence of elements, each a struct kecat_cfg_tlv
 * followed by @len bytes and padded with zeros to a multiple of 8.  All fields
 * are in host byte order.  The first element is the KECAT_CFG_BUS.  What comes
 * behind a KECAT_CFG_SLAVE belongs to that slave, PDOs to the last SM, entries
 * to the last PDO.  Unknown types are refused.
 */
struct kecat_cfg_tlv {
	__u16 type;
	__u16 flags;	/* 0 */
	__u32 len;	/* of the payload, without padding */
};

#define KECAT_CFG_BUS		1	/* struct kecat_cfg_bus */
#define KECAT_CFG_SLAVE		2	/* struct kecat_cfg_slave */
#define KECAT_CFG_SM		3	/* struct kecat_cfg_sm */
#define KECAT_CFG_PDO		4	/* struct kecat_cfg_pdo */
#define KECAT_CFG_ENTRY		5	/* struct kecat_cfg_entry */
#define KECAT_CFG_SDO		6	/* struct kecat_cfg_sdo + data */
#define KECAT_CFG_FILL		7	/* struct kecat_cfg_fill; once, and then no slave */

/* kecat_cfg_bus.on_app_loss: the owner died or missed app_miss cycles */
#define KECAT_LOSS_SAFEOP	0	/* send zeros, slaves to SAFEOP */
#define KECAT_LOSS_ZERO		1	/* send zeros, stay in OP until deactivated */
#define KECAT_LOSS_HOLD		2	/* keep the last outputs until deactivated */

/**
 * struct kecat_cfg_bus - cycle and policy
 * @cycle_ns:    50,000..1,000,000,000
 * @deadline_ns: answers later than this after the tick are late;
 *               0 = three quarters of the cycle
 * @lost_ns:     answers later than this are lost; 0 = 20 ms or 4 cycles,
 *               whichever is longer
 * @spin_ns:     wake this much earlier and spin to the exact tick; as long as
 *               @cycle_ns: do not sleep, but once in 10 ms so that the kernel's
 *               own work on that CPU goes on.  Over half of @cycle_ns only where
 *               the thread has isolated CPUs to itself, see KECAT_IOC_ACTIVATE
 * @app_miss:    cycles without fresh outputs until @on_app_loss; 0 = never
 * @on_app_loss: KECAT_LOSS_*
 * @flags:       KECAT_BUS_*
 * @reserved:    0
 */
struct kecat_cfg_bus {
	__u64 cycle_ns;
	__u64 deadline_ns;
	__u64 lost_ns;
	__u32 spin_ns;
	__u32 app_miss;
	__u32 on_app_loss;
	__u32 flags;
	__u64 reserved;
};

#define KECAT_BUS_SERIAL	0x1	/* bring slaves up one after the other */
/*
 * Whose time the cycle runs in; without both, in that of the master's thread.
 *
 * TICK_IRQ: the hard interrupt of a timer, so that no scheduler is between tick
 * and wire.  Interrupts are off on that CPU for as long as the cycle waits for
 * its frames: @deadline_ns is 1 ms at most unless RX_SLEEP is set, @spin_ns 50 us
 * and half of the cycle.  A cycle that ends less than a sixteenth of the cycle and
 * @spin_ns before the next tick costs that one: others get the CPU.  For drivers
 * that allow it, see KECAT_IOC_ACTIVATE.
 *
 * TICK_APP: the application's calls of KECAT_IOC_EXCHANGE.  When none comes for
 * nearly three cycles the master's thread goes on with the cycle, and such cycles
 * count for @app_miss.  @spin_ns is half of the cycle at most.  When the
 * application is gone, @on_app_loss takes effect within a cycle, as ever.
 */
#define KECAT_BUS_TICK_IRQ	0x2
#define KECAT_BUS_TICK_APP	0x4
/*
 * Do not poll for the answers: sleep until @deadline_ns, and take what is there.
 * The CPU is free in between; inputs are @deadline_ns old.  With a deadline
 * shortly before the next tick, this is reception in the next cycle.
 */
#define KECAT_BUS_RX_SLEEP	0x8

/* kecat_cfg_slave.flags */
#define KECAT_CFGS_REVISION	0x01	/* @revision must match exactly */
#define KECAT_CFGS_SERIAL	0x02	/* @serial must match */
#define KECAT_CFGS_OPTIONAL	0x04	/* may be absent */
#define KECAT_CFGS_NO_LRW	0x08	/* use LRD/LWR whatever the SII says */
#define KECAT_CFGS_ASSIGN	0x10	/* write PDO assignment (0x1c1x) by CoE */
#define KECAT_CFGS_MAPPING	0x20	/* write PDO mapping (0x16xx/0x1axx) by CoE */
#define KECAT_CFGS_ALIAS	0x40	/* find by @alias, @position counts from there */
#define KECAT_CFGS_WATCHDOG	0x80	/* write @wd_divider and @wd_pdi/@wd_pd */
#define KECAT_CFGS_DC		0x100	/* write the DC registers below */

/**
 * struct kecat_cfg_slave - one slave
 * @position:   in the order of the frame
 * @alias:      with KECAT_CFGS_ALIAS
 * @group:      sync group 0..15: its data becomes valid or invalid together
 * @vendor:     must match, 0 = any
 * @product:    must match, 0 = any
 * @revision:   see flags
 * @serial:     see flags
 * @flags:      KECAT_CFGS_*
 * @mbx_out:    mailbox override, 0 = from the SII
 * @mbx_out_size: ..
 * @mbx_in:     ..
 * @mbx_in_size: ..
 * @wd_divider: register 0x0400
 * @wd_pdi:     register 0x0410
 * @wd_pd:      register 0x0420
 * @dc_activate: AssignActivate, registers 0x0980/0x0981
 * @dc_sync0_ns: register 0x09a0, 0 = the cycle time
 * @dc_sync1_ns: register 0x09a4
 * @dc_shift_ns: added to the start time of SYNC0
 * @t_preop_ms: time-out INIT to PREOP, 0 = 3000 (ETG.1020)
 * @t_safeop_ms: time-out PREOP to SAFEOP and SAFEOP to OP, 0 = 10000
 * @t_back_ms:  time-out of changes downwards, 0 = 5000
 * @name:       the user's name for it, for messages
 */
struct kecat_cfg_slave {
	__u32 position;
	__u16 alias;
	__u16 group;
	__u32 vendor;
	__u32 product;
	__u32 revision;
	__u32 serial;
	__u32 flags;
	__u16 mbx_out;
	__u16 mbx_out_size;
	__u16 mbx_in;
	__u16 mbx_in_size;
	__u16 wd_divider;
	__u16 wd_pdi;
	__u16 wd_pd;
	__u16 dc_activate;
	__u32 dc_sync0_ns;
	__u32 dc_sync1_ns;
	__s32 dc_shift_ns;
	__u32 t_preop_ms;
	__u32 t_safeop_ms;
	__u32 t_back_ms;
	char name[32];
};

/**
 * struct kecat_cfg_sm - one process data sync manager
 * @index:   0..15, not one that serves the mailbox
 * @dir:     KECAT_DIR_*
 * @flags:   KECAT_SM_*
 * @start:   physical start address; 0 = from the SII
 * @len:     bytes; 0 = as its PDOs need, without PDOs: off.  With PDOs it must
 *           be theirs, rounded up to bytes.
 * @control: control byte (0x0804); 0 = from the SII
 * @pad:     0
 */
struct kecat_cfg_sm {
	__u8 index;
	__u8 dir;
	__u16 flags;
	__u16 start;
	__u16 len;
	__u8 control;
	__u8 pad[7];
};

#define KECAT_SM_WATCHDOG_ON	0x1	/* control byte bit 6 set whatever the SII says */
#define KECAT_SM_WATCHDOG_OFF	0x2	/* .. cleared */

struct kecat_cfg_pdo {
	__u16 index;
	__u16 flags;	/* 0 */
	__u32 pad;	/* 0 */
};

struct kecat_cfg_entry {
	__u16 index;	/* 0 = gap */
	__u8 subindex;
	__u8 bits;	/* 1..255 */
	__u32 pad;	/* 0 */
};

/**
 * struct kecat_cfg_sdo - start-up command
 * @index:      object
 * @subindex:   ..
 * @flags:      KECAT_SDO_COMPLETE
 * @transition: KECAT_TR_*: sent before the state is requested
 * @len:        bytes of data behind this struct
 */
struct kecat_cfg_sdo {
	__u16 index;
	__u8 subindex;
	__u8 flags;
	__u32 transition;
	__u32 len;
	__u32 pad;	/* 0 */
};

/**
 * struct kecat_cfg_fill - frames that no slave looks into, to measure the way
 * @frames: each cycle has so many, 1..16
 * @bytes:  of data in each, 1..1400, carried by a NOP
 *
 * The last one carries the broadcast read of the AL status that each cycle has.
 */
struct kecat_cfg_fill {
	__u32 frames;
	__u32 bytes;
};

#define KECAT_TR_PS	0	/* PREOP to SAFEOP, before the PDO set-up */
#define KECAT_TR_SO	1	/* SAFEOP to OP */

#endif
