# SPDX-License-Identifier: GPL-2.0-only
"""What the driver does to QEMU's own model of an Intel NIC, counted by its trace."""
import re

EVENTS = ("e1000e_core_read", "e1000e_core_write", "e1000e_irq_msi_notify",
          "e1000e_irq_msix_notify_vec", "e1000e_irq_legacy_notify")
ACCESS = re.compile(r"e1000e_core_(read|write)\b.*?0x([0-9a-f]+)")
INTERRUPT = re.compile(r"e1000e_irq_\w+_notify(_vec)?\b(?!.*state: 0)")
# transmit and receive tail of queue 0; 82576 has both places for each
TDT = {0x3818, 0xe018}
RDT = {0x2818, 0xc018}


class NicTrace:
    """Counts from "counts zero" to "counts", as the models of our own do.

    cycle_reads is the least number of register reads between two doorbells:
    those of the thread that looks after the link come now and then, those of
    the cycle would come each time.
    """

    def __init__(self, monitor, log):
        self.monitor, self.log = monitor, log
        self.start = 0

    def control(self, words):
        if words == ["counts", "zero"]:
            self.start = len(self._text())
            self._trace(True)
            return 0, ""
        if words == ["counts"]:
            self._trace(False)
            return 0, " ".join(f"{k}={v}" for k, v in self._count().items())
        return 1, "not a model of ours"

    def _text(self):
        with open(self.log, encoding="utf-8", errors="replace") as f:
            return f.read()

    def _trace(self, enable):
        for name in EVENTS:
            self.monitor("trace-event-set-state", name=name, enable=enable)

    def _count(self):
        count = {"reads": 0, "writes": 0, "doorbells": 0, "rx_tails": 0, "interrupts": 0}
        gap, gaps = 0, []
        for line in self._text()[self.start:].splitlines():
            if INTERRUPT.search(line):
                count["interrupts"] += 1
            m = ACCESS.search(line)
            if not m:
                continue
            register = int(m[2], 16)
            count[m[1] + "s"] += 1
            gap += m[1] == "read"
            if m[1] == "write" and register in TDT:
                count["doorbells"] += 1
                gaps.append(gap)
                gap = 0
            count["rx_tails"] += m[1] == "write" and register in RDT
        # the first gap began before the doorbell that was seen first
        count["cycle_reads"] = min(gaps[1:], default=-1)
        return count
