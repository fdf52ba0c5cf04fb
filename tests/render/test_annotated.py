"""The dump with what its lines set and read beside them."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from corpus.dumps import dumps
from programs.loading import code, cuda_gdb, ncu
from run import on_terminal, smemdesc
from samples import split
from scanning.test_annotations import MLIR
from tables import every_row

from smemdesc.instructions.mma import Judge
from smemdesc.render.annotated import LineComment, annotated_view, note_lines
from smemdesc.render.console import lines
from smemdesc.scanning import scan_text
from smemdesc.scanning.results.function_names import Names
from smemdesc.scanning.results.selection import Choice

NAMES = (
    "wgmma_styles.O3.13.5.sass",
    "tcgen05_styles.O0.13.5.sass",
    "wgmma_styles.O3.13.5.ptx",
    "tcgen05_copies.O3.13.0.ptx",
    "triton_90_bf16_tma.ptx",
    "triton_100_fp8e5_tma.llir",
)
LOADED = {"cuda-gdb": cuda_gdb, "ncu": ncu}


def annotated(text: str) -> str:
    notes: dict[int, LineComment] = {}
    for of in scan_text(text).functions:
        note_lines(of, Judge(), Choice(), notes, Names())
    return lines(annotated_view(text.removesuffix("\n").split("\n"), notes))


def found(text: str) -> list[Any]:
    return [list(of.mmas) for of in scan_text(text).functions]


@pytest.mark.slow
@pytest.mark.parametrize("name", split([*NAMES, *LOADED, "mlir"], lambda name: name not in NAMES or "90_bf16" in name))
def test_a_scan_of_it_finds_the_same(name: str) -> None:
    texts = {"mlir": MLIR, **{each: form(code(SASS), Random(1)) for each, form in LOADED.items()}}
    (text,) = [texts[name]] if name in texts else [text for each, text, _ in dumps(name) if each == name]
    made = annotated(text)
    assert found(made) == found(text)
    assert made.count("\n") == text.count("\n")
    mark = ";" if name.endswith("llir") else "//"
    for of in scan_text(text).functions:
        for mma in of.mmas:
            assert f" {mark} " in made.split("\n")[mma.line - 1]


@pytest.mark.slow
@pytest.mark.parametrize("name", split([*NAMES, "mlir"], lambda name: name in ("triton_90_bf16_tma.ptx", "mlir")))
def test_the_name_of_a_function_stands_behind_its_first_line(name: str) -> None:
    (text,) = [MLIR] if name == "mlir" else [text for each, text, _ in dumps(name) if each == name]
    for of in scan_text(text).functions:
        text = re.sub(rf"\b{of.name}\b", f"_ZN3lib4gemmILi{of.line}EEEvv", text)
    made = annotated(text)
    assert found(made) == found(text)
    for of in scan_text(made).functions:
        assert f" lib::gemm<{(of.name or '').split('Li')[1][:-5]}>" in made.split("\n")[of.line - 1]


SASS = """\
        .target sm_100a
        .section .text.k,"ax",@progbits
        /*0000*/                   UMOV UR6, 0x10040 ;
        /*0010*/                   UMOV UR7, 0x60004040 ;
        /*0020*/                   ULDC UR9, c[0x0][0x380] ;
        /*0030*/                   UMOV UR13, 0x8200490 ;
        /*0040*/                   UTCHMMA gdesc[UR6], gdesc[UR8], tmem[UR5], tmem[UR12], idesc[UR13], UPT ;
        /*0050*/                   EXIT ;
"""


@pytest.mark.slow
def test_it_says_what_was_set_what_was_read_and_what_is_wrong() -> None:
    made = annotated(SASS).split("\n")
    assert made[2].endswith("UMOV UR6, 0x10040 ;  // A of /*0040*/: start address 1024 B, LBO 16 B")
    assert made[3].endswith("SBO 1024 B, version 1, base offset 0, lbo mode relative, swizzle undefined")
    assert made[4].endswith("ULDC UR9, c[0x0][0x380] ;")
    assert "idesc of /*0040*/: idesc kind::f16: D f32, A bf16, B bf16, N 128, M 128" in made[5]
    assert "// A 0x6000404000010040 undefined swizzle code 3" in made[6]
    assert "| B 0x????????????????" in made[6]
    assert "| error " in made[6]


@every_row(
    ("before", "named"),
    [
        ("        /*0040*/ ", "/*0040*/"),
        ("=> 0x00007ffddb7ad740 <+64>:\t", "0x00007ffddb7ad740 <+64>"),
        ("(cuda-gdb)    0x740 <f<int>(float*)+64>:\t", "0x740"),
        ("0x100000040              ", "0x100000040"),
        ('"4","0x100000040","     ', "0x100000040"),
        ("    wgmma 0x40004040 ", "line 2"),
        ("", "line 2"),
    ],
)
def test_a_line_is_named_by_its_address_where_it_has_one(before: str, named: str) -> None:
    made = lines(annotated_view(["a", f"{before}UTCHMMA x"], {1: LineComment("//", [], {("A", "zeros"): [2, 2]})}))
    assert made.startswith(f"a  // A of {named}, {named}: zeros\n")


@pytest.mark.slow
def test_on_a_terminal_the_comments_have_colors_and_the_dump_has_none(tmp_path: Any) -> None:
    path = tmp_path / "a.sass"
    path.write_text(SASS)
    shown = on_terminal("scan", "--annotate", str(path)).out.split("\n")
    assert shown[4] == SASS.split("\n")[4]
    assert "\x1b[1;38;5;163merror " in shown[6]


@pytest.mark.slow
def test_it_is_text_and_only_that(tmp_path: Any) -> None:
    path = tmp_path / "a.sass"
    path.write_text(SASS)
    assert smemdesc("scan", "--annotate", str(path)).out == annotated(SASS)
    assert smemdesc("scan", "--annotate", "-", stdin=SASS).out == annotated(SASS)
    assert smemdesc("scan", "--annotate", "--check", str(path)).status == 1
    for more in (["--json"], ["--all"], ["--diff"], ["--format", "sarif"]):
        ran = smemdesc("scan", "--annotate", *more, str(path))
        assert ran.status == 2
        assert "--annotate writes the dump" in ran.err


def test_json_takes_no_comments() -> None:
    ran = smemdesc("scan", "--annotate", "-", stdin="[]\n")
    assert (ran.status, ran.out) == (2, "")
    assert "is JSON, which has no comments" in ran.err
