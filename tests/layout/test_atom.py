"""The swizzle atom: its shapes, its units, Triton's bases, the physical-offset table of an MMA step."""

from __future__ import annotations

import pytest

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.types import DTYPES, PACKED, DType, dtype_of
from smemdesc.layout.atom import ALL, Atom, byte_size, exists, shape, shape_in_units
from smemdesc.tiles.linear import LinearLayout

TYPES = (*DTYPES, PACKED)
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


@pytest.mark.parametrize(("swizzle", "major"), TABLE_38)
def test_shape_in_units_is_table_38(swizzle: str, major: str) -> None:
    assert shape_in_units(swizzle, major) == TABLE_38[swizzle, major]


@pytest.mark.parametrize(("swizzle", "major"), TABLE_38)
def test_shape_grows_along_the_contiguous_dimension(swizzle: str, major: str) -> None:
    mn, k = TABLE_38[swizzle, major]
    for dtype in TYPES:
        t = {32: 4, 16: 8, 8: 16, 4: 32, 1: 128}[dtype.storage]
        assert shape(swizzle, major, dtype) == ((mn, k * t) if major == "K" else (mn * t, k)), dtype
    assert byte_size(swizzle, major) == mn * k * 16


def test_example_of_table_38() -> None:
    assert str(shape("128B", "MN", dtype_of("tf32"))) == "32x8"


def test_all_is_every_atom() -> None:
    assert set(ALL) == set(TABLE_38)
    assert not exists("128B_32B", "K")


def test_k_major_128b_32b_is_refused_with_its_source() -> None:
    with pytest.raises(SmemdescError, match="Table 58"):
        shape_in_units("128B_32B", "K")


