# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt smp=2 timeout=600 farend=none append=isolcpus=nohz,managed_irq,domain,1
# kecat doctor on a machine that runs: --fix mends it, then each trap that can be
# set in this machine is set in turn.  It finds that one and no other; those that
# --fix may mend are mended by it, to the same verdicts as before.  What the
# machine does not have (sleep states, frequencies, ASPM, LTR, EEE, a second thread of
# a core, SMIs, huge pages, the fair server) is tested in recorded trees, tests/doctor.

clock=/sys/devices/system/clocksource/clocksource0/current_clocksource
traps=0 found=0 false=0

# verdicts FILE: "ROW VERDICT" as it was at the first look, and at the last
verdicts() { rows verdict "$1"; }
first_verdicts() { rows was "$1"; }
rows()
{
	awk -F'"' -v word="$1" '
		$2 == "id" { if (id) print id, v; id = $4 }
		$2 == "verdict" { v = $4 }
		$2 == "was" && word == "was" { v = $4 }
		END { print id, v }' "$2"
}

# rows whose verdicts differ, or "nothing" if one of the files has none
changed()
{
	awk 'NR == FNR { was[$1] = $2; next }
		was[$1] != $2 { printf "%s%s", n++ ? " " : "", $1 }
		END { if (NR <= FNR || !FNR) printf "nothing" }' "$1" "$2"
}

look() # OPTION
{
	kecat doctor eth0 --json --seconds 1 ${1:+"$1"} >/tmp/doctor.json
	[ $? -le 1 ]
}

# trap_is ROW [mend] SET [UNDO]: commands in text
trap_is()
{
	row=$1 fix=''
	shift
	[ "$1" != mend ] || { fix=--fix; shift; }
	traps=$((traps + 1))
	if ! eval "$1" >/tmp/set.out 2>&1; then
		fail "$row: the trap is set"
		note "$(cat /tmp/set.out)"
		return
	fi
	check "$row: the doctor looks" look $fix
	first_verdicts /tmp/doctor.json >/tmp/now
	got=$(changed /tmp/sound /tmp/now)
	same "$row is found" "$row" "$got"
	for r in $got; do
		if [ "$r" = "$row" ]; then found=$((found + 1)); else false=$((false + 1)); fi
	done
	if [ -n "$fix" ]; then
		verdicts /tmp/doctor.json >/tmp/now
		same "$row is mended" "" "$(changed /tmp/sound /tmp/now)"
	fi
	[ $# -lt 2 ] || eval "$2" >/dev/null 2>&1
}

# a task there, with a name of its own; the caller ends it
# shellcheck disable=SC2034 # by the text of trap_is
task() # NAME TEXT
{
	printf '#!/bin/sh\n%s\n' "$2" >"/tmp/$1"
	chmod +x "/tmp/$1"
	"/tmp/$1" &
	task=$!
	sleep 1
}

modprobe e1000e || bail "no driver"
ifconfig eth0 up
wait_for 50 grep -q 1 /sys/class/net/eth0/carrier
ethset eth0 pause 0
sleep 4
# nobody listens to this one, and no CPU of its own was chosen for it
irq=$(sed -n 's/^ *\([0-9]*\):.* rtc0$/\1/p' /proc/interrupts)

kecat doctor eth0 --seconds 1 >/tmp/before.txt
same "an untuned machine fails" 1 $?
check "--fix" look --fix
check "it mended rows" grep -q '"was"' /tmp/doctor.json
check "each row was named" test "$(grep -c '"verdict"' /tmp/doctor.json)" -ge 45
kecat doctor eth0 --seconds 1 >/tmp/after.txt
check "watchdog is off" grep -qx 0 /proc/sys/kernel/watchdog
check "the CPU is the isolated one" grep -q '^CPU 1 (the first isolated one)' /tmp/after.txt
check "the driver's coalescing is off" grep -q 'pass  coalescing ' /tmp/after.txt
look ''
verdicts /tmp/doctor.json >/tmp/sound
note "verdicts: $(tr '\n' ',' </tmp/sound)"
look ''
verdicts /tmp/doctor.json >/tmp/now
same "a second look says the same" "" "$(changed /tmp/sound /tmp/now)"

# shellcheck disable=SC2016 # commands, for later
{
trap_is rt-throttling mend 'echo 950000 >/proc/sys/kernel/sched_rt_runtime_us'
trap_is watchdog mend 'echo 1 >/proc/sys/kernel/watchdog'
trap_is timer-migration mend 'echo 1 >/proc/sys/kernel/timer_migration'
trap_is vm-statistics mend 'echo 1 >/proc/sys/vm/stat_interval'
trap_is clocksource mend "echo acpi_pm >$clock"
trap_is irq-affinity mend "echo 1 >/proc/irq/$irq/smp_affinity_list"
trap_is runnable 'task spinner "taskset -p 2 \$\$; while :; do :; done"' 'kill $task'
trap_is guests 'task sleeper "taskset -p 2 \$\$; exec sleep 1000"' 'kill $task'
trap_is workqueues mend 'echo 3 >/sys/devices/virtual/workqueue/cpumask'
trap_is ksm mend 'echo 1 >/sys/kernel/mm/ksm/run'
trap_is runtime-pm mend 'echo auto >/sys/class/net/eth0/device/power/control'
trap_is coalescing mend 'ethset eth0 rx_usecs 3'
trap_is gro-flush-timeout mend 'echo 20000 >/sys/class/net/eth0/gro_flush_timeout'
trap_is napi-defer-irqs mend 'echo 1 >/sys/class/net/eth0/napi_defer_hard_irqs'
trap_is threaded-napi mend 'echo 1 >/sys/class/net/eth0/threaded'
trap_is gro mend 'ethset eth0 gro 1'
trap_is ipv6 mend 'echo 0 >/proc/sys/net/ipv6/conf/eth0/disable_ipv6'
trap_is promiscuous 'ifconfig eth0 promisc' 'ifconfig eth0 -promisc'
trap_is network-managers 'task NetworkManager "sleep 1000"' 'kill $task'
}

look ''
verdicts /tmp/doctor.json >/tmp/now
same "and all is as it was" "" "$(changed /tmp/sound /tmp/now)"
same "each trap is found, and nothing else" "$traps 0" "$found $false"
note "doctor: traps=$traps found=$found false=$false"
