"""The rules for the descriptors of wgmma and tcgen05 operands."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from samples import WIDE, case_of, contexts, found, realistic, some
from tables import every_row

from rules.tables.shared_memory import K_F16, LBO, SBO, SMEM, START
from smemdesc import Context, encode
from smemdesc.descriptors.decoding import decode_value
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODES
from smemdesc.layout.operand import Operand
from smemdesc.rules import worst
from smemdesc.rules.shared_memory import _collide


def assert_sound(findings: set[tuple[str, str]]) -> None:
    """A case that is known as a whole is at most noted to be a tile's."""
    assert findings <= {("note", "tile-and-box")}


CANONICAL = [
    # swizzle, major, type, LBO, SBO of packed atoms (PTX ISA 9.1, 9.7.15.5.1.2.1; CUTLASS for 128B_32B)
    *(
        (mode, "K", dtype, 16, 8 * width)
        for mode, width in (("32B", 32), ("64B", 64), ("128B", 128))
        for dtype in ("f16", "tf32", "s8", "e5m2")
    ),
    *(("none", "K", dtype, 128, 256) for dtype in ("f16", "tf32", "s8")),
    *((mode, "MN", "bf16", 8 * width, 2048) for mode, width in (("32B", 32), ("64B", 64), ("128B", 128))),
    ("none", "MN", "bf16", 128, 256),
]


@every_row("kind", SMEM)
@every_row(("swizzle", "major", "dtype", "lbo", "sbo"), CANONICAL)
def test_canonical_layouts_are_sound(kind: str, swizzle: str, major: str, dtype: str, lbo: int, sbo: int) -> None:
    k = {"tf32": 8, "s8": 32, "e5m2": 32}.get(dtype, 16)
    fields = {"swizzle": swizzle, LBO: lbo, SBO: sbo}
    assert_sound(found(kind, fields, dtype=dtype, major=major, shape=(64, k)))


def test_mn_major_tf32_is_sound_with_its_own_mode() -> None:
    fields = {"swizzle": "128B_32B", LBO: 512, SBO: 2048}
    assert_sound(found("tcgen05", fields, dtype="tf32", major="MN", shape=(64, 8)))


@pytest.mark.parametrize("kind", SMEM)
def test_a_start_inside_the_pattern_is_normal(kind: str) -> None:
    for start in range(0, 1024, 16):
        if start % 128 <= 96:
            assert_sound(found(kind, {START: start}, **K_F16))


