# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,7-rt icount=0 timeout=900 farend=sim slaves=coupler,dio8,drive
# variant: 6.1 farend=none append=port=sim
# variant: debug farend=none append=port=sim
# A cycle in the time of each who can give the tick, with answers that are polled for
# and slept for.  By hand also: nic=igb, nic=r8169 chip=h.

port=0000:00:03.0
cycles=1000

switches() { awk '/^voluntary/ { print $2 }' "/proc/$(pidof_thread kecat0)/status"; }
pidof_thread() { grep -lx "$1" /proc/[0-9]*/comm | cut -d/ -f3; }

if grep -q port=sim /proc/cmdline; then
	check "the simulator loads" modprobe kecat_sim slaves=coupler,dio8,drive
else
	case $(cat /sys/bus/pci/devices/$port/vendor):$(cat /sys/bus/pci/devices/$port/device) in
	0x10ec:*) modprobe realtek && modprobe r8169 ;;
	*:0x10c9) modprobe igb ;;
	*) modprobe e1000e ;;
	esac
	wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
	check "kecat takes the port" kecat attach eth0 || bail "no port"
fi
check "three slaves are found" wait_for 200 in_state PREOP 3
check "configuration from a scan" sh -c 'kecat config scan >bus.yaml'

# tick RECEIVE DEADLINE: ends well, each output comes back, nothing is lost
run()
{
	before=$(switches)
	kecat run bus.yaml --tick "$1" --receive "$2" --deadline-us "$3" --cycles $cycles \
		--check-loop --loop 1:1 --loop-delay 4 --json >run.json
	same "$1, $2: $cycles cycles run and end well" 0 $?
	same "all were in OP" 3 "$(json op run.json)"
	same "no frame was lost" 0 "$(json lost run.json)"
	same "the phases add up" 0 "$(json unaccounted_ns run.json)"
	same "outputs come back as inputs" 0 "$(json app_mismatch run.json)"
	slept=$(($(switches) - before))
	note "tick: by=$1 receive=$2 cycles=$cycles thread_switches=$slept late=$(json late run.json)"
}

run thread poll 750
check "the thread sleeps before each cycle" [ $slept -ge $cycles ]
run thread asleep 900
check "and twice, when it does not poll" [ $slept -ge $((2 * cycles)) ]
run interrupt poll 750
# coming up and leaving, it is the thread that sends
check "an interrupt does not need the thread" [ $slept -lt $((cycles / 2)) ]
run interrupt asleep 900
check "nor do two" [ $slept -lt $((cycles / 2)) ]
run application poll 750
check "an application in time is looked after now and then" [ $slept -lt $((cycles * 3 / 4)) ]
run application asleep 900

check "too long with interrupts off is refused" sh -c \
	'! kecat run bus.yaml --tick interrupt --cycle-us 4000 2>err && grep "deadline_ns with interrupts off" err'
check "an application that gives the tick" start_run bus.yaml --tick application
stop_run KILL
check "is missed when it is gone: the bus leaves OP" wait_for 100 status_is slaves_op 0
check "an event says so" sh -c 'kecat events | grep -i "application"'
if grep -q port=sim /proc/cmdline; then
	check "modules unload" rmmod kecat_sim kecat
else
	check "port goes back" kecat detach 0
fi
