#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The binary interface of uapi/, as the compiler sees it.

usage: abi.py [--cc CC] [--m32] HEADER...     print the layout
       abi.py --rules HEADER...               print what breaks a rule

Each field's offset and size and each constant goes through the compiler into an
object file and is read from there: nothing has to be run, so 32-bit code can be
looked at where none can be executed.  The names come from the headers; that none was missed shows
in the offsets: without padding each field begins where the one before ended.
"""
import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile

BASIC = re.compile(r"__[us](8|16|32|64)|char")
STRUCT = re.compile(r"^struct (\w+) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^\s*((?:struct )?\w+)\s+(\w+)\s*((?:\[\w+\])*)\s*"
                   r"(?:__attribute__\(\(aligned\(\d+\)\)\))?\s*;\s*$")
DEFINE = re.compile(r"^#define (KECAT_\w+)[ \t]+(\S.*)$", re.MULTILINE)


class Bad(Exception):
    pass


def read(path):
    with open(path, encoding="utf-8") as f:
        return re.sub(r"/\*.*?\*/", " ", f.read(), flags=re.DOTALL)


def fields_of(name, body):
    """(type, field) of each line; one that is no plain field is an error."""
    found = []
    for line in body.splitlines():
        if not line.strip():
            continue
        m = FIELD.match(line)
        if not m:
            raise Bad(f"struct {name}: not understood: {line.strip()}")
        found.append((m.group(1), m.group(2)))
    return found


def parse(headers):
    """Structs {name: [(type, field)]} and constants [name], in order."""
    structs, constants = {}, []
    for path in headers:
        text = read(path)
        for name, body in STRUCT.findall(text):
            structs[name] = fields_of(name, body)
        # any other way to declare something would escape us
        rest = STRUCT.sub("", text)
        stray = re.search(r"\b(struct\s+\w+\s*\{|union\b|enum\b|typedef\b)", rest)
        if stray:
            raise Bad(f"{path}: not understood: {stray.group(0)}")
        constants += [name for name, _ in DEFINE.findall(rest)]
    return structs, constants


def questions(structs, constants):
    """(what, C expression) of everything there is to know."""
    for name, fields in structs.items():
        yield name, f"sizeof(struct {name})"
        for _, field in fields:
            yield f"{name}.{field} at", f"__builtin_offsetof(struct {name}, {field})"
            yield f"{name}.{field} size", f"sizeof(((struct {name} *)0)->{field})"
    for name in constants:
        yield name, name


def compiled(headers, asked, cc, m32):
    """The value of each expression: a table of u64 in a section of its own."""
    source = "".join(f'#include "{os.path.abspath(h)}"\n' for h in headers)
    source += '__attribute__((section("abi_answers"), used)) const __u64 ask[] = {\n'
    source += "".join(f"\t(__u32)({expr}),\n" for _, expr in asked) + "};\n"
    with tempfile.TemporaryDirectory() as tmp:
        obj, table = os.path.join(tmp, "ask.o"), os.path.join(tmp, "ask")
        for command in ([cc, "-m32" if m32 else "-m64", "-c", "-o", obj, "-xc", "-"],
                        ["objcopy", "-O", "binary", "-j", "abi_answers", obj, table]):
            run = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
            if run.returncode:
                raise Bad(f"{command[0]}: {run.stderr.strip()}")
        with open(table, "rb") as f:
            numbers = struct.unpack(f"={len(asked)}Q", f.read())
    return {what: n for (what, _), n in zip(asked, numbers)}


def layout(headers, cc, m32):
    structs, constants = parse(headers)
    value = compiled(headers, list(questions(structs, constants)), cc, m32)
    lines = []
    for name, fields in structs.items():
        lines.append(f"struct {name} size {value[name]}")
        at = 0
        for ctype, field in fields:
            offset, size = value[f"{name}.{field} at"], value[f"{name}.{field} size"]
            if offset != at:
                raise Bad(f"struct {name}: {offset - at} bytes of padding before {field}")
            lines.append(f"\t{offset}\t{size}\t{ctype} {field}")
            at = offset + size
        if at != value[name]:
            raise Bad(f"struct {name}: {value[name] - at} bytes of padding at the end")
    lines += [f"{name} {value[name]:#x}" for name in constants]
    return lines


def ioctls(headers):
    """(name, number, struct or None) of each command."""
    for path in headers:
        for name, what in DEFINE.findall(read(path)):
            m = re.fullmatch(r"_IO(?:WR|R|W)?\(KECAT_IOC_MAGIC, (\d+)(?:, struct (\w+))?\)",
                             what.strip())
            if m:
                yield name, int(m.group(1)), m.group(2)


def broken_rules(headers):
    """What the compiler cannot see."""
    structs, _ = parse(headers)
    numbers, first = {}, {}
    for name, fields in structs.items():
        for ctype, field in fields:
            if not BASIC.fullmatch(ctype) and ctype.removeprefix("struct ") not in structs:
                yield f"struct {name}: {field} is a {ctype}, not of fixed width"
        first[name] = fields[0]
    for name, number, arg in ioctls(headers):
        if number in numbers:
            yield f"{name}: number {number} is also that of {numbers[number]}"
        numbers[number] = name
        if arg and first[arg] != ("__u32", "size"):
            yield f"{name}: struct {arg} does not begin with __u32 size"
    passed = {arg for _, _, arg in ioctls(headers)}
    # elements of a configuration are padded where they stand
    for line in layout(headers, "gcc", False):
        m = re.fullmatch(r"struct (\w+) size (\d+)", line)
        if m and m.group(1) in passed and int(m.group(2)) % 8:
            yield f"struct {m.group(1)}: {m.group(2)} bytes are no multiple of 8"


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--cc", default="gcc")
    p.add_argument("--m32", action="store_true")
    p.add_argument("--rules", action="store_true")
    p.add_argument("headers", nargs="+")
    a = p.parse_args()
    try:
        lines = list(broken_rules(a.headers)) if a.rules else layout(a.headers, a.cc, a.m32)
    except Bad as e:
        sys.exit(f"abi.py: {e}")
    print("\n".join(lines))
    return 1 if a.rules and lines else 0


if __name__ == "__main__":
    sys.exit(main())
