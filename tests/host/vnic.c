// SPDX-License-Identifier: GPL-2.0-only
#include <linux/etherdevice.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "../../kmod/cycle_int.h"
#include "host.h"
#include "vnic.h"
#include "../../kmod/cycle_int.h"

#define BYTE_NS		80
#define GAP_BYTES	24	/* preamble, FCS, gap */
#define TX_NS		600	/* doorbell to first bit */
#define RX_NS		900	/* last bit to memory */

static struct vnic *to_vnic(struct kecat_nic *nic)
{
	return container_of(nic, struct vnic, nic);
}

u64 vnic_rand(struct vnic *v, u64 n)
{
	u64 z = (v->rng += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	z ^= z >> 31;
	return (u64)((unsigned __int128)z * n >> 64);
}

static bool happens(struct vnic *v, u32 per_million)
{
	if (!per_million || v->hold_faults || vnic_rand(v, 1000000) >= per_million)
		return false;
	v->count.faults++;
	return true;
}

/* ---- coming back ---- */

static void put_back(struct vnic *v, struct vnic_frame *f)
{
	u32 i = v->nback++;

	if (i == VNIC_WIRE)
		host_fatal(__FILE__, __LINE__, "nobody fetches frames");
	for (; i && v->back[i - 1]->due > f->due; i--)
		v->back[i] = v->back[i - 1];
	v->back[i] = f;
}

static struct vnic_frame *new_frame(struct vnic *v)
{
	u32 n;

	for (n = 0; n < VNIC_WIRE; n++) {
		struct vnic_frame *f = &v->wire[v->wire_next++ % VNIC_WIRE];

		if (f->used)
			continue;
		f->used = true;
		f->v = v;
		return f;
	}
	host_fatal(__FILE__, __LINE__, "too many frames on the way");
}

static void stray(struct vnic *v, u64 due)
{
	static const u8 arp[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
				  2, 0, 0, 0, 0, 1, 0x08, 0x06 };
	struct vnic_frame *f = new_frame(v);
	u32 i;

	f->len = (u16)(14 + vnic_rand(v, KECAT_NIC_FRAME_MAX - 13));
	for (i = 0; i < f->len; i++)
		f->data[i] = (u8)vnic_rand(v, 256);
	/* ARP, noise behind our EtherType, or nothing but noise */
	if (vnic_rand(v, 2))
		memcpy(f->data, arp, sizeof(arp));
	if (vnic_rand(v, 2)) {
		f->data[12] = 0x88;
		f->data[13] = 0xa4;
	}
	/* too short to be anything */
	if (!vnic_rand(v, 8))
		f->len = (u16)vnic_rand(v, 60);
	f->due = due;
	v->count.foreign++;
	put_back(v, f);
}

static u32 pick_dgram(struct vnic *v, const struct vnic_frame *f)
{
	u32 at = KECAT_FRAME_BODY, n = (u32)vnic_rand(v, 15);

	for (; n; n--) {
		u16 len = sim_get16(f->data + at + 6);

		if (!(len & EC_DGRAM_MORE))
			break;
		at += EC_DGRAM_OVERHEAD + (len & EC_LEN_MASK);
	}
	return at;
}

/*
 * A bit that a master can notice: type, command, index, address, tag.  Not the
 * low half of the tag: that may make it another frame that is out.
 */
static void flip(struct vnic *v, struct vnic_frame *f)
{
	static const u8 front[] = { 12, 13, 16, 18, 19, 20, 21, 28, 29 };
	u32 at = front[vnic_rand(v, sizeof(front))];

	/* command or index of a datagram behind the tag */
	if (vnic_rand(v, 2))
		at = pick_dgram(v, f) + (u32)vnic_rand(v, 2);
	f->data[at] ^= (u8)(1u << vnic_rand(v, 8));
	v->count.header++;
}

static void disturb(struct vnic *v, const struct vnic_frame *f)
{
	u32 i = f->cycle % ARRAY_SIZE(v->disturbed);

	if (!f->cyclic)
		return;
	if (v->disturbed[i].cycle != f->cycle)
		v->disturbed[i].frames = 0;
	v->disturbed[i].cycle = f->cycle;
	v->disturbed[i].frames |= 1ULL << (f->plan % 64);
}

static void lose(struct vnic *v, struct vnic_frame *f)
{
	disturb(v, f);
	v->count.lost++;
	f->used = false;
}

static void copy_back(struct vnic *v, const struct vnic_frame *f)
{
	struct vnic_frame *twin = new_frame(v);

	memcpy(twin->data, f->data, f->len);
	twin->len = f->len;
	twin->due = f->due + 1 + vnic_rand(v, 100000);
	v->count.twice++;
	put_back(v, twin);
}

static void comes_back(struct vnic *v, struct vnic_frame *f, u64 done)
{
	f->due = done + (u64)f->len * BYTE_NS + RX_NS;
	if (happens(v, v->faults.foreign))
		stray(v, f->due - vnic_rand(v, 5000));
	if (happens(v, v->faults.fcs)) {
		v->count.fcs++;
		lose(v, f);
		return;
	}
	if (happens(v, v->faults.header)) {
		flip(v, f);
		disturb(v, f);
		/* it is not ours any more: one foreign, and one lost */
		v->count.lost++;
		put_back(v, f);
		return;
	}
	if (happens(v, v->faults.late)) {
		f->due += v->cycle_ns + vnic_rand(v, 2 * v->cycle_ns);
		disturb(v, f);
		v->count.late++;
		v->count.late_cyclic += f->cyclic;
	} else if (happens(v, v->faults.reorder)) {
		f->due += 15000 + vnic_rand(v, 30000);
		v->count.reorder++;
	}
	if (happens(v, v->faults.twice))
		copy_back(v, f);
	put_back(v, f);
}

/* ---- on the wire ---- */

static void applications(struct vnic *v, u64 now)
{
	if (now - v->last_tick < v->tick_every_ns)
		return;
	v->last_tick = now;
	sim_segment_tick(v->seg, now);
}

static void enters(struct host_node *n)
{
	struct vnic_frame *f = container_of(n, struct vnic_frame, node);
	struct vnic *v = f->v, *at;
	unsigned int port = v->port;
	u64 now = host_now(), done;
	bool lost, behind;
	size_t len;

	v->entering--;
	host_exempt_begin();
	lost = happens(v, v->faults.lose);
	behind = lost && vnic_rand(v, 2);
	if (v->down || (lost && !behind) ||
	    (v->before && !v->before(v, f))) {
		lose(v, f);
		goto out;
	}
	len = sim_segment_process_port(v->seg, &port, f->data, f->len, now, &done);
	applications(v, now);
	at = port == v->port ? v : v->peer;
	if (!len || behind || !at || !at->running)
		lose(v, f);
	else
		comes_back(at, f, done);
out:
	host_exempt_end();
}

static void tick(struct host_node *n)
{
	struct vnic *v = container_of(n, struct vnic, tick);

	host_exempt_begin();
	v->last_tick = host_now();
	sim_segment_tick(v->seg, host_now());
	host_exempt_end();
	if (v->running)
		host_node_add(n, host_now() + 1000000);
}

/* ---- operations ---- */

/* the thread, or to whom it has lent what it has, or whose turn it is */
static bool may_use(const struct vnic *v)
{
	const struct kecat_master *m = v->nic.core;
	const struct kecat_cycle *c = m->cycle;

	if (host_context() != HOST_TASK)
		return c->lent;
	if (c->lent)
		return false;
	if (c->active && c->tick_by == KECAT_TICK_APP)
		return c->turn.mutex.owner == current;
	return current->cyclic;
}

static void must_run(struct vnic *v)
{
	if (!v->running)
		host_fail(__FILE__, __LINE__, "the port is used while it is stopped");
	if (!v->nic.busy)
		host_fail(__FILE__, __LINE__, "the port is used outside the gate");
	if (!may_use(v))
		host_fail(__FILE__, __LINE__, "the port is used by another thread");
}

static bool has_link(const struct vnic *v)
{
	const struct sim_peer *p = &v->seg->nic[v->port];

	/* a line's first cable may be pulled without our port noticing */
	return !v->down && (!v->peer || (!p->unplugged &&
					 v->seg->slave[p->slave].powered));
}

static int vnic_start(struct kecat_nic *nic)
{
	struct vnic *v = to_vnic(nic);

	might_sleep();
	if (v->start_err)
		return v->start_err;
	v->running = true;
	nic->link = has_link(v);
	nic->speed = 100;
	if (v->port)
		return 0;
	v->tick.fn = tick;
	v->tick.ctx = HOST_HARD;
	host_node_add(&v->tick, host_now() + 1000000);
	return 0;
}

/* frames of @owner, or all, that have come to @v */
static void forget_back(struct vnic *v, const struct vnic *owner)
{
	u32 i, n = 0;

	for (i = 0; i < v->nback; i++) {
		if (!owner || v->back[i]->v == owner)
			v->back[i]->used = false;
		else
			v->back[n++] = v->back[i];
	}
	v->nback = n;
}

static void vnic_stop(struct kecat_nic *nic)
{
	struct vnic *v = to_vnic(nic);
	u32 i;

	might_sleep();
	v->running = false;
	nic->link = false;
	host_node_del(&v->tick);
	forget_back(v, NULL);
	if (v->peer)
		forget_back(v->peer, v);
	for (i = 0; i < VNIC_WIRE; i++) {
		host_node_del(&v->wire[i].node);
		v->wire[i].used = false;
	}
	v->entering = 0;
	v->tx_done = v->tx_head;
}

static void vnic_link_poll(struct kecat_nic *nic)
{
	struct vnic *v = to_vnic(nic);

	might_sleep();
	if (!v->running)
		host_fail(__FILE__, __LINE__, "link_poll() while stopped");
	if (!has_link(v))
		v->told_at = 0;
	else if (!v->told_at)
		v->told_at = host_now() + v->link_lag_ns;
	WRITE_ONCE(nic->link, v->told_at && host_now() >= v->told_at);
}

static void vnic_get_stats(struct kecat_nic *nic, struct kecat_nic_stats *st)
{
	memset(st, 0, sizeof(*st));
	st->rx_errors = to_vnic(nic)->count.fcs;
}

static void *vnic_tx_buf(struct kecat_nic *nic)
{
	struct vnic *v = to_vnic(nic);

	must_run(v);
	if (v->tx_head - v->tx_done + v->entering >= v->slots)
		return NULL;
	return v->tx[v->tx_head % VNIC_SLOTS];
}

static void vnic_tx_commit(struct kecat_nic *nic, unsigned int len)
{
	struct vnic *v = to_vnic(nic);

	must_run(v);
	if (len < 60 || len > KECAT_NIC_FRAME_MAX)
		host_fail(__FILE__, __LINE__, "frame of %u bytes", len);
	v->tx_len[v->tx_head++ % VNIC_SLOTS] = (u16)len;
}

/* the master's table says which kind of frame carries this tag */
static void find_slot(struct vnic *v, struct vnic_frame *f)
{
	struct kecat_master *m = v->nic.core;
	u32 tag = sim_get32(f->data + KECAT_FRAME_TAG);
	struct kecat_flight_slot *s = kecat_flight_find(&m->cycle->flight, tag);

	if (!s)
		host_fail(__FILE__, __LINE__, "a frame is sent that nobody waits for");
	f->cyclic = s && s->kind == KECAT_FLIGHT_CYCLIC;
	f->plan = f->cyclic ? s->ref : 0;
	f->cycle = f->cyclic ? s->cycle : 0;
}

static void vnic_tx_kick(struct kecat_nic *nic)
{
	struct vnic *v = to_vnic(nic);

	must_run(v);
	for (; v->tx_done != v->tx_head; v->tx_done++) {
		u32 i = v->tx_done % VNIC_SLOTS;
		struct vnic_frame *f = new_frame(v);

		f->len = v->tx_len[i];
		memcpy(f->data, v->tx[i], f->len);
		memset(v->tx[i], 0xee, f->len);
		find_slot(v, f);
		f->node.fn = enters;
		f->node.ctx = HOST_HARD;
		v->wire_free = max(v->wire_free, host_now() + TX_NS);
		host_node_add(&f->node, v->wire_free);
		v->wire_free += (u64)(f->len + GAP_BYTES) * BYTE_NS;
		v->entering++;
		v->count.sent++;
		v->count.bytes += f->len;
	}
}

static int vnic_rx_poll(struct kecat_nic *nic, int budget)
{
	struct vnic *v = to_vnic(nic);
	int n = 0;

	must_run(v);
	while (n < budget && v->nback && v->back[0]->due <= host_now()) {
		struct vnic_frame *f = v->back[0];

		v->nback--;
		memmove(v->back, v->back + 1, v->nback * sizeof(*v->back));
		kecat_nic_rx(nic, f->data, f->len);
		f->used = false;
		n++;
	}
	return n;
}

static const struct kecat_nic_ops vnic_ops = {
	.start = vnic_start,
	.stop = vnic_stop,
	.link_poll = vnic_link_poll,
	.get_stats = vnic_get_stats,
	.tx_buf = vnic_tx_buf,
	.tx_commit = vnic_tx_commit,
	.tx_kick = vnic_tx_kick,
	.rx_poll = vnic_rx_poll,
};

/* ---- from the test ---- */

static void set_up(struct vnic *v, u32 port, const char *name, u64 seed)
{
	static const u8 mac[ETH_ALEN] = { 0x00, 0x1b, 0x21, 0x00, 0x00, 0x01 };

	v->port = port;
	v->rng = seed;
	v->slots = VNIC_SLOTS;
	v->cycle_ns = 1000000;
	v->nic.api = KECAT_NIC_API;
	v->nic.ops = &vnic_ops;
	v->nic.hard = true;
	memcpy(v->nic.mac, mac, ETH_ALEN);
	v->nic.mac[ETH_ALEN - 1] += port;
	strscpy(v->nic.name, name, sizeof(v->nic.name));
	strscpy(v->nic.driver, "host", sizeof(v->nic.driver));
	v->wire = calloc(VNIC_WIRE, sizeof(*v->wire));
	if (!v->wire)
		abort();
}

struct vnic *vnic_new(const char *slaves, const char *text,
		      const struct sim_devtext *devices, unsigned int ndevices,
		      u64 seed)
{
	struct sim_config cfg = {
		.slaves = slaves, .text = text, .devices = devices,
		.ndevices = ndevices,
	};
	struct vnic *v = calloc(1, sizeof(*v));

	if (!v)
		abort();
	set_up(v, 0, "vnic", seed);
	host_exempt_begin();
	v->seg = sim_segment_create(&cfg, host_now());
	host_exempt_end();
	if (!v->seg)
		host_fatal(__FILE__, __LINE__, "segment: %s", cfg.error);
	return v;
}

/* the other end of a ring */
struct vnic *vnic_new_second(struct vnic *first)
{
	struct vnic *v = calloc(1, sizeof(*v));

	if (!v)
		abort();
	set_up(v, 1, "vnic2", first->rng + 1);
	v->seg = first->seg;
	v->peer = first;
	first->peer = v;
	return v;
}

void vnic_free(struct vnic *v)
{
	host_exempt_begin();
	if (!v->port)
		sim_segment_destroy(v->seg);
	host_exempt_end();
	if (v->peer)
		v->peer->peer = NULL;
	free(v->wire);
	free(v);
}

/* frames of the plan that did not come back in time in @cycle */
u64 vnic_disturbed(const struct vnic *v, u64 cycle)
{
	u32 i = cycle % ARRAY_SIZE(v->disturbed);

	return v->disturbed[i].cycle == cycle ? v->disturbed[i].frames : 0;
}

/* frames that may still come back */
u32 vnic_in_flight(const struct vnic *v)
{
	return v->entering + v->nback;
}

void vnic_link(struct vnic *v, bool up)
{
	v->down = !up;
}

void vnic_set_inputs(struct vnic *v, u32 value)
{
	u32 i;

	for (i = 0; i < v->seg->count; i++) {
		struct sim_slave *s = &v->seg->slave[i];

		if (!s->in.len)
			continue;
		sim_put32(s->store + s->in.map[0].off, value);
		sim_image_inputs(s);
	}
}

/* a command of the segment, as in sim_fault.c */
int vnic_fault(struct vnic *v, const char *fmt, ...)
{
	char cmd[128], answer[128];
	va_list ap;
	int err;

	va_start(ap, fmt);
	vsnprintf(cmd, sizeof(cmd), fmt, ap);
	va_end(ap);
	host_exempt_begin();
	err = sim_segment_fault(v->seg, cmd, host_now(), answer, sizeof(answer));
	host_exempt_end();
	if (err)
		host_fail(__FILE__, __LINE__, "segment refuses '%s': %d", cmd, err);
	return err;
}
