# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,7-rt icount=0 timeout=600 farend=sim slaves=coupler,do8*4,di8*4,drive
# variant: 6.1-rt nic=r8169 chip=b
# variant: 6.1-rt nic=r8169 chip=g
# variant: 6.1-rt nic=igb
# variant: 6.12-rt nic=r8169 chip=h
# variant: 6.12-rt nic=r8169 chip=8125b
# variant: 7-rt nic=r8169 chip=h
# variant: 7-rt farend=none append=port=sim
# matrix:
# matrix: nic=r8169 chip=h
# matrix: nic=igb
# matrix: farend=none append=port=sim
# Ten slaves to OP and a second of cycles on one port, whatever it is: the
# driver comes from the port's own; port=sim is the simulator as a module.  Ends
# with one line that says it all.

port=0000:00:03.0

# count NAME: of the device model; QEMU's own do not tell bad addresses.
count() { sed -n "s/.*\\b$1=\\([-0-9]*\\).*/\\1/p" /tmp/counts | grep . || echo 0; }

stock_of()
{
	case $(cat /sys/bus/pci/devices/$port/vendor):$(cat /sys/bus/pci/devices/$port/device) in
	0x10ec:*) echo r8169 ;;
	*:0x10c9) echo igb ;;
	*) echo e1000e ;;
	esac
}

take_port()
{
	[ "$(stock_of)" != r8169 ] || modprobe realtek
	modprobe "$(stock_of)"
	wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
	address=$(cat /sys/class/net/eth0/address)
	before=$(port_irqs $port)
	check "kecat takes the port" kecat attach eth0 || bail "no port"
	driver=$(basename "$(readlink /sys/bus/pci/devices/$port/driver)")
}

# One doorbell a cycle; what is sent beside the cycle has its own, a frame each at
# most.  Cycles are those of a time within the counted one, frames of one around it.
count_accesses()
{
	sent=$(status frames_sent)
	check "the device counts from here" host nic counts zero
	cycles=$(status cycles)
	sleep 2
	cycles=$(($(status cycles) - cycles))
	host nic counts >/tmp/counts
	sent=$(($(status frames_sent) - sent))
	reads=$(count cycle_reads)
	doorbells=$(count doorbells)
	same "no register read in the cycle" 0 "$reads"
	check "$doorbells doorbells in $cycles cycles, for $sent frames" \
		[ "$cycles" -gt 0 -a "$cycles" -le "$doorbells" -a "$doorbells" -le "$sent" ]
	kicks=$((doorbells / cycles))
	same "no interrupt of the device" 0 "$(count interrupts)"
	same "all its addresses were good" 0 "$(count bad_dma)"
	counted=" mmio_reads=$reads doorbells_per_cycle=$kicks acyclic_doorbells=$((doorbells % cycles))"
}

give_port_back()
{
	irqs=$(($(port_irqs $port) - before))
	same "no interrupt of the port" 0 $irqs
	check "port goes back" kecat detach 0
	check "its old driver has it" wait_for 50 test -d /sys/class/net/eth0
	same "with the address it had" "$address" "$(cat /sys/class/net/eth0/address)"
	check "modules unload" rmmod "$driver" "$(stock_of)" kecat
}

if grep -q port=sim /proc/cmdline; then
	driver=kecat_sim
	check "the simulator loads" modprobe kecat_sim "slaves=coupler,do8*4,di8*4,drive"
else
	take_port
fi
check "ten slaves are found" wait_for 200 in_state PREOP 10
check "all reach OP" start_run || bail "no cycle: $(cat /tmp/run.err)"
sleep 1
lost=$(status frames_lost)
if [ "$driver" = kecat_sim ]; then
	sleep 2
else
	count_accesses
fi
lost=$(($(status frames_lost) - lost))
same "no frame was lost" 0 $lost
op=$(status slaves_op)
same "all are still in OP" 10 "$op"
check "the run ends when told to" stop_run INT
slaves=$(status slaves)
if [ "$driver" = kecat_sim ]; then
	check "modules unload" rmmod "$driver" kecat
else
	give_port_back
fi
note "bus: driver=$driver kernel=$(uname -r) slaves=$slaves op=$op lost=$lost${irqs:+ irqs=$irqs}$counted"
