"""The values in whatever was pasted: a value, an expression, two words, a line, several lines."""

from __future__ import annotations

from smemdesc.descriptors.near_misses import together
from smemdesc.engine.errors import SmemdescError
from smemdesc.engine.fields import WORD, ones
from smemdesc.kinds.text import WIDEST, evaluate, inside, parse, to_hex, without_encodings

MOST = 64
"""Values that are offered; more than that is a dump."""


def values_in(text: str) -> list[str]:
    """Return the texts of the values in ``text``, as :func:`smemdesc.kinds.text.parse` reads them.

    Two words that make one descriptor come first as ``HI:LO``. :class:`smemdesc.engine.errors.SmemdescError` where
    there is none, with the place.
    """
    try:
        parse(text)
    except SmemdescError as problem:
        words = _readable(inside(text)) or _readable(without_encodings(text).split())
        found = _expression(text) or list(dict.fromkeys(words))
        if not found:
            raise problem from None
        return [*_pair(found), *found][:MOST]
    return [text.strip()]


def _expression(text: str) -> list[str]:
    """Return what an expression of constants comes to; an assignment is one, too."""
    right = text.strip().rstrip(";").rpartition("=")[2]
    number = evaluate(right)
    return [] if number is None else [to_hex(number, ones(width), width) for width in (_width(number),)]


def _width(number: int) -> int:
    return WORD if number <= ones(WORD) else WIDEST


def _readable(words: list[str]) -> list[str]:
    found = []
    for word in words:
        try:
            parse(word)
        except SmemdescError:
            continue
        found.append(word)
    return found


def _pair(found: list[str]) -> list[str]:
    if len(found) != 2:
        return []
    return list(dict.fromkeys(each.text for each in together(parse(found[0]), parse(found[1]))))
