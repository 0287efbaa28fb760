// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/string.h>
#include "../uapi/kecat.h"
#include "bus_int.h"
#include "cycle_int.h"
#include "proto/ecat.h"
#include "ring.h"

/* ---- the port comes and goes ---- */

/* second_lock held; returns when the cyclic thread uses it, or no longer does */
static void set_second(struct kecat_master *m, struct kecat_nic *nic)
{
	struct kecat_cycle *c = m->cycle;

	reinit_completion(&c->second_set);
	WRITE_ONCE(c->second, nic);
	wake_up_process(c->task);
	wait_for_completion(&c->second_set);
	m->ring.second = nic;
}

static bool wants(struct kecat_master *m, const struct kecat_nic *nic)
{
	const struct kecat_ring_state *r = &m->ring;
	bool yes;

	mutex_lock(&m->second_lock);
	yes = !r->gone && !r->second &&
	      (nic->ring_of ? nic->ring_of == m->nic :
	       *r->wanted && !strcmp(r->wanted, nic->name));
	mutex_unlock(&m->second_lock);
	return yes;
}

/**
 * kecat_ring_find - whose second port is this?
 * @nic: offered by its driver
 *
 * Context: may sleep.
 * Return: the master with a reference, or NULL: it shall have one of its own.
 */
struct kecat_master *kecat_ring_find(struct kecat_nic *nic)
{
	struct kecat_master *m;
	int i;

	for (i = 0; i < KECAT_MAX_MASTERS; i++) {
		m = kecat_master_get(i);
		if (m && wants(m, nic))
			return m;
		if (m)
			kecat_master_put(m);
	}
	return NULL;
}

/**
 * kecat_ring_join - from now on @nic is the other end
 * @m:   master, whose reference goes over to the port
 * @nic: its ->core is @m already
 *
 * Context: may sleep.
 * Return: 0, -ENODEV (the first port has just gone), -EBUSY (there is another
 * one), -EOPNOTSUPP (cycles run in a hard interrupt, and it cannot), or what its
 * start operation returned; the reference is then dropped.
 */
int kecat_ring_join(struct kecat_master *m, struct kecat_nic *nic)
{
	int err = nic->ops->start(nic);

	if (err)
		goto err_put;
	mutex_lock(&m->second_lock);
	if (m->ring.gone)
		err = -ENODEV;
	else if (m->ring.second)
		err = -EBUSY;
	else if (m->ring.interrupt && !nic->hard)
		err = -EOPNOTSUPP;
	else
		set_second(m, nic);
	/* once: the next time the user says so again */
	if (!err)
		m->ring.wanted[0] = '\0';
	mutex_unlock(&m->second_lock);
	if (err)
		goto err_stop;
	kecat_bus_kick(m);
	return 0;

err_stop:
	nic->ops->stop(nic);
err_put:
	kecat_master_put(m);
	return err;
}

/**
 * kecat_ring_leave - the second port goes; the first one goes on alone
 * @m:   its master; may have lost its first port before
 * @nic: the port
 *
 * Context: may sleep.
 */
void kecat_ring_leave(struct kecat_master *m, struct kecat_nic *nic)
{
	mutex_lock(&m->second_lock);
	if (m->ring.second == nic)
		set_second(m, NULL);
	mutex_unlock(&m->second_lock);
	nic->ops->stop(nic);
	kecat_bus_kick(m);
	kecat_master_put(m);
}

void kecat_ring_end(struct kecat_master *m)
{
	mutex_lock(&m->second_lock);
	m->ring.gone = true;
	if (m->ring.second)
		set_second(m, NULL);
	mutex_unlock(&m->second_lock);
}

int kecat_ring_interrupt(struct kecat_master *m, bool on)
{
	int err = 0;

	mutex_lock(&m->second_lock);
	if (on && (!m->nic->hard || (m->ring.second && !m->ring.second->hard)))
		err = -EOPNOTSUPP;
	else
		m->ring.interrupt = on;
	mutex_unlock(&m->second_lock);
	return err;
}

/* ---- what the supervisor looks after ---- */

/* the second port's link; true when it has changed */
bool kecat_ring_link(struct kecat_master *m)
{
	struct kecat_ring_state *r = &m->ring;
	struct kecat_nic *nic;
	bool link = false, changed;
	u32 speed = 0;

	mutex_lock(&m->second_lock);
	nic = r->second;
	if (nic) {
		nic->ops->link_poll(nic);
		link = READ_ONCE(nic->link);
		speed = READ_ONCE(nic->speed);
	}
	changed = link != r->link;
	r->link = link;
	mutex_unlock(&m->second_lock);
	if (changed)
		kecat_event(m, KECAT_EV_LINK, KECAT_ALL, link, speed, 1, 0);
	return changed;
}

int kecat_ring_count(struct kecat_master *m, u16 reg, void *buf, u16 len)
{
	struct kecat_dgram dg = {
		.cmd = EC_BRD, .ado = reg, .len = len, .data = buf,
	};
	int err = kecat_xfer(m, &dg, 1, 0);

	if (err)
		return err;
	m->ring.front = dg.wkc - dg.wkc_second;
	m->ring.back = dg.wkc_second;
	WRITE_ONCE(m->cycle->front, m->ring.front);
	return dg.wkc;
}

