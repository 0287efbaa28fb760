# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=900 farend=sim segment=ring nics=2
# Cable redundancy on two e1000e: the use cases of ETG.1500 FPCR_101 with an
# application that compares outputs with the inputs they come back as.

first=0000:00:03.0
second=0000:00:04.0
echo -1 >/proc/sys/kernel/sched_rt_runtime_us

ring_is() { [ "$(status state)" = "$1" ]; }
told() { kecat status | grep -q "$1"; }
all_op() { status_is slaves_op 10; }
# counters of the running cycle
bad() { status wkc_errors; }

# undisturbed NAME ALLOWED: since the last call no more than so many datagrams
# had a wrong counter, and everybody is in OP
undisturbed()
{
	bad_now=$(bad)
	check "$1: everybody is in OP" all_op
	check "$1: at most $2 wrong counters" test $((bad_now - bad_before)) -le "$2" ||
		note "$((bad_now - bad_before)) working counter errors"
	bad_before=$(bad)
}

# mailbox: the last but three has one
mailbox_answers() { kecat upload 6 0x1018 1 >/tmp/sdo; }

# cable POSITION PORT on|off: between two slaves
cable() { host sim "$1" "$([ "$3" = on ] && echo plug || echo unplug)" "$2"; }

# the master's own cables: slave and port see it.  On a wire both do at the same
# moment; the emulated port takes half a second to find its link.
master_cable()
{
	if [ "$2" = off ]; then
		host sim segment unplug "$1"
		host link off "$1"
	else
		host link on "$1"
		sleep 1
		host sim segment plug "$1"
	fi
}

modprobe e1000e
modprobe kecat || bail "kecat.ko does not load"
wait_for 50 test -d /sys/class/net/eth1 || bail "no second interface"
check "both ports are attached" kecat attach eth0 eth1
cat /tmp/lab.out
check "ten slaves in PREOP" wait_for 200 in_state PREOP 10 || bail "no bus"
check "the ring is closed" wait_for 50 ring_is closed || kecat status

kecat config scan >/tmp/bus.yaml || bail "scan"
start_run /tmp/bus.yaml --check-loop --loop 1:2,3:4,7:8 --prio 50 ||
	bail "no cycle: $(cat /tmp/run.err)"
sleep 1
bad_before=$(bad)
lost_before=$(status frames_lost)
sleep 2
undisturbed "closed" 0
same "closed: no frame is lost" "$lost_before" "$(status frames_lost)"

cable 4 1 off
check "a break between slaves is located" wait_for 50 told "between slave 4 port 1 and slave 5 port 0"
sleep 1
undisturbed "broken between slaves" 0
check "a mailbox behind the break answers" mailbox_answers
cable 4 1 on
check "it is repaired" wait_for 50 ring_is closed
sleep 1
undisturbed "repaired" 0

master_cable 0 off
check "a break at the first port is located" wait_for 50 told "between the first port and slave 0"
sleep 1
undisturbed "first port off" 1
check "a mailbox answers by the second port alone" mailbox_answers
master_cable 0 on
check "it is repaired" wait_for 100 ring_is closed
sleep 1
undisturbed "first port on" 1

master_cable 1 off
check "a break at the second port is located" wait_for 50 told "between slave 9 and the second port"
sleep 1
undisturbed "second port off" 0
master_cable 1 on
check "it is repaired" wait_for 100 ring_is closed
sleep 1
undisturbed "second port on" 0

# stop and start with a break
cable 2 1 off
check "broken elsewhere" wait_for 50 told "between slave 2 port 1 and slave 3 port 0"
undisturbed "before the stop" 0
check "the application stops" stop_run INT
same "what it got is what it sent" 0 "$(json app_mismatch /tmp/run.json)"
same "no interrupt of the port" 0 "$(json irqs /tmp/run.json)"
# six changes of the cable: one between the two frames of a cycle costs it, and
# the first slave opens its port before anything is sent there
check "cycles without data: one a change at most" test "$(json invalid /tmp/run.json)" -le 6
note "ring: cycles=$(json cycles /tmp/run.json) invalid=$(json invalid /tmp/run.json)" \
	"app_mismatch=$(json app_mismatch /tmp/run.json)"
check "and starts with the break" start_run /tmp/bus.yaml --check-loop --loop 1:2,3:4,7:8 --prio 50
sleep 1
bad_before=$(bad)
sleep 1
undisturbed "started with a break" 0
cable 2 1 on
check "it is repaired" wait_for 50 ring_is closed
check "the application stops" stop_run INT
same "what it got is what it sent" 0 "$(json app_mismatch /tmp/run.json)"

master_cable 1 off
check "one port goes back" kecat detach $second
sleep 1
check "the other goes on" wait_for 50 sh -c 'kecat status | grep -q "10 present"'
check "the first one goes back" kecat detach 0
check "both attached again" kecat attach $first $second
check "both go back" kecat detach 0
check "drivers unload" rmmod kecat_e1000e kecat
