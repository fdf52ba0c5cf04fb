"""What bytes of shared memory hold, read through an operand."""

from __future__ import annotations

from random import Random

import pytest
from writing import matrix_of, noise, written

from smemdesc.kinds.types import DTYPES, PACKED, dtype_of
from smemdesc.layout.atom import ALL, byte_size, shape
from smemdesc.layout.held import Memory, elements, spans
from smemdesc.layout.operand import Operand


@pytest.mark.parametrize("dtype", [*DTYPES, PACKED], ids=str)
@pytest.mark.parametrize(("mode", "major"), ALL)
def test_what_is_written_is_read(mode: str, major: str, dtype) -> None:
    atom = shape(mode, major, dtype)
    size = byte_size(mode, major)
    operand = Operand(mode, major, dtype, (2 * atom.mn, 2 * atom.k), start=0x400, lbo=size, sbo=2 * size)
    random = Random(f"{mode} {major} {dtype.name}")
    matrix = matrix_of(random, operand)
    memory = written(operand, matrix, noise(random))
    assert elements(operand, memory) == matrix
    assert spans(operand) == (0x400, 0x400 + 4 * size)


def test_an_element_outside_is_none() -> None:
    operand = Operand("none", "K", dtype_of("bf16"), (8, 8), start=32)
    memory = Memory(40, bytes(range(1, 17)))
    assert not memory.holds(39)
    assert memory.holds(40, 16)
    found = elements(operand, memory)
    assert found[0] == [None, None, None, None, 0x0201, 0x0403, 0x0605, 0x0807]
    assert found[1] == [0x0A09, 0x0C0B, 0x0E0D, 0x100F, None, None, None, None]


def test_half_an_element_outside_is_none() -> None:
    operand = Operand("none", "K", dtype_of("tf32"), (1, 4))
    assert elements(operand, Memory(0, bytes(7)))[0] == [0, None, None, None]


def test_the_low_nibble_is_the_even_element() -> None:
    operand = Operand("none", "K", PACKED, (1, 32))
    assert elements(operand, Memory(0, b"\x21\x43"))[0][:5] == [1, 2, 3, 4, None]
