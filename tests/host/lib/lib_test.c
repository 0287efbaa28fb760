// SPDX-License-Identifier: GPL-2.0-only
/* libkecat without a master: configurations, layout, values, histograms, texts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../../userspace/lib/priv.h"
#include "check.h"

static struct kecat_conf *small(void)
{
	struct kecat_conf *c = kecat_conf_new(1000000);
	struct kecat_cfg_slave s = { .position = 3, .vendor = 0x11223344 };
	struct kecat_cfg_sm sm = { .index = 2, .dir = KECAT_DIR_OUT };
	struct kecat_cfg_sdo sdo = { .index = 0x8000, .subindex = 1, .len = 77 };

	strcpy(s.name, "motor");
	CHECK(kecat_conf_add_slave(c, &s) == 0);
	CHECK(kecat_conf_add_sm(c, &sm) == 0);
	CHECK(kecat_conf_add_pdo(c, 0x1600) == 0);
	CHECK(kecat_conf_add_entry(c, 0x7000, 1, 3) == 0);
	CHECK(kecat_conf_add_sdo(c, &sdo, "\x01\x02\x03", 3) == 0);
	CHECK(kecat_conf_add_entry(c, 0x7000, 2, 16) == 0);
	return c;
}

/* the element at @pos: type, payload; next position */
static uint32_t elem(const uint8_t *blob, uint32_t pos, uint16_t type,
		     uint32_t len, const void **payload)
{
	struct kecat_cfg_tlv tlv;

	memcpy(&tlv, blob + pos, sizeof(tlv));
	CHECK(tlv.type == type);
	CHECK(tlv.flags == 0);
	CHECK(tlv.len == len);
	*payload = blob + pos + sizeof(tlv);
	return pos + sizeof(tlv) + ((tlv.len + 7) & ~7u);
}

static void fill_takes_the_place_of_slaves(void)
{
	struct kecat_conf *c = kecat_conf_new(1000000), *again;
	const struct kecat_cfg_fill *f;
	struct kecat_cfg_sm sm = { .index = 2 };
	struct kecat_element e = { 0 };
	const uint8_t *b;
	uint32_t len;

	CHECK(kecat_conf_add_fill(c, 3, 1400) == 0);
	CHECK(kecat_conf_add_sm(c, &sm) == -EINVAL);
	b = kecat_conf_blob(c, &len);
	elem(b, elem(b, 0, KECAT_CFG_BUS, sizeof(struct kecat_cfg_bus), (const void **)&f),
	     KECAT_CFG_FILL, sizeof(*f), (const void **)&f);
	CHECK(f->frames == 3 && f->bytes == 1400);
	CHECK(kecat_conf_from_blob(b, len, &again) == 0);
	CHECK(kecat_conf_next(again, &e) && e.bus);
	CHECK(kecat_conf_next(again, &e) && e.type == KECAT_CFG_FILL && !e.slv);
	CHECK(!kecat_conf_next(again, &e));
	kecat_conf_free(again);
	kecat_conf_free(c);
	c = small();
	CHECK(kecat_conf_add_fill(c, 1, 1) == -EINVAL);
	kecat_conf_free(c);
}

static void builder_writes_the_elements_in_order(void)
{
	struct kecat_conf *c = small();
	uint32_t len, pos = 0;
	const uint8_t *b = kecat_conf_blob(c, &len);
	const void *p;

	pos = elem(b, pos, KECAT_CFG_BUS, sizeof(struct kecat_cfg_bus), &p);
	CHECK(((const struct kecat_cfg_bus *)p)->cycle_ns == 1000000);
	pos = elem(b, pos, KECAT_CFG_SLAVE, sizeof(struct kecat_cfg_slave), &p);
	CHECK(((const struct kecat_cfg_slave *)p)->vendor == 0x11223344);
	CHECK(!strcmp(((const struct kecat_cfg_slave *)p)->name, "motor"));
	pos = elem(b, pos, KECAT_CFG_SM, sizeof(struct kecat_cfg_sm), &p);
	pos = elem(b, pos, KECAT_CFG_PDO, sizeof(struct kecat_cfg_pdo), &p);
	CHECK(((const struct kecat_cfg_pdo *)p)->index == 0x1600);
	pos = elem(b, pos, KECAT_CFG_ENTRY, sizeof(struct kecat_cfg_entry), &p);
	CHECK(((const struct kecat_cfg_entry *)p)->bits == 3);
	pos = elem(b, pos, KECAT_CFG_SDO, sizeof(struct kecat_cfg_sdo) + 3, &p);
	CHECK(((const struct kecat_cfg_sdo *)p)->len == 3);
	CHECK(!memcmp((const struct kecat_cfg_sdo *)p + 1, "\x01\x02\x03\0\0\0\0\0", 8));
	pos = elem(b, pos, KECAT_CFG_ENTRY, sizeof(struct kecat_cfg_entry), &p);
	CHECK(pos == len);
	kecat_conf_free(c);
}

