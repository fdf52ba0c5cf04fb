"""A short run of each fuzzer; ``python -m fuzz.lines``, ``fuzz.numbers``, ``fuzz.files``, ``fuzz.binaries``,
``fuzz.long_lines`` and ``fuzz.debugger`` are the long ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from fuzz import binaries, debugger, files, lines, long_lines, numbers, snapshot
from fuzz.command import failures
from samples import EVERY

# A report waits in a temporary file, which the end of the process closes.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
ENOUGH = 60.0
"""Seconds; the counts below take a tenth of it."""


@pytest.mark.slow
@pytest.mark.property
def test_command_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some of the lines write files
    assert list(failures(lines.cases(7), lines.fault, ENOUGH, 400 if os.environ.get(EVERY) else 60)) == []


def test_the_command_lines_reach_every_command() -> None:
    assert len(lines.commands()) > 15
    assert len(lines.examples(lines.commands())) > 50


def test_a_command_line_that_goes_wrong_is_told() -> None:
    ran = lines.Ran(0, "", "", 0.0)
    assert lines.wrong(ran) == ""
    for other in (
        ran._replace(status=3),
        ran._replace(err="Traceback"),
        ran._replace(err="error: an error in smemdesc itself (x)", status=2),
        ran._replace(out="\x1b[0m"),
        ran._replace(out="sparse True"),
        ran._replace(status=2),
        ran._replace(seconds=99.0),
        ran._replace(err="a\nerror: faked", status=2),
    ):
        assert lines.wrong(other), other


@pytest.mark.slow
@pytest.mark.property
@pytest.mark.parametrize(("fuzzer", "rounds"), [(numbers, 80), (files, 30), (debugger, 30), (binaries, 80)])
def test_random_cases(fuzzer: Any, rounds: int) -> None:
    assert list(failures(fuzzer.cases(7), fuzzer.fault, ENOUGH, rounds if os.environ.get(EVERY) else rounds // 3)) == []


@pytest.mark.corpus
def test_damaged_binaries() -> None:
    assert list(failures(binaries.cases(8), binaries.fault, ENOUGH, 2000)) == []


def test_a_damaged_binary_that_goes_wrong_is_told() -> None:
    sound = binaries.held("wgmma")
    assert binaries.fault(binaries.pieces()["wgmma"], sound) == ""
    assert "lost" in binaries.fault(binaries.pieces()["wgmma"][:-1], sound)


@pytest.mark.slow
def test_a_snapshot_has_every_operand(tmp_path: Path) -> None:
    (tmp_path / "k.sass").write_text("UMOV UR4, 0x1 ;\nHGMMA.64x8x16.F32 R24, gdesc[UR4], R24, !UPT, gsb0 ;\n")
    operands, _, _ = snapshot.answers(snapshot.TESTS.parent, tmp_path)
    assert [place.rpartition(" ")[2] for place in operands] == ["a", "b"]
    first, second = operands.values()
    assert not snapshot.compared(first, first)
    assert snapshot.compared({**first, "known": 0}, first).startswith("LOST")
    assert snapshot.compared({**first, "bits": first["bits"] ^ 1}, first).startswith("CONTRADICTS")
    assert snapshot.compared(None, second).startswith("LOST")


@pytest.mark.slow
@pytest.mark.parametrize("word", range(0, len(long_lines.WORDS), 6))
def test_a_long_line_of_each_word(word: int) -> None:
    form = list(long_lines.FORMS)[word * 7 % len(long_lines.FORMS)]
    assert long_lines.fault(form, long_lines.WORDS[word], 30_000) == ""


@pytest.mark.corpus
@pytest.mark.parametrize("other", range(2))
def test_a_longer_line_of_each_word_in_other_forms(other: int) -> None:
    forms = list(long_lines.FORMS)
    cases = [(forms[(number * 7 + 1 + 9 * other) % len(forms)], word) for number, word in enumerate(long_lines.WORDS)]
    assert {case: why for case in cases if (why := long_lines.fault(*case, 60_000))} == {}


@pytest.mark.corpus
def test_lines_of_a_megabyte() -> None:
    assert list(failures(long_lines.cases(7), long_lines.fault, ENOUGH, 20)) == []


def test_a_file_that_goes_wrong_is_told() -> None:
    ran = lines.Ran(0, '{"version": "2.1.0"}\n', "", 0.0)
    assert files.wrong(b"", ("--json",), True, ran) == ""
    assert files.wrong(b"", ("--format", "sarif"), True, ran) == ""
    assert files.wrong(b"", ("--json",), True, ran._replace(out="{"))
    assert files.wrong(b"", ("--json",), True, ran._replace(status=3))
    assert files.wrong(b"a\nb\nc\n", ("--annotate",), True, ran)


def test_a_session_that_goes_wrong_is_told() -> None:
    assert debugger.wrong(0, '{"say": "a\\n"}\n', "") == ""
    for status, out in ((3, ""), (0, "{"), (0, '{"say": "\\u001b[2J"}'), (0, '{"say": "an error in smemdesc itself"}')):
        assert debugger.wrong(status, out, "")


@pytest.mark.parametrize(
    "more", ['"columns": 1e400', '"columns": -1', '"columns": 80, "folder": "/gone"', '"columns": 80']
)
def test_how_a_session_begins(more: str) -> None:
    ran = lines.run(["gdb", "--session"], f'{{"command": "\\u001b[2J", "color": false, {more}}}\n')
    assert "itself" not in ran.out + ran.err
    assert "\x1b" not in ran.out
    assert ("cannot be entered" in ran.out) == ("gone" in more)
