"""The values of a batch: lines in order, each with its values or its error; nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.memory import begins_tensor_map, is_part_of_tensor_map, is_row, tensor_map
from smemdesc.kinds.pasted import values
from smemdesc.kinds.text import Literal, without_encodings


class Line(NamedTuple):
    """One line of a batch, or one argument of a command line, and its place."""

    text: str
    where: str = ""


class Item(NamedTuple):
    """A value of a batch, or the error of a line; ``line`` is where it began."""

    line: Line
    literal: Literal | None
    problem: SmemdescError | None = None


def read(lines: Iterable[Line], arch: str | None = None) -> Iterator[Item]:
    """Yield the values of lines.

    Two lines with the words of neighboring registers, or printed in turn by a debugger, are one descriptor if the
    words form one (:func:`smemdesc.descriptors.near_misses.join_registers`).
    """
    low: Item | None = None
    for line in _maps(_values_only(lines)):
        for item in _of_line(line):
            if low is not None:
                both = _join(low, item, arch)
                if both is not None:
                    low = None
                    yield both
                    continue
                yield low
                low = None
            if item.literal is not None and item.literal.register:
                low = item
            else:
                yield item
    if low is not None:
        yield low


def _maps(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines; rows of memory that are the 128 bytes of a tensor map as one."""
    rows: list[Line] = []
    for line in lines:
        if rows and len(rows) < _MOST_ROWS and is_row(line.text):
            rows.append(line)
            whole = _map_of(rows)
            if whole is not None:
                yield whole
                rows.clear()
            continue
        yield from _no_map(rows)
        rows.clear()
        array = line.text.rstrip().endswith("[128] = {")
        if array or (len(line.text) >= _SHORTEST_ROW and begins_tensor_map(line.text)):
            rows.append(line)
        else:
            yield line
    yield from _no_map(rows)


def _no_map(rows: Sequence[Line]) -> Iterable[Line]:
    """Return rows that are not a tensor map: as one line with the reason, if they are meant as one."""
    text = "\n".join(row.text for row in rows)
    return [Line(text, rows[0].where)] if rows and is_part_of_tensor_map(text) else rows


_SHORTEST_ROW = 32
"""Characters of a row of 16 bytes; most lines of a stream are shorter."""
_MOST_ROWS = 9
"""Lines of 16 bytes, and the line above an array."""


def _map_of(rows: Sequence[Line]) -> Line | None:
    text = "\n".join(row.text for row in rows)
    try:
        return Line(text, rows[0].where) if tensor_map(text) else None
    except SmemdescError:
        return None  # not all of it yet, or of something else


def _of_line(line: Line) -> Iterator[Item]:
    try:
        found = values(line.text)
    except SmemdescError as problem:
        yield Item(line, None, problem)
        return
    for literal in found:
        yield Item(line, literal)


def _join(first: Item, second: Item, arch: str | None) -> Item | None:
    if first.literal is None or second.literal is None or not second.literal.register:
        return None
    from smemdesc.descriptors.near_misses import join_registers

    joined = join_registers(first.literal, second.literal, arch)
    return None if joined is None else Item(first.line, joined)


def _values_only(lines: Iterable[Line]) -> Iterator[Line]:
    """Pass over what is written below a value: fields by CUTLASS's ``print``, the rest of an instruction's encoding."""
    printed = below = False
    for line in lines:
        # Most lines of a stream name no descriptor, and none begins with a comment.
        named = "esc" in line.text and re.fullmatch(_PRINTED, line.text) is not None
        if printed and not named and re.fullmatch(_PRINTED_FIELD, line.text):
            continue
        if below and line.text.startswith("/*") and not without_encodings(line.text).strip():
            continue
        printed, below = named, True
        yield line


_PRINTED = r"\w*(?:Descriptor|desc)_?\s*[:=]\s*0x[0-9a-fA-F]{1,16}"
_PRINTED_FIELD = (
    r"(?:start_addr|leading_off|stride_off|base_offset|layout_type|version|lbo_mode|[abc]_format|[ab]_major"
    r"|[ab]_negate|[mnk]_(?:dim|size)|sparse_\w+|max_shift|saturate|scale_format|[ab]_sf_id)\s*:.*"
)
