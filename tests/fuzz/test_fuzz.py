"""A short run of each fuzzer; ``python -m fuzz.lines`` and ``fuzz.numbers`` are the long ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import lines, numbers

# A report waits in a temporary file, which the end of the process closes.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
ENOUGH = 60.0
"""Seconds; the counts below take a tenth of it."""


def test_command_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some of the lines write files
    assert list(lines.attack(ENOUGH, 7, 400)) == []


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
        ran._replace(status=2),
        ran._replace(seconds=99.0),
        ran._replace(err="a\nerror: faked", status=2),
    ):
        assert lines.wrong(other), other


def test_numbers_in_dumps() -> None:
    assert list(numbers.attack(ENOUGH, 7, 150)) == []
