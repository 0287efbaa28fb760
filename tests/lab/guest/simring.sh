# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=debug icount=0 timeout=900 farend=none
# A ring of simulated slaves: breaks, and the module goes while it cycles.

fault() { echo "$*" >/sys/module/kecat_sim/parameters/fault; }
ring_is() { [ "$(status state)" = "$1" ]; }

modprobe kecat_sim slaves=coupler,do8,di8,dio8,ai2 ring=1 || bail "no simulator"
check "one master, two ports" test ! -e /dev/kecat1
check "slaves in PREOP" wait_for 200 in_state PREOP 5 || bail "no bus"
check "the ring is closed" wait_for 50 ring_is closed || kecat status
check "it runs" start_run --cycle-us 4000 --deadline-us 3900 || bail "no cycle: $(cat /tmp/run.err)"
for at in 0 1 3; do
	fault $at unplug 1
	check "broken behind slave $at" wait_for 50 ring_is broken
	check "all stay in OP" status_is slaves_op 5
	check "a mailbox behind it answers" kecat upload 4 0x1018 1
	fault $at plug 1
	check "closed again" wait_for 50 ring_is closed
done
fault segment unplug 0
check "the first cable is off" wait_for 50 ring_is broken
check "all stay in OP" status_is slaves_op 5
fault segment plug 0
check "closed again" wait_for 50 ring_is closed
# the first slave opens its port before anything is sent there
check "one working counter at most was wrong" test "$(status wkc_errors)" -le 1 || kecat events
check "the module goes while it cycles" modprobe -r kecat_sim
stop_run INT
check "and comes again" modprobe kecat_sim slaves=coupler,do8 ring=1
check "and goes" modprobe -r kecat_sim
