"""The rules across the operands of one instruction: each is triggered, and each has a near miss."""

from __future__ import annotations

from typing import Any

import pytest
from tables import every_row

from smemdesc import encode
from smemdesc.instructions.mma import judge_mma
from smemdesc.instructions.model import Mma, MmaOperand, OperandTile
from smemdesc.kinds.instruction import Instruction
from smemdesc.rules.operands import RULES

ALL = (1 << 64) - 1
WGMMA = Instruction(
    "wgmma", m=64, n=128, k=16, a_type="bf16", b_type="bf16", d_type="f32", a_major="K", b_major="MN", sparse=False
)
TCGEN05 = Instruction("tcgen05", mma_kind="f16", mma_kinds=("f16",), cta_group=1, ws=False, sparse=False)
IDESC = 0x08200490
"""bf16 x bf16 into f32, 128x128, both K-major."""


def whole(bits: int, width: int = 64) -> MmaOperand:
    return MmaOperand(bits, (1 << width) - 1)


def descriptor(kind: str, start: int = 1024, sbo: int = 1024, lbo: int = 16, swizzle: str = "128B") -> MmaOperand:
    fields: dict[str, Any] = {"start_address": start, "leading_byte_offset": lbo, "stride_byte_offset": sbo}
    return whole(encode(kind, swizzle=swizzle, force=True, **fields))


K_MAJOR = {"start": 1024}
MN_MAJOR = {"start": 0x8000, "lbo": 8192, "sbo": 1024}
"""What a tile of 64 k has: atoms of 64 x 8, contiguous along K."""


def wgmma(a: dict[str, Any] | None = None, b: dict[str, Any] | None = None, **more: Any) -> Mma:
    in_registers = more.get("a_from") == "registers"
    first = None if in_registers else descriptor("wgmma", **(K_MAJOR if a is None else a))
    return Mma(WGMMA._replace(**more), first, descriptor("wgmma", **(MN_MAJOR if b is None else b)))


def tcgen05(
    idesc: int = IDESC,
    a: dict[str, Any] | None = None,
    b: dict[str, Any] | None = None,
    mask: int | None = None,
    kind: str = "f16",
    **more: Any,
) -> Mma:
    first = None if more.get("a_from") == "tmem" else descriptor("tcgen05", **(a or K_MAJOR))
    second = descriptor("tcgen05", **(b or {"start": 0x8000}))
    instruction = TCGEN05._replace(mma_kind=kind, mma_kinds=(kind,), **more)
    return Mma(instruction, first, second, whole(idesc, 32), None if mask is None else whole(mask))


def shift(columns: int) -> int:
    return encode("mask", column_shift=columns, skip_span=1, use_span=3, non_zero_mask=True)


def rules_of(mma: Mma) -> set[str]:
    return {finding.rule for finding in judge_mma(mma).across}


ZERO = {"start": 0, "sbo": 0, "lbo": 0, "swizzle": "none"}
MXF8 = encode("idesc", mma_kind="mxf8f6f4", a_type="e4m3", b_type="e4m3", m=128, n=128)
FP8 = 0x08200010
"""e4m3 x e4m3 into f32, 128x128."""


def on_107(mma: Mma, of_a: int, of_b: int) -> Mma:
    """Return an instruction of sm_107a with bit 53 of A and of B."""
    a, b = (operand and whole(operand.bits | bit << 53) for operand, bit in ((mma.a, of_a), (mma.b, of_b)))
    return mma._replace(a=a, b=b, arch="sm_107a")


PLAIN = {"start": 1024, "swizzle": "none", "lbo": 2048, "sbo": 128}
"""What a tile of 128 rows has, K-major without swizzle: columns of 16 B one after another."""
MXF4_96 = encode("idesc", mma_kind="mxf4", a_type="e2m1", b_type="e2m1", m=128, n=128, k=96)


