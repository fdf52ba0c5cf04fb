"""The address of every element, by an independent formula and by the figures; what LBO and SBO mean for it."""

from __future__ import annotations

import random

import pytest
from operands.writing import MODES, bit_address
from tables import every_row

from smemdesc import SmemdescError, context
from smemdesc.kinds.types import DTYPES, PACKED_E2M1, DType, dtype_of
from smemdesc.layout.operand import Operand, bank
from smemdesc.layout.strides import LBO, SBO, strides_of


def operand(
    mode: str, major: str, dtype: DType, shape: tuple[int, int], start: int, lbo: int, sbo: int, base_offset: int
) -> Operand:
    return Operand(mode, major, dtype, shape, start=start, lbo=lbo, sbo=sbo, base_offset=base_offset)


@every_row("kind", [*DTYPES, PACKED_E2M1])
@every_row("major", ["K", "MN"])
@every_row("mode", MODES)
def test_address(mode: str, major: str, kind: DType) -> None:
    rng = random.Random(f"{mode}{major}{kind.name}")
    for _ in range(6):
        numbers = (rng.randrange(1024) * 16, rng.randrange(512) * 16, rng.randrange(512) * 16, rng.randrange(8))
        made = operand(mode, major, kind, (256, 256), *numbers)
        for mn, k in [(rng.randrange(256), rng.randrange(256)) for _ in range(50)]:
            assert made.bit_address(mn, k) == bit_address(mode, major, kind, numbers, mn, k)


@pytest.mark.slow
@every_row("dtype", [*DTYPES, PACKED_E2M1])
@every_row("major", ["K", "MN"])
@every_row("mode", MODES)
def test_the_summands_of_an_element_add_up(mode: str, major: str, dtype: DType) -> None:
    made = [operand(mode, major, dtype, (32, 256), 1104, 4112, 2064, 3)]
    if (mode, major) == ("128B", "K"):
        made += [Operand(mode, major, dtype, (16, 96), start=112, lbo=4096, sbo=1024, absolute=True)]
    for one in made:
        for mn, k in one.coordinates():
            assert sum(term.bits for term in one.terms(mn, k)) == one.linear(mn, k)


@pytest.mark.slow
@pytest.mark.parametrize(("dtype", "mma_kind"), [("bf16", None), ("e2m3", None), ("e2m1", None), ("e2m1", "mxf4")])
@pytest.mark.parametrize("major", ["K", "MN"])
@pytest.mark.parametrize("mode", MODES)
def test_grid_and_units_have_the_address_of_each_element(
    mode: str, major: str, dtype: str, mma_kind: str | None
) -> None:
    made = operand(mode, major, dtype_of(dtype, mma_kind), (32, 64), 1040, 4112, 2064, 3)
    assert made.grid == [[made.bit_address(mn, k) for k in range(64)] for mn in range(32)]
    assert all(address == made.address(mn, k) for mn, k, address in made.unit_addresses())


@every_row("dtype", ["e2m1", "e2m3", "e4m3", "bf16", "tf32"])
@every_row("major", ["K", "MN"])
@every_row("mode", MODES)
def test_element_at_a_byte_is_the_inverse(mode: str, major: str, dtype: str) -> None:
    made = Operand(mode, major, dtype_of(dtype), (32, 32), start=4096, lbo=65536, sbo=2048)
    for mn, k in made.coordinates():
        assert (mn, k) in made.at_byte(made.address(mn, k))
    assert made.at_byte(4095) == []


def test_strides_that_overlap_are_found() -> None:
    apart = Operand("128B", "K", dtype_of("bf16"), (64, 64), start=1024, sbo=1024)
    assert (apart.intervals(), apart.overlaps()) == ([(1024, 1024 + 64 * 128)], [])
    made = Operand("128B", "K", dtype_of("bf16"), (16, 16), sbo=256)
    assert made.overlaps()
    assert len(made.at_byte(made.address(8, 0))) > 1


