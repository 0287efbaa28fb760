# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,debug icount=0 timeout=400 farend=none
# The flight recorder on a simulated bus: freezes by what was asked for, keeps what
# was before and behind it, and names who took 200 us from a cycle.

# limit of the debug kernel, whose own checks take some of this
case $(uname -r) in *-rt-amd64) over=100 ;; *) over=1000 ;; esac

# by_perfetto NAME FILE OPTION...: what the processor of the Perfetto UI says of an export
by_perfetto()
{
	by=$1
	shift
	answer=$(host perfetto "$@")
	case $? in
	0) pass "$by" ;;
	77) skip "$by" "$answer" ;;
	*) fail "$by" ;;
	esac
	note "$answer"
}

mkdir -p /sys/kernel/tracing
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
tracing=no
[ -d /sys/kernel/tracing/instances ] && tracing=yes
note "tracing: $tracing"
check "bus comes up" bus_up coupler,do8*2,di8*2 5 || bail "no bus"
check "without a recorder there is nothing to wait for" sh -c '! kecat record wait --timeout 10'
check "a run starts" start_run

# ---- by hand ----
check "armed" kecat record arm --cycles 200 --post 20 --no-trace
check "nothing freezes it" sh -c 'kecat record wait --timeout 500; [ $? = 4 ]'
check "what is not frozen cannot be exported" sh -c '! kecat record export --perfetto /tmp/no.json'
check "no file of it is left" sh -c '! ls /tmp/no.json* 2>/dev/null'
check "frozen by hand" kecat record freeze
kecat record wait --timeout 5000 --json >/tmp/state.json
same "and it is" 0 $?
same "it says so" "by hand" "$(json reason /tmp/state.json)"
same "with all cycles" 200 "$(json have_cycles /tmp/state.json)"
check "an event tells of it" sh -c 'kecat events | grep "flight recorder froze: by hand"'
check "exported" kecat record export --perfetto /tmp/hand.json --pcapng /tmp/hand.pcapng
put /tmp/hand.json
put /tmp/hand.pcapng
check "a strict reader takes the trace" host check-record perfetto hand.json --app 100
by_perfetto "Perfetto imports all of it" hand.json
check "readers take the frames" host check-record pcapng hand.pcapng --frames \
	"$(json have_frames /tmp/state.json)"
check "the report says that nothing was traced" sh -c 'kecat record report | grep "without tracing"'
check "a directory that is not there leaves no file" sh -c '! kecat record export --pcapng /no/x.pcapng'

# what recording costs, in instructions: virtual time is one a nanosecond
cost=$(grep -o '"recorder_ns":[0-9]*' /tmp/hand.json | cut -d: -f2 | sort -n | sed -n 100p)
note "bench: record_cycle_insns $cost instructions (accounting and recorder, median)"

# ---- a lost frame ----
check "armed for lost frames" kecat record arm --cycles 200 --post 20 --on lost --no-trace
check "a frame is lost" kecat sim fault segment drop 1
check "it freezes" kecat record wait --timeout 20000
check "by that" sh -c 'kecat record status | grep "lost frame"'

# ---- an application that does not run ----
check "armed for missing outputs" kecat record arm --cycles 300 --post 150 --on app --no-trace
# shellcheck disable=SC2154 # start_run sets it
kill -STOP "$run"
usleep 30000
kill -CONT "$run"
check "it freezes" kecat record wait --timeout 20000
check "by that" sh -c 'kecat record status | grep "no fresh outputs"'
kecat record report | grep application
check "the report says how late the application was, and why" sh -c "kecat record report |
	grep -E 'no outputs of the application in [0-9]{2,} cycles, (at most )?[0-9]{5}\.[0-9]+ us late: with the inputs of cycle [0-9]+:.* us more (until it had the inputs|in its own work)'"

# ---- a thief ----
steal()
{
	kecat record arm --cycles 400 --post 40 --on none --over wake=$over >/tmp/arm
	cat /tmp/arm
	if [ $tracing = yes ]; then
		check "the CPU is traced" grep "tracing the CPU as well" /tmp/arm
	fi
	sleep 1
	check "nobody is late so far" sh -c 'kecat record wait --timeout 300; [ $? = 4 ]'
	check "the thief comes" modprobe lab_thief burn_us=$((2 * over))
	check "the recorder freezes" kecat record wait --timeout 20000
	check "the thief goes" rmmod lab_thief
	kecat record report | head -n 60
}
named() { kecat record report | grep -E 'wake [0-9.]+ us late: [0-9.]+ us in timer lab_thief_burn'; }

steal
check "exported with the trace" kecat record export --perfetto /tmp/thief.json --pcapng /tmp/thief.pcapng
put /tmp/thief.json
if [ $tracing = yes ]; then
	check "the report names the thief" named
	check "the export names the thief, and shows it in the cycle" \
		host check-record perfetto thief.json --thief lab_thief_burn --least $over
	by_perfetto "Perfetto imports all of it, and finds the thief in the late cycle" \
		thief.json --thief lab_thief_burn --least $over
	check "it can be exported once more" kecat record export --perfetto /tmp/again.json
	same "and is the same" "$(md5sum </tmp/thief.json)" "$(md5sum </tmp/again.json)"
else
	check "the report says why nobody is named" sh -c 'kecat record report | grep "without tracing: "'
	check "a strict reader takes the trace" host check-record perfetto thief.json
fi
check "the recorder is switched off" kecat record off
check "no trace instance is left" sh -c '! ls -d /sys/kernel/tracing/instances/kecat0'
check "the run ends" stop_run INT

# ---- a thief of a cycle that is an interrupt itself ----
check "a run starts in the timer's interrupt" start_run --tick interrupt
steal
if [ $tracing = yes ]; then
	check "the report names the thief" named
	check "and not the cycle itself" sh -c '! kecat record report | grep kecat_tick_fired'
fi
check "the recorder is switched off" kecat record off
check "the run ends" stop_run INT
