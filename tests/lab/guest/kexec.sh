# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=900 farend=sim mem=640 image=1
# Another kernel is started with the cycle running and frames on the wire: the
# ports must be quiet before it comes, or they write into its memory.  The
# second kernel runs this script too, and goes on with its second half.

port=0000:00:03.0

second=$(sed -n 's/.*\bkexec=\([0-9]*\).*/\1/p' /proc/cmdline)
if [ -z "$second" ]; then
	# what is needed again, before anything else is written to it
	(cd / && { find bin init lab.sh lib test dev/console
		find dev proc sys tmp run -maxdepth 0; } | cpio -o -H newc) >/tmp/initrd 2>/dev/null
	modprobe e1000e
	wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
	check "kecat takes the port" kecat attach eth0 || bail "no port"
	check "ten slaves are found" wait_for 200 in_state PREOP 10
	check "all reach OP" start_run || bail "no cycle: $(cat /tmp/run.err)"
	sleep 1
	check "the device counts from here" host nic counts zero
	kexec /vmlinuz /tmp/initrd "$(sed 's/ *kexec=[0-9]*//' /proc/cmdline) kexec=$lab_n"
	bail "no second kernel"
fi

lab_n=$second
pass "a second kernel runs"
doorbells() { host nic counts | sed -n 's/.*\bdoorbells=\([0-9]*\).*/\1/p'; }
check "the first had cycles until then" test "$(doorbells)" -gt 0
modprobe e1000e
check "the stock driver has the port" wait_for 50 test -d /sys/class/net/eth0
same "it is the stock driver's" e1000e "$(basename "$(readlink /sys/bus/pci/devices/$port/driver)")"
check "kecat takes it again" kecat attach eth0
check "ten slaves are found again" wait_for 200 in_state PREOP 10
check "all reach OP again" start_run
sleep 1
lost=$(status frames_lost)
sleep 1
same "no frame is lost" "$lost" "$(status frames_lost)"
check "the run ends when told to" stop_run INT
