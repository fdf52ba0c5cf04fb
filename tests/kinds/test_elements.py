"""Bit patterns and numbers, there and back; the limits that IEEE 754 and OCP print."""

from __future__ import annotations

import struct
from math import inf, isnan, nan, nextafter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from operands.writing import matrix_of, noise, written
from samples import long_run
from tables import every_row

from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.elements import F32, S32, Memory, bits_of, read_bits, text_of, value_of
from smemdesc.kinds.types import DTYPES, PACKED_E2M1, DType, dtype_of
from smemdesc.layout.atom import EVERY_ATOM, atom_bytes, atom_shape
from smemdesc.layout.elements import elements
from smemdesc.layout.operand import Operand

TYPES = [*DTYPES, PACKED_E2M1]
NARROW = [dtype for dtype in TYPES if dtype.bits <= 16]
# OCP OFP8 1.0, Table 1; OCP MX 1.0, Tables 3 and 4; IEEE 754: the pattern of each limit.
LIMITS = [
    ("e4m3", 0x7E, 448),
    ("e4m3", 0x08, 2**-6),
    ("e4m3", 0x07, 0.875 * 2**-6),
    ("e4m3", 0x01, 2**-9),
    ("e4m3", 0x80, -0.0),
    ("e5m2", 0x7B, 57344),
    ("e5m2", 0x04, 2**-14),
    ("e5m2", 0x03, 0.75 * 2**-14),
    ("e5m2", 0x01, 2**-16),
    ("e5m2", 0x7C, inf),
    ("e5m2", 0xFC, -inf),
    ("e2m3", 0x1F, 7.5),
    ("e2m3", 0x08, 1),
    ("e2m3", 0x07, 0.875),
    ("e2m3", 0x01, 0.125),
    ("e3m2", 0x1F, 28),
    ("e3m2", 0x04, 0.25),
    ("e3m2", 0x03, 0.1875),
    ("e3m2", 0x01, 0.0625),
    ("bf16", 0x3F80, 1),
    ("bf16", 0x7F7F, 255 * 2**120),
    ("bf16", 0xFF80, -inf),
    ("bf16", 0x0001, 2**-133),
    ("tf32", 0x3FC00000, 1.5),
    ("tf32", 0x7F800000, inf),
    ("s8", 0x80, -128),
    ("u8", 0x80, 128),
    ("b1", 1, 1),
]
E2M1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
"""OCP MX 1.0, Table 5: all of them."""


@every_row(("name", "bits", "number"), LIMITS)
def test_limits_of_the_standards(name: str, bits: int, number: float) -> None:
    dtype = dtype_of(name)
    assert repr(float(value_of(dtype, bits))) == repr(float(number))
    assert bits_of(dtype, number) == bits


def test_every_e2m1() -> None:
    assert [value_of(PACKED_E2M1, bits) for bits in range(8)] == E2M1
    assert [value_of(PACKED_E2M1, bits) for bits in range(8, 16)] == [-number for number in E2M1]


@pytest.mark.slow
@pytest.mark.parametrize("step", [13, long_run(1)])
@pytest.mark.parametrize("dtype", NARROW, ids=str)
def test_patterns_come_back(dtype: DType, step: int) -> None:
    """Every pattern of 8 bits and less; of 16 bits one in 13: all exponents and all low bytes."""
    for bits in range(0, 2**dtype.bits, 1 if dtype.bits <= 8 else step):
        number = value_of(dtype, bits)
        if not isnan(number):
            assert bits_of(dtype, number) == bits
            assert bits_of(dtype, float(text_of(dtype, bits))) == bits


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "nans"), [("f16", 2 * 1023), ("bf16", 2 * 127), ("e4m3", 2), ("e5m2", 6), ("e2m3", 0), ("e3m2", 0)]
)
def test_as_many_nans_as_the_format_has(name: str, nans: int) -> None:
    dtype = dtype_of(name)
    assert sum(isnan(value_of(dtype, bits)) for bits in range(2**dtype.bits)) == nans


@pytest.mark.parametrize("dtype", NARROW, ids=str)
def test_the_order_of_patterns_is_the_order_of_numbers(dtype: DType) -> None:
    numbers = [value_of(dtype, bits) for bits in range(2 ** (dtype.bits - (dtype.name not in ("u8", "b1"))))]
    finite = [number for number in numbers if not isnan(number)]
    assert finite == sorted(set(finite))


@given(st.binary(min_size=2, max_size=2))
def test_f16_is_that_of_struct(two: bytes) -> None:
    (number,) = struct.unpack("<e", two)
    bits = int.from_bytes(two, "little")
    found = value_of(dtype_of("f16"), bits)
    assert isnan(found) if isnan(number) else repr(found) == repr(number)


@given(st.floats(allow_nan=False, min_value=-65519.99, max_value=65519.99))
def test_rounds_to_f16_as_struct_does(number: float) -> None:
    assert bits_of(dtype_of("f16"), number).to_bytes(2, "little") == struct.pack("<e", number)


