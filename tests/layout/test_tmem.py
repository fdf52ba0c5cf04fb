"""Matrices in tensor memory, held to CUTLASS's fragments, Triton's layouts and TileLang's formulas."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from samples import refusing, sampled
from tables import every_row

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.idesc import LEGAL_SHAPES
from smemdesc.kinds.names import MMA_KINDS
from smemdesc.layout.index_map import MatrixElement
from smemdesc.layout.mode import Leaf, Mode
from smemdesc.layout.tmem import DATA_PATHS, Tmem, TmemPlace, accumulator_types, data_path, parse_start, tmem_layout

CASES = [
    # M, cta_group, .ws, sparse: the layout that PTX's table names
    (32, 1, True, False, "G"),
    (32, 1, True, True, "G"),
    (64, 1, True, False, "E"),
    (64, 1, False, False, "F"),
    (64, 1, False, True, "F"),
    (128, 1, False, False, "D"),
    (128, 1, True, False, "D"),
    (128, 2, False, False, "B"),
    (128, 2, False, True, "C"),
    (256, 2, False, False, "A"),
    (256, 2, False, True, "A"),
]
EVERY = [
    (m, n, group, ws, sparse)
    for m, group, ws, sparse, _ in CASES
    for n in sorted(
        {n for row in LEGAL_SHAPES for n in row.n if m in row.m and (row.cta_group, row.ws) == (group, ws)
         and row.sparse in (None, sparse)}
    )
]  # fmt: skip


def of(m: int, n: int, group: int, ws: bool, sparse: bool, **more: object) -> Tmem:
    return tmem_layout(m, n, cta_group=group, ws=ws, sparse=sparse, **more)  # type: ignore[arg-type]


@every_row(("m", "group", "ws", "sparse", "name"), CASES)
def test_each_case_has_the_layout_of_the_table(m: int, group: int, ws: bool, sparse: bool, name: str) -> None:
    assert of(m, 128, group, ws, sparse).path.name == name


FRAGMENTS: dict[str, Callable[[int], Mode]] = {
    # the atoms of CUTLASS's mma_traits_sm100_frag.hpp: (M of one CTA, N) to lane + 128 column
    "A": lambda n: Mode(Leaf(128, 1), Leaf(n, 128)),
    "B": lambda n: Mode(Leaf(64, 1), Mode(Leaf(n // 2, 128), Leaf(2, 64))),
    "D": lambda n: Mode(Leaf(128, 1), Leaf(n, 128)),
    "E": lambda n: Mode(Leaf(64, 1), Mode(Leaf(n // 2, 128), Leaf(2, 64))),
    "F": lambda n: Mode(Mode(Leaf(16, 1), Leaf(4, 32)), Leaf(n, 128)),
    "G": lambda n: Mode(Leaf(32, 1), Mode(Leaf(n // 4, 128), Leaf(4, 32))),
}


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n", "group", "ws", "sparse"), [case for case in EVERY if case[1] in (8, 48)])
def test_d_lies_as_the_fragments_of_cutlass(m: int, n: int, group: int, ws: bool, sparse: bool) -> None:
    shown = of(m, n, group, ws, sparse)
    # CUTLASS has no sparse instruction with M 128 of two CTAs.
    fragment = FRAGMENTS["F" if shown.path.name == "C" else shown.path.name](n)
    rows = m // group
    for row in range(m):
        for column in range(n):
            (place,) = shown.places(row, column)
            virtual = fragment(row % rows, column)
            assert place == (row // rows, virtual % 128, virtual // 128, 0)


TRITON = json.loads((Path(__file__).parent / "triton_tmem.json").read_text())


def moved(bases: list[list[int]], number: int) -> tuple[int, int]:
    """Return where a number moves: the sum of the bases of its bits, which do not meet."""
    found = [base for bit, base in enumerate(bases) if number >> bit & 1]
    return sum(row for row, _ in found), sum(column for _, column in found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", sampled(TRITON["d"]), ids=lambda case: "{shape[0]}x{shape[1]}-{col_stride}".format(**case)
)
def test_d_lies_as_tritons_linear_layout(case: dict[str, Any]) -> None:
    (rows, _), (m, n) = case["block"], case["shape"]
    dtype = "f16" if case["col_stride"] == 2 else "f32"
    shown = tmem_layout(m, n, cta_group=2 if case["two_ctas"] else 1, dtype=dtype)
    for row in range(rows):
        for column in range(n):
            (place,) = shown.places(row, column)
            lane = moved(case["rows"], place.lane)
            across = moved(case["cols"], place.column * case["col_stride"])
            assert (lane[0] + across[0], lane[1] + across[1]) == (row, column)


TILELANG = {
    # lane and column of one instruction, by i (m), j (n) and N
    "D": lambda i, j, n: (i, j),
    "E": lambda i, j, n: (i // 32 * 32 + i % 32 + j // (n // 2) * 64, j % (n // 2)),
    "G": lambda i, j, n: (i % 32 + j // (n // 4) * 32, j % (n // 4)),
}


@pytest.mark.parametrize(("m", "name"), [(128, "D"), (64, "E"), (32, "G")])
def test_ws_lies_as_tilelang_has_it(m: int, name: str) -> None:
    shown = tmem_layout(m, 256, ws=True)
    for i in range(m):
        for j in range(256):
            assert shown.places(i, j)[0][1:3] == TILELANG[name](i, j, 256)


def both_ways(shown: Tmem) -> None:
    """Every element has one place for each copy, no place is taken twice, and each leads back."""
    seen: dict[TmemPlace, MatrixElement] = {}
    for row in range(shown.m):
        for column in range(shown.width):
            places = shown.places(row, column)
            assert len(places) == shown.copies
            for place in places:
                assert place not in seen
                seen[place] = MatrixElement(row, column)
    words: dict[tuple[int, int, int], list[MatrixElement]] = {}
    for place in sorted(seen):
        words.setdefault(place[:3], []).append(seen[place])
    lanes = 64 if shown.path.half else 128
    assert len(words) == shown.cta_group * lanes * shown.columns
    for (cta, lane, column), elements in list(words.items())[::61]:
        (there,) = [region for region in shown.regions(lane, column) if region.cta == cta]
        first, last = there.across
        assert [MatrixElement(there.rows[0], each) for each in range(first, last + 1)] == elements


@pytest.mark.parametrize(("m", "n", "group", "ws", "sparse"), [case for case in EVERY if case[1] in (8, 24)])
def test_every_element_of_d_is_in_one_place(m: int, n: int, group: int, ws: bool, sparse: bool) -> None:
    both_ways(of(m, n, group, ws, sparse))


@pytest.mark.slow
@every_row("dtype", ["bf16", "tf32", "e4m3", "e2m1"])
@every_row(("m", "group", "ws", "sparse", "name"), CASES)
def test_every_element_of_a_is_in_one_place_a_copy(
    m: int, group: int, ws: bool, sparse: bool, name: str, dtype: str
) -> None:
    shown = of(m, 64, group, ws, sparse, operand="a", dtype=dtype)
    assert shown.columns == 8  # 32 bytes of K
    assert shown.copies == {"B": 2, "E": 2, "G": 4}.get(name, 1)
    both_ways(shown)


def test_packed_fp4_of_a_takes_half_a_byte() -> None:
    shown = tmem_layout(128, 64, operand="a", dtype="e2m1", mma_kind="mxf4")
    assert (shown.width, shown.columns, shown.packed) == (64, 8, 8)
    assert shown.places(3, 9) == ((0, 3, 1, 4),)


def test_a_of_two_ctas_lies_twice_as_cutlass_duplicates_it() -> None:
    """SM 0: lanes 0 and 64 hold row 0, lanes 32 and 96 row 32; SM 1 the rows from 64 on."""
    shown = tmem_layout(128, 64, cta_group=2, operand="a", dtype="bf16")
    lanes = {row: [place[:2] for place in shown.places(row, 0)] for row in (0, 32, 64, 96)}
    assert lanes == {0: [(0, 0), (0, 64)], 32: [(0, 32), (0, 96)], 64: [(1, 0), (1, 64)], 96: [(1, 32), (1, 96)]}


def test_half_of_the_lanes_may_begin_at_lane_16() -> None:
    low, high = tmem_layout(64, 128), tmem_layout(64, 128, start=0x00100000)
    taken = [{(place.lane, place.column) for m in range(64) for place in each.places(m, 0)} for each in (low, high)]
    assert taken[0] & taken[1] == set()
    assert {lane for each in taken for lane, _ in each} == set(range(128))


def test_an_address_is_the_lane_above_the_column() -> None:
    (place,) = tmem_layout(64, 128, start=0x00100040).places(21, 5)
    assert (place.lane, place.column, place.address) == (53, 69, 0x00350045)
    assert [parse_start(text) for text in ("64", "0x00100040", " 0x10_0000 ")] == [64, 0x100040, 0x100000]


def test_a_lane_and_a_column_cut_the_blocks() -> None:
    shown = tmem_layout(64, 128, ws=True)
    assert [region.rows for region in shown.regions(lane=69)] == [(5, 5)]
    assert [region.across for region in shown.regions(column=3)] == [(3, 3), (3, 3), (67, 67), (67, 67)]
    assert [region.across for region in shown.regions(lane=69, column=3)] == [(67, 67)]
    assert list(tmem_layout(64, 128).regions(lane=17)) == []


def test_the_table_names_each_layout_once() -> None:
    assert [path.name for path in DATA_PATHS] == list("ABCDEFG")


def test_types_of_d_come_from_the_table() -> None:
    assert accumulator_types("f16") == ("f16", "f32")
    assert accumulator_types("i8") == ("s32",)
    assert accumulator_types("mxf4") == ("f32",)
    usual = {kind: tmem_layout(128, 64, mma_kind=kind).dtype for kind in MMA_KINDS}
    assert {kind for kind, dtype in usual.items() if dtype == "s32"} == {"i8", "ti16"}
    assert set(usual.values()) == {"f32", "s32"}


@every_row(
    ("arguments", "words"),
    [
        ({"m": 96, "n": 64}, ["tcgen05.mma has no M = 96", "32 (.ws), 64, 128"]),
        ({"m": 32, "n": 64}, ["no M 32", "add --ws"]),
        ({"m": 32, "n": 64, "cta_group": 2}, ["no M 32", "write --cta-group 1 and add --ws"]),
        ({"m": 256, "n": 64}, ["no M 256", "write --cta-group 2"]),
        ({"m": 64, "n": 64, "cta_group": 2}, ["no M 64 with cta_group::2", "write --cta-group 1"]),
        ({"m": 128, "n": 64, "cta_group": 2, "ws": True}, [".ws has cta_group::1 only"]),
        ({"m": 64, "n": 12}, ["N 12", "N is 8..256 step 8"]),
        ({"m": 64, "n": 40, "mma_kind": "i8"}, ["N 40", "kind::i8", "8, 16, 24, 32..256 step 16"]),
        ({"m": 64, "n": 256, "ws": True, "sparse": True}, ["N 256", "N is 64, 128"]),
        ({"m": 64, "n": 64, "mma_kind": "mxf4"}, ["kind::mxf4", "no M 64", "M 128 or 256"]),
        ({"m": 64, "n": 64, "dtype": "bf16"}, ["D is never in 'bf16'", "--operand a"]),
        ({"m": 64, "n": 64, "dtype": "f16", "mma_kind": "tf32"}, ["does not accumulate in f16", "f32"]),
        ({"m": 64, "n": 64, "operand": "b"}, ["'b' is not in tensor memory"]),
        ({"m": 64, "n": 64, "operand": "a"}, ["type of A is missing"]),
        ({"m": 64, "n": 64, "operand": "a", "dtype": "bf16", "k": 3}, ["K = 3", "multiple of 2"]),
        ({"m": 64, "n": 64, "operand": "a", "dtype": "bf16", "k": 0}, ["K = 0"]),
        ({"m": 64, "n": 64, "operand": "a", "dtype": "b1"}, ["b1"]),
        ({"m": 64, "n": 64, "k": 16}, ["D has no K"]),
        ({"m": 64, "n": 64, "start": 8 << 16}, ["does not begin at lane 8", "lane 0 or 16"]),
        ({"m": 128, "n": 64, "start": 16 << 16}, ["does not begin at lane 16", "lane 0"]),
        ({"m": 128, "n": 256, "start": 400}, ["columns 400 to 655", "column 256 or lower"]),
        ({"m": 128, "n": 64, "operand": "a", "dtype": "bf16", "k": 4096}, ["columns 0 to 2047", "a smaller matrix"]),
    ],
)
def test_what_there_is_not(arguments: dict[str, object], words: list[str]) -> None:
    with refusing(*words):
        tmem_layout(**arguments)  # type: ignore[arg-type]


@every_row(
    ("m", "cta_group", "ws", "hint"),
    [
        (32, 1, False, "add --ws"),
        (32, 2, True, "write --cta-group 1"),
        (64, 2, False, "write --cta-group 1"),
        (64, 2, True, "write --cta-group 1"),
        (128, 2, True, "omit --ws, or write --cta-group 1"),
        (256, 1, False, "write --cta-group 2"),
        (256, 1, True, "write --cta-group 2 and omit --ws"),
        (256, 2, True, "omit --ws"),
    ],
)
def test_what_to_change_is_the_least_that_helps(m: int, cta_group: int, ws: bool, hint: str) -> None:
    with refusing() as caught:
        data_path(m, cta_group, ws=ws)
    assert caught.value.option_hint == hint


def test_only_what_is_there_can_be_asked_for() -> None:
    shown = tmem_layout(128, 64, cta_group=2)
    for ask in (
        lambda: shown.places(128, 0),
        lambda: shown.places(0, 64),
        lambda: list(shown.regions(lane=-1)),
        lambda: list(shown.regions(column=512)),
    ):
        with pytest.raises(SmemdescError):
            ask()


@every_row("text", ["", "x", "-1", "0x1_0000_0000", "1.5", "0x"])
def test_an_address_is_a_number_of_32_bits(text: str) -> None:
    with pytest.raises(SmemdescError):
        parse_start(text)
