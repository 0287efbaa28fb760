/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KECAT_TOOL_FILE_H
#define KECAT_TOOL_FILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * What @fn writes of @arg appears under the name @path as a whole, in place of
 * what there was, or not at all.  0 or -errno
 */
int file_write(const char *path, bool (*fn)(FILE *f, const void *arg), const void *arg);

#endif
