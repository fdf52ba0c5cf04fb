"""What is longer than a terminal goes through a pager there, and nowhere else."""

from __future__ import annotations

import os
import sys
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from run import on_terminal, smemdesc

import smemdesc.render.progress as bars

DUMP = str(Path(__file__).parents[2] / "examples" / "data" / "gemm_sm90.sass")

LONG = ["layout", "operand", "0x4000404000010040", "--dtype", "bf16", "--major", "K", "--shape", "128x16"]
SHORT = ["0x4000404000010040"]
MARKS = "sed s/^/>/"
FIRST = "sed 1s/^/>/"
MASK = ["mask", *["0x0203028301020100"] * 3, "--m", "32", "--n", "64"]


def paged(*arguments: str, **env: str) -> bool:
    out = on_terminal(*arguments, **{"PAGER": MARKS, "LINES": "30", **env}).out
    marked = {line.startswith(">") for line in out.splitlines()}
    assert len(marked) == 1
    return marked.pop()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "env", "is_paged"),
    [
        (LONG, {}, True),
        (LONG, {"LINES": "500"}, False),
        (LONG, {"PAGER": "cat"}, False),
        (LONG, {"PAGER": ""}, False),
        (LONG, {"SMEMDESC_PAGER": "cat"}, False),
        (LONG, {"PAGER": "cat", "SMEMDESC_PAGER": MARKS}, True),
        (LONG, {"TERM": "dumb"}, False),
        ([*LONG, "--no-pager"], {}, False),
        (["--no-pager", *LONG], {}, False),
        ([*LONG, "--json"], {}, False),
        (SHORT, {}, False),
        ([*SHORT, *SHORT], {"LINES": "15"}, True),  # each alone is not
        (["fields", "wgmma"], {}, True),
        (["explain"], {}, True),
        (["plan", "128x128x64", "--dtype", "bf16"], {"LINES": "15"}, True),
        (["scan", DUMP], {}, True),
        (["scan", "--annotate", DUMP], {}, True),
        (["scan", "--diff", DUMP, DUMP], {}, True),
        (["scan", "--json", DUMP], {}, False),
        (["scan", "--no-pager", DUMP], {}, False),
    ],
)
def test_what_is_paged(arguments: list[str], env: dict[str, str], is_paged: bool) -> None:
    assert paged(*arguments, **env) == is_paged


def test_a_pipe_is_never_paged() -> None:
    assert smemdesc(*LONG, PAGER=MARKS).out == smemdesc(*LONG, PAGER="cat").out


@pytest.mark.parametrize("arguments", [[*SHORT, "0x1_", *SHORT], ["scan", DUMP, "/missing", DUMP]])
def test_an_error_stands_in_its_place(arguments: list[str]) -> None:
    ran = on_terminal(*arguments, PAGER=MARKS, LINES="10", NO_COLOR="1")
    answers = [
        line[:6]
        for line in ran.out.splitlines()
        if ("shared-memory descriptor" in line or "MMAs:" in line or "rror" in line) and "in all:" not in line
    ]
    assert [each.startswith(">error") for each in answers] == [False, True, False]
    assert ran.status == 2


@pytest.mark.parametrize("arguments", [MASK, ["scan", DUMP, DUMP], [*SHORT, *SHORT, *SHORT]])
def test_one_pager_shows_everything(arguments: list[str]) -> None:
    assert on_terminal(*arguments, PAGER=FIRST, LINES="10").out.count(">") == 1


def test_a_scan_is_shown_while_it_reads(tmp_path: Path) -> None:
    os.mkfifo(late := tmp_path / "late.sass")
    pager = f"sh -c 'read first; cat {DUMP} > {late}; cat'"  # reads a line before there is more to scan
    ran = on_terminal("scan", "--jobs", "1", DUMP, str(late), PAGER=pager)
    assert (ran.out.count("4 x HGMMA"), ran.status) == (2, 0)


def test_a_pager_that_is_left_early_ends_the_scan() -> None:
    ran = on_terminal("scan", "--check", "--jobs", "1", *[DUMP] * 99, "/missing", PAGER="head -n 1")
    assert (ran.out.count("\n"), ran.status) == (1, 0)


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_no_progress_is_drawn_once_the_pager_has_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(bars, "_LARGE", 0)
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    file: Any = SimpleNamespace(name="a.sass", total=2, done=1, last=True)
    passed = bars.progress([file] * 4)
    assert [next(passed), next(passed)] == [file] * 2
    drawn = screen.getvalue().count("a.sass")
    monkeypatch.setattr(sys, "stderr", pager := Terminal())
    assert list(passed) == [file] * 2
    assert (drawn > 0, screen.getvalue().count("a.sass"), pager.getvalue()) == (True, drawn, "")


def test_where_there_is_no_pager_all_is_written() -> None:
    assert on_terminal(*LONG, PAGER="no-such-pager").out == on_terminal(*LONG).out


def test_the_pager_is_asked_what_git_asks_of_it() -> None:
    assert on_terminal(*LONG, PAGER="printenv LESS").out == "-FRX\n"
    assert on_terminal(*LONG, PAGER="printenv LESS", LESS="-S").out == "-S\n"


def test_the_pager_gets_what_the_terminal_would() -> None:
    shown = on_terminal(*LONG).out
    assert "\x1b[" in shown
    assert on_terminal(*LONG, PAGER="dd status=none").out == shown
