/* SPDX-License-Identifier: GPL-2.0-only */
/* Giving a port to kecat and back, for commands that do both. */
#ifndef KECAT_TOOL_ATTACH_H
#define KECAT_TOOL_ATTACH_H

#include "cmd.h"
#include "sysfs.h"

#define DRIVER_PREFIX	"kecat_"

/* A port that may be taken, and the driver of kecat's that takes it */
struct candidate {
	struct port p;		/* .pci: what kecat calls it */
	char driver[PORT_NAME + sizeof(DRIVER_PREFIX)];
};

/* An address that somebody may be reaching this machine by */
bool attach_in_use(const char *ifname, char *text, size_t room);
/* What the user named, if it may be taken; else an exit status after a message */
int attach_choose(struct ctx *c, const char *name, struct candidate *a);
/*
 * Take it; @quiet: its slaves stay as they are.  The new master is c->master and
 * open.  An exit status after a message; attach_back() is in order then too.
 */
int attach_take(struct ctx *c, const struct candidate *a, bool quiet);
/* Give it back if it was taken; 0 or -errno */
int attach_back(const struct candidate *a);

#endif
