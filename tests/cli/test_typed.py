"""What people type: done where it is plain what they mean, else answered with the command to type."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from run import PROGRAM, smemdesc

from smemdesc.cli import expand_arguments

V, W = "0x4000404000010040", "0x4000404000010042"
DUMP = str(Path(__file__).parents[2] / "examples" / "data" / "gemm_sm90.sass")


@pytest.mark.parametrize(
    ("typed", "args"),
    [
        ([V], ["decode", V]),
        (["--json", V], ["decode", "--json", V]),
        (["--kind", "mask", V], ["decode", "--kind", "mask", V]),
        (["-"], ["decode", "-"]),
        (["diff", V, W], ["decode", "--diff", V, W]),
        (["-h"], ["--help"]),
        (["decode", "-h"], ["decode", "--help"]),
        (["help"], ["--help"]),
        (["help", "decode"], ["decode", "--help"]),
        (["help", "layout", "atom"], ["layout", "atom", "--help"]),
        ([DUMP], ["scan", DUMP]),
        (["UMOV UR7, 0x40000040 ;"], ["decode", "UMOV UR7, 0x40000040 ;"]),
        (["UMOV", "UR7,", "0x40000040", "--json"], ["decode", "UMOV", "UR7,", "0x40000040", "--json"]),
        (["/* 0x000fe20000000000 */"], ["decode", "/* 0x000fe20000000000 */"]),
        (["--", "-1"], ["decode", "--", "-1"]),
        (["--version"], ["--version"]),
        (["decode", V], ["decode", V]),
    ],
)
def test_expand_arguments(typed: list[str], args: list[str]) -> None:
    assert expand_arguments(typed) == args


@pytest.mark.parametrize(
    ("option", "alias"),
    [
        (["--field", "stride_byte_offset"], ["--field", "sbo"]),
        (["--field", "leading_byte_offset"], ["--field", "LBO"]),
        (["--json", "--kind", "tcgen05"], ["--json", "--kind", "umma"]),
        (["--json", "--dtype", "f16", "--major", "K"], ["--json", "--dtype", "half", "--major", "K"]),
        (["--json", "--dtype", "e4m3", "--major", "K"], ["--json", "--dtype", "float8_e4m3fn", "--major", "K"]),
    ],
)
def test_an_alias_is_the_name(option: list[str], alias: list[str]) -> None:
    assert smemdesc("decode", V, *alias) == smemdesc("decode", V, *option)


@pytest.mark.parametrize("mode", ["128", "SWIZZLE_128B", "CU_TENSOR_MAP_SWIZZLE_128B", "SW128", "B128", "128b"])
def test_a_mode_by_any_name(mode: str) -> None:
    made = smemdesc("encode", "tcgen05", "--start", "1KiB", "--sbo", "1KiB", "--lbo", "16", "--swizzle", mode)
    assert made.out.strip() == V


@pytest.mark.parametrize("mode", ["128B_BASE32B", "SWIZZLE_128B_BASE32B", "CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B"])
def test_the_mode_of_32_byte_units_by_any_name(mode: str) -> None:
    assert smemdesc("encode", "tcgen05", "--sbo", "512", "--swizzle", mode).out.startswith("0x2")


def test_what_cutlass_prints() -> None:
    text = f"GmmaDescriptor: {V}\n  start_addr :  0x0040\n  leading_off:  0x0001 (1)\n  layout_type:  0x1 (B128)\n"
    ran = smemdesc("decode", "--field", "start", "-", stdin=text * 2 + "b: line\n")
    assert ran.out == "1024\n1024\n"
    assert ran.err.startswith("error: line 9")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="Linux has a full device")
@pytest.mark.parametrize("arguments", [["zzz"], ["decode", "--zzz"], ["mask", "1"], []])
def test_the_status_is_right_where_nobody_hears_what_is_wrong(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=full, check=False)
    assert (ran.stdout, ran.returncode) == (b"", 2)


@pytest.mark.parametrize("arguments", [[], ["layout"], ["encode"]])
def test_nothing_asked_shows_the_help(arguments: list[str]) -> None:
    ran = smemdesc(*arguments)
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err.startswith("Usage: ")
    assert "Examples:" in ran.err
