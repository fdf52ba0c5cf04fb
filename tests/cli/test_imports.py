"""What a run does not need, it does not import."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from run import environment

HEAVY = {
    "bitstring",
    "rich",
    "json",
    "dataclasses",
    "importlib.metadata",
    "smemdesc.descriptors.encoding",
    "textwrap",
    "difflib",
    "demangle",
}
DUMPS = Path(__file__).parents[2] / "examples" / "data"
SOUND = "0x4000404000010040"
NO_DRAWING = HEAVY - {"rich", "demangle"}
CASE = ["--dtype", "bf16", "--major", "K", "--shape", "64x16"]
LAYOUTS = (
    ["atom", "--swizzle", "128B", "--major", "K"],
    ["operand", "0x4000404000010040", *CASE],
    ["address", "0x4000404000010040", *CASE, "--at", "17,9"],
    ["tile", "64x64", "--dtype", "bf16", "--major", "K", "--swizzle", "128B"],
    ["fragment", "--shape", "m64n8k16", "--operand", "a", "--dtype", "bf16"],
    ["tmem", "--m", "64", "--n", "128"],
    ["scales", "128x256", "--mma-kind", "mxf4"],
    ["canonical"],
    ["linear", "--swizzle", "128B", "--dtype", "bf16"],
)
WATCH = """
import os, sys
from smemdesc.cli import main
class Left(BaseException):
    pass
def leave(status):
    raise Left
os._exit = leave
for sys.argv in {lines!r}:
    try:
        main()
    except (Left, SystemExit):
        pass
    sys.stdout.flush()
    sys.stderr.write("\\nloaded: " + " ".join(sorted(sys.modules)) + "\\n")
"""


def loaded(*commands: list[str]) -> list[set[str]]:
    """Run commands one after another in one process; the modules that are there after each."""
    code = WATCH.format(lines=[["smemdesc", *each] for each in commands])
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True, timeout=60, env=environment()
    )
    lines = [line.split() for line in done.stderr.splitlines()]
    after = [set(words[1:]) for words in lines if words[:1] == ["loaded:"]]
    assert [words for words in lines if words and words[:1] != ["loaded:"]] == []
    assert len(after) == len(commands)
    return after


@pytest.mark.slow
@pytest.mark.parametrize(
    "needs",
    [
        [(["--help"], {"textwrap"})],
        [
            (["--version"], set()),
            (["decode", "--field", "swizzle", "0x4000404000010040"], {"bitstring"}),
            (["decode", "--json", "0x4000404000010040"], {"bitstring", "json"}),
            (["decode", "--check", "--json", "0x4000404000010040"], {"bitstring", "json"}),
            *(
                (["encode", "tcgen05", "--sbo", "1024", "--swizzle", "128B", "--format", style], NO_DRAWING)
                for style in ("c", "json")
            ),
            (["fields", "wgmma", "--json"], NO_DRAWING),
            (["mask", "0x0003028100000000", "--m", "64", "--n", "16", "--json"], NO_DRAWING),
            (["scan", "--json", str(DUMPS / "gemm_sm90.sass")], NO_DRAWING),
            *((["layout", *arguments, "--json"], NO_DRAWING) for arguments in LAYOUTS),
        ],
        [(["encode", "tcgen05", "--sbo", "1024", "--swizzle", "128B"], {"bitstring", "smemdesc.descriptors.encoding"})],
        [
            (["fields", "wgmma"], {"rich", "dataclasses", "textwrap"}),  # rich 14 imports textwrap
            (["decode", "0x4000404000010040"], {"bitstring", "rich", "dataclasses", "textwrap"}),
        ],
    ],
    ids=lambda needs: " ".join(needs[-1][0][:2]),
)
def test_commands_import_only_what_they_need(needs: list[tuple[list[str], set[str]]]) -> None:
    """Each may have what those before it need: none needs less."""
    assert all(less <= more for (_, less), (_, more) in pairwise(needs))
    after = loaded(*(arguments for arguments, _ in needs))
    assert [
        (arguments, too_much)
        for (arguments, needed), there in zip(needs, after, strict=True)
        if (too_much := there & HEAVY - needed)
    ] == []


def test_help_imports_nothing_below_the_command_line() -> None:
    own = {name for name in loaded(["--help"])[0] if name.startswith("smemdesc")}
    assert own == {
        "smemdesc",
        "smemdesc._version",
        "smemdesc.cli",
        "smemdesc.cli.commands",
        "smemdesc.cli.support",
        "smemdesc.cli.support.help",
        "smemdesc.cli.shortcuts",
    }


def test_one_value_loads_what_it_needs() -> None:
    own = {name.removeprefix("smemdesc.") for name in loaded(["decode", "--json", SOUND])[0] if "smemdesc" in name}
    rare = (
        "descriptors.near_misses",
        "reading.code",
        "kinds.types",
        "kinds.instruction",
        "rules.zero_columns",
        "rules.completions",
    )
    assert not own & {*rare, "rules.instruction", "descriptors.explain"}


def test_the_package_imports_nothing() -> None:
    code = "import sys; before = {*sys.modules}; import smemdesc; print(*{*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert {*done.stdout.split()} == {"smemdesc", "smemdesc._version"}


@pytest.mark.slow
def test_the_library_needs_neither_click_nor_rich() -> None:
    calls = (
        "decode(0x4000404000010040, dtype='bf16', major='K', shape='64x16')",
        "encode('wgmma')",
        "diff(1, 2)",
        "mma(a=0x4000404000010040, idesc=0x8200490)",
        "plan('128x128x64', dtype='bf16')",
        "mask(zero='0-2', m=128, n=64)",
        "explain('lbo')",
        "tensormap(dtype='bf16', address=0, dim=(64, 64), stride=128, box=(64, 8))",
        "tile('128x64', dtype='bf16', major='K', swizzle='128B')",
        "atom(swizzle='128B', major='K')",
        "address(0x4000404000010040, at=(17, 9), dtype='bf16', major='K', shape='64x16')",
        "fragment(shape='m64n64k16', operand='d', dtype='f32')",
        "tmem(m=64, n=128)",
        "scales('128x256', mma_kind='mxf4')",
        f"scan({str(DUMPS / 'gemm_sm90.sass')!r}).findings",
    )
    code = f"import sys, smemdesc; {'; '.join(f'repr(smemdesc.{each})' for each in calls)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert not {"click", "rich"} & set(done.stdout.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dump", "language"), [("gemm_sm90.sass", "sass"), ("gemm_sm100.sass", "sass"), ("matmul_sm100.ptx", "ptx")]
)
def test_a_scan_loads_one_language_and_no_processes(dump: str, language: str) -> None:
    (found,) = loaded(["scan", str(DUMPS / dump)])
    assert not found & {"json", "smemdesc.descriptors.encoding", "difflib", "multiprocessing"}
    rooms = ("languages.sass", "languages.ptx", "languages.llvm", "languages.mlir", "inputs.literals")
    assert {name for name in rooms if f"smemdesc.scanning.{name}" in found} == {f"languages.{language}"}
