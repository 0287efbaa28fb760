// SPDX-License-Identifier: GPL-2.0-only
/* The keys of a configuration file and where their values go. */
#include <string.h>

#include "busfile.h"

static const char *const losses[] = { "safeop", "zero", "hold", NULL };
static const char *const dirs[] = { "out", "in", NULL };
static const char *const transitions[] = { "ps", "so", NULL };

#define AT(type, member) \
	offsetof(struct type, member), sizeof(((struct type *)0)->member)
#define UINT(key, type, member, max) \
	{ key, F_UINT, AT(type, member), 0, max, NULL, false }
#define HEX(key, type, member, max) \
	{ key, F_UINT, AT(type, member), 0, max, NULL, true }
#define WITH(key, type, member, flag, max) \
	{ key, F_UINT, AT(type, member), flag, max, NULL, true }
#define US(key, type, member) \
	{ key, F_US, AT(type, member), 0, 0, NULL, false }
#define FLAG(key, flag) { key, F_FLAG, 0, 0, flag, 0, NULL, false }
#define ENUM(key, type, member, names) \
	{ key, F_ENUM, AT(type, member), 0, 0, names, false }
#define TEXT(key, type, member) \
	{ key, F_TEXT, AT(type, member), 0, 0, NULL, false }
#define LIST(key) { key, F_LIST, 0, 0, 0, 0, NULL, false }
#define END { NULL, F_LIST, 0, 0, 0, 0, NULL, false }

#define U8	0xff
#define U16	0xffff
#define U32	0xffffffff

static const struct field bus[] = {
	US("cycle_us", kecat_cfg_bus, cycle_ns),
	US("deadline_us", kecat_cfg_bus, deadline_ns),
	US("lost_us", kecat_cfg_bus, lost_ns),
	US("spin_us", kecat_cfg_bus, spin_ns),
	UINT("app_miss", kecat_cfg_bus, app_miss, U32),
	ENUM("on_app_loss", kecat_cfg_bus, on_app_loss, losses),
	FLAG("serial_bringup", KECAT_BUS_SERIAL),
	FLAG("tick_interrupt", KECAT_BUS_TICK_IRQ),
	FLAG("tick_application", KECAT_BUS_TICK_APP),
	FLAG("receive_asleep", KECAT_BUS_RX_SLEEP),
	LIST("slaves"),
	LIST("loop"),
	END
};

static const struct field slave[] = {
	UINT("position", kecat_cfg_slave, position, KECAT_MAX_SLAVES - 1),
	TEXT("name", kecat_cfg_slave, name),
	{ "alias", F_UINT, AT(kecat_cfg_slave, alias), KECAT_CFGS_ALIAS, U16, NULL, false },
	UINT("group", kecat_cfg_slave, group, KECAT_MAX_GROUPS - 1),
	HEX("vendor", kecat_cfg_slave, vendor, U32),
	HEX("product", kecat_cfg_slave, product, U32),
	HEX("revision", kecat_cfg_slave, revision, U32),
	FLAG("check_revision", KECAT_CFGS_REVISION),
	UINT("serial", kecat_cfg_slave, serial, U32),
	FLAG("check_serial", KECAT_CFGS_SERIAL),
	FLAG("optional", KECAT_CFGS_OPTIONAL),
	FLAG("no_lrw", KECAT_CFGS_NO_LRW),
	FLAG("write_assignment", KECAT_CFGS_ASSIGN),
	FLAG("write_mapping", KECAT_CFGS_MAPPING),
	HEX("mailbox_out", kecat_cfg_slave, mbx_out, U16),
	UINT("mailbox_out_size", kecat_cfg_slave, mbx_out_size, U16),
	HEX("mailbox_in", kecat_cfg_slave, mbx_in, U16),
	UINT("mailbox_in_size", kecat_cfg_slave, mbx_in_size, U16),
	WITH("watchdog_divider", kecat_cfg_slave, wd_divider, KECAT_CFGS_WATCHDOG, U16),
	WITH("watchdog_pdi", kecat_cfg_slave, wd_pdi, KECAT_CFGS_WATCHDOG, U16),
	WITH("watchdog_pd", kecat_cfg_slave, wd_pd, KECAT_CFGS_WATCHDOG, U16),
	WITH("dc_activate", kecat_cfg_slave, dc_activate, KECAT_CFGS_DC, U16),
	UINT("dc_sync0_ns", kecat_cfg_slave, dc_sync0_ns, U32),
	UINT("dc_sync1_ns", kecat_cfg_slave, dc_sync1_ns, U32),
	{ "dc_shift_ns", F_INT, AT(kecat_cfg_slave, dc_shift_ns), 0, 0x7fffffff, NULL, false },
	UINT("timeout_preop_ms", kecat_cfg_slave, t_preop_ms, U32),
	UINT("timeout_safeop_ms", kecat_cfg_slave, t_safeop_ms, U32),
	UINT("timeout_back_ms", kecat_cfg_slave, t_back_ms, U32),
	LIST("sms"),
	LIST("sdos"),
	END
};

