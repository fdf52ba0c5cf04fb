"""SASS functions that are not in the form of a disassembly: the rows that cuda-gdb and Nsight Compute print, one
instruction each, the functions collected from them, and the form that the front end reads."""

from __future__ import annotations

import re
from typing import NamedTuple

from smemdesc.scanning.languages.sass.branches import BRANCHES, COMPUTED
from smemdesc.scanning.languages.sass.front import analyse
from smemdesc.scanning.languages.sass.listing import MissingPart
from smemdesc.scanning.languages.sass.pasted_listing import without_remark
from smemdesc.scanning.model import Function, with_lines
from smemdesc.scanning.model.shared_memory import GivenMaps

INSTRUCTION = r"(?:@!?U?P[T0-9][ \t]++)?(?:__)?+[A-Z][A-Z0-9_]*+(?:\.\w++)*+(?=[ \t;\"]|$)"
"""The beginning of an instruction."""
FAR_ADDRESS = 1 << 32
"""Loaded code is at higher addresses, and every branch distance is smaller."""
_TARGET = re.compile(r"(?<![^ ,])(-?)0x([0-9a-f]{1,16})$")
_COMMA = re.compile(r"(?<![ \t])[ \t]*+,[ \t]*+")
_BLANKS = re.compile(r"[ \t]+")
_LABEL = re.compile(r"`\(\.[\w.$]++\) (?=0x)")
_BARRIER = re.compile(r"(?<=\w)\.(?=gsb\d$)")
"""What sass_by_pc of ncu-report 2026.3 prints otherwise: a label before its address, and gsb0 as a suffix."""
_REUSE = ".reuse"
"""Not printed by every tool; it does not change results."""


TENSOR_CORE_MARKS = ("GMMA", "UTC")
"""The name of every tensor-core instruction contains one of these."""


def cuobjdump_text(address: int, text: str) -> str:
    """Return an instruction as cuobjdump writes it."""
    return f"        /*{address:04x}*/                   {text} ;"


class Listed(NamedTuple):
    """A function in the form of a disassembly."""

    name: str | None
    line: int
    """The line of the text at which it begins."""
    instructions: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    """The line of the text of each."""
    missing_part: MissingPart | None = None
    """Why nothing is known about its descriptors; its line is the number of an instruction, from 1."""
    addressed: bool = False
    """Whether lines are shown with their addresses, since the text may be a single line."""
    read: bool = True
    """Whether it could be read."""
    sources: tuple[tuple[str, int] | None, ...] = ()
    """The source line of each instruction; empty if unknown."""

    def analysed(self, arch: str | None, maps: GivenMaps = ()) -> list[Function]:
        """Return the function with its MMAs; empty if it has none. ``maps``: those of its parameters."""
        if not any(mark in instruction for instruction in self.instructions for mark in TENSOR_CORE_MARKS):
            return []
        text = "\n".join(self.instructions).encode("utf-8", "replace")
        function = analyse(text, 1, self.name or "", arch, self.missing_part, maps=maps)
        if function is None:
            return []
        if self.sources:
            mmas = tuple(mma._replace(source=self.sources[mma.line - 1]) for mma in function.mmas)
            function = function._replace(mmas=mmas)
        return [with_lines(function, self.line, self._place)._replace(name=self.name)]

    def _place(self, number: int, shown: str) -> tuple[int, str]:
        address = self.instructions[number - 1].split(None, 1)[0]
        return self.lines[number - 1], f"{shown} {address}" if self.addressed else shown


class ListingRow(NamedTuple):
    """An instruction: the number of its line, its address and its text, written as nvdisasm does."""

    line: int
    address: int
    text: str
    near: bool = False
    """Whether it is a branch that was printed with its distance."""
    source: tuple[str, int] | None = None
    """The file and line from which it was compiled, if known."""


def listing_row(line: int, address: int, text: str) -> ListingRow:
    """Return an instruction from its printed text, with a branch's distance replaced by its target address.

    For code in device memory, cuda-gdb prints the distance from the branch.
    """
    text = without_remark(text.partition("//")[0].partition(";")[0].strip())
    text = _BARRIER.sub(", ", _LABEL.sub("", _BLANKS.sub(" ", _COMMA.sub(", ", text))))
    if address >= FAR_ADDRESS and (goes := target(text)) is not None and abs(goes) < FAR_ADDRESS // 2:
        return ListingRow(line, address, going(text, address + goes), True)
    return ListingRow(line, address, text)


def target(text: str) -> int | None:
    """Return the number that is the target of a branch; None for other instructions."""
    name = (*text.split(" "), "")[text.startswith("@")]
    base = name.partition(".")[0]
    if base not in BRANCHES or base in COMPUTED or base == "BPT" or (base == "WARPSYNC" and ".COLLECTIVE" not in name):
        return None
    match = _TARGET.search(text)
    return None if match is None else int(match[1] + match[2], 16)


def going(text: str, to: int) -> str:
    """Return a branch with another target."""
    return _TARGET.sub(f"{to:#x}", text)


class Printed:
    """The rows of a function in a text."""

    def __init__(self, name: str | None, line: int, base: int | None = None) -> None:
        self.name = name
        self.line = line
        self.base = base
        """The address of the function; None: not printed, it is the first row's, or unknown."""
        self.begins = base is not None
        """Whether the beginning of the function is known to be in the text."""
        self.ended = -1
        """The address of the last instruction of the function, if the text marks it; -1 otherwise."""
        self.rows: dict[int, ListingRow] = {}
        self.doubtful: dict[int, ListingRow] = {}
        """Rows that may continue on the next line."""

    def fits(self, row: ListingRow) -> bool:
        """Whether no other instruction is at that address."""
        known_row = self.rows.get(row.address)
        return known_row is None or known_row.text.replace(_REUSE, "") == row.text.replace(_REUSE, "")

    def add(self, row: ListingRow, doubtful: bool = False) -> None:
        """Add a row."""
        (self.doubtful if doubtful else self.rows).setdefault(row.address, row)

    def end(self, address: int) -> None:
        """Note that the function, or a part of it, ends with the instruction at an address."""
        self.ended = max(self.ended, address)

    def lines(self) -> list[ListingRow]:
        """Return the rows in the order of their addresses."""
        sure = {**self.doubtful, **self.rows}
        return [sure[address] for address in sorted(sure)]
