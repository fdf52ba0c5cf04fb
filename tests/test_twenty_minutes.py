"""The kernels of docs/twenty-minutes.md: nvcc takes the sources, and makes of them what is scanned on the page.

The files of PTX were made by ``nvcc -arch=ARCH -std=c++17 --ptx`` of CUDA 13.0, from the sources beside them; those of
broken kernels, with one text of the source replaced.
"""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from documents import ROOT
from render.test_header import nvcc

import smemdesc

HERE = ROOT / "examples" / "twenty_minutes"


class Kernel(NamedTuple):
    """A file of PTX, its source, what is replaced in it, and the rule that finds that."""

    name: str
    source: str
    right: str = ""
    wrong: str = ""
    rule: str = ""

    @property
    def arch(self) -> str:
        return "sm_90a" if self.source == "hopper" else "sm_100a"

    @property
    def file(self) -> Path:
        return HERE / f"{self.name}.ptx"


BROKEN = [
    Kernel("broken1", "hopper", "0x4000004000010000", "0x8000002000010000", "map-swizzle"),
    Kernel("broken2", "hopper", "desc + 2 * k", "desc + 32 * k", "k-step"),
    Kernel("broken3", "hopper", "2 * TILE)", "TILE)", "barrier-bytes"),
    Kernel("broken4", "blackwell", "0x08200490", "0x08210490", "transpose-bit"),
    Kernel("broken5", "blackwell", "COLUMNS = 128", "COLUMNS = 64", "not-allocated"),
]
RIGHT = [Kernel("hopper", "hopper"), Kernel("blackwell", "blackwell")]


def asked(kernel: Kernel, ptx: Path) -> smemdesc.ScanResult:
    """The scan of a kernel with what the page says of its tiles and its maps."""
    rows = 64 if kernel.source == "hopper" else 128
    copied = f"box=64x{rows},swizzle=128B,dtype=bf16"
    return smemdesc.scan(ptx, a_map=copied, b_map=copied, a_tile=f"{rows}x64", b_tile=f"{rows}x64,major=K")


def read(kernel: Kernel, ptx: Path) -> tuple[object, ...]:
    """What a scan says of a kernel, but for its lines."""
    found = asked(kernel, ptx)
    (function,) = found.functions
    operands = [operand for mma in function.mmas for operand in (mma.a, mma.b, mma.idesc) if operand is not None]
    values = [(operand.bits, operand.known) for operand in operands]
    return Counter(values), Counter(finding.rule for finding in found.findings)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel",
    [*RIGHT, *(pytest.param(each, marks=pytest.mark.corpus) for each in BROKEN)],
    ids=lambda each: each.name,
)
def test_nvcc_makes_what_is_on_the_page(kernel: Kernel, tmp_path: Path) -> None:
    compiler = nvcc()
    if compiler is None:
        pytest.skip("no nvcc here: pip install nvidia-cuda-nvcc nvidia-cuda-crt nvidia-cuda-runtime nvidia-nvvm")
    for folder in ("wgmma_gemm", "twenty_minutes"):
        shutil.copytree(HERE.parent / folder, tmp_path / folder)
    source = tmp_path / "twenty_minutes" / f"{kernel.source}.cu"
    text = source.read_text()
    assert kernel.right in text
    source.write_text(text.replace(kernel.right, kernel.wrong) if kernel.right else text)
    options = ["-Werror", "all-warnings", "-std=c++17", f"-arch={kernel.arch}", "-cubin", "-keep"]
    subprocess.run([compiler, *options, source], cwd=tmp_path, check=True)
    assert read(kernel, tmp_path / f"{kernel.source}.ptx") == read(kernel, kernel.file)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", BROKEN, ids=lambda each: each.name)
def test_the_mistake_is_found(kernel: Kernel) -> None:
    assert kernel.rule in {finding.rule for finding in asked(kernel, kernel.file).findings}


@pytest.mark.parametrize("kernel", RIGHT, ids=lambda each: each.name)
def test_a_right_kernel_gets_no_advice(kernel: Kernel) -> None:
    assert not asked(kernel, kernel.file).findings
    assert len((HERE / f"{kernel.source}.cu").read_text().splitlines()) <= 60
