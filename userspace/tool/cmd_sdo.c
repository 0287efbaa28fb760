// SPDX-License-Identifier: GPL-2.0-only
/* kecat upload, download */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "out.h"
#include "types.h"

const struct opt upload_opts[] = {
	{ "type", 'T', "TYPE", "how to show it: uint16, string, raw, ... (by its length)" },
	{ "complete", 'C', NULL, "complete access: all subindices at once" },
	{ "timeout", 't', "MS", "for each answer of the slave (1000)" },
	{ "binary", 'b', NULL, "write the bytes as they are to standard output" },
	{ NULL, 0, NULL, NULL }
};

const struct opt download_opts[] = {
	{ "type", 'T', "TYPE", "what VALUE is: uint16, string, raw, ... (by asking the slave)" },
	{ "complete", 'C', NULL, "complete access: all subindices at once" },
	{ "timeout", 't', "MS", "for each answer of the slave (1000)" },
	{ NULL, 0, NULL, NULL }
};

/* POS INDEX [SUB] and the options that both commands have */
static int address(struct ctx *c, int argc, char **argv, struct kecat_sdo *sdo)
{
	const char *type = opt_str(c, "type");
	uint64_t v, timeout = 0;
	uint32_t position;

	if (arg_position(argv[0], false, &position) ||
	    arg_uint("INDEX", argv[1], 0xffff, &v))
		return EXIT_USAGE;
	memset(sdo, 0, sizeof(*sdo));
	sdo->position = position;
	sdo->index = v;
	if (argc > 2) {
		if (arg_uint("SUB", argv[2], 0xff, &v))
			return EXIT_USAGE;
		sdo->subindex = v;
	}
	if (opt_uint(c, "timeout", 600000, &timeout))
		return EXIT_USAGE;
	if (type && !type_known(type)) {
		error("no type '%s'. There are: %s", type, type_names);
		return EXIT_USAGE;
	}
	sdo->timeout_ms = timeout;
	if (opt_has(c, "complete"))
		sdo->flags = KECAT_SDO_COMPLETE;
	return 0;
}

static void hex_dump(const uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		out_text("%s%02x", i ? i % 16 ? " " : "\n" : "", data[i]);
	out_text("\n");
}

static int show_object(struct ctx *c, const struct kecat_sdo *sdo,
		       const uint8_t *data, char *text, size_t room)
{
	const char *type = opt_str(c, "type");
	bool number;

	if (!type)
		type = sdo->flags ? "raw" : type_guess(sdo->len);
	if (!type_format(type, data, sdo->len, text, room, &number)) {
		error("the object has %u bytes, that is no %s: try --type %s",
		      sdo->len, type, type_guess(sdo->len));
		return EXIT_FAIL;
	}
	out_begin(c->json);
	out_uint("length", NULL, sdo->len);
	out_str("type", NULL, type);
	if (!strcmp(type, "raw") && !c->json)
		hex_dump(data, sdo->len);
	else if (number && !strncmp(type, "uint", 4))
		out_uint("value", NULL, kecat_get(data, 0, 8 * sdo->len));
	else
		out_str("value", "%s\n", text);
	if (number && !strncmp(type, "uint", 4))
		out_text("%s 0x%0*" PRIx64 "\n", text, 2 * (int)sdo->len,
			 kecat_get(data, 0, 8 * sdo->len));
	return out_end() ? EXIT_FAIL : EXIT_OK;
}

int cmd_upload(struct ctx *c, int argc, char **argv)
{
	const size_t room = 4 * KECAT_MAX_SDO;
	struct kecat_sdo sdo;
	uint8_t *data;
	char *text;
	int ret;

	if (argc < 2 || argc > 3)
		return usage_error(c, "which slave and which object?");
	ret = address(c, argc, argv, &sdo);
	if (!ret)
		ret = open_master(c, KECAT_RDWR);
	if (ret)
		return ret;
	data = calloc(1, KECAT_MAX_SDO);
	text = calloc(1, room);
	sdo.len = KECAT_MAX_SDO;
	ret = data && text ? kecat_sdo(c->k, false, &sdo, data) : -ENOMEM;
	if (ret)
		ret = fail(c, ret, "object 0x%04x:%02x of slave %u", sdo.index,
			   sdo.subindex, sdo.position);
	else if (opt_has(c, "binary"))
		ret = fwrite(data, 1, sdo.len, stdout) == sdo.len && !fflush(stdout) ?
		      EXIT_OK : EXIT_FAIL;
	else
		ret = show_object(c, &sdo, data, text, room);
	free(text);
	free(data);
	return ret;
}

/* The type of a number is not on the wire, its length is: ask for it */
static const char *ask_type(struct ctx *c, const struct kecat_sdo *sdo, uint8_t *buf)
{
	struct kecat_sdo ask = *sdo;

	ask.len = KECAT_MAX_SDO;
	if (sdo->flags || kecat_sdo(c->k, false, &ask, buf))
		return NULL;
	return type_guess(ask.len);
}

/* VALUE by its type; "-5" is taken for the signed type of the same length */
static ssize_t value_bytes(const char *type, const char *value, uint8_t *buf)
{
	bool minus = *value == '-' && !strncmp(type, "uint", 4);

	return type_parse(minus ? type + 1 : type, value, buf, KECAT_MAX_SDO);
}

static int download(struct ctx *c, struct kecat_sdo *sdo, const char *value,
		    uint8_t *buf)
{
	const char *type = opt_str(c, "type");
	ssize_t len;
	int ret;

	if (!type)
		type = ask_type(c, sdo, buf);
	if (!type) {
		error("the length of 0x%04x:%02x is not known: say it with --type",
		      sdo->index, sdo->subindex);
		return EXIT_USAGE;
	}
	len = value_bytes(type, value, buf);
	if (len < 0) {
		error("'%s' does not fit the type %s", value, type);
		return EXIT_USAGE;
	}
	sdo->len = len;
	ret = kecat_sdo(c->k, true, sdo, buf);
	return ret ? fail(c, ret, "object 0x%04x:%02x of slave %u", sdo->index,
			  sdo->subindex, sdo->position) : EXIT_OK;
}

int cmd_download(struct ctx *c, int argc, char **argv)
{
	struct kecat_sdo sdo;
	uint8_t *buf;
	int ret;

	if (argc != 4)
		return usage_error(c, "a slave, an object, its subindex and a value are needed");
	ret = address(c, 3, argv, &sdo);
	if (!ret)
		ret = open_master(c, KECAT_RDWR);
	if (ret)
		return ret;
	buf = calloc(1, KECAT_MAX_SDO);
	if (!buf)
		return fail(c, -ENOMEM, "download");
	ret = download(c, &sdo, argv[3], buf);
	free(buf);
	return ret;
}
