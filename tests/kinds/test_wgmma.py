"""The wgmma descriptor against PTX ISA 9.1 (9.7.15.5.1.2.2) and its figures."""

from __future__ import annotations

import pytest

from smemdesc.descriptors.encoding import encode
from smemdesc.descriptors.result import decode
from smemdesc.engine.fields import Scalar
from smemdesc.kinds.kind import kind_of

TABLE = kind_of("wgmma").table

POSITIONS = [
    ("start_address", 13, 0),
    ("reserved_14", 15, 14),
    ("leading_byte_offset", 29, 16),
    ("reserved_30", 31, 30),
    ("stride_byte_offset", 45, 32),
    ("reserved_46", 48, 46),
    ("base_offset", 51, 49),
    ("reserved_52", 61, 52),
    ("swizzle", 63, 62),
]

FIGURES = [
    pytest.param(0x0000000800100000, (0, 256, 128, "none"), id="Figure 166"),
    pytest.param(0xC000001000010000, (0, 16, 256, "32B"), id="Figure 167"),
    pytest.param(0x0000000800100000, (0, 256, 128, "none"), id="Figure 168"),
    pytest.param(0xC000002000100000, (0, 256, 512, "32B"), id="Figure 169"),
    pytest.param(0x8000004000200000, (0, 512, 1024, "64B"), id="Figure 170"),
    pytest.param(0x4000004000010040, (1024, 16, 1024, "128B"), id="K-major 128B f16 at 1 KiB"),
]
"""PTX ISA 9.1, Figures 166-170: (start, LBO, SBO, swizzle), bytes, with the operand at address 0."""

NAMES = ("start_address", "leading_byte_offset", "stride_byte_offset", "swizzle")


def test_positions() -> None:
    assert [(row.key, row.hi, row.lo) for row in TABLE.rows] == POSITIONS


@pytest.mark.parametrize(("value", "fields"), FIGURES)
def test_figure_decodes(value: int, fields: tuple[Scalar, ...]) -> None:
    result = decode(value, "wgmma")
    assert tuple(result.fields[name].value for name in NAMES) == fields
    assert not result.findings


@pytest.mark.parametrize(("value", "fields"), FIGURES)
def test_figure_encodes(value: int, fields: tuple[Scalar, ...]) -> None:
    assert encode("wgmma", **dict(zip(NAMES, fields, strict=True))) == value


@pytest.mark.parametrize(("code", "name"), [(0, "none"), (1, "128B"), (2, "64B"), (3, "32B")])
def test_swizzle_codes(code: int, name: str) -> None:
    assert TABLE.read(code << 62)["swizzle"].value == name
    assert encode("wgmma", swizzle=name) >> 62 == code


@pytest.mark.parametrize("address", [0, 16, 1024, 0x3FFF0])
def test_addresses_are_stored_without_their_low_four_bits(address: int) -> None:
    assert encode("wgmma", start_address=address) & 0xFFFF == (address & 0x3FFFF) >> 4


def test_what_is_left_out() -> None:
    assert encode("wgmma") == 1 << 16
