"""Rows of what cuda-gdb and Nsight Compute print, an instruction each, and functions that are put together of them."""

from __future__ import annotations

import re
from typing import NamedTuple

from smemdesc.scanning.sass.branches import BRANCHES

INSTRUCTION = r"(?:@!?U?P[T0-9][ \t]++)?[A-Z][A-Z0-9_]*+(?:\.\w++)*+(?=[ \t;\"]|$)"
"""How an instruction begins."""
FAR = 1 << 32
"""Loaded code is at higher addresses, and no branch goes farther."""
_TARGET = re.compile(r"(?<![^ ,])(-?)0x([0-9a-f]{1,16})$")
_ELSE = ("BPT", "BRX", "BRXU", "JMX", "JMXU")
"""Those in which the last number is something else."""
_COMMA = re.compile(r"(?<![ \t])[ \t]*+,[ \t]*+")
_BLANKS = re.compile(r"[ \t]+")
_REUSE = ".reuse"
"""Not everywhere printed; it changes no result."""


class Row(NamedTuple):
    """An instruction: the number of its line, its address and its text, written as nvdisasm does."""

    line: int
    address: int
    text: str
    near: bool = False
    """Whether it is a branch that said how far it goes."""


def row(line: int, address: int, text: str) -> Row:
    """Return an instruction from its text as it is printed, with the address that a branch goes to.

    Out of the memory of a device cuda-gdb prints how far that is from the branch.
    """
    text = _BLANKS.sub(" ", _COMMA.sub(", ", text.partition("//")[0].strip().rstrip("; ")))
    if address >= FAR and (goes := target(text)) is not None and abs(goes) < FAR // 2:
        return Row(line, address, going(text, address + goes), True)
    return Row(line, address, text)


def target(text: str) -> int | None:
    """Return the number that says where a branch goes; None where an instruction has none."""
    name = (*text.split(" "), "")[text.startswith("@")]
    base = name.partition(".")[0]
    if base not in BRANCHES or base in _ELSE or (base == "WARPSYNC" and ".COLLECTIVE" not in name):
        return None
    found = _TARGET.search(text)
    return None if found is None else int(found[1] + found[2], 16)


def going(text: str, to: int) -> str:
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
        """Note that the function, or a divisor of it, ends with the instruction at an address."""
        self.ended = max(self.ended, address)

    def lines(self) -> list[Row]:
        """Return the rows in the order of their addresses."""
        sure = {**self.doubtful, **self.rows}
        return [sure[address] for address in sorted(sure)]
