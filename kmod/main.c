// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "trace.h"
#include "house.h"
#include "master.h"
#include "version.h"

static int __init kecat_init(void)
{
	return kecat_house_init() ?: kecat_chardev_init();
}
module_init(kecat_init);

static void __exit kecat_exit(void)
{
	kecat_chardev_exit();
}
module_exit(kecat_exit);

MODULE_DESCRIPTION("EtherCAT master");
MODULE_AUTHOR("The kecat authors");
MODULE_VERSION(KECAT_RELEASE);
MODULE_LICENSE("GPL");
