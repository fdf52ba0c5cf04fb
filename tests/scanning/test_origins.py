"""Where bits came from: the line that wrote each, and the one that lost what is not known."""

from __future__ import annotations

import pytest

from smemdesc.scanning import scan_text
from smemdesc.scanning.model import Operand

from .sass.grammar import program
from .sass.test_sass_front import FULL, MMA, only
from .sass.test_sass_fuzz import claimed

PUT = "UMOV UR7, 0x40000040"


def came(operand: Operand | None) -> dict[str, int]:
    """The mask of the high word that each line wrote."""
    assert operand is not None
    return {each.text: each.mask >> 32 for each in operand.origins if each.mask >> 32}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([PUT], {PUT: FULL}),
        (["MOV R7, 0x40000040", "R2UR UR7, R7"], {"MOV R7, 0x40000040": FULL}),
        (
            ["UMOV UR7, 0x40000000", "ULOP3.LUT UR7, UR7, 0x40, URZ, 0xfc, !UPT"],
            {"UMOV UR7, 0x40000000": FULL & ~0x40, "ULOP3.LUT UR7, UR7, 0x40, URZ, 0xfc, !UPT": 0x40},
        ),
        (
            ["ULDC UR7, c[0x0][0x210]", "ULOP3.LUT UR7, UR7, 0xff, URZ, 0xc0, !UPT"],
            {"ULOP3.LUT UR7, UR7, 0xff, URZ, 0xc0, !UPT": FULL & ~0xFF},
        ),
        (
            ["UMOV UR9, 0x4000004", "USHF.L.U32 UR7, UR9, 0x4, URZ"],
            {"UMOV UR9, 0x4000004": FULL & ~0xF, "USHF.L.U32 UR7, UR9, 0x4, URZ": 0xF},
        ),
        (
            ["UMOV UR7, 0x7", "UIADD3 UR7, UR7, 0x1, URZ"],
            {"UMOV UR7, 0x7": FULL & ~0xF, "UIADD3 UR7, UR7, 0x1, URZ": 0xF},
        ),
        (
            ["UMOV UR8, 0x40000000", "UMOV UR9, 0x40", "UIADD3 UR7, UR8, UR9, URZ"],
            {"UMOV UR8, 0x40000000": FULL & ~0x40, "UMOV UR9, 0x40": FULL & ~0x40000000},
        ),
        (
            ["UMOV UR7, 0x1", "@P0 BRA `(.L_x_1)", "UMOV UR7, 0x3", ".L_x_1:"],
            {"UMOV UR7, 0x1": FULL & ~2, "UMOV UR7, 0x3": FULL & ~2},
        ),
        (
            ["UMOV UR7, 0x1", "@UP0 UMOV UR7, 0x3"],
            {"UMOV UR7, 0x1": FULL & ~2, "@UP0 UMOV UR7, 0x3": FULL & ~2},
        ),
        ([PUT, ".L_x_1:", "NOP", "@P0 BRA `(.L_x_1)"], {PUT: FULL}),
    ],
)
def test_each_bit_has_the_line_that_wrote_it(lines: list[str], expected: dict[str, int]) -> None:
    found = came(only(*lines, MMA).b)
    assert found == expected


def test_no_bit_is_without_an_origin() -> None:
    for seed in range(0, 200, 5):
        for mma in claimed(program("any", seed)):
            for operand in (mma.a, mma.b):
                assert operand is not None
                masks = 0
                for each in operand.origins:
                    masks |= each.mask
                assert masks == operand.known, seed


STAGE = (
    "UMOV UR8, URZ",
    ".L_x_1:",
    "S2UR UR9, SR_CgaCtaId",
    "ULEA UR9, UR9, 0x400, 0x18",
    "USHF.R.U32.HI UR9, URZ, 0x4, UR9",
    "ULOP3.LUT UR9, UR9, 0x3fff, URZ, 0xc0, !UPT",
    "ULEA UR6, UR8, UR9, 0xa",
    "UMOV UR7, 0x40000040",
    MMA,
    "UIADD3 UR8, UR8, 0x1, URZ",
    "@P0 BRA `(.L_x_1)",
)


@pytest.mark.parametrize(
    ("lines", "loser"),
    [
        (STAGE, "UIADD3 UR8, UR8, 0x1, URZ"),
        (["ULDC UR7, c[0x0][0x210]", MMA], "ULDC UR7, c[0x0][0x210]"),
        (["S2UR UR9, SR_CTAID.X", "ULDC UR8, c[0x0][0x210]", "ULOP3.LUT UR9, UR9, 0xff, URZ, 0xc0, !UPT",
          "UIADD3 UR7, UR8, UR9, URZ", MMA], "ULDC UR8, c[0x0][0x210]"),
        (["UMOV UR7, 0x1", "@P0 BRA `(.L_x_1)", "UMOV UR7, 0x3", ".L_x_1:", MMA], "UMOV UR7, 0x3"),
        (["UMOV UR7, 0x1", "@UP0 UMOV UR7, 0x3", MMA], "@UP0 UMOV UR7, 0x3"),
        (["UMOV UR7, 0x1", "NOP", MMA], None),
    ],
)  # fmt: skip
def test_what_lost_the_fields_is_named(lines: list[str], loser: str | None) -> None:
    whole = ["UMOV UR4, URZ", "UMOV UR5, URZ", "UMOV UR6, URZ", *lines]
    operand = only(*whole).b
    assert operand is not None
    assert (operand.lost_text or None) == loser


WGMMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3},"
ASM = """\
define void @k(i64 %x) {
  %lo = and i64 %x, 16383
  %desc = or i64 %lo, 4611686293305294848
  call void asm sideeffect "TEXT", "l"(i64 %desc)
  ret void
}
"""


@pytest.mark.parametrize(
    ("text", "mask", "and_mask"),
    [
        (f"{WGMMA} $0, $0, 1, 1, 1, 0, 0;", 1 << 62, 1 << 63),
        (f"{{ .reg .b64 t; shl.b64 t, $0, 1; {WGMMA} t, t, 1, 1, 1, 0, 0; }}", 1 << 63, 1 << 61),
    ],
)
def test_inline_assembly_names_the_lines_around_it(text: str, mask: int, and_mask: int) -> None:
    (function,) = scan_text(ASM.replace("TEXT", text)).functions
    operand = function.mmas[0].a
    assert operand is not None
    lines = {each.line: each.mask for each in operand.origins}
    assert lines[3] & mask
    assert lines[2] & and_mask
