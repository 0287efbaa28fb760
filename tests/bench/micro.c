// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pieces of the cycle, run alone and counted by callgrind: the name of a piece is
 * KECAT_MICRO, and callgrind collects inside piece() only.  It runs ROUNDS times,
 * or with KECAT_MICRO_ROUNDS=0 not at all, which is what the frame around costs.
 * With KECAT_MICRO_COLD it finds nothing in the first-level cache, as after a device
 * and an application on another CPU have written all of it.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "../../kmod/frame.h"
#include "../../kmod/image.h"
#include "../../kmod/master.h"
#include "../../kmod/mon.h"
#include "../../kmod/plan.h"
#include "libc.h"
#include "tap.h"

#define BYTES	400
/* more than twice the cache that callgrind is told of */
#define COLD	(96 * 1024)

static const u8 mac[6] = { 0, 0x1b, 0x21, 0, 0, 1 };
static u8 frame[KECAT_NIC_FRAME_MAX], image[BYTES];
static struct kecat_phase_hist hist;
static u32 sink;

static void build(void)
{
	struct kecat_frame_builder b;

	kecat_frame_begin(&b, frame, mac, 7);
	memcpy(kecat_frame_add(&b, EC_LRW, 1, 0, 1, BYTES), image, BYTES);
	kecat_frame_add(&b, EC_BRD, 2, 0, EC_REG_AL_STATUS, 2);
	kecat_frame_end(&b);
}

static void parse(void)
{
	const struct ec_dgram_hdr *h = (void *)(frame + KECAT_FRAME_BODY);

	sink += kecat_frame_check(frame, KECAT_FRAME_BODY + BYTES + 26, mac, &sink);
	sink += kecat_dgram_answers(h, EC_LRW, 1, 0, 1, BYTES, EC_DGRAM_MORE);
}

static void count(void)
{
	static u64 n;

	n++;
	kecat_hist_add(&hist, 580 + (n & 63), n);
}

static void count_long(void)
{
	static u64 n;

	n++;
	kecat_hist_add(&hist, 250000 + n, n);
}

/* a set of outputs taken and one of inputs published, as far as image.c goes */
static struct kecat_image img;

static void make_image(void)
{
	u32 i, room = 2 * PAGE_SIZE;

	img.in_len = BYTES;
	img.out_len = BYTES;
	img.mem = calloc(7, room);
	img.in_last = calloc(1, BYTES);
	img.out_last = calloc(1, BYTES);
	REQUIRE(img.mem && img.in_last && img.out_last);
	for (i = 0; i < 3; i++) {
		img.in_off[i] = (1 + i) * room;
		img.out_off[i] = (4 + i) * room;
	}
}

static void exchange(void)
{
	static struct kecat_in_hdr h;
	struct kecat_shm *s = img.mem;

	s->out_mid |= KECAT_MID_FRESH;
	if (kecat_image_take_outputs(&img))
		memcpy(img.out_last, kecat_image_outputs(&img), BYTES);
	h.cycle++;
	kecat_image_publish(&img, &h);
}

static const struct {
	const char *name;
	void (*fn)(void);
} pieces[] = {
	{ "frame_build", build }, { "frame_parse", parse },
	{ "image_exchange", exchange },
	{ "hist_add", count }, { "hist_add_long", count_long },
};

/* not static: callgrind looks for its name */
noinline void piece(void (*fn)(void), u64 rounds)
{
	while (rounds--)
		fn();
}

static void evict(void)
{
	static u8 other[COLD] __aligned(64);
	u32 i;

	for (i = 0; i < COLD; i += 64)
		sink += READ_ONCE(other[i]);
}

static void cold(void (*fn)(void), u64 rounds)
{
	while (rounds--) {
		evict();
		piece(fn, 1);
	}
}

TEST(micro)
{
	void (*run)(void (*fn)(void), u64 rounds) = getenv("KECAT_MICRO_COLD") ? cold : piece;
	const char *name = getenv("KECAT_MICRO");
	u64 rounds = tap_number("KECAT_MICRO_ROUNDS", 1000);
	u32 i;

	REQUIRE(name);
	build();
	make_image();
	kecat_hist_reset(&hist);
	for (i = 0; i < ARRAY_SIZE(pieces); i++)
		if (!strcmp(pieces[i].name, name))
			run(pieces[i].fn, rounds);
}
