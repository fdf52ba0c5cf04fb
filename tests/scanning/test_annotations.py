"""Blanks, comments, line breaks, and what logs and terminals add, change no result; what compute-sanitizer prints."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from corpus.dumps import dumps
from programs import annotating
from programs.annotating import claims
from run import smemdesc
from tables import every_row

from smemdesc.api.explaining import explain
from smemdesc.api.scanning import scan
from smemdesc.engine.errors import SmemdescError
from smemdesc.kinds.guardrails import GUARDRAILS
from smemdesc.scanning import scan_text
from smemdesc.scanning.inputs import text
from smemdesc.scanning.inputs.pieces import sites

from .sass.test_sass_loaded import samples

ROUNDS = 3
DUMPS: dict[str, Callable[[str, random.Random], str]] = {
    "wgmma_styles.O3.13.5.sass": annotating.sass,
    "tcgen05_styles.O1.13.5.sass": annotating.sass,
    "wgmma_styles.O3.13.5.ptx": annotating.ptx,
    "tcgen05_styles.O3.13.5.ptx": annotating.ptx,
    "tcgen05_copies.O3.13.0.ptx": annotating.ptx,
    "triton_90_bf16_tma.ptx": annotating.ptx,
    "triton_100_fp8e5_tma.llir": annotating.llvm,
    "triton_90_bf16_ptr_t.llir": annotating.llvm,
}
MLIR = """llvm.func @k(%n: i64, %p: i1) {
  %0 = llvm.mlir.constant(4611686293305294912 : i64) : i64
  %1 = llvm.mlir.constant(2 : i64) : i64
  %i = llvm.mlir.constant(268959888 : i32) : i32
  %t = llvm.mlir.constant(0 : i32) : i32
  cf.br ^bb1(%0, %n : i64, i64)
^bb1(%d: i64, %j: i64):
  %2 = llvm.or %d, %1 : i64
  nvvm.tcgen05.mma %t, %2, %2, %i, %p {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  %3 = llvm.add %2, %1 : i64
  cf.cond_br %p, ^bb1(%3, %j : i64, i64), ^bb2
^bb2:
  llvm.return
}
"""  # noqa: E501


@pytest.mark.corpus
@pytest.mark.parametrize("name", DUMPS)
def test_what_stands_beside_the_code_changes_nothing(name: str) -> None:
    ((text, expected),) = [(text, claims(text)) for found, text, _ in dumps(name) if found == name]
    assert expected
    for seed in range(ROUNDS):
        assert claims(DUMPS[name](text, random.Random(seed))) == expected, seed


@every_row("seed", range(20))
def test_mlir(seed: int) -> None:
    expected = claims(MLIR)
    assert [each[2][1] for each in expected] != [0]
    changed = annotating.mlir(MLIR, random.Random(seed))
    assert [each[2:] for each in claims(changed)] == [each[2:] for each in expected], changed


DATA = Path(__file__).parents[2] / "examples" / "data"
TEXTS = {each: (DATA / each).read_text() for each in ("gemm_sm90.sass", "matmul_sm90.ptx", "matmul_sm100.ptx")}
BEFORE = {
    "cat -n": "{:6d}\t",
    "grep -n": "{}:",
    "grep -Hn": "gemm.sass:{}:",
    "less -N": "{:7d} ",
    "a log": "[2026-01-02 10:11:{:02d}] ",
    "GitHub": "2026-01-02T10:11:12.{:07d}Z ",
    "docker": "build_1  | ",
    "a quotation": "> ",
    "glog": "I0102 10:11:12.{:06d} 12345 dump.cc:12] ",
    "a rank": "[rank0]: ",
}


def dressed(text: str, before: str) -> str:
    return "".join(before.format(number) + line for number, line in enumerate(text.splitlines(True), 1))


@pytest.mark.slow
@pytest.mark.parametrize("what", BEFORE)
@pytest.mark.parametrize("dump", TEXTS)
def test_what_stands_before_each_line_changes_nothing(tmp_path: Path, dump: str, what: str) -> None:
    text = TEXTS[dump]
    assert claims(dressed(text, BEFORE[what])) == claims(text)
    path = tmp_path / "log"
    path.write_text(f"building\n{dressed(text, BEFORE[what])}done\n")
    part = scan(str(path))
    plain = scan_text(text)
    assert [mma.line - 1 for of in part.functions for mma in of.mmas] == [
        mma.line for of in plain.functions for mma in of.mmas
    ]


@pytest.mark.parametrize("dump", TEXTS)
def test_colors_change_nothing(dump: str) -> None:
    text = TEXTS[dump]
    assert claims(text.replace("R", "\x1b[01;31m\x1b[KR\x1b[m\x1b[K").replace("\n.", "\n\x1b[0m.")) != []
    assert claims("".join(f"\x1b[32m{line}\x1b[0m\n" for line in text.splitlines())) == claims(text)


def test_a_line_of_another_program_in_between_hides_nothing() -> None:
    lines = dressed(TEXTS["gemm_sm90.sass"], "[rank0]: ").splitlines()
    lines.insert(len(lines) // 2, "[warning]: disk is full")
    assert claims("\n".join(lines)) == claims(TEXTS["gemm_sm90.sass"])


def test_code_in_comments_is_none() -> None:
    assert claims("".join(f"// {line}\n" for line in TEXTS["gemm_sm90.sass"].splitlines())) == []


def test_a_line_that_no_tool_prints_is_no_instruction_that_goes_unsaid() -> None:
    text = TEXTS["gemm_sm90.sass"].replace(", gsb0 ;", ", gsb0").replace("R24 ;", "R24")
    (line, message), *_ = scan_text(text).failed
    assert "HGMMA" in text.splitlines()[line - 1]
    assert message.startswith("this tensor-core instruction is not understood, and not checked: ")


@pytest.mark.parametrize("behind", ["```", "root@node:~# exit"])
def test_what_comes_behind_a_function_is_no_part_of_it(behind: str) -> None:
    text = TEXTS["gemm_sm90.sass"]
    assert claims(f"{text}{behind}\n") == claims(text)


def test_code_in_numbers(tmp_path: Path) -> None:
    path = tmp_path / "elf"
    path.write_text(".section .strtab\n\n.text.k\nlmem=0\tsmem=0\n0xff017b82 0x00000a00 0x00000800 0x000fc000\n")
    with pytest.raises(SmemdescError, match="is output of cuobjdump -elf"):
        scan(str(path))


def test_a_colored_dump_is_annotated_without_colors(tmp_path: Path) -> None:
    path = tmp_path / "k.sass"
    path.write_text("".join(f"\x1b[32m{line}\x1b[0m\n" for line in TEXTS["gemm_sm90.sass"].splitlines()))
    ran = smemdesc("scan", "--annotate", str(path))
    assert ran.status == 0
    assert claims(ran.out) == claims(TEXTS["gemm_sm90.sass"])


REPORT = """========= COMPUTE-SANITIZER
========= Out-of-range shared or local address
=========     at {} in fault.cu:14
=========     by thread (0,0,0) in block (0,0,0)
=========         Host Frame: main [0x8d0d] in fault
"""


SASS = "\tFunction : k\n        /*0000*/                   MOV R6, 0x40 ;\n        /*0010*/                   EXIT ;\n"
PTX = ".version 9.4\n.target sm_100a\n.visible .entry k() {\nret;\n}\n"


def failures(text: str) -> list[tuple[int, str]]:
    return list(scan_text(text).failed)


def test_each_instruction_is_named_once() -> None:
    ((line, message),) = failures(samples()["compute-sanitizer.txt"])
    assert line == 3
    assert message == (
        "compute-sanitizer names an instruction, outside+0x100 (fault.cu:14), but prints no SASS: "
        "smemdesc scan --at outside+0x100 CUBIN"
    )
    assert len(failures(REPORT.format("a+0x100") * 2 + REPORT.format("a+0x110"))) == 2


def test_a_log_of_several_pieces_names_them_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "PIECE_BYTES", 4_000)
    path = tmp_path / "log"
    path.write_text("nothing\n" * 5_000 + REPORT.format("a+0x100") + "nothing\n" * 5_000)
    with pytest.raises(SmemdescError, match="log:5003: compute-sanitizer names an instruction"):
        scan(str(path))


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("gemm", "gemm+0x100"),
        ("_Z4gemmPf", "_Z4gemmPf+0x100"),
        ("gemm(float *)", "'*gemm*+0x100'"),
        ("void gemm<float, (int)3>(Tile<T1, T2>, int (*)(int))", "'*gemm*+0x100'"),
        ("void deep::gemm<Tile<int>>(float *)", "'*gemm*+0x100'"),
    ],
)
def test_a_name_fits_that_of_machine_code(name: str, typed: str) -> None:
    ((_, message),) = failures(REPORT.format(f"{name}+0x100"))
    assert message.endswith(f"smemdesc scan --at {typed} CUBIN")


@pytest.mark.parametrize(
    "text", ["", "at outside+0x100 in fault.cu", "========= at noon", "========= ERROR SUMMARY: 0 errors"]
)
def test_other_text_names_none(text: str) -> None:
    assert list(sites(text.encode(), 0, len(text))) == []


@every_row("name", GUARDRAILS)
def test_a_trap_of_tensor_memory_is_explained(name: str) -> None:
    trap = f"$__internal_8_$__cuda_sm10x_tcgen05_guardrail_trap_{name}"
    ((_, message),) = failures(REPORT.format(f"{trap}+0x1250"))
    assert message.startswith(f"guardrail {name}: {GUARDRAILS[name].meaning} Check: ")
    assert explain(trap).to_dict() == explain(name).to_dict()
    assert not any(word.startswith("smemdesc") and "--at" in message for word in message.split())


def test_an_unknown_trap_is_named() -> None:
    ((_, message),) = failures(REPORT.format("$__internal_8_$__cuda_sm10x_tcgen05_guardrail_trap_new_check+0x10"))
    assert message.startswith("guardrail new_check: unknown")
    assert "scan --at" not in message


@pytest.mark.parametrize("code", [SASS, PTX])
def test_a_trap_is_explained_after_code(code: str) -> None:
    trap = "$__internal_8_$__cuda_sm10x_tcgen05_guardrail_trap_phase_invalid_during_alloc+0x10"
    ((line, message),) = failures(code + REPORT.format(trap))
    assert line == code.count("\n") + 3
    assert message.startswith("guardrail phase_invalid_during_alloc")


def test_beside_sass_it_says_nothing() -> None:
    assert failures(samples()["compute-sanitizer.txt"] + samples()["cuda-gdb-disassemble.txt"]) == []