static u32 state_now(struct kecat_master *m)
{
	if (!READ_ONCE(m->ring.second))
		return KECAT_RING_NONE;
	return m->link && m->ring.link && READ_ONCE(m->cycle->side[0].crossed) ?
	       KECAT_RING_CLOSED : KECAT_RING_BROKEN;
}

/* port of the last slave before the break by which the next one was reached */
static u32 port_before(struct kecat_master *m, u16 front, u16 back)
{
	u32 port = KECAT_ALL;

	mutex_lock(&m->bus_lock);
	if (front && back && front < m->nslaves &&
	    m->slave[front]->parent_port < KECAT_PORTS)
		port = m->slave[front]->parent_port;
	mutex_unlock(&m->bus_lock);
	return port;
}

/* an event when the ring has opened, closed, or is broken elsewhere */
void kecat_ring_tell(struct kecat_master *m)
{
	struct kecat_ring_state *r = &m->ring;
	u32 state = state_now(m);

	if (state == r->state && (state != KECAT_RING_BROKEN ||
				  (r->front == r->told_front &&
				   r->back == r->told_back)))
		return;
	WRITE_ONCE(r->state, state);
	WRITE_ONCE(r->told_front, r->front);
	WRITE_ONCE(r->told_back, r->back);
	WRITE_ONCE(r->port, state == KECAT_RING_BROKEN ?
		   port_before(m, r->front, r->back) : KECAT_ALL);
	kecat_event(m, KECAT_EV_RING, KECAT_ALL, state, r->front, r->back,
		    r->port);
}

/* ---- opened on purpose ---- */

#define TEMPORARY	0x02	/* 0x0100: what 0x0101 says holds for a second */
#define CLOSED		3	/* 0x0101: two bits per port */

/* the last slave with an open port that leads to no other */
static struct kecat_slave *end_of_ring(struct kecat_master *m, int *port)
{
	static const u8 order[] = { 2, 1, 3 };
	u32 i = m->nslaves, k;

	while (i--) {
		struct kecat_slave *s = m->slave[i];

		for (k = 0; s->present && k < ARRAY_SIZE(order); k++) {
			*port = order[k];
			if (kecat_topology_port_open(s->dl_status, *port) &&
			    s->neighbour[*port] == KECAT_NO_NEIGHBOUR)
				return s;
		}
	}
	return NULL;
}

int kecat_ring_open(struct kecat_master *m, struct kecat_ring_end_port *e)
{
	struct kecat_slave *s;
	u8 control[2];
	int port, err;

	e->station = 0;
	if (state_now(m) != KECAT_RING_CLOSED)
		return 0;
	s = end_of_ring(m, &port);
	if (!s)
		return -EAGAIN;
	/* what the second port sends would end at the closed one */
	WRITE_ONCE(m->cycle->hold_second, true);
	err = kecat_fprd(m, s->station, EC_REG_DL_CONTROL, e->control,
			 sizeof(e->control));
	if (err)
		goto err_hold;
	control[0] = e->control[0] | TEMPORARY;
	control[1] = e->control[1] | CLOSED << 2 * port;
	e->station = s->station;
	e->port = port;
	err = kecat_fpwr(m, s->station, EC_REG_DL_CONTROL, control,
			 sizeof(control));
	if (!err)
		return 0;
	kecat_ring_close(m, e);
	return err;

err_hold:
	WRITE_ONCE(m->cycle->hold_second, false);
	return err;
}

void kecat_ring_close(struct kecat_master *m, const struct kecat_ring_end_port *e)
{
	if (!e->station)
		return;
	/* if this does not get there, the slave does it by itself */
	kecat_fpwr(m, e->station, EC_REG_DL_CONTROL, e->control,
		   sizeof(e->control));
	WRITE_ONCE(m->cycle->hold_second, false);
}

/* ---- calls ---- */

int kecat_ring_want(struct kecat_master *m, const struct kecat_second *s)
{
	int err = 0;

	if (strnlen(s->nic, sizeof(s->nic)) == sizeof(s->nic))
		return -EINVAL;
	if (!strcmp(s->nic, m->nic->name))
		return -EINVAL;
	mutex_lock(&m->second_lock);
	if (m->ring.second && *s->nic)
		err = -EBUSY;
	else
		strscpy(m->ring.wanted, s->nic, sizeof(m->ring.wanted));
	mutex_unlock(&m->second_lock);
	return err;
}

void kecat_ring_info(struct kecat_master *m, struct kecat_ring *r)
{
	const struct kecat_ring_state *s = &m->ring;

	*r = (struct kecat_ring) {
		.state = READ_ONCE(s->state),
		.front = READ_ONCE(s->told_front),
		.back = READ_ONCE(s->told_back),
		.port = READ_ONCE(s->port),
	};
	mutex_lock(&m->second_lock);
	if (s->second) {
		r->link = READ_ONCE(s->second->link);
		r->speed = READ_ONCE(s->second->speed);
		memcpy(r->mac, s->second->mac, sizeof(r->mac));
		strscpy(r->nic, s->second->name, sizeof(r->nic));
		strscpy(r->driver, s->second->driver, sizeof(r->driver));
	}
	mutex_unlock(&m->second_lock);
}
