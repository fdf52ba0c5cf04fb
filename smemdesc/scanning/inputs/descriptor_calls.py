"""Descriptors that C++, Rust and Python sources make: of expressions and statements, and by calls of known libraries.

What is known of the values is found by :mod:`smemdesc.reading.source_values`; here is decided which of them are listed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterator
from functools import lru_cache
from typing import NamedTuple

from smemdesc.descriptors.ranking import rank
from smemdesc.descriptors.readings import WHOLE, DescriptorReading
from smemdesc.engine.fields import ones
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.names import SMEM_KINDS
from smemdesc.reading.naming import DESCRIPTOR, INSTRUCTION
from smemdesc.reading.source_records import MadeDescriptor, SourceReading
from smemdesc.reading.source_values import undefined_shift
from smemdesc.reading.text import parse_value, to_hex
from smemdesc.scanning.inputs.literals import reading_of
from smemdesc.scanning.model import OF_LIBRARY, TextValue, Unread, ValueReading


class TextLines:
    """The numbers of the lines of a text, by offset; ``first`` is that of its first line."""

    def __init__(self, text: bytes, first: int) -> None:
        self._ends = [match.start() for match in re.finditer(rb"\n", text)]
        self._first = first

    def at(self, place: int) -> tuple[int, int]:
        """Return the number of the line that an offset is in, and the column, from 1."""
        before = bisect_left(self._ends, place)
        return self._first + before, place - (self._ends[before - 1] if before else -1)


class SourceParts(NamedTuple):
    """What a source makes."""

    values: tuple[TextValue, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    """The statements that make them, in which no number is a value of its own."""
    instructions: tuple[Unread, ...] = ()
    """MMAs of a library."""
    unevaluated: tuple[int, ...] = ()
    """Lines with a descriptor of which too little is known to list it."""
    undefined: tuple[tuple[int, str], ...] = ()
    """Lines with a descriptor that is made by a shift that is undefined, and what is wrong with it."""


def parts_made(
    source: SourceReading,
    text: bytes,
    first: int,
    between: tuple[int, int],
    arch: str | None,
    read: Container[int] = (),
) -> SourceParts:
    """Return what a source makes between two offsets of its text, as far as known.

    ``first`` is the number of its first line; ``read`` has the offsets of the statements of inline assembly whose
    instructions are judged: what sets an operand of theirs is judged there.
    """
    operands = {operand.place for start, several in source.operands.items() if start in read for operand in several}
    lines = TextLines(text, first)
    values: list[TextValue] = []
    spans: list[tuple[int, int]] = []
    unknown: list[int] = []
    undefined: list[tuple[int, str]] = []
    for made in source.values:
        if not between[0] <= made.start < between[1]:
            continue
        shift = made.overflow if made.meaning else None
        if shift is not None:
            problem, better = undefined_shift(text[slice(*shift)].decode("latin-1"))
            undefined.append((lines.at(shift[0])[0], f"{problem}; write {better}"))
        if shift is not None or any(start in operands for start, _ in made.spans):
            spans += _of_value(made, text)
        elif readings := _readings(made, arch):
            spans += _of_value(made, text)
            values.append(_listed(lines.at(made.start), made, readings))
        elif (
            made.meaning
            and made.known != ones(made.width)
            and (_CALL if not made.known else _SHIFTED).search(made.text)
        ):
            unknown.append(lines.at(made.start)[0])
    seen = tuple(
        Unread(lines.at(start)[0], text[start:end].decode("latin-1"), OF_LIBRARY)
        for start, end in source.instructions
        if between[0] <= start < between[1]
    )
    return SourceParts(tuple(values), tuple(spans), seen, tuple(dict.fromkeys(unknown)), tuple(undefined))


_CALL = re.compile(r"(?i)\b(?=\w*?desc)\w++(?:::\w++)*+\s*+[(<\[!]")
"""A call that makes a descriptor, by its name."""
_SHIFTED = re.compile(r"<<\s*\(?(?:16|32|46|49|52|61|62)\b")
"""A shift to the place of a field."""


def _of_value(made: MadeDescriptor, text: bytes) -> Iterator[tuple[int, int]]:
    """Yield the statements that make a value; that of its number from its line on: what stands in lines before may be
    other text, which nothing ends."""
    line = text.rfind(b"\n", 0, made.start) + 1
    for start, end in made.spans:
        yield (line if start < line < end else start), end


def _listed(place: tuple[int, int], made: MadeDescriptor, readings: tuple[ValueReading, ...]) -> TextValue:
    is_named = made.meaning in (DESCRIPTOR, INSTRUCTION)
    return TextValue(*place, made.text, readings, made.bits, made.width, made.known, named=is_named)


def _readings(made: MadeDescriptor, arch: str | None) -> tuple[ValueReading, ...]:
    """Return what a value is read as; none where too little of it is known, or the reader of numbers lists it."""
    if not made.text or not made.bits:
        return ()
    if made.table:
        candidates = [DescriptorReading(kind_of(made.table, None, arch), WHOLE, made.bits, made.known)]
        settled = _is_telling(candidates[0])
        return (reading_of(candidates[0]),) if settled else ()
    if made.meaning == INSTRUCTION:
        return _ranked(made.bits, made.known, made.width, "idesc", arch)[1]
    known_fields = []
    for name in SMEM_KINDS:
        masks = kind_of(name).table.masks
        known_fields.append([_is_settled(made, masks[key]) for key in _TELLING])
    is_named = made.meaning == DESCRIPTOR
    if not is_named and not any(any(fields) for fields in known_fields):
        return ()
    is_sound, readings = _ranked(made.bits, made.known, made.width, None, arch)
    return readings if is_named or (is_sound and any(all(fields) for fields in known_fields)) else ()


def _is_settled(made: MadeDescriptor, mask: int) -> bool:
    """Whether all bits of a field are known, and not all 0."""
    return made.known & mask == mask and bool(made.bits & mask)


_TELLING = ("swizzle", "stride_byte_offset")


@lru_cache(1024)
def _ranked(
    bits: int, known: int, width: int, kind: str | None, arch: str | None
) -> tuple[bool, tuple[ValueReading, ...]]:
    """Return whether a value fits a kind of descriptor, and as what it is read that is worth saying."""
    ranking = rank(parse_value(to_hex(bits, known, width)), kind, arch=arch)
    return ranking.fits, tuple(reading_of(reading) for reading in ranking.readings if _is_telling(reading))


def _is_telling(reading: DescriptorReading) -> bool:
    """Whether enough is known of a descriptor to say something about it: its swizzle mode, or a stride; its types."""
    if reading.kind.name == "idesc":
        return reading.known & ones(reading.kind.table.width) == ones(reading.kind.table.width) or any(
            reading.fields[key].settled for key in ("n", "m", "a_type") if key in reading.fields
        )
    return any(
        reading.fields[key].settled and reading.fields[key].raw
        for key in (*_TELLING, "leading_byte_offset")
        if key in reading.fields
    )
