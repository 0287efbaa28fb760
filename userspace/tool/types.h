/* SPDX-License-Identifier: GPL-2.0-only */
/* CoE data types as text and as bytes on the wire (little endian). */
#ifndef KECAT_TOOL_TYPES_H
#define KECAT_TOOL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* names for messages: "bool int8 ..." */
extern const char type_names[];

bool type_known(const char *type);
/* bytes written, or -1: text does not fit the type; -2: longer than @room */
ssize_t type_parse(const char *type, const char *text, uint8_t *buf, size_t room);
/*
 * Text of @len bytes in @buf of @room; true, or false: length does not fit.
 * @number: the text is a number that JSON knows.
 */
bool type_format(const char *type, const uint8_t *data, size_t len, char *buf,
		 size_t room, bool *number);
/* what to take for data of unknown type: an unsigned number, or raw */
const char *type_guess(size_t len);

/* pairs of hexadecimal digits, spaces between them allowed; -1, -2 as above */
ssize_t hex_parse(const char *text, uint8_t *buf, size_t room);

#endif
