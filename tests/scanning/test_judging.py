"""Descriptors decoded for what their instruction says; rules across operands; rows of K steps."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from smemdesc.instructions.mma import Judge
from smemdesc.render.console import lines as drawn
from smemdesc.render.scan import FunctionView
from smemdesc.render.scan_json import Lines
from smemdesc.scanning import scan_text
from smemdesc.scanning.folding import Tally, fold
from smemdesc.scanning.model import Function, Instruction, Mma, Operand

ALL = (1 << 64) - 1
WGMMA = Instruction(
    "wgmma", m=64, n=128, k=16, a_type="bf16", b_type="bf16", d_type="f32", a_major="K", b_major="MN", sparse=False
)
TCGEN05 = Instruction("tcgen05", mma_kind="f16", mma_kinds=("f16",), cta_group=1, ws=False, sparse=False)
A, B = 0x4000004000010040, 0x4000008000400240
A100 = 0x4000404000010040
IDESC = 0x08200490


def whole(bits: int, width: int = 64) -> Operand:
    return Operand(bits, (1 << width) - 1)


def wgmma(a: Operand | None = None, b: Operand | None = None, line: int = 1, **more: Any) -> Mma:
    return Mma(line, "HGMMA x", WGMMA._replace(**more), a or whole(A), b or whole(B), None, None)


def tcgen05(idesc: int = IDESC, a: Operand | None = None, mask: Operand | None = None, **more: Any) -> Mma:
    first = None if more.get("a_from") == "tmem" else a or whole(A100)
    return Mma(1, "UTCHMMA x", TCGEN05._replace(**more), first, whole(A100), whole(idesc, 32), mask, None)


def rules_of(mma: Mma) -> set[str]:
    return {finding.rule for _, finding in Judge().judge(mma.model).findings} - {"tile-and-box"}


def test_the_instruction_gives_types_majors_and_shapes() -> None:
    a, b = Judge().judge(wgmma().model).contexts
    assert (a.dtype and a.dtype.name, a.major, a.shape) == ("bf16", "K", (64, 16))
    assert (b.major, b.shape) == ("MN", (128, 16))


def test_the_instruction_descriptor_gives_them_too() -> None:
    a, b = Judge().judge(tcgen05(0x08210490, cta_group=2).model).contexts
    assert (a.dtype and a.dtype.name, a.major, a.shape) == ("bf16", "K", (64, 16))
    assert (b.major, b.shape) == ("MN", (64, 16))


def test_a_sparse_a_is_stored_compressed() -> None:
    a, b = Judge().judge(wgmma(sparse=True, k=32).model).contexts
    assert (a.shape, b.shape) == ((64, 16), (128, 32))


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


@pytest.mark.parametrize("mma", [wgmma(), tcgen05(), tcgen05(a_from="tmem"), tcgen05(IDESC | 4, sparse=True)])
def test_sound_instructions_have_no_finding(mma: Mma) -> None:
    assert rules_of(mma) == set()


def test_a_shift_without_ws_is_found_once() -> None:
    found = [finding.rule for _, finding in Judge().judge(tcgen05(IDESC | 1 << 30).model).findings]
    assert found.count("max-shift-without-ws") == 1
    assert "shift-without-ws" not in found


def test_an_empty_group_has_no_other_finding() -> None:
    assert rules_of(wgmma(whole(0), whole(0))) == {"empty-group"}


def test_k_steps_are_one_row() -> None:
    mmas = tuple(wgmma(whole(A + 2 * step), whole(B + 256 * step), 10 + step) for step in range(4))
    (row,) = fold(Function("f", 1, "SASS", mmas), Judge())
    assert row.a is not None
    assert row.b is not None
    assert (row.a.first, row.a.period, row.a.offsets, row.a.step) == (1024, 0, (0, 32, 64, 96), 32)
    assert row.b.step == 4096


def test_starts_of_which_the_low_bits_are_known() -> None:
    known = ALL & ~(0x3FFF & ~0x3F)
    mmas = tuple(wgmma(Operand((A & ~0x3FFF) + 2 * step, known)) for step in range(4))
    (row,) = fold(Function("f", 1, "SASS", mmas), Judge())
    assert row.a is not None
    assert (row.a.first, row.a.period, row.a.step) == (0, 1024, 32)


def test_starts_of_which_nothing_is_known() -> None:
    (row,) = fold(Function("f", 1, "SASS", (wgmma(Operand(A & ~0x3FFF, ALL & ~0x3FFF)),)), Judge())
    assert row.a is not None
    assert row.a.period == 1


def test_another_stride_is_another_row() -> None:
    mmas = (wgmma(), wgmma(whole(A + (1 << 32))))
    assert len(fold(Function("f", 1, "SASS", mmas), Judge())) == 2


def test_a_tally_counts() -> None:
    function = Function("f", 1, "SASS", (wgmma(), wgmma(Operand(0, 0))))
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
    objects = [json.loads(Lines().mma("x", of, mma, judge.judge(mma.model))) for mma in mmas]
    told = Counter((each["severity"], each["rule"]) for made in objects for each in made["findings"])
    assert told == tally.rules
    assert told


def test_an_operand_in_the_json_says_what_it_holds() -> None:
    mma = tcgen05()
    made = json.loads(Lines().mma("x", Function("f", 1, "SASS", (mma,)), mma, Judge().judge(mma.model)))
    said = {name: tuple(made["a"][name] for name in ("role", "major", "dtype", "shape")) for name in ("a",)}
    assert said["a"] == ("a", "K", "bf16", [128, 16])
    assert made["idesc"]["role"] == "idesc"


@pytest.mark.parametrize("major", ["K", None])
def test_no_effect_is_said_only_where_the_major_ness_is_known(major: str | None) -> None:
    of = Function("f", 1, "SASS", (wgmma(a_major=major),))
    text = drawn(FunctionView(of, fold(of, Judge())))
    (line,) = [each for each in text.splitlines() if each.startswith("    A")]
    assert (", no effect" in line) == (major == "K")


def test_a_swizzle_code_that_is_none_is_said_in_words() -> None:
    of = Function("f", 1, "SASS", (tcgen05(a=whole(A100 | 7 << 61)),))
    text = drawn(FunctionView(of, fold(of, Judge())))
    assert "None" not in text
    assert "undefined swizzle code 7" in text


COLUMN = 0x0000408000000040
"""No swizzle, LBO 0, SBO 2048 B."""


@pytest.mark.parametrize(
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
