"""SASS of kernels that are loaded, as cuda-gdb and Nsight Compute print it: by address, without an end to a line.

What they print of a function, wherever in the text, is put together by address and given to the front end in the form
of a disassembly. Where a part of the function is not in the text nothing is known of its descriptors: what is missing
may jump to any line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.scan.model import Function
from smemdesc.scan.moving import relined
from smemdesc.scan.sass.branches import BRANCHES
from smemdesc.scan.sass.front import analyse

SIZE = 16
"""Bytes of an instruction."""
_ALIGNED = 128
"""ptxas fills functions up to a multiple of these bytes, with NOP."""
_MARKS = ("GMMA", "UTC")

INSTRUCTION = r"(?:@!?U?P[T0-9][ \t]+)?[A-Z][A-Z0-9_]*(?:\.\w+)*(?=[ \t;\"]|$)"
"""How an instruction begins."""
_BEGINS = re.compile(INSTRUCTION)
_LISTING = re.compile(
    rf"""(?mx) ^ (?:
      (?:\(cuda-gdb\)[ ])* [ \t]* (?:[=*]+>[ ])? [ \t]* 0x[0-9a-f]{{1,16}}
        (?: [ \t]+ <[^\t\n]*> : [ \t]+ (?:(?:[0-9a-f]{{2}}[ \t]){{8,16}})? {INSTRUCTION} | : [ \t]+ [HQIB]GMMA | : [ \t]+ UTC[A-Z] )
    | [ \t]* 0x[0-9a-f]{{6,16}} [ \t]{{2,}} {INSTRUCTION} [^\n]* [ ] [\d-]
    | (?:[^\n]*,)? "0x[0-9a-f]{{6,16}}"," [ ]* {INSTRUCTION}
    )""".encode()
)
_TARGET = re.compile(r"(?<![^ ,])(-?)0x([0-9a-f]{1,16})$")
_ELSE = ("BPT", "BRX", "BRXU", "JMX", "JMXU")
"""Those in which the last number is something else."""
_FAR = 1 << 32
"""Loaded code is at higher addresses, and no branch goes farther."""
_COMMA = re.compile(r"[ \t]*,[ \t]*")
_BLANKS = re.compile(r"[ \t]+")
_REUSE = ".reuse"
"""Not everywhere printed; it changes no result."""
_STACK = re.compile(r"(?:LDC|MOV) R1, c\[0x0\]\[")
"""The first instruction of a kernel: the stack pointer out of the constants."""


def is_listing(text: bytes) -> bool:
    """Whether a text that begins no function has lines as cuda-gdb or Nsight Compute print them."""
    return b"0x" in text and _LISTING.search(text) is not None


class Row(NamedTuple):
    """An instruction: the number of its line, its address and its text, written as nvdisasm does."""

    line: int
    address: int
    text: str


def row(line: int, address: int, text: str) -> Row:
    """Return an instruction from its text as it is printed, with the address that a branch goes to.

    Out of the memory of a device cuda-gdb prints how far that is from the branch.
    """
    text = _BLANKS.sub(" ", _COMMA.sub(", ", text.strip().rstrip("; ")))
    if address >= _FAR and (goes := _target(text)) is not None and abs(goes) < _FAR // 2:
        text = _going(text, address + goes)
    return Row(line, address, text)


def _target(text: str) -> int | None:
    """Return the number that says where a branch goes; None where an instruction has none."""
    name = (*text.split(" "), "")[text.startswith("@")]
    base = name.partition(".")[0]
    if base not in BRANCHES or base in _ELSE or (base == "WARPSYNC" and ".COLLECTIVE" not in name):
        return None
    found = _TARGET.search(text)
    return None if found is None else int(found[1] + found[2], 16)


def _going(text: str, to: int) -> str:
    """Return a branch that goes elsewhere."""
    return _TARGET.sub(f"{to:#x}", text)


class Printed:
    """What a text has of a function."""

    def __init__(self, name: str | None, line: int, base: int | None = None) -> None:
        self.name = name
        self.line = line
        self.base = base
        """The address where the function begins; None: not said, it is where the text begins, or unknown."""
        self.begins = base is not None
        """Whether that is known."""
        self.ended = -1
        """The address of the last instruction of the function, where the text says that it is; -1 elsewhere."""
        self.rows: dict[int, Row] = {}
        self.doubtful: dict[int, Row] = {}
        """Lines that may go on in the next."""

    def fits(self, row: Row) -> bool:
        """Whether nothing else stands at that address."""
        held = self.rows.get(row.address)
        return held is None or held.text.replace(_REUSE, "") == row.text.replace(_REUSE, "")

    def add(self, row: Row, doubtful: bool = False) -> None:
        """Take in a row."""
        (self.doubtful if doubtful else self.rows).setdefault(row.address, row)

    def end(self, address: int) -> None:
        """Note that the function, or a part of it, ends with the instruction at an address."""
        self.ended = max(self.ended, address)

    def lines(self) -> list[Row]:
        """Return the rows in the order of their addresses."""
        sure = {**self.doubtful, **self.rows}
        return [sure[address] for address in sorted(sure)]


class Read(NamedTuple):
    """A function that was read: what it is called, its MMAs (None: it has none), lines that were not understood."""

    name: str | None
    of: Function | None


def functions(text: bytes, first: int, arch: str | None) -> Iterator[Read]:
    """Yield the functions of a text whose first line has the number ``first``; one that is there twice once."""
    from smemdesc.scan.sass import cuda_gdb, ncu

    decoded = text.decode("utf-8", "replace").replace("\r", "")
    seen = set()
    both = [*cuda_gdb.read(decoded, first), *ncu.read(decoded, first)]
    for printed in sorted(both, key=lambda each: each.line):
        rows = printed.lines()
        if not any(_BEGINS.match(row.text) for row in rows):
            continue
        base = rows[0].address if printed.base is None else printed.base
        near = _nearness(rows)
        listed = [_line(row, base, rows[-1].address, bool(near)) for row in rows]
        told = _lacking(printed, rows, base) or ((1, _UNSURE) if near is None else None)
        key = (printed.name, told and told[1], *listed)
        if key in seen:
            continue
        seen.add(key)
        yield Read(printed.name, _analysed(printed, rows, listed, told, arch))


def _analysed(
    printed: Printed, rows: list[Row], listed: list[str], told: tuple[int, str] | None, arch: str | None
) -> Function | None:
    if not any(mark in row.text for row in rows for mark in _MARKS):
        return None
    of = analyse("\n".join(listed).encode("utf-8", "replace"), 1, printed.name or "", arch, told)
    if of is None:
        return None
    of = relined(of, printed.line, lambda line, shown: (rows[line - 1].line, shown))
    return of._replace(name=printed.name)


def _line(row: Row, base: int, last: int, near: bool) -> str:
    """Return an instruction as cuobjdump writes it, with the targets of branches from the start of the function."""
    text = row.text
    goes = _target(text)
    if goes is not None:
        goes += row.address if near else 0
        text = _going(text, goes - base if base <= goes <= last else goes + _FAR)
    return f"        /*{row.address - base:04x}*/                   {text} ;"


def _nearness(rows: list[Row]) -> bool | None:
    """Whether branches say how far they go, not to which address; None: that is not known.

    Of code that is not loaded (at a low address) the jump to itself tells that ends every function.
    """
    if rows[0].address >= _FAR or all(_target(row.text) is None for row in rows):
        return False
    ends = next((row for row in reversed(rows) if row.text != "NOP"), rows[0])
    goes = _target(ends.text)
    return goes == 0 if ends.text.startswith("BRA ") and ends.address and goes in (0, ends.address) else None


def _lacking(printed: Printed, rows: list[Row], base: int) -> tuple[int, str] | None:
    """Return what of the function is not in the text: the number of a row, counted from 1, and words; None: nothing."""
    if not printed.begins and (base % _ALIGNED or not _STACK.match(rows[0].text)):
        return 1, f"{_MISSING} before the first"
    expected = base
    for number, row in enumerate(rows, 1):
        if row.address != expected:
            return number, f"{_MISSING} from +{expected - base:#x} to +{row.address - base:#x}"
        expected = row.address + SIZE
    for number, row in enumerate(rows, 1):
        if row.address not in printed.rows:
            return number, f"it may go on in the next line: {row.text}"
    if printed.ended == rows[-1].address or (not (expected - base) % _ALIGNED and _closes(rows[-1])):
        return None
    return len(rows), f"{_MISSING} behind +{rows[-1].address - base:#x}"


_MISSING = "instructions are missing"
_UNSURE = "whether branches say an address or a distance is not known"


def _closes(row: Row) -> bool:
    """Whether a row is what functions are filled up with, or the jump to itself before that."""
    if row.text == "NOP":
        return True
    return row.text.startswith("BRA ") and _target(row.text) in (row.address, 0)
