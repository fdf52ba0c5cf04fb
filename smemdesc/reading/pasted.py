"""The values in pasted text: :func:`pasted_values` reads them for the command line, the page and Python.

A value that stands alone is read by :func:`smemdesc.reading.text.parse_value`, a tensor map by
:mod:`smemdesc.reading.memory`, any other text by :mod:`smemdesc.reading.code`, which most runs do not load.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from smemdesc.engine.errors import SmemdescError, ValueSyntaxError
from smemdesc.reading.naming import MEANT
from smemdesc.reading.text import TENSOR_MAP_BITS, WIDE_MARKS, Literal, parse_value

_ITEM = r"\s*+(?:[*+]|\d{1,3}[.)]|\[\d{1,3}\]:?)\s++(0[xX][0-9a-fA-F?]{1,16})\s*+"
"""An item of a list."""
_CELL = r"0[xX][0-9a-fA-F?]{1,16}"


def _item(text: str) -> str:
    """Return the number in an item of a list, or in a row of a table that has one; else nothing."""
    if item := re.fullmatch(_ITEM, text):
        return item[1]
    row = text.strip()
    cells = [cell.strip() for cell in row.split("|")] if row[:1] == row[-1:] == "|" else []
    numbers = [cell for cell in cells if re.fullmatch(_CELL, cell)]
    return numbers[0] if len(numbers) == 1 else ""


_FEWEST = 4
"""Commas of a tensor map as numbers, of which some are repeated."""
_CLOSED = ("}", "]", ")")


_REMARK = r"//.*|--\s.*|;.*|/\*.*\*/|[-=*_~#+|\u2500-\u257f\s]{3,}"
"""A comment, or a rule of dashes."""
_HEADING = r"[^\W\d][^=;{}\[\]?]*:|([-=*_~#+])\1++\s*+\w.*\1\1"
"""Words that end with a colon, or between rules."""
_LIKE_A_VALUE = r"(?i)0[xob]?[\da-f?]{3}|[\da-f?]{8}"


def is_remark(line: str) -> bool:
    """Whether a line between values is a comment, a rule of dashes or a heading, and has nothing like a value."""
    if line[:2] == "0x" or re.search(_LIKE_A_VALUE, line):
        return False
    if re.fullmatch(_REMARK, line):
        return True
    return re.fullmatch(_HEADING, line) is not None and not _names_word(line)


def _names_word(line: str) -> bool:
    """Whether a heading says which word of a value follows, so that the value is not the one below it alone."""
    from smemdesc.reading.code import word_name

    name = word_name(line.rstrip(":"))
    return name is not None and name.certain


def pasted_values(text: str) -> tuple[Literal, ...]:
    """Return the values in ``text``, one line or a few, in order; at least one.

    :class:`smemdesc.engine.errors.ValueSyntaxError` or :class:`smemdesc.engine.errors.WidthError` says what is wrong
    if the text has none, or if one cannot be read.
    """
    text = text if text.isascii() else text.translate(WIDE_MARKS)
    if len(text) >= TENSOR_MAP_BITS // 4 or (text.count(",") >= _FEWEST and text.rstrip(" ;\n")[-1:] in _CLOSED):
        from smemdesc.reading.memory import read_tensor_map

        if whole := read_tensor_map(text):
            return whole  # also one of zeros, which is also a valid number
    try:
        return (parse_value(text),)
    except SmemdescError:
        if "@" in text:
            from smemdesc.reading.starts import value_with_start

            if placed := value_with_start(text):
                return (placed,)
        if item := _item(text):
            return (parse_value(item)._replace(called=MEANT, begin=text.index(item)),)
        from smemdesc.reading.code import values_in

        if literals := values_in(text):
            return literals
        raise


def pasted_value(text: str) -> Literal:
    """Return the value in ``text``; more than one is an error, except two words that are one value by their names."""
    literals = pasted_values(text)
    if len(literals) == 2:
        from smemdesc.reading.code import join_named

        if joined := join_named(*literals):
            return joined
    if len(literals) > 1:
        raise several(literals, text)
    return literals[0]


def several(literals: Sequence[Literal], text: str) -> ValueSyntaxError:
    """Return the error about a text with several values where one is expected."""
    return ValueSyntaxError(
        f"{len(literals)} values, but one is expected",
        given=text,
        span=(0, len(text)),
        hint="give one of them: " + ", ".join(literal.text for literal in literals[:4]),
    )
