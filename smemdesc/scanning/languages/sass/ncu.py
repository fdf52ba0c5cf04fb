"""The source page of Nsight Compute: ``ncu --page source --print-source sass`` (or ``cuda,sass``), as text or CSV."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from smemdesc.scanning.languages.sass.listing_rows import INSTRUCTION, Printed, row

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
        self.of: Printed | None = None
        self.row: tuple[int, int, str] | None = None
        """A row that may continue on the next line: line, address, text."""
        self.name: str | None = None
        """A name that may continue on the next line."""

    def put(self, number: int, address: int, text: str, source: tuple[str, int] | None = None) -> Printed | None:
        """Add a row; return the previous function, if this row begins another."""
        before = None
        listing_row = row(number, address, text)._replace(source=source)
        if self.of is None or not self.of.fits(listing_row):
            before, self.of = self.of, Printed(None, number)
        self.of.add(listing_row)
        return before

    def close(self) -> Printed | None:
        """Add the pending row."""
        row, self.row = self.row, None
        return None if row is None else self.put(*row)

    def begin(self, name: str, number: int, whole: bool) -> Printed | None:
        """Begin a function; ``whole``: its first row is its first instruction. Return the previous function."""
        before, self.of = self.of, Printed(name, number)
        self.of.begins = whole
        return before


def read(text: str, first: int) -> Iterator[Printed]:
    """Yield the functions of a text."""
    reader = _NcuReader()
    functions: list[Printed | None] = []
    for number, line in enumerate(text.split("\n"), first):
        if '"' in line and (fields := _FIELD.search(line)):
            source = (fields[3], int(fields[4])) if fields[3] else None
            functions += (reader.close(), reader.put(number, int(fields[1], 16), fields[2].rstrip(" "), source))
        elif '"' in line and (named := _NAMED.match(line)):
            functions += (reader.close(), reader.begin(named[2], number, named[1] == "Kernel"))
        elif "Function Name: " in line and (function := _FUNCTION.match(line)):
            functions += (reader.close(), reader.begin(function[1].rstrip(), number, False))
        elif rule := _RULE.match(line):
            functions.append(reader.close())
            if reader.name is not None and reader.of is not None:
                reader.of.name, reader.name = reader.name.strip(), None
            reader.columns = _Columns(rule.start(2), rule.end(2))
        elif reader.columns is not None:
            functions += _row(reader, number, line, reader.columns)
    functions += (reader.close(), reader.of)
    yield from (function for function in functions if function is not None)


def _row(reader: _NcuReader, number: int, line: str, columns: _Columns) -> Iterator[Printed | None]:
    before, source = line[: columns.start], columns.source(line)
    address = _ADDRESS.match(before)
    if line.startswith(_KERNEL):
        yield reader.close()
        yield reader.begin("", number, True)
        reader.name = source[:_WRAPPED].ljust(_WRAPPED)
    elif address:
        yield reader.close()
        if line[columns.end : columns.end + 1].strip():
            return  # not the columns of the heading
        reader.row = (number, int(address[1], 16), source.ljust(columns.end - columns.start))
    elif not before.strip() and source.strip():
        if reader.name is not None and len(reader.name) < _LONGEST:
            reader.name += source[:_WRAPPED].ljust(_WRAPPED)
        elif reader.name is None and reader.row is not None and len(reader.row[2]) < _LONGEST:
            *place, text = reader.row
            reader.row = (*place, text + source.ljust(columns.end - columns.start))  # type: ignore[assignment]
    else:
        yield reader.close()
