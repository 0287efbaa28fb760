# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=600 farend=sim segment=demo nic=virtio-net-pci slot=1
# variant: 6.12-rt nic=e1000
# matrix:
# matrix: nic=e1000
# An interface with its ordinary driver as a port: in both modes, given back as
# it was, set down, renamed, unbound and unplugged while the bus runs.
# By hand also: nic=e1000e, nic=igb, nic=r8169; --kernel debug.

param=/sys/module/kecat_netdev/parameters

take() { echo eth0 >$param/attach; }
give() { echo eth0 >$param/detach; }
no_master() { ! ls /dev/kecat0 2>/dev/null; }
no_nic() { ! ls -d "/sys/bus/pci/devices/$port" 2>/dev/null; }
veth_got_some() { [ "$(cat /sys/class/net/veth1/statistics/rx_packets)" -gt 2 ]; }
flags() { cat /sys/class/net/eth0/flags /sys/class/net/eth0/operstate; }
driver() { readlink -f "/sys/bus/pci/devices/$port/driver"; }
mode_is() { kecat status --json >/tmp/lab.status; json mode /tmp/lab.status | grep -q "$1"; }

run_bus() # MODE
{
	check "$1: the segment is found" wait_for 100 in_state PREOP 10 || return
	# what the driver can do shows in use
	wait_for 20 sh -c '! kecat config scan >/dev/null' || true
	check "$1: so is the mode" mode_is "$1"
	irqs=$(port_irqs "$port")
	kecat run --cycles $cycles --json >/tmp/run.json 2>/tmp/run.err
	same "$1: the cycles end well" 0 $?
	irqs=$(($(port_irqs "$port") - irqs))
	mode=$(status mode)
	note "bus: driver=kecat_netdev($(basename "$(readlink -f /sys/class/net/eth0/device/driver)")) kernel=$(uname -r) slaves=$(status slaves) op=$(json op /tmp/run.json) lost=$(json lost /tmp/run.json) irqs=$irqs mode=\"$mode\""
	same "$1: all were in OP" 10 "$(json op /tmp/run.json)"
	same "$1: nothing was lost" 0 "$(json lost /tmp/run.json)"
	check "$1: a cycle in an interrupt is refused" sh -c \
		'! kecat run --tick interrupt --cycles 10 2>err && grep "cannot be used in an interrupt" err'
	check "$1: one by the application runs" kecat run --tick application --cycles 200
	case $mode in
	*with\ interrupts*|receive*)
		check "$1: interrupts come" test $irqs -gt 0
		check "$1: and are counted" test "$(json irqs /tmp/run.json)" -gt 0
		;;
	*)
		same "$1: no interrupt of the port" 0 $irqs
		same "$1: none is counted" 0 "$(json irqs /tmp/run.json)"
		;;
	esac
}
rounds()
{
	for _ in $(seq "$1"); do
		take && give || return 1
	done
}
# ends NAME TEXT COMMAND...: with the cycle running it takes the port away; who
# follows the events is told, and the application ends
ends()
{
	name=$1 text=$2
	shift 2
	check "it is taken, $name" take || return
	kecat events --follow >/tmp/events 2>&1 &
	follower=$!
	check "all reach OP" start_run
	check "$name" "$@"
	# shellcheck disable=SC2154 # set by start_run
	check "the port is gone" wait_for 100 no_master || kill "$run" $follower
	wait "$run" 2>/dev/null
	wait $follower
	check "an event tells" grep -q "port given up: $text" /tmp/events || cat /tmp/events
}

for m in virtio_pci virtio_net e1000 e1000e igb realtek r8169; do
	[ -d /sys/class/net/eth0 ] || modprobe $m 2>/dev/null
	usleep 300000
done
wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
case $(uname -r) in *debug) cycles=300 ;; *) cycles=2000 ;; esac
port=$(readlink -f /sys/class/net/eth0/device | grep -o '0000:[0-9a-f:.]*' | tail -n 1)
modprobe kecat_netdev || bail "no driver"
before=$(flags)

check "a name that is none is refused" sh -c "! echo eth9 >$param/attach"
same "with a reason" "no network interface eth9" "$(cat $param/reason)"
check "an interface that is no Ethernet is refused" sh -c "! echo lo >$param/attach"

echo 1 >$param/receive_path
check "the interface is taken, receive path" take || bail "$(cat $param/reason)"
check "and not twice" sh -c "! echo eth0 >$param/attach"
run_bus "receive path"
check "it is given back" give
same "as it was" "$before" "$(flags)"

echo 0 >$param/receive_path
check "the interface is taken by its MAC address" kecat attach 02:00:00:00:00:01 --driver netdev || bail "$(cat $param/reason)"
run_bus "NAPI poll"
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

ends "it is set down" "its interface was set down" ip link set eth0 down
wait_for 20 test "$(flags)" = "$before"
same "the interface is as it was" "$before" "$(flags)"

# kernels before 6.2 rename no interface that is up
take
if ip link set eth0 name lan0 2>/dev/null; then
	wait_for 100 no_master
	ip link set lan0 down
	ip link set lan0 name eth0
	ends "it is renamed" "its interface was renamed" ip link set eth0 name lan0
	ip link set lan0 down
	ip link set lan0 name eth0
else
	same "this kernel refuses to rename it" eth0 "$(status port)"
	give
fi

drv=$(driver)
dev=$port
case $drv in */virtio-pci) drv=/sys/bus/virtio/drivers/virtio_net dev=virtio0 ;; esac
ends "its driver is unbound" "its interface is gone" sh -c "echo $dev >$drv/unbind"
echo "$dev" >"$drv/bind"
wait_for 50 test -d /sys/class/net/eth0
check "20 rounds" rounds 20
same "the interface is as it was" "$before" "$(flags)"

modprobe veth
ip link add type veth || note "veth: no pair"
check "an interface without NAPI is taken" kecat attach veth0
same "and says so" "receive path of veth (it has no NAPI); a buffer allocated per frame" "$(status mode)"
ip link set veth1 up
check "it has a link" wait_for 100 status_is link true
check "frames arrive at its other end" wait_for 50 veth_got_some
ip link set veth1 down
check "it is removed while attached" ip link del veth0
check "the port is gone" wait_for 100 no_master

ip link add type veth
check "two ends of a ring are taken" kecat attach eth0 veth0 --driver netdev
check "the second one is given back" kecat detach veth0
check "the first one stays" status_is port eth0
same "the second one is gone" 0 "$(kecat status | grep -c 'Second port')"
check "it goes" kecat detach eth0
check "both are taken" kecat attach eth0 veth0 --driver netdev
check "another interface of that name is not attached" sh -c "ip link set veth1 address 02:00:00:00:00:77 && ! kecat detach veth1"
check "all are given back" kecat detach --all
check "no port is left" wait_for 20 no_master
same "the interface is as it was" "$before" "$(flags)"
ip link del veth0

check "it is taken again" take
check "all reach OP" start_run
check "the module goes with the cycle running" rmmod kecat_netdev
wait "$run" 2>/dev/null
same "the interface is as it was" "$before" "$(flags)"

modprobe kecat_netdev
if [ -n "$(ls /sys/bus/pci/slots 2>/dev/null)" ]; then
	ends "it is unplugged" "its interface is gone" host unplug
	check "the device is gone" wait_for 100 no_nic
else
	skip "it is unplugged" "this kernel or this place of the NIC has no hot-plug"
fi
