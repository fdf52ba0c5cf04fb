"""Wrong usage is said as every other error is: ``error:`` first, then what to type; nothing on standard output."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from run import PROGRAM, on_terminal, smemdesc


@pytest.mark.parametrize(
    ("arguments", "said", "then"),
    [
        (["zzz"], "'zzz' is neither a command nor a value; commands are decode, ", "smemdesc --help has examples"),
        (["decode"], "a value is missing; for example: smemdesc decode 0x", "smemdesc decode [OPTIONS] VALUE..."),
        (["decode", "--jsn", "1"], "no such option '--jsn'; did you mean --json", "smemdesc decode --help"),
        (["decode", "--zzz", "1"], "no such option '--zzz'\n", "smemdesc decode --help"),
        (["encode", "idesc"], "missing option '--mma-kind'. Choose from: tf32, f16", "idesc --mma-kind KIND [OPTIONS]"),
        (["layout", "bar"], "no such command 'bar'", "smemdesc layout --help has examples"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, then: str) -> None:
    ran = smemdesc(*arguments)
    assert (ran.out, ran.status) == ("", 2)
    assert ran.err.startswith(f"error: {said}")
    assert then in ran.err.split("\n", 1)[1]


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


@pytest.mark.parametrize(("encoding", "ascii_only"), [("", True), ("utf-8", False)])
def test_lc_all_c_draws_in_ascii_unless_an_encoding_is_asked_for(encoding: str, ascii_only: bool) -> None:
    env = {"LC_ALL": "C", "PYTHONIOENCODING": encoding}
    assert on_terminal("decode", "--bits", "0x40004040", **env).out.isascii() is ascii_only


@pytest.mark.parametrize(
    ("arguments", "one", "other"),
    [
        ("decode 0x4000404000010040 --json --field sbo", "--json", "--field"),
        ("decode 0x4000404000010040 --json --svg a.svg", "--json", "--svg"),
        ("decode 0x4000404000010040 --field sbo --svg -", "--field", "--svg"),
        ("decode 0x4000404000010040 --json --bits", "--json", "--bits"),
        ("encode wgmma --sbo 1024 --swizzle 128B --json --format c", "--json", "--format c"),
        ("plan 128x128x64 --dtype bf16 --json --format cuda", "--json", "--format cuda"),
        ("plan 128x128x64 --dtype bf16 --format cuda --svg -", "--format cuda", "--svg -"),
        ("layout tmem --m 64 --n 64 --json --svg a.svg", "--json", "--svg"),
        ("layout tile 128x64 --swizzle 128B --dtype bf16 --major K --json --svg -", "--json", "--svg"),
        ("scan --json --format short examples/data/gemm_sm90.sass", "--json", "--format short"),
    ],
)
def test_two_output_formats_are_refused(arguments: str, one: str, other: str) -> None:
    ran = smemdesc(*arguments.split())
    assert ran.status == 2
    assert ran.out == ""
    assert f"{one} and {other} cannot be given together" in ran.err


def test_json_and_a_picture_in_a_file_are_both_written(tmp_path: Path) -> None:
    file = tmp_path / "tile.svg"
    tile = ["layout", "tile", "128x64", "--swizzle", "128B", "--dtype", "bf16", "--major", "K"]
    ran = smemdesc(*tile, "--json", "--svg", str(file))
    assert ran.out.startswith("{")
    assert file.read_text().startswith("<svg")
