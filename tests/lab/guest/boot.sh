# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,debug icount=0 timeout=120 farend=none build=
# The lab itself works: the kernel boots, the distribution's own driver brings
# a link up, and the launcher answers.

check "kernel is PREEMPT_RT" grep -q PREEMPT_RT /proc/version
check "in-tree e1000e loads" modprobe e1000e
check "interface appears" wait_for 50 test -d /sys/class/net/eth0
check "interface comes up" ip link set eth0 up
check "link comes up" wait_for 100 grep -q 1 /sys/class/net/eth0/carrier
same "launcher answers" "hello" "$(host echo hello)"
check "interface goes down" ip link set eth0 down
check "driver unloads" rmmod e1000e
