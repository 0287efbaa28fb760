// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/order.c
#include <string.h>
#include "order.h"
#include "tap.h"

#define MAX	64

/* A record or device: station 0 is none, model 0 cannot be read. */
struct dev {
	unsigned int station;
	unsigned int model;
};

static struct kecat_known known[MAX];
static struct kecat_seen seen[MAX];
static struct kecat_place place[2 * MAX];
static s32 keep[MAX];
static u32 nknown, nseen, n;

static struct kecat_ident ident(unsigned int model)
{
	return (struct kecat_ident) {
		.valid = model, .vendor = 2, .product = model, .revision = 1,
	};
}

static void begin(void)
{
	nknown = 0;
	nseen = 0;
}

static void record(unsigned int station, unsigned int model)
{
	known[nknown] = (struct kecat_known) {
		.station = station, .bus = nknown, .ident = ident(model),
	};
	nknown++;
}

static void device(unsigned int station, unsigned int model)
{
	seen[nseen++] = (struct kecat_seen) {
		.station = station, .ident = ident(model),
	};
}

static void merge(u32 room)
{
	kecat_order_keep(known, nknown, seen, nseen, keep);
	n = kecat_order_merge(known, nknown, seen, nseen, keep, place, room);
}

/* the place is that of record @k, with device @s */
static void check_place(u32 at, int k, int s, bool fresh)
{
	CHECK(at < n);
	CHECK_EQ(place[at].known, k);
	CHECK_EQ(place[at].seen, s);
	if (s >= 0)
		CHECK_EQ(place[at].fresh, fresh);
}

TEST(cold, "a segment of strangers becomes new records, whatever address they carry")
{
	begin();
	device(0, 0);
	device(1001, 0);
	device(1001, 0);
	merge(MAX);
	CHECK_EQ(n, 3);
	check_place(0, -1, 0, true);
	check_place(1, -1, 1, true);
	check_place(2, -1, 2, true);
}

TEST(steady, "nothing changed: every record keeps its place")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	device(1001, 0);
	device(1002, 0);
	merge(MAX);
	CHECK_EQ(n, 2);
	check_place(0, 0, 0, false);
	check_place(1, 1, 1, false);
}

TEST(cut, "what is behind a cut cable stays in the list as missing")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	record(1003, 3);
	device(1001, 0);
	merge(MAX);
	CHECK_EQ(n, 3);
	check_place(0, 0, 0, false);
	check_place(1, 1, -1, false);
	check_place(2, 2, -1, false);
}

TEST(middle, "a device removed from the middle leaves the positions behind it alone")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	record(1003, 3);
	device(1001, 0);
	device(1003, 0);
	merge(MAX);
	CHECK_EQ(n, 3);
	check_place(1, 1, -1, false);
	check_place(2, 2, 1, false);
}

TEST(power_cycle, "a device without address and of the same identity takes its record back")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	record(1003, 3);
	device(1001, 0);
	device(0, 2);
	device(1003, 0);
	merge(MAX);
	CHECK_EQ(n, 3);
	check_place(1, 1, 1, false);
	check_place(2, 2, 2, false);
}

TEST(power_cycle_all, "a whole segment without addresses takes its records back in order")
{
	u32 i;

	begin();
	for (i = 0; i < 5; i++)
		record(1001 + i, i % 2 + 1);
	for (i = 0; i < 5; i++)
		device(0, i % 2 + 1);
	merge(MAX);
	CHECK_EQ(n, 5);
	for (i = 0; i < 5; i++)
		check_place(i, i, i, false);
}

TEST(part_back, "when only some come back they find their own records")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	record(1003, 3);
	record(1004, 4);
	device(0, 3);
	device(0, 4);
	merge(MAX);
	CHECK_EQ(n, 4);
	check_place(0, 0, -1, false);
	check_place(1, 1, -1, false);
	check_place(2, 2, 0, false);
	check_place(3, 3, 1, false);
}

TEST(replaced, "another device in the same place ends the record, and moves nobody")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	record(1003, 3);
	device(1001, 0);
	device(0, 9);
	device(1003, 0);
	merge(MAX);
	CHECK_EQ(n, 3);
	check_place(1, 1, 1, true);
	check_place(2, 2, 2, false);
}

TEST(swapped, "two devices that changed places are two new ones, and move nobody")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	record(1003, 3);
	device(0, 2);
	device(0, 1);
	device(1003, 0);
	merge(MAX);
	CHECK_EQ(n, 3);
	check_place(0, 0, 0, true);
	check_place(1, 1, 1, true);
	check_place(2, 2, 2, false);
}

