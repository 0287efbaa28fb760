// SPDX-License-Identifier: LGPL-2.1-or-later
/* Configurations: build the blob, walk over it, hand it to the master. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "priv.h"

#define FIRST_ROOM	1024u

struct kecat_conf {
	uint8_t *blob;
	uint32_t len;
	uint32_t room;
	uint32_t slaves;
	uint16_t last;		/* type of the innermost element that may take more */
};

/* What an element is, and what it has to stand behind */
static const struct {
	uint16_t size;
	uint16_t parent;
	bool data;
} kinds[] = {
	[KECAT_CFG_BUS] = { sizeof(struct kecat_cfg_bus), 0, false },
	[KECAT_CFG_SLAVE] = { sizeof(struct kecat_cfg_slave), KECAT_CFG_BUS, false },
	[KECAT_CFG_SM] = { sizeof(struct kecat_cfg_sm), KECAT_CFG_SLAVE, false },
	[KECAT_CFG_PDO] = { sizeof(struct kecat_cfg_pdo), KECAT_CFG_SM, false },
	[KECAT_CFG_ENTRY] = { sizeof(struct kecat_cfg_entry), KECAT_CFG_PDO, false },
	[KECAT_CFG_SDO] = { sizeof(struct kecat_cfg_sdo), KECAT_CFG_SLAVE, true },
	[KECAT_CFG_FILL] = { sizeof(struct kecat_cfg_fill), KECAT_CFG_BUS, false },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static uint32_t pad8(uint32_t len)
{
	return (len + 7) & ~7u;
}

/* An SDO may stand between SMs: it does not end the PDO that is being built */
static bool fits(const struct kecat_conf *c, uint16_t type)
{
	if (type == KECAT_CFG_SDO)
		return c->last >= KECAT_CFG_SLAVE;
	return c->last >= kinds[type].parent;
}

static void *append(struct kecat_conf *c, uint16_t type, const void *data,
		    uint32_t len, uint32_t extra)
{
	struct kecat_cfg_tlv tlv = { .type = type, .len = len + extra };
	uint32_t need = sizeof(tlv) + pad8(tlv.len);
	uint8_t *at;

	if (c->room - c->len < need) {
		uint32_t room = 2 * (c->len + need) + FIRST_ROOM;
		uint8_t *mem = realloc(c->blob, room);

		if (!mem)
			return NULL;
		c->blob = mem;
		c->room = room;
	}
	at = c->blob + c->len;
	memset(at, 0, need);
	memcpy(at, &tlv, sizeof(tlv));
	memcpy(at + sizeof(tlv), data, len);
	c->len += need;
	if (type != KECAT_CFG_SDO && type != KECAT_CFG_FILL)
		c->last = type;
	return at + sizeof(tlv) + len;
}

static int add(struct kecat_conf *c, uint16_t type, const void *elem,
	       const void *data, uint32_t len)
{
	uint32_t size = kinds[type].size;
	void *at;

	if (!fits(c, type))
		return -EINVAL;
	if (len > KECAT_MAX_CONFIG ||
	    c->len + sizeof(struct kecat_cfg_tlv) + pad8(size + len) > KECAT_MAX_CONFIG)
		return -E2BIG;
	at = append(c, type, elem, size, len);
	if (!at)
		return -ENOMEM;
	if (len)
		memcpy(at, data, len);
	return 0;
}

struct kecat_conf *kecat_conf_new(uint64_t cycle_ns)
{
	struct kecat_cfg_bus bus = { .cycle_ns = cycle_ns };
	struct kecat_conf *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	if (!append(c, KECAT_CFG_BUS, &bus, sizeof(bus), 0)) {
		kecat_conf_free(c);
		return NULL;
	}
	return c;
}

void kecat_conf_free(struct kecat_conf *c)
{
	if (!c)
		return;
	free(c->blob);
	free(c);
}

struct kecat_cfg_bus *kecat_conf_bus(struct kecat_conf *c)
{
	return (void *)(c->blob + sizeof(struct kecat_cfg_tlv));
}

int kecat_conf_add_slave(struct kecat_conf *c, const struct kecat_cfg_slave *s)
{
	struct kecat_cfg_slave copy = *s;
	int ret;

	if (c->slaves >= KECAT_MAX_SLAVES || s->group >= KECAT_MAX_GROUPS)
		return -EINVAL;
	copy.name[sizeof(copy.name) - 1] = '\0';
	ret = add(c, KECAT_CFG_SLAVE, &copy, NULL, 0);
	return ret ? ret : (int)c->slaves++;
}

int kecat_conf_add_sm(struct kecat_conf *c, const struct kecat_cfg_sm *sm)
{
	if (sm->index > 15 || sm->dir > KECAT_DIR_IN)
		return -EINVAL;
	return add(c, KECAT_CFG_SM, sm, NULL, 0);
}

int kecat_conf_add_pdo(struct kecat_conf *c, uint16_t index)
{
	struct kecat_cfg_pdo pdo = { .index = index };

	return add(c, KECAT_CFG_PDO, &pdo, NULL, 0);
}

int kecat_conf_add_entry(struct kecat_conf *c, uint16_t index,
			 uint8_t subindex, uint8_t bits)
{
	struct kecat_cfg_entry e = {
		.index = index, .subindex = subindex, .bits = bits,
	};

	return bits ? add(c, KECAT_CFG_ENTRY, &e, NULL, 0) : -EINVAL;
}

int kecat_conf_add_sdo(struct kecat_conf *c, const struct kecat_cfg_sdo *sdo,
		       const void *data, uint32_t len)
{
	struct kecat_cfg_sdo copy = *sdo;

	if (sdo->transition > KECAT_TR_SO || len > KECAT_MAX_SDO)
		return -EINVAL;
	copy.len = len;
	return add(c, KECAT_CFG_SDO, &copy, data, len);
}

int kecat_conf_add_fill(struct kecat_conf *c, uint32_t frames, uint32_t bytes)
{
	struct kecat_cfg_fill f = { .frames = frames, .bytes = bytes };

	return c->slaves ? -EINVAL : add(c, KECAT_CFG_FILL, &f, NULL, 0);
}

const void *kecat_conf_blob(struct kecat_conf *c, uint32_t *len)
{
	*len = c->len;
	return c->blob;
}

/* One foreign element at @at: checked framing, then the same way as our own */
static int take(struct kecat_conf *c, const uint8_t *at, uint32_t left)
{
	struct kecat_cfg_tlv tlv;
	struct kecat_cfg_sdo sdo;
	uint32_t size;

	if (left < sizeof(tlv))
		return -EINVAL;
	memcpy(&tlv, at, sizeof(tlv));
	if (!tlv.type || tlv.type >= KINDS || tlv.flags || tlv.len > left - sizeof(tlv) ||
	    pad8(tlv.len) > left - sizeof(tlv))
		return -EINVAL;
	size = kinds[tlv.type].size;
	if (kinds[tlv.type].data ? tlv.len < size : tlv.len != size)
		return -EINVAL;
	if (tlv.type == KECAT_CFG_SDO) {
		memcpy(&sdo, at + sizeof(tlv), sizeof(sdo));
		if (sdo.len != tlv.len - size)
			return -EINVAL;
	}
	if (tlv.type == KECAT_CFG_BUS ? c->len != 0 : !fits(c, tlv.type))
		return -EINVAL;
	if (tlv.type == KECAT_CFG_SLAVE && c->slaves++ >= KECAT_MAX_SLAVES)
		return -EINVAL;
	if (!append(c, tlv.type, at + sizeof(tlv), tlv.len, 0))
		return -ENOMEM;
	return sizeof(tlv) + pad8(tlv.len);
}

int kecat_conf_from_blob(const void *blob, uint32_t len,
			 struct kecat_conf **out)
{
	struct kecat_conf *c;
	uint32_t pos = 0;
	int ret = 0;

	if (len > KECAT_MAX_CONFIG)
		return -E2BIG;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	while (pos < len && ret >= 0) {
		ret = take(c, (const uint8_t *)blob + pos, len - pos);
		pos += ret > 0 ? ret : 0;
	}
	if (ret < 0 || !c->len) {
		kecat_conf_free(c);
		return ret < 0 ? ret : -EINVAL;
	}
	*out = c;
	return 0;
}

bool kecat_conf_next(const struct kecat_conf *c, struct kecat_element *e)
{
	struct kecat_cfg_tlv tlv;
	const void *p;

	if (e->next >= c->len)
		return false;
	memcpy(&tlv, c->blob + e->next, sizeof(tlv));
	p = c->blob + e->next + sizeof(tlv);
	*e = (struct kecat_element){
		.type = tlv.type, .slave = e->slave,
		.next = e->next + sizeof(tlv) + pad8(tlv.len),
	};
	switch (tlv.type) {
	case KECAT_CFG_BUS:
		e->bus = p;
		e->slave = KECAT_ALL;
		break;
	case KECAT_CFG_SLAVE:
		e->slv = p;
		e->slave++;	/* KECAT_ALL + 1 = 0 */
		break;
	case KECAT_CFG_SM:
		e->sm = p;
		break;
	case KECAT_CFG_PDO:
		e->pdo = p;
		break;
	case KECAT_CFG_ENTRY:
		e->entry = p;
		break;
	case KECAT_CFG_SDO:
		e->sdo = p;
		e->data = e->sdo + 1;
		break;
	}
	return true;
}

static const char *const kind_names[KINDS] = {
	[KECAT_CFG_BUS] = "bus", [KECAT_CFG_SLAVE] = "slave",
	[KECAT_CFG_SM] = "sync manager", [KECAT_CFG_PDO] = "PDO",
	[KECAT_CFG_ENTRY] = "entry", [KECAT_CFG_SDO] = "SDO",
	[KECAT_CFG_FILL] = "fill",
};

static void explain(struct kecat *k, const struct kecat_config *cfg)
{
	const char *kind = cfg->err_type && cfg->err_type < KINDS ?
			   kind_names[cfg->err_type] : "element";

	if (cfg->err_slave == KECAT_ALL)
		kecat_set_detail(k, "%s: %s", kind, cfg->message);
	else if (cfg->err_type == KECAT_CFG_SLAVE)
		kecat_set_detail(k, "slave %u: %s", cfg->err_slave, cfg->message);
	else
		kecat_set_detail(k, "slave %u, %s: %s", cfg->err_slave, kind,
				 cfg->message);
}

static int set(struct kecat *k, struct kecat_conf *c, uint32_t flags)
{
	struct kecat_config cfg = {
		.size = sizeof(cfg), .flags = flags,
		.len = c ? c->len : 0, .ptr = c ? (uintptr_t)c->blob : 0,
	};
	int ret;

	k->detail[0] = '\0';
	ret = kecat_call(k, KECAT_IOC_CONFIG_SET, &cfg);
	cfg.message[sizeof(cfg.message) - 1] = '\0';
	if (ret == -EINVAL && cfg.message[0])
		explain(k, &cfg);
	return ret;
}

int kecat_configure(struct kecat *k, struct kecat_conf *c)
{
	return set(k, c, 0);
}

int kecat_verify(struct kecat *k, struct kecat_conf *c)
{
	return c ? set(k, c, KECAT_CONFIG_VERIFY) : -EINVAL;
}

int kecat_get_config(struct kecat *k, struct kecat_conf **out)
{
	struct kecat_config cfg = {
		.size = sizeof(cfg), .len = KECAT_MAX_CONFIG,
	};
	void *mem = malloc(KECAT_MAX_CONFIG);
	int ret;

	if (!mem)
		return -ENOMEM;
	cfg.ptr = (uintptr_t)mem;
	ret = kecat_call(k, KECAT_IOC_CONFIG_GET, &cfg);
	if (!ret && !cfg.len)
		ret = -ENOENT;
	if (!ret)
		ret = cfg.len > KECAT_MAX_CONFIG ? -EPROTO :
		      kecat_conf_from_blob(mem, cfg.len, out);
	free(mem);
	return ret;
}
