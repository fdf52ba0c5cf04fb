"""Where bits came from: the line that wrote each, the one that lost what is not known, and what that takes it from."""

from __future__ import annotations

import pytest
from programs.grammar import program
from samples import long_run
from tables import every_row

from smemdesc.scanning import scan_text
from smemdesc.scanning.languages.llvm import lower as llvm
from smemdesc.scanning.languages.mlir import lower as mlir
from smemdesc.scanning.languages.mlir.text import parse_function as parse_mlir
from smemdesc.scanning.languages.ptx import body
from smemdesc.scanning.languages.ptx import lower as ptx
from smemdesc.scanning.languages.sass import lower as sass
from smemdesc.scanning.languages.sass.text import parse_instruction as parse_sass
from smemdesc.scanning.model import ScannedOperand
from smemdesc.scanning.model.causes import ARGUMENT, CALL, MEMORY, SPECIAL

from .sass.test_sass_front import FULL, MMA, only
from .sass.test_sass_fuzz import claimed

PUT = "UMOV UR7, 0x40000040"


def masks(operand: ScannedOperand | None) -> dict[str, int]:
    """The mask of the high word that each line wrote."""
    assert operand is not None
    return {each.text: each.mask >> 32 for each in operand.origins if each.mask >> 32}


@every_row(
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
    found = masks(only(*lines, MMA).b)
    assert found == expected


@pytest.mark.parametrize("step", [20, long_run(5)])
def test_no_bit_is_without_an_origin(step: int) -> None:
    for seed in range(0, 200, step):
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


@every_row(
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


SOURCES = {
    "sass": (
        ("ULDC.64 UR14, c[0x0][0x240]", ARGUMENT),
        ("@P1 LDC R6, c[0x0][0x2b0]", ARGUMENT),
        ("LDCU UR11, c[0x0][0x380]", ARGUMENT),
        ("IMAD R4, R5, c[0x0][0x210], RZ", ARGUMENT),
        ("LDC.64 R2, c[0x0][R4+0x210]", ARGUMENT),
        ("LDC R1, c[0x0][0x28]", None),
        ("LDS.128 R8, [UR4+0xa0]", MEMORY),
        ("@!P0 LDG.E R6, desc[UR6][R6.64]", MEMORY),
        ("LD.E R5, desc[UR20][R12.64]", MEMORY),
        ("ATOMG.E.ADD R6, [R2], R8", MEMORY),
        ("LDC R4, c[0x3][0x10]", MEMORY),
        ("S2UR UR7, SR_CTAID.X", SPECIAL),
        ("CS2R R4, SR_CLOCKLO", SPECIAL),
        ("CALL.REL.NOINC `(f)", CALL),
        ("LDL R5, [R1+0x10]", None),
        ("USEL UR4, UR4, 0xfffff000, !UP1", None),
        ("UIADD3 UR4, UR5, 0x2, URZ", None),
    ),
    "ptx": (
        ("ld.param.u32 %r1, [stages]", ARGUMENT),
        ("@%p1 ld.global.b32 %r1, [%rd1]", MEMORY),
        ("ld.shared::cta.u64 %rd1, [%r1]", MEMORY),
        ("mov.u32 %r2, %tid.x", SPECIAL),
        ("call.uni (%r1), f, (%r2)", CALL),
        ("ld.local.b32 %r1, [%rd1]", None),
        ("mov.u32 %r2, %r3", None),
    ),
    "llvm": (
        ("%a = load i32, ptr addrspace(3) %p, align 4", MEMORY),
        ("%a = load i32, ptr addrspace(5) %p", None),
        ("%a = load i32, ptr %p", None),
        ("%a = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic", MEMORY),
        ("%5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()", SPECIAL),
        ('%5 = call i32 asm "mov.u32 $0, %ctaid.x;", "=r"()', SPECIAL),
        ('%r = call i64 asm "add.u64 $0, $1, 8;", "=l,l"(i64 %a)', None),
        ('call void asm sideeffect "wgmma.fence.sync.aligned;", "~{memory}"()', CALL),
        ("%r = call i64 @g(i64 5)", CALL),
        ("%r = call i64 @llvm.fshl.i64(i64 1, i64 2, i64 3)", None),
        ("%r = add i64 %a, %b", None),
    ),
    "mlir": (
        ("%a = llvm.load %p : !llvm.ptr<3> -> i64", MEMORY),
        ("%a = llvm.load %p : !llvm.ptr -> i64", None),
        ("%5 = nvvm.read.ptx.sreg.ctaid.x : i32", SPECIAL),
        ("%5 = gpu.block_id x", SPECIAL),
        ("%r = llvm.call @g(%a) : (i64) -> i64", CALL),
    ),
}


def cause_of(language: str, text: str) -> str | None:
    """Return which source outside the text the one instruction of a text takes its result from."""
    if language == "sass":
        line = parse_sass(text.encode())
        assert line is not None
        return sass.cause(line)
    if language == "ptx":
        return ptx.cause(body.read_body(f".local .b8 a[8]; {text};", {}).items[0])
    if language == "llvm":
        return llvm.cause(llvm.read_line(0, text))
    return mlir.cause(parse_mlir(text).operations[0])


@every_row(("language", "text", "cause"), [(each, *row) for each in SOURCES for row in SOURCES[each]])
def test_where_an_instruction_takes_its_result_from(language: str, text: str, cause: str | None) -> None:
    assert cause_of(language, text) == cause