@pytest.mark.parametrize(
    ("sbo", "says"),
    [
        (256, "256 B is 8 rows of 32 B: the swizzle mode may be 32B (code 3 in wgmma, 6 in tcgen05"),
        (512, "may be 64B"),
    ],
)
def test_what_it_probably_means(sbo: int, says: str) -> None:
    findings = decode_value(0x4000400000010040 | sbo // 16 << 32, "tcgen05").findings
    assert any(says in finding.likely for finding in findings)


@pytest.mark.parametrize("sbo", [1024, 2048])
def test_of_a_true_step_that_has_no_effect_nothing_is_guessed(sbo: int) -> None:
    value = encode("tcgen05", start_address=1024, **{LBO: 8192, SBO: sbo}, swizzle="128B")
    findings = decode_value(value, "tcgen05", context=case_of(kind_of("tcgen05"), **K_F16)).findings
    (said,) = [each for each in findings if each.rule == "lbo-k-major-swizzled"]
    assert (said.severity, said.likely, said.fix, said.repair) == ("note", "", "", ())


@some(150)
@given(realistic(kind_of("tcgen05")), contexts)
def test_sources_name_the_instruction_of_the_kind(bits: int, context: Context) -> None:
    for finding in decode_value(bits, "tcgen05", context=context).findings:
        assert "9.7.15" not in finding.source or "9.7.16" in finding.source


def test_worst_of_nothing() -> None:
    assert worst(()) is None
    assert {kind.name for kind in WIDE} == {*SMEM, "mask"}


@every_row("major", ["K", "MN"])
@every_row("mode", [each.name for each in MODES])
def test_a_small_sbo_is_a_fault_only_where_two_units_lie_in_one_place(mode: str, major: str) -> None:
    if (mode, major) == ("128B_32B", "K"):
        return
    for mn in (8, 16, 24, 64):
        case = case_of(kind_of("wgmma"), dtype="f16", major=major, shape=f"{mn}x16")
        assert case.dtype is not None
        for sbo in range(16, 1024, 16):
            # Panels that LBO moves are far away.
            operand = Operand(mode, major, case.dtype, (mn, 16), lbo=1 << 17, sbo=sbo)
            places = [address for _, _, address in operand.unit_addresses()]
            assert _collide(sbo, mode, major, case) == (len(set(places)) < len(places)), (mn, sbo)


@every_row(
    ("sbo", "shape", "says"),
    [
        (64, "32x16", "warning"),
        (64, "16x16", None),  # a sixteenth of the atom, and right
        (48, "8x16", None),
        (32, "16x16", None),
        (64, "64x16", "warning"),
        (64, None, "warning"),
        (96, None, "note"),
    ],
)
def test_rows_narrower_than_the_atom_may_lie_side_by_side(sbo: int, shape: str | None, says: str | None) -> None:
    value = 0x4000000000010040 | sbo // 16 << 32
    case = {"dtype": "f16", "major": "K", "shape": shape} if shape else {}
    severities = {rule: severity for severity, rule in found("wgmma", value, **case)}
    assert severities.get("sbo-below-atom") == says


@every_row(
    ("start", "base_offset", "swizzle", "major", "wrong"),
    [
        (0x400, 1, "128B", "K", True),
        (0x420, 1, "128B", "MN", True),
        (0x480, 2, "128B", "K", True),
        (0x200, 1, "64B", "K", True),
        (0x2C0, 1, "64B", "K", True),
        (0x100, 1, "32B", "MN", True),
        (0x420, 0, "128B", "K", False),
        (0x4A0, 1, "128B", "K", False),
        (0x480, 1, "128B", "MN", False),
        (0x2A0, 5, "64B", "K", False),  # two bits act
        (0x280, 4, "64B", "K", False),
        (0x180, 1, "32B", "K", False),
        (0x400, 1, "none", "K", False),
    ],
)
def test_a_base_offset_that_no_step_of_a_tile_has(
    start: int, base_offset: int, swizzle: str, major: str, wrong: bool
) -> None:
    fields = {"start_address": start, "base_offset": base_offset, "stride_byte_offset": 1024, "swizzle": swizzle}
    rules = {rule for _, rule in found("tcgen05", fields, dtype="bf16", major=major, tile="128x128")}
    assert ("tile-base-offset" in rules) is wrong


@every_row(
    ("start", "swizzle", "case", "says"),
    [
        (0x400, "128B", {}, None),
        (0x420, "128B", {}, None),
        (0x410, "128B", {}, "error"),
        (0x480, "128B", {}, "warning"),
        (0x7E0, "128B", {}, "warning"),
        (0x490, "128B", {}, "error"),
        (0x240, "64B", {}, "warning"),
        (0x200, "64B", {}, None),
        (0x120, "32B", {}, "warning"),
        (0x110, "32B", {}, "error"),
        (0x410, "none", {}, None),  # where a tile without swizzle begins is free
        (0x480, "128B", {"base_offset": 1}, None),
        (0x410, "128B", {"major": "MN"}, None),  # an N of 8
        (0x410, "128B", {"major": "MN", "shape": "64x16"}, "error"),
        (0x440, "128B", {"major": "MN", "shape": "32x16"}, None),
        (0x480, "128B", {"major": "MN"}, "warning"),
        (0x420, "128B", {"shape": "64x32"}, "error"),  # B of a sparse instruction
        (0x410, "128B", {"dtype": "e2m1", "mma_kind": "mxf4"}, None),  # K = 96: steps of 48 B
    ],
)
def test_a_start_that_no_step_of_a_tile_has(start: int, swizzle: str, case: dict[str, Any], says: str | None) -> None:
    case = {"dtype": "bf16", "major": "K", "tile": "128x128", **case}
    fields = {"start_address": start, "base_offset": case.pop("base_offset", 0), "swizzle": swizzle}
    severities = {rule: severity for severity, rule in found("tcgen05", {"stride_byte_offset": 1024, **fields}, **case)}
    assert severities.get("tile-start") == says
