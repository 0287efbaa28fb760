# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,debug icount=0 timeout=900 farend=sim segment=demo append=iomem=relaxed
# variant: 6.1-rt nic=r8169 chip=h
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
	bar=$(cut -d' ' -f1 $dev/resource | sed -n "${region}p")
	devmem "$(printf '0x%x' $((bar + $1)))" 32 ${2:+"$2"}
}

set=''
# which driver; where its registers are; what sets and clears its interrupt mask
case $(cat $dev/vendor):$(cat $dev/device) in
0x10ec:*) stock=r8169 region=3 set="0x3c 0xffff" clear="0x3c 0" ;;
*:0x10c9) stock=igb ;;	# the model has no pin to assert
*) stock=e1000e region=1 set="0xd0 0xffffffff" clear="0xd8 0xffffffff" ;;
esac
ours=kecat_$stock

bind() { echo $port >/sys/bus/pci/drivers_probe; [ "$(driver_of $dev)" = $ours ]; }
unbind() { echo $port >$drivers/$ours/unbind; }

interrupted() { [ "$(status interrupts)" -gt 0 ]; }

rounds()
{
	for _ in $(seq "$1"); do
		bind && unbind || return 1
	done
}

[ $stock != r8169 ] || modprobe realtek
modprobe $stock || bail "no stock driver"
modprobe $ours || bail "no driver"
same "nothing is bound by loading" "" "$(echo $drivers/$ours/0000:* | grep -v '\*')"
echo $ours >$sata/driver_override
echo "${sata##*/}" >/sys/bus/pci/drivers_probe 2>/dev/null
same "a device of another kind is refused" "" "$(driver_of $sata)"

echo $ours >$dev/driver_override
echo $port >$drivers/$stock/unbind
before=$(usage)
check "the port is taken" bind || bail "no port"
check "the segment is found" wait_for 100 in_state PREOP 10
check "all reach OP" start_run || bail "no cycle: $(cat /tmp/run.err)"

if [ -z "$set" ]; then
	skip "an unmasked interrupt" "the model of the NIC has no interrupt pin"
elif [ -c /dev/mem ]; then
	same "no interrupt so far" 0 "$(status interrupts)"
	# shellcheck disable=SC2086 # an offset and a value
	check "something unmasks interrupts" register $set
	check "the port tells" wait_for 50 interrupted
	# shellcheck disable=SC2086
	check "they are masked again" register $clear
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
check "the driver is unloaded while bound" rmmod $ours
echo >$dev/driver_override
echo $port >/sys/bus/pci/drivers_probe
same "the stock driver has the port again" $stock "$(driver_of $dev)"
check "modules unload" rmmod $stock kecat
