# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=900 farend=inside slaves=coupler
# What a cycle costs, in instructions: kecat, and the same datagrams by a raw
# socket on the same NIC with its stock driver.  Frames take no time on the wire.
# full=1 in append: all segments, not only the first.

port=0000:00:03.0
full=$(grep -c '\bfull=1' /proc/cmdline)
echo -1 >/proc/sys/kernel/sched_rt_runtime_us

# what rawsock, measure and the kernel say, for tests/bench/bench
result() { while read -r line; do lab_line "result $1 $line"; done; }

# of the driver in its ordinary state; no throttling of interrupts
stock()
{
	wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
	ip link set eth0 up
	wait_for 100 grep -q 1 /sys/class/net/eth0/carrier || bail "no link"
	sleep 1
}

# measure_all NAME SLAVES COUNT FRAMES BYTES
measure_all()
{
	stock
	before=$(port_irqs $port)
	check "$1: raw socket" sh -c "rawsock eth0 500 $4 $5 >/tmp/raw"
	after=$(port_irqs $port)
	result "$1.socket" </tmp/raw
	echo "irqs=$((after - before))" | result "$1.socket"
	rawsock eth0 slaves "$2"
	ip link set eth0 down
	check "$1: kecat takes the port" kecat attach eth0
	before=$(port_irqs $port)
	check "$1: kecat" sh -c "timeout 60 measure $3 ${6:-1000} 1000000 >/tmp/kecat"
	after=$(port_irqs $port)
	result "$1.kecat" </tmp/kecat
	echo "irqs=$((after - before))" | result "$1.kecat"
	for tick in ${7:-}; do
		check "$1: kecat, by the $tick" sh -c "TICK=$tick timeout 60 measure $3 ${6:-1000} 1000000 >/tmp/kecat"
		result "$tick.kecat" </tmp/kecat
	done
	check "$1: the port goes back" kecat detach 0
}

modprobe e1000e InterruptThrottleRate=0
measure_all base coupler,do8*4,di8*4,drive 10 1 10 1000 "interrupt application"
[ "$full" = 0 ] || {
	measure_all s1 b200 1 1 400
	measure_all s10 b20*10 10 1 400
	measure_all s100 b2*100 100 1 400
	measure_all f3 b200*9 9 3 1200
	measure_all f10 b200*30 30 10 1200 300
}
