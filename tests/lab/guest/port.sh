# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,6.12-rt,debug icount=0 timeout=900 farend=sim segment=demo append=iomem=relaxed
# What can happen to a wrapped port itself: the wrong device, an interrupt that
# something unmasks, suspend, many rebinds.

port=0000:00:03.0
dev=/sys/bus/pci/devices/$port
sata=/sys/bus/pci/devices/0000:00:1f.2
drivers=/sys/bus/pci/drivers

driver_of() { basename "$(readlink "$1/driver" 2>/dev/null)" 2>/dev/null; }
usage() { cat $dev/power/runtime_usage 2>/dev/null; }

# register OFFSET [VALUE]: of the NIC, behind the driver's back
register()
{
	bar=$(cut -d' ' -f1 $dev/resource | head -n 1)
	devmem "$(printf '0x%x' $((bar + $1)))" 32 ${2:+"$2"}
}

bind() { echo $port >/sys/bus/pci/drivers_probe; [ "$(driver_of $dev)" = kecat_e1000e ]; }
unbind() { echo $port >$drivers/kecat_e1000e/unbind; }

interrupted() { [ "$(status interrupts)" -gt 0 ]; }

rounds()
{
	for _ in $(seq "$1"); do
		bind && unbind || return 1
	done
}

modprobe e1000e || bail "no stock driver"
modprobe kecat_e1000e || bail "no driver"
same "nothing is bound by loading" "" "$(echo $drivers/kecat_e1000e/0000:* | grep -v '\*')"
echo kecat_e1000e >$sata/driver_override
echo "${sata##*/}" >/sys/bus/pci/drivers_probe 2>/dev/null
same "a device of another kind is refused" "" "$(driver_of $sata)"

echo kecat_e1000e >$dev/driver_override
echo $port >$drivers/e1000e/unbind
before=$(usage)
check "the port is taken" bind || bail "no port"
check "the segment is found" wait_for 100 in_state PREOP 10
check "all reach OP" start_run || bail "no cycle: $(cat /tmp/run.err)"

if [ -c /dev/mem ]; then
	same "no interrupt so far" 0 "$(status interrupts)"
	# IMS
	check "something unmasks interrupts" register 0xd0 0xffffffff
	check "the port tells" wait_for 50 interrupted
	# IMC
	check "they are masked again" register 0xd8 0xffffffff
else
	skip "an unmasked interrupt" "kernel has no /dev/mem"
fi

if [ -w /sys/power/pm_test ]; then
	resets=$(status resets)
	echo devices >/sys/power/pm_test
	check "devices are suspended and resumed" sh -c 'echo mem >/sys/power/state'
	check "the port counts it as a reset" wait_for 100 status_is resets $((resets + 1))
	check "the link is back" wait_for 200 status_is link true
	check "all come back to OP" wait_for 600 status_is slaves_op 10
else
	skip "suspend" "kernel has no pm_test"
fi

check "the port is unbound with the cycle running" unbind
# shellcheck disable=SC2154 # set by start_run
wait "$run" 2>/dev/null
check "20 rebinds" rounds 20
same "the runtime PM reference is balanced" "$before" "$(usage)"
check "the port is taken again" bind
check "the driver is unloaded while bound" rmmod kecat_e1000e
echo >$dev/driver_override
echo $port >/sys/bus/pci/drivers_probe
same "the stock driver has the port again" e1000e "$(driver_of $dev)"
check "modules unload" modprobe -r e1000e kecat
