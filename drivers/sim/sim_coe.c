// SPDX-License-Identifier: GPL-2.0-only
/* CoE: the SDO server. */
#include "sim_device.h"

#define TYPE_COE	3
#define COE_HEADER	2
#define SDO_HEADER	10	/* CoE header, command, index, sub, size */

#define SVC_SDOREQ	2
#define SVC_SDORES	3
#define SVC_INFO	8

#define CCS_DOWN_SEG	0
#define CCS_DOWN	1
#define CCS_UP		2
#define CCS_UP_SEG	3
#define CCS_ABORT	4

#define CMD_CA		0x10
#define CMD_EXPEDITED	0x02
#define CMD_SIZE	0x01

#define ABORT_TOGGLE	0x05030000u
#define ABORT_COMMAND	0x05040001u
#define ABORT_MEMORY	0x05040005u
#define ABORT_LENGTH	0x06070010u
#define ABORT_TOO_LONG	0x06070012u

static u8 *sdo_reply(struct sim_slave *s, u16 len)
{
	u8 *p = sim_mbx_reply(s, TYPE_COE, len);

	if (p)
		sim_put16(p, SVC_SDORES << 12);
	return p;
}

static void put_object(u8 *p, u16 index, u8 sub)
{
	sim_put16(p + 3, index);
	p[5] = sub;
}

static void reply_abort(struct sim_slave *s, u16 index, u8 sub, u32 code)
{
	u8 *p = sim_mbx_reply(s, TYPE_COE, SDO_HEADER);

	s->mbx->uploading = false;
	s->mbx->downloading = false;
	if (!p)
		return;
	/* an abort is sent with the service of a request */
	sim_put16(p, SVC_SDOREQ << 12);
	p[2] = CCS_ABORT << 5;
	put_object(p, index, sub);
	sim_put32(p + 6, code);
}

static void reply_expedited(struct sim_slave *s, const u8 *data, u32 len,
			    u16 index, u8 sub, bool complete)
{
	u8 *p = sdo_reply(s, SDO_HEADER);

	if (!p)
		return;
	p[2] = (u8)(0x43 | (4 - len) << 2 | (complete ? CMD_CA : 0));
	put_object(p, index, sub);
	memcpy(p + 6, data, len);
}

static void upload(struct sim_slave *s, u8 cmd, u16 index, u8 sub)
{
	struct sim_mbx *m = s->mbx;
	bool complete = cmd & CMD_CA;
	u32 len = 0, code, part;
	u8 *p;

	code = sim_obj_read(s, index, sub, complete, m->xfer, SIM_XFER_MAX, &len);
	if (code) {
		reply_abort(s, index, sub, code);
		return;
	}
	if (len && len <= 4) {
		reply_expedited(s, m->xfer, len, index, sub, complete);
		return;
	}
	part = sim_min(len, sim_mbx_room(s) - SDO_HEADER);
	p = sdo_reply(s, (u16)(SDO_HEADER + part));
	if (!p)
		return;
	p[2] = (u8)(0x41 | (complete ? CMD_CA : 0));
	put_object(p, index, sub);
	sim_put32(p + 6, len);
	memcpy(p + SDO_HEADER, m->xfer, part);
	m->xfer_len = len;
	m->xfer_pos = part;
	m->xfer_index = index;
	m->xfer_sub = sub;
	m->toggle = 0;
	m->uploading = part < len;
}

static void upload_segment(struct sim_slave *s, u8 cmd)
{
	struct sim_mbx *m = s->mbx;
	u32 left = m->xfer_len - m->xfer_pos, part, unused;
	u8 *p;

	if (!m->uploading) {
		reply_abort(s, 0, 0, ABORT_COMMAND);
		return;
	}
	if ((cmd & 0x10) != m->toggle) {
		reply_abort(s, m->xfer_index, m->xfer_sub, ABORT_TOGGLE);
		return;
	}
	part = sim_min(left, sim_mbx_room(s) - COE_HEADER - 1u);
	/* a segment is at least seven bytes long on the wire */
	unused = part < 7 ? 7 - part : 0;
	p = sdo_reply(s, (u16)(COE_HEADER + 1 + part + unused));
	if (!p)
		return;
	p[2] = (u8)(m->toggle | unused << 1 | (part == left));
	memcpy(p + 3, m->xfer + m->xfer_pos, part);
	m->xfer_pos += part;
	m->toggle ^= 0x10;
	m->uploading = part < left;
}

static void reply_download(struct sim_slave *s, u16 index, u8 sub)
{
	u8 *p = sdo_reply(s, SDO_HEADER);

	if (!p)
		return;
	p[2] = 0x60;
	put_object(p, index, sub);
}

