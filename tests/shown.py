"""The commands that help texts and pages give as examples, and a folder in which each of them can be run."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from random import Random
from zipfile import ZipFile

from click.testing import CliRunner
from corpus.fake import OBJECTS, nvdisasm
from documents import DOCUMENTS, FENCED, ROOT

from smemdesc.cli import cli
from smemdesc.descriptors.tensormap import encode_map
from smemdesc.kinds.types import dtype_of
from smemdesc.layout.operand import Operand
from smemdesc.reading.matrices import read_matrix

sys.path.insert(0, str(ROOT / "docs"))

from generate import tree

_SHELL = re.compile(r"(?ms)^```sh\n(.*?)^```$")
_INLINE = re.compile(r"`(smemdesc [^`\n]*[0-9/][^`\n]*)`")
"""A command in a sentence that has a value or a path; others are the name of a command."""
_PLACEHOLDER = re.compile(r"\b(?:VALUE|FILE|KIND|MNxK|MN,K|EXPRESSION|ROWS)\b|…")


def of_help() -> list[tuple[str, str]]:
    """Return the examples of every help text, each with the command whose help it is."""
    out = []
    for node in tree.walk():
        (text,) = (part for part in node.help.split("\n\n") if part.startswith("  Examples:\n"))
        # What is indented further goes on with the line above, as it is pasted.
        typed = re.sub(r" \\\n +", " ", re.sub(r"(?m) {2,}# .*$", "", text.partition("\n")[2]))
        out += [(node.path, command.rstrip()) for command in re.split(r"(?m)^ {4}(?! )", typed) if command.strip()]
    return out


def of_pages() -> list[tuple[str, str]]:
    """Return the commands of the pages that stand in a block without their output, or in a sentence."""
    out = []
    for path in DOCUMENTS:
        text = path.read_text()
        lines = [re.split(r"  +#", line)[0] for block in _SHELL.findall(text) for line in block.splitlines()]
        inline = [line for line in _INLINE.findall(FENCED.sub("", text)) if not _PLACEHOLDER.search(line)]
        out += [(str(path.relative_to(ROOT)), line) for line in [*lines, *inline] if line.startswith("smemdesc ")]
    return out


def of_usage() -> list[tuple[str, str]]:
    """Return the examples that commands give to whoever types nothing behind them."""
    out = []
    for node in tree.walk():
        if node.path == "smemdesc web":
            continue  # where the page is built, it serves it until it is stopped
        done = CliRunner().invoke(cli, node.path.split()[1:], input="")
        for found in re.findall(r"for example: (.*(?:\n {4,}.*)*)", done.output):
            out.append((f"{node.path}, alone", re.sub(r"\n +", "", found)))
    return out


FAILED_CALL = """\
format 9\ndim 3\ngmem_address 0x7f4c49e08800\nglobalDim (128,1,32,1,1)\nglobalStrides (2,2,256,0,0)
boxDim (64,128,1,1,1)\nswizzle 3
"""


def fill(folder: Path) -> None:
    """Put the files into a folder that the examples name, and NVIDIA's programs into its folder ``bin``."""
    cubin = (OBJECTS / "wgmma.cubin").read_bytes()
    ptx, sass = OBJECTS / "wgmma.ptx", ROOT / "examples" / "data" / "gemm_sm90_tma.sass"
    for name in (".triton/cache", "build", "docs/pictures", "bin"):
        (folder / name).mkdir(parents=True)
    for name in ("examples", "tests"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("k.ptx", "gemm.ptx", ".triton/cache/k.ptx"):
        shutil.copy(ptx, folder / name)
    for name in ("gemm.sass", "before.sass", "after.sass"):
        shutil.copy(sass, folder / name)
    for name in ("kernel.cubin", "k.cubin", "gemm.cubin", "libgemm.so", "build/kernels.so"):
        (folder / name).write_bytes(cubin)
    with ZipFile(folder / "x.whl", "w") as wheel:
        wheel.writestr("x/libx.so", cubin)
    (folder / "values").write_text("0x4000404000010040\n")
    tensor_map = encode_map("bf16", 0x7F1234567000, (4096, 2048), (8192,), (64, 128), swizzle="128B").value
    (folder / "a.map").write_bytes(tensor_map.to_bytes(128, "little"))
    (folder / "log").write_text(FAILED_CALL)
    for name, copy in (("A.npy", "A.npy"), ("shared.bin", "BYTES.bin")):
        shutil.copy(ROOT / "examples" / "wrong_numbers" / name, folder / copy)
    _tile(folder / "B.csv", folder / "B.bin")
    cuobjdump = Path(nvdisasm(folder / "bin"), "cuobjdump")
    cuobjdump.write_text(f"#!/bin/sh\ncat {sass}\n")
    cuobjdump.chmod(0o755)


def _tile(matrix: Path, memory: Path) -> None:
    """Write a matrix of e4m3, and shared memory from 0x400 with it in a tile."""
    random = Random(1)
    e4m3 = dtype_of("e4m3")
    matrix.write_text("\n".join(" ".join(str(random.randint(-8, 8)) for _ in range(128)) for _ in range(64)))
    tile = Operand("128B", "K", e4m3, (64, 128), start=0x400, lbo=16, sbo=1024)
    held = bytearray(64 * 128)
    for bits, elements in zip(tile.grid, read_matrix(str(matrix), e4m3), strict=True):
        for bit, element in zip(bits, elements, strict=True):
            held[bit // 8 - 0x400] = element
    memory.write_bytes(held)
