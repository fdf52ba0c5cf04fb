"""Tensor maps in other text, as their 128 bytes: rows of memory that a debugger printed, arrays of C, digits."""

from __future__ import annotations

from collections.abc import Iterator

from smemdesc.descriptors.ranking import rank
from smemdesc.engine.fields import ones
from smemdesc.reading.memory import printed_maps
from smemdesc.reading.text import TENSOR_MAP_BITS, Literal
from smemdesc.scanning.inputs.literals import reading_of
from smemdesc.scanning.model import TextValue


def map_values(text: bytes, first: int, low: int, high: int) -> Iterator[tuple[int, int, TextValue]]:
    """Yield where tensor maps begin and end that begin between two offsets of a text, and each as a value.

    ``first`` is the number of the first line.
    """
    for begin, end, literal in printed_maps(text.decode("latin-1")):
        if low <= begin < high:
            line = first + text.count(b"\n", 0, begin)
            yield begin, end, map_value(literal, line, begin - text.rfind(b"\n", 0, begin))


def map_value(literal: Literal, line: int, column: int) -> TextValue:
    """Return a tensor map of a text as a value, with its place."""
    reading = reading_of(rank(literal, "tensormap").readings[0])
    form = f"128 {literal.form}" if literal.form.startswith("bytes") else f"128 bytes as {literal.form}"
    known = ones(TENSOR_MAP_BITS) & ~literal.unknown
    return TextValue(line, column, form, (reading,), literal.number, TENSOR_MAP_BITS, known)
