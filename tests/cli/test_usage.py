"""Wrong usage is said as every other error is: ``error:`` first, then what to type; nothing on standard output."""

from __future__ import annotations

import os
import subprocess

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
