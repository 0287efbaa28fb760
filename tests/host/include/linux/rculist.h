/* SPDX-License-Identifier: GPL-2.0-only */
#include <linux/list.h>
#include <linux/rcupdate.h>