@pytest.mark.parametrize("dtype", TYPES, ids=name)
@pytest.mark.parametrize(("swizzle", "major"), ALL)
def test_an_atom_is_a_bijection(swizzle: str, major: str, dtype: DType) -> None:
    atom = Atom(swizzle, major, dtype)
    bits = [bit for row in atom.operand.grid for bit in row]
    assert len(set(bits)) == len(bits) == atom.shape.mn * atom.shape.k
    if atom.operand.packed:
        assert sorted(bits) == list(range(0, 8 * byte_size(swizzle, major), dtype.bits))
    else:
        # 16 elements from the beginning of each 16 bytes, the rest is padding
        assert sorted(bits) == [
            128 * unit + dtype.bits * i for unit in range(byte_size(swizzle, major) // 16) for i in range(16)
        ]


@pytest.mark.parametrize("dtype", TYPES, ids=name)
def test_units_by_the_short_formula(dtype: DType) -> None:
    for swizzle, major in ALL:
        by_the_short_formula(swizzle, major, dtype)


def physical(atom: Atom) -> list[list[int]]:
    """Return, for each line of the strided dimension, the number of the place (from the start) of each unit in it."""
    found = atom.places()
    rows = found if atom.major == "K" else zip(*found, strict=True)
    return [[(each.after // 8 - atom.start) // 16 for each in row] for row in rows]


def by_the_short_formula(swizzle: str, major: str, dtype: DType) -> None:
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
    atom = Atom("32B", "K", dtype_of("bf16"), start=0x4A0)
    lines = atom.units_by_line(0)
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
WITHOUT_BLANKS = [[0, 1], [3, 2], [4, 5], [7, 6], [8, 9], [11, 10], [12, 13], [15, 14]]
"""The same table as text that lost its blank cells has it."""


def test_physical_offsets_of_the_first_mma() -> None:
    found = Atom("128B", "K", dtype_of("f16")).units_by_line(0)
    assert found == PHYSICAL_OFFSETS
    assert [[unit for unit in line if unit is not None] for line in found] == WITHOUT_BLANKS


@pytest.mark.parametrize(("swizzle", "steps"), [("32B", 1), ("64B", 2), ("128B", 4)])
def test_mma_steps_fill_the_atom(swizzle: str, steps: int) -> None:
    filled: dict[tuple[int, int], int] = {}
    for step in range(steps):
        found = Atom(swizzle, "K", dtype_of("f16")).units_by_line(step)
        held = {
            (line, chunk): unit for line, row in enumerate(found) for chunk, unit in enumerate(row) if unit is not None
        }
        assert sorted(held.values()) == list(range(16))
        assert not held.keys() & filled.keys()
        filled |= held
    assert len(filled) == 16 * steps


@pytest.mark.parametrize(
    ("swizzle", "step", "words"), [("none", 0, "two atoms"), ("64B", 2, "holds 2"), ("32B", -1, "outside")]
)
def test_mma_step_outside_is_refused(swizzle: str, step: int, words: str) -> None:
    with pytest.raises(SmemdescError, match=words):
        Atom(swizzle, "K", dtype_of("f16")).check_step(step, elements=False)


def test_bases_of_the_128b_atom_of_16_bit_elements() -> None:
    assert [(basis.offset, basis.place) for basis in LinearLayout("128B", dtype_of("bf16")).bases] == [
        *((1 << bit, (0, 1 << bit)) for bit in range(6)),
        (64, (1, 8)),
        (128, (2, 16)),
        (256, (4, 32)),
    ]


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


@pytest.mark.parametrize("dtype", ["e4m3", "bf16", "tf32"])
@pytest.mark.parametrize(("swizzle", "width"), [("none", 0), ("32B", 32), ("64B", 64), ("128B", 128)])
def test_bases_by_tritons_formula(swizzle: str, width: int, dtype: str) -> None:
    found = LinearLayout(swizzle, dtype_of(dtype)).bases
    assert [basis.place for basis in found] == triton(width, dtype_of(dtype).bits)
    assert [basis.offset for basis in found] == [2**i for i in range(len(found))]


@pytest.mark.parametrize("major", ["K", "MN"])
@pytest.mark.parametrize("dtype", [dtype_of("e4m3"), dtype_of("bf16"), dtype_of("tf32"), PACKED], ids=name)
@pytest.mark.parametrize("swizzle", ["none", "32B", "64B", "128B"])
def test_bases_span_the_atom_of_both_major_nesses(swizzle: str, dtype: DType, major: str) -> None:
    atom = Atom(swizzle, major, dtype)
    layout = LinearLayout(swizzle, dtype)
    places = [layout.at_offset(offset).place for offset in range(layout.size)]
    assert len(set(places)) == len(places) == atom.shape.mn * atom.shape.k
    for offset, (row, column) in enumerate(places):
        mn, k = (row, column) if major == "K" else (column, row)
        assert atom.operand.bit_address(mn, k) == offset * dtype.bits


@pytest.mark.parametrize("dtype", [dtype_of("e4m3"), dtype_of("bf16"), dtype_of("tf32"), PACKED], ids=name)
@pytest.mark.parametrize("swizzle", ["none", "32B", "64B", "128B"])
def test_linear_layout_both_ways(swizzle: str, dtype: DType) -> None:
    layout = LinearLayout(swizzle, dtype)
    assert (layout.rows, layout.columns) == shape(swizzle, "K", dtype)
    for row in range(layout.rows):
        for column in range(layout.columns):
            assert layout.at_offset(layout.at(row, column).offset).place == (row, column)


@pytest.mark.parametrize(("row", "column"), [(8, 0), (0, 64), (-1, 0)])
def test_place_outside_is_refused(row: int, column: int) -> None:
    with pytest.raises(SmemdescError, match=r"rows are 0\.\.7, columns 0\.\.63"):
        LinearLayout("128B", dtype_of("bf16")).at(row, column)


@pytest.mark.parametrize("offset", [-1, 512])
def test_offset_outside_is_refused(offset: int) -> None:
    with pytest.raises(SmemdescError, match=r"0\.\.511"):
        LinearLayout("128B", dtype_of("bf16")).at_offset(offset)


@pytest.mark.parametrize(("swizzle", "dtype"), [("128B", "e2m3"), ("128B", "e2m1"), ("128B_32B", "tf32")])
def test_what_has_no_linear_layout_is_refused(swizzle: str, dtype: str) -> None:
    with pytest.raises(SmemdescError, match="no linear layout"):
        LinearLayout(swizzle, dtype_of(dtype))
