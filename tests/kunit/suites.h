/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KECAT_KUNIT_SUITES_H
#define KECAT_KUNIT_SUITES_H

#include <kunit/test.h>

extern struct kunit_suite kecat_frame_suite;
extern struct kunit_suite kecat_sii_parse_suite;
extern struct kunit_suite kecat_config_suite;
extern struct kunit_suite kecat_plan_suite;

#endif
