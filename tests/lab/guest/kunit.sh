# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=debug timeout=300 farend=none
# The unit tests of tests/kunit, in the debug kernel: each case is a verdict.

check "kecat_kunit loads" modprobe kecat_kunit || bail "no unit tests"
for suite in frame sii_parse config plan; do
	results=/sys/kernel/debug/kunit/kecat_$suite/results
	check "kecat_$suite has results" test -e "$results" || continue
	# KTAP: the cases of a suite are indented by four
	sed -n 's/^    ok [0-9]* /pass /p; s/^    not ok [0-9]* /fail /p' \
		"$results" >cases
	check "kecat_$suite has cases" test -s cases
	while read -r verdict name; do
		"$verdict" "kecat_$suite $name"
	done <cases
	! grep -q '^fail' cases || sed 's/^/# /' "$results" >&3
done
check "kecat_kunit unloads" rmmod kecat_kunit
