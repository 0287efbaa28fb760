# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,debug icount=0 timeout=900 farend=none
# Slaves that reboot, vanish, turn into something else or refuse, while the
# others keep cycling.

fault() { echo "$*" >/sys/module/kecat_sim/parameters/fault; }
event() { kecat events | grep -E "$*"; }
is() { [ "$(state_of "$1")" = "$2" ]; }

check "simulated bus comes up" bus_up coupler,do8,di8,dio8,ai2,drive 6 || bail "no bus"
check "it runs" start_run || bail "no cycle: $(cat /tmp/run.err)"

fault 3 power cycle
check "a slave that rebooted is noticed" wait_for 50 event "(slave-lost|slave-state) +slave 3 "
check "and comes back to OP" wait_for 300 is 3 OP
for i in 0 1 2; do
	check "slave $i before it stayed in OP" is $i OP
done

fault 5 power off
check "a slave without power is absent" wait_for 50 is 5 absent
check "five are in OP" wait_for 300 status_is slaves_op 5
fault 5 power on
check "it comes back" wait_for 300 is 5 OP

fault 5 power off
wait_for 50 is 5 absent
fault 5 identity 0x4b454341 0x999
fault 5 power on
check "another device in its place is not taken to OP" wait_for 100 event "slave-problem +slave 5 "
check "five are still in OP" status_is slaves_op 5
fault 5 power off
wait_for 50 is 5 absent
fault 5 sii restore
fault 5 power on
check "the right one is taken again" wait_for 300 is 5 OP

lost=$(status frames_lost)
fault segment drop 5
check "five dropped frames are counted" wait_for 20 status_is frames_lost $((lost + 5))
check "all are still in OP" status_is slaves_op 6

fault 4 al error 4 0x1b
check "a slave that falls back is noticed" wait_for 50 event "slave-state +slave 4 "
fault 4 al ok
check "and is brought back" wait_for 300 is 4 OP

check "a killed application" stop_run KILL
check "ends the cycle" wait_for 100 status_is active false
check "slaves leave OP" wait_for 100 status_is slaves_op 0
check "and it runs again" start_run
check "until told to end" stop_run INT
check "simulator unloads" modprobe -r kecat_sim
