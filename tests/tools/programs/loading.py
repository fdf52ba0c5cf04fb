"""A function of SASS as cuda-gdb and Nsight Compute would print it, out of its disassembly."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

SIZE = 16
ALIGNED = 8
"""ptxas fills functions up to a multiple of so many instructions."""
_TARGET = re.compile(r"`\(([^()]+)\)")
Form = Callable[[list[str], random.Random], str]


def code(text: str) -> list[str]:
    """Return the instructions of a disassembly, filled up, ``{n}`` in branches for the n-th instruction."""
    found: list[str] = []
    labels: dict[str, int] = {}
    for line in text.split("\n"):
        if line.endswith(":"):
            labels[line[:-1]] = len(found)
        elif "*/" in line:
            found.append(line.partition("*/")[2].strip().removesuffix(";").strip())
    found = [_TARGET.sub(lambda label: f"{{{labels[label[1]]}}}", each) for each in found]
    found.append(f"BRA {{{len(found)}}}")
    return found + ["NOP"] * (-len(found) % ALIGNED)


def _gone(each: str, to: Callable[[int], int]) -> str:
    """Put into a branch what ``to`` makes of the offset that it goes to."""
    return re.sub(r"\{(\d+)\}", lambda place: f"{to(SIZE * int(place[1])):#x}", each)


def plain(instructions: list[str]) -> str:
    """The same with addresses in branches, as cuobjdump has them."""
    lines = [
        f"        /*{SIZE * at:04x}*/                   {_gone(each, int)} ;" for at, each in enumerate(instructions)
    ]
    return "\n".join(('.section .text.k,"ax",@progbits', *lines, ""))


def _base(generator: random.Random) -> int:
    return generator.choice((0x7FFDDB7AD700, 0x100000000))


def cuda_gdb(instructions: list[str], generator: random.Random) -> str:
    """``disassemble`` or ``x/100i``, out of the program or the memory of a device."""
    base = generator.choice((_base(generator), 0, 0x700))
    framed, near, raw = generator.random() < 0.6, generator.random() < 0.4, "00 " * 15 + "00\t"
    raw = raw if generator.random() < 0.2 else ""
    lines = []
    for at, each in enumerate(instructions):
        address = base + SIZE * at
        text = _gone(each, (-SIZE * at if near else base).__add__)
        text = text + " " if near else re.sub(r",\s+", ",", text)
        place = f"0x{address:016x} <+{SIZE * at}>" if framed else f"{address:#x} <k{f'+{SIZE * at}' if at else ''}>"
        lines.append(f"{generator.choice(('   ', '   ', '=> ', '*> '))}{place}:\t{raw}{text}")
        if framed and generator.random() < 0.2:
            lines += generator.choice((["", f"{at}\t    UMOV UR4, 0x1;"], [""], ["k.cu:", f"{at}-{at}\t// UR5,0x2"]))
    log = ["[Switching focus to CUDA kernel 0]", "x = 0x4000004000010040", ""]
    if framed:
        lines = ["Dump of assembler code for function k:", *lines, "End of assembler dump."]
    else:
        twice = generator.randrange(len(lines))
        lines = [*lines[:twice], "(cuda-gdb) x/20i $pc", *lines[max(0, twice - 3) :], "(cuda-gdb) quit"]
    return "\n".join((*log, *lines, ""))


def ncu(instructions: list[str], generator: random.Random) -> str:
    """The source page as a table; in the order of the source, rows are elsewhere and twice, and long ones broken."""
    mixed = generator.random() < 0.5
    base, wide = _base(generator), 60 if mixed else max(60, *map(len, instructions)) + 8
    rule = f"{'-' * 18} {'-' * wide} ------ ------"
    rows = []
    for at, each in enumerate(instructions):
        address = f"{base + SIZE * at:#x}"
        text = _gone(each, base.__add__)
        text = "      " + text if not text.startswith("@") else "{:<6}{}".format(*text.split(" ", 1))
        parts = [text[place : place + wide] for place in range(0, len(text), wide)]
        begins = f"    {address}" if mixed else address
        made = [f"{place:<18} {part:<{wide}}" for place, part in zip([begins] + [""] * 9, parts, strict=False)]
        made[-1] += " 0      -     "
        rows.append("\n".join(made))
    if not mixed:
        return "\n".join(
            ("==PROF== x", rule, "Kernel Name        k", rule, "Address            Source", rule, *rows, "")
        )
    groups: list[list[str]] = [[], [], []]
    for row in rows:
        for group in generator.sample(groups, generator.choice((1, 1, 2))):
            group.append(row)
    source = [f"17                 UMOV UR4, 0x1{'':{wide - 13}} 0      -", rule]
    parts = ["/*", "Function Name: k", "*/"]
    for group in groups:
        parts += [rule, *source, *group, f"    ...{'':12}...{'':{wide - 3}} -      -"]
    return "\n".join((*parts, ""))


def csv(instructions: list[str], generator: random.Random) -> str:
    """The source page as CSV."""
    mixed, base = generator.random() < 0.5, _base(generator)
    begin = '"","",' if mixed else ""
    rows = [
        f'{begin}"{base + SIZE * at:#x}","      {_gone(each, base.__add__)}","0","-","0"'
        for at, each in enumerate(instructions)
    ]
    if not mixed:
        return "\n".join(('"Kernel Name","k",', '"Address","Source","# Samples"', *rows, ""))
    rows = [row for row in rows for _ in range(generator.choice((1, 1, 2)))]
    generator.shuffle(rows)
    heading = '"Line No","Source","Address","Source","# Samples"'
    return "\n".join(('"Function Name","k"', heading, '"17","asm("x" : "l"(a))","-","-","0"', *rows, ""))


FORMS: tuple[Form, ...] = (cuda_gdb, ncu, csv)