static void builder_refuses_what_has_no_parent(void)
{
	struct kecat_conf *c = kecat_conf_new(1000000);
	struct kecat_cfg_slave s = { .group = KECAT_MAX_GROUPS };
	struct kecat_cfg_sm sm = { .index = 16 };
	struct kecat_cfg_sdo sdo = { .transition = KECAT_TR_SO + 1 };

	CHECK(kecat_conf_add_sm(c, &sm) == -EINVAL);
	CHECK(kecat_conf_add_sdo(c, &sdo, NULL, 0) == -EINVAL);
	CHECK(kecat_conf_add_slave(c, &s) == -EINVAL);
	s.group = 0;
	CHECK(kecat_conf_add_slave(c, &s) == 0);
	CHECK(kecat_conf_add_slave(c, &s) == 1);
	CHECK(kecat_conf_add_pdo(c, 0x1600) == -EINVAL);
	CHECK(kecat_conf_add_sm(c, &sm) == -EINVAL);
	sm.index = 2;
	CHECK(kecat_conf_add_sm(c, &sm) == 0);
	CHECK(kecat_conf_add_entry(c, 1, 1, 1) == -EINVAL);
	CHECK(kecat_conf_add_pdo(c, 0x1600) == 0);
	CHECK(kecat_conf_add_entry(c, 1, 1, 0) == -EINVAL);
	CHECK(kecat_conf_add_entry(c, 1, 1, 1) == 0);
	CHECK(kecat_conf_add_slave(c, &s) == 2);
	CHECK(kecat_conf_add_pdo(c, 0x1600) == -EINVAL);
	CHECK(kecat_conf_add_sdo(c, &sdo, NULL, 0) == -EINVAL);
	kecat_conf_free(c);
}

static void builder_ends_at_the_largest_configuration(void)
{
	struct kecat_conf *c = kecat_conf_new(1000000);
	struct kecat_cfg_slave s = { 0 };
	struct kecat_cfg_sdo sdo = { .index = 1 };
	static uint8_t data[KECAT_MAX_SDO];
	uint32_t len;
	int ret;

	CHECK(kecat_conf_add_slave(c, &s) == 0);
	CHECK(kecat_conf_add_sdo(c, &sdo, data, KECAT_MAX_SDO + 1) == -EINVAL);
	do
		ret = kecat_conf_add_sdo(c, &sdo, data, KECAT_MAX_SDO);
	while (!ret);
	CHECK(ret == -E2BIG);
	kecat_conf_blob(c, &len);
	CHECK(len <= KECAT_MAX_CONFIG && len > KECAT_MAX_CONFIG - KECAT_MAX_SDO - 64);
	kecat_conf_free(c);
}

static void blob_survives_taking_apart(void)
{
	struct kecat_conf *c = small(), *d = NULL;
	uint32_t len, again;
	const void *b = kecat_conf_blob(c, &len);

	CHECK(kecat_conf_from_blob(b, len, &d) == 0);
	CHECK(!memcmp(kecat_conf_blob(d, &again), b, len) && again == len);
	kecat_conf_free(d);
	kecat_conf_free(c);
}

