/* SPDX-License-Identifier: GPL-2.0-only */
/* Drivers of kecat as files. */
#ifndef KECAT_TOOL_MODULE_H
#define KECAT_TOOL_MODULE_H

#include <stdbool.h>
#include <stddef.h>

/* Is the module @name one that only says why it could not be built? */
bool module_is_absent(const char *name, char *why, size_t room);

#endif
