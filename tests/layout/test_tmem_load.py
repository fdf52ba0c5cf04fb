"""The registers of tcgen05.ld and .st, held to CUTLASS's copy traits, to ptxas, and to the formulas that are shown.

``tmem_loads.tsv`` is what CUTLASS 4.2, compiled for the host, and ptxas 13.5 answer
(``tests/tools/evidence/tmem_loads.py``).
"""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from samples import long_run, refusing
from tables import every_row

from smemdesc.layout.index_map import MatrixElement
from smemdesc.layout.tmem import tmem_layout
from smemdesc.layout.tmem_load import LOAD_REGISTERS, SHAPES, TmemLoad, TmemSlot, load_shape_of, tmem_loads

ROWS = [line.split("\t") for line in (Path(__file__).parent / "tmem_loads.tsv").read_text().splitlines()]
LOADS = [
    TmemLoad(shape, 1 << bit, pack) for shape in SHAPES for bit in range(shape.most.bit_length()) for pack in (0, 1)
]
MATRICES = {
    "A": tmem_layout(256, 16, cta_group=2),
    "B": tmem_layout(128, 32, cta_group=2),
    "C": tmem_layout(128, 32, cta_group=2, sparse=True),
    "D": tmem_layout(128, 24),
    "E": tmem_layout(64, 64, ws=True, start=0x40),
    "F": tmem_layout(64, 32, start=0x00100020),
    "G": tmem_layout(32, 64, ws=True),
    "D in f16": tmem_layout(128, 32, dtype="f16"),
    "A in bf16": tmem_layout(64, 64, ws=True, operand="a", dtype="bf16"),
    "A in e4m3": tmem_layout(32, 64, ws=True, operand="a", dtype="e4m3", k=64),
    "A in e2m1": tmem_layout(128, 64, operand="a", dtype="e2m1", mma_kind="mxf4"),
}


@cache
def cells(load: TmemLoad) -> dict[tuple[int, ...], tuple[int, int]]:
    """Return the lane and the column of each thread of the warp, register and half."""
    found = {}
    for lane, column in product(range(load.shape.lanes), range(load.columns)):
        word, half = divmod(column, load.packed)
        found[(*load.index_map.inverse.place(lane, word), half)] = (lane, column)
    return found


def moves(text: str) -> list[tuple[int, ...]]:
    return [tuple(map(int, move.split(","))) for move in text.split()]


@pytest.mark.slow
@every_row("row", ROWS)
def test_registers_are_those_of_cutlass_and_of_ptxas(row: list[str]) -> None:
    _, shape, num, pack, registers, thread, register, half = row
    load = TmemLoad(load_shape_of(shape), int(num), bool(pack))
    assert (int(num) <= load.shape.most) == (registers != "0") == (thread != "-")
    if registers != "0":
        assert load.registers == int(registers)
        held = cells(load)
        assert [held[1 << bit, 0, 0] for bit in range(5)] == moves(thread)
        assert [held[0, 1 << bit, 0] for bit in range(load.registers.bit_length() - 1)] == moves(register)
        assert held[0, 0, int(load.pack)] == moves(half)[0]


@pytest.mark.slow
@pytest.mark.parametrize("load", LOADS, ids=lambda load: load.text)
def test_each_word_is_in_one_register_and_the_formulas_say_which(load: TmemLoad) -> None:
    formulas = dict([*load.index_map.formulas(), *load.index_map.inverse.formulas()])
    lane, word, thread, register = (
        compile(re.sub(r"(\d) (?=[(trlcw])", r"\1 * ", text).replace("div", "//").replace("mod", "%"), text, "eval")
        for text in (formulas.get(name, "0") for name in ("lane", "column", "thread", "register"))
    )
    assert set(cells(load)) == {*product(range(32), range(load.registers), range(load.packed))}
    for (T, r, half), (l, at) in cells(load).items():  # noqa: E741, N806
        names = {"thread": T, "register": r, "lane": l, "column": at // load.packed}
        assert at % load.packed == half
        assert (eval(lane, names), eval(word, names)) == (l, at // load.packed)
        assert (eval(thread, names), eval(register, names)) == (T, r)


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ((name, shape.name) if (row + column) % 8 == 1 else long_run(name, shape.name))
        for row, name in enumerate(MATRICES)
        for column, shape in enumerate(SHAPES)
    ],
)
def test_every_element_is_in_one_register_for_each_copy_and_leads_back(name: str, shape: str) -> None:
    matrix = MATRICES[name]
    loads = tmem_loads(matrix, shape, pack=name == "D in f16")
    held, slots = cells(loads.load), dict[TmemSlot, tuple[int, MatrixElement]]()
    for m in range(matrix.m):
        for across in range(matrix.width):
            for slot, place in zip(loads.slots(m, across), matrix.places(m, across), strict=True):
                assert slot not in slots
                slots[slot] = place.lane, MatrixElement(m, across)
                assert loads.index_map.inverse.place(*slot[1:]) == (place.lane, place.column, place.bit)
                assert slot.warp == place.warp  # no warp reaches the lanes of another
                start = loads.start(slot.warp, slot.load)
                half = slot.element if loads.load.pack else 0
                lane, column = held[slot.lane, slot.register, half]
                assert (place.lane, place.column) == ((start >> 16) + lane, (start & 0xFFFF) + column)
    assert len(slots) == matrix.m * matrix.width * matrix.copies
    for thread in (0, 117):
        of_thread = {slot: element for slot, (_, element) in slots.items() if slot.thread == thread}
        assert {found.slot: found.element for found in loads.held(thread)} == of_thread
    lanes = range(0, 128, 5)
    by_lane = {found.slot: found.element for lane in lanes for found in loads.held(lane=lane)}
    assert by_lane == {slot: element for slot, (lane, element) in slots.items() if lane in lanes}