@given(st.floats(allow_nan=False, width=32))
def test_f32_is_that_of_struct(number: float) -> None:
    bits = int.from_bytes(struct.pack("<f", number), "little")
    assert bits_of(F32, number) == bits
    assert repr(value_of(F32, bits)) == repr(number)


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(NARROW))
def test_no_element_is_nearer(number: float, dtype: DType) -> None:
    if dtype.name == "b1":
        return
    found = bits_of(dtype, number)
    nearest = value_of(dtype, found)
    if abs(nearest) == inf:
        return
    others = [value_of(dtype, bits) for bits in (found - 1, found + 1) if 0 <= bits < 2**dtype.bits]
    assert all(abs(nearest - number) <= abs(other - number) for other in others if not isnan(other))


@every_row(
    ("name", "number", "bits"),
    [
        ("f16", 65519.999, 0x7BFF),
        ("f16", 65520, 0x7C00),
        ("f16", -1e9, 0xFC00),
        ("bf16", 10**400, 0x7F80),
        ("tf32", 1e39, 0x7F800000),
        ("e4m3", 464, 0x7E),
        ("e4m3", inf, 0x7E),
        ("e4m3", -1e9, 0xFE),
        ("e5m2", 1e9, 0x7B),
        ("e2m1", 100, 7),
        ("e2m1", nan, 7),
        ("e2m3", -inf, 0x3F),
        ("e4m3", nan, 0x7F),
        ("f16", nan, 0x7E00),
        ("e2m1", 2.5, 4),
        ("e2m1", 5, 6),
        ("e2m1", 0.25, 0),
        ("e2m1", -0.2, 8),
        ("bf16", nextafter(1 + 2**-8, 2), 0x3F81),
        ("bf16", 1 + 2**-8, 0x3F80),
        ("s8", 200, 127),
        ("s8", -inf, 0x80),
        ("s8", 2.5, 2),
        ("u8", -1, 0),
        ("u8", nan, 0),
    ],
)
def test_rounding_and_what_is_too_large(name: str, number: float, bits: int) -> None:
    assert bits_of(dtype_of(name), number) == bits


@every_row(
    ("name", "bits", "text"),
    [
        ("bf16", 0x3FC0, "1.5"),
        ("f16", 0x8000, "-0"),
        ("f16", 0x7C01, "nan"),
        ("f16", 0xFC00, "-inf"),
        ("f16", 0x7BFF, "65504"),
        ("f16", 0x2E66, "0.1"),
        ("bf16", 0x7F7F, "3.39e+38"),
        ("tf32", 0x3DCCCCCD, "0.1"),
        ("s8", 0xFF, "-1"),
        ("u8", 0xFF, "255"),
    ],
)
def test_text_is_short(name: str, bits: int, text: str) -> None:
    assert text_of(dtype_of(name), bits) == text


def test_the_low_bits_of_tf32_do_not_count() -> None:
    tf32 = dtype_of("tf32")
    assert read_bits(tf32) == 0xFFFFE000
    assert value_of(S32, 0xFFFFFFFF) == -1


def test_what_is_no_element_is_refused() -> None:
    with pytest.raises(SmemdescError, match="6 bits"):
        value_of(dtype_of("e2m3"), 64)
    with pytest.raises(SmemdescError, match="0 and 1"):
        bits_of(dtype_of("b1"), 2)


@pytest.mark.slow
@every_row("dtype", TYPES)
@every_row(("mode", "major"), EVERY_ATOM)
def test_what_is_written_is_read(mode: str, major: str, dtype: DType) -> None:
    atom = atom_shape(mode, major, dtype)
    size = atom_bytes(mode, major)
    operand = Operand(mode, major, dtype, (2 * atom.mn, 2 * atom.k), start=0x400, lbo=size, sbo=2 * size)
    random = Random(f"{mode} {major} {dtype.name}")
    matrix = matrix_of(random, operand)
    memory = written(operand, matrix, noise(random))
    assert elements(operand, memory) == matrix


def test_an_element_outside_is_none() -> None:
    operand = Operand("none", "K", dtype_of("bf16"), (8, 8), start=32)
    memory = Memory(40, bytes(range(1, 17)))
    found = elements(operand, memory)
    assert found[0] == [None, None, None, None, 0x0201, 0x0403, 0x0605, 0x0807]
    assert found[1] == [0x0A09, 0x0C0B, 0x0E0D, 0x100F, None, None, None, None]


def test_half_an_element_outside_is_none() -> None:
    operand = Operand("none", "K", dtype_of("tf32"), (1, 4))
    assert elements(operand, Memory(0, bytes(7)))[0] == [0, None, None, None]


def test_the_low_nibble_is_the_even_element() -> None:
    operand = Operand("none", "K", PACKED_E2M1, (1, 32))
    assert elements(operand, Memory(0, b"\x21\x43"))[0][:5] == [1, 2, 3, 4, None]
