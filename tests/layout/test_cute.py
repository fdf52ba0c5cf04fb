"""CuTe's notation: printing, evaluating, swizzling."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from samples import some
from tables import every_row

from smemdesc.layout.cute import ComposedLayout, IntTuple, Layout, Swizzle, size

extents = st.integers(1, 9)
strides = st.integers(0, 300)
modes = st.recursive(
    st.tuples(extents, strides), lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple), max_leaves=6
)


def halves(mode: object) -> tuple[IntTuple, IntTuple]:
    """Split a tree of (extent, stride) into the two congruent trees."""
    assert isinstance(mode, tuple)
    if len(mode) == 2 and isinstance(mode[0], int):
        return mode[0], mode[1]
    parts = [halves(each) for each in mode]
    return tuple(shape for shape, _ in parts), tuple(stride for _, stride in parts)


layouts = modes.map(halves).map(lambda pair: Layout(*pair))


def flat(mode: IntTuple) -> list[int]:
    return [mode] if isinstance(mode, int) else [leaf for each in mode for leaf in flat(each)]


@some(200)
@given(layouts)
def test_an_index_runs_through_the_leaves_leftmost_fastest(layout: Layout) -> None:
    expected = [0]
    for extent, stride in zip(flat(layout.shape), flat(layout.stride), strict=True):
        expected = [base + i * stride for i in range(extent) for base in expected]
    assert [layout(index) for index in range(layout.size)] == expected
    assert layout.size == size(layout.shape) == len(expected)


def test_one_coordinate_a_mode() -> None:
    # CuTe's documentation, 01_layout.md: crd2idx of 16 and of (1,5) is 17.
    layout = Layout((3, (2, 3)), (3, (12, 1)))
    assert layout(16) == layout(1, 5) == 17


@every_row(
    ("swizzle", "offset", "swizzled"),
    [
        ((0, 4, 3), 0x3F0, 0x3F0),
        ((1, 4, 3), 0x080, 0x090),
        ((1, 4, 3), 0x100, 0x100),
        ((2, 4, 3), 0x180, 0x1B0),
        ((3, 4, 3), 0x380, 0x3F0),
        ((3, 4, 3), 0x3F5, 0x385),
        ((3, 4, 3), 0x400, 0x400),
        ((2, 5, 2), 0x080, 0x0A0),
        ((2, 5, 2), 0x180, 0x1E0),
        ((2, 5, 2), 0x200, 0x200),
    ],
)
def test_swizzle(swizzle: tuple[int, int, int], offset: int, swizzled: int) -> None:
    assert Swizzle(*swizzle)(offset) == swizzled
    assert Swizzle(*swizzle)(swizzled) == offset


def test_phase_moves_the_source_of_the_xor_alone() -> None:
    assert Swizzle(3, 4, 3)(0x480, phase=0x80) == 0x480
    assert Swizzle(3, 4, 3)(0x480, phase=0x100) == 0x480 ^ 0x70


@some(200)
@given(st.integers(0, 5), st.integers(4, 6), st.integers(0, 3), st.integers(0, 2**14))
def test_upcast_counts_in_larger_units(b: int, m: int, log: int, offset: int) -> None:
    swizzle = Swizzle(b, m, b)
    assert swizzle(offset << log) == swizzle.upcast(1 << log)(offset) << log


def test_upcast_of_the_128b_swizzle() -> None:
    assert str(Swizzle(3, 4, 3).upcast(2)) == "Swizzle<3,3,3>"
    assert str(Swizzle(3, 4, 3).upcast(16)) == "Swizzle<3,0,3>"


def test_composed() -> None:
    layout = ComposedLayout(Swizzle(3, 4, 3), Layout((8, 64), (64, 1)), 16)
    assert str(layout) == "Swizzle<3,4,3> o (8,64):(64,1)"
    assert layout.bit_address(0, 1, 0) == 8 * 0x90
    assert layout.bit_address(0x400, 1, 9) == 8 * (0x400 + 0x82)
    narrow = ComposedLayout(Swizzle(1, 4, 3), Layout((8, 64), (64, 1)), 4)
    assert narrow.bit_address(0, 4, 1) == 8 * 0x90 + 4
