# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=300 farend=none nic=r8169 chip=8169sb
# A chip that the stock driver knows and ours does not drive: an RTL8169 from
# before the RTL8168.

driver_of() { basename "$(readlink /sys/bus/pci/devices/0000:00:03.0/driver)"; }
refused() { ! kecat attach eth0 2>/tmp/attach.err; }

modprobe realtek
check "the stock driver loads" modprobe r8169
check "and takes the port" wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
address=$(cat /sys/class/net/eth0/address)
modprobe kecat_r8169 || bail "no driver"
check "attach fails" refused
check "and says that the driver did not take it" \
	grep -q "kecat_r8169 did not take 0000:00:03.0: the kernel log says why" /tmp/attach.err ||
	cat /tmp/attach.err
check "the log says which chips it drives, and what to do" \
	sh -c 'dmesg | grep "kecat_r8169 0000:00:03.0.*RTL8168.*RTL8125" | grep -q "use another port"'
check "there is no master" test ! -e /dev/kecat0
same "the stock driver has the port again" r8169 "$(driver_of)"
check "with its interface" wait_for 50 test -d /sys/class/net/eth0
same "and its address" "$address" "$(cat /sys/class/net/eth0/address)"
check "modules unload" rmmod kecat_r8169 kecat r8169
