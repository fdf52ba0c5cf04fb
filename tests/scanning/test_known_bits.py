"""Partly known numbers against plain ones: what is claimed of a result holds for whatever the operands may be."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import sampled, some

from smemdesc.engine import known
from smemdesc.engine.fields import ones
from smemdesc.engine.known import FALSE, TRUE, UNKNOWN, Value, bounds, const, ranged, whole
from smemdesc.scanning.analysis import ir

from .test_ir import field, funnel, insert, lop3, permute

FULL = ones(32)
Pair = tuple[Any, int]
"""What is known of a number, and one that it may be."""
Operands = tuple[st.SearchStrategy[Pair], ...]


def signed(number: int, width: int) -> int:
    number &= ones(width)
    return number - (number >> width - 1 << width)


def may_be(value: Value, number: int, width: int) -> bool:
    """Whether nothing that is claimed excludes a number; bits above the width are not asked for."""
    number &= ones(width)
    least, most = bounds(value, width)
    return not value[0] & ~value[1] and not (value[0] ^ number) & value[1] & ones(width) and least <= number <= most


def runs(width: int) -> st.SearchStrategy[int]:
    """Masks in one piece: they are what descriptors and addresses are made of."""
    return st.tuples(st.integers(0, width), st.integers(0, width)).map(lambda ends: ones(max(ends)) ^ ones(min(ends)))


def numbers(width: int) -> st.SearchStrategy[int]:
    return st.integers(0, ones(width)) | runs(width) | st.sampled_from([0, 1, ones(width), 1 << width - 1])


@st.composite
def partly(draw: st.DrawFn, width: int) -> Pair:
    """A number of which some bits are known, and perhaps a range."""
    number, mask = draw(numbers(width)), draw(numbers(width))
    if draw(st.booleans()):
        return (number & mask, mask), number
    least, most = draw(st.integers(0, number)), draw(st.integers(number, ones(width)))
    return ranged(number & mask, mask, least, most, width), number


@st.composite
def counts(draw: st.DrawFn) -> Pair:
    """A number that is small more often than not, of which a few bits are unknown."""
    number = draw(st.integers(0, 70) | st.integers(0, FULL))
    mask = FULL & ~draw(st.sampled_from([0, 1, 3, 7, 31, 63, 0x80000000, FULL]) | st.integers(0, 255))
    return (number & mask, mask), number


@st.composite
def limits(draw: st.DrawFn) -> Pair:
    limit = draw(st.integers(0, FULL))
    return limit, draw(st.integers(0, limit))


def plain(least: int, most: int) -> st.SearchStrategy[Pair]:
    """A number that is given as itself."""
    return st.integers(least, most).map(lambda number: (number, number))


BYTE, WORD, LONG = (partly(width) for width in (8, 32, 64))
CARRY = st.sampled_from([(FALSE, 0), (TRUE, 1), (UNKNOWN, 0), (UNKNOWN, 1)])
COUNT, PLACE, BOOL = plain(0, 70), plain(0, 40), plain(0, 1)


Row = tuple[Callable[..., Value], Callable[..., int], Operands, int]


def of_width(w: int, word: st.SearchStrategy[Pair]) -> dict[str, Row]:
    """What is computed in words of any width: of partly known numbers, of plain ones, operands, bits of the result."""
    two, three = (word, word), (word, word, CARRY)
    return {
        "complement": (lambda a: known.complement(a, w), operator.inv, (word,), w),
        "negate": (lambda a: known.negate(a, w), operator.neg, (word,), w),
        "cut": (lambda a: known.cut(a, w - 3), lambda a: a & ones(w - 3), (word,), w),
        "whole": (lambda a: whole(a, w), lambda a: a, (word,), w),
        "and": (known.and_, operator.and_, two, w),
        "or": (known.or_, operator.or_, two, w),
        "xor": (known.xor, operator.xor, two, w),
        "multiply": (lambda a, b: known.multiply(a, b, w), operator.mul, two, w),
        "add": (lambda a, b, c: known.add(a, b, w, c)[0], lambda a, b, c: a + b + c, three, w),
        "carry": (lambda a, b, c: known.add(a, b, w, c)[1], lambda a, b, c: a + b + c >> w, three, 1),
        "subtract": (
            lambda a, b, c: known.add(a, known.complement(b, w), w, c)[0], lambda a, b, c: a - b - 1 + c, three, w
        ),
        "meet": (known.meet, lambda a, b: a, two, w),
        "meet, the other": (known.meet, lambda a, b: b, two, w),
        "meet all": (lambda *all: known.meet_all(list(all)), lambda a, b, c: b, (word, word, word), w),
        "meet in a width": (lambda a, b: known.meet(a, b, w), lambda a, b: a, two, w),
        "meet in a width, the other": (lambda a, b: known.meet(a, b, w), lambda a, b: b, two, w),
        "shl": (lambda a, n: known.shl(a, n, w), operator.lshift, (word, COUNT), w),
        "shr": (lambda a, n: known.shr(a, n, w), operator.rshift, (word, COUNT), w),
        "sar": (lambda a, n: known.sar(a, n, w), lambda a, n: signed(a, w) >> n, (word, COUNT), w),
        "shl by some": (lambda a, n: known.shift(known.shl, a, n, w), lambda a, n: a << min(n, w), (word, counts()), w),
        "shr by some": (lambda a, n: known.shift(known.shr, a, n, w), lambda a, n: a >> min(n, w), (word, counts()), w),
        "sar by some": (
            lambda a, n: known.shift(known.sar, a, n, w), lambda a, n: signed(a, w) >> min(n, w), (word, counts()), w
        ),
        "zero-extend": (
            lambda a, n, more: known.extend(a, n, n + more, False), lambda a, n, more: a & ones(n),
            (word, plain(1, w), plain(0, w)), 2 * w,
        ),
        "sign-extend": (
            lambda a, n, more: known.extend(a, n, n + more), lambda a, n, more: signed(a, n) & ones(n + more),
            (word, plain(1, w), plain(0, w)), 2 * w,
        ),
        "field": (
            known.bit_field, lambda a, low, width: a >> low & ones(width), (word, plain(0, w - 1), plain(1, w)), 2 * w
        ),
        "join": (lambda low, high: known.join(low, high, w), lambda low, high: high << w | low, two, 2 * w),
    }  # fmt: skip


OPERATIONS: dict[str, Row] = {
    **{f"{name} {w}": row for w, of in ((8, BYTE), (32, WORD), (64, LONG)) for name, row in of_width(w, of).items()},
    "lop3": (
        lambda a, b, c, n: known.bitwise((a, b, c), n, 32), lambda a, b, c, n: lop3(a, b, c, n, 32),
        (WORD, WORD, WORD, plain(0, 255)), 32,
    ),
    "funnel": (
        lambda low, high, n, left, wrap: ir.FUNNEL.fold(low, high, n, 32, bool(left), bool(wrap)),
        lambda low, high, n, left, wrap: funnel(low, high, n, 32, bool(left), bool(wrap)),
        (WORD, WORD, counts(), BOOL, BOOL), 32,
    ),
    "permute": (ir.PERMUTE.fold, lambda a, b, by: permute(a, b, by, 8), (WORD, WORD, partly(16)), 32),
    "insert": (
        lambda a, into, low, n: ir.INSERT.fold(a, into, const(low, 8), const(n, 8), 32),
        lambda a, into, low, n: insert(a, into, low, n, 32),
        (WORD, WORD, PLACE, PLACE), 32,
    ),
    "extract": (
        lambda a, low, n, sign: known.extract(a, low, n, 32, bool(sign)),
        lambda a, low, n, sign: field(a, low, n, 32, bool(sign)), (WORD, PLACE, PLACE, BOOL), 32,
    ),
    "at most": (lambda limit: known.at_most(limit, 32), lambda number: number, (limits(),), 32),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(OPERATIONS))
@some(100)
@given(st.data())
def test_nothing_that_is_claimed_is_wrong(name: str, data: st.DataObject) -> None:
    ours, right, operands, width = OPERATIONS[name]
    drawn = [data.draw(each) for each in operands]
    assert may_be(ours(*(value for value, _ in drawn)), right(*(number for _, number in drawn)), width), drawn


@some(100)
@given(WORD)
def test_choices_are_all_that_it_may_be_and_zeros_below_are_zeros(a: Pair) -> None:
    assert a[1] % 2 ** known.zeros_below(a[0]) == 0
    found = known.choices(a[0], 32)
    loose = (FULL & ~a[0][1]).bit_count()
    assert (found is None) == (loose > 3)
    if found is not None:
        least, most = known.bounds(a[0], 32)
        fits = [number for number in found if least <= number <= most and not (number ^ a[0][0]) & a[0][1] & FULL]
        assert a[1] in found
        assert found == fits
        # Only a range leaves out some of what the bits allow.
        assert len(set(found)) == len(found) == 2**loose or len(a[0]) == 5
