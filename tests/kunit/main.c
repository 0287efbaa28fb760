// SPDX-License-Identifier: GPL-2.0-only
/* Unit tests of the master's pure parts, in the kernel they are meant for. */
#include <linux/module.h>
#include "suites.h"

kunit_test_suites(&kecat_frame_suite, &kecat_sii_parse_suite,
		  &kecat_config_suite, &kecat_plan_suite);

MODULE_DESCRIPTION("Unit tests of the EtherCAT master kecat");
MODULE_LICENSE("GPL");
