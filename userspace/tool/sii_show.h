/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KECAT_TOOL_SII_SHOW_H
#define KECAT_TOOL_SII_SHOW_H

#include <stddef.h>
#include <stdint.h>

/* an EEPROM image of any content and length, through out_*() */
void sii_show(const uint8_t *data, size_t len);

#endif
