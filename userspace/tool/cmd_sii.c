// SPDX-License-Identifier: GPL-2.0-only
/* kecat sii */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "out.h"
#include "sii_show.h"

const struct opt sii_opts[] = {
	{ "decode", 'v', NULL, "show what the bytes mean" },
	{ "file", 'f', "FILE", "write the bytes as they are to FILE ('-': standard output)" },
	{ NULL, 0, NULL, NULL }
};

static int save(const char *path, const uint8_t *data, size_t len)
{
	bool std = !strcmp(path, "-");
	FILE *to = std ? stdout : fopen(path, "we");
	bool ok;

	if (!to) {
		error("%s: %s", path, strerror(errno));
		return EXIT_FAIL;
	}
	ok = fwrite(data, 1, len, to) == len && !fflush(to);
	if (!std)
		ok = !fclose(to) && ok;
	if (!ok)
		error("%s: %s", path, strerror(errno));
	return ok ? EXIT_OK : EXIT_FAIL;
}

static void dump(const uint8_t *data, size_t len)
{
	out_open("bytes", '[');
	for (size_t i = 0; i < len; i++) {
		if (i % 16 == 0)
			out_text("%s0x%04zx:", i ? "\n" : "", i / 2);
		out_uint("", i % 2 ? "%02" PRIx64 : " %02" PRIx64, data[i]);
	}
	out_close();
	out_text("\n");
}

int cmd_sii(struct ctx *c, int argc, char **argv)
{
	const char *file = opt_str(c, "file");
	uint8_t *data = NULL;
	uint32_t position;
	ssize_t len;
	int ret;

	if (argc != 2 || strcmp(argv[0], "read"))
		return usage_error(c, "read, and which slave?");
	if (arg_position(argv[1], false, &position))
		return EXIT_USAGE;
	ret = open_master(c, KECAT_RDWR);
	if (ret)
		return ret;
	len = kecat_sii_read(c->k, position, &data);
	if (len < 0)
		return fail(c, len, "SII of slave %u", position);
	if (file) {
		ret = save(file, data, len);
	} else {
		out_begin(c->json);
		out_uint("length", NULL, len);
		if (opt_has(c, "decode"))
			sii_show(data, len);
		else
			dump(data, len);
		ret = out_end() ? EXIT_FAIL : EXIT_OK;
	}
	free(data);
	return ret;
}
