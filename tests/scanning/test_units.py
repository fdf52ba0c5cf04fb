"""Dumps cut into functions, and into pieces that several processes scan."""

from __future__ import annotations

from io import BytesIO

import pytest
from tables import every_row

from smemdesc.scanning.inputs import pieces, text
from smemdesc.scanning.inputs.text import DumpText, Piece
from smemdesc.scanning.languages.units import LLVM, MLIR, PTX, SASS, SKIP, Archs, guess_language, headers, units

HEADERS = {
    b'\t.section\t.text.gemm_f16,"ax",@progbits': (SASS, "gemm_f16"),
    b".text.gemm_f16:": (SASS, "gemm_f16"),
    b"\t.text._Z4gemmPf: \r": (SASS, "_Z4gemmPf"),
    b".text.gemm_f16:  // .L_x_0:": (SASS, "gemm_f16"),
    b".text.void gemm<int, 3>(a::b*):": (SASS, "void"),
    b"\t\tFunction : _Z4gemmPf": (SASS, "_Z4gemmPf"),
    b".visible .entry gemm(\n\t.param .u64 p\n)": (PTX, "gemm"),
    b".weak .func  (.param .b32 r) helper(\n)": (PTX, "helper"),
    b".entry k()": (PTX, "k"),
    b'define ptx_kernel void @"my kernel"(ptr %0) {': (LLVM, "my kernel"),
    b"define internal i32 @f() {": (LLVM, "f"),
    b"  llvm.func @gemm(%arg0: i64) {": (MLIR, "gemm"),
    b'    gpu.func @"k"() kernel {': (MLIR, "k"),
    b"tt.func public @matmul(%a: i32) {": (MLIR, "matmul"),
}


@every_row("header", HEADERS)
def test_a_header_tells_language_and_name(header: bytes) -> None:
    text = b"// before\n" + header + b"\n  body\n"
    (unit,) = units(text, headless=False)
    assert (unit.kind, unit.name) == HEADERS[header]
    assert (unit.start, unit.end) == (10, len(text))


def test_text_before_the_first_function_is_kept_if_asked_for() -> None:
    text = b"a\n" + b".entry k()\n"
    assert [(unit.kind, unit.start, unit.end) for unit in units(text, headless=True)] == [(None, 0, 2), (PTX, 2, 13)]


def test_another_section_ends_a_function() -> None:
    text = b'.section .text.k,"ax"\nx\n.section .nv.info,""\ny\n'
    assert [unit.kind for unit in units(text, headless=False)] == [SASS, SKIP]


SECTION = b'\t.section\t.text.%s,"ax",@progbits\n\t.align\t128\n\t.global %s\n\t.type %s,@function\n'
ROWS = b"        /*0000*/                   NOP ;\n        /*0010*/                   EXIT ;\n.L_x_0:\n"


@every_row("name", [b"k", b"_Z" + b"name" * 3000, b"a::b(int)", b"f(int, int)"])
def test_a_label_begins_a_function_unless_its_section_does(name: bytes) -> None:
    """nvdisasm prints both; what was cut out or printed otherwise has only labels."""
    label = b".text." + name + b":\n" + ROWS
    section = SECTION.replace(b"%s", name) + name + b":\n"
    for dump, expected in (
        (label, 1),
        (label + label, 2),
        (section + label, 1),
        (section + label + section + label, 2),
        (section + label + label, 2),
        (section.replace(name, b"other") + label, 2),
        (b'.headerflags @"EF_CUDA_SM90"\n' + label, 1),
    ):
        found = list(units(dump, headless=False))
        assert [each.kind for each in found] == [SASS] * expected, dump
        assert {each.name for each in found} <= {name.decode().split(" ")[0].split(",")[0], "other"}


@every_row(
    "line",
    [
        b"// see .entry",
        b"  predefine x",
        b"call.uni .func",
        b"x .section",
        b"Function : ",
        b"definer",
        b"x .text.k:",
        b".text.k",
        b".text.k: NOP ;",
        b"//---- .text.k ----",
    ],
)
def test_what_only_looks_like_a_header(line: bytes) -> None:
    assert list(headers(line + b"\n")) == []


@every_row(
    ("mark", "arch"),
    [
        (b".target sm_90a", "sm_90a"),
        (b"arch = sm_100a", "sm_100a"),
        (b"code for sm_103a", "sm_103a"),
        (b'\t.headerflags\t@"EF_CUDA_ACCELERATORS EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM"', "sm_90a"),
        (b'\t.headerflags\t@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_SM86 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM86)"', "sm_86"),
        (b'code for sm_100f\n\t.headerflags\t@"EF_CUDA_SM100"', "sm_100f"),
        (b".target sm_80", "sm_80"),
        (b".target sm_42", "sm_42"),
        (b".target sm_101a", "sm_101a"),
        (b'"target-cpu"="sm_90a"', "sm_90a"),
    ],
)
def test_the_architecture(mark: bytes, arch: str) -> None:
    assert archs(b"x\n" + mark + b"\ny\n", 0, 0, 100) == [arch, arch]


def archs(text: bytes, start: int, *places: int) -> list[str | None]:
    found = Archs()
    found.read(text, start)
    return [found.at(place) for place in places]


def test_each_function_has_the_architecture_before_it() -> None:
    assert archs(b"code for sm_90a\n....\ncode for sm_100a\n", 1000, 1010, 1100) == ["sm_90a", "sm_100a"]
    # Before the first of several none is known.
    assert archs(b"x\n.target sm_90a\ny\n.target sm_100a\n", 0, 0, 100) == [None, "sm_100a"]


@every_row(
    ("text", "kind"),
    [
        (b"  HGMMA.64x8x16.F32 R24, gdesc[UR4], R24 ;", SASS),
        (b"/*0130*/ @P0 UTCHMMA gdesc[UR4], gdesc[UR6], tmem[UR9], tmem[UR34], idesc[UR35], UPT ;", SASS),
        (b"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0}, %rd1, %rd2, p, 1, 1, 0, 0;", PTX),
        (b"tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, p;", PTX),
        (b'asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "', None),
        (b"the wgmma descriptor is 0x4000004000010040", None),
    ],
)
def test_a_fragment_is_told_by_its_instructions(text: bytes, kind: str | None) -> None:
    assert guess_language(text) == kind


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "PIECE_BYTES", 1000)
    monkeypatch.setattr(text, "FUNCTION_BYTES", 5000)


def cut(data: bytes) -> list[Piece]:
    return list(DumpText(BytesIO(data)).pieces())


@pytest.mark.usefixtures("small")
def test_text_without_functions_is_cut_at_lines() -> None:
    found = cut(b"some text\n" * 1000)
    assert len(found) > 5
    assert all(piece.context.bare and not piece.place.offset % 10 for piece in found)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("module", [100, 1_000_000])
def test_what_is_too_long_is_not_cut_but_said(module: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MODULE", module)
    found = cut(b".entry k()\n" + b"x\n" * 10_000 + b".entry l()\n" + b"y\n" * 10_000)
    assert [(piece.place.line, piece.text, piece.size) for piece in found] == [(1, b"", 20_011), (10_002, b"", 20_011)]
    assert all(pieces.scan_piece(piece).failed for piece in found)
    assert [piece.place.line for piece in cut(b".entry k()\n" + b"x\n" * 10_000 + b".entry l()\n")] == [1, 10_002]


def test_a_function_without_a_name_is_not_called_as_the_next() -> None:
    text = b".entry, (\n{}\n.entry k()\n{}\n"
    assert [each.name for each in units(text, True)] == [None, "k"]
