"""Two descriptors side by side, and one moved by bytes (steps in elements: layout/test_steps.py)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import WIDE, kinds, realistic, some, values
from tables import every_row

from smemdesc import context
from smemdesc.descriptors.decoding import decode_value
from smemdesc.descriptors.difference import Difference, advance_start, difference_of, step
from smemdesc.engine.errors import FieldError, KindError, SmemdescError
from smemdesc.kinds.kind import Kind, kind_of
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.steps import UNTILED, Tiling
from smemdesc.reading.text import parse_value
from smemdesc.tiles.tile import lay_out_tile

A = 0x4000404000010040


def has_remark(difference: Difference, text: str) -> bool:
    return any(text in remark for remark in difference.remarks)


def changed(difference: Difference) -> dict[str, int | None]:
    return {row.key: row.delta for row in difference.rows if row.changed}


def test_equal_values() -> None:
    difference = difference_of(A, A)
    assert difference.same
    assert difference.remarks == ("the values are equal",)


def test_what_is_known_of_both_is_equal() -> None:
    difference = difference_of("0x40004040:?", A, "tcgen05")
    assert difference.same
    assert difference.remarks == ("all known bits are equal",)


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
    assert changed(difference_of(A, b)) == fields


@every_row(
    ("a", "b", "says"),
    [
        (A, A + 2, "K-major: 1 MMA step along K: 32 B, inside the swizzle atom"),
        (A, A + 2, "MN-major: 32 B along MN, inside the swizzle atom: a step along MN, not K; 8 k on is +1024 B (+64)"),
        (A, A + 4, "2 MMA steps along K: 64 B"),
        (A + 6, A, "3 MMA steps along K back: 96 B"),
        (A, A + 0x40, "K-major: 8 rows along MN, 1 swizzle atom = 1 x SBO; give --tile to check whether it is also"),
        (A, A - 0x40, "K-major: 8 rows along MN back, 1 swizzle atom = 1 x SBO"),
        (A, A + 0x40, "MN-major: 8 k along K, 1 MMA step of tf32, 1 swizzle atom = 1 x SBO"),
        (A, A + 0x20, "K-major: past the end of the row of 128 B: 4 rows along MN, in the same atom"),
        (0x4000404000013FFF, 0x4000404000010001, "wrapped around at 256 KiB"),
        (0x4000404000013FF0, 0x4000404000010000, "then K-major: past the end of the row of 128 B: 2 rows"),
        (0x0000400800100000, 0x0000400800100020, "K-major: 1 MMA step along K: 32 B, 2 x LBO"),
        (0x0000400800100000, 0x0000400800100020, "MN-major: 16 k along K, 1 MMA step of a 16-bit type, 2 x LBO"),
        (0x4000404000010000, 0x400040400000FFFE, "the sum left the 14 bits of the start address and borrowed from"),
        (0x4000404000013FFF, 0x4000404000014001, "the sum left the 14 bits of the start address and carried into"),
        (0x40004040FFFFFFFF, 0x4000404100000001, "carried out of the low word into stride_byte_offset"),
        (0x4000404000100040, 0x4000401000400040, "LBO and SBO are swapped"),
    ],
)
def test_remark(a: int, b: int, says: str) -> None:
    assert has_remark(difference_of(a, b, "tcgen05"), says)


MN = 0x4000404000400040
BF16 = {"dtype": "bf16"}
K_ONLY, MN_ONLY = {"major": "K"}, {"major": "MN"}
K_BF16 = K_ONLY | BF16
TILED = Tiling((64, 128))
STEPS = [
    # The case of the issue: once called a plain K advance inside a K-major swizzle atom.
    (
        MN,
        MN + 2,
        MN_ONLY,
        UNTILED,
        ["MN-major: 32 B along MN, inside the swizzle atom: a step along MN, not K"],
    ),
    (MN, MN + 2, MN_ONLY | BF16, UNTILED, ["not K; one MMA step along K is +2048 B (+128)"]),
    (A, A + 2, K_BF16, UNTILED, ["K-major: 1 MMA step along K: 32 B (16 elements of bf16)"]),
    (
        A,
        A + 8,
        K_ONLY,
        UNTILED,
        ["past the end of the row of 128 B: 1 row along MN", "step along K is +32 B (+2)"],
    ),
    (A, A + 10, K_ONLY, UNTILED, ["past the end of the row of 128 B: byte 32 of the row 1 below"]),
    (A, A + 1, K_ONLY, UNTILED, ["16 B along K, not a multiple of the MMA step of 32 B"]),
    (A, A + 0x200, K_BF16, TILED, ["4 MMA steps along K: 128 B", "1 swizzle atom"]),
    (A, A + 0x202, K_BF16, TILED, ["5 MMA steps along K", "in another swizzle atom"]),
    (A, A + 0x40, K_BF16, TILED, ["K-major: 8 rows along MN, 1 swizzle atom: a step along MN"]),
    (A, A + 0x400, BF16, TILED, ["1 pipeline stage (a tile of 64x128 is 16384 B)"]),
    (A + 0x400, A, K_BF16, TILED, ["1 pipeline stage back"]),
    (A, A + 0x242, K_BF16, TILED, ["8 rows along MN, 1 swizzle atom; and 5 MMA steps along K"]),
    (A, A + 0x402, K_BF16, TILED, ["1 pipeline stage; and 1 MMA step along K"]),
    (
        A,
        A + 0x200,
        K_BF16 | {"shape": "64x16"},
        UNTILED,
        ["1 MN step: 64 rows, 8 swizzle atoms = 8 x SBO"],
    ),
    (A, A + 2, {"dtype": "tf32"}, UNTILED, ["K-major: 1 MMA step along K: 32 B (8 elements of tf32)"]),
    (A, A + 2, {"dtype": "e2m1", "mma_kind": "mxf4"}, UNTILED, ["(64 elements of e2m1)"]),
    (A, A + 4, {"major": "K", "dtype": "f16", "shape": "64x32"}, UNTILED, ["1 MMA step along K: 64 B"]),
    (
        A,
        A - 0x10000,
        {"major": "K", "shape": "64x16", **BF16},
        UNTILED,
        ["both address the same bytes", "LBO has no effect here: K fits one atom (128 B, 64 elements)"],
    ),
]


@every_row(("a", "b", "case", "tiling", "says"), STEPS)
def test_a_step_is_named(a: int, b: int, case: dict[str, str], tiling: Tiling, says: list[str]) -> None:
    difference = difference_of(a, b, context=context(**case), tiling=tiling)  # type: ignore[arg-type]
    for text in says:
        assert has_remark(difference, text)
    majors = {remark.partition("-major: ")[0] for remark in difference.remarks if "-major: " in remark}
    assert majors <= {case["major"]} if "major" in case else majors


@pytest.mark.parametrize(
    ("b", "case"),
    [
        (A - 0x10000, {"major": "K"}),  # without a shape it is not known
        (A - 0x10000, {"major": "MN", "shape": "128x16", **BF16}),  # LBO counts
        (A + (1 << 37), {"major": "K", "shape": "64x16", **BF16}),  # SBO counts
        ("0x400040400000????", {"major": "K", "shape": "64x16", **BF16}),  # the start may differ, too
    ],
)
def test_an_offset_that_may_have_an_effect(b: int | str, case: dict[str, str]) -> None:
    assert not has_remark(difference_of(A, b, context=context(**case)), "same bytes")


def test_a_step_of_absolute_mode_moves_lbo_too() -> None:
    steps = lay_out_tile("tcgen05", (128, 768), dtype_of("e2m1", "mxf4"), "K", "128B", mma=(128, 96))
    one, other = steps.steps[1].value, steps.steps[2].value
    difference = difference_of(one, other, context=context(dtype="e2m1", mma_kind="mxf4"))
    assert has_remark(difference, "the start address and LBO (an address here) move: +48 B")
    assert has_remark(difference, "K-major: 1 MMA step along K: 48 B (96 elements of e2m1)")
    assert has_remark(difference, "LBO: the 48 B of K continue in the line at 0x4000")


def test_a_layout_that_there_is_not() -> None:
    assert has_remark(
        difference_of(0x2000404000400040, 0x2000404000400042, context=context(major="K")),
        "128B_32B has no K-major atom",
    )


def test_another_tile_than_the_descriptors() -> None:
    with pytest.raises(SmemdescError, match=r"SBO is 1024 B, but .* are 2048 B apart along MN; with order mn they fit"):
        difference_of(A, A + 2, context=context(dtype="bf16", major="K"), tiling=Tiling((64, 128), "k"))


def test_the_broken_one_is_read_as_what_the_sound_one_is() -> None:
    difference = difference_of(0x4000404000013FFF, 0x4000404000014001)
    assert difference.kind.id == "tcgen05"
    assert changed(difference).keys() == {"start_address", "reserved_14"}


def test_text_numbers_and_literals_are_taken_alike() -> None:
    assert (
        changed(difference_of(hex(A), parse_value(hex(A + 2))))
        == changed(difference_of(A, A + 2))
        == {"start_address": 32}
    )


def test_open_readings_are_named() -> None:
    difference = difference_of("0x08200490", "0x08400490")
    assert difference.candidates == ("idesc:f16", "idesc:f8f6f4")
    assert changed(difference) == {"n": 128}
    assert "choose one" in difference.reason


def test_high_words() -> None:
    assert changed(difference_of("0x40004040", "0x40004020")) == {"stride_byte_offset": -512}


@pytest.mark.parametrize(("a", "b"), [("0x4000404000010040", "0x08200910"), ("0x08200910", "0x08200420")])
def test_values_of_two_kinds_are_not_compared(a: str, b: str) -> None:
    with pytest.raises(KindError, match=r"A reads as .*, B as .*; choose one with kind"):
        difference_of(a, b)


@pytest.mark.slow
@some(100)
@given(kinds.flatmap(lambda kind: st.tuples(st.just(kind), values(kind), values(kind))))
def test_changed_fields_are_those_whose_bits_differ(case: tuple[Kind, int, int]) -> None:
    kind, a, b = case
    difference = difference_of(hex(a), hex(b), kind.id)
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
        difference = difference_of(a, b)
    except SmemdescError:
        return
    assert difference.reason
    assert all(difference.remarks)


@pytest.mark.parametrize(("arch", "has_note"), [(None, True), ("sm_107a", False), ("sm_100a", False)])
def test_one_of_the_two_is_of_a_newer_architecture(arch: str | None, has_note: bool) -> None:
    found = difference_of(0x4000404000010040, 0x4000404000014040, "tcgen05", context=context(arch=arch))
    assert any("B is valid only by the table of sm_107a: --arch sm_107a" in each for each in found.remarks) is has_note


@pytest.mark.parametrize("by", [0, 16, 32, -1024, 0x3FFF0 - 1024])
def test_advance(by: int) -> None:
    moved = advance_start(kind_of("tcgen05"), A, by)
    assert moved - A == by // 16
    assert decode_value(moved).fields["start_address"].value == 1024 + by


@pytest.mark.parametrize(
    ("by", "says"),
    [
        (8, "8 B is not a multiple of 16 B; the nearest are 0 B and 16 B"),
        (-8, "-8 B is not a multiple of 16 B; the nearest are -16 B and 0 B"),
        (0x3FFF0, "outside the 18-bit window.*carry into reserved_14"),
        (-1040, "outside the 18-bit window.*borrow from reserved_14, leading_byte_offset"),
        (1 << 40, "outside the 18-bit window.*carry into .*stride_byte_offset"),
    ],
)
def test_advance_never_carries(by: int, says: str) -> None:
    with pytest.raises(FieldError, match=says):
        advance_start(kind_of("tcgen05"), A, by)


@pytest.mark.parametrize("kind", [kind_of("idesc:f16"), kind_of("mask")], ids=lambda kind: kind.id)
def test_only_shared_memory_descriptors_advance(kind: Kind) -> None:
    with pytest.raises(FieldError, match="has no start address"):
        advance_start(kind, 0, 16)
    with pytest.raises(FieldError, match="has no start address"):
        step(kind, 0, k=16)


def test_digits_in_the_other_base_are_named() -> None:
    with pytest.raises(KindError, match=r"only the decimal reading of 68158608 is sound.*write \+68158608"):
        difference_of("68158608", "138413200")
