"""The swizzle atom: its shapes, its units, Triton's bases, the physical-offset table of an MMA step."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tables import every_row

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.types import DTYPES, PACKED_E2M1, DType, dtype_of
from smemdesc.layout.atom import EVERY_ATOM, Atom, atom_bytes, atom_shape, exists, shape_in_units
from smemdesc.tiles.linear import LinearLayout

TYPES = (*DTYPES, PACKED_E2M1)
TABLE_38 = {
    ("128B", "MN"): (8, 8),
    ("128B", "K"): (8, 8),
    ("64B", "MN"): (4, 8),
    ("64B", "K"): (8, 4),
    ("32B", "MN"): (2, 8),
    ("32B", "K"): (8, 2),
    ("none", "MN"): (1, 8),
    ("none", "K"): (8, 1),
    ("128B_32B", "MN"): (8, 4),  # PTX ISA 9.3, Table 58
}
WIDTH = {"none": 16, "32B": 32, "64B": 64, "128B": 128, "128B_32B": 128}


def name(dtype: DType) -> str:
    return f"{dtype.name}-{dtype.storage}"


@every_row(("swizzle", "major"), TABLE_38)
def test_shapes_are_those_of_table_38(swizzle: str, major: str) -> None:
    mn, k = TABLE_38[swizzle, major]
    assert shape_in_units(swizzle, major) == (mn, k)
    assert atom_bytes(swizzle, major) == mn * k * 16
    for dtype in TYPES:
        t = {32: 4, 16: 8, 8: 16, 4: 32, 1: 128}[dtype.storage]
        assert atom_shape(swizzle, major, dtype) == ((mn, k * t) if major == "K" else (mn * t, k)), dtype


def test_all_is_every_atom() -> None:
    assert set(EVERY_ATOM) == set(TABLE_38)
    assert not exists("128B_32B", "K")


def physical(atom: Atom) -> list[list[int]]:
    """Return, for each line of the strided dimension, the number of the place (from the start) of each unit in it."""
    found = atom.places()
    rows = found if atom.major == "K" else zip(*found, strict=True)
    return [[(each.after // 8 - atom.start) // 16 for each in row] for row in rows]


@every_row("dtype", TYPES)
@every_row(("swizzle", "major"), EVERY_ATOM)
def test_units_by_the_short_formula(swizzle: str, major: str, dtype: DType) -> None:
    atom = Atom(swizzle, major, dtype)
    columns = WIDTH[swizzle] // 16
    for row, line in enumerate(physical(atom)):
        for column, unit in enumerate(line):
            linear = row * columns + column
            moved = (
                linear ^ ((linear >> 3) & 3) << 1 if swizzle == "128B_32B" else linear ^ ((linear >> 3) & columns - 1)
            )
            assert unit == moved


def test_lines_begin_at_a_line_of_shared_memory() -> None:
    atom = Atom("32B", "K", dtype_of("bf16"), start=0x4A0, step=0)
    lines = atom.units_by_line()
    for row in atom.places():
        for each in row:
            assert lines[each.line - 9][each.chunk] == atom.unit_number(each)
    assert lines[0][:2] == [None, None]
    assert sum(cell is not None for line in lines for cell in line) == 16


@pytest.mark.parametrize("base_offset", range(8))
def test_base_offset_moves_the_phase(base_offset: int) -> None:
    moved = Atom("128B", "K", dtype_of("bf16"), start=128 * base_offset, base_offset=base_offset)
    assert physical(moved) == physical(Atom("128B", "K", dtype_of("bf16")))


PHYSICAL_OFFSETS = [
    [0, 1, None, None, None, None, None, None],
    [3, 2, None, None, None, None, None, None],
    [None, None, 4, 5, None, None, None, None],
    [None, None, 7, 6, None, None, None, None],
    [None, None, None, None, 8, 9, None, None],
    [None, None, None, None, 11, 10, None, None],
    [None, None, None, None, None, None, 12, 13],
    [None, None, None, None, None, None, 15, 14],
]
"""Where the 8 x 2 units of the first MMA lie under 128B swizzle, units numbered 2 * row + column."""


def test_physical_offsets_of_the_first_mma() -> None:
    assert Atom("128B", "K", dtype_of("f16"), step=0).units_by_line() == PHYSICAL_OFFSETS


@pytest.mark.parametrize(("swizzle", "steps"), [("32B", 1), ("64B", 2), ("128B", 4)])
def test_mma_steps_fill_the_atom(swizzle: str, steps: int) -> None:
    filled: dict[tuple[int, int], int] = {}
    for step in range(steps):
        found = Atom(swizzle, "K", dtype_of("f16"), step=step).units_by_line()
        units = {
            (line, chunk): unit for line, row in enumerate(found) for chunk, unit in enumerate(row) if unit is not None
        }
        assert sorted(units.values()) == list(range(16))
        assert not units.keys() & filled.keys()
        filled |= units
    assert len(filled) == 16 * steps


def triton(width: int, bits: int) -> list[tuple[int, int]]:
    """Triton's getCoreMatrixLinearLayout: the place of each power of two; ``width`` 0 is no swizzle."""
    vec, per_phase, max_phase = (128 // bits, 128 // width, width // 16) if width else (1, 1, 1)
    columns = 8 * max(16, width) // bits
    bases = []
    column = 1
    while column < columns:
        bases.append((0, column))
        column *= 2
    return [*bases, *((row, vec * (row // per_phase % max_phase)) for row in (1, 2, 4))]


@every_row("dtype", ["e4m3", "bf16", "tf32"])
@every_row(("swizzle", "width"), [("none", 0), ("32B", 32), ("64B", 64), ("128B", 128)])
def test_bases_by_tritons_formula(swizzle: str, width: int, dtype: str) -> None:
    found = LinearLayout(swizzle, dtype_of(dtype)).bases
    assert [basis.place for basis in found] == triton(width, dtype_of(dtype).bits)
    assert [basis.offset for basis in found] == [2**i for i in range(len(found))]


@pytest.mark.parametrize("major", ["K", "MN"])
@pytest.mark.parametrize("dtype", [dtype_of("e4m3"), dtype_of("bf16"), dtype_of("tf32"), PACKED_E2M1], ids=name)
@pytest.mark.parametrize("swizzle", ["none", "32B", "64B", "128B"])
def test_bases_span_the_atom_of_both_major_nesses(swizzle: str, dtype: DType, major: str) -> None:
    atom = Atom(swizzle, major, dtype)
    layout = LinearLayout(swizzle, dtype)
    assert (layout.rows, layout.columns) == atom_shape(swizzle, "K", dtype)
    places = [layout.at_offset(offset).place for offset in range(layout.size)]
    assert len(set(places)) == len(places) == atom.shape.mn * atom.shape.k
    for offset, (row, column) in enumerate(places):
        mn, k = (row, column) if major == "K" else (column, row)
        assert atom.operand.bit_address(mn, k) == offset * dtype.bits
        assert layout.at(row, column).offset == offset


BF16 = dtype_of("bf16")


@every_row(
    ("refused", "words"),
    [
        (lambda: shape_in_units("128B_32B", "K"), "Table 58"),
        (lambda: Atom("none", "K", BF16, step=0), "two atoms"),
        (lambda: Atom("64B", "K", BF16, step=2), "holds 2"),
        (lambda: Atom("32B", "K", BF16, step=-1), "outside"),
        (lambda: LinearLayout("128B", BF16).at(8, 0), r"rows are 0\.\.7, columns 0\.\.63"),
        (lambda: LinearLayout("128B", BF16).at(0, 64), r"rows are 0\.\.7, columns 0\.\.63"),
        (lambda: LinearLayout("128B", BF16).at(-1, 0), r"rows are 0\.\.7, columns 0\.\.63"),
        (lambda: LinearLayout("128B", BF16).at_offset(-1), r"0\.\.511"),
        (lambda: LinearLayout("128B", BF16).at_offset(512), r"0\.\.511"),
        (lambda: LinearLayout("128B", dtype_of("e2m3")), "no linear layout"),
        (lambda: LinearLayout("128B", dtype_of("e2m1")), "no linear layout"),
        (lambda: LinearLayout("128B_32B", dtype_of("tf32")), "no linear layout"),
    ],
)
def test_what_is_not_there_is_refused(refused: Callable[[], object], words: str) -> None:
    with pytest.raises(SmemdescError, match=words):
        refused()
