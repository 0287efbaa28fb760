# SPDX-License-Identifier: GPL-2.0-only
"""The guest's root: a cpio archive (newc) made of busybox, our build and a test."""
import glob
import os
import re
import stat
import subprocess
import tempfile

# The distribution's modules that tests load, with what they depend on.
STOCK = ("pps_core", "ptp", "e1000e", "igb", "igc", "dca", "i2c-core", "i2c-algo-bit", "libphy",
         "mdio_devres", "phy_package", "realtek", "r8169", "firmware_class", "dim", "dimlib",
         "e1000", "veth", "failover", "net_failover", "virtio_net", "virtio", "virtio_ring", "virtio_pci",
         "virtio_pci_modern_dev", "virtio_pci_legacy_dev")


def _module(path):
    """A module without its debug sections (they are most of its size)."""
    if path.endswith(".xz"):
        return subprocess.run(["xz", "-dc", path], check=True, stdout=subprocess.PIPE).stdout
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["objcopy", "--strip-debug", path, out.name], check=True)
        return _read(out.name)


def _stock(kmods):
    for root, dirs, files in os.walk(kmods):
        dirs[:] = [d for d in dirs if d not in ("build", "source")]
        for f in files:
            name = f.removesuffix(".xz").removesuffix(".ko")
            if name in STOCK and f != name:
                yield name, os.path.join(root, f)


def _read(path):
    with open(path, "rb") as f:
        return f.read()


def _modules(kver, modules):
    """All modules in one directory, with the list of dependencies that modprobe reads."""
    where = f"lib/modules/{kver}"
    direct = {}
    for name, path in sorted(modules.items()):
        data = _module(path)
        needs = re.search(rb"\0depends=([^\0]*)\0", data)
        direct[name] = [n for n in (needs.group(1).decode() if needs else "").split(",") if n in modules]
        yield f"{where}/{name}.ko", 0o644, data

    def closure(name):
        """All that it needs, those that others need last."""
        order = []
        for n in direct[name]:
            for m in [n] + closure(n):
                if m in order:
                    order.remove(m)
                order.append(m)
        return order

    deps = "".join(f"{name}.ko: {' '.join(n + '.ko' for n in closure(name))}\n" for name in direct)
    yield f"{where}/modules.dep", 0o644, deps.encode()


def contents(top, build, script, parts):
    """List of (path in the guest, mode, bytes)."""
    guest = os.path.join(top, "tests", "lab", "guest")
    files = [("init", 0o755, _read(os.path.join(guest, "init"))),
             ("lab.sh", 0o644, _read(os.path.join(guest, "lab.sh"))),
             ("test", 0o644, _read(script)),
             ("bin/busybox", 0o755, _read("/bin/busybox"))]
    modules = dict(_stock(parts["KMODS"]))
    for path in glob.glob(os.path.join(build, parts["KVER"], "**", "*.ko"), recursive=True):
        modules[os.path.basename(path).removesuffix(".ko")] = path
    files += _modules(parts["KVER"], modules)
    for path in glob.glob(os.path.join(build, "guest", "*")) + glob.glob(os.path.join(build, "bench", "guest", "*")):
        files.append((f"bin/{os.path.basename(path)}", 0o755, _read(path)))
    return files


def image(parts):
    """The kernel as its package has it, for a guest that starts another."""
    return "vmlinuz", 0o644, _read(os.path.join(os.path.dirname(parts["VMLINUX"]), "boot",
                                                f"vmlinuz-{parts['KVER']}"))


def _entry(ino, name, mode, data, rdev=(0, 0)):
    head = "070701" + "".join(f"{v:08X}" for v in (
        ino, mode, 0, 0, 1, 0, len(data), 0, 0, rdev[0], rdev[1], len(name) + 1, 0))
    out = head.encode() + name.encode() + b"\0"
    out += b"\0" * (-len(out) % 4) + data
    return out + b"\0" * (-len(out) % 4)


def write(path, files):
    """newc, uncompressed: unpacking costs guest time."""
    dirs = {"bin", "dev", "proc", "sys", "tmp", "run"}
    for name, _, _ in files:
        while os.path.dirname(name):
            name = os.path.dirname(name)
            dirs.add(name)
    ino = 1
    with open(path, "wb") as f:
        for d in sorted(dirs):
            f.write(_entry(ino, d, stat.S_IFDIR | 0o755, b""))
            ino += 1
        f.write(_entry(ino, "dev/console", stat.S_IFCHR | 0o600, b"", (5, 1)))
        f.write(_entry(ino + 1, "bin/sh", stat.S_IFLNK | 0o777, b"busybox"))
        ino += 2
        for name, mode, data in files:
            f.write(_entry(ino, name, stat.S_IFREG | mode, data))
            ino += 1
        f.write(_entry(0, "TRAILER!!!", 0, b""))
