"""What a run does not need, it does not import."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"bitstring", "rich", "json", "dataclasses", "importlib.metadata", "smemdesc.encoding", "textwrap", "difflib"}
DUMPS = Path(__file__).parents[2] / "examples" / "data"
NO_DRAWING = HEAVY - {"rich"}
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
stop = os._exit
def leave(status):
    sys.stderr.write("\\n" + " ".join(sorted(sys.modules)))
    sys.stderr.flush()
    stop(status)
os._exit = leave
main()
"""


def loaded(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", WATCH, *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["--version"], set()),
        (["--help"], {"textwrap"}),
        (["decode", "0x4000404000010040"], {"bitstring", "rich", "dataclasses"}),
        (["decode", "--field", "swizzle", "0x4000404000010040"], {"bitstring"}),
        (["decode", "--json", "0x4000404000010040"], {"bitstring", "json"}),
        (["decode", "--check", "--json", "0x4000404000010040"], {"bitstring", "json"}),
        (["encode", "tcgen05", "--sbo", "1024", "--swizzle", "128B"], {"bitstring", "smemdesc.encoding"}),
        *(
            (["encode", "tcgen05", "--sbo", "1024", "--swizzle", "128B", "--format", style], NO_DRAWING)
            for style in ("c", "json")
        ),
        (["fields", "wgmma"], {"rich", "dataclasses"}),
        (["fields", "wgmma", "--json"], NO_DRAWING),
        (["mask", "0x0003028100000000", "--m", "64", "--n", "16", "--json"], NO_DRAWING),
        (["scan", "--json", str(DUMPS / "gemm_sm90.sass")], NO_DRAWING),
        *((["layout", *arguments, "--json"], NO_DRAWING) for arguments in LAYOUTS),
    ],
)
def test_command_imports_only_what_it_needs(arguments: list[str], needed: set[str]) -> None:
    assert loaded(*arguments) & HEAVY <= needed | ({"textwrap"} if "rich" in needed else set())  # rich 14 imports it


def test_help_imports_nothing_below_the_command_line() -> None:
    own = {name for name in loaded("--help") if name.startswith("smemdesc")}
    assert own == {"smemdesc", "smemdesc._version", "smemdesc.cli"}


def test_the_package_imports_nothing() -> None:
    code = "import sys, smemdesc; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    packages = {"smemdesc", "click", "rich", "bitstring"}
    ours = {name for name in done.stdout.split() if name.partition(".")[0] in packages}
    assert ours == {"smemdesc", "smemdesc._version"}


def test_the_library_needs_neither_click_nor_rich() -> None:
    code = (
        "import sys, smemdesc; smemdesc.decode(0x4000404000010040); smemdesc.encode('wgmma'); smemdesc.diff(1, 2);"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert not {"click", "rich"} & set(done.stdout.split())


@pytest.mark.parametrize(
    ("dump", "language"), [("gemm_sm90.sass", "sass"), ("gemm_sm100.sass", "sass"), ("matmul_sm100.ptx", "ptx")]
)
def test_a_scan_loads_one_language_and_no_processes(dump: str, language: str) -> None:
    found = loaded("scan", str(DUMPS / dump))
    assert not found & {"json", "smemdesc.encoding", "difflib", "multiprocessing"}
    assert {name for name in ("sass", "ptx", "llvm", "mlir", "other") if f"smemdesc.scan.{name}" in found} == {language}
