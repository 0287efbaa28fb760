# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=900 farend=inside wire=1 slaves=coupler
# What takes time in the guest's virtual time, with frames that take theirs on the
# wire: short cycles, and bringing segments up.  full=1 in append: all of them.

full=$(grep -c '\bfull=1' /proc/cmdline)
echo -1 >/proc/sys/kernel/sched_rt_runtime_us

result() { while read -r line; do lab_line "result $1 $line"; done; }

# run NAME SLAVES COUNT CYCLES CYCLE_NS [SPIN_NS RECORD]
run()
{
	wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
	ip link set eth0 up
	wait_for 100 grep -q 1 /sys/class/net/eth0/carrier || bail "no link"
	rawsock eth0 slaves "$2"
	ip link set eth0 down
	check "$1: kecat takes the port" kecat attach eth0
	check "$1: it runs" sh -c "timeout 120 measure $3 $4 $5 $6 $7 >/tmp/kecat"
	result "$1" </tmp/kecat
	check "$1: the port goes back" kecat detach 0
}

modprobe e1000e InterruptThrottleRate=0
run up10 coupler,dio8*5,drive*4 10 100 1000000
run up50 coupler,dio8*25,drive*24 50 100 1000000
run c62500 coupler,do8*4,di8*4,drive 10 16000 62500
run c50000 coupler,do8*4,di8*4,drive 10 20000 50000
[ "$full" = 0 ] || {
	run account coupler,do8*4,di8*4,drive 10 100000 62500 0 record
	run up100 coupler,dio8*50,drive*49 100 100 1000000
	run up200 coupler,dio8*100,drive*99 200 100 1000000
}
