/* SPDX-License-Identifier: GPL-2.0-only */
/* CANopen over EtherCAT, ETG.1000.6 5.6 */
#ifndef KECAT_COE_H
#define KECAT_COE_H

#include <linux/types.h>

struct kecat_slave;

/*
 * Blocking SDO transfers: expedited, normal, segmented.  @flags are
 * KECAT_SDO_*.  Errors as in struct kecat_sdo; *@abort is the slave's code with
 * -EREMOTEIO.  @timeout_ms for each answer, 0 = 1000.  Context: may sleep;
 * takes mbx.lock.  With complete access @data is what lies on the wire:
 * subindex 0 is 16 bits wide there.
 */
int kecat_coe_upload(struct kecat_slave *s, u16 index, u8 subindex, u8 flags,
		     void *data, u32 room, u32 *len, u32 *abort,
		     u32 timeout_ms);
int kecat_coe_download(struct kecat_slave *s, u16 index, u8 subindex, u8 flags,
		       const void *data, u32 len, u32 *abort, u32 timeout_ms);
/*
 * The mailbox asks for each CoE telegram, from the CoE header on: true when it
 * was no answer to a request and has been dealt with.
 */
bool kecat_coe_take(struct kecat_slave *s, const u8 *data, u16 len);
/* an emergency telegram, from the CoE header on */
void kecat_coe_emergency(struct kecat_slave *s, const u8 *data, u16 len);

#endif
