#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# All test programs of one build, one after the other; TAP with a plan each.
status=0
for t in rt_test call_test file_test pure_test master_test bus_test fault_test soak; do
	[ -x "$1/$t" ] || continue
	echo "# $t"
	"$1/$t" || status=1
done
exit $status
