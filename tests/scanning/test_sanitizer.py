"""What compute-sanitizer prints: where an instruction stands, and what to type to see it."""

from __future__ import annotations

import pytest

from smemdesc.scanning import scan_text
from smemdesc.scanning.sanitizer import sites

from .sass.test_sass_loaded import samples

REPORT = """========= COMPUTE-SANITIZER
========= Out-of-range shared or local address
=========     at {} in fault.cu:14
=========     by thread (0,0,0) in block (0,0,0)
=========         Host Frame: main [0x8d0d] in fault
"""


def told(text: str) -> list[tuple[int, str]]:
    return list(scan_text(text).failed)


def test_each_instruction_is_named_once() -> None:
    ((line, said),) = told(samples()["compute-sanitizer.txt"])
    assert line == 3
    assert said == (
        "compute-sanitizer names an instruction, outside+0x100 (fault.cu:14), and prints no SASS: "
        "smemdesc scan --at outside+0x100 CUBIN"
    )
    assert len(told(REPORT.format("a+0x100") * 2 + REPORT.format("a+0x110"))) == 2


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
    ((_, said),) = told(REPORT.format(f"{name}+0x100"))
    assert said.endswith(f"smemdesc scan --at {typed} CUBIN")


@pytest.mark.parametrize(
    "text", ["", "at outside+0x100 in fault.cu", "========= at noon", "========= ERROR SUMMARY: 0 errors"]
)
def test_other_text_names_none(text: str) -> None:
    assert list(sites(text.encode())) == []


def test_beside_sass_it_says_nothing() -> None:
    assert told(samples()["compute-sanitizer.txt"] + samples()["cuda-gdb-disassemble.txt"]) == []
