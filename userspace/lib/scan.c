// SPDX-License-Identifier: LGPL-2.1-or-later
/* A configuration of what the scan found. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "priv.h"

#define SCAN_POLL_MS	20
#define SCAN_TRIES	250

/* Until the list of slaves is complete and their workers are done */
static int settled(struct kecat *k, struct kecat_status *st)
{
	for (int i = 0; i < SCAN_TRIES; i++) {
		int ret = kecat_get_status(k, st);

		if (ret)
			return ret;
		if (!st->scanning && st->slaves_present)
			return 0;
		if (poll(NULL, 0, SCAN_POLL_MS) < 0)
			return -errno;
	}
	return st->scanning ? -ETIMEDOUT : -ENOLINK;
}

/* The entries of one sync manager, PDO by PDO in the order of the list */
static int add_sm(struct kecat_conf *c, const struct kecat_pdo_entry *list,
		  int n, uint8_t index)
{
	uint16_t pdo = 0;
	bool first = true;
	int ret = 0;

	for (int i = 0; i < n && !ret; i++) {
		const struct kecat_pdo_entry *e = &list[i];

		if (e->sm != index)
			continue;
		if (first) {
			struct kecat_cfg_sm sm = { .index = index, .dir = e->dir };

			ret = kecat_conf_add_sm(c, &sm);
		}
		if (!ret && (first || e->pdo != pdo))
			ret = kecat_conf_add_pdo(c, e->pdo);
		if (!ret && e->bits)
			ret = kecat_conf_add_entry(c, e->index, e->subindex,
						   e->bits);
		pdo = e->pdo;
		first = false;
	}
	return ret;
}

static int add_slave(struct kecat *k, struct kecat_conf *c, uint32_t position,
		     uint16_t group)
{
	struct kecat_cfg_slave s = { .position = position, .group = group };
	struct kecat_pdo_entry *list = NULL;
	struct kecat_slave_info info;
	int ret, n;

	ret = kecat_get_slave(k, position, &info);
	if (ret)
		return ret;
	s.vendor = info.vendor;
	s.product = info.product;
	s.revision = info.revision;
	s.serial = info.serial;
	memcpy(s.name, info.name, sizeof(s.name) - 1);
	ret = kecat_conf_add_slave(c, &s);
	if (ret < 0)
		return ret;
	n = kecat_get_pdos(k, position, &list);
	ret = n < 0 ? n : 0;
	for (uint8_t sm = 0; sm < 16 && !ret; sm++)
		ret = add_sm(c, list, n, sm);
	free(list);
	return ret;
}

int kecat_conf_from_scan(struct kecat *k, uint64_t cycle_ns,
			 unsigned int flags, struct kecat_conf **out)
{
	struct kecat_status st;
	struct kecat_conf *c;
	int ret;

	if (flags & ~KECAT_SCAN_GROUPS)
		return -EINVAL;
	k->detail[0] = '\0';
	ret = settled(k, &st);
	if (ret)
		return ret;
	c = kecat_conf_new(cycle_ns);
	if (!c)
		return -ENOMEM;
	for (uint32_t i = 0; i < st.slaves && !ret; i++) {
		uint32_t group = flags & KECAT_SCAN_GROUPS ? i : 0;

		if (group >= KECAT_MAX_GROUPS)
			group = KECAT_MAX_GROUPS - 1;
		ret = add_slave(k, c, i, group);
		if (ret)
			kecat_set_detail(k, "slave %u: %s", i, kecat_strerror(ret));
	}
	if (ret) {
		kecat_conf_free(c);
		return ret;
	}
	*out = c;
	return 0;
}
