# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=900 farend=inside slaves=coupler,do8*4,di8*4,drive pcap=1
# kecat compare on an e1000e: the same frames by a raw socket and through kecat.
# Whatever happens, slaves and interface are as they were.  Times are not judged.
# The far end is inside, as a guest that sleeps skips the time that a process takes.

mkdir -p /sys/kernel/tracing
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
tracing=no
[ -d /sys/kernel/tracing/instances ] && tracing=yes
note "tracing: $tracing"
modprobe e1000e
wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
cycles=300

# of the interface: all that compare changes
settings()
{
	{
		for f in flags threaded mtu tx_queue_len gro_flush_timeout napi_defer_hard_irqs; do
			cat /sys/class/net/eth0/$f 2>/dev/null || echo none
		done
		cat /proc/sys/net/ipv6/conf/eth0/disable_ipv6 2>/dev/null || echo none
		basename "$(readlink -f /sys/class/net/eth0/device/driver)"
	} | tr '\n' ' '
}

# states: all slaves' ORed, and how many there are, without touching them
states()
{
	kecat attach --quiet eth0 >/dev/null && wait_for 100 status_is link true
	kecat reg read all 0x130 2 --json >/tmp/reg
	tr -d ' \n' </tmp/reg | grep -oE '"(wkc":[0-9]*|bytes":[^]]*)' | tr '\n' ' '
	kecat detach 0 >/dev/null
	wait_for 50 test -d /sys/class/net/eth0
}

nothing_left()
{
	! ls /dev/kecat0 2>/dev/null && ! ls -d /sys/kernel/tracing/instances/kecat-path 2>/dev/null
}

# of NAME KEY: of that way
of() { awk -v way="\"$1\"" -v key="\"$2\":" '$1 == "\"name\":" { on = index($0, way ",") } on && $1 == key { gsub(/[",]/, "", $2); print $2; exit }' /tmp/compare.json; }

# paths: "pieces and what is open, end to end, their sum as printed" of each that is shown
paths()
{
	awk '{ gsub(/,/, "") }
		$1 == "\"end_to_end_ns\":" { n = 1; whole = $2; sum = 0 }
		n && $1 == "\"sum_ns\":" { said = $2 }
		n && ($1 == "\"unexplained_ns\":" || $1 == "\"ns\":") { sum += $2 }
		n && $1 == "]" { print sum, whole, said; n = 0 }' /tmp/compare.json
}

adds_up() { [ "$(paths | wc -l)" -ge "$1" ] && paths | awk '$1 != $2 || $1 != $3 { exit 1 }'; }

# ---- the slaves' states before: PREOP, as kecat leaves them ----
check "kecat takes the port" kecat attach eth0
check "the segment is found" wait_for 200 in_state PREOP 10
check "port goes back" kecat detach 0
wait_for 50 test -d /sys/class/net/eth0
before=$(settings)
al=$(states)
note "settings: $before; states: $al"
check "there are slaves, in PREOP" test "$al" = '"wkc":10 "bytes":[2,0 '

# ---- all of it ----
check "compared" sh -c "kecat compare eth0 --cycles $cycles --json >/tmp/compare.json"
sed 's/^/# /' /tmp/compare.json | head -n 400
same "slaves" 10 "$(json slaves /tmp/compare.json)"
same "their states are the same, it says" true "$(json slaves_unchanged /tmp/compare.json)"
same "settings are as they were" "$before" "$(settings)"
same "states are as they were" "$al" "$(states)"
check "no master and no trace is left" nothing_left
for way in socket socket_threaded kecat kecat_program; do
	same "$way: all rounds" $cycles "$(of $way rounds)"
	same "$way: none lost" 0 "$(of $way lost)"
	check "$way: percentiles ascend" sh -c "echo $(of $way min_ns) $(of $way p50_ns) $(of $way p99_ns) \
		$(of $way p999_ns) $(of $way max_ns) | awk '{ for (i = 2; i <= 5; i++) if (\$i < \$(i - 1)) exit 1 }'"
