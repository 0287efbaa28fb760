/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KECAT_VERSION_H
#define KECAT_VERSION_H

#define KECAT_RELEASE	"0.1.0"

#endif
