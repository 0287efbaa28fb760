# SPDX-License-Identifier: GPL-2.0-only
"""What the guest's NIC is wired to: a process on the host, or nothing."""
import os
import socket
import subprocess
import time

HERE = os.path.dirname(os.path.realpath(__file__))
BENCH = os.path.join(os.path.dirname(HERE), "bench")


def segment_file(name):
    return os.path.join(HERE, "segments", name + ".seg")


class FarEnd:
    """What all kinds have in common."""

    def qemu(self):
        """Arguments for QEMU."""
        return []

    def control(self, words):
        return 1, f"no far end for: {' '.join(words)}"

    def pids(self):
        return []

    def stop(self):
        pass


class Nothing(FarEnd):
    """A socket that swallows frames, so that the NIC can send."""

    def __init__(self, directory):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.sock.bind(os.path.join(directory, "wire.sock"))

    def stop(self):
        self.sock.close()


class Inside(FarEnd):
    """The segment in a plugin of QEMU, tests/bench/wire.c."""

    def __init__(self, conf, build, directory):
        segment = segment_file(conf["segment"])
        if not conf["segment"]:
            segment = os.path.join(directory, "inside.seg")
            with open(segment, "w", encoding="utf-8") as f:
                f.write(f"slaves {conf['slaves']}\n")
        self.plugin = (f"file={os.path.join(build, 'bench', 'wire.so')},segment={segment},"
                       f"listen={os.path.join(directory, 'wire.sock')},"
                       f"devices={os.path.join(BENCH, 'devices')},wire={conf['wire'] or 0}")

    def qemu(self):
        # what the guest takes for random is the same in each run
        return ["-plugin", self.plugin, "-seed", "1"]


class Segment(FarEnd):
    """kecat-sim: frames on a datagram socket, fault commands on a control socket."""

    def __init__(self, conf, build, directory):
        self.wire = os.path.join(directory, "wire.sock")
        self.ctl = os.path.join(directory, "control.sock")
        command = [os.path.join(build, "user", "kecat-sim"), "--listen", self.wire,
                   "--peer", os.path.join(directory, "nic.sock"), "--control", self.ctl,
                   *self._what(conf)]
        if conf["nics"] == "2" and not conf["card"]:
            command += ["--listen2", os.path.join(directory, "wire2.sock"),
                        "--peer2", os.path.join(directory, "nic2.sock")]
        # the guest's clock stands still while the host is busy elsewhere
        if conf["icount"]:
            command += ["--max-gap", "1000"]
        self.log = os.path.join(directory, "kecat-sim.log")
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._wait()

    @staticmethod
    def _what(conf):
        if conf["segment"]:
            return ["--segment", segment_file(conf["segment"])]
        return ["--slaves", conf["slaves"]]

    def _wait(self):
        while not (os.path.exists(self.wire) and os.path.exists(self.ctl)):
            if self.process.poll() is not None:
                with open(self.log, encoding="utf-8") as log:
                    raise SystemExit(f"vm: kecat-sim ended: {log.read().strip()}")
            time.sleep(0.01)

    def control(self, words):
        with socket.socket(socket.AF_UNIX) as s:
            s.connect(self.ctl)
            s.sendall((" ".join(words) + "\n").encode())
            answer = s.makefile(encoding="utf-8").readline().strip()
        status, _, text = answer.partition(" ")
        return (0 if status == "ok" else 1), text

    def pids(self):
        return [self.process.pid]

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Rtl8168:
    """The model of an RTL8168 between QEMU and the far end."""

    def __init__(self, chip, mac, build, directory, end):
        def path(name, extension):
            return os.path.join(directory, f"{name}{end}.{extension}")

        self.socket, self.ctl = path("device", "sock"), path("nic-control", "sock")
        reply = path("nic-reply", "sock")
        with open(path("rtl8168", "log"), "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [os.path.join(build, "user", "rtl8168"), chip, mac, self.socket, self.ctl,
                 path("nic", "sock"), path("wire", "sock")],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        while not os.path.exists(self.socket):
            if self.process.poll() is not None:
                raise SystemExit(f"vm: the model ended: see {log.name}")
            time.sleep(0.01)
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.sock.bind(reply)
        self.sock.settimeout(20)

    def control(self, words):
        self.sock.sendto(" ".join(words).encode(), self.ctl)
        status, _, text = self.sock.recv(4096).decode().partition(" ")
        return (0 if status == "ok" else 1), text

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.sock.close()


class Neighbour:
    """What the second NIC is wired to if it stays an ordinary one: a machine that answers ping."""

    def __init__(self, directory):
        wire = os.path.join(directory, "wire2.sock")
        self.process = subprocess.Popen([os.path.join(HERE, "neighbour"), wire,
                                         os.path.join(directory, "nic2.sock")], stdin=subprocess.DEVNULL)
        while not os.path.exists(wire):
            if self.process.poll() is not None:
                raise SystemExit("vm: tests/lab/neighbour ended")
            time.sleep(0.01)

    def stop(self):
        self.process.kill()
        self.process.wait()


def start(conf, build, directory):
    if conf["farend"] == "none":
        return Nothing(directory)
    if conf["farend"] == "sim":
        return Segment(conf, build, directory)
    if conf["farend"] == "inside":
        return Inside(conf, build, directory)
    raise SystemExit(f"vm: unknown far end {conf['farend']}")
