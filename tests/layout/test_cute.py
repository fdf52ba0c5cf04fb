"""CuTe's swizzle, alone and composed with a layout."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some
from tables import every_row

from smemdesc.layout.cute import ComposedLayout, Swizzle
from smemdesc.layout.mode import Leaf, Mode


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


@pytest.mark.slow
@some(200)
@given(st.integers(0, 5), st.integers(4, 6), st.integers(0, 3), st.integers(0, 2**14))
def test_recast_counts_in_other_units(b: int, m: int, log: int, offset: int) -> None:
    swizzle = Swizzle(b, m, b)
    larger = swizzle.recast(8, 8 << log)
    assert swizzle(offset << log) == larger(offset) << log
    assert larger.recast(8 << log, 8) == swizzle


def test_recast_of_the_128b_swizzle() -> None:
    assert str(Swizzle(3, 4, 3).recast(8, 16)) == "Swizzle<3,3,3>"
    assert str(Swizzle(3, 4, 3).recast(8, 128)) == "Swizzle<3,0,3>"


def test_composed() -> None:
    layout = ComposedLayout(Swizzle(3, 4, 3), Mode(Leaf(8, 64), Leaf(64, 1)), 16)
    assert str(layout) == "Swizzle<3,4,3> o (8,64):(64,1)"
    assert layout.bit_address(0, 1, 0) == 8 * 0x90
    assert layout.bit_address(0x400, 1, 9) == 8 * (0x400 + 0x82)
    narrow = ComposedLayout(Swizzle(1, 4, 3), Mode(Leaf(8, 64), Leaf(64, 1)), 4)
    assert narrow.bit_address(0, 4, 1) == 8 * 0x90 + 4
