# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=debug,6.1-rt icount=0 timeout=1800 farend=none
# Random calls on the device, by processes that share it, with and without a
# port that is taken away meanwhile.

fuzz() { ioctl_fuzz /dev/kecat0 "$@" >/tmp/fuzz.out 2>&1; }
report() { while read -r line; do note "$line"; done </tmp/fuzz.out; }

check "simulated bus comes up" bus_up coupler,do8,di8,drive 4 || bail "no bus"
check "3000 random calls of one process" fuzz 1 3000 1
report
check "2000 random calls each of three" fuzz 100 2000 3
report
check "the master still answers" kecat status
check "the slaves can be read anew" kecat rescan
for seed in 1000 1010 1020; do
	fuzz $seed 1000000 3 &
	calls=$!
	usleep 500000
	check "the port can be taken away meanwhile" rmmod kecat_sim
	check "and all calls say so" wait $calls
	same "of three processes" 3 "$(grep -c "port gone" /tmp/fuzz.out)"
	report
	check "a new bus comes up" bus_up coupler,do8,di8,drive 4
done
check "modules unload" modprobe -r kecat_sim
check "nothing of kecat stays" sh -c '! grep -q ^kecat /proc/modules'
