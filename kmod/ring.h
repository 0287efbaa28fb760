/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cable redundancy: a second port at the other end of the segment.  How frames
 * travel is in side.c; here the port comes and goes, and breaks are located.
 */
#ifndef KECAT_RING_H
#define KECAT_RING_H

#include <linux/types.h>

struct kecat_master;
struct kecat_nic;
struct kecat_ring;
struct kecat_second;

/**
 * struct kecat_ring_state - in the master
 * @second:   the port, or NULL; under kecat_master.second_lock
 * @interrupt: it has to be fit for a hard interrupt; under second_lock
 * @wanted:   name of the port that shall be it; ""; under second_lock
 * @gone:     the first port has gone: none may join; under second_lock
 * @link:     of @second, as last told
 * @front:    slaves that the first port reaches, supervisor
 * @back:     .. that the second one does
 * @state:    KECAT_RING_*, as last told, with the front and back of that time
 * @told_front: ..
 * @told_back: ..
 * @port:     of the slave before the break, KECAT_ALL if it is not known
 */
struct kecat_ring_state {
	struct kecat_nic *second;
	char wanted[32];
	bool interrupt;
	bool gone;
	bool link;
	u16 front;
	u16 back;
	u32 state;
	u16 told_front;
	u16 told_back;
	u32 port;
};

/* port.c: a port is offered; the master that it shall be second of, or NULL */
struct kecat_master *kecat_ring_find(struct kecat_nic *nic);
int kecat_ring_join(struct kecat_master *m, struct kecat_nic *nic);
void kecat_ring_leave(struct kecat_master *m, struct kecat_nic *nic);
/* the first port goes */
void kecat_ring_end(struct kecat_master *m);
/* cycles run in a hard interrupt from now on, or no more.  0, -EOPNOTSUPP */
int kecat_ring_interrupt(struct kecat_master *m, bool on);

/* supervisor */
bool kecat_ring_link(struct kecat_master *m);
/* broadcast read that also finds out how many each port reaches; as kecat_brd() */
int kecat_ring_count(struct kecat_master *m, u16 reg, void *buf, u16 len);
void kecat_ring_tell(struct kecat_master *m);

/**
 * struct kecat_ring_end_port - the port of the last slave that closes the ring
 * @station: of the slave, 0 = nothing was opened
 * @port:    which
 * @control: its DL control register before
 */
struct kecat_ring_end_port {
	u16 station;
	u8 port;
	u8 control[2];
};

/*
 * For a measurement whose frame has to come back the way it went.  Between the
 * two there is no redundancy, and nothing else is disturbed.  0 or -errno.
 */
int kecat_ring_open(struct kecat_master *m, struct kecat_ring_end_port *e);
void kecat_ring_close(struct kecat_master *m, const struct kecat_ring_end_port *e);

/* calls; caller holds dev_rwsem */
int kecat_ring_want(struct kecat_master *m, const struct kecat_second *s);
void kecat_ring_info(struct kecat_master *m, struct kecat_ring *r);

#endif
