"""The rules for the descriptors of wgmma and tcgen05 operands."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from samples import WIDE, case_of, contexts, found, realistic, some

from smemdesc import encode
from smemdesc.descriptors.result import decode
from smemdesc.kinds.context import Context
from smemdesc.kinds.kind import kind_of
from smemdesc.kinds.modes import MODES
from smemdesc.layout.operand import Operand
from smemdesc.rules import worst
from smemdesc.rules.shared_memory import _collide

SMEM = ("wgmma", "tcgen05")
START, LBO, SBO = "start_address", "leading_byte_offset", "stride_byte_offset"

K_F16: dict[str, Any] = {"dtype": "f16", "major": "K", "shape": "64x16"}
MN_F16: dict[str, Any] = {"dtype": "f16", "major": "MN", "shape": "64x16"}
MN_F16_WIDE: dict[str, Any] = {"dtype": "f16", "major": "MN", "shape": "128x16"}
WIDE_K: dict[str, Any] = {"dtype": "f16", "major": "K", "shape": "64x32"}
ABSOLUTE: dict[str, Any] = {"lbo_mode": "absolute"}

# The sound value has start 1024, LBO 16, SBO 1024, 128B; fields given here replace its own.
Case = tuple[str, dict[str, Any], dict[str, Any], str, str]
BOTH: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    ({"swizzle": "64B", "base_offset": 4}, {}, "note", "base-offset-beyond-mode"),
    ({"swizzle": "32B", "base_offset": 2}, {}, "note", "base-offset-beyond-mode"),
    ({"base_offset": 1}, {}, "note", "base-offset-set"),
    ({"base_offset": 7}, {}, "note", "base-offset-set"),
    ({"swizzle": "64B", "base_offset": 5}, {}, "note", "base-offset-set"),
    ({SBO: 256}, K_F16, "warning", "sbo-below-atom"),
    ({SBO: 512}, {}, "warning", "sbo-below-atom"),
    ({SBO: 64}, {}, "warning", "sbo-below-atom"),
    ({"swizzle": "32B", SBO: 128}, {}, "warning", "sbo-below-atom"),
    ({"swizzle": "none", LBO: 128, SBO: 64}, K_F16, "warning", "sbo-below-atom"),
    ({SBO: 512}, MN_F16, "warning", "sbo-below-atom"),
    ({SBO: 0}, {}, "note", "sbo-zero"),
    ({SBO: 0}, K_F16, "warning", "sbo-zero"),
    ({SBO: 0}, MN_F16, "warning", "sbo-zero"),
    ({SBO: 0}, {"major": "K"}, "note", "sbo-zero"),
    ({SBO: 16384}, {}, "warning", "sbo-not-divided"),
    ({SBO: 16384}, K_F16, "warning", "sbo-not-divided"),
    ({"swizzle": "64B", SBO: 8192}, {"major": "K"}, "warning", "sbo-not-divided"),
    ({"swizzle": "32B", SBO: 4096}, K_F16, "warning", "sbo-not-divided"),
    ({"swizzle": "none", LBO: 1024, SBO: 2048}, K_F16, "warning", "sbo-not-divided"),
    ({LBO: 1024, SBO: 32768}, MN_F16_WIDE, "warning", "sbo-not-divided"),
    ({LBO: 1024, SBO: 16384}, MN_F16_WIDE, "warning", "sbo-not-divided"),
    ({"swizzle": "none", LBO: 128, SBO: 4096}, K_F16, "note", "sbo-not-divided"),  # right if K = 256
    ({"swizzle": "none", LBO: 2048, SBO: 256}, K_F16, "warning", "lbo-not-divided"),
    ({"swizzle": "none", LBO: 2048, SBO: 4096}, {}, "warning", "lbo-not-divided"),
    ({"swizzle": "none", LBO: 16384, SBO: 128}, K_F16, "warning", "lbo-not-divided"),
    ({LBO: 131072, SBO: 1024}, MN_F16_WIDE, "warning", "lbo-not-divided"),
    ({LBO: 16384, SBO: 2048}, MN_F16_WIDE, "warning", "lbo-not-divided"),
    ({LBO: 32768}, MN_F16_WIDE, "note", "lbo-not-divided"),  # right if K = 256
    ({SBO: 1040}, {}, "warning", "sbo-inside-row"),
    ({SBO: 1040}, K_F16, "warning", "sbo-inside-row"),
    ({SBO: 1040}, MN_F16, "warning", "sbo-inside-row"),
    ({"swizzle": "64B", SBO: 528}, {}, "warning", "sbo-inside-row"),
    ({"swizzle": "32B", SBO: 272}, {"major": "MN"}, "warning", "sbo-inside-row"),
    ({LBO: 4112}, MN_F16_WIDE, "warning", "lbo-inside-row"),
    ({LBO: 4112}, {"major": "MN"}, "warning", "lbo-inside-row"),
    ({"swizzle": "32B", LBO: 272}, WIDE_K, "warning", "lbo-inside-row"),
    ({}, {"dtype": "bf16", "shape": "128x64"}, "note", "one-instruction"),
    ({}, {"dtype": "bf16", "shape": "64x8"}, "note", "one-instruction"),
    ({}, {"dtype": "e4m3", "shape": "64x128"}, "note", "one-instruction"),
    ({}, {"dtype": "bf16", "shape": "64x24"}, "note", "one-instruction"),
    ({"swizzle": "none", LBO: 64}, {}, "warning", "lbo-below-atom"),
    ({"swizzle": "none", LBO: 16}, K_F16, "warning", "lbo-below-atom"),
    ({"swizzle": "32B", LBO: 64}, WIDE_K, "warning", "lbo-below-atom"),
    ({LBO: 512}, MN_F16_WIDE, "warning", "lbo-below-atom"),
    ({"swizzle": "none", LBO: 0}, {}, "note", "lbo-zero"),
    ({"swizzle": "none", LBO: 0}, K_F16, "warning", "lbo-zero"),
    ({LBO: 0}, MN_F16_WIDE, "warning", "lbo-zero"),
    ({"swizzle": "32B", LBO: 0}, WIDE_K, "warning", "lbo-zero"),
    ({LBO: 1024}, K_F16, "note", "lbo-k-major-swizzled"),
    ({LBO: 64}, {"major": "K"}, "note", "lbo-k-major-swizzled"),
]

TRIGGERS: list[Case] = [
    *((kind, *case) for kind in SMEM for case in BOTH),
    ("wgmma", {"swizzle": "none", LBO: 128, "base_offset": 1}, {}, "warning", "base-offset-without-swizzle"),
    ("tcgen05", {"swizzle": "none", LBO: 128, "base_offset": 1}, {}, "note", "base-offset-without-swizzle"),
    ("tcgen05", {"swizzle": "128B_32B", "base_offset": 4}, {}, "note", "base-offset-beyond-mode"),
    ("tcgen05", {"swizzle": "128B_32B", SBO: 256}, {}, "warning", "sbo-below-atom"),
    ("tcgen05", ABSOLUTE | {"swizzle": "64B"}, {}, "error", "lbo-absolute-swizzle"),
    ("tcgen05", ABSOLUTE | {"swizzle": "128B_32B"}, {}, "error", "lbo-absolute-swizzle"),
    ("tcgen05", ABSOLUTE | {"base_offset": 1}, {}, "error", "lbo-absolute-base-offset"),
    ("tcgen05", ABSOLUTE, {"major": "MN"}, "error", "lbo-absolute-major"),
    ("tcgen05", {"swizzle": "128B_32B"}, {"major": "K"}, "warning", "k-major-32b-atoms"),
    ("tcgen05", {"swizzle": "128B_32B"}, {}, "note", "swizzle-32b-atoms"),
    ("tcgen05", {"swizzle": "128B_32B"}, {"dtype": "tf32"}, "note", "swizzle-32b-atoms"),
    ("tcgen05", {"swizzle": "128B_32B"}, {"dtype": "f16"}, "warning", "swizzle-32b-atoms"),
    ("tcgen05", {}, {"dtype": "tf32", "major": "MN"}, "warning", "tf32-mn-major"),
    ("tcgen05", {"swizzle": "64B"}, {"dtype": "tf32", "major": "MN"}, "warning", "tf32-mn-major"),
    ("tcgen05", {}, {"dtype": "e2m1", "major": "MN", "mma_kind": "mxf4"}, "error", "mn-major-type"),
    ("tcgen05", {}, {"dtype": "e2m1", "major": "MN", "mma_kind": "f8f6f4"}, "warning", "mn-major-type"),
    ("tcgen05", {}, {"dtype": "e3m2", "major": "MN"}, "warning", "mn-major-type"),
    ("tcgen05", {"swizzle": "128B_32B"}, {"dtype": "f16", "major": "MN"}, "error", "mn-major-type"),
    ("tcgen05", {}, {"dtype": "b1"}, "error", "tcgen05-type"),
    ("wgmma", {}, {"dtype": "tf32", "major": "MN"}, "error", "wgmma-major"),
    ("wgmma", {}, {"dtype": "e4m3", "major": "MN"}, "error", "wgmma-major"),
    ("wgmma", {}, {"dtype": "s8", "major": "MN"}, "error", "wgmma-major"),
    ("wgmma", {}, {"dtype": "e2m1"}, "error", "wgmma-type"),
    ("wgmma", {}, {"dtype": "e3m2"}, "error", "wgmma-type"),
]

BOTH_NEAR: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"swizzle": "none", LBO: 128}, {}, "base-offset-without-swizzle"),
    ({"base_offset": 1}, {}, "base-offset-without-swizzle"),
    ({"base_offset": 7}, {}, "base-offset-beyond-mode"),
    ({"swizzle": "64B", "base_offset": 3}, {}, "base-offset-beyond-mode"),
    ({"swizzle": "32B", "base_offset": 1}, {}, "base-offset-beyond-mode"),
    ({"swizzle": "none", LBO: 128, "base_offset": 7}, {}, "base-offset-beyond-mode"),
    ({"swizzle": "64B", "base_offset": 4}, {}, "base-offset-set"),
    ({START: 1056}, {}, "base-offset-set"),
    ({SBO: 1024}, {}, "sbo-below-atom"),
    ({"swizzle": "64B", SBO: 512}, {}, "sbo-below-atom"),
    ({"swizzle": "none", LBO: 128, SBO: 128}, {}, "sbo-below-atom"),
    ({SBO: 512}, {"dtype": "f16", "major": "K", "shape": "8x16"}, "sbo-below-atom"),
    ({SBO: 0}, {}, "sbo-below-atom"),
    ({SBO: 16}, {}, "sbo-zero"),
    ({SBO: 0}, {"dtype": "f16", "major": "K", "shape": "8x16"}, "sbo-zero"),
    ({SBO: 0}, {"dtype": "tf32", "major": "MN", "shape": "64x8"}, "sbo-zero"),
    ({"swizzle": "64B", SBO: 8192}, {}, "sbo-not-divided"),  # MN = 512
    ({SBO: 16384}, {**K_F16, "shape": "8x16"}, "sbo-not-divided"),
    ({SBO: 8192}, K_F16, "sbo-not-divided"),
    ({"swizzle": "none", LBO: 128, SBO: 2048}, K_F16, "sbo-not-divided"),
    ({"swizzle": "none", LBO: 128, SBO: 6144}, K_F16, "sbo-not-divided"),  # K = 384 is no 16 times an instruction's
    ({"swizzle": "none", LBO: 2048, SBO: 128}, K_F16, "lbo-not-divided"),
    ({"swizzle": "none", LBO: 2048, SBO: 128}, {}, "lbo-not-divided"),
    ({LBO: 16384}, MN_F16_WIDE, "lbo-not-divided"),
    ({LBO: 16384}, MN_F16, "lbo-not-divided"),
    ({LBO: 16384}, K_F16, "lbo-not-divided"),
    ({SBO: 1152}, {}, "sbo-inside-row"),
    ({SBO: 528}, {}, "sbo-inside-row"),
    ({SBO: 96}, {"dtype": "f16", "major": "K", "shape": "16x16"}, "sbo-inside-row"),
    ({SBO: 1040}, {"dtype": "f16", "major": "K", "shape": "8x16"}, "sbo-inside-row"),
    ({"swizzle": "none", SBO: 1040, LBO: 128}, {}, "sbo-inside-row"),
    ({LBO: 4112}, {}, "lbo-inside-row"),
    ({LBO: 4112}, K_F16, "lbo-inside-row"),
    ({LBO: 4112}, MN_F16, "lbo-inside-row"),
    ({LBO: 1152}, MN_F16_WIDE, "lbo-inside-row"),
    ({SBO: 16384 - 1024}, {}, "sbo-not-divided"),
    ({}, {"dtype": "bf16", "shape": "64x16"}, "one-instruction"),
    ({}, {"dtype": "bf16", "shape": "64x32"}, "one-instruction"),
    ({}, {"dtype": "tf32", "shape": "64x8"}, "one-instruction"),
    ({}, {"dtype": "e4m3", "shape": "64x32"}, "one-instruction"),
    ({}, {"shape": "64x64"}, "one-instruction"),
    ({"swizzle": "none", LBO: 128}, K_F16, "lbo-below-atom"),
    ({LBO: 16}, {}, "lbo-below-atom"),
    ({LBO: 16}, K_F16, "lbo-below-atom"),
    ({LBO: 16}, {"major": "K"}, "lbo-below-atom"),
    ({LBO: 512}, MN_F16, "lbo-below-atom"),
    ({"swizzle": "32B", LBO: 256}, WIDE_K, "lbo-below-atom"),
    ({LBO: 0}, {}, "lbo-zero"),
    ({LBO: 0}, K_F16, "lbo-zero"),
    ({LBO: 0}, MN_F16, "lbo-zero"),
    ({LBO: 16}, K_F16, "lbo-k-major-swizzled"),
    ({LBO: 0}, K_F16, "lbo-k-major-swizzled"),
    ({LBO: 1024}, {}, "lbo-k-major-swizzled"),
    ({LBO: 1024}, MN_F16, "lbo-k-major-swizzled"),
    ({"swizzle": "none", LBO: 1024}, K_F16, "lbo-k-major-swizzled"),
    ({"swizzle": "32B", LBO: 256}, WIDE_K, "lbo-k-major-swizzled"),
]

NEAR: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    *((kind, *case) for kind in SMEM for case in BOTH_NEAR),
    ("tcgen05", {"swizzle": "128B_32B", "base_offset": 3}, {}, "base-offset-beyond-mode"),
    ("tcgen05", {"swizzle": "128B_32B", SBO: 512}, {}, "sbo-below-atom"),
    ("tcgen05", {"swizzle": "128B_32B", SBO: 512}, {"dtype": "tf32", "major": "MN"}, "sbo-below-atom"),
    ("tcgen05", ABSOLUTE | {LBO: 16, "swizzle": "none"}, {}, "lbo-below-atom"),
    ("tcgen05", ABSOLUTE | {LBO: 0, "swizzle": "none"}, {}, "lbo-zero"),
    ("tcgen05", ABSOLUTE | {LBO: 2048}, {"major": "K"}, "lbo-k-major-swizzled"),
    ("tcgen05", ABSOLUTE | {LBO: 4112}, MN_F16_WIDE, "lbo-inside-row"),
    ("tcgen05", ABSOLUTE | {LBO: 2048, SBO: 256, "swizzle": "none"}, K_F16, "lbo-not-divided"),
    ("tcgen05", ABSOLUTE, {}, "lbo-absolute-swizzle"),
    ("tcgen05", {"swizzle": "64B"}, {}, "lbo-absolute-swizzle"),
    ("tcgen05", ABSOLUTE, {}, "lbo-absolute-base-offset"),
    ("tcgen05", {"base_offset": 1}, {}, "lbo-absolute-base-offset"),
    ("tcgen05", ABSOLUTE, {"major": "K"}, "lbo-absolute-major"),
    ("tcgen05", {}, {"major": "MN"}, "lbo-absolute-major"),
    ("tcgen05", {"swizzle": "128B_32B"}, {"major": "MN"}, "k-major-32b-atoms"),
    ("tcgen05", {}, {"major": "K"}, "k-major-32b-atoms"),
    ("tcgen05", {"swizzle": "128B_32B"}, {"major": "MN", "dtype": "tf32"}, "swizzle-32b-atoms"),
    ("tcgen05", {}, {}, "swizzle-32b-atoms"),
    ("tcgen05", {"swizzle": "128B_32B"}, {"dtype": "tf32", "major": "MN"}, "tf32-mn-major"),
    ("tcgen05", {}, {"dtype": "tf32", "major": "K"}, "tf32-mn-major"),
    ("tcgen05", {}, {"dtype": "f16", "major": "MN"}, "tf32-mn-major"),
    ("tcgen05", {}, {"dtype": "e2m1", "major": "K", "mma_kind": "mxf4"}, "mn-major-type"),
    ("tcgen05", {}, {"dtype": "f16", "major": "MN"}, "mn-major-type"),
    ("tcgen05", {}, {"dtype": "s8", "major": "MN"}, "mn-major-type"),
    ("tcgen05", {"swizzle": "128B_32B"}, {"dtype": "tf32", "major": "MN"}, "mn-major-type"),
    ("tcgen05", {}, {"dtype": "e3m2"}, "tcgen05-type"),
    ("tcgen05", {}, {"dtype": "e2m1", "shape": "64x96", "mma_kind": "mxf4"}, "one-instruction"),
    ("tcgen05", {}, {"dtype": "e2m1", "shape": "64x192", "mma_kind": "mxf4", "arch": "sm_107a"}, "one-instruction"),
    ("tcgen05", {}, {"dtype": "e4m3", "shape": "64x128", "arch": "sm_107a"}, "one-instruction"),
    ("wgmma", {}, {"dtype": "bf16", "major": "MN"}, "wgmma-major"),
    ("wgmma", {}, {"dtype": "tf32", "major": "K"}, "wgmma-major"),
    ("wgmma", {}, {"dtype": "b1"}, "wgmma-type"),
]


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


@pytest.mark.parametrize("kind", SMEM)
@pytest.mark.parametrize(("swizzle", "major", "dtype", "lbo", "sbo"), CANONICAL)
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
    ("fields", "case", "says"),
    [
        ({SBO: 256}, {}, "256 B is 8 rows of 32 B: the swizzle mode may be 32B (code 3 in wgmma, 6 in tcgen05"),
        ({SBO: 512}, {}, "may be 64B"),
        ({SBO: 64}, {}, "64, already in 16-byte units, was divided by 16 again"),
    ],
)
def test_what_it_probably_means(fields: dict[str, Any], case: dict[str, Any], says: str) -> None:
    kind = kind_of("tcgen05")
    value = kind.table.pack(
        kind.table.encode(fields, dict(zip(kind.table.by_key, kind.table.unpack(0x4000404000010040), strict=True)))
    )
    findings = decode(value, "tcgen05", context=case_of(kind, **case)).findings
    assert any(says in finding.likely for finding in findings)


@pytest.mark.parametrize("sbo", [1024, 2048])
def test_of_a_true_step_that_has_no_effect_nothing_is_guessed(sbo: int) -> None:
    value = encode("tcgen05", start_address=1024, **{LBO: 8192, SBO: sbo}, swizzle="128B")
    findings = decode(value, "tcgen05", context=case_of(kind_of("tcgen05"), **K_F16)).findings
    (said,) = [each for each in findings if each.rule == "lbo-k-major-swizzled"]
    assert (said.severity, said.likely, said.fix, said.repair) == ("note", "", "", None)


@some(150)
@given(realistic(kind_of("tcgen05")), contexts)
def test_sources_name_the_instruction_of_the_kind(bits: int, context: Context) -> None:
    for finding in decode(bits, "tcgen05", context=context).findings:
        assert "9.7.15" not in finding.source or "9.7.16" in finding.source


def test_worst_of_nothing() -> None:
    assert worst(()) is None
    assert {kind.name for kind in WIDE} == {*SMEM, "mask"}


@pytest.mark.parametrize("major", ["K", "MN"])
@pytest.mark.parametrize("mode", [each.name for each in MODES])
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
