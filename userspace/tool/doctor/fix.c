// SPDX-License-Identifier: GPL-2.0-only
/* What a finding says can be mended while the machine runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "tree.h"

#define ETHTOOL "ethtool/"

/* A recorded tree has no driver that could be told */
static int carry_out(const struct exam *e, const struct remedy *r)
{
	if (strncmp(r->path, ETHTOOL, strlen(ETHTOOL)))
		return tree_write(r->value, r->path);
	if (!tree_live())
		return -EOPNOTSUPP;
	return ethtool_write(e->port.ifname, r->path + strlen(ETHTOOL),
			     strtoul(r->value, NULL, 10));
}

int fix(const struct exam *e, struct finding *f)
{
	int done = 0;

	for (int i = 0; i < f->remedies; i++) {
		f->remedy[i].result = carry_out(e, &f->remedy[i]);
		done += !f->remedy[i].result;
	}
	return done;
}