static const struct field sm[] = {
	UINT("sm", kecat_cfg_sm, index, 15),
	ENUM("dir", kecat_cfg_sm, dir, dirs),
	HEX("start", kecat_cfg_sm, start, U16),
	UINT("len", kecat_cfg_sm, len, U16),
	HEX("control", kecat_cfg_sm, control, U8),
	FLAG("watchdog_on", KECAT_SM_WATCHDOG_ON),
	FLAG("watchdog_off", KECAT_SM_WATCHDOG_OFF),
	LIST("pdos"),
	END
};

static const struct field pdo[] = {
	HEX("pdo", kecat_cfg_pdo, index, U16),
	LIST("entries"),
	END
};

static const struct field entry[] = {
	HEX("index", kecat_cfg_entry, index, U16),
	UINT("sub", kecat_cfg_entry, subindex, U8),
	UINT("bits", kecat_cfg_entry, bits, U8),
	END
};

static const struct field sdo[] = {
	HEX("index", kecat_cfg_sdo, index, U16),
	UINT("sub", kecat_cfg_sdo, subindex, U8),
	FLAG("complete", KECAT_SDO_COMPLETE),
	ENUM("transition", kecat_cfg_sdo, transition, transitions),
	LIST("data"),
	LIST("type"),
	LIST("value"),
	END
};

static const struct field loop[] = {
	UINT("from", loop_pair, from, KECAT_MAX_SLAVES - 1),
	UINT("to", loop_pair, to, KECAT_MAX_SLAVES - 1),
	END
};

const struct fields bus_fields = { bus, AT(kecat_cfg_bus, flags) };
const struct fields slave_fields = { slave, AT(kecat_cfg_slave, flags) };
const struct fields sm_fields = { sm, AT(kecat_cfg_sm, flags) };
const struct fields pdo_fields = { pdo, 0, 0 };
const struct fields entry_fields = { entry, 0, 0 };
const struct fields sdo_fields = { sdo, AT(kecat_cfg_sdo, flags) };
const struct fields loop_fields = { loop, 0, 0 };

uint64_t field_get(const void *base, uint16_t offset, uint16_t size)
{
	const uint8_t *p = (const uint8_t *)base + offset;
	uint64_t v64;
	uint32_t v32;
	uint16_t v16;

	switch (size) {
	case 1:
		return *p;
	case 2:
		memcpy(&v16, p, sizeof(v16));
		return v16;
	case 4:
		memcpy(&v32, p, sizeof(v32));
		return v32;
	}
	memcpy(&v64, p, sizeof(v64));
	return v64;
}

void field_set(void *base, uint16_t offset, uint16_t size, uint64_t v)
{
	uint8_t *p = (uint8_t *)base + offset;
	uint32_t v32 = v;
	uint16_t v16 = v;

	switch (size) {
	case 1:
		*p = v;
		return;
	case 2:
		memcpy(p, &v16, sizeof(v16));
		return;
	case 4:
		memcpy(p, &v32, sizeof(v32));
		return;
	}
	memcpy(p, &v, sizeof(v));
}
