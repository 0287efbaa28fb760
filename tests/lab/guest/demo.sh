# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=600 farend=sim segment=demo pcap=1
# The main job: an e1000e taken over by kecat, ten slaves in OP, 20 s at 1 kHz,
# outputs that come back as inputs, checked by the application.

cycles=20000
port=0000:00:03.0

step() { printf '\n=== %s\n' "$*"; }

echo 4 >/proc/sys/kernel/printk
# the guest has one CPU for everything: no pause for the cyclic thread
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
step "$(uname -srv)"
modprobe e1000e
modprobe kecat || bail "kecat.ko does not load"
modprobe kecat_e1000e || bail "kecat_e1000e.ko does not load"
wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"

step "kecat attach eth0"
kecat attach eth0 || bail "attach failed"
wait_for 50 sh -c 'kecat slaves | grep -c PREOP | grep -qx 10'
check "ten slaves are found and in PREOP" sh -c 'kecat slaves | grep -c PREOP | grep -qx 10'
kecat slaves

step "/proc/interrupts before"
grep -E 'CPU|0000:00|kecat|eth|IO-APIC' /proc/interrupts
before=$(port_irqs $port)

step "kecat run: $cycles cycles of 1 ms, outputs looped to inputs"
kecat config scan >/tmp/bus.yaml || bail "config scan failed"
kecat run /tmp/bus.yaml --cycles $cycles --check-loop --loop 1:2,3:4,8:9 --prio 50 --json >/tmp/run.json
status=$?
after=$(port_irqs $port)
same "kecat run ends well" 0 $status

step "kecat latency"
kecat latency

step "/proc/interrupts after"
grep -E 'CPU|0000:00|kecat|eth|IO-APIC' /proc/interrupts

step "kecat status"
kecat status
kecat status --json >/tmp/status.json

check "the port goes back" kecat detach 0
check "driver unloads" rmmod kecat_e1000e
check "master unloads" rmmod kecat

irqs=$((after - before + $(json irqs /tmp/run.json)))
same "all slaves were in OP" 10 "$(json op /tmp/run.json)"
same "no frame was lost" 0 "$(json lost /tmp/run.json)"
same "no frame was foreign" 0 "$(json foreign /tmp/run.json)"
same "no interrupt of the port" 0 $irqs
same "the phases add up" 0 "$(json unaccounted_ns /tmp/run.json)"
same "what the application got is what it sent" 0 "$(json app_mismatch /tmp/run.json)"
# late frames make no input, and so nothing to compare
checked=$(grep -o '"checked": *[0-9][0-9]*' /tmp/run.json | awk '{ print $NF }' | sort -n | head -n 1)
check "each loop was compared in nearly all cycles" test "$checked" -ge $((cycles * 9 / 10))
note "demo: slaves=$(json slaves /tmp/run.json) op=$(json op /tmp/run.json)" \
	"cycles=$(json cycles /tmp/run.json) lost=$(json lost /tmp/run.json)" \
	"late=$(json late /tmp/run.json) irqs=$irqs" \
	"unaccounted_ns=$(json unaccounted_ns /tmp/run.json)" \
	"app_mismatch=$(json app_mismatch /tmp/run.json)"
