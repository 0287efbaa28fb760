// SPDX-License-Identifier: GPL-2.0-only
/* kecat reg */
#include <inttypes.h>
#include <string.h>

#include "cmd.h"
#include "out.h"

#define REG_MAX 1024

static int address(const char *pos, const char *addr, uint32_t *position,
		   uint16_t *address)
{
	uint64_t v;

	if (arg_position(pos, true, position) || arg_uint("ADDR", addr, 0xffff, &v))
		return EXIT_USAGE;
	*address = v;
	return 0;
}

static int nobody(uint32_t position)
{
	if (position == KECAT_ALL)
		error("no slave answered");
	else
		error("slave %u did not answer: it is gone, or has no such register", position);
	return EXIT_FAIL;
}

static int reg_read(struct ctx *c, int argc, char **argv)
{
	uint8_t buf[REG_MAX] = { 0 };
	uint64_t len = 2, value;
	uint32_t position;
	uint16_t addr;
	int ret;

	if (argc < 2 || argc > 3)
		return usage_error(c, "which slave, which address?");
	if (address(argv[0], argv[1], &position, &addr) ||
	    (argc > 2 && arg_uint("LEN", argv[2], REG_MAX, &len)))
		return EXIT_USAGE;
	ret = open_master(c, KECAT_RDWR);
	if (ret)
		return ret;
	ret = kecat_reg_read(c->k, position, addr, buf, len);
	if (ret < 0)
		return fail(c, ret, "register 0x%04x", addr);
	if (!ret)
		return nobody(position);
	value = len <= 8 ? kecat_get(buf, 0, 8 * len) : 0;
	out_begin(c->json);
	out_uint("address", "0x%04" PRIx64 ":", addr);
	out_uint("wkc", NULL, ret);
	out_open("bytes", '[');
	for (uint64_t i = 0; i < len; i++) {
		if (i && i % 16 == 0)
			out_text("\n0x%04x:", (unsigned int)(addr + i));
		out_uint("", " %02" PRIx64, buf[i]);
	}
	out_close();
	if (len <= 8)
		out_text("  = 0x%0*" PRIx64 " = %" PRIu64, 2 * (int)len, value, value);
	out_text("\n");
	return out_end() ? EXIT_FAIL : EXIT_OK;
}

static int reg_write(struct ctx *c, int argc, char **argv)
{
	uint8_t buf[REG_MAX];
	uint32_t position;
	uint16_t addr;
	uint64_t v;
	int ret;

	if (argc < 3 || argc > REG_MAX + 2)
		return usage_error(c, "which slave, which address, which bytes?");
	if (address(argv[0], argv[1], &position, &addr))
		return EXIT_USAGE;
	for (int i = 2; i < argc; i++) {
		if (arg_uint("BYTE", argv[i], 0xff, &v))
			return EXIT_USAGE;
		buf[i - 2] = v;
	}
	ret = open_master(c, KECAT_RDWR);
	if (ret)
		return ret;
	ret = kecat_reg_write(c->k, position, addr, buf, argc - 2);
	if (ret < 0)
		return fail(c, ret, "register 0x%04x", addr);
	return ret ? EXIT_OK : nobody(position);
}

int cmd_reg(struct ctx *c, int argc, char **argv)
{
	if (argc && !strcmp(argv[0], "read"))
		return reg_read(c, argc - 1, argv + 1);
	if (argc && !strcmp(argv[0], "write"))
		return reg_write(c, argc - 1, argv + 1);
	return usage_error(c, "read or write?");
}
