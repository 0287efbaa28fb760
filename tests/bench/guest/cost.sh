# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=600 farend=inside slaves=coupler,do8*4,di8*4,drive
port=0000:00:03.0
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
modprobe e1000e InterruptThrottleRate=0
wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
ip link set eth0 up
wait_for 100 grep -q 1 /sys/class/net/eth0/carrier
sleep 2
i0=$(port_irqs $port)
note "$(rawsock eth0 1000)"
i1=$(port_irqs $port)
note "irqs $i0 $i1"
note "$(rawsock eth0 1000)"
ip link set eth0 down
check "kecat takes the port" kecat attach eth0
check "the segment is found" wait_for 100 in_state PREOP 10
check "all reach OP" start_run
sleep 1
kecat latency --reset >/dev/null
sleep 2
kecat latency >/tmp/lat
while read -r l; do note "$l"; done </tmp/lat
note "$(status frames_lost)"
note "$(host nic counts zero)"
sleep 1
note "$(host nic counts)"
grep ctxt /proc/$(pidof kecat0)/status >/tmp/x
while read -r l; do note "$l"; done </tmp/x
note "$(status cycles)"
sleep 1
grep ctxt /proc/$(pidof kecat0)/status >/tmp/x
while read -r l; do note "$l"; done </tmp/x
note "$(status cycles)"
stop_run INT
