// SPDX-License-Identifier: GPL-2.0-only
/* Device descriptions and the EEPROM images made from them. */
#include "bench.h"
#include "tap.h"

static int parse(const char *text, struct sim_desc **d, unsigned int *line)
{
	return sim_desc_parse(d, "test", text, strlen(text), NULL, line);
}

/* Walk the categories as a master does; their number, or -1. */
static int categories(const u8 *p, u32 size, u32 *types)
{
	u32 at = 0x80;
	int n = 0;

	while (at + 4 <= size) {
		u16 type = sim_get16(p + at), words = sim_get16(p + at + 2);

		if (type == 0xffff)
			return n;
		if (type < 64)
			types[type]++;
		at += 4 + 2u * words;
		n++;
	}
	return -1;
}

static void built_in_images(void)
{
	unsigned int i;

	for (i = 0; i < sim_devtab_len; i++) {
		struct sim_desc *d = NULL;
		unsigned int line;
		u32 types[64] = { 0 };

		CHECK_EQ(sim_desc_parse(&d, sim_devtab[i].name, sim_devtab[i].text,
					strlen(sim_devtab[i].text), NULL, &line), 0);
		if (!d) {
			printf("# %s line %u\n", sim_devtab[i].name, line);
			continue;
		}
		CHECK_EQ(d->sii[14], esc_sii_crc(d->sii));
		CHECK(categories(d->sii, d->sii_size, types) >= 2);
		CHECK_EQ(types[10], 1);
		CHECK_EQ(types[30], 1);
		CHECK_EQ(types[41], d->nsm > 0);
		CHECK_EQ(types[60], d->ndcmode > 0);
		sim_desc_free(d);
	}
}

static void pdo_category(void)
{
	struct sim_desc *d = NULL;
	unsigned int line;
	const u8 *p;

	CHECK_EQ(parse("sm 0 out 0x1000 2\n"
		       "rxpdo 0x1601 0 \"P\" mandatory\n"
		       "entry 0x7000 3 bool \"A\"\n"
		       "entry pad 7\n"
		       "entry 0x7000 4 u8 \"B\"\n", &d, &line), 0);
	if (!d)
		return;
	/* strings: P A B; general; SM; then the PDO */
	p = d->sii + 0x80;
	CHECK_EQ(sim_get16(p), 10);
	CHECK_EQ(p[4], 3);
	CHECK(!memcmp(p + 5, "\1P\1A\1B", 6));
	p += 4 + 2 * sim_get16(p + 2);
	CHECK_EQ(sim_get16(p), 30);
	CHECK_EQ(sim_get16(p + 2), 16);
	p += 36;
	CHECK_EQ(sim_get16(p), 41);
	p += 12;
	CHECK_EQ(sim_get16(p), 51);
	CHECK_EQ(sim_get16(p + 2), 16);
	CHECK_EQ(sim_get16(p + 4), 0x1601);
	CHECK_EQ(p[6], 3);
	CHECK_EQ(sim_get16(p + 10), 0x0001);
	CHECK_EQ(sim_get16(p + 12), 0x7000);
	CHECK_EQ(p[14], 3);
	CHECK_EQ(p[17], 1);
	CHECK_EQ(sim_get16(p + 20), 0);
	CHECK_EQ(p[25], 7);
	sim_desc_free(d);
}

static void errors_name_the_line(void)
{
	static const struct {
		const char *text;
		int err;
		unsigned int line;
	} bad[] = {
		{ "device", -EINVAL, 1 },
		{ "\n\nnonsense 1\n", -EINVAL, 3 },
		{ "device \"open", -EINVAL, 1 },
		{ "chip fmmus 17\nchip fmmus x\n", -EINVAL, 2 },
		{ "chip type 256\n", -ERANGE, 1 },
		{ "chip type\n", -EINVAL, 1 },
		{ "entry pad 1\n", -EINVAL, 1 },
		{ "rxpdo 0x1600 0 \"x\"\nentry 1 1*256 bool \"x\"\n", -EINVAL, 2 },
		{ "rxpdo 0x1600 16 \"x\"\n", -EINVAL, 1 },
		{ "sub 1 u8 ro 0 \"x\"\n", -EINVAL, 1 },
		{ "var 0x1000 u9 ro 0 \"x\"\n", -EINVAL, 1 },
		{ "var 0x1000 oct5000 ro 0 \"x\"\n", -EINVAL, 1 },
		{ "sm 16 out 0 0\n", -EINVAL, 1 },
		{ "sii file\n", -EOPNOTSUPP, 1 },
		{ "var 0x1000 u8 ro 0 \"x\"\nvar 0x1000 u8 ro 0 \"x\"\n", -EEXIST, 0 },
		{ "general sii_kbit 0\n", -EINVAL, 0 },
		{ "general sii_kbit 1\nrxpdo 0x1600 0 \"x\"\n"
		  "entry 1 1*99 bool \"x\"\n", -ENOSPC, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct sim_desc *d = NULL;
		unsigned int line = 99;

		CHECK_EQ(parse(bad[i].text, &d, &line), bad[i].err);
		CHECK_EQ(line, bad[i].line);
		CHECK(!d);
	}
}

static void impossible_chip(void)
{
	static const struct sim_devtext dev = { "x", "chip fmmus 17\n" };
	struct sim_config cfg = { .slaves = "x", .devices = &dev, .ndevices = 1 };

	CHECK(!sim_segment_create(&cfg, 0));
}

static void words_and_numbers(void)
{
	char line[] = "  a \"b c\"\td# e";
	char *w[SIM_WORDS_MAX];
	s64 v;

	CHECK_EQ(sim_split(line, w), 4);
	CHECK(!strcmp(w[1], "b c"));
	CHECK(!strcmp(w[2], "d#"));
	CHECK_EQ(sim_number("-2147483648", &v), 0);
	CHECK_EQ(v, -2147483648ll);
	CHECK_EQ(sim_number("0xFf", &v), 0);
	CHECK_EQ(v, 255);
	CHECK_EQ(sim_number("0x", &v), -EINVAL);
	CHECK_EQ(sim_number("", &v), -EINVAL);
	CHECK_EQ(sim_number("12a", &v), -EINVAL);
	CHECK_EQ(sim_number("99999999999999999999", &v), -ERANGE);
}

static const struct tap_case cases[] = {
	{ "images of the built-in devices", built_in_images },
	{ "PDO category", pdo_category },
	{ "errors name the line", errors_name_the_line },
	{ "impossible chip", impossible_chip },
	{ "words and numbers", words_and_numbers },
};

int main(void)
{
	return tap_cases(cases, ARRAY_SIZE(cases));
}
