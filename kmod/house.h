/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KECAT_HOUSE_H
#define KECAT_HOUSE_H

int kecat_house_init(void);
void kecat_house_keep(void);

#endif
