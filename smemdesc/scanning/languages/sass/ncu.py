"""The source page of Nsight Compute: ``ncu --page source --print-source sass`` (or ``cuda,sass``), as text or CSV."""

from __future__ import annotations

import re
from typing import NamedTuple

from smemdesc.scanning.languages.sass.listing_rows import INSTRUCTION, Printed, listing_row

_FIELD = re.compile(rf'(?:^|,)"0x([0-9a-f]{{6,16}})","[ ]*({INSTRUCTION}.*?)"(?:,"([^"]+):(\d{{1,9}})"(?!,)|,"|,?\s*$)')
"""An address, an instruction and, in the text of a report, its source line."""
_NAMED = re.compile(r'"(Kernel|Function) Name","(.*?)",?\s*$')
_FUNCTION = re.compile(r"Function Name: (.*)$")
_RULE = re.compile(r"(-{8,1000}) (-{8,1000}) -")
"""The rule above and below a heading: its runs are as wide as the columns."""
_LONGEST = 100_000
"""The most characters of a name, or of an instruction, joined from several lines."""
_KERNEL = "Kernel Name "
_ADDRESS = re.compile(r"[ ]*0x([0-9a-f]{6,16})[ ]*$")
_WRAPPED = 60
"""The width at which long text is broken, at any character."""


class _Columns(NamedTuple):
    """The end of the Address column and the span of the Source column."""

    start: int
    end: int

    def source(self, line: str) -> str:
        return line[self.start : self.end]


class _NcuReader:
    """Reads line by line."""

    def __init__(self) -> None:
        self.columns: _Columns | None = None
        self.functions: list[Printed] = []
        self.row: tuple[int, int, str] | None = None
        """A row that may continue on the next line: line, address, text."""
        self.name: str | None = None
        """A name that may continue on the next line."""

    def put(self, number: int, address: int, text: str, source: tuple[str, int] | None = None) -> None:
        """Add a row, which may begin another function."""
        row = listing_row(number, address, text)._replace(source=source)
        if not self.functions or not self.functions[-1].fits(row):
            self.functions.append(Printed(None, number))
        self.functions[-1].add(row)

    def close(self) -> None:
        """Add the pending row."""
        row, self.row = self.row, None
        if row is not None:
            self.put(*row)

    def begin(self, name: str, number: int, whole: bool) -> None:
        """Begin a function; ``whole``: its first row is its first instruction."""
        self.close()
        self.functions.append(Printed(name, number))
        self.functions[-1].begins = whole


def read_ncu(text: str, first: int) -> list[Printed]:
    """Return the functions of a text."""
    reader = _NcuReader()
    for number, line in enumerate(text.split("\n"), first):
        if '"' in line and (fields := _FIELD.search(line)):
            reader.close()
            source = (fields[3], int(fields[4])) if fields[3] else None
            reader.put(number, int(fields[1], 16), fields[2].rstrip(" "), source)
        elif '"' in line and (named := _NAMED.match(line)):
            reader.begin(named[2], number, named[1] == "Kernel")
        elif "Function Name: " in line and (function := _FUNCTION.match(line)):
            reader.begin(function[1].rstrip(), number, False)
        elif rule := _RULE.match(line):
            reader.close()
            if reader.name is not None:
                reader.functions[-1].name, reader.name = reader.name.strip(), None
            reader.columns = _Columns(rule.start(2), rule.end(2))
        elif reader.columns is not None:
            _row(reader, number, line, reader.columns)
    reader.close()
    return reader.functions


def _row(reader: _NcuReader, number: int, line: str, columns: _Columns) -> None:
    before, source = line[: columns.start], columns.source(line)
    address = _ADDRESS.match(before)
    if line.startswith(_KERNEL):
        reader.begin("", number, True)
        reader.name = source[:_WRAPPED].ljust(_WRAPPED)
    elif address:
        reader.close()
        if not line[columns.end : columns.end + 1].strip():  # else not the columns of the heading
            reader.row = (number, int(address[1], 16), source.ljust(columns.end - columns.start))
    elif not before.strip() and source.strip():
        if reader.name is not None and len(reader.name) < _LONGEST:
            reader.name += source[:_WRAPPED].ljust(_WRAPPED)
        elif reader.name is None and reader.row is not None and len(reader.row[2]) < _LONGEST:
            *place, text = reader.row
            reader.row = (*place, text + source.ljust(columns.end - columns.start))  # type: ignore[assignment]
    else:
        reader.close()
