#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The test programs given, one after the other; TAP with a plan each.
status=0
for t; do
	echo "# $(basename "$t")"
	"$t" || status=1
done
exit $status
