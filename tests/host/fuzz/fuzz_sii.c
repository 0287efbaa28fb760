// SPDX-License-Identifier: GPL-2.0-only
// sources: kmod/sii_parse.c
// options: -runs=200000 -max_len=2048
#include <string.h>
#include "sii_parse.h"
#include "fuzz.h"

static struct kecat_pdo_entry entry[127];

static void check(const u8 *image, size_t len, u32 max)
{
	struct kecat_sii_info info;
	size_t extent;
	bool done;

	kecat_sii_parse(image, len, &info, max ? entry : NULL, max);
	FUZZ_CHECK(info.nentries <= (max ? max : KECAT_SII_MAX_ENTRIES));
	FUZZ_CHECK(info.nsms <= KECAT_SII_MAX_SMS);
	FUZZ_CHECK(info.nfmmus <= KECAT_SII_MAX_FMMUS);
	FUZZ_CHECK(strnlen(info.name, sizeof(info.name)) < sizeof(info.name));
	FUZZ_CHECK(strnlen(info.order, sizeof(info.order)) < sizeof(info.order));
	FUZZ_CHECK(strnlen(info.group, sizeof(info.group)) < sizeof(info.group));
	extent = kecat_sii_extent(image, len, &done);
	FUZZ_CHECK(done ? extent <= len : extent + 4 > len);
}

/*
 * First byte: room for entries, and with bit 7 the rest is what comes behind
 * the header, else a whole image.
 */
int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	u8 *image;
	u32 max;

	if (!len)
		return 0;
	max = data[0] & 0x7f;
	if (!(data[0] & 0x80)) {
		check(data + 1, len - 1, max);
		return 0;
	}
	image = calloc(1, KECAT_SII_HEADER + len - 1);
	FUZZ_CHECK(image);
	image[0x10] = 1;
	memcpy(image + KECAT_SII_HEADER, data + 1, len - 1);
	check(image, KECAT_SII_HEADER + len - 1, max);
	free(image);
	return 0;
}
