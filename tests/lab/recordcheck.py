#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Strict readers of what "kecat record export" writes; silent when all is well.

usage: recordcheck.py perfetto FILE [--thief TEXT --least US] [--app N]
       recordcheck.py pcapng FILE [--frames N]

perfetto: Chrome's trace format as the Perfetto importer takes it.  Each event has
what its kind needs and nothing unknown; slices of a track lie in each other or
behind each other; phases fill their cycle without a gap; every track has a name.
--thief: some late cycle names TEXT as what took at least so long, and a slice of
that name lies in the cycle's wake phase on the track of interrupts.
--app: the application worked at least N times, each time on inputs that had come.
"""
import argparse
import json
import re
import struct
import sys
from decimal import Decimal

CYCLE = (1, 1)
NEEDS = {"X": {"ph", "pid", "tid", "name", "cat", "ts", "dur"},
         "M": {"ph", "pid", "tid", "name", "args"},
         "C": {"ph", "pid", "tid", "name", "ts", "args"}}


class Bad(Exception):
    pass


def need(good, what):
    if not good:
        raise Bad(what)


def ns(value):
    """A time as it is written: microseconds with three decimals."""
    n = value * 1000
    need(n == int(n) and n >= 0, f"{value} is no whole number of ns")
    return int(n)


def no_duplicates(pairs):
    keys = [k for k, _ in pairs]
    need(len(keys) == len(set(keys)), f"a key twice: {keys}")
    return dict(pairs)


def read(path):
    with open(path, encoding="ascii") as f:
        doc = json.load(f, parse_float=Decimal, parse_int=Decimal, object_pairs_hook=no_duplicates)
    need(set(doc) == {"displayTimeUnit", "otherData", "traceEvents"}, f"keys {set(doc)}")
    need(doc["displayTimeUnit"] == "ns", "unit")
    return doc["traceEvents"]


def check_event(e):
    kind = e.get("ph")
    need(kind in NEEDS, f"kind {kind}")
    need(NEEDS[kind] <= set(e) <= NEEDS[kind] | {"args"}, f"fields of {e}")
    need(isinstance(e["name"], str) and e["name"], f"name of {e}")
    for key in ("pid", "tid"):
        need(isinstance(e[key], Decimal) and e[key] == int(e[key]) >= 0, f"{key} of {e}")
    need(isinstance(e.get("args", {}), dict), f"args of {e}")
    if kind == "C":
        need(all(isinstance(v, Decimal) for v in e["args"].values()), f"value of {e}")


def nest(track, slices):
    """In the order of the file: sorted, and each inside what is still open."""
    stack, last = [], 0
    for from_, to, name in slices:
        need(from_ >= last, f"track {track}: {name} at {from_} before {last}")
        last = from_
        while stack and stack[-1][1] <= from_:
            if stack[-1][1] == from_ == to and stack[-1][0] < from_:
                break
            stack.pop()
        need(not stack or to <= stack[-1][1],
             f"track {track}: {name} {from_}..{to} reaches out of {stack and stack[-1]}")
        stack.append((from_, to, name))


def partition(events):
    """Phases follow their cycle and fill it."""
    cycles, at, end = [], None, None
    for e in events:
        if e["ph"] != "X" or (e["pid"], e["tid"]) != CYCLE:
            continue
        from_, to = ns(e["ts"]), ns(e["ts"]) + ns(e["dur"])
        if e["cat"] == "cycle":
            need(at == end, f"a cycle before {e['name']} is not filled: {at} {end}")
            cycles.append(e)
            at, end = from_, to
        else:
            need(e["cat"] == "phase" and from_ == at and to <= end, f"{e} does not continue at {at}")
            at = to
    need(at == end and cycles, "the last cycle is not filled")
    return cycles


def application(events, least):
    """Its work begins so long after the inputs came as it says."""
    came, cycle, n = {}, None, 0
    for e in events:
        if e["ph"] == "X" and e["cat"] == "cycle":
            cycle = int(e["name"].split()[1])
        elif e["ph"] == "X" and e["name"] == "publish":
            came[cycle] = ns(e["ts"])
    for e in events:
        if e["ph"] != "X" or e["cat"] != "app":
            continue
        need(ns(e["ts"]) == came[int(e["args"]["cycle"])] + int(e["args"]["to_app_ns"]), f"inputs of {e}")
        n += 1
    need(n >= least, f"the application worked {n} times")


def perfetto(path, thief, least, app):
    events = read(path)
    tracks, named = {}, set()
    for e in events:
        check_event(e)
        if e["ph"] == "X":
            tracks.setdefault((e["pid"], e["tid"]), []).append(
                (ns(e["ts"]), ns(e["ts"]) + ns(e["dur"]), e["name"]))
        elif e["ph"] == "M" and e["name"] == "thread_name":
            need((e["pid"], e["tid"]) not in named, f"named twice: {e}")
            named.add((e["pid"], e["tid"]))
        elif e["ph"] == "M":
            need(e["name"] == "process_name", f"{e}")
    for track, slices in tracks.items():
        nest(track, slices)
    need(set(tracks) <= named, f"tracks without a name: {set(tracks) - named}")
    cycles = partition(events)
    if thief:
        find_thief(events, cycles, thief, least * 1000)
    if app is not None:
        application(events, app)


def find_thief(events, cycles, thief, least):
    named = re.compile(rf"(\d+\.\d+) us in [^;]*{re.escape(thief)}")
    for c in cycles:
        m = named.search(c.get("args", {}).get("wake_thief", ""))
        if not m or ns(Decimal(m.group(1))) < least:
            continue
        tick = int(c["args"]["tick_ns"])
        running = next(ns(e["ts"]) + ns(e["dur"]) for e in events
                       if e["ph"] == "X" and e["cat"] == "phase" and ns(e["ts"]) == ns(c["ts"]))
        for e in events:
            if (e["ph"] == "X" and e["cat"] == "irq" and thief in e["name"] and
                    min(ns(e["ts"]) + ns(e["dur"]), running) - max(ns(e["ts"]), tick) >= least):
                return
    raise Bad(f"no cycle names '{thief}' as what took {least} ns of its wake phase, and shows it there")


def options(data, at, end):
    """{code: value} of a block's options."""
    found = {}
    while True:
        need(end - at >= 4, "options without an end")
        code, length = struct.unpack_from("<HH", data, at)
        at += 4
        if code == 0:
            need(length == 0 and at == end, "bytes behind the last option")
            return found
        need(at + length <= end, "an option behind the end of its block")
        found[code] = data[at:at + length]
        at += (length + 3) & ~3


