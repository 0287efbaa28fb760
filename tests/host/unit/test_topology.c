// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/topology.c kmod/dc_math.c
#include <string.h>
#include "dc_math.h"
#include "topology.h"
#include "tap.h"

#define NONE	KECAT_NO_NEIGHBOUR
#define MAX	64

static struct kecat_topo topo[MAX];
static u32 count;

static void begin(void)
{
	memset(topo, 0xff, sizeof(topo));
	count = 0;
}

/* a slave with these ports in use */
static void slave(const char *ports)
{
	u16 v = 0;
	int p;

	for (p = 0; p < 4; p++)
		v |= strchr(ports, '0' + p) ? 0x0010 << p | 0x0200 << 2 * p :
					      0x0100 << 2 * p;
	topo[count++].dl_status = v;
}

static void raw(u16 dl_status)
{
	topo[count++].dl_status = dl_status;
}

static void check_links(u32 i, int p0, int p1, int p2, int p3)
{
	CHECK_EQ(topo[i].neighbour[0], p0 < 0 ? NONE : p0);
	CHECK_EQ(topo[i].neighbour[1], p1 < 0 ? NONE : p1);
	CHECK_EQ(topo[i].neighbour[2], p2 < 0 ? NONE : p2);
	CHECK_EQ(topo[i].neighbour[3], p3 < 0 ? NONE : p3);
}

TEST(line, "a line: each is behind port 1 of the one before (values of real parts)")
{
	begin();
	raw(0x5a31);	/* EK1100 */
	raw(0x5a33);	/* EL2828 */
	raw(0x5613);	/* EL2889, the last */
	CHECK_EQ(kecat_topology_build(topo, count, count), 0);
	check_links(0, -1, 1, -1, -1);
	check_links(1, 0, 2, -1, -1);
	check_links(2, 1, -1, -1, -1);
}

TEST(branches, "branches are entered in the order 3, 1, 2, each to its end")
{
	begin();
	slave("0123");		/* 0 */
	slave("01");		/* 1: port 3 of 0 */
	slave("0");		/* 2: behind it */
	slave("02");		/* 3: port 1 of 0 */
	slave("0");		/* 4: behind it */
	slave("0");		/* 5: port 2 of 0 */
	CHECK_EQ(kecat_topology_build(topo, count, count), 0);
	check_links(0, -1, 3, 5, 1);
	check_links(1, 0, 2, -1, -1);
	check_links(3, 0, -1, 4, -1);
	check_links(5, 0, -1, -1, -1);
	CHECK_EQ(topo[4].parent, 3);
	CHECK_EQ(topo[4].parent_port, 2);
}

TEST(faults, "what does not fit is said, and guessed without running away")
{
	begin();
	slave("01");
	slave("01");
	CHECK_EQ(kecat_topology_build(topo, count, count), KECAT_TOPO_OPEN);
	begin();
	slave("0");
	slave("0");
	CHECK_EQ(kecat_topology_build(topo, count, count), KECAT_TOPO_SURPLUS);
	check_links(1, -1, -1, -1, -1);
	begin();
	slave("01");
	slave("1");
	CHECK(kecat_topology_build(topo, count, count) & KECAT_TOPO_CROSSED);
	begin();
	CHECK_EQ(kecat_topology_build(topo, count, count), 0);
}

TEST(closed, "a port with a link that is closed leads nowhere")
{
	begin();
	raw(0x5a31 | 0x0400);
	CHECK(!kecat_topology_port_open(topo[0].dl_status, 1));
	CHECK(kecat_topology_port_open(topo[0].dl_status, 0));
}

TEST(anything, "any DL status of any slave: links are mutual")
{
	unsigned int round, i, p, q;

	srand(3);
	for (round = 0; round < 20000; round++) {
		begin();
		for (i = rand() % 20; i; i--)
			raw(rand());
		kecat_topology_build(topo, count, count);
		for (i = 0; i < count; i++) {
			for (p = 1; p < 4; p++) {
				q = topo[i].neighbour[p];
				if (q == NONE)
					continue;
				CHECK(q > i && q < count);
				CHECK_EQ(topo[q].neighbour[0], i);
				CHECK_EQ(topo[q].parent_port, p);
			}
		}
	}
}

/* ---- delays ---- */

static struct kecat_dc_node node[MAX];
static u32 clk[MAX], arrival[MAX], wire[MAX];

/*
 * The frame enters slave @i at time @t; returns when it leaves it for good.
 * Fills in what the slaves would latch.
 */
static u32 pass(u32 i, u32 t)
{
	static const u8 order[] = { 3, 1, 2 };
	unsigned int k;

	arrival[i] = t;
	node[i].time[0] = t + clk[i];
	for (k = 0; k < 3; k++) {
		u16 next = topo[i].neighbour[order[k]];

		if (next == NONE)
			continue;
		t = pass(next, t + wire[next]) + wire[next];
		node[i].time[order[k]] = t + clk[i];
	}
	return t;
}

static void random_tree(u32 n)
{
	static const char * const some[] = {
		"0", "01", "012", "013", "0123", "03", "02",
	};
	u32 open = 1;

	begin();
	while (count < n && open) {
		/* not to end before it is due */
		const char *s = some[open > 1 ? rand() % 7 : 1 + rand() % 6];

		open += strlen(s) - 2;
		slave(s);
	}
	while (open--)
		slave("0");
}

static void measure(bool all_timed)
{
	u32 i, start = rand();

	CHECK_EQ(kecat_topology_build(topo, count, count), 0);
	for (i = 0; i < count; i++) {
		node[i].topo = topo[i];
		node[i].timed = all_timed || !i || rand() % 2;
		clk[i] = (u32)rand() << 16 ^ rand();
		wire[i] = rand() % 20000;
	}
	pass(0, start);
	kecat_dc_delays(node, count);
	for (i = 0; i < count; i++)
		if (node[i].timed)
			CHECK_EQ(node[i].delay, arrival[i] - arrival[0]);
}

TEST(delays, "delays of any tree, clocks anywhere, also where they wrap")
{
	unsigned int round;

	srand(4);
	for (round = 0; round < 5000; round++) {
		random_tree(1 + rand() % 20);
		measure(true);
	}
}

TEST(delays_untimed, "slaves without receive times are part of the cable")
{
	unsigned int round, i;

	srand(5);
	for (round = 0; round < 5000; round++) {
		begin();
		for (i = 1 + rand() % 10; i; i--)
			slave("01");
		slave("0");
		measure(false);
	}
}

TEST(offset, "local time plus offset is the reference's time, whatever wraps")
{
	u64 ref = 0xfffffffffffffff0, off = 0x123456789abcdef0, local = 17;
	u64 o = kecat_dc_offset(ref, off, local, 300);

	CHECK(local + o == ref + off + 300);
	CHECK((u32)local + (u32)o == (u32)(ref + off + 300));
}

TEST(start, "the first pulse lies ahead, in phase with the cycle, shifted")
{
	u64 now;
	s64 shift;
	unsigned int i;

	srand(6);
	for (i = 0; i < 100000; i++) {
		u64 cycle = 50000 + rand() % 4000000, t;

		now = (u64)rand() << 20 ^ rand();
		shift = rand() % 4000000 - 2000000;
		t = kecat_dc_start(now, 1000000, cycle, shift);
		CHECK(t >= now + 1000000);
		CHECK(t <= now + 1000000 + 2 * cycle + 2000000);
		CHECK_EQ((s64)(t - shift) % (s64)cycle, 0);
	}
}