/* Every cut and every changed byte: refused, or whole; never out of bounds */
static void damaged_blobs_do_no_harm(void)
{
	struct kecat_conf *c = small(), *d;
	uint32_t len, i, taken = 0;
	const uint8_t *b = kecat_conf_blob(c, &len);

	for (i = 0; i < len * 8; i++) {
		uint8_t *copy = malloc(len);
		struct kecat_element e = { 0 };
		static const uint8_t flip[] = { 0xff, 0x01, 0x80, 0x7f, 2, 4, 8, 16 };

		memcpy(copy, b, len);
		copy[i / 8] ^= flip[i % 8];
		d = NULL;
		if (!kecat_conf_from_blob(copy, len, &d))
			while (kecat_conf_next(d, &e))
				taken += e.sdo && e.sdo->len ? ((const uint8_t *)e.data)[e.sdo->len - 1] : 1;
		kecat_conf_free(d);
		d = NULL;
		memcpy(copy, b, len);
		copy = realloc(copy, i / 8 + 1);
		if (!kecat_conf_from_blob(copy, i / 8, &d))
			taken++;
		kecat_conf_free(d);
		free(copy);
	}
	CHECK(taken > len);
	CHECK(kecat_conf_from_blob(b, 0, &d) == -EINVAL);
	CHECK(kecat_conf_from_blob(b, KECAT_MAX_CONFIG + 1, &d) == -E2BIG);
	kecat_conf_free(c);
}

static void walk_tells_whose_element_it_is(void)
{
	struct kecat_conf *c = small();
	struct kecat_cfg_slave s = { .position = 4 };
	struct kecat_element e = { 0 };
	uint32_t slaves = 0, sdos = 0;

	CHECK(kecat_conf_add_slave(c, &s) == 1);
	while (kecat_conf_next(c, &e)) {
		CHECK(e.bus ? e.slave == KECAT_ALL : e.slave == (e.slv ? slaves : slaves - 1));
		slaves += e.slv != NULL;
		sdos += e.sdo && !memcmp(e.data, "\x01\x02\x03", 3);
	}
	CHECK(slaves == 2 && sdos == 1);
	kecat_conf_free(c);
}

static void object_is_found_at_its_bit(void)
{
	struct kecat_conf *c = small();
	struct kecat_layout lay[] = {
		{ .slave = 1, .sm = 2, .dir = KECAT_DIR_OUT, .offset = 0, .len = 9 },
		{ .slave = 0, .sm = 2, .dir = KECAT_DIR_OUT, .offset = 10, .len = 3, .group = 5 },
	};
	struct kecat_loc loc = { 0 };

	CHECK(kecat_conf_locate(c, lay, 2, 0, 0x7000, 1, &loc) == 0);
	CHECK(loc.offset == 80 && loc.bits == 3 && loc.group == 5 && loc.dir == KECAT_DIR_OUT);
	CHECK(kecat_conf_locate(c, lay, 2, 0, 0x7000, 2, &loc) == 0);
	CHECK(loc.offset == 83 && loc.bits == 16);
	CHECK(kecat_conf_locate(c, lay, 2, 0, 0x7000, 3, &loc) == -ENOENT);
	CHECK(kecat_conf_locate(c, lay, 2, 1, 0x7000, 1, &loc) == -ENOENT);
	/* an SM that is shorter than its entries holds only those that fit */
	lay[1].len = 2;
	CHECK(kecat_conf_locate(c, lay, 2, 0, 0x7000, 1, &loc) == 0);
	CHECK(kecat_conf_locate(c, lay, 2, 0, 0x7000, 2, &loc) == -ENOENT);
	CHECK(kecat_conf_locate(c, lay, 1, 0, 0x7000, 1, &loc) == -ENOENT);
	kecat_conf_free(c);
}

static void values_of_any_width_and_place(void)
{
	uint8_t image[18], before[18];
	uint64_t v = 0x9e3779b97f4a7c15ull;

	for (uint32_t bits = 1; bits <= 64; bits++) {
		for (uint32_t offset = 0; offset < 72; offset++) {
			uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;

			memset(image, offset & 1 ? 0xff : 0, sizeof(image));
			memcpy(before, image, sizeof(image));
			v = v * 6364136223846793005ull + 1;
			kecat_set(image, offset, bits, v);
			CHECK(kecat_get(image, offset, bits) == (v & mask));
			kecat_set(image, offset, bits, offset & 1 ? ~0ull : 0);
			CHECK(!memcmp(image, before, sizeof(image)));
		}
	}
	kecat_set(image, 3, 12, -5);
	CHECK(kecat_get_signed(image, 3, 12) == -5);
	kecat_set(image, 0, 32, 0x11223344);
	CHECK(image[0] == 0x44 && image[3] == 0x11);
}

/* the bucket as the head of the kernel's interface defines it */
static uint32_t bucket(uint64_t ns)
{
	int octave;

	if (ns < 102400)
		return ns / 100;
	if (ns >= 1ull << 31)
		return KECAT_HIST_BUCKETS - 1;
	octave = 63 - __builtin_clzll(ns);
	return 1024 + (octave - 16) * 128 + (ns >> (octave - 7) & 127);
}