done
same "kecat: no switch between sending and receiving" 0 "$(of kecat switches)"
same "kecat: no interrupt of the NIC" 0 "$(of kecat irqs)"
same "kecat: no softirq of the network" 0 "$(of kecat softirqs)"
# without PREEMPT_RT the answer may be there before recv() has to sleep: the wire takes no time here
case $(uname -v) in *PREEMPT_RT*) least=$cycles ;; *) least=0 ;; esac
for way in socket socket_threaded; do
	check "$way: switches, with PREEMPT_RT in each round" test "$(of $way switches)" -ge $least
	check "$way: an interrupt a round at least" test "$(of $way irqs)" -ge $cycles
	[ $tracing = no ] || same "$way: traced" true "$(of $way traced)"
	case $(uname -r) in *-rt-amd64) same "$way: all of the median is explained" 0 "$(of $way unexplained_ns)" ;; esac
done
if [ $tracing = yes ]; then
	check "pieces add up, of eight rounds" adds_up 8
	check "the driver is one of the pieces" grep -q '"name": "driver sends' /tmp/compare.json
else
	check "pieces add up, of four rounds" adds_up 4
	check "it says why there is no trace" grep -q not_traced_because /tmp/compare.json
fi

# ---- as text ----
kecat compare eth0 --cycles 20 --frames 3 --bytes 1400 >/tmp/compare.txt
same "three full frames" 0 $?
sed 's/^/# /' /tmp/compare.txt >&3
rows() { grep -cE '^(raw socket|kecat)[ ,].* [0-9]+\.[0-9]{3} .* 0 ' /tmp/compare.txt; }
same "the table has a row for each way" 4 "$(rows)"
check "each sum is its round's time" sh -c "awk '\$1 == \"sum\" { m = \$2; w = \$3; n++ }
	\$1 \$2 \$3 == \"endtoend\" && (\$4 != m || \$5 != w) { bad = 1 } END { exit bad || n < 2 }' /tmp/compare.txt"
check "the last line tells the ratio" sh -c 'tail -n 1 /tmp/compare.txt | grep -qE "times as long, .* at p99.9"'

# ---- interrupted, wherever it is; an interface that was up, with settings of its own ----
ip link set eth0 up
ip link set eth0 mtu 1504
ip link set eth0 txqueuelen 77
echo 1 >/sys/class/net/eth0/threaded
before=$(settings)
for tenths in 5 15 30 60 90; do
	case $tenths in *0) sig=TERM ;; *) sig=INT ;; esac
	kecat compare eth0 --cycles 3000 >/tmp/cut.txt 2>/tmp/cut.err &
	cut=$!
	usleep ${tenths}00000
	check "only one at a time" sh -c '! kecat compare lo 2>/tmp/refused && grep "another kecat compare" /tmp/refused'
	kill -$sig $cut
	wait $cut
	same "SIG$sig after $tenths tenths: status" 1 $?
	check "it says so" grep -q '^kecat: interrupted' /tmp/cut.err
	same "settings are as they were" "$before" "$(settings)"
	check "no master and no trace is left" nothing_left
done
same "states are as they were" "$al" "$(states)"

# ---- refused ----
ip addr add 10.1.1.1/24 dev eth0
ip link set eth0 up
check "an address: refused" sh -c '! kecat compare eth0 2>/tmp/refused && grep "has the address 10.1.1.1" /tmp/refused'
ip addr flush dev eth0
ip route add default dev eth0
check "the default route: refused" sh -c '! kecat compare eth0 2>/tmp/refused && grep "has the default route" /tmp/refused'
ip route del default
check "no Ethernet: refused" sh -c '! kecat compare lo --yes 2>/tmp/refused && grep "no Ethernet" /tmp/refused'
ip link set eth0 down
check "kecat takes the port" kecat attach eth0
wait_for 200 in_state PREOP 10
check "an attached port: refused" sh -c '! kecat compare 0000:00:03.0'
check "port goes back" kecat detach 0
wait_for 50 test -d /sys/class/net/eth0
# somebody's master has left them so
check "kecat takes the port, slaves left alone" kecat attach --quiet eth0
wait_for 100 status_is link true
check "who can goes to SAFEOP" kecat reg write all 0x120 4 0
sleep 1
check "port goes back" kecat detach 0
wait_for 50 test -d /sys/class/net/eth0
before=$(settings)
check "a slave in SAFEOP: refused" sh -c '! kecat compare eth0 --cycles 20 2>/tmp/refused && grep -E "slave [0-9]+ is in SAFEOP" /tmp/refused'
same "settings are as they were" "$before" "$(settings)"
check "but not with --yes" kecat compare eth0 --cycles 20 --yes
