"""The output of cuda-gdb's ``disassemble`` (with /m, /r, /s and /b) and ``x/20i``, in a log with other text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.scanning.languages.sass.listing_rows import ListingRow, Printed, listing_row
from smemdesc.scanning.languages.sass.text import INSTRUCTION_BYTES

_PROMPT = r"(?:\(cuda-gdb\) )*"
_ROW = re.compile(
    rf"{_PROMPT}[ \t]*+(?:[=*]++>[ \t]*+)?+0x([0-9a-f]{{1,16}})"
    r"(?:[ \t]++<([^\t]*?)(?:\+(\d{1,12}))?>)?:[ \t]++(?:(?:[0-9a-f]{2}[ \t]++){8,16}+)?+(\S.*)$"
)
_FRAME = re.compile(rf"{_PROMPT}Dump of assembler code (?:for function (.+)|from .*):[ \t]*$")
_END = "End of assembler dump."
_BESIDE = re.compile(r"\s*$|\d+(?:-\d+)?\t|\d+\tin |\S.*:$|\(cuda-gdb\)|>>> |\[")
"""What may follow a row without being part of it: nothing, source lines, the next command."""


_UNFINISHED = re.compile(r"(?:,|\[[^\[\]]*+)[ \t]*+$")
"""A line that ends within its operands: a terminal broke it."""
_LONGEST = 10
"""The most lines of one instruction."""


class _SymbolRow(NamedTuple):
    """A row, the symbol that contains it, if named, and whether it may continue on the next line."""

    row: ListingRow
    symbol: str | None
    base: int | None
    doubtful: bool


class _CudaGdbReader:
    """Collects the rows of each function."""

    def __init__(self) -> None:
        self.functions: dict[tuple[str | None, int | None], Printed] = {}
        self.passed: list[Printed] = []
        """Functions at whose addresses other code was found: from another run."""
        self.last: tuple[Printed, ListingRow] | None = None

    def put(self, parsed: _SymbolRow, name: str | None, base: int | None, line: int) -> None:
        """Add a row of the function that begins at ``base``; ``line``: where that is first seen."""
        function = self.functions.get((name, base))
        if function is not None and not function.fits(parsed.row):
            self.passed.append(self.functions.pop((name, base)))
            function = None
        if function is None:
            function = self.functions[name, base] = Printed(name, line, base)
        if (
            self.last is not None
            and self.last[0] is not function
            and self.last[1].address + INSTRUCTION_BYTES == parsed.row.address
        ):
            self.last[0].end(self.last[1].address)  # the next function begins here
        function.add(parsed.row, parsed.doubtful)
        self.last = function, parsed.row

    def framed(self, name: str, line: int, rows: list[_SymbolRow], ended: bool) -> None:
        """Add the listing of a function, which may contain others that only it calls."""
        bases = [parsed.base for parsed in rows if parsed.base is not None]
        self.last = None
        for parsed in rows:
            self.put(parsed, name, min(bases, default=None), line)
        if ended and self.last is not None:
            self.last[0].end(max(parsed.row.address for parsed in rows))
        self.last = None


def read_cuda_gdb(text: str, first: int) -> Iterator[Printed]:
    """Yield the functions of a text, each with all its rows."""
    reader = _CudaGdbReader()
    lines = text.split("\n")
    frame: tuple[str, int, list[_SymbolRow]] | None = None
    for index, line in enumerate(lines):
        number = first + index
        parsed = _parse_row(lines, index, number)
        if parsed is not None:
            if frame is not None:
                frame[2].append(parsed)
            else:
                reader.put(parsed, parsed.symbol, parsed.base, number)
        elif _END in line:
            if frame is not None:
                reader.framed(*frame, True)
            frame, reader.last = None, None
        elif frame_line := _FRAME.match(line):
            if frame is not None:
                reader.framed(*frame, False)
            frame, reader.last = (frame_line[1], number, []) if frame_line[1] else None, None
    if frame is not None:
        reader.framed(*frame, False)
    yield from (*reader.passed, *reader.functions.values())


def _parse_row(lines: list[str], index: int, number: int) -> _SymbolRow | None:
    match = _ROW.match(lines[index]) if "0x" in lines[index] else None
    if match is None:
        return None
    address, symbol, offset, code = match.groups()
    at = int(address, 16)
    base = None if symbol is None else at - int(offset or 0)
    after = index + 1
    while _UNFINISHED.search(code) and after < min(len(lines), index + _LONGEST) and not _is_beside(lines[after]):
        code = f"{code.rstrip()} {lines[after].strip()}"
        after += 1
    beside = after < len(lines) and _is_beside(lines[after])
    return _SymbolRow(listing_row(number, at, code), symbol or None, base, not beside)


def _is_beside(line: str) -> bool:
    return bool(_BESIDE.match(line) or _END in line or _ROW.match(line) or _FRAME.match(line))
