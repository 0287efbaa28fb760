# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,debug icount=0 timeout=900 farend=none
# matrix:
# A bus without a NIC, the simulator as a module: up to OP, cyclic data that
# comes back, and each command of the tool that reads or writes a slave.

slaves=coupler,do8,di8,dio8,ai2,drive

check "simulated bus comes up" bus_up $slaves 6 || bail "no bus"
check "slaves in JSON" sh -c 'kecat slaves --json >slaves.json && grep -q "\"state\": *\"PREOP\"" slaves.json'
check "process data mapping" kecat pdos
check "register is read" kecat reg read 1 0x0000 2
check "EEPROM is read" kecat sii read 1
check "an object is read" kecat upload 5 0x1000 0
check "an object that is not there is refused" sh -c '! kecat upload 5 0x5fff 0'
check "configuration from a scan" sh -c 'kecat config scan >bus.yaml'
check "configuration is sound" kecat config check bus.yaml
check "INIT is requested" kecat state 1 INIT
check "and taken back" kecat state 1 PREOP

kecat run bus.yaml --cycles 2000 --check-loop --loop 3:3 --json >run.json
same "2000 cycles run and end well" 0 $?
same "all were in OP" 6 "$(json op run.json)"
same "no frame was lost" 0 "$(json lost run.json)"
same "the phases add up" 0 "$(json unaccounted_ns run.json)"
same "outputs come back as inputs" 0 "$(json app_mismatch run.json)"
same "working counters are right" 0 "$(json wkc_errors run.json)"
check "latency is shown" kecat latency
kecat latency --json >lat.json
# shellcheck disable=SC2016 # fields of awk
check "cycles are counted with what is between them" awk '
	/"phase"/ { gsub(/[",]/, ""); row = $2 }
	/"count"/ { gsub(/,/, ""); n[row] = $2 }
	END {
		print n["total"], n["period"], n["jitter"], n["roundtrip"], n["to-app"], n["app"], n["account"]
		exit !(n["total"] >= 2000 && n["period"] == n["total"] - 1 && n["jitter"] == n["period"] &&
			n["roundtrip"] > 0 && n["roundtrip"] <= n["total"] && n["account"] == n["period"] &&
			n["to-app"] > 0 && n["to-app"] < n["total"] && n["app"] > 0 && n["app"] <= n["to-app"])
	}' lat.json
check "a picture of it is drawn" kecat latency --svg lat.svg
check "jobs are shown" kecat latency --jobs
check "events are shown" kecat events
check "one says that the CPU is not isolated" sh -c 'kecat events | grep "CPU 0 is not isolated"'

# the latency that CPUs may take to wake, in us: 2000 s is any
awake() { hexdump -n 4 -e '"%d"' /dev/cpu_dma_latency; }
same "idle: CPUs may sleep" 2000000000 "$(awake)"
check "a second run starts" start_run bus.yaml
same "active: CPUs may not" 0 "$(awake)"
check "SDO while cycling" kecat upload 5 0x1018 1
check "registers while cycling" kecat reg read 2 0x0130 2
check "the run is interrupted" stop_run INT
same "and says that nothing was lost" 0 "$(json lost /tmp/run.json)"
check "the bus leaves OP" wait_for 100 status_is slaves_op 0
same "idle again: CPUs may sleep" 2000000000 "$(awake)"
check "simulator unloads" modprobe -r kecat_sim
check "nothing of it stays" sh -c '! grep -q ^kecat /proc/modules && ! ls /dev/kecat* 2>/dev/null'
