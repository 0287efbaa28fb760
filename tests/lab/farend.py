# SPDX-License-Identifier: GPL-2.0-only
"""What the guest's NIC is wired to: a process on the host, or nothing."""
import os
import socket
import subprocess
import time


class Nothing:
    """A socket that swallows frames, so that the NIC can send."""

    def __init__(self, directory):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.sock.bind(os.path.join(directory, "wire.sock"))

    def control(self, words):
        return 1, f"no far end for: {' '.join(words)}"

    def stop(self):
        self.sock.close()


def start(conf, top, directory):
    if conf["farend"] == "none":
        return Nothing(directory)
    raise SystemExit(f"vm: unknown far end {conf['farend']}")