static void histogram_buckets_have_their_limits(void)
{
	for (uint64_t ns = 0; ns < 3000000000ull; ns += ns / 300 + 1) {
		uint32_t b = bucket(ns);

		CHECK(kecat_hist_low(b) <= ns);
		CHECK(b == KECAT_HIST_BUCKETS - 1 || ns < kecat_hist_low(b + 1));
	}
}

static void percentiles_of_a_histogram(void)
{
	static uint64_t hist[KECAT_HIST_BUCKETS];

	CHECK(kecat_percentile(hist, 500000) == 0);
	hist[10] = 99;
	hist[20] = 1;
	CHECK(kecat_percentile(hist, 0) == 1100);
	CHECK(kecat_percentile(hist, 500000) == 1100);
	CHECK(kecat_percentile(hist, 990000) == 1100);
	CHECK(kecat_percentile(hist, 990001) == 2100);
	CHECK(kecat_percentile(hist, 1000000) == 2100);
	CHECK(kecat_percentile(hist, 4000000000u) == 2100);
	memset(hist, 0xff, sizeof(hist));
	CHECK(kecat_percentile(hist, 1000000) <= 1ull << 31);
	memset(hist, 0, sizeof(hist));
	hist[KECAT_HIST_BUCKETS - 1] = UINT64_MAX;
	CHECK(kecat_percentile(hist, 500000) == 1ull << 31);
}

static void every_number_has_a_text(void)
{
	char buf[8], whole[256];
	struct kecat_event ev = { 0 };

	for (uint32_t i = 0; i < 0x10000; i++) {
		CHECK(*kecat_al_code_text(i));
		CHECK(*kecat_al_name(i));
		CHECK(*kecat_problem_text(i) && *kecat_event_name(i) && *kecat_phase_name(i));
		CHECK(*kecat_strerror(i) && *kecat_strerror(-(int)i));
	}
	CHECK(strcmp(kecat_al_code_text(0x1b), kecat_al_code_text(0x77)));
	CHECK(!strcmp(kecat_al_name(KECAT_AL_SAFEOP | KECAT_AL_ERROR), "SAFEOP+ERROR"));
	for (ev.type = 0; ev.type < 40; ev.type++) {
		ev.arg0 = ev.type * 0x10001;
		ev.arg1 = 0xffffffff;
		CHECK(kecat_event_describe(&ev, whole, sizeof(whole)) < (int)sizeof(whole));
		memset(buf, 'x', sizeof(buf));
		CHECK(kecat_event_describe(&ev, buf, sizeof(buf)) > 0 && !buf[7]);
		CHECK(kecat_problem_describe(ev.type, 0xffffffea, buf, sizeof(buf)) > 0 && !buf[7]);
	}
}

static void calls_without_activation_are_refused(void)
{
	struct kecat k = { .fd = -1 };
	const struct kecat_layout *lay;
	struct kecat_loc loc;

	CHECK(kecat_wait(&k, 1) == -ENOTCONN);
	CHECK(kecat_spin(&k, 1) == -ENOTCONN);
	CHECK(!kecat_take(&k));
	kecat_publish(&k);
	CHECK(!kecat_inputs(&k) && !kecat_outputs(&k) && !kecat_info(&k));
	CHECK(!kecat_live(&k, 0) && !kecat_slaves_op(&k));
	CHECK(kecat_get_layout(&k, &lay) == -ENOTCONN);
	CHECK(kecat_locate(&k, 0, 1, 1, &loc) == -ENOTCONN);
}

int main(void)
{
	RUN(fill_takes_the_place_of_slaves);
	RUN(builder_writes_the_elements_in_order);
	RUN(builder_refuses_what_has_no_parent);
	RUN(builder_ends_at_the_largest_configuration);
	RUN(blob_survives_taking_apart);
	RUN(damaged_blobs_do_no_harm);
	RUN(walk_tells_whose_element_it_is);
	RUN(object_is_found_at_its_bit);
	RUN(values_of_any_width_and_place);
	RUN(histogram_buckets_have_their_limits);
	RUN(percentiles_of_a_histogram);
	RUN(every_number_has_a_text);
	RUN(calls_without_activation_are_refused);
	return DONE();
}
