"""Ranges beside known bits: the least and the most that a partly known number may be.

A value (:mod:`smemdesc.scanning.known`) is ``(bits, known)``; where more is known of its size than the bits tell it is
``(bits, known, lost, least, most)``, ``lost`` being what :mod:`smemdesc.scanning.fixpoint` keeps there. The two halves
inform each other (a reduced product): bits bound a range, and what all numbers of a range begin with is known. Numbers
are unsigned; a comparison of signed ones uses a range where it does not cross the sign.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from smemdesc.engine.fields import ones

Value = tuple[int, int] | tuple[int, int, int | None] | tuple[int, int, int | None, int, int]

EQ, NE, LT, LE, GT, GE = "EQ", "NE", "LT", "LE", "GT", "GE"
OPPOSITE = {EQ: NE, NE: EQ, LT: GE, GE: LT, GT: LE, LE: GT}
"""The comparison that holds where another does not."""
EXCHANGED = {EQ: EQ, NE: NE, LT: GT, GT: LT, LE: GE, GE: LE}
"""The comparison of ``y`` and ``x`` that is the same as one of ``x`` and ``y``."""


def bounds(a: Value, width: int) -> tuple[int, int]:
    """Return the least and the most that ``a`` may be as an unsigned number of ``width`` bits."""
    full = ones(width)
    least, most = a[0] & full, a[0] & full | full & ~a[1]
    if len(a) == 5 and a[4] <= full:
        return max(least, a[3]), min(most, a[4])
    return least, most


def ranged(bits: int, known: int, least: int, most: int, width: int) -> Value:
    """Return a value of ``width`` bits that is known by its bits and by its range."""
    full = ones(width)
    bits, known = bits & full, known & full
    least, most = max(least, bits), min(most, bits | full & ~known)
    if least > most:
        # No number is both: only code that never runs is left with that.
        return bits, known
    same = full & ~ones((least ^ most).bit_length())
    if same & ~known:
        known |= same
        bits = bits & ~same | least & same
    if not least and most == full:
        return bits, known
    return bits, known, None, least, most


def whole(a: Value, width: int) -> Value:
    """Return ``a``, cut to ``width``, with its range."""
    return ranged(a[0] & a[1], a[1], *bounds(a, width), width)


def joined(a: Value, b: Value, width: int) -> Value:
    """Return what is certain where it may be either."""
    known = a[1] & b[1] & ~(a[0] ^ b[0])
    (least, most), (low, high) = bounds(a, width), bounds(b, width)
    return ranged(a[0] & known, known, min(least, low), max(most, high), width)


def either(a: Value, b: Value) -> Value:
    """Return what is certain where it may be either, of numbers whose width is not known."""
    known = a[1] & b[1] & ~(a[0] ^ b[0])
    if len(a) == 5 and len(b) == 5:
        return a[0] & known, known, None, min(a[3], b[3]), max(a[4], b[4])
    return a[0] & known, known


def compare(how: str, a: Value, b: Value, width: int, signed: bool = False) -> bool | None:
    """Return whether ``a how b`` holds; None where that is not certain."""
    if how in (EQ, NE):
        full = ones(width)
        (least, most), (low, high) = bounds(a, width), bounds(b, width)
        if a[1] & b[1] & (a[0] ^ b[0]) & full or most < low or high < least:
            return how == NE
        return how == EQ if least == most == low == high else None
    first, second = (_signed(each, width) if signed else bounds(each, width) for each in (a, b))
    if how in (GT, LE):
        below = _below(second, first)
        return below if below is None or how == GT else not below
    below = _below(first, second)
    return below if below is None or how == LT else not below


def _below(a: tuple[int, int], b: tuple[int, int]) -> bool | None:
    return True if a[1] < b[0] else False if a[0] >= b[1] else None


def _signed(a: Value, width: int) -> tuple[int, int]:
    least, most = bounds(a, width)
    sign = 1 << width - 1
    if most < sign:
        return least, most
    if least >= sign:
        return least - 2 * sign, most - 2 * sign
    return -sign, sign - 1


def refined(how: str, a: Value, b: Value, width: int, signed: bool = False) -> Value | None:
    """Return ``a`` where ``a how b`` holds; None where that cannot be."""
    (least, most), (low, high) = bounds(a, width), bounds(b, width)
    bits, known = a[0], a[1]
    full = ones(width)
    if how == EQ:
        if known & b[1] & (bits ^ b[0]) & full:
            return None
        bits, known = bits | b[0], known | b[1]
        least, most = max(least, low), min(most, high)
    elif how == NE:
        if low == high:
            least += least == low
            most -= most == low
    else:
        if signed:
            sign = 1 << width - 1
            if most >= sign or high >= sign:
                # A number of either sign: only where the other is not negative and it must be larger is it known.
                if not (how in (GT, GE) and high < sign):
                    return a
                most = min(most, sign - 1)
        if how in (LT, LE):
            most = min(most, high - (how == LT))
        else:
            least = max(least, low + (how == GT))
    if least > most:
        return None
    return ranged(bits & full, known & full, least, most, width)


def widened(old: tuple[int, int], new: tuple[int, int], marks: Sequence[int]) -> tuple[int, int] | None:
    """Return a range that grew from ``old`` to ``new``, as far as the next of the sorted ``marks`` on its way.

    ``marks`` are the numbers that bounds are likely to be. None where the range grows past all of them.
    """
    least, most = new
    if most > old[1]:
        above = bisect_left(marks, most)
        if above == len(marks):
            return None
        most = marks[above]
    if least < old[0]:
        below = bisect_right(marks, least) - 1
        least = marks[below] if below >= 0 else 0
    return least, most