static void store_and_reply(struct sim_slave *s, u16 index, u8 sub,
			    bool complete, const u8 *data, u32 len)
{
	u32 code = sim_obj_write(s, index, sub, complete, data, len);

	if (code)
		reply_abort(s, index, sub, code);
	else
		reply_download(s, index, sub);
}

static void download_normal(struct sim_slave *s, u8 cmd, u16 index, u8 sub,
			    const u8 *data, u16 len)
{
	struct sim_mbx *m = s->mbx;
	u32 total = sim_get32(data), have = len - 4u;

	if (total > SIM_XFER_MAX) {
		reply_abort(s, index, sub, ABORT_MEMORY);
		return;
	}
	have = sim_min(have, total);
	if (have == total) {
		store_and_reply(s, index, sub, cmd & CMD_CA, data + 4, total);
		return;
	}
	memcpy(m->xfer, data + 4, have);
	m->xfer_len = total;
	m->xfer_pos = have;
	m->xfer_index = index;
	m->xfer_sub = sub;
	m->toggle = 0;
	m->complete = cmd & CMD_CA;
	m->downloading = true;
	reply_download(s, index, sub);
}

static void download(struct sim_slave *s, u8 cmd, u16 index, u8 sub,
		     const u8 *data, u16 len)
{
	u32 n = 4;

	if (!(cmd & CMD_EXPEDITED)) {
		download_normal(s, cmd, index, sub, data, len);
		return;
	}
	if (cmd & CMD_SIZE) {
		n = 4 - (cmd >> 2 & 3);
	} else {
		int i = sim_od_find(s->desc, index, sub);

		if (i >= 0)
			n = sim_min(4, (s->desc->od[i].bits + 7) / 8);
	}
	store_and_reply(s, index, sub, cmd & CMD_CA, data, n);
}

static void download_segment(struct sim_slave *s, u8 cmd, const u8 *data,
			     u16 len)
{
	struct sim_mbx *m = s->mbx;
	u32 code;
	u8 *p;

	if (!m->downloading) {
		reply_abort(s, 0, 0, ABORT_COMMAND);
		return;
	}
	if ((cmd & 0x10) != m->toggle) {
		reply_abort(s, m->xfer_index, m->xfer_sub, ABORT_TOGGLE);
		return;
	}
	if (len == 7)
		len = (u16)(7 - (cmd >> 1 & 7));
	if (len > m->xfer_len - m->xfer_pos) {
		reply_abort(s, m->xfer_index, m->xfer_sub, ABORT_TOO_LONG);
		return;
	}
	memcpy(m->xfer + m->xfer_pos, data, len);
	m->xfer_pos += len;
	if (cmd & 1) {
		code = m->xfer_pos < m->xfer_len ? ABORT_LENGTH :
		       sim_obj_write(s, m->xfer_index, m->xfer_sub,
				     m->complete, m->xfer, m->xfer_len);
		if (code) {
			reply_abort(s, m->xfer_index, m->xfer_sub, code);
			return;
		}
		m->downloading = false;
	}
	p = sdo_reply(s, SDO_HEADER);
	if (p)
		p[2] = 0x20 | m->toggle;
	m->toggle ^= 0x10;
}

static void sdo_request(struct sim_slave *s, const u8 *d, u16 len)
{
	u8 cmd = d[2];

	if (cmd >> 5 == CCS_DOWN_SEG) {
		download_segment(s, cmd, d + 3, (u16)(len - 3));
		return;
	}
	if (cmd >> 5 == CCS_UP_SEG) {
		upload_segment(s, cmd);
		return;
	}
	if (len < SDO_HEADER)
		return;
	s->mbx->uploading = false;
	s->mbx->downloading = false;
	switch (cmd >> 5) {
	case CCS_DOWN:
		download(s, cmd, sim_get16(d + 3), d[5], d + 6, (u16)(len - 6));
		break;
	case CCS_UP:
		upload(s, cmd, sim_get16(d + 3), d[5]);
		break;
	case CCS_ABORT:
		break;
	default:
		reply_abort(s, sim_get16(d + 3), d[5], ABORT_COMMAND);
	}
}

/**
 * sim_coe_request - a CoE mailbox arrived
 * @s:    slave
 * @data: behind the mailbox header
 * @len:  bytes that the mailbox header announces, present
 */
void sim_coe_request(struct sim_slave *s, const u8 *data, u16 len)
{
	if (len < COE_HEADER + 1)
		return;
	switch (sim_get16(data) >> 12) {
	case SVC_SDOREQ:
		sdo_request(s, data, len);
		break;
	case SVC_INFO:
		sim_coe_info(s, data + COE_HEADER, (u16)(len - COE_HEADER));
		break;
	default:
		sim_mbx_error(s, 4);	/* service not supported */
	}
}
