# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt,6.1,7-rt smp=2 timeout=600 farend=none append=isolcpus=nohz,managed_irq,domain,1
# A cycle that spins all the time has its CPU for itself, or does not start; and the
# rest of the kernel goes on beside it.

echo -1 >/proc/sys/kernel/sched_rt_runtime_us
past() { [ "$(status cycles)" -gt "$1" ]; }
cpu_is_told() { kecat events | grep "is not isolated"; }

modprobe kecat
check "simulated bus comes up" bus_up coupler,do8,drive 3 || bail "no bus"
kecat config scan >bus.yaml
check "half of a cycle may be spun through anywhere" kecat run bus.yaml --cycles 100 --spin-us 500
check "an event names the CPU that others use" cpu_is_told
check "more is refused" sh -c '! kecat run bus.yaml --cycles 100 --spin-us 501 2>err'
check "and the answer says what it takes" grep "isolated CPU" err
modprobe -r kecat_sim kecat

# cpus NAME: where that thread may run
cpus() { awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$(grep -lx "$1" /proc/[0-9]*/comm | cut -d/ -f3)/status"; }

check "a list of CPUs that is none is refused" sh -c '! modprobe kecat housekeeping=a-b'
modprobe kecat housekeeping=1
check "simulated bus comes up, looked after from CPU 1" bus_up coupler,do8,drive 3 || bail "no bus"
same "by the thread that looks after all" 1 "$(cpus kecat0-sup)"
same "and by that of a slave" 1 "$(cpus kecat0-s1)"
modprobe -r kecat_sim kecat

modprobe kecat cpu=1
check "simulated bus comes up, on CPU 1" bus_up coupler,do8,drive 3 || bail "no bus"
same "the cyclic thread is there" 1 "$(cpus kecat0)"
same "nobody else is" "0 0" "$(cpus kecat0-sup) $(cpus kecat0-s2)"
check "a cycle that spins all the time starts there" start_run bus.yaml --spin-us 1000
check "nothing is said of that CPU" sh -c "! kecat events | grep 'is not isolated'"
# unloading waits for RCU and for work that each CPU has to do
check "a module is loaded beside it" modprobe e1000e
check "and unloaded" timeout 60 modprobe -r e1000e
check "an SDO while it spins" kecat upload 2 0x1018 1
cycles=$(status cycles)
check "cycles go on" wait_for 100 past "$cycles"
check "it is ended" stop_run INT
check "the bus leaves OP" wait_for 100 status_is slaves_op 0
check "all of it unloads" modprobe -r kecat_sim kecat
