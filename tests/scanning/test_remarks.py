"""What people and tools write around code changes nothing: remarks, comments, marks, breaks of lines, colors."""

from __future__ import annotations

from pathlib import Path

import pytest
from run import smemdesc

from smemdesc.scanning import scan_text
from smemdesc.scanning.model import ScannedMma

EXAMPLES = Path(__file__).parents[2] / "examples" / "data"
PTX = (
    ".version 9.0\n.target sm_100a\n.visible .entry k(.param .b32 t)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
    ".reg .pred %p<2>;\nld.param.b32 %r2, [t];\nmov.b64 %rd1, 4611756662049538112;\n"
    "mov.b64 %rd2, 4611756662049538112;\nmov.b32 %r1, 136316048;\nsetp.ne.b32 %p1, 1, 0;\n"
    "tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd2, %r1, %p1;\nret;\n}\n"
)
MLIR = (
    "#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>\n"
    "#smem = #ttg.shared_memory\n"
    "tt.func public @k(%a: !ttg.memdesc<128x64xbf16, #shared, #smem>, %b: !ttg.memdesc<64x128xbf16, #shared, #smem>, "
    "%c: tensor<128x128xf32, #m>) {\n"
    "  %d = ttng.warp_group_dot %a, %b, %c : !ttg.memdesc<128x64xbf16, #shared, #smem> * "
    "!ttg.memdesc<64x128xbf16, #shared, #smem> -> tensor<128x128xf32, #m>\n  tt.return\n}\n"
)
GDB = (
    "   0x7fffd8fa0000 <+0>:\tUMOV UR15, 0x8200010 ;\n   0x7fffd8fa0010 <+16>:\tUMOV UR17, 0x40004040 ;\n"
    "   0x7fffd8fa0020 <+32>:\tUMOV UR19, 0x40004040 ;\n"
    "   0x7fffd8fa0030 <+48>:\tUTCQMMA gdesc[UR16], gdesc[UR18], tmem[UR20], tmem[UR14], idesc[UR15], UPT ;\n"
)
ASM = (
    "__global__ void k() {{ float d[4];\n"
    '  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%0,%1,%2,%3}}, %4, %5, 1, 1, 1, 0, 0;"\n'
    '    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"({a}), "l"({b}));\n}}\n'
)


def known(text: str) -> list[list[tuple[int, int] | None]]:
    """What is known of A, B and the instruction descriptor of each MMA."""
    part = scan_text(text)
    assert part.failed == ()
    mmas: list[ScannedMma] = [mma for function in part.functions for mma in function.mmas]
    return [[operand and (operand.bits, operand.known) for operand in (mma.a, mma.b, mma.idesc)] for mma in mmas]


@pytest.mark.parametrize(
    "remark", ["  <-- slow", " # slow", "\t-- N=128", " => here", " (the wrong one)", " → da", " ^^^"]
)
@pytest.mark.parametrize("line", ["mov.b32 %r1, 136316048;", "%r1, %p1;", "setp.ne.b32 %p1, 1, 0;"])
def test_a_remark_after_an_instruction_of_ptx(remark: str, line: str) -> None:
    assert known(PTX.replace(line, line + remark)) == known(PTX) != []
    assert all(operand for operand in known(PTX)[0])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("16}>\n", "16}>  // A and B\n"),
        ("shared_memory\n", "shared_memory // where\n"),
        (", transposed", ",\n transposed"),
        ("<{swizzling", "<\n{swizzling"),
    ],
)
def test_an_alias_with_a_comment_or_a_broken_line(old: str, new: str) -> None:
    assert known(MLIR.replace(old, new)) == known(MLIR) != []
    assert all(operand for operand in known(MLIR)[0][:2])


@pytest.mark.parametrize("name", ["gemm_sm90.sass", "gemm_sm100.sass"])
def test_blank_lines_mean_nothing(name: str) -> None:
    text = (EXAMPLES / name).read_text()
    assert known(text.replace("\n", "\n\n")) == known(text) != []


@pytest.mark.parametrize("text", [PTX, MLIR, GDB])
def test_a_byte_order_mark_begins_nothing(text: str) -> None:
    assert known("\ufeff" + text) == known(text)


def test_the_last_line_needs_no_end() -> None:
    assert scan_text(GDB.rstrip("\n")) == scan_text(GDB)


def test_a_number_given_to_inline_assembly_is_known() -> None:
    (given,) = known(ASM.format(a="0x4000004000010040ull", b="4611686293305360704"))
    assert given[:2] == [(0x4000004000010040, (1 << 64) - 1), (0x4000004000010140, (1 << 64) - 1)]
    (given,) = known(ASM.format(a="desc_a", b="desc(b)"))
    assert given[:2] == [(0, 0), (0, 0)]


def test_colors_hide_no_instruction() -> None:
    line = "\x1b[33mUTCHMMA \x1b[0mgdesc[UR4], gdesc[UR6], tmem[UR9], tmem[UR34], idesc[UR35], UPT ;\n"
    assert "1 MMA" in smemdesc("-", stdin=line).out


@pytest.mark.parametrize(
    "line",
    [
        "UTCXMMA gdesc[UR16], gdesc[UR18], tmem[UR20], tmem[UR14], idesc[UR15], UPT ;",
        "UTCQMMA gdesc[UR16:UR17], gdesc[UR18], tmem[UR20], tmem[UR14], idesc[UR15], UPT ;",
        "UTCQMMA gdesc[UR16], desc[UR18], tmem[UR20], tmem[UR14], idesc[UR15], UPT ;",
    ],
)
def test_an_instruction_in_another_form_is_seen(line: str) -> None:
    ran = smemdesc("scan", "-", stdin=line + "\n")
    assert (ran.status, "this tensor-core instruction" in ran.err) == (2, True)
