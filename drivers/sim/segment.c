// SPDX-License-Identifier: GPL-2.0-only
/* Life of a segment, and what happens to a frame that is given to it. */
#include "segment.h"

#define ETH_HEADER	14
#define ETHERTYPE_ECAT	0x88a4
#define ETHERTYPE_IP	0x0800
#define ETHERTYPE_VLAN	0x8100
#define UDP_PORT_ECAT	0x88a4
#define IP_PROTO_UDP	17
#define DG_HEADER	10
#define DG_MORE		0x8000

static u16 be16(const u8 *p)
{
	return (u16)(p[0] << 8 | p[1]);
}

/* Where the EtherCAT header lies: plain, behind a VLAN tag, or in UDP. */
static size_t find_header(u8 *f, size_t len)
{
	size_t at = 12, ip;

	if (len < at + 6)
		return 0;
	if (be16(f + at) == ETHERTYPE_VLAN)
		at += 4;
	if (len < at + 4)
		return 0;
	if (be16(f + at) == ETHERTYPE_ECAT)
		return at + 2;
	ip = at + 2;
	if (be16(f + at) != ETHERTYPE_IP || len < ip + 20 + 8 + 2 ||
	    f[ip] != 0x45 || f[ip + 9] != IP_PROTO_UDP ||
	    be16(f + ip + 22) != UDP_PORT_ECAT)
		return 0;
	/* controllers clear the UDP checksum, they cannot correct it in time */
	f[ip + 26] = 0;
	f[ip + 27] = 0;
	return ip + 28;
}

/* Cut the frame into datagrams; what does not fit is left alone. */
static void parse(struct sim_segment *seg, const u8 *f, size_t len, size_t at)
{
	u16 head = sim_get16(f + at);
	size_t end = at + 2 + (head & 0x7ff);

	seg->dgs = 0;
	if (head >> 12 != 1)
		return;
	if (end > len)
		end = len;
	for (at += 2; at + DG_HEADER + 2 <= end &&
	     seg->dgs < SIM_DATAGRAMS_MAX;) {
		u16 word = sim_get16(f + at + 6), n = word & 0x7ff;

		if (at + DG_HEADER + n + 2 > end)
			return;
		seg->dg[seg->dgs].header = (u16)at;
		seg->dg[seg->dgs].data = (u16)(at + DG_HEADER);
		seg->dg[seg->dgs++].len = n;
		at += DG_HEADER + n + 2u;
		if (!(word & DG_MORE))
			return;
	}
}

static u32 next_random(struct sim_segment *seg)
{
	u32 x = seg->seed ? seg->seed : 1;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	seg->seed = x;
	return x;
}

/* Damage that no checksum finds: one byte of a datagram is another one. */
static void corrupt(struct sim_segment *seg, u8 *f)
{
	u32 i;

	if (!seg->dgs)
		return;
	i = next_random(seg) % seg->dgs;
	f[seg->dg[i].header + next_random(seg) % DG_HEADER] ^= 0x55;
}

static bool end_alive(const struct sim_segment *seg, const struct sim_peer *p)
{
	if (!p->used || p->unplugged)
		return false;
	return p->slave >= SIM_PEER_NIC0 || seg->slave[p->slave].powered;
}

/**
 * sim_segment_process_port - a frame goes out by one port of the master
 * @seg:     segment
 * @port:    0, or 1 with a ring; then the port at which the answer arrives
 * @frame:   Ethernet frame without FCS, answered in place
 * @len:     its length
 * @now_ns:  time of its first bit; never goes back
 * @done_ns: time of the answer's first bit
 *
 * Return: length of the answer, 0 when the frame is lost.
 */
size_t sim_segment_process_port(struct sim_segment *seg, unsigned int *port,
				void *frame, size_t len, u64 now_ns,
				u64 *done_ns)
{
	u8 *f = frame;
	size_t at = find_header(f, len);

	*done_ns = now_ns;
	if (now_ns >= seg->wake)
		sim_segment_tick(seg, now_ns);
	seg->stats.frames++;
	if (!at || *port > 1 || !end_alive(seg, &seg->nic[*port])) {
		/* slaves destroy what is not EtherCAT */
		seg->stats.ignored += !at;
		seg->stats.vanished++;
		return 0;
	}
	if (seg->drop && seg->drop_from & BIT(*port)) {
		seg->drop--;
		seg->stats.vanished++;
		return 0;
	}
	parse(seg, f, len, at);
	seg->stats.datagrams += seg->dgs;
	if (!++seg->frame)
		seg->frame = 1;
	if (!sim_walk(seg, f, port, done_ns)) {
		seg->stats.vanished++;
		return 0;
	}
	f[6] |= 0x02;
	if (seg->corrupt) {
		seg->corrupt--;
		corrupt(seg, f);
	}
	return len;
}

