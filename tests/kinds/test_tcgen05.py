"""The tcgen05 shared-memory descriptor against PTX ISA 9.1 (Table 40) and 9.3 (its reserved rows)."""

from __future__ import annotations

import pytest

from smemdesc.descriptors.encoding import encode
from smemdesc.descriptors.result import decode
from smemdesc.engine.fields import Scalar
from smemdesc.kinds.kind import kind_of

TABLE = kind_of("tcgen05").table

POSITIONS = [
    ("start_address", 13, 0),
    ("reserved_14", 15, 14),
    ("leading_byte_offset", 29, 16),
    ("reserved_30", 31, 30),
    ("stride_byte_offset", 45, 32),
    ("version", 48, 46),
    ("base_offset", 51, 49),
    ("lbo_mode", 52, 52),
    ("fixed_53", 60, 53),
    ("swizzle", 63, 61),
]

FIGURES = [
    pytest.param(0x0000400800100000, (0, 256, 128, "none"), id="Figure 166"),
    pytest.param(0xC000401000010000, (0, 16, 256, "32B"), id="Figure 167"),
    pytest.param(0x0000400800100000, (0, 256, 128, "none"), id="Figure 168"),
    pytest.param(0xC000402000100000, (0, 256, 512, "32B"), id="Figure 169"),
    pytest.param(0x8000404000200000, (0, 512, 1024, "64B"), id="Figure 170"),
    pytest.param(0x4000404000010040, (1024, 16, 1024, "128B"), id="K-major 128B f16 at 1 KiB"),
]
"""The layouts of PTX ISA 9.1, Figures 166-170 (wgmma), as tcgen05 says them: (start, LBO, SBO, swizzle)."""

NAMES = ("start_address", "leading_byte_offset", "stride_byte_offset", "swizzle")


def test_positions() -> None:
    assert [(row.key, row.hi, row.lo) for row in TABLE.rows] == POSITIONS


@pytest.mark.parametrize(("value", "fields"), FIGURES)
def test_figure_decodes(value: int, fields: tuple[Scalar, ...]) -> None:
    result = decode(value)
    assert result.kind == "tcgen05"
    assert tuple(result.fields[name].value for name in NAMES) == fields
    assert not result.findings


@pytest.mark.parametrize(("value", "fields"), FIGURES)
def test_figure_encodes(value: int, fields: tuple[Scalar, ...]) -> None:
    assert encode("tcgen05", **dict(zip(NAMES, fields, strict=True))) == value


@pytest.mark.parametrize(("code", "name"), [(0, "none"), (1, "128B_32B"), (2, "128B"), (4, "64B"), (6, "32B")])
def test_swizzle_codes(code: int, name: str) -> None:
    assert TABLE.read(code << 61)["swizzle"].value == name
    assert encode("tcgen05", swizzle=name) >> 61 == code


@pytest.mark.parametrize("code", [3, 5, 7])
def test_undefined_swizzle_codes(code: int) -> None:
    reading = TABLE.read(code << 61)["swizzle"]
    assert (reading.raw, reading.value) == (code, None)
    assert code in reading.field.codec.wrong  # type: ignore[attr-defined]


@pytest.mark.parametrize("mode", ["none", "128B", "64B", "32B"])
def test_the_modes_of_wgmma_are_the_same_bits(mode: str) -> None:
    assert encode("tcgen05", swizzle=mode) == encode("wgmma", swizzle=mode) | 1 << 46


@pytest.mark.parametrize(("bit", "name"), [(0, "relative"), (1, "absolute")])
def test_lbo_mode(bit: int, name: str) -> None:
    assert TABLE.read(bit << 52)["lbo_mode"].value == name


def test_what_is_left_out() -> None:
    assert encode("tcgen05") == 1 << 46 | 1 << 16
