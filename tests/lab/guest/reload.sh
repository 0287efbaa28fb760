# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,debug icount=0 timeout=1800 farend=sim segment=demo
# Loading and unloading a hundred times, idle and with a cycle running whose
# application is killed; what is left of it is counted.

sim=coupler,do8,di8,dio8

rounds()
{
	for i in $(seq "$1"); do
		modprobe kecat_sim slaves=$sim || return 1
		[ $((i % 4)) = 0 ] || wait_for 100 in_state PREOP 4 || return 1
		modprobe -r kecat_sim || return 1
	done
}

killed_rounds()
{
	for i in $(seq "$1"); do
		bus_up $sim 4 && start_run || return 1
		stop_run KILL
		[ $((i % 2)) = 0 ] || wait_for 100 status_is active false || return 1
		rmmod kecat_sim && rmmod kecat || return 1
	done
}

check "10 rounds to warm up" rounds 10
before=$(objects)
check "90 rounds" rounds 90
after=$(objects)
note "slab objects: $before before, $after after 90 rounds"
check "no object a round stays" test $((after - before)) -lt 90

check "10 rounds with a cycle whose application is killed" killed_rounds 10

modprobe e1000e
wait_for 50 test -d /sys/class/net/eth0
nic_rounds()
{
	for i in $(seq "$1"); do
		wait_for 50 test -d /sys/class/net/eth0 || return 1
		kecat attach eth0 || return 1
		[ $((i % 2)) = 0 ] || { wait_for 100 in_state PREOP 10 && start_run && stop_run KILL; } || return 1
		kecat detach 0 || return 1
	done
}
check "port is taken and given back 6 times, an application killed on it" nic_rounds 6
check "the distribution's driver has it again" wait_for 50 test -d /sys/class/net/eth0
check "its interface still works" ip link set eth0 up
ip link set eth0 down
check "modules unload" modprobe -r kecat_e1000e e1000e
check "nothing of kecat stays" sh -c '! grep -q ^kecat /proc/modules && ! ls /dev/kecat* 2>/dev/null'
same "no thread stays" "" "$(cat /proc/[0-9]*/comm 2>/dev/null | grep kecat)"
