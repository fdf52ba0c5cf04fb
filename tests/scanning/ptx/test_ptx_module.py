"""What a module declares, source lines, and the PTX of the examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from smemdesc.scanning import scan_text
from smemdesc.scanning.languages.ptx import PtxModule, analyse, read_declarations

from .asking import function, held, probe

DATA = Path(__file__).parents[3] / "examples" / "data"

MMA = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %rd1, %rd1, 1, 1, 1, 0, 0;\n"
TEXT = b"""
.version 9.4
.target sm_90a, debug
// .shared .align 4 .b8 remark[4];
.extern .shared .align 1024 .b8 smem[];
.shared .b32 word, words[4];
\t.shared .v4 .f32 vector;
.global .align 64 .b8 other[4];
.visible .entry k() {
\t.shared .align 8 .b8 word[8];
\tst.shared.b32 [word], 1;
}
\t.file\t1 "/src/a.cu"
\t.file 12 "b.cuh", 1, 2
"""


def test_module() -> None:
    symbols = {"smem": 1024, "word": 4, "words": 4, "vector": 16}
    assert read_declarations(TEXT) == PtxModule(symbols, "sm_90a", {1: "/src/a.cu", 12: "b.cuh"})


def test_functions_that_never_return() -> None:
    text = b""".func (.param .b32 r) f\n(\n.param .b32 a\n)\n.noreturn\n;\n.func g () .unique;\n.func h .noreturn;
.func i() { .noreturn }"""
    assert read_declarations(text).noreturn == {"__assertfail", "f", "h"}
    code = "mov.b32 %x, 7; @%p1 bra A; mov.b32 %x, 5; call h; A:"
    assert [held(code, module=of).known for of in (None, read_declarations(text))] == [0xFFFFFFFD, 0xFFFFFFFF]


LOCATIONS = {
    ".loc 1 7 3": ("a.cu", 7),
    ".loc\t2 9 3  // b.cuh:9": ("b.cuh", 9),
    ".loc 1 5 0\n.loc 2 3 1, function_name $L__info_string0, inlined_at 1 5 0": ("a.cu", 5),
    ".loc 1 5 0\n.loc 2 4 1, function_name $x, inlined_at 1 5 0\n.loc 2 3 9, function_name $y, inlined_at 2 4 1": (
        "a.cu",
        5,
    ),
    ".loc 2 3 1, function_name $x, inlined_at 2 3 1": ("b.cuh", 3),
    ".loc 9 1 1": None,
    "ret_not: ": None,
}


@pytest.mark.parametrize(("text", "expected"), LOCATIONS.items(), ids=list(LOCATIONS))
def test_source_line(text: str, expected: tuple[str, int] | None) -> None:
    files = PtxModule({}, None, {1: "a.cu", 2: "b.cuh"})
    assert function(f"{text}\n{probe('%x')}", files).mmas[0].source == expected


@pytest.mark.parametrize(("file", "line"), [("matmul_sm90.ptx", None), ("matmul_sm100.ptx", 17)])
def test_example(file: str, line: int | None) -> None:
    text = (DATA / file).read_bytes()
    found = analyse(text, 1, None, read_declarations(text).arch)
    assert found is not None
    (mma,) = found.mmas
    assert mma.arch == read_declarations(text).arch
    assert line in (None, mma.line)
    for operand in (mma.a, mma.b):
        assert operand is not None
        assert operand.known >> 32 == 0xFFFFFFFF
    if mma.idesc is not None:
        assert (mma.idesc.bits, mma.idesc.known) == (136381584, 0xFFFFFFFF)


def test_what_is_nested_too_deep_is_said() -> None:
    deep = ".visible .entry k()\n{\n" + "{\n" * 300 + MMA + "}\n" * 301
    part = scan_text(deep + deep.replace("{\n" * 300, "").replace("}\n" * 301, "}\n"))
    assert [(function.line, len(function.mmas)) for function in part.functions] == [(605, 1)]
    ((_, why),) = part.failed
    assert why.startswith("braces are nested more than 250 deep: function not scanned")


def test_a_lone_at_sign_hides_no_instruction() -> None:
    """The name of an instruction is not cut into a guard and its last letter."""
    found = function(f"mov.b64 %rd1, 5;\n@\n{MMA}")
    assert [(mma.b.known, mma.b.lost) for mma in found.mmas if mma.b] == [(0, found.line + 3)]
