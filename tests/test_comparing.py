"""Two descriptors side by side."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import WIDE, kinds, realistic, some, values

from smemdesc.case import context
from smemdesc.comparing import Difference, diff
from smemdesc.errors import KindError, SmemdescError
from smemdesc.kinds import Kind
from smemdesc.values import parse

A = 0x4000404000010040


def said(difference: Difference, text: str) -> bool:
    return any(text in remark for remark in difference.remarks)


def changed(difference: Difference) -> dict[str, int | None]:
    return {row.key: row.delta for row in difference.rows if row.changed}


def test_equal_values() -> None:
    difference = diff(A, A)
    assert difference.same
    assert difference.remarks == ("the values are equal",)


def test_what_is_known_of_both_is_equal() -> None:
    difference = diff("0x40004040:?", A, "tcgen05")
    assert difference.same
    assert difference.remarks == ("what is known of both is equal",)


@pytest.mark.parametrize(
    ("b", "fields"),
    [
        (0x4000404000010042, {"start_address": 32}),
        (0x4000408000010040, {"stride_byte_offset": 1024}),
        (0x8000402000010040, {"stride_byte_offset": -512, "swizzle": None}),
        (0x4010404000010040, {"lbo_mode": None}),
    ],
)
def test_fields_that_differ(b: int, fields: dict[str, int | None]) -> None:
    assert changed(diff(A, b)) == fields


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        (A, A + 2, "a plain K advance: +2 = one MMA step of 32 B of K"),
        (A, A + 4, "+4 = 2 MMA steps of 32 B"),
        (A + 6, A, "-6 = 3 MMA steps"),
        (A, A + 0x40, "1 swizzle atom of 1024 B on"),
        (A, A - 0x40, "1 swizzle atom of 1024 B back"),
        (A, A + 0x40, "one SBO: 8 rows in a K-major layout"),
        (0x4000404000013FFF, 0x4000404000010001, "wrapped around at 256 KiB"),
        (0x0000400800100000, 0x0000400800100020, "a K advance of 2 x LBO"),
        (0x4000404000013FFF, 0x4000404000014001, "the sum left the 14 bits of the start address and carried into"),
        (0x40004040FFFFFFFF, 0x4000404100000001, "carried out of the low word into stride_byte_offset"),
        (0x4000404000100040, 0x4000401000400040, "LBO and SBO have changed places"),
    ],
)
def test_remark(a: int, b: int, says: str) -> None:
    assert said(diff(a, b, "tcgen05"), says)


@pytest.mark.parametrize(("a", "b"), [(A, A + 16), (A + 6, A + 8), (0x0000400800100000, 0x0000400800100002)])
def test_no_k_advance_inside_an_atom(a: int, b: int) -> None:
    assert not said(diff(a, b), "inside a K-major swizzle atom")


@pytest.mark.parametrize(
    ("dtype", "says"), [("f16", "+16 elements of f16"), ("tf32", "+8 elements of tf32"), ("s8", "+32 elements of s8")]
)
def test_a_move_in_elements(dtype: str, says: str) -> None:
    assert said(diff(A, A + 2, context=context(dtype=dtype)), says)


def test_packed_elements() -> None:
    assert said(diff(A, A + 2, context=context(dtype="e2m1", mma_kind="mxf4")), "+64 elements of e2m1")


def test_the_broken_one_is_read_as_what_the_sound_one_is() -> None:
    difference = diff(0x4000404000013FFF, 0x4000404000014001)
    assert difference.kind.id == "tcgen05"
    assert changed(difference).keys() == {"start_address", "reserved_14"}


def test_text_numbers_and_literals_are_taken_alike() -> None:
    assert changed(diff(hex(A), parse(hex(A + 2)))) == changed(diff(A, A + 2)) == {"start_address": 32}


def test_open_readings_are_named() -> None:
    difference = diff("0x08200490", "0x08400490")
    assert difference.candidates == ("idesc:f16", "idesc:f8f6f4")
    assert changed(difference) == {"n": 128}
    assert "say which" in difference.reason


def test_high_words() -> None:
    assert changed(diff("0x40004040", "0x40004020")) == {"stride_byte_offset": -512}


@pytest.mark.parametrize(("a", "b"), [("0x4000404000010040", "0x08200910"), ("0x08200910", "0x08200420")])
def test_values_of_two_kinds_are_not_compared(a: str, b: str) -> None:
    with pytest.raises(KindError, match=r"A reads as .*, B as .*; say which with --kind"):
        diff(a, b)


@some(100)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), values(kind))))
def test_changed_fields_are_those_whose_bits_differ(case: tuple[Kind, int, int]) -> None:
    kind, a, b = case
    difference = diff(hex(a), hex(b), kind.id)
    if any(candidate.view != "whole" for candidate in (difference.a, difference.b)):
        return
    for row in difference.rows:
        mask = kind.table.masks[row.key]
        assert row.changed == bool((a ^ b) & mask)
    assert difference.same == (a == b)


@some(100)
@given(st.sampled_from(WIDE).flatmap(lambda kind: st.tuples(realistic(kind), realistic(kind))))
def test_any_two_values_compare_or_say_why_not(case: tuple[int, int]) -> None:
    a, b = case
    try:
        difference = diff(a, b)
    except SmemdescError:
        return
    assert difference.reason
    assert all(difference.remarks)
