"""SASS of loaded kernels, as cuda-gdb and Nsight Compute print it: by address, without semicolons.

All rows of a function, wherever in the text, are collected by address and passed to the front end in the form of a
disassembly. If a part of the function is missing, nothing is known about its descriptors: the missing code may jump to
any line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from smemdesc.scanning.languages.sass import cuda_gdb, ncu
from smemdesc.scanning.languages.sass.listing import MissingPart
from smemdesc.scanning.languages.sass.listing_rows import (
    FAR_ADDRESS,
    INSTRUCTION,
    Listed,
    ListingRow,
    Printed,
    cuobjdump_text,
    going,
    target,
)
from smemdesc.scanning.languages.sass.text import ALIGNED, gaps, padded

_BEGINS = re.compile(INSTRUCTION)
_LISTING = re.compile(
    rf"""(?mx) 0x (?:
      [0-9a-f]{{1,16}}
        (?: [ \t]+ <(?:[^\t\n0]|0(?!x[0-9a-f]+[ \t]+<))*> : [ \t]+ (?:(?:[0-9a-f]{{2}}[ \t]){{8,16}})? {INSTRUCTION}
          | : [ \t]+ [HQIB]GMMA | : [ \t]+ UTC[A-Z] )
    | [0-9a-f]{{6,16}} (?: [ ]{{2,}} {INSTRUCTION} (?:[^\n0]|0(?!x[0-9a-f]))* [ ] [\d-] | "," [ ]* {INSTRUCTION} )
    )""".encode()
)
_FIRST = (b">:", b"GMMA", b"UTC", b'"Address"', b"Address  ")
"""Every such line contains one of these: searching for them is far faster."""
_STACK = re.compile(r"(?:LDC|MOV) R1, c\[0x0\]\[")
"""The first instruction of a kernel: it loads the stack pointer from constant memory."""


def is_listing(text: bytes) -> bool:
    """Whether a text without a function header has lines as cuda-gdb or Nsight Compute print them."""
    return any(mark in text for mark in _FIRST) and _LISTING.search(text) is not None


def live_functions(text: bytes, first: int) -> Iterator[Listed]:
    """Yield the functions of a text whose first line has the number ``first``, without duplicates."""
    decoded = text.decode("utf-8", "replace").replace("\r", "").removesuffix("\n") + "\n"  # the last row has an end
    seen = set()
    both = [*cuda_gdb.read_cuda_gdb(decoded, first), *ncu.read_ncu(decoded, first)]
    for printed in sorted(both, key=lambda printed: printed.line):
        rows = printed.lines()
        if not any(_BEGINS.match(row.text) for row in rows):
            continue
        base = rows[0].address if printed.base is None else printed.base
        near = _nearness(rows)
        listing = tuple(_line(row, base, rows[-1].address, bool(near)) for row in rows)
        gap = _missing_part(printed, rows, base)
        if near is None:
            gap = gap._replace(gap=False) if gap else MissingPart(1, _UNSURE)
        key = (printed.name, gap and gap.words, hash(listing))
        if key not in seen:
            seen.add(key)
            lines, sources = tuple(row.line for row in rows), tuple(row.source for row in rows)
            yield Listed(printed.name, printed.line, listing, lines, gap, sources=sources)


def is_excerpt(functions: Sequence[Listed]) -> bool:
    """Whether functions are a few rows of CSV that somebody cut out, without a name: to be read as any pasted text."""
    return all(function.name is None and function.missing_part is not None for function in functions)


def _line(row: ListingRow, base: int, last: int, near: bool) -> str:
    """Return an instruction as cuobjdump writes it, with the targets of branches from the start of the function."""
    text = row.text
    goes = target(text)
    if goes is not None:
        goes += row.address if near else 0
        text = going(text, goes - base if base <= goes <= last else goes + FAR_ADDRESS)
    return cuobjdump_text(row.address - base, text)


def _nearness(rows: list[ListingRow]) -> bool | None:
    """Whether branches are printed with distances instead of addresses; None if unknown.

    In case of doubt, the jump to itself at the end of every function decides.
    """
    ends = next((row for row in reversed(rows) if row.text != "NOP"), rows[0])
    goes = target(ends.text) if ends.text.startswith("BRA ") else None
    if rows[0].address >= FAR_ADDRESS:
        # Distances have already been converted to addresses.
        return False if goes == ends.address or not any(row.near for row in rows) else None
    if all(target(row.text) is None for row in rows):
        return False
    return goes == 0 if ends.address and goes in (0, ends.address) else None


def _missing_part(printed: Printed, rows: list[ListingRow], base: int) -> MissingPart | None:
    """Return the missing part of a function: the number of a row, from 1, and a message; None if complete."""
    broken = next((number for number, row in enumerate(rows, 1) if row.address not in printed.rows), 0)
    if not printed.begins and (base % ALIGNED or not _STACK.match(rows[0].text)):
        return MissingPart(1, f"{_MISSING} before the first", not broken)
    for number, expected, at in gaps((row.address - base for row in rows), 0):
        return MissingPart(number + 1, f"{_MISSING} from +{expected:#x} to +{at:#x}", not broken)
    if broken:
        return MissingPart(broken, f"it may continue on the next line: {rows[broken - 1].text}")
    if printed.ended == rows[-1].address or (padded(rows[-1].address - base) and _closes(rows[-1])):
        return None
    return MissingPart(len(rows), f"{_MISSING} after +{rows[-1].address - base:#x}", True)


_MISSING = "instructions are missing"
_UNSURE = "branch targets may be addresses or distances"


def _closes(row: ListingRow) -> bool:
    """Whether a row is padding at the end of a function, or the jump to itself before that."""
    return row.text == "NOP" or (row.text.startswith("BRA ") and target(row.text) in (row.address, 0))
