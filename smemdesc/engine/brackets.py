"""Text with nested brackets: where a bracket closes, and the parts between marks outside of brackets and strings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

_STRING = r"\"(?:[^\"\\]|\\.)*+\"?+"
TYPE_MARKS = re.compile(rf"{_STRING}|->|[()\[\]{{}}<>,:*]", re.S)
"""Brackets and marks of types and layouts, in which ``<`` and ``>`` are brackets."""
CODE = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|[()\[\]{},;\n]")
"""Those of statements in C++ and Python."""
_OPEN, _CLOSE = frozenset("([{<"), frozenset(")]}>")


def outside(
    text: str, start: int = 0, end: int | None = None, marks: re.Pattern[str] = TYPE_MARKS
) -> Iterator[tuple[int, str]]:
    """Yield the marks outside brackets and strings, and the outermost closing brackets, with their offsets.

    The last one is empty: the end, or the closing bracket that nothing from ``start`` on opens.
    """
    depth = 0
    end = len(text) if end is None else end
    for match in marks.finditer(text, start, end):
        token = match[0]
        depth += (token in _OPEN) - (token in _CLOSE)
        if depth < 0:
            end = match.start()
            break
        if not depth:
            yield match.start(), token
    yield end, ""


def spans(
    text: str,
    start: int = 0,
    end: int | None = None,
    marks: re.Pattern[str] = TYPE_MARKS,
    separators: Collection[str] = (",",),
) -> Iterator[tuple[int, int]]:
    """Yield where each part between the commas, or other separators, outside brackets and strings begins and ends."""
    for at, mark in outside(text, start, end, marks):
        if not mark or mark in separators:
            yield start, at
            start = at + len(mark)


def split(text: str, separators: Collection[str] = (",",)) -> list[str]:
    """Split a text at the commas, or other separators, outside brackets and strings; none if there is no text."""
    *parts, (last, _) = spans(text, separators=separators)
    words = [*(text[start:end].strip() for start, end in parts), text[last:].strip()]
    return words if len(words) > 1 or words[0] else []


def closing(text: str, start: int, end: int | None = None, marks: re.Pattern[str] = TYPE_MARKS) -> int:
    """Return the offset of the bracket that closes the one at ``start``; -1 if it is not closed."""
    return next((at for at, mark in outside(text, start, end, marks) if mark in _CLOSE), -1)
