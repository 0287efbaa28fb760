# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# lab: kernels=6.1-rt icount=0 timeout=600 farend=sim slaves=coupler,do8*4,di8*4,drive nic=r8169 chip=h
# An RTL8168: the stock driver on the model, then ours while the chip
# misbehaves: requests lost, descriptors kept, a slow bus, a full FIFO, frames
# of any length, a cable that comes and goes.

port=0000:00:03.0

count() { host nic counts | sed -n "s/.*\\b$1=\\([-0-9]*\\).*/\\1/p"; }
lost() { status frames_lost; }
steady() { before=$(lost); sleep 1; [ "$(lost)" = "$before" ]; }

# costs NAME FRAMES COMMAND...: that many frames and no more
costs()
{
	what=$1 frames=$2
	shift 2
	was=$(lost)
	host nic "$@" >/dev/null || fail "$what: host nic $*"
	sleep 1
	same "$what: $frames frames lost" $((was + frames)) "$(lost)"
	check "$what: all are in OP" wait_for 100 status_is slaves_op 10
}

modprobe realtek
check "stock r8169 loads" modprobe r8169
check "interface appears" wait_for 50 test -d /sys/class/net/eth0 || bail "no interface"
check "interface comes up" ip link set eth0 up
check "link comes up" wait_for 100 grep -q 1 /sys/class/net/eth0/carrier
arping -c 3 -w 3 -I eth0 192.0.2.1 >/dev/null 2>&1
check "stock driver sends" test "$(count tx)" -gt 0
check "stock driver is interrupted" test "$(port_irqs $port)" -gt 0
same "its addresses were good" 0 "$(count bad_dma)"
ip link set eth0 down

check "kecat takes the port" kecat attach eth0 || bail "no port"
check "ten slaves are found" wait_for 200 in_state PREOP 10
check "all reach OP" start_run || bail "no cycle: $(cat /tmp/run.err)"
check "the bus is steady" wait_for 10 steady
same "EEE is not advertised" 0x0 "$(host nic phy 0xa5d0)"
same "no interrupt moderation" 0 "$(($(host nic reg 0xe2) & 0xffff))"

costs "doorbells lost" 0 doorbell 3
costs "no descriptor for a frame" 3 overflow 3
costs "runts" 3 runt 3
costs "frames too long" 3 giant 3 2000
costs "a length below an FCS" 1 length 1 2
costs "a length over all buffers" 1 length 1 16383

resets=$(status resets)
check "descriptors are kept" host nic own 64
check "the port resets the chip" wait_for 100 status_is resets $((resets + 1))
check "all come back to OP" wait_for 600 status_is slaves_op 10
check "the bus is steady after it" wait_for 10 steady

was=$(lost)
check "the bus is slow" host nic dma 50000
check "frames are late" wait_for 50 sh -c "[ \"\$(kecat status --json | sed -n 's/.*\"frames_lost\": *\\([0-9]*\\).*/\\1/p')\" -gt $was ]"
host nic dma 0
check "all come back to OP from it" wait_for 600 status_is slaves_op 10

check "cable is pulled" host link off
check "link is down" wait_for 100 status_is link false
check "cable is back" host link on
check "link is up" wait_for 100 status_is link true
check "all come back to OP with it" wait_for 600 status_is slaves_op 10
check "the link flaps" host link flap
sleep 2
check "all come back to OP after it" wait_for 600 status_is slaves_op 10

check "the run ends when told to" stop_run INT
check "port goes back" kecat detach 0
check "modules unload" rmmod kecat_r8169 r8169 kecat
