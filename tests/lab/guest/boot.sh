# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,6.1,6.12-rt,6.12,7-rt,7,debug icount=0 timeout=180 farend=none
# matrix:
# The lab itself works: the kernel boots, the distribution's own driver brings
# a link up, and the launcher answers.  Each module of ours loads, and simulated
# slaves cycle.

case $(uname -r) in
*-rt-* | *-debug) check "kernel is PREEMPT_RT" grep -q PREEMPT_RT /proc/version ;;
*) check "kernel is not PREEMPT_RT" sh -c '! grep PREEMPT_RT /proc/version' ;;
esac
check "in-tree e1000e loads" modprobe e1000e
check "interface appears" wait_for 50 test -d /sys/class/net/eth0
check "interface comes up" ip link set eth0 up
check "link comes up" wait_for 100 grep -q 1 /sys/class/net/eth0/carrier
same "launcher answers" "hello" "$(host echo hello)"
check "interface goes down" ip link set eth0 down
check "driver unloads" rmmod e1000e

# The debug kernel has no netlink for ethtool, which igc needs.
may_be_absent()
{
	case $(uname -r):$1 in
	*-debug:kecat_igc) modinfo -F absent "$1" | grep -q . ;;
	*) false ;;
	esac
}

# what modules of ours need by another module
modprobe libphy 2>/dev/null
for path in /lib/modules/*/kecat*.ko; do
	module=$(basename "$path" .ko)
	if [ "$module" = kecat_kunit ]; then
		:
	elif may_be_absent "$module"; then
		check "$module is not loaded where it cannot be" sh -c "! modprobe $module"
		check "and says why" sh -c "dmesg | grep '^.*$module is not built for this kernel: .'"
	else
		check "$module loads" modprobe "$module"
	fi
done
modprobe -r kecat_sim
check "simulated slaves" bus_up coupler,do8,di8 3
check "they reach OP" start_run
cycles=$(status cycles)
sleep 1
check "they cycle" test $(($(status cycles) - cycles)) -gt 900
same "no frame was lost" 0 "$(status frames_lost)"
check "the run ends when told to" stop_run INT
for module in $(awk '/^kecat_/ { print $1 }' /proc/modules) kecat; do
	check "$module unloads" rmmod "$module"
done
