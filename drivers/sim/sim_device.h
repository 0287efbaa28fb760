/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One slave of a segment: a controller, and the application on its PDI side.
 *
 * Nothing here allocates after sim_slave_init(); every step is bounded by the
 * size of a mailbox or of a process image.
 */
#ifndef KECAT_SIM_DEVICE_H
#define KECAT_SIM_DEVICE_H

#include "sim_desc.h"

#define SIM_MBX_MAX	1536
#define SIM_MBX_QUEUE	4
#define SIM_XFER_MAX	8192	/* longest SDO transfer */
#define SIM_TICK_NS	1000000	/* applications with a time base run at 1 kHz */

/* AL status codes that the model gives */
#define AL_INVALID_CHANGE	0x0011
#define AL_UNKNOWN_STATE	0x0012
#define AL_NO_BOOT		0x0013
#define AL_BOOT_MBX		0x0015
#define AL_PREOP_MBX		0x0016
#define AL_WATCHDOG		0x001b
#define AL_OUT_CONF		0x001d
#define AL_IN_CONF		0x001e
#define AL_IN_MAPPING		0x0024
#define AL_OUT_MAPPING		0x0025
#define AL_DC_CONF		0x0030
#define AL_EEPROM_ACCESS	0x0032
#define AL_DC_CYCLE		0x0035

struct sim_map {
	u32 bit;	/* in the image */
	u32 off;	/* in the store */
	u16 bits;
};

/** struct sim_image - one direction of process data */
struct sim_image {
	struct sim_map *map;
	u16 count;
	u16 len;	/* bytes */
	u8 sm;
	bool have_sm;
	u8 *buf;
};

struct sim_msg {
	u16 len;	/* of the whole mailbox, header included */
	u8 data[SIM_MBX_MAX];
};

/** struct sim_mbx - mailbox server of a slave */
struct sim_mbx {
	struct sim_msg in;
	bool busy;		/* @in waits for its processing time */
	u64 due;
	u64 open_due;		/* SM1 is opened for writing; 0: it is already */
	struct sim_msg queue[SIM_MBX_QUEUE];
	u8 head, count;
	struct sim_msg sent, before;	/* last two put into SM1 */
	u8 counter;		/* of the last answer, 1..7 */
	u8 last_request;	/* counter of the last request, 0: none */
	/* SDO segmented transfer */
	u8 xfer[SIM_XFER_MAX];
	u32 xfer_len, xfer_pos;
	u16 xfer_index;
	u8 xfer_sub, toggle;
	bool uploading, downloading, complete;
	/* SDO information list */
	u8 list_type;
	u16 list_next;		/* position in the dictionary */
	u16 list_left;		/* fragments to come */
};

struct sim_drive {
	s32 position;		/* demand value of the last step */
	s64 frac;
	u16 status;
	u8 state;
	u16 last_control;
};

/** struct sim_fault - what is broken about a slave, see sim_fault.c */
struct sim_fault {
	bool mbx_silent;
	bool al_ignore;
	u8 al_refuse;		/* this state is refused */
	u16 al_refuse_code;
	u32 drop;		/* frames still to vanish here */
	u32 corrupt;		/* frames still to be damaged here */
	u32 wkc_skew;		/* datagrams still to count one too many */
};

struct sim_peer {
	u16 slave;
	u8 port;
	bool used, unplugged;
};

#define SIM_PEER_NIC0	0xfff0	/* the master's port */
#define SIM_PEER_NIC1	0xfff1	/* its second port, for a ring */

struct sim_slave {
	struct esc esc;
	const struct sim_desc *desc;
	u8 *store;
	u8 *sii_saved;		/* image before a fault replaced it */
	struct sim_image out, in;
	struct sim_mbx *mbx;
	struct sim_drive drive;
	struct sim_fault fault;
	struct sim_peer peer[ESC_PORTS];
	bool powered;
	bool al_pending;
	u64 al_due;
	bool op_wait;		/* SAFEOP -> OP waits for outputs */
	u64 op_deadline;
	bool out_seen;
	bool out_live;		/* outputs act (OP and fed) */
	u64 next_app;
	u64 wake;		/* something falls due then without an event */
	u32 ms;
	u16 alias;
};

int sim_slave_init(struct sim_slave *s, const struct sim_desc *d);
void sim_slave_free(struct sim_slave *s);
void sim_slave_power(struct sim_slave *s, bool on, u64 now);
bool sim_slave_tick(struct sim_slave *s, u64 now);

/* sim_al.c */
void sim_al_tick(struct sim_slave *s, u64 now);
u8 sim_al_state(const struct sim_slave *s);

/* sim_image.c */
u16 sim_image_build(struct sim_slave *s);
bool sim_image_tick(struct sim_slave *s, u64 now);
void sim_image_inputs(struct sim_slave *s);
void sim_image_copy(struct sim_slave *to, const struct sim_slave *from);
u64 sim_value(const u8 *store, const struct sim_map *m);

/* sim_mbx.c */
void sim_mbx_reset(struct sim_slave *s);
void sim_mbx_tick(struct sim_slave *s, u64 now);
u8 *sim_mbx_reply(struct sim_slave *s, u8 type, u16 len);
void sim_mbx_error(struct sim_slave *s, u16 detail);
u16 sim_mbx_room(const struct sim_slave *s);
int sim_emergency(struct sim_slave *s, u16 code, u8 reg);

/* sim_coe.c, sim_coe_info.c */
void sim_coe_request(struct sim_slave *s, const u8 *data, u16 len);
void sim_coe_info(struct sim_slave *s, const u8 *data, u16 len);
void sim_coe_info_next(struct sim_slave *s);

/* sim_obj.c: objects by index */
u32 sim_obj_read(struct sim_slave *s, u16 index, u8 sub, bool complete,
		 u8 *to, u32 room, u32 *len);
u32 sim_obj_write(struct sim_slave *s, u16 index, u8 sub, bool complete,
		  const u8 *from, u32 len);
unsigned int sim_obj_end(const struct sim_desc *d, unsigned int first);

/* sim_drive.c */
void sim_drive_tick(struct sim_slave *s, u32 dt_us);

#endif
