"""CuTe's modes: printing, evaluating, slicing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import some

from smemdesc.layout.mode import Leaf, Mode
from smemdesc.tiles.cute import read_cute_layout

leaves = st.builds(Leaf, st.integers(1, 9), st.integers(0, 300))
parts = st.recursive(
    leaves, lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda all: Mode(*all)), max_leaves=6
)
modes = parts.map(Mode)


@some(200)
@given(modes)
def test_an_index_runs_through_the_leaves_leftmost_fastest(mode: Mode) -> None:
    expected = [0]
    for leaf in mode.leaves:
        expected = [base + i * leaf.stride for i in range(leaf.extent) for base in expected]
    assert mode.offsets == expected
    assert mode.size == len(expected)


@pytest.mark.slow
@some(200)
@given(modes, st.data())
def test_a_slice_counts_from_its_beginning(mode: Mode, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, mode.size - 1))
    extent = data.draw(st.integers(1, mode.size - first))
    assert mode.slice(first, extent).offsets == [each - mode.offset(first) for each in mode.offsets[first:][:extent]]
    again = data.draw(st.integers(0, extent - 1))
    assert mode.slice(first, extent).slice(again, 1).first == first + again


@some(200)
@given(modes)
def test_what_is_printed_is_read(mode: Mode) -> None:
    read = read_cute_layout(str(mode))
    assert str(read) == repr(read) == str(mode)
    assert read.offsets == mode.offsets


def test_equal_modes_are_one_key() -> None:
    one, two = (Mode(Mode(Leaf(8, 64), Leaf(2, 512)), Leaf(16, 1)) for _ in range(2))
    assert len({one, two, one.slice(0, 8), Mode(*one.leaves)}) == 3


@some(200)
@given(modes, st.integers(1, 8), st.booleans())
def test_units_of_several_elements(mode: Mode, count: int, contiguous: bool) -> None:
    refined = mode.refined(count, contiguous=contiguous)
    inside = range(count if contiguous else 1)
    assert refined.offsets == [offset * count + element for offset in mode.offsets for element in inside]


def test_one_coordinate_a_part() -> None:
    # CuTe's documentation, 01_layout.md: crd2idx of 16 and of (1,5) is 17.
    layout = Mode(Leaf(3, 3), Mode(Leaf(2, 12), Leaf(3, 1)))
    assert layout.offset(16) == layout(1, 5) == 17
