# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=2400 farend=sim nics=2 card=1 nic=igb append=rounds=40
# One port of a card is taken and given back again and again, the other is an
# ordinary interface under traffic all the time.  rounds=N in append.

port=0000:00:03.0
other=0000:00:03.1
rounds=$(sed -n 's/.*\brounds=\([0-9]*\).*/\1/p' /proc/cmdline)

interface_of() { basename "$(find "/sys/bus/pci/devices/$1/net" -mindepth 1 -maxdepth 1 2>/dev/null)"; }
has_interface() { [ -n "$(interface_of "$1")" ]; }
stock_of() { basename "$(readlink "/sys/bus/pci/devices/$other/driver")"; }

# Each tenth time with a cycle, whose application ends or is killed.
take_and_give_back()
{
	for i in $(seq "$1"); do
		wait_for 50 has_interface $port || return 1
		kecat attach "$(interface_of $port)" || return 1
		case $((i % 20)) in
		1) wait_for 200 in_state PREOP 10 && start_run && stop_run INT || return 1 ;;
		3) wait_for 200 in_state PREOP 10 && start_run && stop_run KILL ;;
		esac
		kecat detach 0 || return 1
	done
}

# replies FILE: sequence numbers that came back, each once
replies() { sed -n 's/.*bytes from 10.9.9.2: seq=\([0-9]*\).*/\1/p' "$1" | sort -un | wc -l; }

modprobe igb 2>/dev/null
modprobe e1000e 2>/dev/null
wait_for 50 has_interface $port || bail "no interface"
wait_for 50 has_interface $other || bail "no second interface"
stock=$(stock_of)
name=$(interface_of $other)
irqs=$(port_irqs $other)
ip link set "$name" up
ip address add 10.9.9.1/24 dev "$name"
check "the other port reaches its neighbour" wait_for 200 ping -c 1 -W 1 10.9.9.2
ping 10.9.9.2 >/tmp/ping.log 2>&1 &
ping=$!

check "4 rounds to warm up" take_and_give_back 4
before=$(objects)
check "$rounds rounds" take_and_give_back "$rounds"
check "the ordinary driver has the port again" wait_for 50 has_interface $port
after=$(objects)
note "slab objects: $before before, $after after $rounds rounds"
check "no object a round stays" test $((after - before)) -lt "$rounds"

sleep 3
kill -INT $ping
wait $ping
tail -n 2 /tmp/ping.log | head -n 1 >/tmp/ping.sum
sent=$(sed -n 's/^\([0-9]*\) packets transmitted.*/\1/p' /tmp/ping.sum)
got=$(replies /tmp/ping.log)
note "neighbour: rounds=$rounds sent=$sent answered=$got interrupts=$(($(port_irqs $other) - irqs))"
check "there was traffic" test "$sent" -ge 10
# the last may still be on its way
check "no answer was lost" test "$got" -ge $((sent - 1))
same "the other port kept its name" "$name" "$(interface_of $other)"
same "and its driver" "$stock" "$(stock_of)"
check "its interrupts came" test "$(port_irqs $other)" -gt "$irqs"
