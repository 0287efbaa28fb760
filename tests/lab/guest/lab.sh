# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# What test scripts in the guest have at hand.  Sourced by init before the test.

lab_n=0
exec 3<>/dev/ttyS1

# lab_line TEXT: one line to the launcher.
lab_line() { echo "$*" >&3; }

# note TEXT: a TAP comment, also on the console.
note() { echo "# $*"; lab_line "# $*"; }

# pass NAME, fail NAME: one verdict.
pass() { lab_n=$((lab_n + 1)); echo "ok $lab_n - $*"; lab_line "ok $lab_n - $*"; }
fail() { lab_n=$((lab_n + 1)); echo "not ok $lab_n - $*"; lab_line "not ok $lab_n - $*"; }
skip() { lab_n=$((lab_n + 1)); lab_line "ok $lab_n - $1 # SKIP $2"; }

# check NAME COMMAND...: the command's status is the verdict.
check()
{
	lab_name=$1
	shift
	if "$@" >/tmp/lab.out 2>&1; then
		pass "$lab_name"
	else
		lab_rc=$?
		fail "$lab_name"
		lab_line "# exit status $lab_rc of: $*"
		sed 's/^/# /' /tmp/lab.out >&3
		return 1
	fi
}

# same NAME WANT GOT
same()
{
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1"
		note "want: $2"
		note "got:  $3"
		return 1
	fi
}

# wait_for TENTHS COMMAND...: until it succeeds, at most that long (guest time).
wait_for()
{
	lab_left=$1
	shift
	until "$@" >/dev/null 2>&1; do
		lab_left=$((lab_left - 1))
		[ "$lab_left" -gt 0 ] || return 1
		usleep 100000
	done
}

# host COMMAND...: have the launcher do something at the far end; prints its
# answer, status as the launcher's command.
host()
{
	lab_line "host: $*"
	read -r lab_status lab_answer <&3 || return 1
	[ -z "$lab_answer" ] || echo "$lab_answer"
	return "$lab_status"
}

# put FILE: a copy of it into the launcher's directory of this run.  Not all at
# once: the kernel gives an interrupt up that comes too often.
put()
{
	gzip -c "$1" | base64 -w 3000 | while read -r lab_part; do
		lab_line "put: ${1##*/}.gz $lab_part"
		usleep 150000
	done
}

# json KEY FILE: the first value of KEY, a number or a string, in JSON text.
json() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",}]*\).*/\1/p" "$2" | head -n 1; }

# irqs NAME: how many interrupts all CPUs took on lines whose text has NAME.
irqs()
{
	awk -v name="$1" 'NR == 1 { cpus = NF }
		index($0, name) { for (i = 2; i <= cpus + 1; i++) n += $i }
		END { print n + 0 }' /proc/interrupts
}

# port_irqs PCI: how many interrupts a PCI device raised, whoever asked for them:
# its line, and its message signalled ones, counted over all CPUs.
port_irqs()
{
	{
		cat "/sys/bus/pci/devices/$1/irq"
		ls "/sys/bus/pci/devices/$1/msi_irqs" 2>/dev/null
	} | sort -u >/tmp/port.irqs
	awk 'NR == FNR { want[$1 ":"] = 1; next }
		FNR == 1 { cpus = NF; next }
		$1 in want { for (i = 2; i <= cpus + 1; i++) n += $i }
		END { print n + 0 }' /tmp/port.irqs /proc/interrupts
}

# state_of POSITION: AL state of a slave, or "absent".
state_of() { kecat slaves "$1" | awk '{ print $3 == "alias" ? $5 : $3; exit }'; }

# in_state STATE COUNT: so many slaves are in it now.
in_state() { [ "$(kecat slaves | grep -cE "^ *[0-9]+  0x[0-9a-f]+ .* $1 ")" = "$2" ]; }

# status KEY: a value of "kecat status".
status() { kecat status --json >/tmp/lab.status; json "$1" /tmp/lab.status; }

status_is() { [ "$(status "$1")" = "$2" ]; }

# bus_up SLAVES COUNT: the simulator's segment is there, all of it in PREOP.
bus_up()
{
	modprobe kecat_sim "slaves=$1" && wait_for 100 in_state PREOP "$2"
}

# start_run ARGUMENTS...: "kecat run" until it is stopped; all its slaves in OP.
start_run()
{
	kecat run --cycles 0 --json "$@" >/tmp/run.json 2>/tmp/run.err &
	run=$!
	wait_for 300 status_is slaves_op "$(status slaves)" && kill -0 "$run"
}

# stop_run SIGNAL: its status, unless it was killed.
stop_run()
{
	kill "-$1" "$run" || return 1
	wait "$run" 2>/dev/null
	lab_rc=$?
	[ "$1" = KILL ] || return $lab_rc
}

# bail TEXT: nothing that follows makes sense.
bail() { note "$*"; fail "$*"; lab_finish; reboot -f; }

# Objects in use in all slab caches, to be compared before and after many rounds:
# a leak of one object a round shows as one for each.  Loading a module gives back
# the address ranges that vfree() left for later; freed objects that KASAN has in
# quarantine go when the caches shrink.
objects()
{
	sync
	modprobe veth && rmmod veth
	for cache in /sys/kernel/slab/*/shrink; do
		echo 1 >"$cache"
	done 2>/dev/null
	awk 'NR > 2 { n += $2 } END { print n }' /proc/slabinfo
}

# Objects that nothing refers to any more; only a debug kernel can tell.  It
# looks at objects that are some seconds old.
lab_leaks()
{
	[ -w /sys/kernel/debug/kmemleak ] || return 0
	sleep 6
	check "kmemleak scans" sh -c 'echo scan >/sys/kernel/debug/kmemleak' || return 0
	same "kmemleak finds nothing" "" "$(head -n 60 /sys/kernel/debug/kmemleak)"
}

lab_finish()
{
	lab_leaks
	lab_line "1..$lab_n"
	lab_line "lab: finished"
}
