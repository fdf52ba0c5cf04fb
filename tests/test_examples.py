"""The examples run and print what they promise."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import documents
import forking
import pytest
from documents import ROOT

long = pytest.mark.corpus

EXAMPLES = Path(__file__).parent.parent / "examples"


def run(script: Path | str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(forking.path()), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {key: value for key, value in os.environ.items() if key not in ("SMEMDESC", "FORCE_COLOR")}
    return subprocess.run(
        [script, *arguments], env={**environment, "PATH": path}, capture_output=True, text=True, check=False
    )


@long
@pytest.mark.parametrize(
    ("name", "headers"),
    [
        ("matmul_sm90.ptx", ["0x4000004000000000  wgmma shared-memory descriptor (Hopper)"]),
        (
            "matmul_sm100.ptx",
            [
                "0x40004040????????  tcgen05 shared-memory descriptor (Blackwell)",
                "0x08210490  tcgen05 instruction descriptor, kind::f16",
            ],
        ),
    ],
)
def test_constants_of_a_ptx_file(name: str, headers: list[str]) -> None:
    done = run(EXAMPLES / "ptx_constants.sh", str(EXAMPLES / "data" / name))
    assert (done.returncode, done.stderr) == (0, "")
    found = [line for line in done.stdout.splitlines() if line.startswith("0x")]
    assert [line.partition("  valid")[0] for line in found] == headers


@long
def test_header_of_a_k_loop() -> None:
    done = run(EXAMPLES / "k_loop_header.sh")
    assert (done.returncode, done.stderr) == (0, "")
    for number in range(8):
        value = 0x4000404000010040 + 2 * (number % 4) + 0x400 * (number // 4)
        assert f"constexpr uint64_t a_desc_k{number} = 0x{value:x}ull; // tcgen05: " in done.stdout
    assert "constexpr uint32_t idesc = 0x08200490u; // " in done.stdout


@long
def test_macros_of_a_plan() -> None:
    done = run(EXAMPLES / "plan_macros.sh", "128x128x64", "--dtype", "bf16", "--stages", "2")
    assert (done.returncode, done.stderr) == (0, "")
    descriptors = " ".join(f"-D{name}_DESCRIPTOR=0x4000404000010000ull" for name in "AB")
    sizes = "-DSTAGE_BYTES=32768 -DSTAGES=2 -DSHARED_BYTES=65568"
    assert done.stdout.split() == f"-DIDESC=0x08200490 {descriptors} {sizes}".split()
    assert run(EXAMPLES / "plan_macros.sh", "128x128x60", "--dtype", "bf16").returncode == 2


@long
@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler here")
def test_header_compiles(tmp_path: Path) -> None:
    header = tmp_path / "descriptors.cuh"
    header.write_text(run(EXAMPLES / "k_loop_header.sh").stdout)
    source = tmp_path / "use.cpp"
    source.write_text('#include "descriptors.cuh"\nstatic_assert(a_desc_k1 - a_desc_k0 == 2);\nint main() {}\n')
    subprocess.run(["g++", "-std=c++17", "-fsyntax-only", str(source)], check=True)


@long
def test_bad_descriptor_fails_the_build() -> None:
    done = run(EXAMPLES / "check_build.sh", str(EXAMPLES / "data" / "kernel.cu"))
    assert done.returncode == 1
    assert "kernel.cu:3:" in done.stdout
    assert "version-constant" in done.stdout


@long
def test_good_descriptors_pass_the_build(tmp_path: Path) -> None:
    header = tmp_path / "descriptors.cuh"
    header.write_text(run(EXAMPLES / "k_loop_header.sh").stdout)
    done = run(EXAMPLES / "check_build.sh", str(header))
    assert (done.returncode, done.stdout) == (0, "")


@long
def test_a_task_of_a_job_array_scans_its_line_of_the_list(tmp_path: Path) -> None:
    """The script of docs/scripting.md, as Slurm runs it for the second line."""
    (script,) = re.findall(r"(?ms)^```bash\n(#!/bin/bash\n.*?)^```$", (ROOT / "docs" / "scripting.md").read_text())
    job = tmp_path / "job.sh"
    job.write_text(script)
    data = EXAMPLES / "data"
    (tmp_path / "list").write_text(f"{data / 'run.log'}\n{data / 'matmul_sm90.ptx'}\n")
    task = documents.environment(SLURM_ARRAY_TASK_ID="2", SLURM_CPUS_PER_TASK="1")
    subprocess.run(["bash", job], cwd=tmp_path, env=task, check=True)
    lines = map(json.loads, (tmp_path / "out" / "2.jsonl").read_text().splitlines())
    assert {line["file"] for line in lines} == {str(data / "matmul_sm90.ptx")}
    assert (tmp_path / "out" / "2.err").read_text() == ""


@pytest.fixture(scope="module")
def gemms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of the GEMMs, with the headers that their Makefiles write."""
    folder = tmp_path_factory.mktemp("examples")
    for name in ("wgmma_gemm", "tcgen05_gemm"):
        shutil.copytree(EXAMPLES / name, folder / name, ignore=shutil.ignore_patterns("plans.cuh"))
        run("make", "-s", "-C", str(folder / name), "plans.cuh").check_returncode()
    return folder


def by_hand(folder: Path) -> Path:
    """A header of the descriptors that a kernel took which filled its tiles by hand, atoms first along MN."""
    header = folder / "descriptors.cuh"
    program = Path(sys.executable).parent / "smemdesc"
    with header.open("w") as out:
        for operand, size, major in (("A", "64x64", "K"), ("B", "128x64", "MN")):
            options = ["--tile", size, "--mma", f"{size[:-2]}16", "--dtype", "f16", "--major", major, "--order", "mn"]
            name = f"{operand}_f16_{major}_128B"
            made = [program, "encode", "wgmma", *options, "--swizzle", "128B", "--format", "cuda", "--name", name]
            subprocess.run(made, stdout=out, stderr=subprocess.DEVNULL, check=True)
    return header


@long
@pytest.mark.parametrize(
    ("dump", "header"),
    [
        ("gemm_sm90.sass", None),
        ("gemm_sm90_tma.sass", "wgmma_gemm/plans.cuh"),
        ("gemm_sm100.sass", "tcgen05_gemm/plans.cuh"),
    ],
)
def test_a_kernel_gives_its_constants_back(dump: str, header: str | None, gemms: Path, tmp_path: Path) -> None:
    """The comparison that ``make check`` makes of all kernels, on the one whose disassembly is kept here."""
    scan = subprocess.run(
        [Path(sys.executable).parent / "smemdesc", "scan", "--json", EXAMPLES / "data" / dump],
        capture_output=True,
        check=True,
    )
    constants = by_hand(tmp_path) if header is None else gemms / header
    done = subprocess.run(
        [sys.executable, EXAMPLES / "wgmma_gemm" / "check.py", constants],
        input=scan.stdout,
        capture_output=True,
        check=False,
    )
    assert b"1 kernels, 4 MMAs, " in done.stdout
    assert b" compared, 0 wrong" in done.stdout
