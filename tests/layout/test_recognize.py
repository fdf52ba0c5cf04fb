"""By which layout memory holds a matrix: whatever it was written by, and whatever the descriptor says."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from writing import matrix_of, noise, written
from wrong import WRONG, memory
from wrong import matrix as matrix_of_kernel

from smemdesc.kinds.modes import MODE
from smemdesc.kinds.types import DTYPES, PACKED
from smemdesc.layout.atom import ALL, byte_size, shape
from smemdesc.layout.held import elements
from smemdesc.layout.operand import Operand
from smemdesc.layout.recognize import find, recognize
from smemdesc.layout.sentences import sentences

TYPES = [*DTYPES, PACKED]
CAUSES = {
    "right": [],
    "wrong_mode": [
        "all 4096 elements agree as if written with 64B swizzle, SBO 512 B",
        "the swizzle mode must be 64B, not 128B",
        "SBO must be 512 B, not 1024 B",
        "atoms along K are 4096 B apart",
    ],
    "wrong_major": ["all 4096 elements agree as if A were MN-major", "must be MN, not K"],
    "wrong_lbo": ["LBO must be 8192 B, not 4096 B"],
    "wrong_base_offset": ["the base offset must be 2, not 0", "align the tile to 1024 B"],
    "wrong_stage": ["the tile lies 8192 B further on: at 0x2000, not 0x0"],
}


@pytest.mark.parametrize("name", WRONG)
def test_the_kernels_that_are_wrong_on_purpose(name: str) -> None:
    wrong = WRONG[name]
    found = recognize(memory(name), matrix_of_kernel(name), wrong.says, kind="wgmma")
    text = "\n".join(sentences(found, wrong.of))
    for words in CAUSES[name]:
        assert words in text
    assert found.right is (name == "right")
    assert len(text.splitlines()) == (len(found.answer.differences) + 2 if found.answer else 1)
    assert not found.alike
    assert not found.copies


@st.composite
def layouts(draw: st.DrawFn, dtype=None, extent=None) -> Operand:
    """Any layout: two atoms or three in each direction, in any order, with or without space between them."""
    mode, major = draw(st.sampled_from(ALL))
    dtype = draw(st.sampled_from(TYPES)) if dtype is None else dtype
    atom = shape(mode, major, dtype)
    size = byte_size(mode, major)
    across, down = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    room = draw(st.integers(0, 2)) * size
    inner, outer = size + room, (size + room) * 3
    first = draw(st.booleans())
    lbo, sbo = (inner, outer) if first else (outer, inner)
    return Operand(
        mode,
        major,
        dtype,
        (atom.mn * across, atom.k * down) if extent is None else extent,
        start=16 * draw(st.integers(0, 512)),
        lbo=lbo,
        sbo=sbo,
        base_offset=draw(st.integers(0, MODE[mode].phases - 1)),
    )


@settings(max_examples=50, deadline=None)
@given(layouts(), st.data(), st.integers(0, 2**32))
def test_whatever_was_written_is_read(layout: Operand, data: st.DataObject, seed: int) -> None:
    random = Random(seed)
    matrix = matrix_of(random, layout)
    there = written(layout, matrix, noise(random, 1 << 16))
    other = data.draw(layouts(layout.dtype, layout.shape))
    found = recognize(there, matrix, other)
    assert found.best is not None
    assert elements(found.best, there) == matrix
    without = find(there, matrix, layout.dtype)
    assert without.best is not None
    assert elements(without.best, there) == matrix


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize(("mode", "major"), ALL)
def test_every_mode_major_type_and_base_offset(mode: str, major: str, dtype) -> None:
    random = Random(f"{mode} {major} {dtype}")
    atom, size = shape(mode, major, dtype), byte_size(mode, major)
    for base in range(MODE[mode].phases):
        layout = Operand(
            *(mode, major, dtype, (2 * atom.mn, 2 * atom.k)), start=0x900, lbo=size, sbo=2 * size, base_offset=base
        )
        matrix = matrix_of(random, layout)
        there = written(layout, matrix, noise(random, 1 << 14))
        asked = Operand(*("128B", "K", dtype, layout.shape), start=0x400, lbo=16, sbo=1024)
        found = recognize(there, matrix, asked)
        assert found.best is not None
        assert elements(found.best, there) == matrix
        assert (found.best.mode.name, found.best.major, found.best.base_offset) == (mode, major, base)
        assert (found.best.start, found.best.lbo, found.best.sbo) == (0x900, size, 2 * size)
