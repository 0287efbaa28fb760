# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,6.12-rt icount=0 timeout=600 farend=sim segment=demo nic=virtio-net-pci
# An interface with its ordinary driver as a port: in both modes, given back as
# it was, set down and unbound while the bus runs, many times.

param=/sys/module/kecat_netdev/parameters
port=0000:00:03.0

take() { echo eth0 >$param/attach; }
give() { echo eth0 >$param/detach; }
no_master() { ! ls /dev/kecat0 2>/dev/null; }
veth_got_some() { [ "$(cat /sys/class/net/veth1/statistics/rx_packets)" -gt 2 ]; }
flags() { cat /sys/class/net/eth0/flags /sys/class/net/eth0/operstate; }
driver() { readlink -f /sys/bus/pci/devices/$port/driver; }
run_bus() # MODE
{
	check "$1: the segment is found" wait_for 100 in_state PREOP 10 || return
	irqs=$(port_irqs $port)
	kecat run --cycles 2000 --json >/tmp/run.json 2>/tmp/run.err
	same "$1: the cycles end well" 0 $?
	kecat status --json >/tmp/lab.status
	note "mode: $(json mode /tmp/lab.status)"
	note "bus: driver=kecat_netdev($(basename "$(driver)"),$1) kernel=$(uname -r) slaves=$(status slaves) op=$(json op /tmp/run.json) lost=$(json lost /tmp/run.json) irqs=$(($(port_irqs $port) - irqs))"
	same "$1: all were in OP" 10 "$(json op /tmp/run.json)"
	same "$1: nothing was lost" 0 "$(json lost /tmp/run.json)"
}
rounds()
{
	for _ in $(seq "$1"); do
		take && give || return 1
	done
}

for m in virtio_pci virtio_net e1000 e1000e; do
	[ -d /sys/class/net/eth0 ] || modprobe $m
	usleep 300000
done
wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
modprobe kecat_netdev || bail "no driver"
before=$(flags)

check "a name that is none is refused" sh -c "! echo eth9 >$param/attach"
same "with a reason" "no network interface eth9" "$(cat $param/reason)"
check "an interface that is no Ethernet is refused" sh -c "! echo lo >$param/attach"

echo 1 >$param/receive_path
check "the interface is taken, receive path" take || bail "$(cat $param/reason)"
check "and not twice" sh -c "! echo eth0 >$param/attach"
run_bus receive
check "it is given back" give
same "as it was" "$before" "$(flags)"

echo 0 >$param/receive_path
check "the interface is taken by its MAC address" kecat attach 02:00:00:00:00:01 --driver netdev || bail "$(cat $param/reason)"
run_bus napi
if [ "$(basename "$(driver)")" = e1000e ]; then
	skip "a pulled cable" "this model tells its driver nothing of it"
else
	check "cable is pulled" host link off
	check "link is down" wait_for 100 status_is link false
	check "cable is back" host link on
	check "link is up" wait_for 100 status_is link true
	check "the segment is there again" wait_for 300 in_state PREOP 10
fi
check "it is given back" kecat detach eth0
same "as it was" "$before" "$(flags)"

check "it is taken again" take
check "all reach OP" start_run
check "it is set down with the cycle running" ifconfig eth0 down
check "the port is gone" wait_for 100 no_master
# shellcheck disable=SC2154 # set by start_run
wait "$run" 2>/dev/null
wait_for 20 test "$(flags)" = "$before"
same "the interface is as it was" "$before" "$(flags)"

check "it is taken again" take
check "all reach OP" start_run
drv=$(driver)
dev=${port}
case $drv in */virtio-pci) drv=/sys/bus/virtio/drivers/virtio_net dev=virtio0 ;; esac
check "its driver is unbound with the cycle running" sh -c "echo $dev >$drv/unbind"
check "the port is gone" wait_for 100 no_master
wait "$run" 2>/dev/null
echo "$dev" >"$drv/bind"
wait_for 50 test -d /sys/class/net/eth0
check "50 rounds" rounds 50
same "the interface is as it was" "$before" "$(flags)"

modprobe veth
ip link add type veth || note "veth: no pair"
check "an interface without NAPI is taken" kecat attach veth0
same "and says so" "receive path of veth (it has no NAPI); a buffer allocated per frame" "$(status mode)"
ip link set veth1 up
check "it has a link" wait_for 100 status_is link true
check "frames arrive at its other end" wait_for 50 veth_got_some
check "it is removed while attached" ip link del veth0
check "the port is gone" wait_for 100 no_master

check "it is taken again" take
check "all reach OP" start_run
check "the module goes with the cycle running" rmmod kecat_netdev
wait "$run" 2>/dev/null
same "the interface is as it was" "$before" "$(flags)"