def pcapng(path, frames):
    with open(path, "rb") as f:
        data = f.read()
    at, interfaces, n, last = 0, 0, 0, 0
    while at < len(data):
        need(len(data) - at >= 12, "half a block")
        kind, length = struct.unpack_from("<II", data, at)
        need(length % 4 == 0 and 12 <= length <= len(data) - at, f"length {length}")
        need(struct.unpack_from("<I", data, at + length - 4)[0] == length, "the two lengths differ")
        body, end = at + 8, at + length - 4
        if at == 0:
            need(kind == 0x0A0D0D0A and struct.unpack_from("<IHHq", data, body) == (0x1A2B3C4D, 1, 0, -1), "section")
            options(data, body + 16, end)
        elif kind == 1:
            need(n == 0 and struct.unpack_from("<HH", data, body) == (1, 0), "link type")
            o = options(data, body + 8, end)
            need(o.get(9) == b"\x09" and o.get(2), "name or resolution of an interface")
            interfaces += 1
        else:
            need(kind == 6, f"block {kind}")
            port, high, low, cap, length = struct.unpack_from("<IIIII", data, body)
            need(port < interfaces and cap <= length, f"packet {n}")
            o = options(data, body + 20 + ((cap + 3) & ~3), end)
            need(struct.unpack("<I", o[2])[0] in (1, 2), "direction")
            need(re.match(rb"cycle \d+, \w+, tag \d+, at \d+ ns$", o[1]), f"comment {o[1]}")
            need(high << 32 | low >= last, "order of times")
            last = high << 32 | low
            n += 1
        at = end + 4
    need(frames is None or n == frames, f"{n} frames")
    need(interfaces == 2, f"{interfaces} interfaces")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("kind", choices=("perfetto", "pcapng"))
    p.add_argument("file")
    p.add_argument("--thief")
    p.add_argument("--least", type=int, default=100)
    p.add_argument("--frames", type=int)
    p.add_argument("--app", type=int)
    a = p.parse_args()
    try:
        if a.kind == "perfetto":
            perfetto(a.file, a.thief, a.least, a.app)
        else:
            pcapng(a.file, a.frames)
    except (Bad, KeyError, ValueError, struct.error) as e:
        sys.exit(f"recordcheck: {a.file}: {e!r}")


if __name__ == "__main__":
    main()
