"""Descriptors decoded for what their instruction says; rules across operands; rows of K steps."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from tables import every_row

import smemdesc
from smemdesc.instructions.mma import Judge
from smemdesc.render.console import lines as drawn
from smemdesc.render.scan import function_view
from smemdesc.render.scan_json import JsonLines
from smemdesc.scanning import scan_text
from smemdesc.scanning.model import Function, Instruction, ScannedMma, ScannedOperand
from smemdesc.scanning.results.report import Tally, fold

ALL = (1 << 64) - 1
WGMMA = Instruction(
    "wgmma", m=64, n=128, k=16, a_type="bf16", b_type="bf16", d_type="f32", a_major="K", b_major="MN", sparse=False
)
TCGEN05 = Instruction("tcgen05", mma_kind="f16", mma_kinds=("f16",), cta_group=1, ws=False, sparse=False)
A, B = 0x4000004000010040, 0x4000008000400240
A100 = 0x4000404000010040
IDESC = 0x08200490


def whole(bits: int, width: int = 64) -> ScannedOperand:
    return ScannedOperand(bits, (1 << width) - 1)


def wgmma(a: ScannedOperand | None = None, b: ScannedOperand | None = None, line: int = 1, **more: Any) -> ScannedMma:
    return ScannedMma(line, "HGMMA x", WGMMA._replace(**more), a or whole(A), b or whole(B), None, None)


def tcgen05(
    idesc: int = IDESC, a: ScannedOperand | None = None, mask: ScannedOperand | None = None, **more: Any
) -> ScannedMma:
    first = None if more.get("a_from") == "tmem" else a or whole(A100)
    return ScannedMma(1, "UTCHMMA x", TCGEN05._replace(**more), first, whole(A100), whole(idesc, 32), mask, None)


@pytest.mark.parametrize(
    ("mma", "dtype", "majors", "shapes"),
    [
        (wgmma(), "bf16", ("K", "MN"), ((64, 16), (128, 16))),
        (wgmma(sparse=True, k=32), "bf16", ("K", "MN"), ((64, 16), (128, 32))),  # A is stored compressed
        (tcgen05(0x08210490, cta_group=2), "bf16", ("K", "MN"), ((64, 16), (64, 16))),  # by the instruction descriptor
    ],
)
def test_types_majors_and_shapes(
    mma: ScannedMma, dtype: str, majors: tuple[str, str], shapes: tuple[object, object]
) -> None:
    found = [(each.dtype and each.dtype.name, each.major, each.shape) for each in Judge().judge(mma.model).contexts]
    assert found == [(dtype, *each) for each in zip(majors, shapes, strict=True)]


def test_the_bits_tell_tf32_from_f16() -> None:
    mma = tcgen05(0x08200910, mma_kind=None, mma_kinds=("f16", "tf32"))
    assert Judge().judge(mma.model).mma_kind == "tf32"


def test_where_they_do_not_both_kinds_are_left() -> None:
    judged = Judge().judge(tcgen05(0x08A00480, mma_kind=None, mma_kinds=("mxf4", "mxf4nvf4"), scale_vec=2).model)
    assert judged.mma_kind is None
    assert judged.idesc is not None
    assert [each.mma_kind for each in judged.idesc.candidates] == ["mxf4", "mxf4nvf4"]
    assert judged.contexts[0].dtype is not None
    assert judged.contexts[0].dtype.storage == 4


@every_row(
    ("mma", "rules"),
    [
        *((mma, []) for mma in (wgmma(), tcgen05(), tcgen05(a_from="tmem"), tcgen05(IDESC | 4, sparse=True))),
        (tcgen05(IDESC | 1 << 30), ["max-shift-without-ws"]),  # once, and not shift-without-ws
        (wgmma(whole(0), whole(0)), ["empty-group"]),
    ],
)
def test_rules(mma: ScannedMma, rules: list[str]) -> None:
    assert [finding.rule for _, finding in Judge().judge(mma.model).findings] == rules


LOW = 0x3FFF
"""The start address."""


@pytest.mark.parametrize(
    ("loose", "first", "period"),
    [(0, 1024, 0), (LOW & ~0x3F, 0, 1024)],  # all of the start address, or its low bits
)
def test_k_steps_are_one_row(loose: int, first: int, period: int) -> None:
    mmas = tuple(wgmma(ScannedOperand(A + 2 * at & ~loose, ALL & ~loose), whole(B + 256 * at)) for at in range(4))
    (row,) = fold(Function("f", 1, "SASS", mmas), Judge())
    assert row.a is not None
    assert row.b is not None
    assert (row.a.first, row.a.period, row.a.offsets) == (first, period, (0, 32, 64, 96))
    assert row.b.offsets == (0, 4096, 8192, 12288)


def test_a_start_of_which_nothing_is_known_and_another_stride() -> None:
    mmas = wgmma(ScannedOperand(A & ~LOW, ALL & ~LOW)), wgmma(whole(A + (1 << 32)))
    first, second = fold(Function("f", 1, "SASS", mmas), Judge())
    assert first.a is not None
    assert second.a is not None
    assert (first.a.period, second.a.first) == (1, 1024)


def test_a_tally_counts() -> None:
    function = Function("f", 1, "SASS", (wgmma(), wgmma(ScannedOperand(0, 0))))
    tally = Tally()
    tally.add(function, fold(function, Judge()))
    assert (tally.mmas, tally.operands["wgmma"], tally.whole["wgmma"]) == (2, 4, 3)
    assert (tally.known["wgmma"], tally.bits["wgmma"]) == (3 * 50, 4 * 50)


def test_text_and_json_count_the_same_findings() -> None:
    """Every finding that the summary counts stands in an object, and the other way around."""
    mmas = (wgmma(), wgmma(whole(A | 1 << 46 | 1 << 30)), wgmma(line=3), wgmma(whole(A | 1 << 46), whole(B | 1 << 47)))
    of = Function("f", 1, "SASS", mmas)
    judge = Judge()
    tally = Tally()
    tally.add(of, fold(of, judge))
    objects = [json.loads(JsonLines().mma("x", of, mma, judge.judge(mma.model))) for mma in mmas]
    shown = Counter((each["severity"], each["rule"]) for made in objects for each in made["findings"])
    assert shown == tally.rules
    assert shown


def test_an_operand_in_the_json_says_what_it_holds() -> None:
    mma = tcgen05()
    made = json.loads(JsonLines().mma("x", Function("f", 1, "SASS", (mma,)), mma, Judge().judge(mma.model)))
    assert [made["a"][key] for key in ("role", "major", "dtype", "shape")] == ["a", "K", "bf16", [128, 16]]
    assert made["idesc"]["role"] == "idesc"


@pytest.mark.parametrize(
    ("mma", "words", "others"),
    [
        (wgmma(a_major="K"), ", packed, start", "None"),
        (wgmma(a_major=None), ", LBO 16 B, SBO 1024 B, start", "packed"),  # the major-ness is not known
        (tcgen05(a=whole(A100 | 7 << 61)), "undefined swizzle code 7", "None"),
    ],
)
def test_the_line_of_an_operand(mma: ScannedMma, words: str, others: str) -> None:
    of = Function("f", 1, "SASS", (mma,))
    lines = drawn(function_view(of, fold(of, Judge()))).splitlines()
    (line,) = [each for each in lines if each.startswith("    A")]
    assert words in line
    assert others not in line


COLUMN = 0x0000408000000040
"""No swizzle, LBO 0, SBO 2048 B."""


@every_row(
    ("text", "copied", "found"),
    [
        ("UTCCP.T.S.128dp128bit tmem[UR6], gdesc[UR4] ;", (128, 128), False),
        ("UTCCP.T.S.4x32dp128bit tmem[UR6], gdesc[UR4] ;", (32, 128), False),
        ("UTCCP.T.S.2CTA.2x64dp128bit_lw01_lw23 tmem[UR6], gdesc[UR4] ;", (64, 128), False),
        ("UTCCP.T.S.4dp256bit tmem[UR6], gdesc[UR4] ;", (4, 256), True),
        ("UTCCP.T.S tmem[UR6], gdesc[UR4] ;", (128, 256), True),
        ("tcgen05.cp.cta_group::1.64x128b.warpx2::01_23 [%r1], %rd1;", (64, 128), False),
        ("tcgen05.cp.cta_group::2.128x256b [%r1], %rd1;", (128, 256), True),
    ],
)
def test_a_copy_of_one_column_needs_no_lbo(text: str, copied: tuple[int, int], found: bool) -> None:
    (mma,) = scan_text(text).functions[0].mmas
    assert mma.instruction.copied == copied
    judged = Judge().judge(mma._replace(a=whole(COLUMN)).model)
    assert ("lbo-zero" in {finding.rule for _, finding in judged.findings}) == found


V0, V1, V3 = "0x4000004000010040", "0x4000404000010040", "0x4000c04000010040"
PARTLY = "and.b64 {0}, %rd9, 0x400000000000; or.b64 {0}, {0}, 0x4000004000010040;"
"""A descriptor of which all bits are known but the lowest of the version."""


def _kernel(*pairs: tuple[str, str]) -> str:
    lines = ["mov.b32 %r1, 0x08200490;"]
    for pair in pairs:
        for name, value in zip(("%rd1", "%rd2"), pair, strict=True):
            lines.append(value.format(name) if " " in value else f"mov.b64 {name}, {value};")
        lines.append("tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;")
    return "\n".join([".visible .entry k()", "{", *lines, "}"])


@every_row(
    ("pairs", "severities"),
    [
        ([(V0, V0)], {"note"}),
        ([(V0, V0), (V0, V0)], {"note"}),
        ([(V0, V0), (V0, V1)], {"warning"}),
        ([(V0, V0), (V1, V1)], {"warning"}),
        ([(V0, V3)], {"warning", "error"}),
        ([(V0, PARTLY)], {"note"}),
        ([(V1, V1)], set()),
    ],
)
def test_a_version_of_0_is_a_note_where_every_descriptor_of_a_kernel_has_it(
    pairs: list[tuple[str, str]], severities: set[str]
) -> None:
    sound = _kernel((V1, V1)).replace("entry k(", "entry sound(")
    for text in (_kernel(*pairs), f"{_kernel(*pairs)}\n{sound}"):
        found = smemdesc.scan(f".version 9.0\n.target sm_100a\n{text}")
        said = {each.finding.severity for each in found.findings if each.finding.rule == "version-constant"}
        assert said == severities


@pytest.mark.parametrize("wrong", ["0x4000440000010040", "0x4000404100010040"])
def test_a_stride_left_in_bytes_or_off_the_row_is_found_in_a_kernel(wrong: str) -> None:
    found = smemdesc.scan(f".version 9.0\n.target sm_100a\n{_kernel((wrong, V1))}")
    rules = {each.finding.rule for each in found.findings if each.finding.severity == "warning"}
    assert rules & {"sbo-not-divided", "sbo-inside-row"}
