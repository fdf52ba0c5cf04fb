"""Layouts given as linear bases, and views of an allocation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdesc.engine.errors import SmemdescError
from smemdesc.tiles.linear import Encoding, bases_of, resolve, swizzled
from smemdesc.tiles.parsing import read
from smemdesc.tiles.reading import Mode

WIDTHS = ("none", "32B", "64B", "128B")


def offsets(modes: tuple[Mode, ...]) -> list[list[int]]:
    return [[mode.offset(index) for index in range(mode.size)] for mode in modes]


@given(
    st.sampled_from(WIDTHS),
    st.sampled_from((8, 16, 32)),
    st.booleans(),
    st.tuples(st.integers(3, 9), st.integers(0, 3)),
)
def test_the_bases_of_an_encoding_say_the_same(
    swizzle: str, bits: int, transposed: bool, powers: tuple[int, int]
) -> None:
    lines, wide = 1 << powers[0], (1024 // bits) << powers[1]
    shape = (wide, lines) if transposed else (lines, wide)
    encoding = Encoding(swizzle, bits, transposed, False, 2, (), (0, 0))
    found = resolve(bases_of(encoding, shape), bits, (0, 0))
    assert found.swizzle == swizzle
    assert found.transposed is transposed
    assert offsets(found.modes(shape)) == offsets(encoding.modes(shape))


@pytest.mark.parametrize(("phases", "mode"), [((8, 1, 8), "128B"), ((8, 2, 4), "64B"), ((8, 4, 2), "32B")])
def test_lines_of_one_swizzle_width_are_a_mode(phases: tuple[int, int, int], mode: str) -> None:
    width = int(mode[:-1]) // 2
    found = resolve(swizzled((64, width), *phases, (1, 0)), 16, (0, 0))
    assert found.swizzle == mode


@pytest.mark.parametrize("bases", [[(0, 1), (1, 1)], [(0, 1), (0, 4)], [(0, 1), (0, 1)], [(0, 3)], [(0, 0)]])
def test_other_bases_are_no_mode(bases: list[tuple[int, ...]]) -> None:
    with pytest.raises(SmemdescError, match="no swizzle mode"):
        resolve(bases, 16, (0, 0))


@pytest.mark.parametrize("swizzle", ["32", "64", "128"])
def test_a_view_has_the_strides_of_its_allocation(swizzle: str) -> None:
    layout = f"#ttg.nvmma_shared<{{swizzlingByteWidth = {swizzle}, transposed = false, elementBitWidth = 16}}>"
    view = read(f"!ttg.memdesc<64x64xf16, {layout}, #smem, mutable, 256x256>").readings[0].buffer
    whole = read(f"!ttg.memdesc<256x256xf16, {layout}, #smem, mutable>").readings[0].buffer
    assert list(view.rows()) == list(whole.slice((0, 0), (64, 64)).rows())


def test_a_view_of_one_of_several_buffers() -> None:
    layout = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>"
    view = read(f"!ttg.memdesc<64x64xf16, {layout}, #smem, mutable, 3x256x256>").readings[0].buffer
    whole = read(f"!ttg.memdesc<256x256xf16, {layout}, #smem, mutable>").readings[0].buffer
    assert list(view.rows()) == list(whole.slice((0, 0), (64, 64)).rows())