TEST(unreadable, "a device that cannot be identified is not taken for the missing one")
{
	begin();
	record(1001, 0);
	record(1002, 2);
	device(0, 0);
	device(1002, 0);
	merge(MAX);
	CHECK_EQ(n, 2);
	check_place(0, 0, 0, true);
}

TEST(inserted, "a device added in the middle is new, all others are kept")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	device(1001, 0);
	device(0, 9);
	device(1002, 0);
	merge(MAX);
	CHECK_EQ(n, 3);
	check_place(1, -1, 1, true);
	check_place(2, 1, 2, false);
}

TEST(more_than_missing, "of more devices than records the equal one has its record")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	record(1003, 3);
	device(1001, 0);
	device(0, 9);
	device(0, 2);
	device(1003, 0);
	merge(MAX);
	CHECK_EQ(n, 4);
	check_place(1, -1, 1, true);
	check_place(2, 1, 2, false);
	check_place(3, 2, 3, false);
}

TEST(foreign_address, "a stranger with an address of ours is told from the one that has it")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	device(1002, 0);	/* joined in front */
	device(1001, 0);
	device(1002, 0);
	merge(MAX);
	CHECK_EQ(n, 3);
	CHECK_EQ(keep[0], -1);
	CHECK_EQ(keep[1], 0);
	CHECK_EQ(keep[2], 1);
}

TEST(moved, "devices that kept power stand where the frame finds them")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	record(1003, 3);
	device(1003, 0);
	device(1001, 0);
	device(1002, 0);
	merge(MAX);
	CHECK_EQ(n, 3);
	check_place(0, 2, 0, false);
	check_place(1, 0, 1, false);
	check_place(2, 1, 2, false);
}

TEST(room, "missing records make way when the list is full")
{
	begin();
	record(1001, 1);
	record(1002, 2);
	record(1003, 3);
	device(0, 9);
	device(1003, 0);
	device(0, 8);
	merge(3);
	CHECK_EQ(n, 3);
	check_place(0, 0, 0, true);
	check_place(1, 2, 1, false);
	check_place(2, -1, 2, true);
}

static bool used_once(u32 records)
{
	bool k[MAX] = {}, s[MAX] = {};
	u32 i;

	for (i = 0; i < n; i++) {
		if (place[i].known >= 0) {
			if (k[place[i].known])
				return false;
			k[place[i].known] = true;
		}
		if (place[i].seen >= 0) {
			if (s[place[i].seen])
				return false;
			s[place[i].seen] = true;
		}
	}
	for (i = 0; i < nseen; i++)
		if (!s[i])
			return false;
	for (i = 0; i < records; i++)
		if (!k[i])
			return false;
	return true;
}

TEST(random, "whatever comes: every device has one place, no record is lost or doubled")
{
	unsigned int round, i;
	s32 last;

	srand(7);
	for (round = 0; round < 200000; round++) {
		begin();
		for (i = rand() % 12; i; i--)
			record(1000 + rand() % 20, rand() % 4);
		for (i = rand() % 12; i; i--)
			device(rand() % 3 ? 1000 + rand() % 20 : 0, rand() % 4);
		merge(MAX);
		CHECK(used_once(nknown));
		/* the order of the frame */
		for (i = 0, last = -1; i < n; i++) {
			if (place[i].seen < 0)
				continue;
			CHECK(place[i].seen > last);
			last = place[i].seen;
		}
	}
}

TEST(room_random, "no list is longer than its room, and all devices are in it")
{
	unsigned int round, i;

	srand(8);
	for (round = 0; round < 100000; round++) {
		begin();
		for (i = rand() % 12; i; i--)
			record(1000 + rand() % 20, rand() % 4);
		for (i = rand() % 12; i; i--)
			device(rand() % 3 ? 1000 + rand() % 20 : 0, rand() % 4);
		merge(12);
		CHECK(n <= 12);
		CHECK(used_once(0));
	}
}

TEST(addresses, "a new address is one that nobody has")
{
	u16 used[] = { 1001, 1003, 0xefff }, next = 0;

	CHECK_EQ(kecat_order_address(&next, used, 3), 1002);
	CHECK_EQ(kecat_order_address(&next, used, 3), 1004);
	next = 0xefff;
	CHECK_EQ(kecat_order_address(&next, used, 3), 1002);
}
