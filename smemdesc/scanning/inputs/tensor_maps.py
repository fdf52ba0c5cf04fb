"""Tensor maps in other text, as their 128 bytes: rows of memory that a debugger printed, arrays of C, digits."""

from __future__ import annotations

import re
from collections.abc import Iterator

from smemdesc.descriptors.batch import BatchLine, join_maps
from smemdesc.descriptors.ranking import rank
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import ones
from smemdesc.reading.memory import is_tensor_map, map_of_numbers, may_begin, read_tensor_map
from smemdesc.reading.text import TENSOR_MAP_BITS
from smemdesc.scanning.inputs.literals import reading_of
from smemdesc.scanning.model import TextValue

_DIGIT = rb"[0-9a-fA-F?]"
_WORDS = re.compile(
    rb"0x(?:X{16},?+\s++0xX{16}|X{8}(?:,?+\s++0xX{8}){3}|X{2}(?:,?+\s++0xX{2}){15})(?!\w)".replace(b"X", _DIGIT)
)
"""Sixteen bytes of words with a prefix."""
_CELL = re.compile(rb"0x(X{2}|X{8}|X{16})(?!\w|[ \t]*+(?:<[^<>\n]*+>[ \t]*+)?+:)".replace(b"X", _DIGIT))
"""One of them; the address of a row is none."""
_LONGEST = 1_500
"""The most bytes of text that a tensor map takes in words."""
_DUMP = re.compile(
    rb"\n[ \t]*+[0-9a-f]{4,16}:?[ \t]++((?:X{2}[ \t]{0,2}+){16}|(?:X{4}[ \t]{0,2}+){8})".replace(b"X", _DIGIT)
)
"""Sixteen bytes of a hex dump."""
_RUN = re.compile(rb"(?<![\w.])(?:0x)?+X{256}(?!\w)".replace(b"X", _DIGIT))
"""All digits of a tensor map."""
_LIST = re.compile(
    rb"[\[{(](?:\s*+(?:0[xX][0-9a-fA-F]{1,16}|\d{1,20})[uUlL]*+(?:\s*+<repeats \d{1,3} times>)?+\s*+[,\]})]){5,129}+"
)
"""Numbers in brackets, as a debugger and NumPy print them."""
_ROWS = 18
"""The most lines of a tensor map: rows of 8 bytes, and the lines above and below an array."""


def map_values(text: bytes, first: int, low: int, high: int) -> Iterator[tuple[int, int, TextValue]]:
    """Yield where tensor maps begin and end that begin between two offsets of a text, and each as a value.

    ``first`` is the number of the first line.
    """
    after, line, counted = low, first, 0
    runs = (match.span() for match in _RUN.finditer(text))
    lists = (match.span() for match in _LIST.finditer(text) if map_of_numbers(match[0].decode()))
    for begin, end in sorted({*_rows(text), *runs, *lists}):
        if not after <= begin < high:
            continue
        for part in [BatchLine(text[begin:end].decode("latin-1"))] if end else join_maps(_lines(text, begin)):
            value = _value(part.text)
            if value is not None:
                line += text.count(b"\n", counted, begin)
                counted, after = begin, begin + len(part.text)
                column = begin - text.rfind(b"\n", 0, begin)
                yield begin, after, value._replace(line=line, column=column)
            break


def _rows(text: bytes) -> Iterator[tuple[int, int]]:
    """Yield where the lines begin that may be the first of a tensor map, each with 0 for its end."""
    for match in _WORDS.finditer(text):
        data = _of_words(_CELL.findall(match[0]))
        if any(data) and may_begin(data) and _may_be_map(text, match):
            begin = text.rfind(b"\n", 0, match.start()) + 1
            above = text.rfind(b"\n", 0, max(0, begin - 1)) + 1
            yield (above if text[above:begin].rstrip().endswith(b"] = {") else begin), 0
    rows = list(_DUMP.finditer(text if text[:1] == b"\n" else b"\n" + text))
    for number, match in enumerate(rows):
        data = _of_row(match)
        if not any(data) or not may_begin(data):
            continue
        below = rows[number : number + TENSOR_MAP_BITS // 128]
        data = b"".join(map(_of_row, below))
        if is_tensor_map(int.from_bytes(data, "little")) or any(b"?" in row[1] for row in below):
            yield match.start() + (text[:1] == b"\n"), 0


def _may_be_map(text: bytes, match: re.Match[bytes]) -> bool:
    """Whether the words from a match on may be a tensor map: a stack is full of what one begins with."""
    words = _CELL.findall(text, match.start(), match.start() + _LONGEST)
    words = words[: 2 * TENSOR_MAP_BITS // 8 // len(words[0])]
    return any(b"?" in word for word in words) or is_tensor_map(int.from_bytes(_of_words(words), "little"))


def _of_row(match: re.Match[bytes]) -> bytes:
    return _bytes(b"".join(match[1].split()))


def _of_words(words: list[bytes]) -> bytes:
    return b"".join(_bytes(word)[::-1] for word in words)


def _bytes(digits: bytes) -> bytes:
    return bytes.fromhex(digits.replace(b"?", b"0").decode())


def _lines(text: bytes, begin: int) -> Iterator[BatchLine]:
    for _ in range(_ROWS):
        end = text.find(b"\n", begin)
        yield BatchLine(text[begin : end if end >= 0 else len(text)].decode("latin-1"))
        if end < 0:
            break
        begin = end + 1


def _value(text: str) -> TextValue | None:
    """Return a tensor map; None if the text is none."""
    try:
        literals = read_tensor_map(text)
    except SmemdescError:
        return None  # it begins like one
    for literal in literals:
        if literal.number and is_tensor_map(literal.number, literal.unknown):
            reading = reading_of(rank(literal, "tensormap").readings[0])
            shown = f"128 {literal.form}" if literal.form.startswith("bytes") else f"128 bytes as {literal.form}"
            return TextValue(
                0, 0, shown, (reading,), literal.number, TENSOR_MAP_BITS, ones(TENSOR_MAP_BITS) & ~literal.unknown
            )
    return None