@pytest.mark.parametrize("width", [32, 64, 128])
def test_swizzle_takes_bank_conflicts_away(width: int) -> None:
    assert Operand(f"{width}B", "K", dtype_of("bf16"), (64, width // 2), sbo=8 * width).bank_conflict() == 1


def test_absolute_mode_continues_at_the_address_in_lbo() -> None:
    """The second chunk of K begins where the 128-byte line of the first ends."""
    dtype = dtype_of("e2m1", "mxf4")
    made = Operand("128B", "K", dtype, (8, 96), start=96, lbo=16384, sbo=1024, absolute=True)
    assert made.address(0, 63) == 127
    assert made.address(0, 64) == 16384
    assert made.address(1, 64) == 16384 + 128 + 16
    assert made.grid == [[made.bit_address(mn, k) for k in range(96)] for mn in range(8)]


def test_absolute_mode_is_for_k_major_128b() -> None:
    with pytest.raises(SmemdescError, match="128B"):
        Operand("64B", "K", dtype_of("bf16"), (8, 16), absolute=True)


def test_bank() -> None:
    assert [bank(address) for address in (0, 4, 127, 128, 132)] == [0, 1, 31, 0, 1]


@every_row("start", range(0, 128, 16))
def test_k_96_lies_in_the_lines_that_its_segments_say(start: int) -> None:
    """PTX ISA 9.1, 9.7.16.3.1.2: 48 bytes of K, cut where a 128-byte line ends; the rest is at the address in LBO."""
    begin, lbo = 1024 + start, 4096
    shown = Operand("128B", "K", dtype_of("e2m1", "mxf4"), (8, 96), start=begin, lbo=lbo, sbo=1024, absolute=True)
    found = {}
    for segment in shown.segments:
        for k in range(segment.k[0], segment.k[1] + 1):
            found[k] = segment.line * 8 + segment.bytes[0] * 8 + 4 * (k - segment.k[0])
        assert 2 * (segment.bytes[1] - segment.bytes[0] + 1) == segment.k[1] - segment.k[0] + 1
    assert found == {k: shown.start * 8 + shown.linear(0, k) for k in range(96)}
    assert len(shown.segments) == (2 if start + 48 > 128 else 1)


def test_segments_are_of_lbo_mode_absolute_only() -> None:
    assert Operand("128B", "K", dtype_of("e2m1", "mxf4"), (8, 64), sbo=1024).segments == ()


ROLES = [
    # swizzle, major: what LBO steps along, one packed step of it; the same for SBO (in bytes)
    ("none", "K", ("K", 128), ("MN", 128)),
    ("32B", "K", ("K", 256), ("MN", 256)),
    ("64B", "K", ("K", 512), ("MN", 512)),
    ("128B", "K", ("K", 1024), ("MN", 1024)),
    ("none", "MN", ("K", 128), ("MN", 128)),
    ("32B", "MN", ("MN", 256), ("K", 256)),
    ("64B", "MN", ("MN", 512), ("K", 512)),
    ("128B", "MN", ("MN", 1024), ("K", 1024)),
    ("128B_32B", "MN", ("MN", 512), ("K", 512)),
]
"""PTX ISA 9.1, 9.7.15.5.1.2.1 and its canonical layouts; CUTLASS mma_sm100_desc.hpp for 128B_32B."""


@every_row(("swizzle", "major", "lbo", "sbo"), ROLES)
def test_roles(swizzle: str, major: str, lbo: tuple[str, int], sbo: tuple[str, int]) -> None:
    first, second = strides_of(swizzle, major, context())
    assert (first.key, second.key) == (LBO, SBO)
    assert ((first.along, first.packed), (second.along, second.packed)) == (lbo, sbo)


@every_row(
    ("swizzle", "case", "used"),
    [
        ("128B", {"dtype": "f16", "major": "K", "shape": "64x16"}, (False, True)),
        ("128B", {"dtype": "f16", "major": "K", "shape": "8x16"}, (False, False)),
        ("32B", {"dtype": "f16", "major": "K", "shape": "64x16"}, (False, True)),
        ("32B", {"dtype": "f16", "major": "K", "shape": "64x32"}, (True, True)),
        ("none", {"dtype": "f16", "major": "K", "shape": "64x16"}, (True, True)),
        ("128B", {"dtype": "f16", "major": "MN", "shape": "64x16"}, (False, True)),
        ("128B", {"dtype": "f16", "major": "MN", "shape": "128x16"}, (True, True)),
        ("128B", {"dtype": "tf32", "major": "MN", "shape": "32x8"}, (False, False)),
        ("128B_32B", {"dtype": "tf32", "major": "MN", "shape": "32x8"}, (False, True)),
        ("none", {"dtype": "f16", "major": "MN", "shape": "8x16"}, (True, False)),
        ("128B", {"major": "K"}, (None, None)),
        ("128B", {"dtype": "f16", "major": "K"}, (False, None)),
    ],
)
def test_whether_the_operand_reaches_a_second_step(
    swizzle: str, case: dict[str, str], used: tuple[bool | None, bool | None]
) -> None:
    first, second = strides_of(swizzle, case["major"], context(**case))  # type: ignore[arg-type]
    assert (first.used, second.used) == used


@every_row(("swizzle", "major", "lbo", "sbo"), ROLES)
def test_only_rows_of_one_atom_are_counted(swizzle: str, major: str, lbo: object, sbo: object) -> None:
    for stride in strides_of(swizzle, major, context()):
        rows = f"x {stride.width} B"
        assert rows in stride.explain(stride.packed)
        assert "contiguous" in stride.explain(stride.packed)
        assert rows not in stride.explain(2 * stride.packed)
        assert f", 2 {stride.pieces}" in stride.explain(2 * stride.packed)