/**
 * sim_segment_process - a frame goes out and comes back by the first port
 * @seg:    segment
 * @frame:  Ethernet frame without FCS, answered in place
 * @len:    its length
 * @now_ns: time; never goes back
 *
 * Return: length of the answer, 0 when the frame is lost.
 */
size_t sim_segment_process(struct sim_segment *seg, void *frame, size_t len,
			   u64 now_ns)
{
	unsigned int port = 0;
	u64 done;
	size_t n = sim_segment_process_port(seg, &port, frame, len, now_ns, &done);

	return port ? 0 : n;
}

static void follow_wires(struct sim_segment *seg, u16 slave)
{
	u16 i;

	for (i = 0; i < seg->loops; i++)
		if (seg->loop[i].out == slave) {
			struct sim_slave *to = &seg->slave[seg->loop[i].in];

			sim_image_copy(to, &seg->slave[slave]);
			sim_image_inputs(to);
		}
}

/**
 * sim_segment_tick - the applications' turn
 * @seg:    segment
 * @now_ns: time
 *
 * To be called after each frame.  What falls due without one is made up for
 * when the next frame comes, before it is answered.
 */
void sim_segment_tick(struct sim_segment *seg, u64 now_ns)
{
	u16 i;

	seg->wake = ~0ull;
	for (i = 0; i < seg->count; i++) {
		struct sim_slave *s = &seg->slave[i];

		if (sim_slave_tick(s, now_ns))
			follow_wires(seg, i);
		if (s->powered && s->wake < seg->wake)
			seg->wake = s->wake;
	}
}

/**
 * sim_segment_relink - after cables or power changed: who sees a signal
 * @seg: segment
 */
void sim_segment_relink(struct sim_segment *seg)
{
	unsigned int i, p;

	for (i = 0; i < seg->count; i++) {
		struct sim_slave *s = &seg->slave[i];
		u8 links = 0;

		if (!s->powered)
			continue;
		for (p = 0; p < ESC_PORTS; p++)
			if (end_alive(seg, &s->peer[p]))
				links |= (u8)BIT(p);
		esc_set_links(&s->esc, links);
	}
}

/**
 * sim_segment_set_input - a signal from the process
 * @seg:   segment
 * @slave: position
 * @entry: number of the entry in the input image, padding not counted
 * @value: new value
 *
 * Return: 0, -ENODEV, -ENOENT.
 */
int sim_segment_set_input(struct sim_segment *seg, unsigned int slave,
			  unsigned int entry, u64 value)
{
	struct sim_slave *s;
	u32 i, n;

	if (slave >= seg->count)
		return -ENODEV;
	s = &seg->slave[slave];
	if (entry >= s->in.count)
		return -ENOENT;
	n = sim_min((s->in.map[entry].bits + 7u) / 8, 8);
	for (i = 0; i < n; i++)
		s->store[s->in.map[entry].off + i] = (u8)(value >> (8 * i));
	sim_image_inputs(s);
	return 0;
}

/**
 * sim_segment_get_output - a signal to the process
 * @seg:   segment
 * @slave: position
 * @entry: number of the entry in the output image, padding not counted
 * @value: filled in
 *
 * Return: 0, -ENODEV, -ENOENT.
 */
int sim_segment_get_output(struct sim_segment *seg, unsigned int slave,
			   unsigned int entry, u64 *value)
{
	if (slave >= seg->count)
		return -ENODEV;
	if (entry >= seg->slave[slave].out.count)
		return -ENOENT;
	*value = sim_value(seg->slave[slave].store,
			   &seg->slave[slave].out.map[entry]);
	return 0;
}

/**
 * sim_segment_create - build a segment and switch it on
 * @cfg:    what to build
 * @now_ns: time
 *
 * Return: the segment, or NULL with a reason in @cfg->error.
 */
struct sim_segment *sim_segment_create(struct sim_config *cfg, u64 now_ns)
{
	struct sim_segment *seg = sim_zalloc(sizeof(*seg));
	u16 i;

	cfg->error[0] = 0;
	if (!seg) {
		snprintf(cfg->error, sizeof(cfg->error), "out of memory");
		return NULL;
	}
	seg->cable_ns = 5;
	if (sim_build(seg, cfg)) {
		sim_segment_destroy(seg);
		return NULL;
	}
	for (i = 0; i < seg->count; i++)
		sim_slave_power(&seg->slave[i], true, now_ns);
	sim_segment_relink(seg);
	return seg;
}

void sim_segment_destroy(struct sim_segment *seg)
{
	u16 i;

	if (!seg)
		return;
	for (i = 0; seg->slave && i < seg->count; i++)
		sim_slave_free(&seg->slave[i]);
	sim_free(seg->slave);
	for (i = 0; i < seg->kinds; i++)
		sim_desc_free(seg->kind[i]);
	sim_free(seg);
}
