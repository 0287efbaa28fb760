# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=900 farend=sim segment=ring nics=2
# variant: 6.12-rt nic2=r8169 chip=h
# Cable redundancy on two ports, of one driver or of two: the use cases of
# ETG.1500 FPCR_101, each by its name, with an application of its own that counts
# the cycles without valid data and compares outputs with the inputs they come
# back as.  The cycle is long enough for a far end that shares the host.

first=0000:00:03.0
second=0000:00:04.0
echo -1 >/proc/sys/kernel/sched_rt_runtime_us

ring_is() { [ "$(status state)" = "$1" ]; }
told() { kecat status | grep -q "$1"; }
# the only slave with a mailbox, behind each of the breaks
mailbox() { kecat upload 6 0x1018 1; }
# identities in order; addresses are given anew
devices() { kecat slaves --json | grep -E '"(position|vendor|product|revision|serial)"'; }

stock_of()
{
	case $(cat "/sys/bus/pci/devices/$1/vendor") in
	0x10ec) echo r8169 ;;
	*) echo e1000e ;;
	esac
}

# cable POSITION PORT on|off: between two slaves
cable() { host sim "$1" "$([ "$3" = on ] && echo plug || echo unplug)" "$2"; }

# port_cable PORT on|off: the master's own; slave and port see it.  On a wire both
# do at the same moment, and what is on it is lost; here a cut spares the frame
# that is under way.  An emulated port takes half a second to find its link.
port_cable()
{
	if [ "$2" = off ]; then
		host sim segment unplug "$1"
		usleep 200000
		host link off "$1"
	else
		host link on "$1"
		sleep 1
		host sim segment plug "$1"
	fi
}

begin()
{
	start_run /tmp/bus.yaml --cycle-us 4000 --deadline-us 3900 --check-loop \
		--loop 1:2,3:4,7:8 --prio 50 || bail "no cycle: $(cat /tmp/run.err)"
	sleep 1
}

# end CASE ALLOWED: no more cycles than that were without valid data, apart from
# those whose frame came back too late: the far end shares the host's processors
end()
{
	sleep 1
	check "$1: all in OP" status_is slaves_op 10
	check "$1: the mailbox answers" mailbox
	check "$1: the application gets what it sends" stop_run INT
	invalid=$(json invalid /tmp/run.json)
	late=$(json late /tmp/run.json)
	note "ring: case='$1' cycles=$(json cycles /tmp/run.json) invalid=$invalid allowed=$2" \
		"app_mismatch=$(json app_mismatch /tmp/run.json) lost=$(json lost /tmp/run.json)" \
		"late=$late"
	check "$1: invalid process data in at most $2 cycles" test "$invalid" -le $(($2 + late)) ||
		kecat events
	same "$1: no interrupt of a port" 0 "$(json irqs /tmp/run.json)"
}

# breaks CASE WHERE COMMAND...: the cable is cut while it cycles, and repaired
breaks()
{
	case=$1 where=$2
	shift 2
	begin
	"$@" off
	check "$case: located" wait_for 50 told "$where" || kecat status
	end "$case" 0
	begin
	"$@" on
	check "$case, repaired: the ring is closed" wait_for 100 ring_is closed
	end "$case, repaired" 0
}

for port in $first $second; do
	[ "$(stock_of "$port")" != r8169 ] || modprobe realtek
	modprobe "$(stock_of "$port")"
done
modprobe kecat || bail "kecat.ko does not load"
wait_for 50 test -d /sys/class/net/eth1 || bail "no second interface"
check "both ports are attached" kecat attach $first $second || bail "$(cat /tmp/lab.out)"
check "ten slaves in PREOP" wait_for 200 in_state PREOP 10 || bail "no bus"
check "the ring is closed" wait_for 50 ring_is closed || kecat status
devices >/tmp/closed
same "identities of ten slaves are known" 10 "$(grep -c product /tmp/closed)"
kecat config scan >/tmp/bus.yaml || bail "scan"
driver=$(basename "$(readlink /sys/bus/pci/devices/$first/driver)")
driver2=$(basename "$(readlink /sys/bus/pci/devices/$second/driver)")
note "ring: driver=$driver driver2=$driver2 kernel=$(uname -r)"

begin
end "normal operation" 0
same "normal operation: no frame is lost" 0 "$(json lost /tmp/run.json)"

breaks "break between slaves" "between slave 4 port 1 and slave 5 port 0" cable 4 1
breaks "break at the first port" "between the first port and slave 0" port_cable 0
breaks "break at the second port" "between slave 9 and the second port" port_cable 1

cable 2 1 off
check "broken elsewhere" wait_for 50 told "between slave 2 port 1 and slave 3 port 0"
begin
end "start and stop with a break" 0

check "both ports go back" kecat detach 0
check "both attached, with the break" kecat attach $first $second
check "ten slaves are found on both sides of it" wait_for 200 in_state PREOP 10
devices >/tmp/broken
check "positions with a break: the same as without" cmp /tmp/closed /tmp/broken ||
	{ kecat slaves; kecat events; }
begin
end "positions with a break" 0
begin
cable 2 1 on
check "the ring is closed" wait_for 50 ring_is closed
end "stay in OP when the cable is repaired" 0

begin
host sim segment drop 20 1
end "partner frame lost" 0
# the one that the slaves have processed is the data: its loss is that of a frame
# without redundancy, and costs its cycle
begin
host sim segment drop 1 0
end "processed frame lost" 1

port_cable 1 off
check "one port goes back" kecat detach $second
check "the other goes on" wait_for 50 told "10 present"
check "the first one goes back" kecat detach 0
check "both attached again" kecat attach $first $second
check "both go back" kecat detach 0
[ "$driver2" = "$driver" ] || check "the second driver unloads" rmmod "$driver2"
check "drivers unload" rmmod "$driver" kecat
