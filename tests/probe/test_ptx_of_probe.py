"""The kernels: ptxas takes those of every question, on every architecture; a record is read where it is written."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
from functools import cache
from pathlib import Path

import pytest

from smemdesc.probe.every import every_question
from smemdesc.probe.launch import ProbeBlock
from smemdesc.probe.ptx import MAP_AT, RECORD_BYTES, module_text, record_of

PTXAS = os.environ.get("PTXAS") or shutil.which("ptxas")
ARCHS = ("sm_90a", "sm_100a", "sm_103a", "sm_110a", "sm_107a")


@cache
def kernels(arch: str) -> list[str]:
    """Every kernel of an architecture, by its text."""
    every = dict.fromkeys(question.kernel for question in every_question(arch))
    return list(dict.fromkeys(map(module_text, every)))


@cache
def newest() -> tuple[int, ...]:
    listed = subprocess.run([str(PTXAS), "--list-version"], capture_output=True, text=True, check=True).stdout
    return max(tuple(map(int, version.split("."))) for version in listed.split())


def assembles(text: str, folder: Path) -> str:
    """What ptxas says against a kernel."""
    version = tuple(map(int, re.findall(r"\d+", text.splitlines()[0])))
    if version > newest():
        pytest.skip(f"this ptxas takes PTX up to {'.'.join(map(str, newest()))}")
    arch = text.splitlines()[1].split()[1]
    source = folder / "kernel.ptx"
    source.write_text(text)
    words = [str(PTXAS), f"-arch={arch}", "-o", os.devnull, str(source)]
    return subprocess.run(words, capture_output=True, text=True, check=False).stderr


@pytest.mark.slow
@pytest.mark.skipif(not PTXAS, reason="needs ptxas: in PATH, or named by PTXAS (pip install nvidia-cuda-nvcc)")
@pytest.mark.parametrize("arch", ARCHS)
def test_ptxas_takes_a_kernel_of_every_architecture(arch: str, tmp_path: Path) -> None:
    assert "error" not in assembles(kernels(arch)[0], tmp_path)


@pytest.mark.corpus
@pytest.mark.skipif(not PTXAS, reason="needs ptxas: in PATH, or named by PTXAS (pip install nvidia-cuda-nvcc)")
@pytest.mark.parametrize("arch", ARCHS)
def test_ptxas_takes_every_kernel(arch: str, tmp_path: Path) -> None:
    said = {text.splitlines()[2]: assembles(text, tmp_path) for text in kernels(arch)}
    assert {key: text for key, text in said.items() if text} == {}


def test_a_record_has_its_numbers_where_the_kernel_reads_them() -> None:
    block = ProbeBlock((), 1, 2, 3, 4, 5, 6, b"", b"m" * 128, 7, 8, 9, (10, 11))
    record = record_of(block)
    assert len(record) == RECORD_BYTES
    assert record[MAP_AT : MAP_AT + 128] == b"m" * 128
    text = module_text(every_question("sm_90a")[-5].kernel)
    read = {
        name: (kind, int(at)) for kind, name, at in re.findall(r"ld.global.(u\d+) (\w+), \[record \+ (\d+)\]", text)
    }
    assert len(read) >= 8 + 2
    values = {
        name: struct.unpack_from({"u64": "<Q", "u32": "<I"}[kind], record, at)[0] for name, (kind, at) in read.items()
    }
    names = ("a", "b", "mask", "idesc", "metadata", "control", "destination", "transaction", "c0", "c1")
    assert [values[name] for name in names] == [1, 2, 3, 4, 5, 6, 7, 8, 10, 11]