def test_the_loads_are_as_wide_as_the_columns_allow() -> None:
    chosen = {
        (shape.name, n): tmem_loads(tmem_layout(128, n), shape.name).load.num for shape in SHAPES for n in (24, 256)
    }
    assert chosen == {
        ("32x32b", 24): 8, ("32x32b", 256): 128, ("16x64b", 24): 4, ("16x64b", 256): 128, ("16x128b", 24): 2,
        ("16x128b", 256): 64, ("16x256b", 24): 1, ("16x256b", 256): 32, ("16x32bx2", 24): 4, ("16x32bx2", 256): 128,
    }  # fmt: skip


def test_m_64_begins_at_either_half_of_the_lanes() -> None:
    low, high = (tmem_loads(tmem_layout(64, 32, start=start), "32x32b") for start in (0, 0x00100000))
    assert (low.slots(17, 3)[0], high.slots(17, 3)[0]) == (TmemSlot(0, 33, 0, 3), TmemSlot(0, 49, 0, 3))
    low, high = (tmem_loads(tmem_layout(64, 32, start=start), "16x64b") for start in (0, 0x00100000))
    assert low.slots(17, 3) == high.slots(17, 3)
    assert (low.start(1, 0), high.start(1, 0)) == (0x00200000, 0x00300000)


def test_packing_is_for_columns_of_16_bits() -> None:
    loads = tmem_loads(tmem_layout(128, 64, dtype="f16"), "32x32b", pack=True)
    assert (loads.load.columns, loads.load.registers) == (64, 32)
    assert [loads.bits(loads.slots(5, n)[0]) for n in (6, 7)] == [(0, 15), (16, 31)]
    assert loads.slots(5, 7)[0] == TmemSlot(0, 5, 0, 3, 1)
    low = tmem_loads(tmem_layout(128, 64, dtype="f16"), "32x32b")
    assert (low.bits(low.slots(5, 7)[0]), low.load.registers) == ((0, 15), 64)


WRONG = {
    # what is asked: what the error says, and what is legal
    ("16x256b", 64, False): ("no 16x256b with x64", "x1, x2, x4, x8, x16 or x32"),
    ("16x128b", 128, False): ("no 16x128b with x128", "x32 or x64"),
    ("32x32b", 3, False): ("no 32x32b with x3", "x64 or x128"),
    ("32x32b", None, True): ("D in f32 has one of 32 bits", "D in f16"),
}


@pytest.mark.parametrize(("shape", "num", "pack"), WRONG)
def test_there_is_no_such_load(shape: str, num: int | None, pack: bool) -> None:
    message, hint = WRONG[shape, num, pack]
    with refusing(message, hint):
        tmem_loads(tmem_layout(128, 64), shape, num, pack)


def test_a_shape_wider_than_the_matrix_names_those_that_fit() -> None:
    with refusing("16x256b moves 8 columns at once: there are 4", "use 32x32b, 16x64b, 16x128b or 16x32bx2"):
        tmem_loads(tmem_layout(128, 64, operand="a", dtype="bf16", k=8), "16x256b")


def test_a_load_past_the_last_column_is_none() -> None:
    with refusing("it would end at column 543", "use x32 or less"):
        tmem_loads(tmem_layout(128, 32, start=480), "32x32b", 64)


def test_a_warp_has_its_own_lanes() -> None:
    loads = tmem_loads(tmem_layout(128, 64), "32x32b")
    with refusing("no lane 900", "use lane 0 to 127"):
        loads.held(5, lane=900)
    with refusing("thread 3 does not access lane 40: it is in warp 0", "lane 40 is accessed by threads 32 to 63"):
        loads.held(3, lane=40)
    for asked in ({"thread": 128}, {"register": 64}, {"lane": 128}):
        with refusing("there is no"):
            list(loads.held(**asked))


def test_no_instruction_has_more_registers_than_the_isa_allows() -> None:
    assert {load.registers for load in LOADS if load.num == load.shape.most} == {LOAD_REGISTERS}
