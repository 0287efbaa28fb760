# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.12-rt,debug icount=0 timeout=900 farend=sim segment=demo pcap=1
# The port of an e1000e in kecat's hands: a cable that is pulled while the bus
# runs, frames that vanish or come damaged, and no interrupt.

port=0000:00:03.0

modprobe e1000e
wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
before=$(port_irqs $port)
check "kecat takes the port" kecat attach eth0 || bail "no port"
check "the segment is found" wait_for 100 in_state PREOP 10
check "all reach OP" start_run || bail "no cycle: $(cat /tmp/run.err)"

lost=$(status frames_lost)
check "far end drops frames" host sim segment drop 3
check "they are counted as lost" wait_for 50 status_is frames_lost $((lost + 3))
check "three frames arrive damaged at a slave" host sim 2 corrupt 3
check "they are lost too" wait_for 50 status_is frames_lost $((lost + 6))
check "a slave counts one too many" host sim 4 wkc 3
check "the working counter tells of it" wait_for 50 sh -c 'kecat events | grep -q " wkc "'
check "all stay in OP" wait_for 100 status_is slaves_op 10

check "cable is pulled" host link off
check "link is down" wait_for 100 status_is link false
check "slaves are lost" wait_for 200 status_is slaves_present 0
check "cable is back" host link on
check "link is up" wait_for 100 status_is link true
check "all come back to OP" wait_for 600 status_is slaves_op 10
check "the run ends when told to" stop_run INT
same "no interrupt of the port" 0 $(($(port_irqs $port) - before))
check "port goes back" kecat detach 0
check "its old driver has it" wait_for 50 test -d /sys/class/net/eth0
check "modules unload" modprobe -r kecat_e1000e e1000e
