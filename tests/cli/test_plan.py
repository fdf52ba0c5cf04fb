"""``smemdesc plan``: whole outputs, JSON, blocks that compile, pictures, errors."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from goldens import COMMANDS
from run import on_terminal, refused, smemdesc

from smemdesc.api.planning import plan

PAIR = ["plan", "256x256x64", "--dtype", "e4m3", "--cta-group", "2", "--b-major", "MN"]
HOPPER = ["plan", "64x128x64", "--dtype", "bf16", "--b-major", "MN", "--arch", "sm_90a", "--stages", "4"]
K_96 = ["plan", "128x128x768", "--dtype", "e2m1", "--mma-kind", "mxf4", "--mma", "128x128x96", "--arch", "sm_103a"]


def test_the_json_that_scripts_rely_on() -> None:
    data = json.loads(smemdesc(*PAIR, "--json").out)
    assert {"instruction", "idesc", "a", "b", "stages", "shared_memory"} <= set(data)
    keys = {"swizzle", "order", "leading_byte_offset", "stride_byte_offset", "bytes", "descriptors", "cute", "cute_dsl"}
    for side in (data["a"], data["b"]):
        assert keys | {"triton", "tma"} <= set(side)
        assert {"box", "swizzle", "interleave", "copies"} <= set(side["tma"])
    assert (data["idesc"], data["b"]["order"], data["b"]["tma"]["box"]) == ("0x10410010", "k", [128, 64])
    assert data["b"]["descriptors"] == [["0x4000404002000000", "0x4000404002000100"]]


def test_json_of_both_spellings_is_one_line() -> None:
    one, other = smemdesc(*PAIR, "--json").out, smemdesc(*PAIR, "--format", "json").out
    assert one == other
    assert one.count("\n") == 1


@pytest.mark.parametrize(("name", "major"), [("N", "MN"), ("T", "K")])
def test_blas_has_column_major_matrices(name: str, major: str) -> None:
    said = ["plan", "128x128x64", "--dtype", "bf16"]
    assert smemdesc(*said, "--trans-a", name).out == smemdesc(*said, "--a-major", major).out
    other = "K" if major == "MN" else "MN"
    assert smemdesc(*said, "--trans-b", name).out == smemdesc(*said, "--b-major", other).out


CUDA_H = """#pragma once
typedef enum { CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 } CUtensorMapDataType;
typedef enum { CU_TENSOR_MAP_SWIZZLE_128B } CUtensorMapSwizzle;
typedef enum { CU_TENSOR_MAP_INTERLEAVE_NONE } CUtensorMapInterleave;
"""
"""What a header takes from cuda.h, for compilers that have none."""
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]
COMPILERS = [
    ("c", "gcc", ["-std=c11", *STRICT], "c"),
    ("c", "g++", ["-std=c++11", *STRICT], "cpp"),
    ("c", "nvcc", ["-Werror", "all-warnings", "-cuda", "-o", "use.ii"], "cu"),
    ("cuda", "g++", ["-std=c++14", *STRICT], "cpp"),
    ("cuda", "nvcc", ["-Werror", "all-warnings", "-cuda", "-o", "use.ii"], "cu"),
]


def compiles(folder: Path, compiler: str, options: list[str], suffix: str, lines: list[str]) -> bool:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    source = folder / f"use.{suffix}"
    source.write_text("".join(f"{line}\n" for line in lines))
    done = subprocess.run([compiler, *options, source.name], cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode == 0


@pytest.mark.parametrize(
    ("style", "compiler", "options", "suffix", "tensor_map"),
    [(*how, tensor_map) for how in COMPILERS for tensor_map in (False, True) if tensor_map or how[1] != "nvcc"],
)
@pytest.mark.corpus
def test_a_header_compiles_alone(
    style: str, compiler: str, options: list[str], suffix: str, tensor_map: bool, tmp_path: Path
) -> None:
    header = smemdesc(*HOPPER, "--format", style, "--name", "g", *(["--tensor-map"] if tensor_map else [])).out
    (tmp_path / "g.h").write_text(header)
    # Another plan of the same name is an error, and not left out.
    (tmp_path / "other.h").write_text(
        smemdesc("plan", *HOPPER[1:], "--swizzle", "64B", "--format", style, "--name", "g").out
    )
    if tensor_map and compiler != "nvcc":
        (tmp_path / "cuda.h").write_text(CUDA_H)
        options = [*options, "-I."]
    said = [
        '#include "g.h"',
        '#include "g.h"',
        "int main() { return 0; }" if suffix != "c" else "int main(void) { return 0; }",
    ]
    assert ("#include <cuda.h>" in header) == tensor_map
    assert compiles(tmp_path, compiler, options, suffix, said)
    if compiler != "nvcc":  # whose own compiler says so, and which takes a second
        assert not compiles(tmp_path, compiler, options, suffix, ['#include "other.h"', *said])


def test_a_header_without_a_box_takes_nothing_of_the_driver() -> None:
    header = smemdesc("plan", "128x128x64", "--dtype", "e2m3", "--format", "c", "--tensor-map").out
    assert "#include <stdint.h>" in header
    assert "cuda.h" not in header
    refused(*HOPPER, "--tensor-map", says="--tensor-map needs --format c or cuda")


@pytest.mark.parametrize("name", ["a", "tmem", "stages"])
def test_a_struct_has_no_name_of_its_members(name: str) -> None:
    says = [f"'{name}' is a member of the struct", f"as in --name {name}_gemm"]
    refused(*PAIR, "--format", "cuda", "--name", name, says=says)
    assert smemdesc(*PAIR, "--format", "c", "--name", name).status == 0


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="no ptxas here")
@pytest.mark.parametrize(("asked", "arch"), [(HOPPER, "sm_90a"), (K_96, "sm_103a")])
def test_the_ptx_block_assembles_in_a_function(asked: list[str], arch: str, tmp_path: Path) -> None:
    block = smemdesc(*asked, "--format", "ptx").out
    assert ".const" not in block
    source = tmp_path / "use.ptx"
    head = f".version 8.8\n.target {arch}\n.address_size 64\n"
    source.write_text(f"{head}.visible .entry kernel()\n{{\n{block}ret;\n}}\n")
    subprocess.run(["ptxas", f"-arch={arch}", source, "-o", tmp_path / "use.cubin"], check=True)


def test_a_shell_takes_its_block_as_lines_and_as_one() -> None:
    block = smemdesc(*PAIR, "--format", "sh", "--name", "pair").out
    for quote in ('"', ""):
        script = f"eval {quote}$1{quote}; echo $pair_idesc $pair_b_offsets $pair_b_tma_box $pair_b_tma_swizzle"
        done = subprocess.run(["sh", "-c", script, "sh", block], capture_output=True, text=True, check=True)
        assert done.stdout == "0x10410010 0 256 128 64 CU_TENSOR_MAP_SWIZZLE_128B\n"
    refused(*PAIR, "--format", "sh", "--name", "a b", says="'a b' is not a name in a shell")


def test_one_constant_is_asked_for_by_its_name() -> None:
    asked = [part for name in ("a.descriptor", "stage_bytes", "b.lbo", "a.swizzle") for part in ("--field", name)]
    assert smemdesc(*PAIR, *asked).out == "0x8000402000010000\t16384\t8192\t64B\n"
    refused(*PAIR, "--field", "a.desriptor", says="did you mean a.descriptor? There are a.swizzle, ")
    refused(*HOPPER, "--field", "idesc", says="this plan has no idesc")
    refused(*PAIR, "--field", "idesc", "--format", "c", says="--field and --format c cannot be given together")
    assert smemdesc(*TOO_MUCH["tensor-memory-columns"], "--field", "idesc")[::2] == ("", 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if name.startswith("plan/")])
def test_the_first_screen_has_at_most_20_lines(name: str) -> None:
    asked = COMMANDS[name].words
    if {"--all", "--json", "--format", "--svg"} & set(asked):
        return
    screen = re.split(r"(?m)^(?:notes|error|warning)", on_terminal(*asked, columns=80, NO_COLOR="1").out)[0]
    assert len(screen.rstrip().splitlines()) <= 20
    assert max(map(len, screen.splitlines())) <= 80


def test_the_python_block_is_python() -> None:
    names: dict[str, Any] = {}
    exec(smemdesc(*PAIR, "--format", "python", "--name", "pair").out, names)
    made = plan((256, 256, 64), dtype="e4m3", cta_group=2, b_major="MN")
    assert names["pair"]["idesc"] == made.idesc
    assert names["pair"]["b"]["descriptor"] == made.b.base
    assert tuple(map(tuple, names["pair"]["b"]["offsets"])) == made.b.offsets


TOO_MUCH = {
    "outside-shared-memory": ["plan", "128x256x128", "--dtype", "bf16", "--stages", "3"],
    "tensor-memory-columns": ["plan", "256x512x64", "--dtype", "bf16"],
    "accumulator-registers": ["plan", "512x256x64", "--dtype", "bf16", "--arch", "sm_90a"],
}


@pytest.mark.parametrize("rule", TOO_MUCH)
def test_a_plan_that_does_not_fit_fails_the_check(rule: str) -> None:
    asked = TOO_MUCH[rule]
    assert f"error {rule}: " in smemdesc(*asked).out
    assert [smemdesc(*asked, *more).status for more in ([], ["--json"], ["--check"], ["--strict", "--json"])] == [
        0,
        0,
        1,
        1,
    ]
    assert smemdesc(*HOPPER, "--strict").status == 0


@pytest.mark.slow
@pytest.mark.parametrize(("style", "mark"), [("c", "/*"), ("cuda", "//"), ("ptx", "//"), ("python", "#")])
@pytest.mark.parametrize("rule", TOO_MUCH)
def test_constants_with_an_error_are_written_only_by_force(rule: str, style: str, mark: str) -> None:
    refusal = smemdesc(*TOO_MUCH[rule], "--format", style)
    assert (refusal.out, refusal.status) == ("", 1)
    assert f"error {rule}: " in refusal.err
    assert "--force" in refusal.err
    forced = smemdesc(*TOO_MUCH[rule], "--format", style, "--force")
    assert f"error {rule}: " in forced.err
    first, second, *_ = forced.out.splitlines()
    assert first.startswith(f"{mark} smemdesc plan ")
    assert second.startswith(f"{mark} error {rule}: ")
    assert (forced.status, smemdesc(*TOO_MUCH[rule], "--format", style, "--force", "--check").status) == (0, 1)


def test_a_picture_has_both_operands(tmp_path: Path) -> None:
    file = tmp_path / "plan.svg"
    assert smemdesc(*PAIR, "--svg", str(file)).out.startswith("256x256x64")
    root = ET.fromstring(file.read_text())
    texts = " ".join(each.text or "" for each in root.iter() if each.tag.endswith("text"))
    assert "128x64 of 256x64 e4m3, 64B K-major" in texts
    assert "e4m3, 128B MN-major" in texts