def absolute(start: int) -> MmaOperand:
    fields: dict[str, Any] = {"start_address": start, "leading_byte_offset": start // 128 * 128, "lbo_mode": "absolute"}
    return whole(encode("tcgen05", stride_byte_offset=1024, swizzle="128B", **fields))


def in_tiles(mma: Mma, a: int | None, b: int | None, k: int = 128, **said: Any) -> Mma:
    """Return an instruction with tiles of 128 rows that begin at these bytes."""
    tiles = [OperandTile((128, k), start=at) for at in (a, b)]
    return mma._replace(a_tile=tiles[0], b_tile=tiles[1], instruction=mma.instruction._replace(**said))


TRIGGERS = [
    (tcgen05(0x40004040), "idesc-is-high-word"),
    (tcgen05(IDESC | 4), "sparse-and-instruction"),
    (tcgen05(sparse=True), "sparse-and-instruction"),
    (tcgen05(IDESC | 1 << 15, a_from="tmem"), "transposed-a-in-tmem"),
    (tcgen05(a_from="registers"), "a-from"),
    (wgmma(a_from="tmem"), "a-from"),
    (tcgen05()._replace(a=descriptor("wgmma")), "kinds-differ"),
    (wgmma(ZERO, ZERO), "empty-group"),
    (wgmma(b_type="f16"), "wgmma-types"),
    (wgmma(d_type="f16"), "wgmma-types"),
    (wgmma(a_type="e4m3", b_type="s8", k=32), "wgmma-types"),
    (wgmma(a_type="b1", b_type="b1", d_type="s32", k=512, sparse=True, b_major="K"), "wgmma-types"),
    (wgmma(a_type="e2m1", b_type="e2m1", k=32, b_major="K")._replace(a=None, b=None), "wgmma-types"),
    (wgmma(a_from="registers", a_major="MN")._replace(a=None), "wgmma-transposed"),
    (wgmma(a_type="e4m3", b_type="e4m3", k=32)._replace(b=None), "wgmma-transposed"),
    (wgmma(m=128), "wgmma-shape"),
    (wgmma(n=20), "wgmma-shape"),
    (wgmma(n=40, a_type="s8", b_type="s8", d_type="s32", k=32), "wgmma-shape"),
    (wgmma(k=32), "wgmma-shape"),
    (wgmma(sparse=True), "wgmma-shape"),
    (tcgen05(scale_vec=2), "scale-vec-kind"),
    (tcgen05(qualifiers=("lut-b",)), "qualifier-arch"),
    (tcgen05(qualifiers=("collector-b",))._replace(arch="sm_100a"), "qualifier-arch"),
    (tcgen05(qualifiers=("scale-input-d",))._replace(arch="sm_110a"), "qualifier-arch"),
    (tcgen05(MXF8, kind="mxf8f6f4", qualifiers=("scale-vec",))._replace(arch="sm_100f"), "qualifier-arch"),
    (tcgen05(qualifiers=("collector-a",), ws=True), "qualifier-arch"),
    (tcgen05(qualifiers=("collector-b",)), "instruction-arch"),
    (tcgen05(0x08400DA0, kind="ti16"), "instruction-arch"),
    (tcgen05(qualifiers=("ashift",)), "ashift"),
    (tcgen05(IDESC - (4 << 24), qualifiers=("ashift",), a_from="tmem")._replace(a=None), "ashift"),
    (on_107(tcgen05(FP8, kind="f8f6f4"), 0, 1), "compressed-b"),
    (on_107(tcgen05(FP8, kind="f8f6f4", qualifiers=("lut-b",)), 1, 0), "compressed-b"),
    (on_107(tcgen05(FP8 | 1 << 16, kind="f8f6f4", qualifiers=("lut-b",)), 0, 0), "compressed-b"),
    (on_107(tcgen05(FP8 | 1 << 10, kind="f8f6f4", qualifiers=("lut-b",)), 0, 1), "compressed-b"),
    (on_107(tcgen05(FP8 | 4, kind="f8f6f4", sparse=True, qualifiers=("lut-b",)), 0, 1), "compressed-b"),
    (tcgen05(cta_group=1, other_group="UTCBAR.2CTA"), "mixed-cta-group"),
    (tcgen05(mask=shift(0)), "mask-and-instruction"),
    (tcgen05(mask=shift(0), ws=True, cta_group=2), "mask-and-instruction"),
    (tcgen05(MXF8, mask=shift(0), ws=None, kind="mxf8f6f4"), "mask-and-instruction"),
    (tcgen05(mask=shift(4), ws=True), "shift-beyond-max"),
    (tcgen05(IDESC | 1 << 30, mask=shift(9), ws=True), "shift-beyond-max"),
    (tcgen05(IDESC | 1 << 16), "transpose-and-strides"),
    (wgmma(b={"start": 0x8000}), "transpose-and-strides"),
    (tcgen05(a={"start": 1024 + 32}), "k-steps-differ"),
    (tcgen05(a={"start": 1024, "swizzle": "64B", "sbo": 512}, b={"start": 0x8000 + 96}), "k-steps-differ"),
    (in_tiles(tcgen05(b={"start": 0x8000 + 0x4000}), 0x400, 0x8000), "k-steps-differ"),
    (in_tiles(tcgen05(0x08218490, MN_MAJOR, {**MN_MAJOR, "start": 0x18800}), 0x8000, 0x18000, 64), "k-steps-differ"),
    (in_tiles(tcgen05(a=PLAIN, b={**PLAIN, "start": 0x9000}), 0x400, 0x8000), "k-steps-differ"),
    (in_tiles(tcgen05(a={"start": 1024 + 64}, b={**PLAIN, "start": 0x9000}), 0x400, 0x8000), "k-steps-differ"),
    (in_tiles(tcgen05(IDESC | 4, a={"start": 1024 + 32}, b={"start": 0x8000 + 32}), 0x400, 0x8000), "k-steps-differ"),
    (tcgen05(MXF4_96, kind="mxf4")._replace(a=absolute(0x400 + 48), b=absolute(0x8000)), "k-steps-differ"),
    (in_tiles(tcgen05(MXF8, {"start": 0x420}, {"start": 0x8020}, kind="mxf8f6f4"), 0x400, 0x8000), "scale-id-and-step"),
    (tcgen05(b={"start": 0x3000}), "operands-share-memory"),
    (in_tiles(tcgen05(a={"start": 0}, b={"start": 0x4000}), 0, 0x4000), "operands-share-memory"),
    (in_tiles(tcgen05(a={"start": 0}, b={"start": 0x2000}), 0, 0x2000, 64), "operands-share-memory"),
    (wgmma(b={**MN_MAJOR, "start": 0x1000, "lbo": 0x1000}), "operands-share-memory"),
]
NEAR = [
    (tcgen05(), ""),
    (wgmma(), ""),
    (tcgen05(0x40004041), "idesc-is-high-word"),
    (tcgen05(IDESC | 4, sparse=True), "sparse-and-instruction"),
    (tcgen05(IDESC | 4, sparse=None), "sparse-and-instruction"),
    (tcgen05(IDESC | 1 << 15, a=MN_MAJOR, b={"start": 0x10000}), "transposed-a-in-tmem"),
    (tcgen05(a_from="tmem"), "a-from"),
    (wgmma(a_from="registers"), "a-from"),
    (tcgen05()._replace(a=None), "kinds-differ"),
    (wgmma(ZERO), "empty-group"),
    (wgmma(a_type="f16", b_type="f16", d_type="f16"), "wgmma-types"),
    (wgmma(a_type="e4m3", b_type="e5m2", k=32, b_major="K", b={"start": 0x8000}), "wgmma-types"),
    (wgmma(a_from="registers")._replace(a=None, b=None), "wgmma-transposed"),
    (wgmma(sparse=True, k=32, b={**MN_MAJOR, "lbo": 16384}), "wgmma-shape"),
    (wgmma(n=24, a_type="s8", b_type="s8", d_type="s32", k=32, b_major="K", b={"start": 0x8000}), "wgmma-shape"),
    (tcgen05(MXF8, kind="mxf8f6f4", scale_vec=1), "scale-vec-kind"),
    (tcgen05(0x08400DA0, kind="ti16")._replace(arch="sm_107a"), "instruction-arch"),
    (tcgen05(qualifiers=("ashift",), a_from="tmem")._replace(a=None), "ashift"),
    (tcgen05(qualifiers=("collector-b",))._replace(arch="sm_107f"), "qualifier-arch"),
    (tcgen05(qualifiers=("ws",), ws=True), "qualifier-arch"),
    (tcgen05(qualifiers=("scale-input-d",))._replace(arch="sm_100f"), "qualifier-arch"),
    (tcgen05(MXF8, kind="mxf8f6f4", qualifiers=("block-size",))._replace(arch="sm_100f"), "qualifier-arch"),
    (on_107(tcgen05(FP8, kind="f8f6f4", qualifiers=("lut-b",)), 0, 1), "compressed-b"),
    (on_107(tcgen05(FP8, kind="f8f6f4", qualifiers=("lut-b",)), 0, 0), "compressed-b"),
    (tcgen05(cta_group=None, other_group="UTCBAR.2CTA"), "mixed-cta-group"),
    (tcgen05(mask=shift(0), ws=True), "mask-and-instruction"),
    (tcgen05(mask=shift(0), ws=None), "mask-and-instruction"),
    (tcgen05(IDESC | 1 << 30, mask=shift(8), ws=True), "shift-beyond-max"),
    (tcgen05(IDESC | 1 << 16, b=MN_MAJOR), "transpose-and-strides"),
    (tcgen05(b={"start": 0x8000, "lbo": 16384}), "transpose-and-strides"),  # the true stride to the next 64 of K
    (tcgen05(b={"start": 0x8000, "lbo": 1024, "sbo": 2048}), "transpose-and-strides"),
    (tcgen05(b=MN_MAJOR), "transpose-and-strides"),  # LBO has no effect there
    (wgmma(b_major="K"), "transpose-and-strides"),
    (wgmma(a_major="MN"), "transpose-and-strides"),  # 64 x 16 in one atom: the strides fit both
    (tcgen05(a={"start": 1024 + 32}, b={"start": 0x8000 + 32}), "k-steps-differ"),
    (tcgen05(a={"start": 1024 + 32, "swizzle": "64B", "sbo": 512}, b={"start": 0x8000 + 96}), "k-steps-differ"),
    (in_tiles(tcgen05(a={"start": 0x4400}, b={"start": 0x14000}), 0x400, 0x10000), "k-steps-differ"),
    (
        in_tiles(tcgen05(IDESC | 4, a={"start": 1056}, b={"start": 0x10040}), 0x400, 0x10000, sparse=None),
        "k-steps-differ",
    ),
    (in_tiles(tcgen05(a={"start": 0x440}, b={**PLAIN, "start": 0x12000}), 0x400, 0x10000), "k-steps-differ"),
    (in_tiles(tcgen05(a={"start": 0x4400}, b={"start": 0x10000}), None, 0x10000), "k-steps-differ"),
    (
        in_tiles(tcgen05(MXF8 | 1 << 29 | 1 << 4, {"start": 0x420}, {"start": 0x8020}, kind="mxf8f6f4"), 0x400, 0x8000),
        "",
    ),
    (tcgen05(MXF8 | 1 << 29, kind="mxf8f6f4"), "scale-id-and-step"),  # a factor of A for 128 of K, of B for 32
    (tcgen05(b={"start": 0x4400}), "operands-share-memory"),
    (tcgen05(a={"start": 0}, b={"start": 0}), "operands-share-memory"),
]


@pytest.mark.slow
@every_row(("mma", "rule"), TRIGGERS)
def test_triggers(mma: Mma, rule: str) -> None:
    assert rule in rules_of(mma)


@every_row(("mma", "rule"), NEAR)
def test_near_misses(mma: Mma, rule: str) -> None:
    assert rules_of(mma) == set()


@pytest.mark.parametrize(
    ("b", "at", "severity"),
    [
        ({"start": 0}, 0, "note"),
        ({"start": 0x2000}, 0x2000, "warning"),
        ({"start": 0x4000}, 0x4000, "warning"),
    ],
)
def test_one_tile_for_both_is_a_product_with_itself(b: dict[str, Any], at: int, severity: str) -> None:
    (found,) = judge_mma(in_tiles(tcgen05(a={"start": 0}, b=b), 0, at)).across
    assert (found.rule, found.severity) == ("operands-share-memory", severity)


NARROW = {"e2m3": 3, "e3m2": 4, "e2m1": 5}


@every_row(
    ("a_type", "b_type", "transposed", "arch"),
    [(a, b, bits, arch) for a in NARROW for b in NARROW for bits in (1, 2, 3) for arch in ("sm_110a", "sm_107a", None)],
)
def test_one_note_says_that_the_sources_disagree(a_type: str, b_type: str, transposed: int, arch: str | None) -> None:
    """It is one fact of an instruction, whichever of its operands are transposed."""
    idesc = 0x08200010 | NARROW[a_type] << 7 | NARROW[b_type] << 10 | transposed << 15
    operands = {"a": {**MN_MAJOR, "start": 0x18000}, "b": MN_MAJOR}
    chosen = {name: operands[name] for name, bit in (("a", 1), ("b", 2)) if transposed & bit}
    judged = judge_mma(tcgen05(idesc, kind="f8f6f4", **chosen)._replace(arch=arch))
    said = [(finding.severity, finding.rule) for _, finding in judged.findings if "disagree" in finding.message]
    assert said == [("note", "transpose-narrow")]
    assert not judged.fails(strict=True)


def test_half_an_instruction_descriptor_says_it_too() -> None:
    mma = tcgen05(kind="f8f6f4", a={**MN_MAJOR, "start": 0x18000})
    half = judge_mma(mma._replace(idesc=MmaOperand(0x08208190, 0xFFFFFFFF & ~0x11C00)))
    assert [finding.rule for _, finding in half.findings if "disagree" in finding.message] == ["transpose-narrow"]


@every_row("mma_kind", ["mxf4", "mxf4nvf4"])
def test_what_is_certain_of_packed_operands_stays_an_error(mma_kind: str) -> None:
    idesc = encode("idesc", mma_kind=mma_kind, m=128, n=128) | 1 << 15
    judged = judge_mma(tcgen05(idesc, kind=mma_kind, a={**MN_MAJOR, "start": 0x18000}))
    assert ("error", "transpose-packed-fp4") in {(finding.severity, finding.rule) for _, finding in judged.findings}


def test_every_rule_has_both() -> None:
    names = {rule.name for rule in RULES}
    assert {rule for _, rule in TRIGGERS} == names
    assert {rule for _, rule in NEAR if rule} == names


@every_row("rule", RULES)
def test_a_rule_says_what_must_hold_and_who_says_so(rule: Any) -> None:
    assert rule.doc.endswith(".")
    assert any(name in rule.source for name in ("PTX ISA", "CUTLASS", "ptxas", "the address formula"))
